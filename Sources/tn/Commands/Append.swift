import ArgumentParser
import NoteStore

/// The command `tn append`: adds text to the end of a note.
struct Append: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "append",
        abstract: "Add text at the end of a note.",
        discussion: """
            The text begins a line of its own. It is taken from the arguments, else from standard input. Examples:

              tn append Groceries "- coffee filters"
              make 2>&1 | tail -5 | tn append "Build log"
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Argument(help: "The text; words are joined by spaces.")
    var text: [String] = []

    func run() throws {
        let isTyped = !text.isEmpty
        // A signal that came while the notebook is waited for would lose what has come through the pipe.
        let signals = isTyped ? nil : BlockedSignals()
        defer { withExtendedLifetime(signals) {} }
        let text = try isTyped ? text.joined(separator: " ") : PipedText.read(for: options.path)
        guard !text.isEmpty else {
            throw Failure.nothingToAppend
        }
        var target = Draft.Addition(title: note)
        do {
            let notebook = try options.open()
            let row = try notebook.notes.resolve(reference: note)
            target = Draft.Addition(title: row.title, note: row.id)
            try notebook.notes.append(text, to: row)
        } catch {
            let error = signals?.raised.map { Failure.stopped(by: $0) } ?? error
            throw Draft.keep(text, addition: target, isTyped: isTyped, for: options.path, after: error)
        }
    }
}

extension Notebook.Notes {
    /// Adds lines at the end of a note; keeps the previous text as a version, and merges a change made meanwhile.
    ///
    /// - Parameter asParagraph: whether a blank line separates them from the text before.
    func append(_ text: String, to row: NoteRow, asParagraph: Bool = false) throws {
        guard row.place != .trash else { throw StoreError.inTrash(name: row.title) }
        try notebook.versions.keep(of: row.id, reason: .outside)
        let old = try self.text(row.id) ?? ""
        var gap = old.isEmpty || old.utf8.last == UInt8(ascii: "\n") ? "" : "\n"
        if asParagraph {
            let lines = old.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let last = lines.dropLast(gap.isEmpty ? 1 : 0).last ?? ""
            if !last.allSatisfy(\.isWhitespace) { gap += "\n" }
        }
        _ = try save(row.id, text: old + gap + text, baseRevision: row.revision, base: old)
    }
}
