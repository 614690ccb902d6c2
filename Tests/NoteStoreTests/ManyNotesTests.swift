import Foundation
import GRDB
import SeededRandom
import Testing

@testable import NoteStore

/// Tests the transactions that make many notes, as an import does.
@Suite struct ManyNotesTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    private struct Stop: Error {}

    /// Makes a note in a transaction of many.
    private func make(_ text: String, then body: () throws -> Void = {}) throws {
        try notebook.write { transaction in
            try transaction.insertingMany {
                let words = IndexedWords(title: text, text: text, unknownTo: notebook.termCache)
                _ = try transaction.insertNote(
                    NewNote(text: text), facts: TextFacts(of: text, title: nil), words: words)
                try body()
            }
        }
    }

    private func settings() throws -> [String: Int] {
        let rows = try notebook.read {
            try Row.fetchAll($0, sql: "SELECT k, v FROM search_config WHERE k <> 'version'")
        }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    @Test func `the search index has its usual settings afterwards`() throws {
        try make("a labyrinth")
        #expect(try settings() == ["automerge": 4, "hashsize": 1 << 20])
        #expect(try notebook.search.hits("labyrinth").count == 1)
        try test.expectSound()
    }

    @Test func `the conditions of the tables hold again afterwards, also where the transaction failed`() throws {
        func expectConditions() {
            #expect(throws: (any Error).self) {
                try notebook.write { try $0.run("UPDATE container SET name = ' ' WHERE id = 1") }
            }
        }
        try make("a labyrinth")
        expectConditions()
        #expect(throws: (any Error).self) { try make("a maze") { throw Stop() } }
        expectConditions()
    }

    @Test func `a transaction that fails leaves the search index as it was`() throws {
        let before = try settings()
        #expect(throws: (any Error).self) { try make("a labyrinth") { throw Stop() } }
        #expect(try settings() == before)
        try test.note("a maze")
        #expect(try notebook.search.hits("labyrinth").isEmpty)
        #expect(try notebook.search.hits("maze").count == 1)
        try test.expectSound()
    }

    @Test func `words of notes that were prepared at the same time are stored once`() throws {
        let texts = ["running runners", "runners running", "unseen words"]
        let prepared = texts.map { IndexedWords(title: "", text: $0, unknownTo: notebook.termCache) }
        for (text, words) in zip(texts, prepared) {
            try notebook.write { transaction in
                _ = try transaction.insertNote(
                    NewNote(text: text), facts: TextFacts(of: text, title: nil), words: words)
            }
        }
        let terms = try notebook.read {
            try Row.fetchAll($0, sql: "SELECT length, term FROM search_term ORDER BY term").map {
                "\($0[0] as Int) \($0[1] as String)"
            }
        }
        #expect(terms == ["7 runners", "7 running", "6 unseen", "5 words"])
        try test.expectSound()
    }

    /// Makes notes of few names with links between them, in a notebook with a folder `Home`.
    private func linkedNotes(_ count: Int, in home: ContainerID, _ random: inout SeededGenerator) -> [NewNote] {
        let names = ["a", "b", "c", "d", "Home/a", "e#f", "e"]
        let ids = (0..<count).map { NoteID(derivedFrom: "note \($0)") }
        return ids.map { id in
            let title = random.pick(names)
            var text = random.chance(20) ? "---\naliases: [\(random.pick(names))]\n---\n" : ""
            for _ in 0..<random.below(5) {
                switch random.below(4) {
                case 0: text += "[x](\(random.pick(ids).url)) "
                case 1: text += "[[Home/\(random.pick(names))]] "
                case 2: text += "![[\(random.pick(names))#g]] "
                default: text += "[[\(random.pick(names))]] "
                }
            }
            return NewNote(
                text: text, title: title, folder: random.chance(30) ? home : .inbox,
                created: Date(milliseconds: Int64(random.below(4))), id: id)
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>) func `links of many new notes lead where those of single ones would`(
        seed: UInt64
    ) throws {
        let single = try TestNotebook()
        func destinations(_ test: TestNotebook, makes: (Notebook, [NewNote]) throws -> Void) throws -> [String] {
            var random = SeededGenerator(seed: seed)
            let notebook = test.notebook
            let home = try notebook.folders.create("Home").id
            let notes = linkedNotes(180, in: home, &random)
            // The links of the first ones lead to some of the others.
            for note in notes[..<40] { try notebook.notes.create(note) }
            try makes(notebook, Array(notes[40...]))
            try test.expectSound()
            return try notebook.read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT source.uuid, ordinal, target, ifnull(found.uuid, '')
                        FROM note_link JOIN note AS source ON source.id = source
                            LEFT JOIN note AS found ON found.id = destination
                        ORDER BY source.uuid, ordinal
                        """
                ).map { "\($0[0] as String) \($0[1] as Int) \($0[2] as String) \($0[3] as String)" }
            }
        }
        let many = try destinations(test) { try $0.notes.create($1) }
        let one = try destinations(single) { notebook, notes in for note in notes { try notebook.notes.create(note) } }
        #expect(many == one)
        #expect(many.count > 200)
    }

    @Test func `an image that many new notes have shown goes with them, though it was just added`() throws {
        let image = try notebook.images.add(TransferTests.png, name: "a")
        let new = (0..<120).map { NewNote(text: "\(image.getMarkdown()) \($0)") }
        let notes = try notebook.notes.create(new).map(\.id)
        try notebook.trash.add(Array(notes[1...]))
        try notebook.trash.empty(backup: false)
        #expect(try notebook.images.load(image.imageUUID) != nil)
        try notebook.trash.add([notes[0]])
        try notebook.trash.empty(backup: false)
        #expect(try notebook.images.load(image.imageUUID) == nil)
    }

    @Test func `undoing an import leaves notes that went to Trash before its end`() throws {
        let folder = test.folder.path + "/files"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["a", "b", "c"] { try Data(name.utf8).write(to: URL(filePath: "\(folder)/\(name).md")) }
        try notebook.actions.recordingImport { made in
            _ = try notebook.transfer.importFiles(ImportPlan(paths: [folder]), made: made)
            try notebook.trash.add([notebook.notes.resolve(reference: "b").id])
        }
        #expect(try notebook.lists.count(ListQuery(container: .trash)) == 1)
        _ = try notebook.actions.undo()
        #expect(try notebook.lists.count(ListQuery(container: .trash)) == 3)
        _ = try notebook.actions.redo()
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 2)
        try test.expectSound()
    }
}
