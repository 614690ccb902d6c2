import Dispatch
import Foundation
import NoteStore
import TextEditing

/// Saves texts in the background, in one of two scopes.
///
/// A pause in typing, or leaving the note, saves the text with all data derived from it; while typing continues, only
/// the text is saved. Saves run one after another on their own thread, each on a snapshot of the text.
@MainActor
final class NoteSaver {
    /// The time between a failed save and the next try.
    private static let retryDelay = Duration.seconds(2)
    /// The size in bytes from which the memory of a saved text is released.
    private nonisolated static let longText = 1_000_000

    private let notebook: Notebook
    let journal: EditJournal
    /// Shows a notice about a save to the user.
    private let notify: @MainActor (Notice) -> Void
    /// Called when a save succeeds after failures, and none fails any more.
    var savesAgain: @MainActor () -> Void = {}
    private let scheduler: any MainScheduler
    private let thread = BackgroundThread(name: "tn.save")
    /// The unsaved sessions, each with the timer that will save it.
    private var waiting: [NoteID: Waiting] = [:]
    /// The running saves by note.
    private var running: [NoteID: Running] = [:]
    /// The sessions whose text is saved without its derived data, each with the timer that will save these.
    private var unfinished: [NoteID: (session: EditorSession, timer: ScheduledWork)] = [:]
    /// The notes whose last save has failed.
    private var failing: Set<NoteID> = []
    /// The notes whose sessions are closed.
    private var left: Set<NoteID> = []
    private var pace = SavingPace()

    private struct Running {
        let session: EditorSession
        let snapshot: EditorSession.Snapshot
        /// The journal's position when the text was taken.
        let position: JournalPosition?
    }

    private struct Waiting {
        let session: EditorSession
        /// The time of the first unsaved change; `changed` is that of the last one.
        let since: ContinuousClock.Instant
        var changed: ContinuousClock.Instant
        var timer: ScheduledWork?
    }

    init(
        notebook: Notebook, scheduler: any MainScheduler, notify: @escaping @MainActor @Sendable (Notice) -> Void
    ) {
        self.notebook = notebook
        self.scheduler = scheduler
        self.notify = notify
        journal = EditJournal(
            notebook: notebook, scheduler: scheduler,
            syncFailed: { notify(Notice(Texts.notSynced($0), kind: .trouble)) }
        ) { reason in
            notify(reason.map { Notice(Texts.notJournaling($0), kind: .trouble) } ?? Notice(Texts.journalingAgain))
        }
    }

    func isSaving(_ session: EditorSession) -> Bool {
        running[session.noteID] != nil || waiting[session.noteID] != nil
    }

    /// Whether a session's text, or data derived from it, is still to be saved.
    func isBusy(with session: EditorSession) -> Bool { isSaving(session) || unfinished[session.noteID] != nil }

    /// Records an edit in the journal, and schedules a save for a pause in typing.
    func textChanged(in session: EditorSession, by edit: Edit) {
        journal.record(edit, of: session, base: session.stored)
        left.remove(session.noteID)
        saveSoon(session)
    }

    /// Indexes notes whose text a crashed program had saved without indexing it.
    func finishForOthers() {
        let notebook = notebook
        thread.async { notebook.search.indexUnfinished() }
    }

    /// Runs long work on the notebook, after the saves requested before.
    func perform(_ work: @escaping @Sendable () -> Void) { thread.async(work) }

    // MARK: Scheduling

    private func saveSoon(_ session: EditorSession) {
        let now = scheduler.now
        if let entry = waiting.index(forKey: session.noteID) {
            // The timer itself notices that it is too early, so that a key need not set a new timer.
            waiting.values[entry].changed = now
            return
        }
        waiting[session.noteID] = Waiting(session: session, since: now, changed: now)
        pace.begin(session.noteID, at: now)
        look(at: session, after: SavingPace.idle)
    }

    private func look(at session: EditorSession, after delay: Duration) {
        waiting[session.noteID]?.timer = scheduler.schedule(after: delay) { [weak self] in self?.saveIfDue(session) }
    }

    private func saveIfDue(_ session: EditorSession) {
        guard let entry = waiting[session.noteID] else { return }
        let now = scheduler.now
        let (note, bytes) = (session.noteID, session.buffer.utf8Count)
        let paused = now - entry.changed
        let untilIdle = SavingPace.idle - paused
        let untilLongest = pace.maximumWait(of: note, bytes: bytes) - (now - entry.since)
        if untilIdle <= .zero {
            let isRested = pace.untilWhole(of: note, bytes: bytes, paused: paused, at: now) <= .zero
            save(session, isRested ? .whole : .text)
        } else if untilLongest <= .zero {
            save(session, .text)
        } else {
            look(at: session, after: min(untilIdle, untilLongest))
        }
    }

    /// Schedules what a save has left to do: at once for a closed note, otherwise in a pause of typing.
    private func scheduleRest(_ session: EditorSession, after scope: SaveScope) {
        guard waiting[session.noteID] == nil else { return }
        let isLeft = left.contains(session.noteID)
        switch (scope, isLeft) {
        case (.whole, true):
            journal.left(session.noteID)
            pace.forget(session.noteID)
        case (.whole, false): break
        case (.text, true): save(session, .whole)
        case (.text, false): finishSoon(session)
        }
    }

    private func finishSoon(_ session: EditorSession) {
        let pause = pace.untilWhole(
            of: session.noteID, bytes: session.buffer.utf8Count, paused: .zero, at: scheduler.now)
        let timer = scheduler.schedule(after: pause) { [weak self] in
            // If typing has gone on, the save of the newer text sets the timer again.
            guard let self, waiting[session.noteID] == nil else { return }
            save(session, .whole)
        }
        unfinished[session.noteID] = (session, timer)
    }

    /// Saves a note that is being closed, and stores its undo history and a version of its text.
    func saveClosing(_ session: EditorSession) {
        left.insert(session.noteID)
        if waiting[session.noteID] != nil || unfinished[session.noteID] != nil {
            save(session, .whole)
        } else if running[session.noteID] == nil {
            journal.left(session.noteID)
            pace.forget(session.noteID)
        }
        keepHistory(of: session)
        keepVersion(of: session)
    }

    /// Saves everything that is unsaved, and returns when it is safe, or another program has kept it waiting too long.
    func saveNow() {
        journal.write(evenIfItFailed: true)
        notebook.hurry {
            // Twice, for text typed during a save, and for changes that a merge left unsaved.
            for _ in 0..<2 {
                let sessions = waiting.values.map(\.session) + unfinished.values.map(\.session)
                for session in sessions { save(session, .whole) }
                thread.finish()
                deliverFinished()
                if waiting.isEmpty, unfinished.isEmpty { break }
            }
        }
        journal.write(evenIfItFailed: true)
    }

    /// Ends saving: saves everything, stores the undo histories, and closes the journal.
    func close(_ sessions: [EditorSession]) {
        saveNow()
        for session in sessions { keepHistory(of: session) }
        thread.finish()
        journal.close()
    }

    // MARK: Saving

    /// The results of saves that their sessions have not received yet.
    private let finished = FinishedSaves()

    private func save(_ session: EditorSession, _ scope: SaveScope) {
        waiting.removeValue(forKey: session.noteID)?.timer?.cancel()
        unfinished.removeValue(forKey: session.noteID)?.timer.cancel()
        guard running[session.noteID] == nil else { return saveSoon(session) }
        let position = journal.saveBegan(of: session)
        let snapshot = session.beginSaving()
        running[session.noteID] = Running(session: session, snapshot: snapshot, position: position)
        let (notebook, scheduler, finished) = (notebook, scheduler, finished)
        thread.async { @Sendable [weak self] in
            let started = ContinuousClock.now
            let base = Result { try snapshot.presentBase(in: notebook) }
            let outcome = Result { try SavedText(snapshot, on: base.get(), scope, position, in: notebook) }
            finished.put(
                FinishedSaves.Save(
                    // The outcome has the error of a base that could not be read.
                    note: snapshot.id, base: try? base.get(), outcome: outcome, scope: scope,
                    duration: .now - started))
            scheduler.post { self?.deliverFinished() }
            if snapshot.buffer.utf8Count > Self.longText { notebook.care.releaseMemory() }
        }
    }

    private func deliverFinished() {
        for save in finished.take() {
            guard let ended = running.removeValue(forKey: save.note) else { continue }
            let session = ended.session
            pace.saved(save.note, save.scope, in: save.duration, at: scheduler.now)
            switch save.outcome {
            case .success(let saved):
                if failing.remove(save.note) != nil, failing.isEmpty { savesAgain() }
                finish(ended, saved)
                scheduleRest(session, after: save.scope)
            case .failure(let error):
                session.failedToSave(ended.snapshot, on: save.base, Sentence.of(error))
                retry(session)
            }
        }
    }

    private func finish(_ ended: Running, _ saved: SavedText) {
        let session = ended.session
        if let text = saved.merged {
            let pending = session.merged(text, as: saved.row)
            journal.rebase(session, on: session.stored, pending: pending)
            if session.saveState != .saved { saveSoon(session) }
        } else {
            session.saved(ended.snapshot, as: saved.row)
            journal.saved(session.noteID, through: ended.position, as: session.stored)
        }
        if let notice = saved.notice { notify(notice) }
    }

    private func retry(_ session: EditorSession) {
        failing.insert(session.noteID)
        waiting[session.noteID]?.timer?.cancel()
        waiting[session.noteID] = Waiting(session: session, since: scheduler.now, changed: scheduler.now)
        look(at: session, after: Self.retryDelay)
    }

    private func keepVersion(of session: EditorSession) {
        guard session.historyToKeep != nil else { return }
        let (notebook, id) = (notebook, session.noteID)
        let isLong = session.buffer.utf8Count > Self.longText
        thread.async { @Sendable in
            try? notebook.versions.keep(of: id)  // the text itself is saved; only a version is missing
            if isLong { notebook.care.releaseMemory() }
        }
    }

    private func keepHistory(of session: EditorSession) {
        let notebook = notebook
        let id = session.noteID
        guard let (history, buffer) = session.historyToKeep else { return }
        thread.async { @Sendable in
            let data = Data(history.encoded())
            // A failure costs an undo after the next start, but no text.
            try? notebook.notes.keepUndoHistory(data, of: id, text: buffer)
        }
    }
}
