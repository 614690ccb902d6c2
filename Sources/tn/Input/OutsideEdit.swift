import Foundation
import NoteStore

/// A note that is edited in another program: each save of the file there is a save of the note here.
///
/// A change that the notebook got meanwhile is merged three ways; what cannot be merged becomes a note of its own,
/// which the editor then goes on with.
struct OutsideEdit {
    private let notebook: Notebook
    private let draft: Draft
    private var note: NoteID
    /// The text that the file had when it was last taken in, and the revision of the note that has exactly this text;
    /// -1 once the note has more than this text, so that every later save is merged.
    private var base: String
    private var revision: Int64
    private var seen: Stamp
    private var hasKeptVersion = false
    /// The note that took what could not be merged, or all of it once the edited note was deleted for ever.
    private var copy: NoteRow?
    private var isNoteGone = false

    /// Another note that has what was written.
    struct Copy {
        let note: NoteRow
        /// Whether the edited note was deleted for ever meanwhile; else it was changed elsewhere in the same words.
        let isNoteGone: Bool
    }

    /// How a file looks from outside.
    private struct Stamp: Equatable {
        var inode: UInt64 = 0
        var size = 0
        var seconds = 0
        var nanoseconds = 0

        init(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return }
            inode = UInt64(status.st_ino)
            size = Int(status.st_size)
            #if canImport(Darwin)
            let time = status.st_mtimespec
            #else
            let time = status.st_mtim
            #endif
            (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec)
        }
    }

    /// Lets the user edit a note in an editor until they leave it.
    ///
    /// The editor is waited for whatever becomes of the note: it has the terminal.
    ///
    /// - Returns: the other note that took what was written, if there is one.
    /// - Throws: `Failure` that names the file with the text where it cannot be taken in.
    static func run(_ row: NoteRow, in notebook: Notebook, with editor: EditorProgram) throws -> Copy? {
        guard row.place != .trash else { throw StoreError.inTrash(name: row.title) }
        guard let note = try notebook.notes.load(row.id) else { throw StoreError.noSuchNote(row.id) }
        let draft = try Draft(of: note, database: notebook.path)
        var edit = OutsideEdit(notebook, draft, note: note.id, base: note.content, revision: note.row.revision)
        var failure: (any Error)?
        do { try editor.edit(draft.path) { edit.takeInIfSettled() } } catch { failure = error }
        do {
            try edit.takeIn()
        } catch {
            throw Failure.editorsTextKept(Failure(error), in: draft.path)
        }
        draft.remove()
        if let failure { throw failure }
        return edit.copy.map { Copy(note: $0, isNoteGone: edit.isNoteGone) }
    }

    private init(_ notebook: Notebook, _ draft: Draft, note: NoteID, base: String, revision: Int64) {
        self.notebook = notebook
        self.draft = draft
        self.note = note
        self.base = base
        self.revision = revision
        seen = Stamp(draft.path)
        pending = seen
    }

    /// What the file looked like at the last look; it is read when it has stayed so, and not half written.
    private var pending: Stamp

    /// Saves what was saved there.
    ///
    /// What cannot be taken in, for now or ever (a full disk, a text that is not UTF-8), does not end the editing: the
    /// editor may save again, and the file is looked at once more when it has ended.
    private mutating func takeInIfSettled() {
        let now = Stamp(draft.path)
        defer { pending = now }
        guard now != seen, now == pending, now.inode != 0 else { return }
        seen = now
        do {
            try takeIn()
        } catch StoreError.busy {
            // Tried again at the next look.
            seen.nanoseconds = -1
        } catch {
            // Told at the end, if it is not over by then.
        }
    }

    /// Saves what the file has now.
    private mutating func takeIn() throws {
        let text = try draft.text()
        let isThere = try notebook.notes.row(note) != nil
        // Many editors end the last line by themselves. What was written here and saved before the note was deleted for
        // ever is in no note any more.
        let isNew = !text.hasSameBytes(as: base) && !text.hasSameBytes(as: base + "\n")
        guard isNew || !isThere && hasKeptVersion else { return }
        guard isThere else {
            // The note was deleted for ever meanwhile: the text is a note of its own.
            let row = try notebook.notes.create(NewNote(text: text))
            (note, revision, copy, base, isNoteGone) = (row.id, row.revision, row, text, true)
            return
        }
        if !hasKeptVersion {
            try notebook.versions.keep(of: note, reason: .outside)
            hasKeptVersion = true
        }
        switch try notebook.notes.save(note, text: text, baseRevision: revision, base: base) {
        case .saved(let row): revision = row.revision
        case .merged: revision = -1
        case .conflict(_, _, let other): (note, revision, copy) = (other.id, other.revision, other)
        }
        base = text
    }

    // MARK: After a crash

    /// Takes in the drafts of programs that died, and tells which notes have them now.
    ///
    /// A draft that cannot be taken in now stays for the next start.
    @discardableResult
    static func takeInLeftOvers(in notebook: Notebook) -> [NoteRow] {
        var rows: [NoteRow] = []
        for draft in Draft.leftOver(database: notebook.path) {
            do {
                if let row = try takeIn(draft, in: notebook) { rows.append(row) }
                draft.remove()
            } catch {
                // It is of no concern to the command that found it; tn doctor tells of it.
            }
        }
        return rows
    }

    private static func takeIn(_ draft: Draft, in notebook: Notebook) throws -> NoteRow? {
        let (text, base) = (try draft.text(), try draft.base())
        guard !text.hasSameBytes(as: base), !text.hasSameBytes(as: base + "\n"), !text.isBlank else { return nil }
        guard let id = draft.about.note, let row = try notebook.notes.row(id) else {
            return try notebook.notes.create(NewNote(text: text))
        }
        var edit = OutsideEdit(notebook, draft, note: id, base: base, revision: draft.about.revision)
        // What was taken in already before the crash is not taken in twice.
        guard try notebook.notes.text(id)?.hasSameBytes(as: text) != true else { return nil }
        try edit.takeIn()
        return edit.copy ?? row
    }
}
