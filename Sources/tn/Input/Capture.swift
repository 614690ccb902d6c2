import ArgumentParser
import Foundation
import NoteStore
import SystemPackage
import Terminal

/// A note to create, as requested by `tn --new`.
///
/// A plain value, so that both the parser and `init(plainly:)`, which is much faster, can create it.
struct Capture: Equatable {
    /// The notebook's file; nil for the default one.
    var database: String?
    /// The notebook's name; nil for the default one.
    var notebook: String?
    /// The title; nil to take it from the text.
    var title: String?
    /// The path of the folder; nil for the Inbox.
    var folder: String?
    /// The names of tags, which are created if they are missing.
    var tags: [String] = []
    var isStarred = false
    /// Whether to open the notebook at the note.
    var opens = false
    /// The words of the text, to be joined by spaces; if empty, standard input, the composer or an editor provides the
    /// text; `-` alone is standard input.
    var words: [String] = []
    /// Whether the text is the words.
    private var isTyped: Bool { !words.isEmpty && !words.isStandardInput }

    private var path: String { Notebook.resolved(NotebookPath.chosen(database, named: notebook)) }

    /// Creates the note and prints its address.
    func run() throws {
        let isWritten = words.isEmpty && isatty(STDIN_FILENO) == 1
        // These modes restart the program, so nothing may have been read or created before.
        if isWritten || opens { CrashGuard.install() }
        // Checked before anything is created, so that a usage error has no effect; what comes through a pipe is read first,
        // since it would be lost.
        if isWritten || isTyped { try checkWindowOrTerminal() }
        if isWritten { return try compose() }
        try tell(of: made())
    }

    /// Creates the note of the words or of what comes through a pipe, or keeps the text as a draft.
    private func made() throws -> NoteRow {
        // A signal that came while the notebook is waited for would lose what has come through the pipe.
        let signals = isTyped ? nil : BlockedSignals()
        defer { withExtendedLifetime(signals) {} }
        let text = try isTyped ? Self.text(of: words) : PipedText.read(for: path)
        let id = NoteID()
        do {
            if !isTyped { try checkWindowOrTerminal() }
            return try make(text, as: id)
        } catch {
            let error = signals?.raised.map { Failure.stopped(by: $0) } ?? error
            throw Draft.keep(text, becoming: id, isTyped: isTyped, for: path, after: error)
        }
    }

    /// The words with a space between each two.
    ///
    /// `joined(separator:)` would search all conformances of the program, 3 % of the instructions of a capture (measured
    /// 2026-11).
    private static func text(of words: [String]) -> String {
        var text = words[0]
        for word in words.dropFirst() { text += " " + word }
        return text
    }

    /// Lets the user write the text in an editor or in the composer, and keeps it as a draft until the note exists.
    private func compose() throws {
        // Report errors that are already certain before the user writes anything.
        if let folder {
            let notebook = try Notebook.forCommand(path)
            _ = try notebook.folders.forNotes(path: folder)
            try notebook.close()
        }
        let draft = try Draft(database: path)
        let (text, ending, isHandedOver) = try written(in: draft)
        if text?.isBlank == true, let file = try OutsideEdit.openFile(draft, isHandedOver: isHandedOver) {
            StandardError.notice(Texts.editorGoesOn(file))
            if let ending { throw ending }
            return
        }
        var row: NoteRow?
        do {
            if let text { row = try make(text, as: draft.about.becoming ?? NoteID()) }
        } catch {
            guard text?.isBlank == false else {
                draft.remove()
                throw ending ?? error
            }
            throw draft.keep(text, after: error)
        }
        if let row, let text, draft.isHeldElsewhere() {
            // From now on the editor's changes go into the note that its text has become.
            try draft.handOver(with: text, in: (row.id, row.revision))
            StandardError.notice(Texts.editorGoesOn(.inBackground(draft.path)))
        } else {
            draft.remove()
        }
        if let row { try tell(of: row) }
        if let ending { throw ending }
    }

    /// The text that the user wrote, nil if there is none to keep, the error to end with, nil for success, and whether
    /// the editor may have handed the draft to another program.
    private func written(in draft: Draft) throws -> (text: String?, ending: (any Error)?, isHandedOver: Bool) {
        guard let editor = EditorProgram.configured else {
            // Every command runs on the main thread.
            let (text, status) = try MainActor.assumeIsolated { try Composer.text(draft) }
            return (text, status == 0 ? nil : ExitCode(status), false)
        }
        let (failure, isHandedOver) = try Self.write(draft, with: editor)
        do {
            return (draft.hasText ? try draft.text() : "", failure, isHandedOver)
        } catch {
            throw draft.keep(nil, after: error)
        }
    }

    /// Waits for the editor; a text that it saved counts even if it ended with an error, which is returned.
    private static func write(
        _ draft: Draft, with editor: EditorProgram
    ) throws -> (failure: Failure?, isHandedOver: Bool) {
        do {
            try? draft.sync()  // a file system that cannot be synced keeps nobody from writing
            return (nil, try editor.edit(draft.path))
        } catch let failure as Failure {
            return (failure, false)
        }
    }

    private func make(_ text: String, as id: NoteID) throws -> NoteRow {
        let title = title.flatMap { $0.isBlank ? nil : $0 }
        guard title != nil || !text.isBlank else {
            throw Failure.emptyNote
        }
        let notebook = try Notebook.forCommand(path)
        let row = try notebook.notes.create(
            NewNote(
                text: text, title: title, folder: try folder.map { try notebook.folders.forNotes(path: $0) } ?? .inbox,
                tags: try notebook.tags.ids(named: tags), starred: isStarred, id: id))
        try notebook.close()
        return row
    }

    /// Prints the address of the new note, and shows it in the open window or opens the notebook at it, if that was
    /// asked for.
    private func tell(of row: NoteRow) throws {
        // The note exists, even if no window can show it.
        try StandardOutput.write(line: row.getURL(), after: Texts.noteIsStored)
        guard opens else { return }
        let options = NotebookOptions(database: database, notebook: notebook)
        if try OpenWindows.come(to: row.getURL(), in: options) { return }
        try Self.checkTerminal()
        try FullScreen.run(options, opening: row.getURL(), takesTerminal: true)
    }

    /// Checks that there is an open window or a terminal, if the note is to be opened.
    private func checkWindowOrTerminal() throws {
        if opens, OpenWindows().folder.others().isEmpty { try Self.checkTerminal() }
    }

    private static func checkTerminal() throws {
        do {
            let terminal = try FileDescriptor.open("/dev/tty", .readWrite, options: .closeOnExec)
            try terminal.close()
        } catch {
            throw Failure.noTerminalToOpen
        }
    }
}

// MARK: - Plain forms

extension Capture {
    /// Parses the plain forms of `tn --new` directly: options with their values, before or among the words of the text.
    ///
    /// Setting up the parser takes longer than storing the note, so it is not used here. Nil for anything else (other
    /// commands, help, other options, errors), which the parser then handles or explains.
    init?(plainly words: [String]) {
        var rest = words[...]
        // A word that begins with a dash is not a value: it may be an option, or a mistake.
        func value() -> String? { rest.popFirst().flatMap { $0.utf8.first == Self.dash ? nil : $0 } }
        func fill(_ field: inout String?) -> Bool {
            guard field == nil, let value = value() else { return false }
            field = value
            return true
        }
        if rest.first == "--database" {
            rest.removeFirst()
            guard fill(&database), database != "" else { return nil }
        } else if rest.first == "-n" {
            rest.removeFirst()
            guard fill(&notebook), NamedNotebooks.problem(of: notebook ?? "") == nil else { return nil }
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
