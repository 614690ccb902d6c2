import Dispatch
import Foundation
import NoteStore
import TextEditing

/// Saves texts behind the main actor: in a pause of typing with all that follows from them, while typing goes on the
/// text alone, and at once when a note is left.
///
/// Saves run one after another on a thread of their own, each on a snapshot of the text.
@MainActor
final class NoteSaver {
    /// A pause in typing this long saves.
    private static let idle = Duration.milliseconds(300)
    /// After a save that failed, the next try.
    private static let retryDelay = Duration.seconds(2)
    /// Bytes from which on a saved text's memory is worth giving back.
    private nonisolated static let longText = 1_000_000
    /// No more than a twentieth of the time is spent saving: the journal keeps safe what is typed meanwhile.
    private static let rest = 20

    private let notebook: Notebook
    let journal: EditJournal
    /// Says what the user should know of a save.
    private let notify: @MainActor (Notice) -> Void
    private let scheduler: any MainScheduler
    private let thread = BackgroundThread(name: "tn.save")
    /// The sessions whose text is not saved, with the timers that will save them.
    private var waiting: [NoteID: Waiting] = [:]
    /// What is being saved, by note.
    private var running: [NoteID: Running] = [:]
    /// The sessions whose text is saved without what follows from it, with the timers that will do the rest.
    private var unfinished: [NoteID: (session: EditorSession, timer: ScheduledWork)] = [:]
    /// Notes whose sessions are not open any more.
    private var left: Set<NoteID> = []
    /// How long the last saves took, and when the last whole one ended.
    private var lastDuration: [SaveScope: Duration] = [:]
    private var lastWhole: ContinuousClock.Instant?

    private struct Running {
        let session: EditorSession
        let snapshot: EditorSession.Snapshot
        /// How far the journal had got with the text.
        let position: JournalPosition?
    }

    private struct Waiting {
        let session: EditorSession
        /// The first change that is not saved, and the last.
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

    /// Whether there is anything left to save of a session's text, or of what follows from it.
    func isBusy(with session: EditorSession) -> Bool { isSaving(session) || unfinished[session.noteID] != nil }

    /// Has an edit written down before it is painted, and the text saved when typing pauses.
    func textChanged(in session: EditorSession, by edit: Edit) {
        journal.record(edit, of: session, base: session.stored)
        left.remove(session.noteID)
        saveSoon(session)
    }

    /// Has the notes indexed that a program which died had saved while somebody typed.
    func finishForOthers() {
        let notebook = notebook
        thread.async { notebook.search.indexUnfinished() }
    }

    /// Does something long with the notebook, after the saves that were asked for.
    func perform(_ work: @escaping @Sendable () -> Void) { thread.async(work) }

    // MARK: When

    private func saveSoon(_ session: EditorSession) {
        let now = scheduler.now
        guard waiting[session.noteID] == nil else {
            // The timer finds out by itself that it is too early: no key costs a timer.
            waiting[session.noteID]?.changed = now
            return
        }
        waiting[session.noteID] = Waiting(session: session, since: now, changed: now)
        look(at: session, after: Self.idle)
    }

    private func look(at session: EditorSession, after delay: Duration) {
        waiting[session.noteID]?.timer = scheduler.schedule(after: delay) { [weak self] in self?.saveIfDue(session) }
    }

    /// While typing goes on, a text is saved at most this long after its first change that is not saved.
    private var longestWait: Duration { max(.seconds(2), (lastDuration[.text] ?? .zero) * Self.rest) }

    /// How long it is until a whole save may be made again.
    private var restAfterWhole: Duration {
        guard let lastWhole else { return .zero }
        return (lastDuration[.whole] ?? .zero) * Self.rest - (scheduler.now - lastWhole)
    }

    private func saveIfDue(_ session: EditorSession) {
        guard let entry = waiting[session.noteID] else { return }
        let now = scheduler.now
        let untilIdle = Self.idle - (now - entry.changed)
        let untilLongest = longestWait - (now - entry.since)
        if untilIdle <= .zero {
            save(session, restAfterWhole <= .zero ? .whole : .text)
        } else if untilLongest <= .zero {
            save(session, .text)
        } else {
            look(at: session, after: min(untilIdle, untilLongest))
        }
    }

    /// Has done what a save has left: of a note that was left at once, else when nobody types.
    private func goOn(_ session: EditorSession, after scope: SaveScope) {
        guard waiting[session.noteID] == nil else { return }
        let isLeft = left.contains(session.noteID)
        switch (scope, isLeft) {
        case (.whole, true): journal.left(session.noteID)
        case (.whole, false): break
        case (.text, true): save(session, .whole)
        case (.text, false): finishSoon(session)
        }
    }

    private func finishSoon(_ session: EditorSession) {
        let timer = scheduler.schedule(after: max(Self.idle, restAfterWhole)) { [weak self] in
            self?.save(session, .whole)
        }
        unfinished[session.noteID] = (session, timer)
    }

    /// Saves a note that is being left, and keeps its undo history and its text as a version.
    func noteLeft(_ session: EditorSession) {
        left.insert(session.noteID)
        if waiting[session.noteID] != nil || unfinished[session.noteID] != nil {
            save(session, .whole)
        } else if running[session.noteID] == nil {
            journal.left(session.noteID)
        }
        keepHistory(of: session)
        keepVersion(of: session)
    }

    /// Saves everything that waits, and returns when it is safe.
    func saveNow() {
        journal.write(evenIfItFailed: true)
        // Once more for what was typed during a save, and for what a merge left that the other side does not have yet.
        for _ in 0..<2 {
            for session in waiting.values.map(\.session) + unfinished.values.map(\.session) { save(session, .whole) }
            thread.finish()
            tellFinished()
            if waiting.isEmpty, unfinished.isEmpty { break }
        }
        journal.write(evenIfItFailed: true)
    }

    /// Ends saving: all is safe, the undo histories are kept, the journal is closed.
    func close(_ sessions: [EditorSession]) {
        saveNow()
        for session in sessions { keepHistory(of: session) }
        thread.finish()
        journal.close()
    }

    // MARK: A save

    /// Outcomes that are known but not yet told to their sessions.
    private let finished = FinishedSaves()

    private func save(_ session: EditorSession, _ scope: SaveScope) {
        waiting.removeValue(forKey: session.noteID)?.timer?.cancel()
        unfinished.removeValue(forKey: session.noteID)?.timer.cancel()
        guard running[session.noteID] == nil else { return saveSoon(session) }
        let position = journal.saveBegan(of: session.noteID)
        let snapshot = session.beginSaving()
        running[session.noteID] = Running(session: session, snapshot: snapshot, position: position)
        let (notebook, scheduler, finished) = (notebook, scheduler, finished)
        thread.async { @Sendable [weak self] in
            let started = ContinuousClock.now
            let outcome = Result { try SavedText(snapshot, scope, position, in: notebook) }
            finished.put(snapshot.id, outcome, scope, duration: .now - started)
            scheduler.post { self?.tellFinished() }
            if snapshot.buffer.utf8Count > Self.longText { notebook.care.releaseMemory() }
        }
    }

    private func tellFinished() {
        for save in finished.take() {
            guard let ended = running.removeValue(forKey: save.note) else { continue }
            let session = ended.session
            lastDuration[save.scope] = save.duration
            if save.scope == .whole { lastWhole = scheduler.now }
            switch save.outcome {
            case .success(let saved):
                finish(ended, saved)
                goOn(session, after: save.scope)
            case .failure(let error): retry(session, after: error)
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

    private func retry(_ session: EditorSession, after error: any Error) {
        session.failedToSave(Sentence.of(error))
        waiting[session.noteID]?.timer?.cancel()
        waiting[session.noteID] = Waiting(session: session, since: scheduler.now, changed: scheduler.now)
        look(at: session, after: Self.retryDelay)
    }

    private func keepVersion(of session: EditorSession) {
        guard session.historyToKeep != nil else { return }
        let (notebook, id) = (notebook, session.noteID)
        let isLong = session.buffer.utf8Count > Self.longText
        thread.async { @Sendable in
            try? notebook.versions.keep(of: id)  // the text itself is saved; a version less is one step back less
            if isLong { notebook.care.releaseMemory() }
        }
    }

    private func keepHistory(of session: EditorSession) {
        let notebook = notebook
        let id = session.noteID
        guard let (history, buffer) = session.historyToKeep else { return }
        thread.async { @Sendable in
            let data = Data(history.encoded())
            // Costs an undo after the next start, and no text.
            try? notebook.notes.keepUndoHistory(data, of: id, text: buffer)
        }
    }
}
