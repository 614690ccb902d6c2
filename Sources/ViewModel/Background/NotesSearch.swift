import Dispatch
import NoteStore
import TextEditing

/// Searches all notes for a query in the background.
@MainActor
public final class NotesSearch {
    /// The result of the search.
    public struct State: Sendable {
        public var notes: [NoteMatches] = []
        public var isDone = false
        /// The reason why the search failed.
        public var problem: String?
        /// Whether there are more matches than are listed.
        public var isCut = false

        public init(isDone: Bool = false, problem: String? = nil) {
            self.isDone = isDone
            self.problem = problem
        }

        /// The number of matches in all notes.
        public var count: Int { notes.reduce(0) { $0 + $1.count } }
    }

    /// The number of lines after which the list is cut: more than anyone ticks.
    private nonisolated static let maximumLines = 5_000

    private let queue = DispatchQueue(label: "tn.replace", qos: .userInitiated)
    /// The processor time allowed for the search of one note, and of all.
    var limits = (note: SearchBudget().computing, all: Duration.seconds(60))
    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private var running = Cancellation()

    init(notebook: Notebook, scheduler: any MainScheduler) {
        self.notebook = notebook
        self.scheduler = scheduler
    }

    /// Starts a search, and cancels an earlier one.
    ///
    /// It ends with a problem when its processor time is used up.
    ///
    /// - Parameter deliver: called once on the main actor with the result, unless the search is cancelled.
    public func search(_ query: NotesQuery, deliver: @escaping @MainActor @Sendable (State) -> Void) {
        cancel()
        let run = Cancellation()
        running = run
        guard !query.find.pattern.isEmpty else { return deliver(State(isDone: true)) }
        guard let finder = try? TextFinder(query.find) else {  // a half-typed pattern; the overlay says so
            return deliver(State(isDone: true, problem: Texts.invalidRegex))
        }
        do throws(FindError) {
            try finder.check(template: query.replacement)
        } catch {
            return deliver(State(isDone: true, problem: Sentence.of(error)))
        }
        let (notebook, scheduler, limits) = (notebook, scheduler, limits)
        queue.async { @Sendable in
            let state = Self.found(query, by: finder, in: notebook, limits) { !run.isCancelled }
            scheduler.post { if !run.isCancelled { deliver(state) } }
        }
    }

    /// Searches all notes, one after the other, for as long as `isWanted` returns true.
    private nonisolated static func found(
        _ query: NotesQuery, by finder: TextFinder, in notebook: Notebook, _ limits: (note: Duration, all: Duration),
        isWanted: @escaping @Sendable () -> Bool
    ) -> State {
        var state = State()
        var lines = 0
        let began = ThreadTime.used
        do {
            try notebook.notes.forEachText(in: nil) { note, text in
                let left = limits.all - (ThreadTime.used - began)
                let budget = SearchBudget(computing: min(limits.note, left), isWanted: isWanted)
                do throws(FindError) {
                    // Within a text the clock is read only now and then, and in a short one never, so the time is
                    // checked here too.
                    guard left > .zero else { throw .tooSlow(limits.all) }
                    if let matches = try NoteMatches(
                        note, text: text, finder, replacement: query.replacement, budget: budget)
                    {
                        state.notes.append(matches)
                        lines += matches.lines.count
                    }
                } catch {
                    if ThreadTime.used - began >= limits.all {
                        state.problem = Sentence.of(FindError.tooSlow(limits.all))
                    } else {
                        state.problem = Texts.problem(Sentence.of(error), in: note.title)
                    }
                    return false
                }
                state.isCut = lines >= maximumLines
                return isWanted() && !state.isCut
            }
        } catch {
            state.problem = Sentence.of(error)
        }
        state.isDone = true
        return state
    }

    /// Cancels the running search.
    public func cancel() { running.cancel() }
}
