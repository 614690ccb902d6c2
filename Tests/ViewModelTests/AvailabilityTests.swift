import Foundation
import NoteStore
import TestSupport
import Testing
import ViewModel

/// Tests when each command is available, and the reason given when it is not.
@MainActor
@Suite(.serialized)
struct AvailabilityTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }

    @Test func `in an empty list nothing can be done to notes`() throws {
        defer { fixture.close() }
        model.start()
        let none = Availability.unavailable("No note is selected")
        for availability in [
            model.canActOnNotes, model.canChangeNotes, model.canRenameNote, model.canRestoreNotes, model.canMergeNotes,
        ] {
            #expect(availability == none)
        }
        #expect(model.canEmptyTrashNow == .unavailable("The Trash is empty"))
        #expect(model.canPaste == .unavailable("Nothing is cut or copied"))
    }

    @Test func `a live note is changed and not restored, one in the Trash the other way round`() throws {
        defer { fixture.close() }
        let note = try fixture.add("A")
        model.start()
        #expect(model.canChangeNotes.isAvailable)
        #expect(model.canRenameNote.isAvailable)
        #expect(model.canRestoreNotes == .unavailable("The note is not in the Trash"))
        #expect(model.canMergeNotes == .unavailable("Mark the notes to merge first"))
        model.moveNoteToTrash([note])
        model.selectContainer(.trash)
        #expect(model.canChangeNotes == .unavailable("Restore the note from the Trash first"))
        #expect(model.canActOnNotes.isAvailable)
        #expect(model.canRestoreNotes.isAvailable)
        #expect(model.canEmptyTrashNow.isAvailable)
        #expect(!model.canAddNote)
    }

    @Test func `several notes are merged, and none of them renamed`() throws {
        defer { fixture.close() }
        for title in ["A", "B"] { try fixture.add(title) }
        model.start()
        model.toggleAllMarks()
        #expect(model.canMergeNotes.isAvailable)
        #expect(model.canRenameNote == .unavailable("Only one note can be renamed at a time"))
        #expect(model.showMultiNoteView)
    }

    @Test func `system folders stay, tags and projects do not move, only projects have templates`() throws {
        defer { fixture.close() }
        model.start()
        #expect(model.canChange(nil) == .unavailable("Choose a folder, project or tag first"))
        #expect(
            model.canChange(model.inboxFolder) == .unavailable("“Inbox” is built in and can't be changed"))
        model.addFolder("Home")
        let folder = try #require(model.selectedContainer)
        #expect(model.canChange(folder).isAvailable)
        #expect(model.canMove(folder).isAvailable)
        #expect(model.canRepairTemplate(of: folder) == .unavailable("Only a project has a template"))
        #expect(model.canRestore(folder) == .unavailable("“Home” is not in the Trash"))
        model.addTag("books")
        #expect(
            model.canMove(model.tags[0]) == .unavailable("Only folders can be moved; “books” is a tag"))
        model.addProject("Poems", type: .poetry)
        #expect(model.canRepairTemplate(of: model.selectedContainer).isAvailable)
        model.folderDelete(folder)
        let trashed = try #require(model.container(folder.id))
        #expect(model.canChange(trashed) == .unavailable("“Home” is in the Trash; restore it first"))
        #expect(model.canRestore(trashed).isAvailable)
    }

    @Test func `what was cut is pasted where notes can be`() throws {
        defer { fixture.close() }
        try fixture.add("A")
        model.start()
        model.cutNotes()
        #expect(model.canPaste.isAvailable)
        model.selectContainer(.allNotes)
        #expect(model.canPaste == .unavailable("“All Notes” cannot hold notes; choose a folder to paste into"))
        model.search(for: "A")
        #expect(model.canPaste == .unavailable("Leave the search to paste"))
    }

    @Test func `names are refused while they are typed: empty, taken, a system folder's`() throws {
        defer { fixture.close() }
        model.start()
        model.addFolder("Home")
        let home = model.selectedContainer
        #expect(model.nameProblem(" ", kind: .folder, in: nil) == "A name cannot be empty")
        #expect(model.nameProblem("HOME", kind: .folder, in: nil) == "This name is already used there")
        #expect(model.nameProblem("inbox", kind: .folder, in: nil) == "This name is already used there")
        #expect(model.nameProblem("Home", kind: .folder, in: home?.id) == nil)
        #expect(model.nameProblem("Home", kind: .folder, in: nil, except: home?.id) == nil)
        #expect(model.nameProblem("Home", kind: .tag, in: nil) == nil)
        model.addTag("Home")
        #expect(model.nameProblem("home", kind: .tag, in: nil) == "A tag with this name already exists")
    }

    // MARK: Many at once

    @Test func `duplicates over several folders, and a restored batch, are each undone as one`() throws {
        defer { fixture.close() }
        let home = try fixture.notebook.folders.create("Home")
        try fixture.add("A")
        try fixture.add("B", folder: home.id)
        model.start()
        model.selectContainer(.allNotes)
        model.toggleAllMarks()
        model.duplicateNotes()
        #expect(model.noteList.count == 4)
        model.undoAction()
        #expect(model.noteList.count == 2)
        model.toggleAllMarks()
        let notes = model.selectedNotes
        model.moveNoteToTrash()
        #expect(model.noteList.count == 0)
        model.restoreNotes(notes)
        #expect(model.noteList.count == 2)
        #expect(model.container(home.id)?.noteCount == 1)
        model.undoAction()
        #expect(model.noteList.count == 0)
        model.undoAction()
        #expect(model.container(home.id)?.noteCount == 1)
    }

    // MARK: The first steps

    @Test func `the welcome note is in the program as it is in Resources`() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let file = tests.deletingLastPathComponent().appending(path: "Resources/welcome.md")
        #expect(try WelcomeNote.text == String(contentsOf: file, encoding: .utf8))
    }

    @Test func `a new notebook is empty until the welcome note is asked for, and has it once`() throws {
        defer { fixture.close() }
        model.start()
        #expect(model.isNew)
        #expect(model.noteList.count == 0)
        model.showWelcome()
        #expect(model.openNote?.title == WelcomeNote.title)
        // The caret is on the first box.
        model.session?.toggleTask()
        #expect(model.session?.text.contains("- [x] Press `Enter`") == true)
        model.session?.undo()
        #expect(model.session?.text == WelcomeNote.text)
        #expect(!model.isNew)
        model.showWelcome()
        #expect(model.inboxFolder?.noteCount == 1)
        model.moveNoteToTrash()
        model.showWelcome()
        #expect(model.inboxFolder?.noteCount == 1)
    }

    @Test func `undo takes the welcome note back`() throws {
        defer { fixture.close() }
        model.start()
        model.showWelcome()
        model.undoAction()
        #expect(model.notice?.text == "Undone: create “Welcome to TakeNote”; it is in the Trash")
        #expect(model.inboxFolder?.noteCount == 0)
    }
}
