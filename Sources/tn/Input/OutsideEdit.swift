import Foundation
import NoteStore

/// A note that is being edited in another program: each save of the file there saves the note here.
///
/// A concurrent change in the notebook is merged three ways. If the merge fails, the text becomes a new note, which the
/// editor then continues with.
struct OutsideEdit {
    private let notebook: Notebook
    private let draft: Draft
    private var note: NoteID
    /// The file's text when it was last imported, and the revision of the note with exactly this text; -1 once the note
    /// has more than this text, so that every later save is merged.
    private var base: String
    private var revision: Int64
    private var seen: Stamp
    /// The file's stamp before the editor ran.
    private let made: Stamp
    private var hasKeptVersion = false
    /// The note that received text that could not be merged, or the text of a note that was removed permanently.
    private var copy: NoteRow?
    private var isNoteGone = false

    /// Another note that contains the edited text.
    struct Copy {
        let note: NoteRow
        /// Whether the edited note was removed permanently meanwhile; if not, the same words were changed elsewhere.
        let isNoteGone: Bool
    }

    /// The result of an edit.
    struct Outcome {
        /// The other note that received the text, if there is one.
        var copy: Copy?
        /// The file that may still be saved after the editor has returned; a later command takes in what is.
        var file: OpenFile?
    }

    /// A file that may still be saved after the editor has returned.
    enum OpenFile {
        /// A process of the editor goes on in the background.
        case inBackground(String)
        /// The editor may have handed it to another program, which nobody can see.
        case handedOver(String)
    }

    /// The identity, size and modification time of a file.
    private struct Stamp: Equatable {
        var inode: UInt64 = 0
        var size = 0
        /// The time of the last change in nanoseconds since 1970.
        var modified = 0

        init(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return }
            inode = UInt64(status.st_ino)
            size = Int(status.st_size)
            modified = status.modified
        }
    }

    /// Lets the user edit a note in an editor until they leave it.
    ///
    /// The function waits for the editor whatever happens to the note, because the editor has the terminal.
    ///
    /// - Throws: `Failure` that names the file with the text if it cannot be imported.
    static func run(_ row: NoteRow, in notebook: Notebook, with editor: EditorProgram) throws -> Outcome {
        guard row.place != .trash else { throw StoreError.inTrash(name: row.title) }
        guard let note = try notebook.notes.load(row.id) else { throw StoreError.noSuchNote(row.id) }
        let draft = try Draft(of: note, database: notebook.path)
        try? draft.sync()  // a file system that cannot be synced keeps nobody from writing
        var edit = OutsideEdit(notebook, draft, note: note.id, base: note.content, revision: note.row.revision)
        var failure: (any Error)?
        var isHandedOver = false
        do { isHandedOver = try editor.edit(draft.path) { edit.importIfSettled() } } catch { failure = error }
        do {
            try edit.importText()
        } catch {
            throw Failure.editorsTextKept(Failure(error), in: draft.path)
        }
        // An editor that has written the file is done with it.
        let file = try openFile(draft, isHandedOver: isHandedOver && Stamp(draft.path) == edit.made)
        if file == nil { draft.remove() }
        if let failure { throw failure }
        return Outcome(copy: edit.copy.map { Copy(note: $0, isNoteGone: edit.isNoteGone) }, file: file)
    }

    /// Keeps a draft that may still be saved although the editor has ended.
    ///
    /// - Parameter isHandedOver: whether the editor may have handed it to another program.
    static func openFile(_ draft: Draft, isHandedOver: Bool) throws -> OpenFile? {
        if draft.isHeldElsewhere() { return .inBackground(draft.path) }
        guard isHandedOver, draft.hasText else { return nil }
        try draft.handOver()
        return .handedOver(draft.path)
    }

    private init(_ notebook: Notebook, _ draft: Draft, note: NoteID, base: String, revision: Int64) {
        self.notebook = notebook
        self.draft = draft
        self.note = note
        self.base = base
        self.revision = revision
        made = Stamp(draft.path)
        (seen, pending) = (made, made)
    }

    /// The file's stamp at the last check; the file is read once its stamp is unchanged, so that it is not half
    /// written.
    private var pending: Stamp

    /// Imports the file if it has changed and is no longer being written.
    ///
    /// A file without text counts only when the editor has ended: many programs empty it before they write it, and on a
    /// busy machine any time may pass between the two.
    ///
    /// A text that cannot be imported, for now or at all (a full disk, a text that is not UTF-8), does not end the
    /// editing: the editor may save again, and the file is checked again when the editor has ended.
    private mutating func importIfSettled() {
        let now = Stamp(draft.path)
        defer { pending = now }
        guard now != seen, now == pending, now.inode != 0, now.size > 0 else { return }
        seen = now
        do {
            try importText()
        } catch StoreError.busy {
            // It is tried again at the next check.
            seen.modified = -1
        } catch {
            // It is reported at the end, if the problem persists.
        }
    }

    /// Saves the file's present text in the notebook; a file that the editor has removed leaves the note as it is.
    private mutating func importText() throws {
        guard draft.hasText else { return }
        let text = try draft.text()
        let isThere = try notebook.notes.row(note) != nil
        // Many editors add a line end to the last line. If a text was saved from here and the note was then removed
        // permanently, no note has the text any more.
        let isNew = !text.hasSameBytes(as: base) && !text.hasSameBytes(as: base + "\n")
        guard isNew || !isThere && hasKeptVersion else { return }
        guard isThere else {
            // The note was removed permanently meanwhile: the text becomes a new note.
            let row = try notebook.notes.create(NewNote(text: text, sources: [note]))
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
        // As in the window, typed text never disappears with its note.
        if try notebook.notes.row(note)?.place == .trash { try notebook.trash.restore([note]) }
    }

    // MARK: After a crash

    /// Imports the drafts of programs that died, and returns the notes that have their texts now.
    ///
    /// A draft that cannot be imported now waits for the next start.
    ///
    /// - Returns: the notes, each with whether it was made for the text because the draft belonged to no note.
    @discardableResult
    static func importLeftoverDrafts(in notebook: Notebook) -> [(note: NoteRow, isNew: Bool)] {
        var rows: [(note: NoteRow, isNew: Bool)] = []
        for draft in Draft.leftOver(database: notebook.path) {
            do {
                let isNew = draft.about.note == nil && !draft.isHandedOver
                if let row = try importDraft(draft, in: notebook) { rows.append((row, isNew)) }
                if !draft.isHandedOver { draft.remove() }
            } catch {
                // The problem does not concern the command that found the draft; tn doctor reports it.
            }
        }
        return rows
    }

    /// Saves the text of a draft in its note, or in a new one.
    ///
    /// - Returns: the note that has the text now; nil if nothing had to be saved.
    private static func importDraft(_ draft: Draft, in notebook: Notebook) throws -> NoteRow? {
        guard draft.hasText else { return nil }
        let (text, base) = (try draft.text(), try draft.base())
        guard !text.hasSameBytes(as: base), !text.hasSameBytes(as: base + "\n"), !text.isBlank else { return nil }
        let (about, made) = (draft.about, try noteMade(of: draft, in: notebook))
        if let made, try notebook.versions.has(text, of: made.id) {
            if draft.isHandedOver { try draft.handOver(with: text, in: (made.id, -1)) }
            return nil
        }
        if let addition = about.addition, try isAdded(text, addition, in: notebook) { return nil }
        guard let row = try about.note.flatMap({ try notebook.notes.row($0) }) ?? made else {
            let title = about.addition.map { Texts.titleOfAddition($0.title) }
            let sources = [about.note, about.addition?.note].compactMap(\.self)
            let row = try notebook.notes.create(
                NewNote(text: text, title: title, id: about.becoming ?? NoteID(), sources: sources))
            if draft.isHandedOver { try draft.handOver(with: text, in: (row.id, row.revision)) }
            return row
        }
        let id = row.id
        var edit = OutsideEdit(notebook, draft, note: id, base: base, revision: id == about.note ? about.revision : -1)
        // A text that was already imported before the crash is not imported again.
        guard try notebook.notes.text(id)?.hasSameBytes(as: text) != true else { return nil }
        try edit.importText()
        // The other program may save it again.
        if draft.isHandedOver { try draft.handOver(with: text, in: (edit.note, edit.revision)) }
        return edit.copy ?? row
    }

    /// The note that was made of a draft's text by a program that was killed before it removed the draft.
    private static func noteMade(of draft: Draft, in notebook: Notebook) throws -> NoteRow? {
        guard let id = draft.about.becoming, draft.about.note != id else { return nil }
        return try notebook.notes.row(id)
    }

    /// Whether a text was added to its note by a program that was killed before it removed the draft.
    private static func isAdded(_ text: String, _ addition: Draft.Addition, in notebook: Notebook) throws -> Bool {
        guard let note = addition.note, let revision = addition.revision, let row = try notebook.notes.row(note),
            row.revision > revision
        else { return false }
        let now = try notebook.notes.text(note) ?? ""
        return now.hasSuffix(text) || now.hasSuffix(text + "\n")
    }
}

extension Notebook.Versions {
    /// Whether a note has a text now, or had it before.
    fileprivate func has(_ text: String, of note: NoteID) throws -> Bool {
        if try notebook.notes.text(note)?.hasSameBytes(as: text) == true { return true }
        return try all(of: note).contains { try self.text(of: note, version: $0.number).hasSameBytes(as: text) }
    }
}

extension SaveOutcome {
    /// The note beside that has our text, if it could not be merged with another change.
    var copy: OutsideEdit.Copy? {
        guard case .conflict(_, _, let copy) = self else { return nil }
        return OutsideEdit.Copy(note: copy, isNoteGone: false)
    }
}
