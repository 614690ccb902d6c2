import ArgumentParser
import Foundation
import NoteStore
import Terminal

/// A note to be written down, as `tn --new` was asked for it.
///
/// A plain value, so that the parser and `init(plainly:)`, which is much faster, can both make it.
struct Capture: Equatable {
    /// The notebook's file; nil for the usual one.
    var database: String?
    /// Nil: taken from the text.
    var title: String?
    /// The path of the folder; nil for the Inbox.
    var folder: String?
    /// Tags by name, made if they are missing.
    var tags: [String] = []
    var isStarred = false
    /// Whether the notebook opens at the note.
    var opens = false
    /// The text, its words joined by spaces; none: it comes from standard input, the composer or an editor.
    var words: [String] = []

    private var path: String { Notebook.resolved(database ?? Notebook.defaultPath()) }

    /// Makes the note and prints its address.
    func run() throws {
        let isWritten = words.isEmpty && isatty(STDIN_FILENO) == 1
        // It starts the program anew, so nothing may have been read or made before.
        if isWritten || opens { CrashGuard.install() }
        if isWritten { return try compose() }
        try add(words.isEmpty ? InputText.piped() : words.joined(separator: " "))
    }

    /// Has the text written in an editor or in the composer; what was written is kept until it is a note.
    private func compose() throws {
        let draft = try Draft(database: path)
        var text: String?
        var status: Int32 = 0
        if let editor = EditorProgram.configured {
            try editor.edit(draft.path)
            text = try draft.text()
        } else {
            (text, status) = try MainActor.assumeIsolated { try Composer.text(draft) }
        }
        if let text { try add(text) }
        draft.remove()
        if status != 0 { throw ExitCode(status) }
    }

    private func add(_ text: String) throws {
        let title = title.flatMap { $0.isBlank ? nil : $0 }
        guard title != nil || !text.isBlank else {
            throw Failure("the note would be empty; give its text as arguments or on standard input", status: .usage)
        }
        // Before anything is made: an order that ends with wrong usage has done nothing.
        if opens { try Self.checkTerminal() }
        let notebook = try Notebook.forCommand(path)
        let row = try notebook.create(
            NewNote(
                text: text, title: title, folder: try folder.map { try notebook.placeForNotes(path: $0) } ?? .inbox,
                tags: try notebook.tags(named: tags), starred: isStarred))
        try notebook.close()
        if opens {
            return try FullScreen.run(
                NotebookOptions(database: database), opening: row.getURL(), takesTerminal: true)
        }
        try StandardOutput.write(line: row.getURL())
    }

    private static func checkTerminal() throws {
        let terminal = Foundation.open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else {
            throw Failure("there is no terminal here, and the notebook needs one; leave out --open", status: .usage)
        }
        close(terminal)
    }
}

// MARK: - The plain forms

extension Capture {
    /// Reads the plain forms of `tn --new` by hand: options with their values, then or among them the text.
    ///
    /// To set up the parser takes longer than to store the note, so nothing of it is touched here. Nil for whatever is
    /// not plain: other commands, help, other options, errors; the parser takes or explains it.
    init?(plainly words: [String]) {
        var rest = words[...]
        // A word that begins with a dash is no value: it may be an option, or a mistake.
        func value() -> String? { rest.popFirst().flatMap { $0.utf8.first == Self.dash ? nil : $0 } }
        func fill(_ field: inout String?) -> Bool {
            guard field == nil, let value = value() else { return false }
            field = value
            return true
        }
        if rest.first == "--database" {
            rest.removeFirst()
            guard fill(&database), database != "" else { return nil }
        }
        guard let command = rest.popFirst(), command == "--new" || command == "new" else { return nil }
        while let word = rest.popFirst() {
            switch word {
            case "--database": guard fill(&database), database != "" else { return nil }
            case "--title": guard fill(&title) else { return nil }
            case "--folder": guard fill(&folder) else { return nil }
            case "--tag":
                guard let tag = value() else { return nil }
                tags.append(tag)
            case "--star": isStarred = true
            case "--":
                self.words += rest
                return
            default:
                guard word.utf8.first != Self.dash else { return nil }
                self.words.append(word)
            }
        }
    }

    private static let dash = UInt8(ascii: "-")
}
