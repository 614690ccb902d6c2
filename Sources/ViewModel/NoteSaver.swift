import Dispatch
import Foundation
import NoteStore
import TextEditing

/// Saves texts behind the main actor: an idle moment after the last change, often enough while typing goes on, and
/// at once when a note is left.
///
/// Saves run one after another on a queue of their own, each on a snapshot of the text.
@MainActor
final class NoteSaver {
    /// A pause in typing this long saves.
    private static let idle = Duration.milliseconds(300)
    /// While typing goes on, a save begins at most this long after the first change that is not saved.
    ///
    /// Under a second, and in a long note so seldom that no more than a twentieth of the time is spent saving: the
    /// journal keeps safe what is typed meanwhile.
    private var longestWait: Duration { max(.milliseconds(900), lastDuration * 20) }
    /// After a save that failed, the next try.
    private static let retryDelay = Duration.seconds(2)

    private var lastDuration = Duration.zero

    private let notebook: Notebook
    let journal: EditJournal
    /// Says what the user should know of a save.
    private let notify: @MainActor (Notice) -> Void
    private let scheduler: any MainScheduler
    private let queue = DispatchQueue(label: "tn.save", qos: .utility)
    /// The sessions whose text is not saved, with the timers that will save them.
    private var waiting: [NoteID: Waiting] = [:]
    /// What is being saved, by note.
    private var running: [NoteID: (session: EditorSession, snapshot: EditorSession.Snapshot)] = [:]

    private struct Waiting {
        let session: EditorSession
        let since: ContinuousClock.Instant
        var timer: ScheduledWork?
    }

    init(
        notebook: Notebook, scheduler: any MainScheduler, notify: @escaping @MainActor @Sendable (Notice) -> Void
    ) {
        self.notebook = notebook
        self.scheduler = scheduler
        self.notify = notify
        journal = EditJournal(notebook: notebook, scheduler: scheduler) { reason in
            notify(reason.map { Notice("Not journaling: \($0)", kind: .trouble) } ?? Notice("Journaling again"))
        }
    }

    func isSaving(_ session: EditorSession) -> Bool {
        running[session.noteID] != nil || waiting[session.noteID] != nil
    }

    /// Writes an edit down at once, and has the text saved when typing pauses.
    func textChanged(in session: EditorSession, by edit: Edit) {
        journal.record(edit, of: session.noteID, base: session.stored)
        saveSoon(session)
    }

    private func saveSoon(_ session: EditorSession) {
        let now = ContinuousClock.now
        var entry = waiting[session.noteID] ?? Waiting(session: session, since: now)
        entry.timer?.cancel()
        let delay = min(Self.idle, max(.zero, longestWait - (now - entry.since)))
        entry.timer = scheduler.schedule(after: delay) { [weak self] in self?.save(session) }
        waiting[session.noteID] = entry
    }

    /// Saves a note that is being left, and keeps its undo history and its text as a version.
    func noteLeft(_ session: EditorSession) {
        if waiting[session.noteID] != nil { save(session) }
        keepHistory(of: session)
        keepVersion(of: session)
    }

    /// Saves everything that waits, and returns when it is safe.
    func saveNow() {
        for entry in Array(waiting.values) { save(entry.session) }
        queue.sync {}
        tellFinished()
        journal.flush()
    }

    /// Ends saving: all is safe, the undo histories are kept, the journal is closed.
    func close(_ sessions: [EditorSession]) {
        saveNow()
        // A merge may have left something that the other side does not have yet.
        if !waiting.isEmpty { saveNow() }
        for session in sessions { keepHistory(of: session) }
        queue.sync {}
        journal.close()
    }

    // MARK: A save

    /// Outcomes that are known but not yet told to their sessions.
    private let finished = FinishedSaves()

    private func save(_ session: EditorSession) {
        waiting.removeValue(forKey: session.noteID)?.timer?.cancel()
        guard running[session.noteID] == nil else { return saveSoon(session) }
        let snapshot = session.beginSaving()
        running[session.noteID] = (session, snapshot)
        journal.saveBegan(of: session.noteID)
        let (notebook, scheduler, finished) = (notebook, scheduler, finished)
        queue.async { @Sendable [weak self] in
            let started = ContinuousClock.now
            let outcome = Result {
                try notebook.save(
                    snapshot.id, text: snapshot.buffer.string(), baseRevision: snapshot.base.revision,
                    base: snapshot.base.buffer.string())
            }
            finished.put(snapshot.id, outcome, duration: .now - started)
            scheduler.post { self?.tellFinished() }
        }
    }

    private func tellFinished() {
        for save in finished.take() {
            guard let (session, snapshot) = running.removeValue(forKey: save.note) else { continue }
            lastDuration = save.duration
            switch save.outcome {
            case .success(let outcome): finish(session, snapshot, outcome)
            case .failure(let error): retry(session, after: error)
            }
        }
    }

    private func finish(_ session: EditorSession, _ snapshot: EditorSession.Snapshot, _ outcome: SaveOutcome) {
        switch outcome {
        case .saved(let row):
            session.saved(snapshot, as: row)
            journal.saved(session.noteID, as: session.stored)
        case .merged(let row, let text):
            merge(session, snapshot, row, text)
            notify(Notice("Merged with a change from another program"))
        case .conflict(let row, let text, let copy):
            merge(session, snapshot, row, text)
            notify(Notice("Changed elsewhere too: your text is kept as “\(copy.title)”", kind: .refused))
        }
    }

    private func merge(
        _ session: EditorSession, _ snapshot: EditorSession.Snapshot, _ row: NoteRow, _ text: String
    ) {
        if let pending = session.merged(snapshot, as: row, text: text) {
            journal.rebase(session.noteID, on: session.stored, pending: pending)
        }
        if session.saveState != .saved { saveSoon(session) }
    }

    private func retry(_ session: EditorSession, after error: any Error) {
        session.failedToSave(Sentence.of(error))
        var entry = Waiting(session: session, since: .now)
        entry.timer = scheduler.schedule(after: Self.retryDelay) { [weak self] in self?.save(session) }
        waiting[session.noteID] = entry
    }

    private func keepVersion(of session: EditorSession) {
        guard session.historyToKeep != nil else { return }
        let (notebook, id) = (notebook, session.noteID)
        queue.async { @Sendable in
            // The text itself is saved; a version less is one step back less.
            try? notebook.keepVersion(of: id)
        }
    }

    private func keepHistory(of session: EditorSession) {
        let notebook = notebook
        let id = session.noteID
        guard let (history, buffer) = session.historyToKeep else { return }
        queue.async { @Sendable in
            // A history that is not kept costs an undo after the next start, and no text.
            try? notebook.keepHistory(Data(history.encoded()), of: id, text: buffer.string())
        }
    }
}
