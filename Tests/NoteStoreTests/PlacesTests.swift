import Foundation
import Testing

@testable import NoteStore

@Suite struct PlacesTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    private func place(_ id: NoteID) throws -> (folder: String, place: Place) {
        let row = try #require(try notebook.notes.row(id))
        return (row.folderName, row.place)
    }

    @Test func `a note of a trashed folder can be restored alone, and its folder after it gets a number`() throws {
        let recipes = try notebook.folders.create("Recipes")
        let soup = try test.note("soup", in: recipes.id)
        let bread = try test.note("bread", in: recipes.id)
        try notebook.containers.delete([recipes.id])
        #expect(try place(soup.id).place == .trash)
        #expect(try notebook.trash.restore([soup.id]).map(\.id) == [soup.id])
        #expect(try place(soup.id) == ("Recipes", .live))
        try notebook.trash.restore([recipes.id])
        #expect(try place(bread.id) == ("Recipes 2", .live))
        try test.expectSound()
    }

    @Test func `a note whose folder was trashed after it goes back to the same path, made again`() throws {
        let home = try notebook.folders.create("Home")
        let attic = try notebook.folders.create("Attic", in: home.id)
        let note = try test.note("box", in: attic.id)
        try notebook.trash.add([note.id])
        try notebook.containers.delete([home.id])
        #expect(try notebook.trash.restore([note.id]).count == 1)
        let back = try notebook.containers.resolve(path: "Home/Attic")
        #expect(back.id != attic.id)
        #expect(try notebook.notes.row(note.id)?.folder == back.id)
        try test.expectSound()
    }

    @Test func `a note whose origin was removed for ever goes back to its path`() throws {
        let home = try notebook.folders.create("Home")
        let note = try test.note("box", in: home.id)
        try notebook.trash.add([note.id])
        try notebook.containers.delete([home.id])
        try notebook.trash.deleteForever([home.id], backup: false)
        try notebook.trash.restore([note.id])
        #expect(try place(note.id) == ("Home", .live))
        try test.expectSound()
    }

    @Test func `what is restored twice, or with the folder that it lies in, comes back once`() throws {
        let home = try notebook.folders.create("Home")
        let attic = try notebook.folders.create("Attic", in: home.id)
        let note = try test.note("box", in: attic.id)
        try notebook.containers.delete([home.id])
        #expect(try notebook.trash.restore([home.id, attic.id, home.id]).isEmpty)
        #expect(try notebook.containers.load(attic.id)?.parent == home.id)
        try notebook.trash.add([note.id])
        #expect(try notebook.trash.restore([note.id, note.id]).isEmpty)
        #expect(try place(note.id) == ("Attic", .live))
        #expect(throws: StoreError.notInTrash(name: "box")) { try notebook.trash.restore([note.id]) }
        try test.expectSound()
    }

    @Test func `a note whose trashed folder another tool has removed is restored to Inbox`() throws {
        let home = try notebook.folders.create("Home")
        let note = try test.note("box", in: home.id)
        try notebook.containers.delete([home.id])
        try notebook.database.writeWithoutTransaction { db in
            try db.execute(
                sql: "PRAGMA foreign_keys = OFF; DELETE FROM container WHERE name = 'Home'; PRAGMA foreign_keys = ON")
        }
        #expect(try notebook.trash.restore([note.id]).map(\.id) == [note.id])
        #expect(try place(note.id) == ("Inbox", .live))
        try test.expectSound()
    }

    @Test func `a trashed folder is found by its former path in any case and composition`() throws {
        let outer = try notebook.folders.create("Ärzte")
        let inner = try notebook.folders.create("Befunde", in: outer.id)
        try notebook.containers.delete([inner.id])
        for path in ["Ärzte/Befunde", "ÄRZTE/befunde", "A\u{308}rzte/BEFUNDE", "ärzte / Befunde"] {
            #expect(try notebook.trash.container(formerPath: path)?.id == inner.id, "\(path)")
        }
        #expect(try notebook.trash.container(formerPath: "Befunde") == nil)
        // Of two at the same path it is the one that was moved last.
        let later = try notebook.folders.create("befunde", in: outer.id)
        try notebook.containers.delete([later.id])
        #expect(try notebook.trash.container(formerPath: "Ärzte/Befunde")?.id == later.id)
    }

    @Test func `a note that was archived comes back from Trash into Archive, and from there to its folder`() throws {
        let home = try notebook.folders.create("Home")
        let note = try test.note("box", in: home.id)
        try notebook.notes.archive([note.id])
        try notebook.trash.add([note.id])
        #expect(try notebook.trash.restore([note.id]).isEmpty)
        #expect(try place(note.id).place == .archive)
        #expect(try notebook.notes.unarchive([note.id]).isEmpty)
        #expect(try place(note.id) == ("Home", .live))
        try test.expectSound()
    }

    @Test func `an archived note whose folder is trashed stays in Archive and comes back to the path`() throws {
        let home = try notebook.folders.create("Home")
        let note = try test.note("box", in: home.id)
        try notebook.notes.archive([note.id])
        try notebook.containers.delete([home.id])
        #expect(try place(note.id).place == .archive)
        #expect(try notebook.notes.unarchive([note.id]).count == 1)
        #expect(try place(note.id) == ("Home", .live))
        try test.expectSound()
    }

    @Test func `cut notes go back when their program is gone, and to their path when the folder is too`() throws {
        let home = try notebook.folders.create("Home")
        let note = try test.note("box", in: home.id)
        let other = try test.note("lamp")
        try notebook.buffer.cut([note.id, other.id], owner: "dead")
        #expect(try place(note.id).place == .buffer)
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 0)
        try notebook.containers.delete([home.id])
        let (back, elsewhere) = try notebook.buffer.giveBack { ["alive"] }
        #expect(Set(back.map(\.id)) == [note.id, other.id])
        #expect(elsewhere.map(\.id) == [note.id])
        #expect(try place(note.id) == ("Home", .live))
        #expect(try place(other.id) == ("Inbox", .live))
        try test.expectSound()
    }

    @Test func `a note that another program cuts while cut notes go back stays with that program`() throws {
        let (first, second) = (try test.note("box"), try test.note("lamp"))
        try notebook.buffer.cut([first.id, second.id], owner: "dead")
        let (back, _) = try notebook.buffer.giveBack { () throws(StoreError) in
            try notebook.buffer.putBack(owner: "dead")
            try notebook.buffer.cut([first.id], owner: "new")
            return ["alive"]
        }
        #expect(back.isEmpty)
        #expect(try notebook.buffer.notes(of: "new").map(\.id) == [first.id])
        #expect(try place(second.id) == ("Inbox", .live))
    }

    @Test func `cut notes pasted into a tag go back with the tag`() throws {
        let tag = try notebook.tags.create("later")
        let note = try test.note("box")
        try notebook.buffer.cut([note.id], owner: "me")
        try notebook.buffer.paste(into: tag.id, owner: "me")
        let row = try #require(try notebook.notes.row(note.id))
        #expect(row.place == .live && row.folderName == "Inbox" && row.tagNames == ["later"])
    }

    @Test func `in Trash nothing but restore, delete for ever, copy and export works`() throws {
        let note = try test.note("box")
        try notebook.trash.add([note.id])
        #expect(throws: StoreError.inTrash(name: "box")) { try notebook.notes.setStarred([note.id], true) }
        #expect(throws: StoreError.inTrash(name: "box")) { try notebook.notes.setTitle(note.id, "x") }
        #expect(throws: StoreError.inTrash(name: "box")) { try notebook.notes.archive([note.id]) }
        #expect(throws: StoreError.inTrash(name: "box")) { try notebook.notes.move([note.id], to: .inbox) }
        #expect(try notebook.notes.copy([note.id], to: .inbox).map(\.title) == ["box"])
        #expect(throws: StoreError.notInTrash(name: "box")) {
            try notebook.trash.deleteForever([
                try #require(try notebook.lists.rows(ListQuery(container: .inbox), limit: 1).first).id
            ])
        }
    }

    @Test func `a live folder and a live note cannot be deleted by any tool`() throws {
        let home = try notebook.folders.create("Home")
        try test.note("box", in: home.id)
        for sql in [
            "DELETE FROM container WHERE kind = 'folder'", "DELETE FROM note", "DELETE FROM container WHERE id = 1",
            "UPDATE container SET parent = id WHERE kind = 'folder'",
            "UPDATE note SET folder = 2", "UPDATE note SET folder = 4",
            "INSERT INTO container (uuid, kind, name, nameKey, createdDate) SELECT '00000000-0000-0000-0000-000000000000', 'folder', 'HOME', 'home', 0",
            "INSERT INTO container (uuid, kind, name, nameKey, createdDate) SELECT '00000000-0000-0000-0000-000000000000', 'folder', 'Inbox', 'inbox', 0",
        ] {
            #expect(throws: (any Error).self, "\(sql)") { try notebook.database.write { try $0.execute(sql: sql) } }
        }
    }

    @Test func `emptying Trash removes what is in it and nothing else, after a backup`() throws {
        let home = try notebook.folders.create("Home")
        let inner = try notebook.folders.create("Inner", in: home.id)
        try test.note("in", in: inner.id)
        let kept = try test.note("kept")
        let gone = try test.note("gone")
        try notebook.containers.delete([home.id])
        try notebook.trash.add([gone.id])
        #expect(try notebook.trash.contents() == TrashContents(notes: 2, folders: 2, projects: 0))
        try notebook.trash.empty()
        #expect(try notebook.trash.contents().isEmpty)
        #expect(try notebook.notes.row(kept.id) != nil)
        #expect(try notebook.search.hits("gone").isEmpty)
        let backup = try #require(notebook.backups.all().first)
        let old = try Notebook.open(backup.path, mode: .command, options: Notebook.Options(readOnly: true))
        #expect(try old.trash.contents().notes == 2)
        try test.expectSound()
    }

    @Test func `a whole batch comes back by one undo`() throws {
        let home = try notebook.folders.create("Home")
        let notes = try (0..<5).map { try test.note("note \($0)", in: home.id) }
        try notebook.trash.add(notes.map(\.id))
        #expect(try notebook.actions.nextUndo()?.count == 5)
        try notebook.actions.undo()
        #expect(try notebook.lists.count(ListQuery(container: home.id)) == 5)
        try test.expectSound()
    }

    @Test func `a merge of many is one note, and undo brings them back`() throws {
        let one = try test.note("first\none")
        let two = try test.note("second\ntwo")
        try notebook.notes.setStarred([two.id], true)
        let merged = try notebook.notes.merge([one.id, two.id])
        #expect(try notebook.notes.text(merged.id) == "first\none\n\nsecond\ntwo")
        #expect(merged.starred && merged.createdDate == one.createdDate)
        #expect(try test.titles(.inbox) == ["first"])
        try notebook.actions.undo()
        #expect(Set(try test.titles(.inbox)) == ["first", "second"])
        #expect(try notebook.notes.row(merged.id)?.place == .trash)
        try test.expectSound()
    }

    @Test func `no note is made in Trash or Buffer`() throws {
        for place in [ContainerID.trash, .buffer, .allNotes, .starred] {
            #expect(throws: StoreError.self) { try test.notebook.notes.create(NewNote(text: "x", folder: place)) }
        }
        try test.notebook.notes.create(NewNote(text: "x", folder: .archive))
        try test.expectSound()
    }

    @Test func `a note that undo cuts again belongs to the session that undoes, or stays where it is`() throws {
        let home = try notebook.folders.create("Home")
        let note = try test.note("box", in: home.id)
        try notebook.buffer.cut([note.id], owner: "ended")
        try notebook.buffer.putBack(owner: "ended")
        // Nobody could paste it.
        try notebook.actions.undo()
        #expect(try place(note.id) == ("Home", .live))
        try notebook.actions.redo()
        try notebook.actions.undo(owner: "here")
        #expect(try place(note.id).place == .buffer)
        #expect(try notebook.buffer.notes(of: "here").map(\.id) == [note.id])
        try notebook.buffer.paste(into: home.id, owner: "here")
        #expect(try place(note.id) == ("Home", .live))
        try test.expectSound()
    }

    @Test func `cut and copied notes are pasted as one action`() throws {
        let home = try notebook.folders.create("Home")
        let (box, lamp) = (try test.note("box"), try test.note("lamp"))
        try notebook.buffer.cut([box.id], owner: "here")
        let pasted = try notebook.buffer.paste(into: home.id, owner: "here", copying: [lamp.id])
        #expect(pasted.map(\.title) == ["box", "lamp"])
        #expect(Set(try test.titles(home.id)) == ["box", "lamp"])
        #expect(try test.titles(.inbox) == ["lamp"])
        #expect(try notebook.actions.undo(owner: "here")?.kind == .paste)
        #expect(try place(box.id).place == .buffer)
        #expect(try test.titles(home.id).isEmpty)
        let tag = try notebook.tags.create("later")
        try notebook.buffer.paste(into: tag.id, owner: "here", copying: [lamp.id])
        #expect(Set(try test.titles(tag.id)) == ["box", "lamp"])
        try notebook.actions.undo(owner: "here")
        #expect(try test.titles(tag.id).isEmpty)
        // A note in the Trash gets no tag, and then nothing is pasted.
        try notebook.trash.add([lamp.id])
        #expect(throws: StoreError.inTrash(name: "lamp")) {
            try notebook.buffer.paste(into: tag.id, owner: "here", copying: [lamp.id])
        }
        #expect(try place(box.id).place == .buffer)
        try test.expectSound()
    }

    @Test func `undo of a cut whose folder is gone makes the folder again`() throws {
        let home = try notebook.folders.create("Home")
        let note = try test.note("box", in: home.id)
        // A program that starts later would give the cut note back, since no session "here" lives.
        let other = try Notebook.open(test.path, mode: .command)
        try notebook.buffer.cut([note.id], owner: "here")
        try other.containers.delete([home.id])
        try other.trash.deleteForever([home.id], backup: false)
        try other.close()
        #expect(try notebook.actions.undo(owner: "here")?.kind == .cut)
        #expect(try place(note.id) == ("Home", .live))
        #expect(try notebook.buffer.notes(of: "here").isEmpty)
        try test.expectSound()
    }

    @Test func `a note that is cut and pasted where it was keeps its date`() throws {
        let home = try notebook.folders.create("Home")
        let note = try test.note("box", in: home.id)
        try notebook.buffer.cut([note.id], owner: "here")
        try notebook.buffer.paste(into: home.id, owner: "here")
        #expect(try notebook.notes.row(note.id)?.updatedDate == note.updatedDate)
        try notebook.buffer.cut([note.id], owner: "here")
        try notebook.buffer.paste(into: .inbox, owner: "here")
        #expect(try notebook.notes.row(note.id)?.updatedDate != note.updatedDate)
    }
}
