import Foundation
import NoteStore
import TextEditing

/// A request of another program of the user to an open window.
struct WindowRequest: Codable, Equatable, Sendable {
    enum Action: Codable, Equatable, Sendable {
        /// Show the note of a `takenote://note/UUID` address.
        case show(address: String)
        /// Receive a copy made in another window.
        case take(SharedCopy)
        /// Return the last copy made in this window.
        case giveCopied
    }

    /// The file of the notebook that the action concerns.
    var database: String
    var action: Action
    /// The deadline as uptime in seconds, after which nobody waits for the answer, and nothing may be done any more.
    var deadline: Double

    init(_ action: Action, database: String, deadline: Double = Self.uptime + Self.patience) {
        self.action = action
        self.database = database
        self.deadline = deadline
    }

    /// Whether the requesting program still waits for the answer.
    ///
    /// A window that was stopped for an hour must not jump to a note when it continues. No request is honoured for
    /// longer than our programs wait, whatever its deadline says.
    var isAwaited: Bool { (Self.uptime...Self.uptime + Self.patience).contains(deadline) }

    /// The seconds since the system's start, which are the same in all processes.
    static var uptime: Double { ProcessInfo.processInfo.systemUptime }
    /// The seconds for which a program waits for an answer: long enough for a pause in typing.
    static let patience = 4.0
}

/// The answer of a window to a request.
struct WindowAnswer: Codable, Equatable, Sendable {
    enum Outcome: String, Codable, Sendable {
        case done
        /// The window shows another notebook.
        case otherNotebook
        /// A dialog is open, whose keys must not change their meaning.
        case dialog
        /// The user kept typing.
        case typing
        /// The note no longer exists.
        case noNote
        /// The request was not understood, or came too late.
        case refused
    }

    var outcome: Outcome
    /// The last copy made in the window, if it was requested.
    var copied: SharedCopy?

    init(_ outcome: Outcome, copied: SharedCopy? = nil) {
        self.outcome = outcome
        self.copied = copied
    }
}

/// A copy made in one window for pasting in any: a text, or notes of the list.
enum SharedCopy: Codable, Equatable, Sendable {
    case text(Clipping)
    /// The notes belong to the notebook of the request.
    case notes([NoteID])
}

/// A message on a socket: one line of JSON.
enum WindowLine {
    /// The maximum length of a message in bytes, enough for a copied text of some megabytes.
    static let limit = 16 << 20

    /// Returns the message as a line; nil if it is too long to be sent.
    static func encoded(_ message: some Encodable) -> [UInt8]? {
        // Our messages can always be encoded.
        guard let data = try? JSONEncoder().encode(message), data.count < limit else { return nil }
        return Array(data) + [UInt8(ascii: "\n")]
    }

    /// Decodes the message in a line without its end; nil if it is not one.
    static func decoded<Message: Decodable>(_ line: [UInt8], as type: Message.Type) -> Message? {
        try? JSONDecoder().decode(type, from: Data(line))  // from another version, or a stranger
    }
}
