import Dispatch
import NoteStore
import Synchronization
import TextEditing

/// Writes every edit down the moment it is made, so that a program that dies loses nothing that was on the screen.
///
/// Journaling runs on a queue of its own, in the order of the edits: no key waits for the disk, and an edit is in the
/// system's hands well within the time that it takes to be seen. The journal file is opened soon after the start.
@MainActor
final class EditJournal {
    /// The text that edits are made on: what the notebook holds.
    struct Base: Sendable {
        var revision: Int64
        var buffer: TextBuffer
    }

    private let queue = DispatchQueue(label: "tn.journal", qos: .userInteractive)
    private let writer: JournalWriter
    private let scheduler: any MainScheduler
    private let stateChanged: @MainActor @Sendable (String?) -> Void

    /// - Parameter stateChanged: told the reason when an edit cannot be written down, and nil when that is over.
    init(
        notebook: Notebook, scheduler: any MainScheduler,
        stateChanged: @escaping @MainActor @Sendable (String?) -> Void
    ) {
        writer = JournalWriter(notebook: notebook)
        self.scheduler = scheduler
        self.stateChanged = stateChanged
    }

    /// The name of this program among those that use the notebook; opens the journal.
    func owner() throws -> String {
        try queue.sync { try writer.journal().id }
    }

    /// Opens the journal, so that the first edit need not wait for it.
    ///
    /// Where it cannot be opened nothing is said: the first edit tries again, and tells.
    func prepare() {
        let writer = writer
        queue.async { @Sendable in _ = try? writer.journal() }  // the first edit tries again, and tells
    }

    /// Writes an edit down.
    ///
    /// - Parameter base: what the first unsaved edit of the note was made on.
    func record(_ edit: Edit, of note: NoteID, base: Base) {
        write { try $0.record(edit, of: note, base: base) }
    }

    /// Notes that what was written down of a note so far is in the text that is being saved now.
    func saveBegan(of note: NoteID) {
        write { $0.mark(note) }
    }

    /// Forgets what is saved.
    func saved(_ note: NoteID, as base: Base) {
        write { try $0.trim(note, to: base) }
    }

    /// Forgets a note that was left, if it is saved.
    func left(_ note: NoteID) {
        write { try $0.leave(note) }
    }

    /// Puts a note on a new base, as after a merge, with what is not saved as one edit of it.
    func rebase(_ note: NoteID, on base: Base, pending: Edit?) {
        write { try $0.rebase(note, on: base, pending: pending) }
    }

    /// Returns when everything is written down.
    func flush() {
        queue.sync {}
    }

    /// Ends the journal: its file goes when nothing is left in it.
    func close() {
        write { try $0.close() }
        flush()
    }

    private func write(_ body: @escaping @Sendable (JournalWriter) throws -> Void) {
        let (writer, scheduler, stateChanged) = (writer, scheduler, stateChanged)
        queue.async { @Sendable in
            var reason: String?
            do { try body(writer) } catch { reason = Sentence.of(error) }
            guard writer.noteOutcome(failed: reason != nil) else { return }
            scheduler.post { [reason] in stateChanged(reason) }
        }
    }
}

/// The journal file and how far each note has got in it; used on the journal's queue only, which the lock guards.
private final class JournalWriter: Sendable {
    private struct State {
        var journal: SessionJournal?
        /// The number of each note's last edit, of the last one that is being saved, and of the last that is saved.
        var last: [NoteID: Int64] = [:]
        var marks: [NoteID: Int64] = [:]
        var saved: [NoteID: Int64] = [:]
        var isFailing = false
    }

    private let notebook: Notebook
    private let state = Mutex(State())

    init(notebook: Notebook) {
        self.notebook = notebook
    }

    /// Notes how the last writing went.
    ///
    /// - Returns: whether that is news.
    func noteOutcome(failed: Bool) -> Bool {
        state.withLock { state in
            defer { state.isFailing = failed }
            return state.isFailing != failed
        }
    }

    func journal() throws -> SessionJournal {
        if let journal = state.withLock({ $0.journal }) { return journal }
        let journal = try notebook.openJournal()
        state.withLock { $0.journal = journal }
        return journal
    }

    func record(_ edit: Edit, of note: NoteID, base: EditJournal.Base) throws {
        let number = try journal().record(edit, of: note, revision: base.revision) { base.buffer.string() }
        state.withLock { $0.last[note] = number }
    }

    func mark(_ note: NoteID) {
        state.withLock { $0.marks[note] = $0.last[note] }
    }

    func trim(_ note: NoteID, to base: EditJournal.Base) throws {
        let mark = state.withLock { state in
            let mark = state.marks.removeValue(forKey: note)
            if let mark { state.saved[note] = mark }
            return mark
        }
        guard let mark else { return }
        try journal().trim(note, through: mark, revision: base.revision) { base.buffer.string() }
    }

    /// Forgets a note all of whose edits are saved.
    func leave(_ note: NoteID) throws {
        let isSaved = state.withLock { state in
            guard state.marks[note] == nil, let last = state.last[note], state.saved[note] == last else { return false }
            state.last[note] = nil
            state.saved[note] = nil
            return true
        }
        if isSaved { try journal().discard(note) }
    }

    func rebase(_ note: NoteID, on base: EditJournal.Base, pending: Edit?) throws {
        let number = try journal().rebase(note, revision: base.revision, text: base.buffer.string(), pending: pending)
        state.withLock {
            $0.marks[note] = nil
            $0.last[note] = number
        }
    }

    func close() throws {
        try state.withLock { $0.journal }?.close()
        state.withLock { $0 = State() }
    }
}
