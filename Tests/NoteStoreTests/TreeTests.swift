import Foundation
import Testing

@testable import NoteStore

@Suite struct TreeTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    @Test(arguments: [("Home", "home"), ("Straße", "STRASSE"), ("Ångström", "A\u{30A}NGSTRÖM"), ("ΣΊΣΥΦΟΣ", "σίσυφος")])
    func `names differ in more than case, composition and white space`(name: String, other: String) throws {
        let folder = try notebook.folders.create(name)
        #expect(throws: StoreError.nameTaken(name: other, parent: "", by: folder.id)) {
            try notebook.folders.create("  \(other)\n")
        }
        try notebook.containers.rename(folder.id, to: other)
        #expect(try notebook.containers.load(folder.id)?.name == other)
        try notebook.tags.create(name)
    }

    @Test func `a name is not empty and not that of a system folder at the root`() throws {
        for name in ["", " \t\n"] { #expect(throws: StoreError.emptyName) { try notebook.folders.create(name) } }
        for name in ["inbox", "All Notes", "BUFFER"] {
            #expect(throws: StoreError.self) { try notebook.folders.create(name) }
        }
        let home = try notebook.folders.create("Home")
        try notebook.folders.create("Inbox", in: home.id)
        try notebook.tags.create("Inbox")
        #expect(throws: StoreError.self) { try notebook.projects.create("HOME", type: .prose) }
    }

    @Test func `folders nest a hundred levels and never into themselves`() throws {
        var folder = try notebook.folders.create("0")
        let top = folder
        for level in 1..<100 { folder = try notebook.folders.create("\(level)", in: folder.id) }
        #expect(throws: StoreError.wouldContainItself(container: "0")) {
            try notebook.folders.move(top.id, to: folder.id)
        }
        let note = try test.note("deep", in: folder.id)
        try notebook.containers.delete([top.id])
        #expect(try notebook.notes.row(note.id)?.place == .trash)
        try notebook.trash.restore([top.id])
        #expect(try notebook.notes.row(note.id)?.place == .live)
        #expect(try notebook.containers.all().count == 106)
        try test.expectSound()
    }

    @Test func `a project comes with its template, and All shows what its four folders hold`() throws {
        let project = try notebook.projects.create("Poems", type: .poetry)
        let names = try notebook.containers.all().filter { !$0.isSystemFolder }.map(\.name)
        #expect(
            names == [
                "Poems", "Your Poetry", "All", "Draft", "Ready", "Set Aside", "Published", "Collections", "Submissions",
                "Research", "Publications", "Magazines", "Competitions", "Commissions", "Other",
            ])
        for (path, text) in [("Draft", "one"), ("Ready", "two"), ("Research", "three")] {
            try test.note(text, in: notebook.containers.resolve(path: "Poems/Your Poetry/\(path)").id)
        }
        #expect(Set(try test.titles(notebook.containers.resolve(path: "Poems/Your Poetry/All").id)) == ["one", "two"])
        #expect(Set(try test.titles(project.id)) == ["one", "two", "three"])
        for path in ["Poems", "Poems/Your Poetry", "Poems/Publications", "Poems/Your Poetry/All"] {
            #expect(throws: StoreError.self) { try test.note("no", in: notebook.containers.resolve(path: path).id) }
        }
        #expect(throws: StoreError.cannotHoldFolders(container: "Draft")) {
            try notebook.folders.create("no", in: notebook.containers.resolve(path: "Poems/Your Poetry/Draft").id)
        }
        try test.expectSound()
    }

    @Test func `repairing a template makes what is missing again with its role`() throws {
        let project = try notebook.projects.create("Plays", type: .drama)
        let draft = try notebook.containers.resolve(path: "Plays/Your Drama/Draft")
        try notebook.containers.rename(draft.id, to: "Rough")
        try notebook.containers.delete([notebook.containers.resolve(path: "Plays/Your Drama/Ready").id])
        try notebook.containers.delete([notebook.containers.resolve(path: "Plays/Publications").id])
        let made = try notebook.projects.repairTemplate(of: project.id)
        #expect(made.map(\.name) == ["Ready", "Publications", "Magazines", "Competitions", "Commissions", "Other"])
        #expect(try notebook.containers.load(draft.id)?.role == .draft)
        try test.expectSound()
        let trashed = try notebook.containers.all().filter { $0.parent == .trash }
        try notebook.trash.restore(trashed.map(\.id))
        try test.expectSound()
    }

    @Test func `a template's folder that is moved beside one of its role becomes an ordinary one`() throws {
        for name in ["Poems", "Odes"] { try notebook.projects.create(name, type: .poetry) }
        let draft = try notebook.containers.resolve(path: "Poems/Your Poetry/Draft")
        try notebook.containers.rename(draft.id, to: "Rough")
        try notebook.folders.move(draft.id, to: notebook.containers.resolve(path: "Odes/Your Poetry").id)
        #expect(try notebook.containers.load(draft.id)?.role == nil)
        try test.expectSound()
        try notebook.actions.undo()
        let back = try #require(try notebook.containers.load(draft.id))
        #expect(back.role == .draft && back.parent == draft.parent)
        try test.expectSound()
        try notebook.actions.redo()
        #expect(try notebook.containers.load(draft.id)?.role == nil)
        try test.expectSound()
    }

    @Test func `undo brings a template's folder back beside the one that a repair made`() throws {
        let project = try notebook.projects.create("Poems", type: .poetry)
        let draft = try notebook.containers.resolve(path: "Poems/Your Poetry/Draft")
        let note = try test.note("line", in: draft.id)
        try notebook.containers.delete([draft.id])
        try notebook.projects.repairTemplate(of: project.id)
        try notebook.actions.undo()
        let back = try #require(try notebook.containers.load(draft.id))
        #expect(back.name == "Draft 2" && back.role == nil && back.place == .live)
        #expect(try notebook.notes.row(note.id)?.place == .live)
        try test.expectSound()
    }

    @Test func `titles are unique in a project's folder and free elsewhere`() throws {
        let project = try notebook.projects.create("Poems", type: .poetry)
        let draft = try notebook.containers.resolve(path: "Poems/Your Poetry/Draft").id
        let one = try test.note("Dawn", in: draft)
        let two = try test.note("dawn", in: draft)
        #expect(two.title == "dawn 2" && two.titleIsDerived)
        #expect(throws: StoreError.titleTaken(title: "DAWN", folder: "Draft", by: one.id)) {
            try notebook.notes.setTitle(two.id, "DAWN")
        }
        let free = try test.note("Dawn")
        try test.note("Dawn")
        try notebook.notes.move([free.id], to: draft)
        #expect(try notebook.notes.row(free.id)?.title == "Dawn 3" || notebook.notes.row(free.id)?.title == "Dawn 2")
        try notebook.containers.delete([project.id])
        try notebook.trash.restore([project.id])
        try test.expectSound()
    }

    @Test func `system containers that come from elsewhere are folded into ours`() throws {
        try notebook.database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO container (uuid, kind, name, nameKey, createdDate, colorRGBA)
                    VALUES ('99999999-0000-0000-0000-000000000000', 'inbox', 'Inbox', 'inbox', 0, 1);
                    UPDATE container SET colorRGBA = 5 WHERE id = 1;
                    INSERT INTO note (uuid, title, titleKey, defaultTitle, createdDate, updatedDate, folder)
                    SELECT '11111111-0000-0000-0000-000000000000', 'T', 't', 'T', 0, 0, id FROM container WHERE id > 6;
                    INSERT INTO note_text (note, text) SELECT id, 'from elsewhere' FROM note;
                    """)
        }
        let report = try notebook.care.maintain()
        #expect(report.folded.values.first == .inbox)
        #expect(try test.titles(.inbox) == ["from elsewhere"])
        #expect(try notebook.containers.load(.inbox)?.colorRGBA == NoteContainer.defaultColor)
        #expect(try notebook.care.maintain().isEmpty)
        try test.expectSound()
    }

    @Test func `a note without a folder is put into a red folder of its own`() throws {
        try test.note("lost")
        try notebook.database.write { try $0.execute(sql: "UPDATE note SET folder = NULL") }
        let report = try notebook.care.maintain()
        #expect(report.recoveryFolder?.name.hasPrefix("Recovered Notes 20") == true)
        #expect(report.recoveryFolder?.colorRGBA == 0xFF3B_30FF)
        #expect(try test.titles(#require(report.recoveryFolder?.id)) == ["lost"])
        try test.expectSound()
    }

    @Test func `a deleted tag comes back by undo with its notes`() throws {
        let tag = try notebook.tags.create("books")
        let note = try test.note("one")
        try notebook.tags.add(tag.id, to: [note.id])
        try notebook.containers.delete([tag.id])
        #expect(try notebook.notes.row(note.id)?.tags == [])
        try notebook.actions.undo()
        #expect(try notebook.notes.row(note.id)?.tagNames == ["books"])
        #expect(try notebook.containers.load(tag.id)?.noteCount == 1)
        try test.expectSound()
    }

    @Test func `updatedDate moves with text, title, folder and tags, not with star, Trash, restore or Buffer`() throws {
        let folder = try notebook.folders.create("Home")
        let tag = try notebook.tags.create("t")
        let id = try test.note("one").id
        func moves(_ action: () throws -> Void) throws -> Bool {
            let before = try #require(try notebook.notes.row(id)).updatedDate
            try action()
            return try #require(try notebook.notes.row(id)).updatedDate > before
        }
        #expect(try moves { _ = try notebook.notes.save(id, text: "two", baseRevision: 1) })
        #expect(try moves { try notebook.notes.setTitle(id, "title") })
        #expect(try moves { try notebook.notes.move([id], to: folder.id) })
        #expect(try moves { try notebook.tags.add(tag.id, to: [id]) })
        #expect(try !moves { try notebook.notes.setStarred([id], true) })
        #expect(try !moves { try notebook.trash.add([id]) })
        #expect(try !moves { try notebook.trash.restore([id]) })
        #expect(try !moves { try notebook.buffer.cut([id], owner: "x") })
    }

    @Test func `a title follows the text until it is given by hand`() throws {
        let id = try test.note("first").id
        _ = try notebook.notes.save(id, text: "second", baseRevision: 1)
        #expect(try notebook.notes.row(id)?.title == "second")
        try notebook.notes.setTitle(id, "  mine\n")
        _ = try notebook.notes.save(id, text: "third", baseRevision: 2)
        #expect(try notebook.notes.row(id)?.title == "mine")
        try notebook.notes.setTitle(id, "")
        #expect(try notebook.notes.row(id)?.title == "third")
        #expect(try test.note("").title == "New Note")
    }
}
