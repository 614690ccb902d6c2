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

    @Test func `other JSON is no note of Keep`() throws {
        let path = try write("other.json", Data(#"{"isTrashed": 1}"#.utf8))
        #expect(!ImportSource.isExport(path))
        #expect(KeepNotes.single("missing.json") == nil)
    }
}
