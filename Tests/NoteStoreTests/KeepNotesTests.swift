import Foundation
import Testing

@testable import NoteStore

/// Tests notes of Google Keep that are given by themselves, without their folder.
@Suite struct KeepNotesTests {
    private let test: TestNotebook

    init() throws { test = try TestNotebook() }

    private func write(_ name: String, _ data: Data) throws -> String {
        let path = test.folder.path + "/" + name
        try data.write(to: URL(filePath: path))
        return path
    }

    private func note(_ title: String) throws -> String {
        let json = """
            {"color":"DEFAULT","isTrashed":false,"isPinned":false,"isArchived":false,"title":"\(title)",
            "textContent":"text of \(title)","attachments":[{"filePath":"p.png","mimetype":"image/png"}],
            "userEditedTimestampUsec":1700000000000000,"createdTimestampUsec":1600000000000000}
            """
        return try write(title + ".json", Data(json.utf8))
    }

    @Test func `single notes come in with the pictures beside them, and nothing else`() throws {
        let paths = [try note("One"), try note("Two")]
        _ = try note("Three")
        _ = try write("p.png", TransferTests.png)
        #expect(paths.allSatisfy(ImportSource.isExport))
        let sources = try ImportSource.sources(paths)
        #expect(sources.count == 1)
        let result = try test.notebook.transfer.importFiles(try #require(sources.first))
        #expect(result.noteImportCount == 2 && result.problems.isEmpty && result.leftOut.isEmpty)
        #expect(result.imageCount == 1)
        let one = try test.notebook.notes.resolve(reference: "One")
        #expect(one.createdDate == Date(timeIntervalSince1970: 1_600_000_000))
        let again = try ImportSource.sources(paths).map {
            try test.notebook.transfer.importFiles($0, ImportOptions(skipsUnchanged: true))
        }
        #expect(again.map(\.unchangedCount) == [2])
    }

    @Test func `a packed tar of Takeout is read, and a damaged or cut one is refused by name`() throws {
        let json =
            #"{"isTrashed":false,"isArchived":false,"title":"Packed","textContent":"text","userEditedTimestampUsec":1}"#
        let tar = [UInt8](ArchiveBuilder.tar([.init("Takeout/Keep/Packed.json", json)]))
        func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        // Flag 8: the name of the packed file follows.
        let packed: [UInt8] =
            [0x1F, 0x8B, 8, 8, 0, 0, 0, 0, 0, 3] + Array("x.tar".utf8) + [0] + Deflate.pack(tar)
            + number(Int(CRC32.of(tar))) + number(tar.count)
        let path = try write("takeout-1.TGZ", Data(packed))
        #expect(ImportSource.isExport(path))
        let source = try #require(try ImportSource.sources([path]).first)
        #expect(try test.notebook.transfer.importFiles(source).noteImportCount == 1)
        #expect(try test.notebook.notes.resolve(reference: "Packed").title == "Packed")
        var damaged = packed
        damaged[damaged.count - 5] ^= 1
        for (name, bytes) in [("damaged.tgz", damaged), ("cut.tar.gz", Array(packed.prefix(40)))] {
            let path = try write(name, Data(bytes))
            #expect(throws: StoreError.damagedArchive(path: path)) { try ImportSource.sources([path]) }
        }
        #expect(!ImportSource.isExport(try write("text.gz", Data(packed))))
    }

    @Test func `other JSON is no note of Keep`() throws {
        let path = try write("other.json", Data(#"{"isTrashed": 1}"#.utf8))
        #expect(!ImportSource.isExport(path))
        #expect(KeepNotes.single("missing.json") == nil)
    }
}
