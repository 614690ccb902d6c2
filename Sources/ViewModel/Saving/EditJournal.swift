import NoteStore
import TextEditing

/// Writes every edit down before it is seen, so that a program that dies loses nothing that was on the screen.
///
/// Edits are collected while events are handled, and written by one call of the system in `write`, which whoever paints
/// calls before a frame is sent. Nothing waits for a queue or a clock, and nothing is saved, given back to the shell or
/// ended before it is written. The journal file is opened soon after the start.
@MainActor
final class EditJournal {
    /// The text that edits are made on: what the notebook holds.
    struct Base: Sendable {
        var revision: Int64
        var buffer: TextBuffer
    }

    private let notebook: Notebook
    private let scheduler: any MainScheduler
    private let stateChanged: @MainActor @Sendable (String?) -> Void
    private var journal: SessionJournal?
    /// The sessions that have something in the journal: their texts are asked for when a record could not be written.
    private var sessions: [NoteID: OpenSession] = [:]
    /// Notes with edits from before the journal could be opened.
    private var unrecorded: Set<NoteID> = []
    private var isFailing = false
    /// When it fails: not to be tried again before, since each try may write a long text.
    private var nextTry: ContinuousClock.Instant?
    private var copying: ScheduledWork?
    /// Writes all anew after the disk has refused to keep it, and how long the next such try waits.
    private var rewriting: ScheduledWork?
    private var rewritePause = Duration.zero
    private let syncFailed: @MainActor @Sendable (String) -> Void

    private struct OpenSession { weak var session: EditorSession? }

    /// Of the time that passes while writing fails, one part in so many is spent on trying.
    private static let rest = 20
    /// Between two pieces of a long text.
    private static let pause = Duration.milliseconds(1)
    /// The longest wait between two tries to have all written anew by a disk that does not keep it.
    private static let longestRewritePause = Duration.seconds(60)

    /// - Parameters:
    ///   - syncFailed: told the reason, once, when what is written may not outlive a power cut.
    ///   - stateChanged: told the reason when an edit cannot be written down, and nil when that is over.
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

    // MARK: The file

    /// The name of this program among those that use the notebook; opens the journal.
    func owner() throws -> String { try open().id }

    /// Opens the journal, so that the first edit need not wait for it.
    ///
    /// Where it cannot be opened nothing is said: the first edit tries again, and tells.
    func prepare() { _ = try? open() }  // the first edit tries again, and tells

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

    /// The disk has not kept what it had taken, or somebody has removed the file: all is written down anew.
    ///
    /// Each try waits longer than the last: a disk that keeps nothing would be filled by the tries.
    private func diskFailed(_ reason: String) {
        guard let journal else { return }
        if journal.isGone { return write() }
        guard rewriting == nil else { return }
        if rewritePause == .zero { syncFailed(reason) }
        rewriting = scheduler.schedule(after: rewritePause) { [weak self] in
            self?.rewriting = nil
            self?.journal?.needsAllAnew()
            self?.write()
        }
        rewritePause = min(max(rewritePause * 2, .seconds(1)), Self.longestRewritePause)
    }

    /// Lets go of a file that somebody has removed, since nobody would find what is written into it.
    ///
    /// The next file gets all texts that are not saved.
    private func forgetLostJournal() {
        guard let lost = journal else { return }
        journal = nil
        unrecorded.formUnion(sessions.filter { $0.value.session.map { $0.saveState != .saved } ?? false }.keys)
        lost.close()
    }

    // MARK: Edits

    /// Notes an edit, to be written by the next `write`.
    ///
    /// - Parameter base: what the first unsaved edit of the note was made on.
    func record(_ edit: Edit, of session: EditorSession, base: Base) {
        let note = session.noteID
        sessions[note] = OpenSession(session: session)
        guard let journal, !unrecorded.contains(note) else {
            unrecorded.insert(note)
            return
        }
        journal.record(edit, of: note, revision: base.revision, base: base.buffer)
    }

    /// Puts a note on a new base, as after a merge, with what is not saved as one edit of it.
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

    /// Writes what was noted, in one call of the system.
    ///
    /// To be called before anything is painted, and when nothing will be. Costs next to nothing when there is nothing.
    ///
    /// - Parameter evenIfItFailed: tries even where it has failed a moment ago.
    func write(evenIfItFailed: Bool = false) {
        guard !unrecorded.isEmpty || isFailing || journal?.hasRecords == true || journal?.isGone == true else { return }
        if !evenIfItFailed, let nextTry, scheduler.now < nextTry { return }
        let started = isFailing ? scheduler.now : nil
        do {
            let journal = try open()
            recordUnrecorded(in: journal)
            let isWhole = try journal.write { [sessions] in sessions[$0]?.session?.buffer }
            copySoon()
            if isWhole { outcome(nil) }
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

    /// Has a long text written down piece by piece, between one event and the next.
    private func copySoon() {
        guard copying == nil, journal?.hasCopies == true else { return }
        copying = scheduler.schedule(after: Self.pause) { [weak self] in
            self?.copying = nil
            self?.copyOn()
        }
    }

    private func copyOn() {
        write()
        do {
            try journal?.copyOn()
        } catch {
            outcome(Sentence.of(error))
        }
        if journal?.hasCopies == true { copySoon() } else { write() }
    }

    // MARK: Saving

    /// How far the journal has got with a note whose text is about to be saved; everything is written before.
    func saveBegan(of note: NoteID) -> JournalPosition? {
        write(evenIfItFailed: true)
        return journal?.position(of: note)
    }

    /// Takes over that a note is in the notebook up to a position.
    func saved(_ note: NoteID, through position: JournalPosition?, as base: Base) {
        guard let position, let journal else { return }
        if position.session == journal.id { return journal.saved(note, through: position, revision: base.revision) }
        // The save began with a journal that is lost, and the present one has the whole text.
        guard sessions[note]?.session?.saveState == .saved, let position = journal.position(of: note) else { return }
        journal.saved(note, through: position, revision: base.revision)
    }

    /// Forgets a note that was left, if it is saved.
    func left(_ note: NoteID) {
        journal?.leave(note)
        if journal?.position(of: note) == nil, !unrecorded.contains(note) { sessions[note] = nil }
    }

    /// Ends the journal: its file goes when nothing is left in it.
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

    /// Writes the rest of long texts that a journal which stays behind needs.
    private func finishCopies() {
        guard let journal, journal.hasUnsaved else { return }
        do {
            while journal.hasCopies { try journal.copyOn() }
        } catch {
            // Said before: the text could not be saved either, which is what is asked about when the program is left.
            outcome(Sentence.of(error))
        }
    }
}
