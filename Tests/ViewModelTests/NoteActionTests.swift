import NoteStore
import TestSupport
import Testing
import ViewModel

/// Tests every action on notes: when and why (not) it is possible, its effect, and its undo.
@MainActor
@Suite(.serialized)
struct NoteActionTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }
    private var titles: [String] { (0..<model.noteList.count).compactMap { model.noteList[$0]?.title } }

    private func mark(_ count: Int) {
        for index in 0..<count {
            model.moveListCursor(to: index)
            model.toggleMark()
        }
    }

    @Test func `nothing can be done to no note, and that is the reason`() throws {
        defer { fixture.close() }
        model.start()
        for reason in [
            model.canActOnNotes, model.canChangeNotes, model.canRenameNote, model.canRestoreNotes, model.canMergeNotes,
        ].map(\.reason) {
            #expect(reason == "No note is selected")
        }
        model.moveNoteToTrash()
        #expect(model.notice == Notice("No note is selected", kind: .refused))
    }

    @Test func `moving takes the marked notes along, and undo brings them back`() throws {
        defer { fixture.close() }
        let home = try fixture.startWithThreeNotes()
        #expect(model.canChangeNotes.isAvailable)
        mark(2)
        model.onMoveToFolder(home.id)
        #expect(titles == ["C"])
        #expect(model.markedNotes.isEmpty)
        #expect(model.container(home.id)?.noteCount == 2)
        #expect(model.notice?.text == "2 notes moved to Home")
        model.undoAction()
        #expect(titles == ["A", "B", "C"])
        model.redoAction()
        #expect(model.container(home.id)?.noteCount == 2)
    }

    @Test func `moving to a tag, Starred, the Archive or the Trash means what these are`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        model.addTag("books")
        let tag = try #require(model.tags.first)
        model.onMoveToFolder(tag.id)
        #expect(model.noteUnderCursor?.tagNames == ["books"])
        model.onMoveToFolder(.starred)
        #expect(model.noteUnderCursor?.starred == true)
        model.onMoveToFolder(.starred)
        #expect(model.noteUnderCursor?.starred == true)
        #expect(model.notice == Notice("Already starred", kind: .refused))
        model.onMoveToFolder(.archive)
        #expect(model.archiveFolder?.noteCount == 1)
        model.onMoveToFolder(.trash)
        #expect(model.trashFolder?.noteCount == 1)
        #expect(titles == ["C"])
    }

    @Test func `what cannot hold notes refuses them in a sentence`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        model.onMoveToFolder(.allNotes)
        #expect(model.notice?.kind == .refused)
        #expect(model.notice?.text == "Could not move: “All Notes” cannot hold notes; choose a folder")
        #expect(model.errorAlertIsVisible && model.errorAlertMessage == model.notice?.text)
        fixture.scheduler.advance(by: .seconds(5))
        #expect(!model.errorAlertIsVisible && model.notice == nil)
        #expect(titles == ["A", "B", "C"])
    }

    @Test func `archiving hides a note, doing it again brings it back`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        model.noteArchivedToggle()
        #expect(titles == ["B", "C"])
        model.selectContainer(.archive)
        #expect(titles == ["A"])
        #expect(!model.canAddNote)
        model.noteArchivedToggle()
        #expect(titles.isEmpty)
        #expect(model.notice?.text == "“A” unarchived")
        model.undoAction()
        #expect(titles == ["A"])
    }

    @Test func `in the Trash a note can be restored or deleted for ever, and nothing else`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        #expect(model.canRestoreNotes.reason == "The note is not in the Trash")
        model.moveNoteToTrash()
        model.moveNoteToTrash()
        model.selectContainer(.trash)
        #expect(model.trashFolderSelected && !model.canAddNote)
        #expect(model.canChangeNotes.reason == "Restore the note from the Trash first")
        #expect(model.canRestoreNotes.isAvailable)
        model.restoreNotes()
        #expect(model.trashFolder?.noteCount == 1)
        let deletion = try #require(model.deletionForever())
        #expect(deletion.question.text.contains("will be gone"))
        model.perform(deletion)
        #expect(model.trashFolder?.noteCount == 0)
        model.selectContainer(.inbox)
        #expect(titles.count == 2)
    }

    @Test func `what changes while the question about deleting for ever is shown stays`() throws {
        defer { fixture.close() }
        let rows = try ["one", "two", "three"].map { try fixture.add($0) }
        model.start()
        model.moveNoteToTrash(rows)
        model.selectContainer(.trash)
        let trashed = try rows.map { try #require(try model.notebook.notes.row($0.id)) }
        let deletion = try #require(model.deletionForever(of: trashed))
        #expect(deletion.question.text.hasPrefix("3 notes will be gone"))
        // Another program works on two of them before the answer.
        let other = try Notebook.open(model.notebook.path, mode: .command)
        _ = try other.notes.save(trashed[1].id, text: "two, changed", baseRevision: trashed[1].revision)
        try other.trash.restore([trashed[2].id])
        model.perform(deletion)
        #expect(try rows.map { try other.notes.text($0.id) } == [nil, "two, changed", "three"])
        #expect(
            model.notice?.text == "1 note deleted for ever; what has changed since the question is still there")
        try other.close()
    }

    @Test func `a note whose folder is gone for ever comes back to a folder of that name`() throws {
        defer { fixture.close() }
        let home = try fixture.startWithThreeNotes()
        model.onMoveToFolder(home.id)
        model.selectContainer(home.id)
        model.moveNoteToTrash()
        model.folderDelete(home)
        let trashed = try #require(model.container(home.id))
        model.perform(try #require(model.deletionForever(of: trashed)))
        model.selectContainer(.trash)
        model.restoreNotes()
        #expect(model.containers.contains { $0.name == "Home" && !$0.isInTrash && $0.noteCount == 1 })
    }

    @Test func `a note gets a title of its own, and an empty one gives it back to the text`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        let note = try #require(model.noteUnderCursor)
        #expect(model.canRenameNote.isAvailable)
        #expect(model.rename(note, to: "Alpha") == nil)
        #expect(titles == ["Alpha", "B", "C"])
        #expect(model.openNote?.title == "Alpha")
        model.undoAction()
        #expect(titles == ["A", "B", "C"])
        model.redoAction()
        #expect(model.rename(note, to: "") == nil)
        #expect(Set(titles) == ["A", "B", "C"])
        mark(2)
        #expect(model.canRenameNote.reason == "Only one note can be renamed at a time")
    }

    @Test func `in a project two notes cannot have one title, and the reason says so`() throws {
        defer { fixture.close() }
        model.start()
        model.addProject("Poems", type: .poetry)
        let draft = try #require(model.containers.first { $0.name == "Draft" })
        try fixture.add("Ode", folder: draft.id)
        let other = try fixture.add("Elegy", folder: draft.id)
        model.selectContainer(draft.id)
        #expect(model.rename(other, to: "ode")?.contains("already has a note") == true)
    }

    @Test func `cut notes are pasted elsewhere, and undo takes paste and cut back`() throws {
        defer { fixture.close() }
        let home = try fixture.startWithThreeNotes()
        #expect(model.canPaste.reason == "Nothing is cut or copied")
        model.cutNotes()
        #expect(titles == ["B", "C"])
        #expect(model.bufferNotesCount == 1)
        model.selectContainer(.starred)
        #expect(model.canPaste.reason == "“Starred” cannot hold notes; choose a folder to paste into")
        model.selectContainer(home.id)
        #expect(model.canPaste.isAvailable)
        model.pasteNotes()
        #expect(titles == ["A"])
        #expect(model.bufferIsEmpty)
        model.undoAction()
        #expect(model.bufferNotesCount == 1)
        model.undoAction()
        #expect(model.bufferIsEmpty)
        model.selectContainer(.inbox)
        #expect(titles == ["A", "B", "C"])
    }

    @Test func `cut and copied notes are pasted by one action, which one undo takes back`() throws {
        defer { fixture.close() }
        let home = try fixture.startWithThreeNotes()
        model.cutNotes()
        model.copyNotes()
        model.selectContainer(home.id)
        model.pasteNotes()
        #expect(Set(titles) == ["A", "B"])
        model.undoAction()
        #expect(titles.isEmpty)
        #expect(model.bufferNotesCount == 1)
        model.selectContainer(.inbox)
        #expect(titles == ["B", "C"])
    }

    @Test func `copies keep text and star, and can be pasted again`() throws {
        defer { fixture.close() }
        let home = try fixture.startWithThreeNotes()
        model.noteStarredToggle()
        model.copyNotes()
        model.selectContainer(home.id)
        model.pasteNotes()
        model.pasteNotes()
        #expect(titles.count == 2)
        #expect(model.noteList[0]?.starred == true)
        #expect(model.container(.inbox)?.noteCount == 3)
        model.undoAction()
        #expect(titles.count == 1)
    }

    @Test func `pasting into a tag sets the tag`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        model.addTag("books")
        let tag = try #require(model.tags.first)
        model.copyNotes()
        model.selectContainer(tag.id)
        model.pasteNotes()
        #expect(titles == ["A"])
        #expect(model.inboxFolder?.noteCount == 3)
    }

    @Test func `notes that a program cut and never pasted go back when it is gone`() throws {
        defer { fixture.close() }
        let note = try fixture.add("Cut")
        try fixture.notebook.buffer.cut([note.id], owner: "a program that is gone")
        model.start()
        #expect(titles.isEmpty)
        model.moveNotesFromBufferToInbox()
        #expect(titles == ["Cut"])
        #expect(model.bufferIsEmpty)
        #expect(model.notice?.text == "“Cut” had been cut but not pasted; moved back")
    }

    @Test func `a duplicate stands beside its original and is open`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        model.duplicateNotes()
        #expect(model.inboxFolder?.noteCount == 4)
        #expect(model.openNote?.title == "A")
        model.undoAction()
        #expect(titles == ["A", "B", "C"])
    }

    @Test func `marked notes become one, and undo parts them again`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        #expect(model.canMergeNotes.reason == "Mark the notes to merge first")
        mark(2)
        #expect(model.showMultiNoteView && model.canMergeNotes.isAvailable)
        model.mergeNotes()
        #expect(model.session?.text == "A\n\nB")
        #expect(model.inboxFolder?.noteCount == 2)
        model.undoAction()
        #expect(Set(titles) == ["A", "B", "C"])
        #expect(titles.count == 3)
    }

    @Test func `a tag goes on all of the notes, then off all of them, and the marks stay`() throws {
        defer { fixture.close() }
        _ = try fixture.startWithThreeNotes()
        let note = try #require(model.noteUnderCursor)
        #expect(model.tag([note], named: "books") == nil)
        let tag = try #require(model.tags.first)
        mark(2)
        #expect(model.coverage(of: tag.id, on: model.selectedNotes) == .some)
        model.toggleTag(tag, on: model.selectedNotes)
        #expect(model.coverage(of: tag.id, on: model.selectedNotes) == .all)
        #expect(model.markedNotes.count == 2)
        model.toggleTag(tag, on: model.selectedNotes)
        #expect(model.coverage(of: tag.id, on: model.selectedNotes) == .none)
        model.undoAction()
        #expect(model.coverage(of: tag.id, on: model.selectedNotes) == .all)
        #expect(model.tag(model.selectedNotes, named: "  ") == "a name cannot be empty")
    }
}
