import Foundation
import Testing

@testable import NoteStore

/// Tests the files and folders of Joplin's exports, and names that other systems write in another form.
@Suite struct JoplinFileTests: ImportSuite {
    let test: TestNotebook
    private typealias File = ArchiveBuilder.File

    init() throws { test = try TestNotebook() }

    private static func id(_ digit: String) -> String { String(repeating: digit, count: 32) }

    @Test func `Joplin's attachments come with their titles, also those whose items have no extension`() throws {
        func item(_ digit: String, _ title: String, _ fileExtension: String) -> File {
            File(
                "\(Self.id(digit)).md",
                "\(title)\n\nid: \(Self.id(digit))\nmime: x\nfile_extension: \(fileExtension)\ntype_: 4")
        }
        let links = "![](:/\(Self.id("c"))) [p](:/\(Self.id("d"))#page=2) [q](:/\(Self.id("e"))) [r](:/\(Self.id("f")))"
        let tar = ArchiveBuilder.tar([
            File("\(Self.id("a")).md", "Cake\n\n\(links)\n\nid: \(Self.id("a"))\ntype_: 1"),
            item("c", "", ""), item("d", "Paper.pdf", "pdf"), item("e", "Song", ""), item("f", "a.b", ""),
            File("resources/\(Self.id("c")).png", TransferTests.png), File("resources/\(Self.id("d")).pdf", "paper"),
            File("resources/\(Self.id("e")).mp3", "song"), File("resources/\(Self.id("f"))", "data"),
        ])
        let path = try write("all.jex", tar)
        let result = try take(path)
        #expect(result.imageCount == 1 && result.fileCount == 3 && result.problems.isEmpty, "\(result.toString())")
        let file = "takenote://file/<ID>"
        #expect(try text("Cake") == "![](takenote://image/<ID>) [p](\(file)#page=2) [q](\(file)) [r](\(file))")
        let names = try notebook.attachments.all().map(\.name)
        #expect(Set(names) == ["Paper.pdf", "Song.mp3", "a.b"])
        #expect(try take(path).unchangedCount == 1)
    }

    @Test func `a folder has its name in the composed form, so that an export and an import keep it`() throws {
        let name = "Wo\u{308}chentlich"
        try write("vault/\(name)/A.md", "a")
        _ = try take("vault")
        let row = try row("A")
        #expect(row.folderName.utf8.elementsEqual("W\u{F6}chentlich".utf8))
        let out = test.folder.path + "/out"
        _ = try notebook.transfer.export(to: out, ExportOptions())
        let other = try TestNotebook()
        let source = try #require(try ImportSource.sources([out]).first)
        _ = try other.notebook.transfer.importFiles(source)
        #expect(try other.notebook.notes.row(row.id)?.folderName.utf8.elementsEqual(row.folderName.utf8) == true)
    }
}
