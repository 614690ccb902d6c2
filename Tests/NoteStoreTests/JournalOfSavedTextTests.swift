import Foundation
import Load
import SeededRandom
import Testing

@testable import NoteStore

/// Tests what a journal brings back of edits that were made before, between and after saves, and of long notes.
@Suite(.underLoad) struct JournalOfSavedTextTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    @Test func `edits on a text that was saved in between are recovered on what was saved`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        try typist.save(row.id)
        try typist.type(" three", into: row.id)
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "one two three")
        #expect(try test.notebook.versions.all(of: row.id).isEmpty)
    }

    @Test func `a program killed between a save and noting it in its journal has typed nothing twice`() throws {
        let row = try test.note("title\n")
        let typist = try Typist(notebook)
        try typist.type("one ", into: row.id)
        try typist.type("two ", into: row.id)
        try typist.save(row.id, isNoted: false)
        try typist.type("three ", into: row.id)
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.copies.isEmpty)
        #expect(try test.notebook.notes.text(row.id) == "title\none two three ")
        #expect(try test.titles(.inbox) == ["title"])
    }

    @Test(arguments: [true, false])
    func `a note that was removed for ever under the hands of a killed program has typed nothing twice`(
        isNoted: Bool
    ) throws {
        let row = try test.note("title\n")
        _ = try notebook.notes.save(row.id, text: "title\nzero ", baseRevision: 1)
        let typist = try Typist(notebook)
        try typist.type("one ", into: row.id)
        try notebook.trash.add([row.id])
        try notebook.trash.empty(backup: false)
        try typist.save(row.id, isNoted: isNoted)
        try typist.type("two ", into: row.id)
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.copies.isEmpty)
        #expect(try test.notebook.notes.text(row.id) == "title\nzero one two ")
    }

    @Test func `what was saved and then changed by others is not brought back as it was`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        try typist.save(row.id, isNoted: false)
        _ = try notebook.notes.save(row.id, text: "all else", baseRevision: 2)
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.isEmpty)
        #expect(try test.notebook.notes.text(row.id) == "all else")
        #expect(try test.titles(.inbox) == ["all else"])
    }

    @Test func `a note that comes back with another text is journaled on that`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        try typist.save(row.id)
        typist.leave(row.id)
        _ = try notebook.notes.save(row.id, text: "another text", baseRevision: 2)
        try typist.type(", yet", into: row.id)
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "another text, yet")
    }

    @Test func `a notebook that was put back to an earlier state gets what was typed since`() throws {
        let row = try test.note("one\n")
        try notebook.close()
        let old = try test.bytes(of: test.path)
        test.notebook = try Notebook.open(test.path)
        let typist = try Typist(test.notebook)
        try typist.type("two\n", into: row.id)
        try typist.save(row.id, isNoted: false)
        try typist.type("three\n", into: row.id)
        typist.die()
        try test.notebook.close()
        try Data(old).write(to: URL(filePath: test.path))
        test.notebook = try Notebook.open(test.path)
        #expect(try test.notebook.notes.text(row.id) == "one\ntwo\nthree\n")
    }

    @Test func `marks of journals that are gone are forgotten`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        try typist.save(row.id)
        let isMarked = try notebook.journal.mark(of: row.id, in: typist.journal.id) != nil
        #expect(isMarked)
        typist.journal.close()
        try test.restart()
        let other = try Typist(test.notebook)
        try other.type(" three", into: row.id)
        try other.save(row.id)
        try test.notebook.care.keepWithinBounds()
        #expect(try test.notebook.journal.mark(of: row.id, in: typist.journal.id) == nil)
        #expect(try test.notebook.journal.mark(of: row.id, in: other.journal.id) != nil)
    }

    /// Random typing, saving, leaving, failing and dying; afterwards, everything written to the journal is there
    /// exactly.
    @Test(arguments: 1...12) func `whatever is done before a kill, every note is as it was on the screen`(
        seed: Int
    ) throws {
        var chance = SeededGenerator(seed: UInt64(seed))
        let disk = FailingDisk()
        try test.restart(journalDisk: disk.disk)
        let rows = try (0..<3).map {
            try test.note("note \($0)\n" + String(repeating: "long ", count: $0 == 2 ? 30_000 : 5))
        }
        let typist = try Typist(test.notebook)
        // The texts on screen when the last write had succeeded.
        var shown = try Dictionary(
            uniqueKeysWithValues: rows.map { ($0.id, try test.notebook.notes.text($0.id) ?? "") })
        // A program whose journal does not learn of a save has been killed; only its acts in that moment may follow.
        var isDoomed = false
        for step in 0..<60 {
            let note = rows[chance.number(in: 0...2)].id
            let length = typist.texts[note]?.utf8Count ?? 7
            let place = chance.number(in: 0...length)
            switch chance.number(in: 0...11) {
            case 0 where !isDoomed: try? typist.save(note)  // with a full disk, the journal is refused first
            case 1 where !isDoomed && step > 30:
                isDoomed = true
                try? typist.save(note, isNoted: false)
            case 2 where !typist.journal.hasUnsaved: typist.leave(note)
            case 3: disk.fail(after: chance.number(in: 0...200), with: chance.pick([.noSpace, .ioError]))
            case 4, 5: disk.work()
            case 6: try? typist.journal.copyNextPiece()
            case 7 where length > 0:
                try typist.edit(note, at: place, removing: min(3, length - place), inserting: "")
            default: try typist.edit(note, at: place, inserting: "<\(step)>")
            }
            // A write that throws is tried again with the next step.
            _ = try? typist.write()
            for note in typist.texts.keys { shown[note] = typist.screen(note) }
        }
        disk.work()
        // Refused writes are repeated, which takes several pieces for a long text.
        while try !typist.write() { try typist.journal.copyNextPiece() }
        for note in typist.texts.keys { shown[note] = typist.screen(note) }
        typist.die()
        try test.restart()
        #expect(test.notebook.recovered.replay.copies.isEmpty)
        for row in rows {
            let found = try test.notebook.notes.text(row.id)
            let isAsShown = found == shown[row.id]
            #expect(isAsShown, "seed \(seed): \(row.title)")
        }
        try test.expectSound()
    }

    @Test func `a long note's first key costs no copy of it, and a kill in the middle of the copy loses nothing`()
        throws
    {
        let base = String(repeating: "Zeile für Zeile\n", count: 40_000)
        let row = try test.note(base)
        var pieces = 0
        var isDone = false
        while !isDone {
            let typist = try Typist(notebook)
            try typist.type("x", into: row.id)
            #expect(typist.journal.fileSize < 1000)
            for _ in 0..<pieces { try typist.journal.copyNextPiece() }
            isDone = !typist.journal.hasCopies
            try typist.type("y", into: row.id)
            typist.die()
            pieces += 1
            try test.restart()
            #expect(try test.notebook.notes.text(row.id) == base + String(repeating: "xy", count: pieces))
            #expect(test.notebook.recovered.replay.copies.isEmpty)
        }
        #expect(pieces > 3)
    }

    @Test func `a long note that is saved while its copy is being written is brought back whole`() throws {
        let base = String(repeating: "line after line\n", count: 20_000)
        let row = try test.note(base)
        let typist = try Typist(notebook)
        try typist.type("x", into: row.id)
        try typist.journal.copyNextPiece()
        try typist.save(row.id, isNoted: false)
        try typist.type("y", into: row.id)
        typist.die()
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == base + "xy")
    }

    @Test func `a long sitting does not make the journal grow without end`() throws {
        let row = try test.note("")
        let typist = try Typist(notebook)
        let piece = String(repeating: "x", count: 100_000)
        for _ in 0..<60 {
            try typist.edit(row.id, at: 0, inserting: piece)
            try typist.save(row.id)
            try typist.edit(row.id, at: 0, removing: piece.utf8.count, inserting: "")
            #expect(typist.journal.fileSize < 5_000_000)
        }
        try typist.save(row.id)
        typist.leave(row.id)
        #expect(typist.journal.fileSize < 200)
        typist.journal.close()
    }
}
