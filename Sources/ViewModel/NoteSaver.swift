import Dispatch
import NoteStore

/// Saves texts behind the main actor: an idle moment after the last change, often enough while typing goes on, and
/// at once when a note is left.
///
/// Saves run one after another on a queue of their own, each on a snapshot of the text.
@MainActor
final class NoteSaver {
    /// A pause in typing this long saves.
    private static let idle = Duration.milliseconds(300)
    /// While typing goes on, a save begins at most this long after the first change that is not saved.
    private static let longestWait = Duration.milliseconds(900)
    /// After a save that failed, the next try.
    private static let retry = Duration.seconds(2)

    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private let queue = DispatchQueue(label: "tn.save", qos: .userInitiated)
    /// The sessions whose text is not saved, with the timers that will save them.
    private var waiting: [NoteID: Waiting] = [:]
    /// What is being saved, by note: the sessions, and the revision of the text that was taken.
    private var running: [NoteID: EditorSession] = [:]

    private struct Waiting {
        let session: EditorSession
        let since: ContinuousClock.Instant
        var timer: ScheduledWork?
    }

    init(notebook: Notebook, scheduler: any MainScheduler) {
        self.notebook = notebook
        self.scheduler = scheduler
    }

    func isSaving(_ session: EditorSession) -> Bool {
        running[session.noteID] != nil || waiting[session.noteID] != nil
    }

    /// Has the text saved when typing pauses.
    func textChanged(in session: EditorSession) {
        let now = ContinuousClock.now
        var entry = waiting[session.noteID] ?? Waiting(session: session, since: now)
        entry.timer?.cancel()
        let delay = min(Self.idle, max(.zero, Self.longestWait - (now - entry.since)))
        entry.timer = scheduler.schedule(after: delay) { [weak self] in self?.save(session) }
        waiting[session.noteID] = entry
    }

    /// Saves a note that is being left.
    func noteLeft(_ session: EditorSession) {
        if waiting[session.noteID] != nil { save(session) }
    }

    /// Saves everything that waits, and returns when it is safe.
    func saveNow() {
        let sessions = waiting.values.map(\.session)
        for session in sessions { save(session) }
        queue.sync {}
        for (id, outcome) in finished.take() { running[id].map { finish($0, outcome) } }
    }

    // MARK: A save

    /// Outcomes that are known but not yet told to their sessions.
    private let finished = FinishedSaves()

    private func save(_ session: EditorSession) {
        waiting.removeValue(forKey: session.noteID)?.timer?.cancel()
        guard running[session.noteID] == nil else { return textChanged(in: session) }
        running[session.noteID] = session
        let snapshot = session.beginSaving()
        let (notebook, scheduler, finished) = (notebook, scheduler, finished)
        queue.async { @Sendable [weak self] in
            let outcome = Result {
                try notebook.save(snapshot.id, text: snapshot.buffer.string(), baseRevision: snapshot.storedRevision)
            }
            finished.put(snapshot.id, outcome)
            scheduler.post { self?.tellFinished() }
        }
    }

    private func tellFinished() {
        for (id, outcome) in finished.take() { running[id].map { finish($0, outcome) } }
    }

    private func finish(_ session: EditorSession, _ outcome: Result<SaveOutcome, any Error>) {
        running[session.noteID] = nil
        switch outcome {
        case .success(let saved):
            session.saved(saved)
        case .failure(let error):
            session.failedToSave(Sentence.of(error))
            var entry = Waiting(session: session, since: .now)
            entry.timer = scheduler.schedule(after: Self.retry) { [weak self] in self?.save(session) }
            waiting[session.noteID] = entry
        }
    }
}
