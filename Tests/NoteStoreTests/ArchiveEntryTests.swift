import Foundation
import Testing

@testable import NoteStore

/// Tests entries of archives that are named in an old encoding, or that are no files.
@Suite struct ArchiveEntryTests {
    private typealias File = ArchiveBuilder.File

    private let test: TestNotebook

    init() throws { test = try TestNotebook() }

    private func take(_ name: String, _ archive: Data) throws -> ImportResult {
        let path = test.folder.path + "/" + name
        try archive.write(to: URL(filePath: path))
        let source = try #require(try ImportSource.sources([path]).first)
        return try test.notebook.transfer.importFiles(source)
    }

    @Test func `a name in the encoding of MS-DOS keeps its characters`() throws {
        var file = File("", "text")
        file.nameBytes = Data([0x94, 0x6C, 0x20, 0xE1, 0x2E, 0x6D, 0x64])
        #expect(try take("dos.zip", ArchiveBuilder.zip([file])).problems.isEmpty)
        #expect(try test.notebook.notes.resolve(reference: "öl ß").title == "öl ß")
    }

    @Test func `a link in a zip is named and becomes no note`() throws {
        var link = File("link.md", "/etc/passwd")
        link.mode = 0o120777
        var note = File("note.md", "text")
        note.mode = 0o100644
        var hidden = File(".git/link", "elsewhere")
        hidden.mode = 0o120777
        let result = try take("links.zip", ArchiveBuilder.zip([link, note, hidden]))
        #expect(result.noteImportCount == 1 && result.problems.map(\.reason) == [.notRegular])
        #expect(result.problems.first?.path.hasSuffix("links.zip/link.md") == true)
    }
}
