import NoteStore
import TestSupport
import Testing
import ViewModel

/// Tests the location of new notes, and the removal of unused ones.
@MainActor
@Suite(.serialized)
struct NewNoteTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }
    private var titles: [String] { (0..<model.noteList.count).compactMap { model.noteList[$0]?.title } }

    // MARK: Left empty

    @Test func `a note that was made and left without a key is gone, and there is nothing to undo`() throws {
        defer { fixture.close() }
        try fixture.add("Old", age: 10)
        model.start()
        model.addNote()
        #expect(titles == ["New Note", "Old"])
        model.moveListCursor(to: 1)
        #expect(titles == ["Old"])
        #expect(model.openNote?.title == "Old")
        #expect(model.listCursor == 0)
        #expect(model.inboxFolder?.noteCount == 1)
        #expect(try fixture.notebook.actions.nextUndo() == nil)
        model.undoAction()
        #expect(titles == ["Old"])
    }

    @Test func `made again and again, one empty note stays, and none when the program is left`() throws {
        defer { fixture.close() }
        model.start()
        for _ in 0..<3 { model.addNote() }
        #expect(titles == ["New Note"])
        model.stop()
        #expect(try fixture.notebook.lists.count(ListQuery(container: .inbox)) == 0)
    }

    @Test func `another folder is opened from an empty note, and the counts are right`() throws {
        defer { fixture.close() }
        let home = try fixture.notebook.folders.create("Home")
        model.start()
        model.addNote()
        model.selectContainer(home.id)
        #expect(model.inboxFolder?.noteCount == 0)
        #expect(model.openNote == nil)
    }

    @Test(arguments: ["typed", "deleted", "titled", "tagged", "starred", "moved", "copied", "linked", "elsewhere"])
    func `an empty note that something was done with stays`(what: String) throws {
        defer { fixture.close() }
        let old = try fixture.add("Old", age: 10)
        model.start()
        model.addNote()
        let made = try #require(model.openNote)
        switch what {
        case "typed": model.session?.type("x")
        case "deleted":
            model.session?.type("x")
            model.session?.undo()
        case "titled": #expect(model.rename(made, to: "Plans") == nil)
        case "tagged": #expect(model.tag([made], named: "books") == nil)
        case "starred": model.noteStarredToggle()
        case "moved":
            let home = try fixture.notebook.folders.create("Home")
            try fixture.notebook.notes.move([made.id], to: home.id)
        case "copied": model.copyNotes()
        case "linked":
            try fixture.notebook.notes.create(NewNote(text: "see \(made.getMarkdownLink())"))
            model.readOutsideChanges()
        default:
            _ = try fixture.notebook.notes.save(
                made.id, text: "from elsewhere", baseRevision: made.revision, base: "")
        }
        model.show(old)
        model.saveNow()
        #expect(try fixture.notebook.notes.row(made.id) != nil)
    }

    @Test func `a note that was empty before stays`() throws {
        defer { fixture.close() }
        let old = try fixture.add("", age: 10)
        try fixture.add("Other", age: 20)
        model.start()
        model.moveListCursor(to: 0)
        model.moveListCursor(to: 1)
        #expect(try fixture.notebook.notes.row(old.id) != nil)
    }

    // MARK: Undone

    @Test func `undo after a new note was typed puts that note into the Trash, and redo brings it back`() throws {
        defer { fixture.close() }
        let old = try fixture.add("Old", age: 10)
        model.start()
        model.show(old)
        model.noteStarredToggle()
        model.addNote()
        let made = try #require(model.openNote)
        model.session?.type("Groceries")
        model.saveNow()
        #expect(try fixture.notebook.actions.nextUndo()?.subject == "Groceries")
        model.undoAction()
        #expect(try fixture.notebook.notes.row(made.id)?.place == .trash)
        #expect(model.notice?.text == "Undone: create “Groceries”; it is in the Trash")
        #expect(titles == ["Old"] && model.openNote?.title == "Old")
        #expect(try fixture.notebook.notes.row(old.id)?.starred == true)
        model.redoAction()
        #expect(titles == ["Old", "Groceries"])
        #expect(try fixture.notebook.notes.text(made.id) == "Groceries")
        model.undoAction()
        model.undoAction()
        #expect(try fixture.notebook.notes.row(old.id)?.starred == false)
    }

    @Test func `undo of a new note that is still empty removes it and nothing else`() throws {
        defer { fixture.close() }
        let old = try fixture.add("Old", age: 10)
        model.start()
        model.show(old)
        model.noteStarredToggle()
        model.addNote()
        let made = try #require(model.openNote)
        model.undoAction()
        #expect(model.notice?.text == "Undone: create “New Note”")
        #expect(try fixture.notebook.notes.row(made.id) == nil)
        #expect(titles == ["Old"] && model.openNote?.title == "Old")
        #expect(try fixture.notebook.notes.row(old.id)?.starred == true)
        #expect(try fixture.notebook.actions.nextUndo()?.kind == .star)
    }

    @Test func `undo takes back a note that was made for a link`() throws {
        defer { fixture.close() }
        try fixture.add("See [[Piranesi]]", age: 10)
        model.start()
        model.makeNote(linkedAs: "Piranesi")
        let made = try #require(try fixture.notebook.links.note(havingTitle: "Piranesi"))
        model.undoAction()
        #expect(try fixture.notebook.notes.row(made.id)?.place == .trash)
    }

    // MARK: In a project

    @Test(arguments: ["Poems", "Your Poetry", "All"])
    func `in a project that holds no notes there, a note goes to its Draft folder`(name: String) throws {
        defer { fixture.close() }
        let project = try fixture.notebook.projects.create("Poems", type: .poetry)
        model.start()
        let here = try #require(model.containers.first { $0.name == name })
        model.selectContainer(here.id)
        #expect(!model.canAddNote)
        let note = try #require(model.addNote())
        #expect(note.folderName == "Draft")
        #expect(model.notice?.text == "Created in Draft")
        #expect(model.selectedContainer?.name == "Draft")
        #expect(model.path(of: try #require(note.folder)).first == project.name)
    }

    @Test func `under Publications a note goes to the first folder that takes notes`() throws {
        defer { fixture.close() }
        try fixture.notebook.projects.create("Poems", type: .poetry)
        model.start()
        model.selectContainer(try #require(model.containers.first { $0.role == .publications }).id)
        #expect(model.addNote()?.folderName == "Magazines")
    }
}
