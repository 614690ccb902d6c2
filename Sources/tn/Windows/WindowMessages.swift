import Foundation
import NoteStore
import TextEditing

/// What another program of the user asks of an open window.
struct WindowRequest: Codable, Equatable, Sendable {
    enum Action: Codable, Equatable, Sendable {
        /// Comes to the note of a `takenote://note/UUID` address.
        case show(address: String)
        /// Takes what was copied in another window.
        case take(SharedCopy)
        /// Tells what was last copied in this window.
        case giveCopied
    }

    /// The notebook's file that the action is about.
    var database: String
    var action: Action
    /// The uptime in seconds after which nobody waits for the answer, and nothing may be done any more.
    var deadline: Double

    init(_ action: Action, database: String, deadline: Double = Self.uptime + Self.patience) {
        self.action = action
        self.database = database
        self.deadline = deadline
    }

    /// Whether the program that asked still waits for the answer.
    ///
    /// A window that was stopped for an hour must not jump to a note when it goes on. Nobody waits longer than programs
    /// of ours do, whatever the request says.
    var isAwaited: Bool { (Self.uptime...Self.uptime + Self.patience).contains(deadline) }

    /// The seconds since the system's start, which all of its processes see alike.
    static var uptime: Double { ProcessInfo.processInfo.systemUptime }
    /// The seconds for which an answer is awaited: long enough for a pause in typing.
    static let patience = 4.0
}

/// What a window answers.
struct WindowAnswer: Codable, Equatable, Sendable {
    enum Outcome: String, Codable, Sendable {
        case done
        /// The window shows another notebook.
        case otherNotebook
        /// A dialog is open, whose keys must not be given another meaning.
        case dialog
        /// The user kept typing.
        case typing
        /// There is no such note any more.
        case noNote
        /// The request is not understood, or came too late.
        case refused
    }

    var outcome: Outcome
    /// What was last copied in the window, if that was asked for.
    var copied: SharedCopy?

    init(_ outcome: Outcome, copied: SharedCopy? = nil) {
        self.outcome = outcome
        self.copied = copied
    }
}

/// What was copied in a window, to be pasted in any: a text, or notes of the list.
enum SharedCopy: Codable, Equatable, Sendable {
    case text(Clipping)
    /// The notes belong to the notebook of the request.
    case notes([NoteID])
}

/// A message on a socket: one line of JSON.
enum WindowLine {
    /// The longest message in bytes: a copied text of some megabytes.
    static let limit = 16 << 20

    /// The message as a line; nil if it is too long to be sent.
    static func encoded(_ message: some Encodable) -> [UInt8]? {
        // A message of ours always has a form in JSON.
        guard let data = try? JSONEncoder().encode(message), data.count < limit else { return nil }
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// The message of a line without its end; nil if it is not one.
    static func decoded<Message: Decodable>(_ line: [UInt8], as type: Message.Type) -> Message? {
        try? JSONDecoder().decode(type, from: Data(line))  // not a message: of another version, or of a stranger
    }
}
