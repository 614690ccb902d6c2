import Foundation
import Load
import Testing

@testable import NoteStore

/// Tests the journals that programs leave behind when they are killed.
@Suite(.underLoad) struct JournalTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    @Test func `a notebook that was renamed gets its journal, and a stranger beside it does not`() throws {
        let test = try TestNotebook()
        let row = try test.note("one\n")
        let typist = try Typist(test.notebook)
        try typist.type("two\n", into: row.id)
        typist.die()
        try test.notebook.close()
        let renamed = test.folder.path + "/renamed.sqlite"
        try FileManager.default.moveItem(atPath: test.path, toPath: renamed)
        let stranger = try Notebook.open(test.folder.path + "/stranger.sqlite")
        #expect(stranger.recovered.replay.isEmpty)
        let found = try Notebook.open(renamed)
        #expect(try found.notes.text(row.id) == "one\ntwo\n")
        try found.close()
        try stranger.close()
    }

    @Test func `a notebook behind a link has its journal, lock and backups beside the real file`() throws {
        let test = try TestNotebook()
        let row = try test.note("one\n")
        try test.notebook.close()
        let folder = test.folder.path + "/elsewhere"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let link = folder + "/linked.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: test.path)
        let notebook = try Notebook.open(link)
        let typist = try Typist(notebook)
        try typist.type("two\n", into: row.id)
        try notebook.backups.create(.byHand)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["linked.sqlite"])
        typist.die()
        try notebook.close()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "one\ntwo\n")
    }

    @Test func `what a killed program had typed is there at the next start`() throws {
        let row = try test.note("one two")
        let typist = try Typist(notebook)
        try typist.edit(row.id, at: 3, inserting: "é€😀")
        try typist.edit(row.id, at: 0, removing: 3, inserting: "")
        try typist.write()
        typist.die()
        try test.restart(mode: .command)
        #expect(test.notebook.recovered.replay.saved.map(\.id) == [row.id])
        #expect(try test.notebook.notes.text(row.id) == "é€😀 two")
        #expect(try test.sessionFiles().isEmpty)
        try test.restart()
        #expect(test.notebook.recovered.isEmpty)
        try test.expectSound()
    }

    @Test func `a journal waits for its own notebook where several share a folder, and for none that is gone`() throws {
        let row = try test.note("one")
        var typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        typist.die()
        let other = try Notebook.open(test.folder.path + "/other.sqlite", mode: .command)
        #expect(other.recovered.isEmpty)
        try other.close()
        let link = test.folder.path + "/link.sqlite"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: test.path)
        let same = try Notebook.open(link, mode: .command)
        #expect(try same.notes.text(row.id) == "one two")
        try same.close()
        typist = try Typist(notebook)
        try typist.edit(row.id, at: 0, inserting: "Not ")
        try typist.write()
        typist.die()
        try test.notebook.close()
        for ending in ["", "-wal", "-shm"] { DiskFile.remove(test.path + ending) }
        let heir = try Notebook.open(test.folder.path + "/other.sqlite", mode: .command)
        #expect(heir.recovered.replay.copies.map(\.title) == ["Not one two (recovered)"])
        try heir.close()
    }

    @Test func `what was typed on another program’s text comes back where it was typed`() throws {
        let row = try test.note("one\n\ntwo")
        let typist = try Typist(notebook)
        try typist.type(" mine", into: row.id)
        try typist.save(row.id)
        let present = try #require(try notebook.notes.row(row.id))
        _ = try notebook.notes.save(row.id, text: "one and theirs\n\ntwo mine", baseRevision: present.revision)
        try typist.take(row.id)
        // Nothing was typed since: this save only brings index and links up to date.
        try typist.save(row.id)
        try typist.type(" too", into: row.id)
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.copies.isEmpty)
        #expect(try test.notebook.notes.text(row.id) == "one and theirs\n\ntwo mine too")
    }

    @Test func `a journal is replayed on its base and merged with what others saved since`() throws {
        let row = try test.note("title\n\none\n\ntwo\n")
        let typist = try Typist(notebook)
        try typist.edit(row.id, at: 7, removing: 3, inserting: "ONE")
        try typist.write()
        typist.die()
        _ = try notebook.notes.save(row.id, text: "title\n\none\n\nTWO\n", baseRevision: 1)
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "title\n\nONE\n\nTWO\n")
        #expect(try test.notebook.versions.all(of: row.id).count == 2)
    }

    @Test func `a journal of a note that is gone becomes a note of its own`() throws {
        let row = try test.note("gone")
        let typist = try Typist(notebook)
        try typist.type(" but typed", into: row.id)
        typist.die()
        try notebook.trash.add([row.id])
        try notebook.trash.deleteForever([row.id], backup: false)
        try test.restart()
        #expect(try test.titles(.inbox) == ["gone but typed (recovered)"])
    }

    @Test func `a journal that is replayed twice makes one copy of what cannot be merged`() throws {
        let row = try test.note("one")
        let gone = try test.note("gone")
        let typist = try Typist(notebook)
        try typist.edit(row.id, at: 0, removing: 3, inserting: "ours")
        try typist.type(" on", into: gone.id)
        typist.die()
        try notebook.trash.add([gone.id])
        try notebook.trash.deleteForever([gone.id], backup: false)
        _ = try notebook.notes.save(row.id, text: "theirs", baseRevision: 1)
        let kept = try test.bytes(of: typist.journal.path)
        #expect(try notebook.journal.replay().copies.count == 2)
        try Data(kept).write(to: URL(filePath: typist.journal.path))
        _ = try notebook.journal.replay()
        #expect(try Set(test.titles(.inbox)) == ["theirs", "theirs (conflict)", "gone on (recovered)"])
        #expect(try test.titles(.inbox).count == 3)
    }

    @Test func `cut notes of a killed program go back at the next start`() throws {
        let row = try test.note("cut")
        let typist = try Typist(notebook)
        try notebook.buffer.cut([row.id], owner: typist.journal.id)
        #expect(try notebook.journal.replay().isEmpty)
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.returned.map(\.id) == [row.id])
        #expect(try test.titles(.inbox) == ["cut"])
    }

    @Test func `images that a journal might need are culled when there is none any more`() throws {
        let image = try notebook.images.add(TransferTests.png, name: "i")
        let row = try test.note("![i](\(image.getURL()))")
        let journal = try notebook.journal.open()
        try notebook.trash.add([row.id])
        try notebook.trash.empty(backup: false)
        #expect(try notebook.images.load(image.imageUUID) != nil)
        journal.close()
        try test.restart()
        #expect(try test.notebook.images.load(image.imageUUID) == nil)
    }

    @Test func `a journal of a running program is left alone, and a saved one leaves nothing`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type("a", into: row.id)
        #expect(try notebook.journal.replay().isEmpty)
        #expect(typist.journal.hasUnsaved)
        try typist.save(row.id)
        #expect(!typist.journal.hasUnsaved)
        typist.journal.close()
        #expect(try test.sessionFiles().isEmpty)
    }

    @Test func `a journal that was set aside is looked through for images`() throws {
        let image = try notebook.images.add(TransferTests.png, name: "i")
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(image.getURL(), into: row.id)
        typist.die()
        try DiskFile.move(typist.journal.path, to: typist.journal.path + JournalFile.damagedEnding)
        try notebook.trash.empty(backup: false)
        guard case .known = try notebook.journal.images() else {
            Issue.record("what was set aside cannot be told")
            return
        }
        try test.restart()
        #expect(try test.notebook.images.load(image.imageUUID) != nil)
    }

    @Test func `a journal of version 0_1 is replayed once`() throws {
        let one = try #require(NoteID("5D1C6A0E-0B1F-4D8E-9C55-3B7A7F0E2D11"))
        let gone = try #require(NoteID("0E2D1100-0B1F-4D8E-9C55-3B7A7F0E2D12"))
        try notebook.notes.create(NewNote(text: "title\n\none\n\ntwo\n", id: one))
        try notebook.notes.create(NewNote(text: "gone", id: gone))
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Notebooks/journal-0.1")
        try FileManager.default.createDirectory(atPath: notebook.journal.folder, withIntermediateDirectories: true)
        for ending in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: fixture.path + "/session.sqlite" + ending,
                toPath: notebook.journal.folder + "/6B1F0B1F-0000-4000-8000-000000000001.sqlite" + ending)
        }
        try test.restart()
        #expect(try test.notebook.notes.text(one) == "Title\n\nONE é€😀\n\ntwo\n")
        #expect(try test.notebook.notes.text(gone) == "gone but typed")
        #expect(try test.sessionFiles().isEmpty)
    }
}
