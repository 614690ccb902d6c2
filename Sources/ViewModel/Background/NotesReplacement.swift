import NoteStore
import TextEditing

/// A search pattern for many notes, with its replacement.
public struct NotesQuery: Equatable, Sendable {
    public var find: FindQuery
    public var replacement: String

    public init(_ find: FindQuery, replacement: String) {
        self.find = find
        self.replacement = replacement
    }
}

/// A note with the lines that a query matches.
public struct NoteMatches: Sendable, Identifiable {
    /// A line on which at least one match begins.
    public struct Line: Sendable, Equatable {
        /// The line number, counted from 0.
        public let number: Int
        /// The line, or the part of a long one around its first match.
        public let text: String
        /// The ranges of the matches in `text`, as UTF-8 offsets; matches outside of the shown part are omitted.
        public let matches: [Range<Int>]
        /// The number of matches that begin on the line.
        public let count: Int
    }

    public let note: NoteRow
    public let lines: [Line]
    let text: String
    /// The replacement of each match.
    let replacements: [Edit.Replacement]

    public var id: NoteID { note.id }
    public var count: Int { lines.reduce(0) { $0 + $1.count } }

    /// Searches a text for a query; nil if there is no match.
    ///
    /// Throws the problem with the replacement, or the reason why the search did not finish.
    init?(_ note: NoteRow, text: String, _ finder: TextFinder, replacement: String, budget: SearchBudget)
        throws(FindError)
    {
        let buffer = TextBuffer(text)
        let replacements = try finder.replacements(in: buffer, with: replacement, budget: budget)
        guard !replacements.isEmpty else { return nil }
        self.note = note
        self.text = text
        self.replacements = replacements
        lines = Self.lines(of: replacements.map(\.range), in: buffer)
    }

    /// The largest number of bytes shown of a line: more than any screen has columns.
    private static let shown = 400
    /// The number of bytes shown before the first match of a long line.
    private static let contextBefore = 60

    private static func lines(of matches: [Range<ByteOffset>], in buffer: TextBuffer) -> [Line] {
        var lines: [Line] = []
        var rest = matches[...]
        while let first = rest.first {
            let number = buffer.lineNumber(at: first.lowerBound)
            let line = buffer.lineRange(number)
            let here = rest.prefix { $0.lowerBound <= line.upperBound }
            rest = rest.dropFirst(here.count)
            let isLong = line.upperBound - line.lowerBound > shown
            let start = isLong ? max(line.lowerBound, first.lowerBound - contextBefore) : line.lowerBound
            let shownFrom = buffer.characterBoundary(atOrBefore: start)
            let shownTo = buffer.characterBoundary(atOrBefore: min(line.upperBound, shownFrom + shown))
            let ranges = here.filter { $0.lowerBound < shownTo }
                .map { $0.lowerBound - shownFrom..<min($0.upperBound, shownTo) - shownFrom }
            lines.append(
                Line(
                    number: number.rawValue, text: buffer.string(in: shownFrom..<shownTo),
                    matches: ranges.filter { !$0.isEmpty }, count: here.count))
        }
        return lines
    }

    /// Returns the text with the matches on some lines replaced.
    func replaced(onLines wanted: Set<Int>) -> String {
        let numbers = Set(wanted.map { lines[$0].number })
        var buffer = TextBuffer(text)
        let chosen = replacements.filter { numbers.contains(buffer.lineNumber(at: $0.start).rawValue) }
        Edit(chosen).apply(to: &buffer)
        return buffer.string()
    }
}

extension TakeNoteVM {
    /// Returns a search over all live notes, for replacing in them; saves all typed text first.
    public func searchInNotes() -> NotesSearch {
        saver.saveNow()
        return NotesSearch(notebook: notebook, scheduler: scheduler)
    }

    /// Replaces the matches on some lines of notes, as one action that undo reverts as a whole.
    ///
    /// - Parameters:
    ///   - notes: each note with the chosen lines, as indices in its `lines`.
    ///   - finished: receives the report after it was shown.
    public func replace(
        in notes: [(matches: NoteMatches, lines: Set<Int>)],
        finished: @escaping @MainActor (TaskReport) -> Void = { _ in }
    ) {
        let chosen = notes.filter { !$0.lines.isEmpty }
        let count = chosen.reduce(0) { sum, note in
            sum + note.lines.reduce(0) { $0 + note.matches.lines[$1].count }
        }
        guard count > 0 else { return say(Texts.nothingTicked, kind: .refused) }
        saver.saveNow()
        let (notebook, undo) = (notebook, keyLabel("app.undo"))
        run(Texts.replacing, isExclusive: true, finished: finished) { _ in
            let replacements = chosen.map { note in
                Notebook.Notes.TextReplacement(
                    note: note.matches.id, old: note.matches.text, new: note.matches.replaced(onLines: note.lines))
            }
            let done = try notebook.notes.replaceTexts(replacements)
            return TaskReport(
                Texts.replaced(count, in: done.count, changedMeanwhile: chosen.count - done.count, undo: undo))
        }
    }
}
