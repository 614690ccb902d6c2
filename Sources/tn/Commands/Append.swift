import ArgumentParser
import NoteStore

/// The command `tn append`: adds text to the end of a note.
struct Append: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "append",
        abstract: "Add text at the end of a note.",
        discussion: """
            The text begins a line of its own. It is taken from the arguments, else from standard input, which - names \
            too. Examples:

              tn append Groceries "- coffee filters"
              make 2>&1 | tail -5 | tn append "Build log"
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: .reference, completion: .notes)
    var note: String
    @Argument(help: "The text; words are joined by spaces.")
    var text: [String] = []

    func run() throws {
        let isTyped = !text.isEmpty && !text.isStandardInput
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
    /// Adds text at the end of a note, on a line of its own; keeps the previous text as a version, and merges a change
    /// made meanwhile.
    ///
    /// A line end before the text is like those of the note; the text itself is added byte for byte.
    ///
    /// - Parameter asParagraph: whether a blank line separates it from the text before.
    func append(_ text: String, to row: NoteRow, asParagraph: Bool = false) throws {
        try append(to: row, asParagraph: asParagraph) { _ in text }
    }

    /// Adds lines at the end of a note as `append` does, each of which ends as the lines of the note do.
    ///
    /// - Parameter lines: lines with `\n` between them, and none at the end.
    func append(lines: String, to row: NoteRow, asParagraph: Bool = false) throws {
        try append(to: row, asParagraph: asParagraph) { end in lines.replacing("\n", with: end) + end }
    }

    /// - Parameter text: returns what to add, for the line end of the note.
    private func append(to row: NoteRow, asParagraph: Bool, _ text: (String) -> String) throws {
        guard row.place != .trash else { throw StoreError.inTrash(name: row.title) }
        try notebook.versions.keep(of: row.id, reason: .outside)
        let old = try self.text(row.id) ?? ""
        let end = old.hasOnlyWindowsLineEnds ? "\r\n" : "\n"
        var gap = old.isEmpty || old.utf8.last == UInt8(ascii: "\n") ? "" : end
        if asParagraph {
            let lines = old.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            let last = lines.dropLast(gap.isEmpty ? 1 : 0).last ?? ""
            if !last.allSatisfy(\.isWhitespace) { gap += end }
        }
        _ = try save(row.id, text: old + gap + text(end), baseRevision: row.revision, base: old)
    }
}

extension String {
    /// Whether it has lines that end with CRLF, each of which is one `Character`, and none that end otherwise.
    var hasOnlyWindowsLineEnds: Bool { utf8.contains(13) && !contains { $0 == "\n" || $0 == "\r" } }
}
