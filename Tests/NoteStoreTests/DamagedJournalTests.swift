import Foundation
import GRDB
import Load
import SystemPackage
import Testing
import TextEditing

@testable import NoteStore

/// Tests journals that are damaged, cut off or of another form.
@Suite(.underLoad) struct DamagedJournalTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    @Test func `pieces whose place is lost are kept when the replay is broken off and begun again`() throws {
        let row = try test.note("one\n")
        let typist = try Typist(notebook)
        for word in ["first ", "second ", "third "] { try typist.type(word, into: row.id) }
        typist.die()
        var damaged = Data(try test.bytes(of: typist.journal.path))
        let place = try #require(damaged.firstRange(of: Data("second".utf8)))
        damaged[place.lowerBound] ^= 0xFF
        try damaged.write(to: URL(filePath: typist.journal.path))
        try notebook.database.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER fails BEFORE INSERT ON note WHEN NEW.title LIKE '%(recovered)%' BEGIN
                        SELECT RAISE(ABORT, 'fails');
                    END
                    """)
        }
        #expect(try notebook.journal.replay().problems.count == 1)
        try notebook.database.write { try $0.execute(sql: "DROP TRIGGER fails") }
        let report = try notebook.journal.replay()
        #expect(try notebook.notes.text(row.id) == "one\nfirst ")
        #expect(report.copies.count == 1 && report.setAside.count == 1)
        #expect(try report.copies.first.flatMap { try notebook.notes.text($0.id) } == "third ")
    }

    @Test func `a text without an edit is not told as recovered`() throws {
        let row = try test.note("one")
        let journal = try notebook.journal.open()
        journal.rebase(row.id, revision: 1, base: TextBuffer("one"), pending: nil)
        try journal.write { _ in nil }
        journal.abandon()
        #expect(try notebook.journal.replay().isEmpty)
        #expect(try test.sessionFiles().isEmpty)
    }

    @Test func `a journal is abandoned once its program has ended, and not before`() throws {
        let row = try test.note("one")
        let journal = try notebook.journal.open()
        journal.rebase(row.id, revision: 1, base: TextBuffer("one"), pending: nil)
        try journal.write { _ in nil }
        #expect(try notebook.journal.abandoned().isEmpty)
        journal.abandon()
        #expect(try notebook.journal.abandoned().count == 1)
    }

    @Test func `a number that no text can have does not end the replay`() {
        var bytes: [UInt8] = []
        JournalFormat.encode(
            Edit([Edit.Replacement(start: ByteOffset(.max), removed: "", inserted: "text")]), to: &bytes)
        var text = RecoveredText(note: NoteID())
        text.addPieces(of: bytes)
        #expect(text.pieces == "text")
    }

    @Test func `one journal that cannot be read keeps no other from being replayed`() throws {
        let row = try test.note("one")
        let typist = try Typist(notebook)
        try typist.type(" two", into: row.id)
        typist.die()
        let folder = notebook.journal.folder
        try Data("no journal at all".utf8).write(to: URL(filePath: "\(folder)/00000000-AAAA.journal"))
        try Data(repeating: 7, count: 9000).write(to: URL(filePath: "\(folder)/00000000-BBBB.sqlite"))
        try FileManager.default.createDirectory(
            atPath: "\(folder)/00000000-CCCC.journal", withIntermediateDirectories: true)
        try test.restart()
        #expect(try test.notebook.notes.text(row.id) == "one two")
        #expect(test.notebook.recovered.replay.setAside.count == 2)
        #expect(test.notebook.recovered.replay.problems.count == 1)
        #expect(try test.notebook.journal.damaged().count == 2)
        try test.restart()
        #expect(test.notebook.recovered.replay.setAside.isEmpty)
    }

    @Test func `wherever a journal is damaged, what is whole in it comes back, and the rest is set aside`() throws {
        let first = try test.note("first\n")
        let second = try test.note("second\n")
        let typist = try Typist(notebook)
        for index in 10..<20 {
            try typist.type("w\(index) ", into: first.id)
            try typist.type("v\(index) ", into: second.id)
        }
        typist.die()
        let whole = try test.bytes(of: typist.journal.path)
        for position in stride(from: 0, to: whole.count, by: 7) {
            let other = try TestNotebook()
            for row in [first, second] {
                try other.notebook.notes.create(NewNote(text: row.title + "\n", id: row.id))
            }
            var damaged = whole
            damaged[position] ^= 0x41
            try FileManager.default.createDirectory(
                atPath: other.notebook.journal.folder, withIntermediateDirectories: true)
            let name = try #require(FilePath(typist.journal.path).lastComponent)
            let path = FilePath(other.notebook.journal.folder).appending(name)
            try Data(damaged).write(to: URL(filePath: path.string))
            let report = try other.notebook.journal.replay()
            #expect(report.setAside.count == 1, "byte \(position)")
            let rows = try other.notebook.lists.rows(ListQuery(container: .allNotes), limit: 100)
            let all = try rows.map { try other.notebook.notes.text($0.id) ?? "" }.joined(separator: "\n")
            let words = (10..<20).flatMap { ["w\($0)", "v\($0)"] }
            let missing = words.filter { !all.contains($0) }
            #expect(missing.count <= 1, "byte \(position): \(missing)")
        }
    }

    @Test func `a journal whose end was cut off is replayed up to there and is not damaged`() throws {
        let row = try test.note("")
        let typist = try Typist(notebook)
        for index in 0..<10 { try typist.type("\(index)", into: row.id) }
        typist.die()
        let whole = try test.bytes(of: typist.journal.path)
        for length in stride(from: 0, through: whole.count, by: 5) {
            let other = try TestNotebook()
            try other.notebook.notes.create(NewNote(text: "", id: row.id))
            try FileManager.default.createDirectory(
                atPath: other.notebook.journal.folder, withIntermediateDirectories: true)
            let name = try #require(FilePath(typist.journal.path).lastComponent)
            let path = FilePath(other.notebook.journal.folder).appending(name).string
            try Data(whole[..<length] + [UInt8](repeating: 0, count: length % 3 * 50)).write(to: URL(filePath: path))
            let report = try other.notebook.journal.replay()
            #expect(report.setAside.isEmpty && report.problems.isEmpty, "\(length)")
            #expect("0123456789".hasPrefix(try other.notebook.notes.text(row.id) ?? "?"), "\(length)")
            #expect(!DiskFile.exists(path))
        }
    }

    @Test func `a journal of a later form is left alone`() throws {
        let folder = notebook.journal.folder
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = "\(folder)/\(UUID().uuidString).journal"
        try Data("tn journal v2\n\0\0 and who knows what".utf8).write(to: URL(filePath: path))
        try test.restart()
        #expect(test.notebook.recovered.isEmpty)
        #expect(DiskFile.exists(path))
        // But it is told.
        #expect(try test.notebook.journal.ofNewerPrograms() == [path])
    }

    @Test func `a text cannot pass for a record`() throws {
        let row = try test.note("")
        let typist = try Typist(notebook)
        var forged: [UInt8] = []
        let edit = Edit(Edit.Replacement(start: 0, removed: "", inserted: "forged"))
        JournalFormat.appendEdit(
            edit, of: row.id, number: 2, after: 1, mark: JournalFormat.mark(ofSession: UUID()), to: &forged)
        try typist.type(String(decoding: forged, as: UTF8.self), into: row.id)
        typist.die()
        var bytes = try test.bytes(of: typist.journal.path)
        bytes[JournalFormat.mark.count + 9] ^= 1
        let contents = JournalContents(bytes, session: try #require(UUID(uuidString: typist.journal.id)))
        #expect(contents.notes.map(\.edits.count) == [1])
    }

    @Test func `the checksum is CRC-32C, whatever the pieces`() {
        let digits = Array("123456789".utf8)
        #expect(digits.withUnsafeBytes { Checksum.of($0) } == 0xE306_9283)
        let bytes = (0..<100).map { UInt8($0) }
        let whole = bytes.withUnsafeBytes { Checksum.of($0) }
        for cut in 0...100 {
            var sum = Checksum()
            bytes[..<cut].withUnsafeBytes { sum.update($0) }
            bytes[cut...].withUnsafeBytes { sum.update($0) }
            #expect(sum.value == whole)
        }
    }
}
