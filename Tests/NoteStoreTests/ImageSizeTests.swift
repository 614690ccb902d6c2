import Foundation
import Testing

@testable import NoteStore

/// Tests that the sizes in which Obsidian shows images come in and go out again.
@Suite struct ImageSizeTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private let folder: String

    init() throws {
        test = try TestNotebook()
        folder = test.folder.path + "/vault"
        try FileManager.default.createDirectory(atPath: folder + "/.obsidian", withIntermediateDirectories: true)
        for name in ["p.png", "q.png"] {
            try (TransferTests.png + Data(name.utf8)).write(to: URL(filePath: folder + "/" + name))
        }
        try Data("<svg/>".utf8).write(to: URL(filePath: folder + "/i.svg"))
    }

    /// Imports a note of the vault, and exports it into another vault.
    private func passed(_ text: String) throws -> (inside: String, out: String) {
        try Data(text.utf8).write(to: URL(filePath: folder + "/A.md"))
        for source in try ImportSource.sources([folder]) { _ = try notebook.transfer.importFiles(source) }
        let inside = try notebook.notes.text(notebook.notes.resolve(reference: "A").id) ?? ""
        let out = test.folder.path + "/out"
        _ = try notebook.transfer.export(to: out, ExportOptions(format: .vault))
        let written = try String(contentsOfFile: out + "/vault/A.md", encoding: .utf8)
        return (inside.replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "ID"), written)
    }

    @Test(arguments: [
        ("![[p.png|100]]", "![p.png|100](takenote://image/ID)"),
        ("![[p.png|100x50]]", "![p.png|100x50](takenote://image/ID)"),
        ("![[i.svg|20]]", "![i.svg|20](takenote://file/ID)"),
        ("![[p.png]]", "![p.png](takenote://image/ID)"),
        ("| ![[p.png\\|100]] | b |\n|---|---|", "| ![p.png\\|100](takenote://image/ID) | b |\n|---|---|"),
    ]) func `an embedded image keeps its size, inside and in another vault`(written: String, wanted: String) throws {
        let (inside, out) = try passed(written)
        #expect(inside == wanted)
        #expect(out == written)
        let stored = written.contains("svg") ? "i.svg" : "p.png"
        #expect(FileManager.default.fileExists(atPath: test.folder.path + "/out/attachments/" + stored))
    }

    @Test func `an image by address keeps the size in its text, and a caption stays one`() throws {
        let (inside, out) = try passed("![A dot|100](p.png) ![[q.png|A q|20]]")
        #expect(inside == "![A dot|100](takenote://image/ID) ![A q|20](takenote://image/ID)")
        #expect(out.contains("![A dot|100](../attachments/") && out.contains(" ![A q|20](../attachments/"))
    }

    @Test func `two images of one name get names of their own`() throws {
        try FileManager.default.createDirectory(atPath: folder + "/Sub", withIntermediateDirectories: true)
        try (TransferTests.png + Data("other".utf8)).write(to: URL(filePath: folder + "/Sub/p.png"))
        try Data("![[p.png|30]]".utf8).write(to: URL(filePath: folder + "/Sub/B.md"))
        let (_, out) = try passed("![[p.png|100]]")
        let other = try String(contentsOfFile: test.folder.path + "/out/vault/Sub/B.md", encoding: .utf8)
        #expect(Set([out, other]) == ["![[p.png|100]]", "![p.png|30](../../attachments/p%202.png)"])
    }
}
