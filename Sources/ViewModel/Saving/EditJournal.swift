import NoteStore
import TextEditing

/// Writes every edit to a journal before it is drawn, so that a crash loses nothing that was on the screen.
///
/// Edits are collected while events are handled, and written with one system call in `write`, which must be called
/// before a frame is sent. Nothing waits for a queue or a clock, and edits are written before a save, a suspension or
/// the end of the program. The journal file is opened soon after the start.
@MainActor
final class EditJournal {
    /// The text that edits are based on: the one in the notebook.
    struct Base: Sendable {
        var revision: Int64
        var buffer: TextBuffer
    }

    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private let stateChanged: @MainActor @Sendable (String?) -> Void
    private var journal: SessionJournal?
    /// The sessions with edits in the journal; their texts are needed when a record could not be written.
    private var sessions: [NoteID: OpenSession] = [:]
    /// The notes that were edited before the journal could be opened.
    private var unrecorded: Set<NoteID> = []
    private(set) var isFailing = false
    /// The earliest time of the next try after a failure, since each try may write a long text.
    private var nextTry: ContinuousClock.Instant?
    private var copying: ScheduledWork?
    /// The scheduled rewrite after the disk has failed; `rewritePause` is the delay of the next one.
    private var rewriting: ScheduledWork?
    private var rewritePause = Duration.zero
    private let syncFailed: @MainActor @Sendable (String) -> Void

    private struct OpenSession { weak var session: EditorSession? }

    /// The wait after a failed try, as a multiple of the time that the try took.
    private static let rest = 20
    /// The pause between two pieces of a long text.
    private static let pause = Duration.milliseconds(1)
    /// The longest wait between two rewrites to a failing disk.
    private static let maximumRewritePause = Duration.seconds(60)

    /// - Parameters:
    ///   - syncFailed: called once with the reason, when written edits may not survive a power cut.
    ///   - stateChanged: called with the reason when an edit cannot be written, and with nil when that is over.
    init(
        notebook: Notebook, scheduler: any MainScheduler,
        syncFailed: @escaping @MainActor @Sendable (String) -> Void = { _ in },
        stateChanged: @escaping @MainActor @Sendable (String?) -> Void
    ) {
        self.notebook = notebook
        self.scheduler = scheduler
        self.syncFailed = syncFailed
        self.stateChanged = stateChanged
    }

    // MARK: File

    /// Opens the journal, and returns the ID of this program among those that use the notebook.
    func owner() throws -> String { try open().id }

    /// The ID of this program, if the journal is open already.
    var openOwner: String? { journal?.id }

    /// Opens the journal, so that the first edit need not wait for it.
    ///
    /// A failure is not reported here: the first edit tries again, and reports it.
    func prepare() { _ = try? open() }  // the first edit tries again, and reports

    private func open() throws(StoreError) -> SessionJournal {
        if let journal, !journal.isGone { return journal }
        forgetLostJournal()
        let scheduler = scheduler
        let opened = try notebook.journal.open { @Sendable [weak self] error in
            scheduler.post { self?.diskFailed("\(error)") }
        }
        journal = opened
        return opened
    }

    /// Handles a disk that failed to keep written data, or a removed journal file: schedules a rewrite of everything.
    ///
    /// Each try waits longer than the last: on a disk that keeps nothing, the tries themselves would fill it.
    private func diskFailed(_ reason: String) {
        guard let journal else { return }
        if journal.isGone { return write() }
        guard rewriting == nil else { return }
        if rewritePause == .zero { syncFailed(reason) }
        rewriting = scheduler.schedule(after: rewritePause) { [weak self] in
            self?.rewriting = nil
            self?.journal?.requireWholeTexts()
            self?.write()
        }
        rewritePause = min(max(rewritePause * 2, .seconds(1)), Self.maximumRewritePause)
    }

    /// Closes a journal whose file was removed, since nobody would find what is written to it.
    ///
    /// The next journal file receives all unsaved texts.
    private func forgetLostJournal() {
        guard let lost = journal else { return }
        journal = nil
        unrecorded.formUnion(sessions.filter { $0.value.session.map { $0.saveState != .saved } ?? false }.keys)
        lost.close()
    }

    // MARK: Edits

    /// Collects an edit for the next `write`.
    ///
    /// - Parameter base: the text that the note's first unsaved edit was made on.
    func record(_ edit: Edit, of session: EditorSession, base: Base) {
        let note = session.noteID
        sessions[note] = OpenSession(session: session)
        guard let journal, !unrecorded.contains(note) else {
            unrecorded.insert(note)
            return
        }
        journal.record(edit, of: note, revision: base.revision, base: base.buffer)
    }

    /// Sets a new base for a note, as after a merge, with its unsaved changes as one edit on that base.
    func rebase(_ session: EditorSession, on base: Base, pending: Edit?) {
        let note = session.noteID
        sessions[note] = OpenSession(session: session)
        guard let journal else {
            unrecorded.insert(note)
            return
        }
        unrecorded.remove(note)
        journal.rebase(note, revision: base.revision, base: base.buffer, pending: pending)
        write(evenIfItFailed: true)
    }

    // MARK: Writing

    /// Writes the collected edits, with one system call.
    ///
    /// Must be called before anything is painted, and also when no frame follows. It is cheap if there is nothing to
    /// write.
    ///
    /// - Parameter evenIfItFailed: whether to try even shortly after a failure.
    func write(evenIfItFailed: Bool = false) {
        guard !unrecorded.isEmpty || isFailing || journal?.hasRecords == true || journal?.isGone == true else { return }
        if !evenIfItFailed, let nextTry, scheduler.now < nextTry { return }
        let started = isFailing ? scheduler.now : nil
        do {
            let journal = try open()
            recordUnrecorded(in: journal)
            let isWhole = try journal.write { [sessions] in sessions[$0]?.session?.buffer }
            copySoon()
            // If nothing is left to write, as after a save, it is not known yet whether the disk accepts data again.
            if isWhole, !journal.hasFailed { outcome(nil) }
        } catch {
            outcome(Sentence.of(error))
            let now = scheduler.now
            nextTry = now + (now - (started ?? now)) * Self.rest
        }
    }

    private func recordUnrecorded(in journal: SessionJournal) {
        for note in unrecorded {
            guard let session = sessions[note]?.session else { continue }
            journal.recordChange(of: note, revision: session.stored.revision, base: session.stored.buffer)
        }
        unrecorded = []
    }

    private func outcome(_ reason: String?) {
        if reason == nil { nextTry = nil }
        guard isFailing != (reason != nil) else { return }
        isFailing = reason != nil
        stateChanged(reason)
    }

    /// Schedules the next piece of a long text to be written, between events.
    private func copySoon() {
        guard copying == nil, journal?.hasCopies == true else { return }
        copying = scheduler.schedule(after: Self.pause) { [weak self] in
            self?.copying = nil
            self?.copyNextPiece()
        }
    }

    private func copyNextPiece() {
        write()
        do {
            try journal?.copyNextPiece()
        } catch {
            outcome(Sentence.of(error))
        }
        if journal?.hasCopies == true { copySoon() } else { write() }
    }

    // MARK: Saving

    /// Writes all edits, and returns the journal's position for a session whose text is about to be saved.
    func saveBegan(of session: EditorSession) -> JournalPosition? {
        write(evenIfItFailed: true)
        return journal?.position(of: session.noteID, on: session.stored.revision)
    }

    /// Records that a note is in the notebook up to a position of the journal.
    func saved(_ note: NoteID, through position: JournalPosition?, as base: Base) {
        guard let position, let journal else { return }
        if position.session == journal.id { return journal.saved(note, through: position, revision: base.revision) }
        // The save began with a journal that was lost; the current one contains the whole text.
        guard sessions[note]?.session?.saveState == .saved, let position = journal.position(of: note) else { return }
        journal.saved(note, through: position, revision: base.revision)
    }

    /// Drops a note that was closed, if it is saved.
    func left(_ note: NoteID) {
        journal?.leave(note)
        if journal?.position(of: note) == nil, !unrecorded.contains(note) { sessions[note] = nil }
    }

    /// Closes the journal; its file is removed if nothing in it is unsaved.
    func close() {
        write(evenIfItFailed: true)
        copying?.cancel()
        rewriting?.cancel()
        finishCopies()
        journal?.close()
        journal = nil
        sessions = [:]
        unrecorded = []
    }

    /// Writes the rest of long texts, which a journal that remains needs.
    private func finishCopies() {
        guard let journal, journal.hasUnsaved else { return }
        do {
            while journal.hasCopies { try journal.copyNextPiece() }
        } catch {
            // Reported before: the text could not be saved either, which the question on leaving the program is about.
            outcome(Sentence.of(error))
        }
    }
}
