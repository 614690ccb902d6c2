import Foundation
import GRDB
import SeededRandom
import Testing

@testable import NoteStore

/// Tests that the readable parts of a damaged file are recovered.
@Suite struct SalvageTests {
    private let folder: URL
    private let path: String
    /// The texts of the template by note identity.
    private let texts: [NoteID: String]

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "tn-salvage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "notes.sqlite").path
        let notebook = try Notebook.open(path, mode: .command)
        let inner = try notebook.folders.create("Inner", in: try notebook.folders.create("Outer").id)
        let tag = try notebook.tags.create("tag")
        var texts: [NoteID: String] = [:]
        for index in 0..<60 {
            let text = "note \(index)\n" + String(repeating: "text \(index) ", count: index % 7 == 0 ? 2000 : 20)
            let row = try notebook.notes.create(
                NewNote(text: text, folder: index % 2 == 0 ? inner.id : .inbox, tags: index % 5 == 0 ? [tag.id] : []))
            texts[row.id] = text
        }
        self.texts = texts
        try notebook.close(checkpointing: true)
    }

    private func removeFolder() { try? FileManager.default.removeItem(at: folder) }  // the system removes leftovers

    /// Damages the file, repairs it as `tn doctor` does, and returns the number of intact texts.
    private func saved(_ name: String, _ damage: (inout Data) -> Void) throws -> Int {
        let copy = folder.appending(path: name + ".sqlite").path
        var data = try Data(contentsOf: URL(filePath: path))
        damage(&data)
        try data.write(to: URL(filePath: copy))
        defer { try? FileManager.default.removeItem(atPath: copy) }  // otherwise removed with the folder
        var isSound = false
        do {
            let notebook = try Notebook.open(copy, mode: .command)
            isSound = try notebook.care.repair().left.isEmpty
            try notebook.close(checkpointing: true)
        } catch {
            // The file must be repaired row by row.
        }
        if !isSound { _ = try Notebook.Care.repairDamaged(copy) }
        let notebook = try Notebook.open(copy, mode: .command)
        let problems = try notebook.care.check()
        #expect(problems.isEmpty, "\(name): \(problems.prefix(3))")
        var found = Set<String>()
        let query = "SELECT note, text FROM note_text"
        for row in try notebook.read({ try Row.fetchAll($0, sql: query) }) { found.insert(row[1]) }
        _ = try notebook.search.hits("text")
        try notebook.close(checkpointing: true)
        return texts.values.count { found.contains($0) }
    }

    @Test func `a sound file gives everything`() throws {
        defer { removeFolder() }
        let copy = folder.appending(path: "saved.sqlite").path
        let before = try Notebook.open(path, mode: .command)
        let id = try before.notebookID()
        let report = try Notebook.Care.salvage(path, into: copy)
        #expect(report.notes == 60 && report.damagedNotes == 0 && report.containers == 3)
        let after = try Notebook.open(copy, mode: .command)
        #expect(try after.notebookID() == id)
        #expect(try after.containers.all().map(\.name) == before.containers.all().map(\.name))
        for (id, text) in texts {
            #expect(try after.notes.text(id) == text)
            let (row, old) = (try after.notes.row(id), try before.notes.row(id))
            #expect(row?.folder == old?.folder && row?.tagNames == old?.tagNames && row?.title == old?.title)
        }
        #expect(try after.care.check().isEmpty)
    }

    @Test func `what is only in the log is read too`() throws {
        defer { removeFolder() }
        let notebook = try Notebook.open(path)
        try notebook.notes.create(NewNote(text: "only in the log"))
        let copy = folder.appending(path: "saved.sqlite").path
        #expect(try Notebook.Care.salvage(path, into: copy).notes == 61)
        try notebook.close()
    }

    @Test func `a log that cannot be read ends the salvage, since the newest texts may be in it alone`() throws {
        defer { removeFolder() }
        let damaged = folder.appending(path: "damaged.sqlite").path
        try FileManager.default.copyItem(atPath: path, toPath: damaged)
        try FileManager.default.createDirectory(atPath: damaged + "-wal", withIntermediateDirectories: false)
        let copy = folder.appending(path: "saved.sqlite").path
        #expect(throws: StoreError.system(path: damaged + "-wal", errno: ENOTSUP)) {
            try Notebook.Care.salvage(damaged, into: copy)
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func `a lost schema costs no text`() throws {
        defer { removeFolder() }
        #expect(try saved("schema") { $0.replaceSubrange(0..<4096, with: Data(count: 4096)) } == 60)
        #expect(try saved("header") { $0.replaceSubrange(0..<100, with: Data(repeating: 0xAA, count: 100)) } == 60)
    }

    @Test func `a damaged index costs no text`() throws {
        defer { removeFolder() }
        let queue = try DatabaseQueue(path: path)
        let root = try queue.read {
            try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'note_titleKey'")
        }
        try queue.close()
        let start = try #require(root).advanced(by: -1) * 4096
        #expect(
            try saved("index") { $0.replaceSubrange(start..<start + 4096, with: Data(repeating: 7, count: 4096)) } == 60
        )
        #expect(try saved("entry") { $0[start + 4090] ^= 0x20 } == 60)
    }

    /// Creates another notebook, whose notes have the same numbers as the template's.
    private func otherNotebook() throws -> (path: String, texts: Set<String>) {
        let path = folder.appending(path: "other.sqlite").path
        let other = try Notebook.open(path, mode: .command)
        var texts: Set<String> = []
        // Few enough that the log is not checkpointed.
        for index in 0..<20 {
            let text = "other \(index)\n" + String(repeating: "words \(index) ", count: 30)
            _ = try other.notes.create(NewNote(text: text))
            texts.insert(text)
        }
        // All of it is in the log.
        try other.close(checkpointing: false)
        return (path, texts)
    }

    private func repairedTexts(_ path: String) throws -> Set<String> {
        _ = try Notebook.Care.repairDamaged(path)
        let notebook = try Notebook.open(path, mode: .command)
        #expect(try notebook.care.check().isEmpty)
        let texts = try notebook.read { try String.fetchSet($0, sql: "SELECT text FROM note_text") }
        try notebook.close(checkpointing: true)
        return texts
    }

    @Test func `a log of another notebook costs no text of either`() throws {
        defer { removeFolder() }
        let other = try otherNotebook()
        #expect(!Notebook.Care.isMixed(path))
        try FileManager.default.copyItem(atPath: other.path + "-wal", toPath: path + "-wal")
        #expect(Notebook.Care.isMixed(path))
        let found = try repairedTexts(path)
        let lost = (other.texts.subtracting(found).count, Set(texts.values).subtracting(found).count)
        #expect(lost.0 == 0 && lost.1 == 0)
    }

    @Test(arguments: [true, false])
    func `a file of which the first half is another notebook's gives what is in it`(otherFirst: Bool) throws {
        defer { removeFolder() }
        let other = try otherNotebook()
        let notebook = try Notebook.open(other.path, mode: .command)
        try notebook.close(checkpointing: true)
        var parts = [try Data(contentsOf: URL(filePath: other.path)), try Data(contentsOf: URL(filePath: path))]
        if !otherFirst { parts.reverse() }
        let half = parts[0].count / 8192 * 4096
        let mixture = parts[0].prefix(half) + parts[1].dropFirst(half)
        let mixed = folder.appending(path: "mixed.sqlite").path
        try mixture.write(to: URL(filePath: mixed))
        let found = try repairedTexts(mixed)
        // Short texts are stored next to their row. The remains of a row that was moved to a page of the other half are
        // not a row.
        let short = other.texts.union(texts.values).filter { $0.utf8.count < 800 }
        let there = short.filter { mixture.range(of: Data($0.utf8)) != nil }
        let lost = there.subtracting(found)
        #expect(there.count > 10 && lost.count * 3 <= there.count, "\(lost.count) of \(there.count) are lost")
    }

    /// `TN_FAULTS=all` damages enough files to include rare cases.
    private static let damages = ProcessInfo.processInfo.environment["TN_FAULTS"] == "all" ? 210 : 30

    @Test(arguments: 0..<damages)
    func `random damage costs what it hits`(seed: Int) throws {
        defer { removeFolder() }
        var chance = SeededGenerator(seed: UInt64(seed))
        let pages = Int(DiskFile.size(of: path) / 4096)
        let whole: Int
        switch seed % 5 {
        case 0:
            whole = try saved("cut \(seed)") { $0.removeLast(4096 * Int.random(in: 1...4, using: &chance)) }
            #expect(whole >= 20)
        case 1:
            whole = try saved("flips \(seed)") { data in
                for _ in 0..<4 {
                    data[Int.random(in: 100..<data.count, using: &chance)] ^=
                        1 << UInt8.random(in: 0..<8, using: &chance)
                }
            }
            #expect(whole >= 45)
        case 2:
            let page = Int.random(in: 0..<pages, using: &chance)
            whole = try saved("page \(seed)") { data in
                for place in page * 4096..<(page + 1) * 4096 { data[place] = UInt8.random(in: 0...255, using: &chance) }
            }
            #expect(whole >= 30)
        case 3:
            let page = Int.random(in: 0..<pages, using: &chance)
            whole = try saved("zeros \(seed)") {
                $0.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(count: 4096))
            }
            #expect(whole >= 30)
        default:
            whole = try saved("bytes \(seed)") { data in
                for place in stride(from: 4000, to: data.count, by: 16_001) { data[place] ^= 0xFF }
            }
            #expect(whole >= 20)
        }
    }

    @Test func `a stranger's triggers and circles are put right`() throws {
        defer { removeFolder() }
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
            try db.execute(
                sql: """
                    DROP TRIGGER container_move;
                    UPDATE container SET parent = (SELECT id FROM container WHERE name = 'Inner') WHERE name = 'Outer';
                    CREATE TRIGGER evil AFTER UPDATE ON note BEGIN DELETE FROM note_text; END;
                    DROP VIEW notes; CREATE VIEW notes AS SELECT 1;
                    """)
        }
        try queue.close()
        let notebook = try Notebook.open(path, mode: .command)
        #expect(try notebook.care.check().contains { $0.detail.hasSuffix("evil") })
        let report = try notebook.care.repair()
        #expect(report.left.isEmpty, "\(report.left)")
        for (id, text) in texts { #expect(try notebook.notes.text(id) == text) }
        try notebook.close(checkpointing: true)
    }
}
