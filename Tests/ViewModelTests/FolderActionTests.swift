import NoteStore
import TestSupport
import Testing
import ViewModel

/// Tests every action on folders, projects and tags: when and why (not) it is possible, its effect, and its undo.
@MainActor
@Suite(.serialized)
struct FolderActionTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
        fixture.model.start()
    }

    private var model: TakeNoteVM { fixture.model }

    /// Returns the container with a name; one outside the Trash is preferred.
    private func container(_ name: String) throws -> NoteContainer {
        let named = model.containers.filter { $0.name == name }
        return try #require(named.first { !$0.isInTrash } ?? named.first)
    }

    private var sidebar: [String] { model.sidebarRows.map(\.title) }

    @Test func `a folder is made where one is selected, shown and selected`() throws {
        defer { fixture.close() }
        #expect(model.parentOfNewFolder == nil)
        #expect(model.addFolder("Home") == nil)
        #expect(model.selectedContainer?.name == "Home")
        #expect(model.addFolder("Garden", in: model.parentOfNewFolder?.id) == nil)
        #expect(model.path(of: try container("Garden").id) == ["Home", "Garden"])
        #expect(sidebar.suffix(3) == ["Folders", "Home", "Garden"])
        model.undoAction()
        #expect(!sidebar.contains("Garden"))
        #expect(model.selectedContainer?.name == "Home")
        model.undoAction()
        #expect(model.selectedContainer?.isInbox == true)
    }

    @Test func `a bad name is refused as it is typed, and by the notebook`() throws {
        defer { fixture.close() }
        model.addFolder("Home")
        #expect(model.nameProblem("  ", kind: .folder, in: nil) == "A name cannot be empty")
        #expect(model.nameProblem("HOME ", kind: .folder, in: nil) == "This name is already used there")
        #expect(model.nameProblem("inbox", kind: .project, in: nil) != nil)
        #expect(model.nameProblem("home", kind: .tag, in: nil) == nil)
        let home = try container("Home")
        #expect(model.nameProblem("home", kind: .folder, in: nil, except: home.id) == nil)
        #expect(model.addFolder("home") == "“home” is already used; choose another name")
        #expect(model.addFolder("") == "a name cannot be empty")
    }

    @Test func `names are compared as the notebook compares them`() throws {
        defer { fixture.close() }
        model.addFolder("Stra\u{DF}e Caf\u{E9}")
        let same = "STRASSE CAFE\u{301}"
        #expect(model.nameProblem(same, kind: .folder, in: nil) == "This name is already used there")
        #expect(model.addFolder(same) != nil)
        let other = "Stra\u{DF}e  Caf\u{E9}"
        #expect(model.nameProblem(other, kind: .folder, in: nil) == nil)
        #expect(model.addFolder(other) == nil)
    }

    @Test func `the system folders stay as they are, and the reason names them`() throws {
        defer { fixture.close() }
        let reason = "“Inbox” is built in and can't be changed"
        #expect(model.canChange(model.inboxFolder).reason == reason)
        #expect(model.canMove(model.inboxFolder).reason == reason)
        #expect(!model.canRenameSelectedContainer)
        #expect(model.canChange(nil).reason == "Choose a folder, project or tag first")
    }

    @Test func `renaming keeps the folder selected, and undo gives the old name back`() throws {
        defer { fixture.close() }
        model.addFolder("Home")
        #expect(model.canRenameSelectedContainer)
        #expect(model.rename(try container("Home"), to: "House") == nil)
        #expect(model.navigationTitle == "House")
        #expect(model.rename(try container("House"), to: "inbox") != nil)
        model.undoAction()
        #expect(model.navigationTitle == "Home")
    }

    @Test func `a folder moves into another but never into itself`() throws {
        defer { fixture.close() }
        model.addFolder("Home")
        let home = try container("Home")
        model.addFolder("Garden", in: home.id)
        model.addFolder("Work")
        let (garden, work) = (try container("Garden"), try container("Work"))
        #expect(model.canMove(home).isAvailable)
        #expect(model.destinations(of: home).map(\.name) == ["Work"])
        model.move(home, to: work.id)
        #expect(model.path(of: garden.id) == ["Work", "Home", "Garden"])
        model.move(work, to: garden.id)
        #expect(model.notice?.text == "Could not move “Work”: “Work” cannot be moved into itself")
        model.undoAction()
        #expect(model.path(of: garden.id) == ["Home", "Garden"])
        model.move(garden, to: nil)
        #expect(model.path(of: garden.id) == ["Garden"])
        model.addTag("books")
        #expect(model.canMove(model.tags.first).reason == "Only folders can be moved; “books” is a tag")
    }

    @Test func `a colour is given and taken back`() throws {
        defer { fixture.close() }
        model.addTag("books")
        let tag = try #require(model.tags.first)
        model.setColor(tag, 0x00FF_00FF)
        #expect(model.tags.first?.colorRGBA == 0x00FF_00FF)
        model.undoAction()
        #expect(model.tags.first?.colorRGBA == NoteContainer.defaultColor)
    }

    @Test func `a project comes with its folders, and a template can be repaired`() throws {
        defer { fixture.close() }
        #expect(model.addProject("Poems", type: .poetry, details: "Odes") == nil)
        let poems = try container("Poems")
        #expect(model.selectedContainer?.id == poems.id && !model.canAddNote)
        #expect(poems.details == "Odes" && poems.projectType == .poetry)
        #expect(sidebar.suffix(4) == ["Projects", "Poems", "Your Poetry", "Publications"])
        model.folderDelete(try container("Draft"))
        #expect(model.canRepairTemplate(of: poems).isAvailable)
        model.repairTemplate(of: poems)
        #expect(model.notice?.text == "Created again: Draft")
        model.setDetails(poems, "Sonnets")
        #expect(try container("Poems").details == "Sonnets")
        #expect(model.canRepairTemplate(of: try container("Draft")).reason == "Only a project has a template")
    }

    @Test func `a folder goes to the Trash with all below, comes back, or goes for ever`() throws {
        defer { fixture.close() }
        model.addFolder("Home")
        let home = try container("Home")
        model.addFolder("Garden", in: home.id)
        let roses = try fixture.add("Roses", folder: try container("Garden").id)
        model.selectContainer(.inbox)
        model.selectContainer(home.id)
        model.folderInit()
        #expect(
            model.deletionQuestion(home).text == "1 note and 1 folder in it will go along, and can be restored.")
        model.folderDelete(home)
        #expect(model.selectedContainer?.isInbox == true)
        #expect(!sidebar.contains("Home"))
        #expect(model.canEmptyTrash)
        model.setExpanded(.container(.trash), true)
        #expect(sidebar.contains("Home"))
        var trashed = try container("Home")
        #expect(model.canChange(trashed).reason == "“Home” is in the Trash; restore it first")
        #expect(model.canRestore(trashed).isAvailable)
        #expect(model.canRestore(model.inboxFolder).reason == "Choose a folder in the Trash first")
        model.restore(trashed)
        #expect(model.path(of: try container("Garden").id) == ["Home", "Garden"])
        model.undoAction()
        model.redoAction()
        model.folderDelete(try container("Home"))
        trashed = try container("Home")
        // Another program changes the note while the question is shown: it stays, with its folders.
        let early = try #require(model.deletionForever(of: trashed))
        #expect(early.question.accept == "Delete for ever")
        #expect(early.question.text == "1 note and 1 folder in it will be gone; this cannot be undone.")
        let row = try #require(try fixture.notebook.notes.row(roses.id))
        _ = try fixture.notebook.notes.save(row.id, text: "Red roses", baseRevision: row.revision, base: "Roses")
        model.perform(early)
        #expect(try fixture.notebook.notes.text(roses.id) == "Red roses")
        #expect(sidebar.contains("Garden"))
        #expect(model.notice?.text.hasPrefix("No note deleted for ever; what has changed") == true)
        model.perform(try #require(model.deletionForever(of: trashed)))
        #expect(!model.containers.contains { $0.name == "Home" || $0.name == "Garden" })
        #expect(!model.canEmptyTrash)
    }

    @Test func `a deleted tag is taken from its notes, and undo puts it back on them`() throws {
        defer { fixture.close() }
        let note = try fixture.add("Reading list")
        model.addTag("books")
        let tag = try #require(model.tags.first)
        #expect(model.tag([note], named: "Books") == nil)
        #expect(model.tags.count == 1)
        model.selectContainer(tag.id)
        let counted = try #require(model.tags.first)
        #expect(model.deletionQuestion(counted).text == "1 note will lose it and stay.")
        model.onTagDelete(tag.id)
        #expect(model.tags.isEmpty)
        #expect(model.selectedContainer?.isInbox == true)
        #expect(model.noteUnderCursor?.tagNames == [])
        model.undoAction()
        #expect(model.noteUnderCursor?.tagNames == ["books"])
    }

    @Test func `a deleted tag that stays for the tags below it says so, and promises no undo`() throws {
        defer { fixture.close() }
        let note = try fixture.add("Rome")
        #expect(model.tag([note], named: "travel/italy") == nil)
        let travel = try #require(model.tags.first { $0.name == "travel" })
        model.onTagDelete(travel.id)
        #expect(model.notice?.text == "No note has #travel by itself now; it stays for the tags below it")
        #expect(model.tags.map(\.name) == ["travel", "travel/italy"])
    }

    @Test func `emptying the Trash asks with counts, and removes what is there`() throws {
        defer { fixture.close() }
        #expect(model.canEmptyTrashNow.reason == "The Trash is empty")
        model.showEmptyTrashAlert()
        #expect(!model.emptyTrashAlertIsPresented)
        let notes = try [fixture.add("One"), fixture.add("Two")]
        model.addFolder("Home")
        model.folderDelete(try container("Home"))
        model.moveNoteToTrash(notes)
        #expect(model.canEmptyTrashNow.isAvailable)
        model.showEmptyTrashAlert()
        #expect(model.emptyTrashAlertIsPresented)
        #expect(model.emptyTrashQuestion?.text.hasPrefix("2 notes and 1 folder will be gone") == true)
        model.emptyTrash()
        #expect(!model.emptyTrashAlertIsPresented && !model.canEmptyTrash)
        #expect(model.trashFolder?.noteCount == 0)
        #expect(model.notice?.text == "Trash emptied: 2 notes and 1 folder")
    }

    // MARK: Undo, and paths

    @Test func `undo of a deleted folder selects it again`() throws {
        defer { fixture.close() }
        let home = try fixture.notebook.folders.create("Home")
        let garden = try fixture.notebook.folders.create("Garden", in: home.id)
        try fixture.add("Roses", folder: garden.id)
        model.start()
        model.selectContainer(garden.id)
        model.folderDelete(garden)
        #expect(model.selectedContainer?.name == "Home")
        model.undoAction()
        #expect(model.selectedContainer?.id == garden.id)
        #expect(model.openNote?.title == "Roses")
        #expect(model.sidebarRows.contains { $0.container?.id == garden.id })
    }

    @Test func `the filter of a folder that goes is not that of the folder above`() throws {
        defer { fixture.close() }
        let home = try fixture.notebook.folders.create("Home")
        let garden = try fixture.notebook.folders.create("Garden", in: home.id)
        try fixture.add("Chairs", folder: home.id)
        let roses = try fixture.add("Roses", folder: garden.id)
        model.start()
        model.addTag("books")
        #expect(model.tag([roses], named: "books") == nil)
        model.selectContainer(garden.id)
        model.filterByTag(try #require(model.tags.first).id)
        model.folderDelete(garden)
        #expect(model.selectedContainer?.id == home.id && model.tagFilter == nil)
        #expect(model.noteList.count == 1 && model.openNote?.title == "Chairs")
    }

    @Test func `undoing the folder that is selected leaves the Inbox with its own counts`() throws {
        defer { fixture.close() }
        try fixture.add("One two three")
        model.start()
        model.addFolder("Home")
        try fixture.add("four five", folder: try #require(model.selectedContainer).id)
        model.readOutsideChanges()
        #expect(fixture.scheduler.run { model.containerWordCount == 2 })
        model.undoAction()
        #expect(model.selectedContainer?.id == .inbox)
        #expect(model.noteList.count == model.inboxFolder?.noteCount)
        #expect(model.containerWordCount == nil)
        #expect(model.navigationTitle == "Inbox")
        #expect(model.openNote?.title == "One two three")
    }

    @Test func `merging three notes is undone as a merge of three`() throws {
        defer { fixture.close() }
        for title in ["A", "B", "C"] { try fixture.add(title) }
        model.start()
        model.toggleAllMarks()
        model.mergeNotes()
        model.undoAction()
        #expect(model.notice?.text == "Undone: merge 3 notes")
    }

    @Test func `a path makes the folders on the way that are missing, as one action`() throws {
        defer { fixture.close() }
        let work = try fixture.notebook.folders.create("Work")
        model.start()
        #expect(model.addFolder("work/Plans/2027") == nil)
        #expect(model.path(of: try #require(model.selectedContainer).id) == ["Work", "Plans", "2027"])
        #expect(model.containers.count { $0.parent == work.id } == 1)
        model.undoAction()
        #expect(model.containers.count { $0.parent == work.id } == 0)
        #expect(model.addFolder("Plans", in: work.id) == nil)
        #expect(model.addFolder("2026/A\\/B", in: work.id) == nil)
        #expect(model.path(of: try #require(model.selectedContainer).id) == ["Work", "2026", "A/B"])
        #expect(model.addFolder("Work/Plans") == "“Plans” is already used in Work; choose another name")
    }

    @Test func `what speaks against a path is reported while it is typed`() throws {
        defer { fixture.close() }
        try fixture.notebook.projects.create("Poems", type: .poetry)
        try fixture.notebook.folders.create("Plans", in: try fixture.notebook.folders.create("Work").id)
        model.start()
        #expect(model.nameProblem("Work/plans", kind: .folder, in: nil) == "This name is already used there")
        #expect(model.nameProblem("Work/plans/next", kind: .folder, in: nil) == nil)
        #expect(model.nameProblem("New/plans", kind: .folder, in: nil) == nil)
        #expect(model.nameProblem("Work/", kind: .folder, in: nil) == "This name is already used there")
        #expect(model.nameProblem("/", kind: .folder, in: nil) == "A name cannot be empty")
        #expect(model.nameProblem("Inbox/x", kind: .folder, in: nil) == "“Inbox” cannot hold folders")
    }

    @Test func `notes are moved into a folder that is made by its path`() throws {
        defer { fixture.close() }
        try fixture.add("Note")
        model.start()
        model.moveNotes(model.selectedNotes, toNewFolder: "Work/Plans")
        let plans = try #require(model.containers.first { $0.name == "Plans" })
        #expect(model.path(of: plans.id) == ["Work", "Plans"])
        #expect(plans.noteCount == 1)
        #expect(model.notice?.text == "“Note” moved to Plans")
    }

    @Test func `what comes into the Trash while the question is asked stays there`() throws {
        defer { fixture.close() }
        let notes = try [fixture.add("One"), fixture.add("Two")]
        model.moveNoteToTrash([notes[0]])
        model.showEmptyTrashAlert()
        #expect(model.emptyTrashQuestion?.text.hasPrefix("1 note will be gone") == true)
        let other = try Notebook.open(model.notebook.path, mode: .command)
        try other.trash.add([notes[1].id])
        model.emptyTrash()
        #expect(try other.notes.row(notes[0].id) == nil)
        #expect(try other.notes.row(notes[1].id)?.place == .trash)
        #expect(model.notice?.text == "Removed 1 note; what has changed meanwhile is still there")
        try other.close()
    }
}
