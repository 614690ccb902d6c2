import Foundation
import Testing

@testable import NoteStore

/// Tests exports of other programs in which one note is broken, so that the others come in and it is named.
@Suite struct BrokenExportTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    private func take(_ name: String, _ text: String) throws -> ImportResult {
        try write(name, text)
        return try take(name.hasPrefix("Keep/") ? "Keep" : name)
    }

    private func expectNamed(_ result: ImportResult, _ name: String) {
        #expect(result.problems.map(\.reason) == [.brokenCharacters])
        #expect(result.problems.first?.path.hasSuffix(name) == true, "\(result)")
        #expect(result.problems.allSatisfy { $0.isRemark })
    }

    @Test func `one half of a character in Simplenote's export is replaced in its note`() throws {
        let json = #"""
            {"activeNotes":[
            {"id":"1","content":"Cut\r\nsmile \ud83d and \uDE00, whole \ud83d\ude00, written \\ud83d"},
            {"id":"2","content":"Whole \ufffd"}],"trashedNotes":[{"content":"Gone \udfff"}]}
            """#
        let result = try take("notes.json", json)
        #expect(result.noteImportCount == 2)
        #expect(result.problems.map(\.reason) == [.inItsTrash, .brokenCharacters])
        #expect(result.problems.last?.path.hasSuffix("notes.json (Cut)") == true)
        #expect(try text("Cut") == "Cut\nsmile \u{FFFD} and \u{FFFD}, whole 😀, written \\ud83d")
        #expect(try text("Whole \u{FFFD}") == "Whole \u{FFFD}")
    }

    @Test(arguments: ["{\"a\":\"\\", "\\", "\\u", "\\ud800", "[{\"content\":\"\\ud8"])
    func `a file that ends in an escape is refused and ends no program`(json: String) throws {
        for name in ["notes.json", "Standard Notes Backup and Import File.txt", "Keep/a.json"] {
            let file = try write("cut \(UUID())/\(name)", json)
            // Whether it is refused or taken for a plain text depends on its name.
            let sources = (try? ImportSource.sources([file])) ?? []
            for source in sources { _ = try? notebook.transfer.importFiles(source) }
        }
        try test.expectSound()
    }

    @Test func `so it is in Standard Notes' backup`() throws {
        let json = #"""
            {"items":[{"uuid":"00000000-0000-4000-8000-000000000001","content_type":"Note",
            "content":{"title":"Cut \ud83d","text":"x","references":[]}}]}
            """#
        expectNamed(try take("backup.txt.json", json), "(Cut \u{FFFD})")
        #expect(try text("Cut \u{FFFD}") == "x")
    }

    @Test func `so it is in a note of Keep`() throws {
        let json = #"""
            {"isTrashed":false,"title":"Cut","textContent":"a \ud83d b","userEditedTimestampUsec":1,
            "createdTimestampUsec":1}
            """#
        expectNamed(try take("Keep/Cut.json", json), "Keep/Cut.json")
        #expect(try text("Cut") == "a \u{FFFD} b\n")
    }

    @Test func `a note of Keep that is too large is named, whether it is alone or not`() throws {
        let folder = inputs + "/Keep"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let large = folder + "/Large.json"
        try #require(FileManager.default.createFile(atPath: large, contents: Data("{\"isTrashed\":false,".utf8)))
        try #require(truncate(large, ImportFile.limit + 1) == 0)
        let reason = ImportProblem.Reason.tooLarge(bytes: ImportFile.limit + 1, limit: ImportFile.limit)
        var result = try take(folder)
        #expect(result.noteImportCount == 0 && result.problems.map(\.reason) == [reason], "\(result)")
        result = try take(
            "Keep/Small.json",
            #"{"isTrashed":false,"title":"S","textContent":"a","userEditedTimestampUsec":1,"createdTimestampUsec":1}"#)
        #expect(result.noteImportCount == 1 && result.problems.map(\.reason) == [reason], "\(result)")
        #expect(result.problems.first?.path.hasSuffix("Keep/Large.json") == true)
    }

    /// Notion puts a large export into several zips, and those into another one.
    @Test func `a damaged part of an export is named, and the notes of the other parts come in`() throws {
        let page = "Page 0123456789abcdef0123456789abcdef.md"
        let whole = ArchiveBuilder.zip([.init(page, "# Page\n\nwords\n")])
        var other = ArchiveBuilder.zip([.init("Part-1.zip", Data("xxxx".utf8) + whole), .init("Part-2.zip", whole)])
        // The bytes of the first part no longer have their checksum.
        let start = try #require(other.firstRange(of: Data("xxxx".utf8))).lowerBound
        other[start] = 0
        let result = try take(try write("export.zip", other))
        #expect(result.noteImportCount == 1 && result.problems.count == 1, "\(result)")
        #expect(result.problems.first?.reason == .damagedArchive)
        #expect(result.problems.first?.path.hasSuffix("/export.zip/Part-1.zip") == true)
        #expect(try text("Page") == "# Page\n\nwords\n")
        // One that is whole, and no zip.
        let odd = ArchiveBuilder.zip([.init("Part-1.zip", "odd"), .init("Part-2.zip", whole)])
        #expect(try take(try write("odd.zip", odd)).problems.count == 1)
        for name in ["odd", "xxxx"] {
            let broken = try write("\(name).zip", ArchiveBuilder.zip([.init("Part-1.zip", name)]))
            #expect(throws: StoreError.damagedArchive(path: broken)) { try ImportSource.sources([broken]) }
        }
    }

    @Test func `an export whose only file is damaged is refused by name`() throws {
        var archive = ArchiveBuilder.zip([.init("Standard Notes Backup and Import File.txt", "{\"items\":[]}")])
        let start = try #require(archive.firstRange(of: Data("{\"items".utf8))).lowerBound
        archive[start] = 0
        let file = try write("backup.zip", archive)
        #expect(throws: StoreError.damagedArchive(path: file)) { try ImportSource.sources([file]) }
    }
}
