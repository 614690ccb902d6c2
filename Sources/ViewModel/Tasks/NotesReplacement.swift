import Dispatch
import NoteStore
import TextEditing

/// What is looked for in many notes, and what takes its place.
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
    /// A line with one match or more.
    public struct Line: Sendable, Equatable {
        /// Counted from 0.
        public let number: Int
        /// The line, or the part of a long one around its first match.
        public let text: String
        /// Where the matches are in `text`, as UTF-8 offsets; those of a long line that are not shown are left out.
        public let matches: [Range<Int>]
        /// How many matches begin on the line.
        public let count: Int
    }

    public let note: NoteRow
    public let lines: [Line]
    let text: String
    /// What replaces each match.
    let replacements: [Edit.Replacement]

    public var id: NoteID { note.id }
    public var count: Int { lines.reduce(0) { $0 + $1.count } }

    /// Looks for a query in a text; nil where it matches nothing.
    ///
    /// Throws what is wrong with the replacement, or why the search did not come to its end.
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

    /// Bytes of a line that are shown: more than any screen has columns.
    private static let shown = 400
    /// Bytes shown before the first match of a long line.
    private static let before = 60

    private static func lines(of matches: [Range<ByteOffset>], in buffer: TextBuffer) -> [Line] {
        var lines: [Line] = []
        var rest = matches[...]
        while let first = rest.first {
            let number = buffer.lineNumber(at: first.lowerBound)
            let line = buffer.lineRange(number)
            let here = rest.prefix { $0.lowerBound <= line.upperBound }
            rest = rest.dropFirst(here.count)
            let isLong = line.upperBound - line.lowerBound > shown
            let start = isLong ? max(line.lowerBound, first.lowerBound - before) : line.lowerBound
            let shownFrom = buffer.characterBoundary(atOrBefore: start)
            let shownTo = buffer.characterBoundary(atOrBefore: min(line.upperBound, shownFrom + shown))
            let places = here.filter { $0.lowerBound < shownTo }
                .map { $0.lowerBound - shownFrom..<min($0.upperBound, shownTo) - shownFrom }
            lines.append(
                Line(
                    number: number.rawValue, text: buffer.string(in: shownFrom..<shownTo),
                    matches: places.filter { !$0.isEmpty }, count: here.count))
        }
        return lines
    }

    /// The text with the matches of some lines replaced.
    func replaced(onLines wanted: Set<Int>) -> String {
        let numbers = Set(wanted.map { lines[$0].number })
        var buffer = TextBuffer(text)
        let chosen = replacements.filter { numbers.contains(buffer.lineNumber(at: $0.start).rawValue) }
        Edit(chosen).apply(to: &buffer)
        return buffer.string()
    }
}

/// Looks for a query in all notes behind the main actor, and tells what it has found as it goes on.
@MainActor
public final class NotesSearch {
    /// How far it is.
    public struct State: Sendable {
        public var notes: [NoteMatches] = []
        public var isDone = false
        /// Why the query cannot be looked for.
        public var problem: String?
        /// Whether there is more than is listed.
        public var isCut = false

        public init(isDone: Bool = false, problem: String? = nil) {
            self.isDone = isDone
            self.problem = problem
        }

        /// The matches of all notes.
        public var count: Int { notes.reduce(0) { $0 + $1.count } }
    }

    /// Lines listed at most: more than anyone ticks.
    private nonisolated static let mostLines = 5_000

    private let queue = DispatchQueue(label: "tn.replace", qos: .userInitiated)
    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private var wanted = SearchFlag()

    init(notebook: Notebook, scheduler: any MainScheduler) {
        self.notebook = notebook
        self.scheduler = scheduler
    }

    /// Begins; an earlier search ends.
    ///
    /// - Parameter deliver: called on the main actor, the last time with `isDone`.
    public func search(_ query: NotesQuery, deliver: @escaping @MainActor @Sendable (State) -> Void) {
        cancel()
        let wanted = SearchFlag()
        self.wanted = wanted
        guard !query.find.pattern.isEmpty else { return deliver(State(isDone: true)) }
        guard let finder = try? TextFinder(query.find) else {  // half-typed; the overlay says so
            return deliver(State(isDone: true, problem: Texts.invalidRegex))
        }
        do throws(FindError) {
            try finder.check(template: query.replacement)
        } catch {
            return deliver(State(isDone: true, problem: Sentence.of(error)))
        }
        let (notebook, scheduler) = (notebook, scheduler)
        queue.async { @Sendable in
            var state = State()
            var lines = 0
            do {
                let budget = SearchBudget { wanted.isRaised }
                try notebook.notes.forEachText(in: nil) { note, text in
                    do throws(FindError) {
                        let matches = try NoteMatches(
                            note, text: text, finder, replacement: query.replacement, budget: budget)
                        if let matches {
                            state.notes.append(matches)
                            lines += matches.lines.count
                        }
                    } catch {
                        state.problem = Texts.problem(Sentence.of(error), in: note.title)
                        return false
                    }
                    state.isCut = lines >= Self.mostLines
                    return wanted.isRaised && !state.isCut
                }
            } catch {
                state.problem = Sentence.of(error)
            }
            state.isDone = true
            scheduler.post { [state] in if wanted.isRaised { deliver(state) } }
        }
    }

    /// Ends the search that runs.
    public func cancel() { wanted.lower() }
}

extension TakeNoteVM {
    /// A search through all live notes, for replacing in them; what is typed so far is saved first.
    public func searchInNotes() -> NotesSearch {
        saver.saveNow()
        return NotesSearch(notebook: notebook, scheduler: scheduler)
    }

    /// Replaces the matches on some lines of notes, as one action that undo takes back whole.
    ///
    /// - Parameters:
    ///   - lines: which lines of each note, by their places in `lines`.
    ///   - finished: given what came of it, after it was said.
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
        let notebook = notebook
        run(Texts.replacing, isExclusive: true, finished: finished) { _ in
            let replacements = chosen.map { note in
                Notebook.Notes.TextReplacement(
                    note: note.matches.id, old: note.matches.text, new: note.matches.replaced(onLines: note.lines))
            }
            let done = try notebook.notes.replaceTexts(replacements)
            return TaskReport(
                Texts.replaced(count, in: done.count, changedMeanwhile: chosen.count - done.count))
        }
    }
}
