import Foundation
import Testing

@testable import NoteStore

/// Tests files of every kind that notes refer to.
@Suite struct FileTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    @Test func `files of every kind come with the notes that refer to them, and go out with their names`() throws {
        let text = """
            ![[paper.pdf#page=2]] [film](media/a%20film.mp4) ![anim](x.gif) [[plan.canvas]] [[note.base|base]]
            [gone](none.zip) [web](https://x.org/a.pdf) ![[paper.pdf]] ![[drawing.excalidraw]] [b](b.md#c)
            """
        try write("A.md", Data(text.utf8))
        try write("b.md", Data("b".utf8))
        for name in ["paper.pdf", "media/a film.mp4", "x.gif", "plan.canvas", "note.base", "drawing.excalidraw"] {
            try write(name, Data("content of \(name)".utf8))
        }
        try write("unused.zip", Data("unused".utf8))
        let result = try take()
        #expect(result.fileCount == 6 && result.problems.isEmpty, "\(result.toString())")
        #expect(result.leftOut.map(\.examples) == [[inputs + "/unused.zip"]])
        let files = Dictionary(uniqueKeysWithValues: try notebook.attachments.all().map { ($0.name, $0) })
        #expect(
            Set(files.keys) == ["paper.pdf", "a film.mp4", "x.gif", "plan.canvas", "note.base", "drawing.excalidraw"])
        func url(_ name: String) -> String { files[name]?.url ?? "" }
        let a = try notebook.notes.resolve(reference: "A")
        let b = try notebook.notes.resolve(reference: "b")
        #expect(
            try notebook.notes.text(a.id) == """
                ![paper.pdf](\(url("paper.pdf"))#page=2) [film](\(url("a film.mp4"))) ![anim](\(url("x.gif"))) \
                [plan.canvas](\(url("plan.canvas"))) [base](\(url("note.base")))
                [gone](none.zip) [web](https://x.org/a.pdf) ![paper.pdf](\(url("paper.pdf"))) \
                ![drawing.excalidraw](\(url("drawing.excalidraw"))) [b](\(b.getURL())#c)
                """)
        #expect(files["paper.pdf"]?.noteCount == 1)
        let id = try #require(files["paper.pdf"]?.id)
        #expect(try notebook.attachments.data(of: id) == Data("content of paper.pdf".utf8))
        try test.expectSound()
        #expect(try take().unchangedCount == 2)
        let out = test.folder.path + "/out"
        #expect(try notebook.transfer.export(to: out, ExportOptions(frontMatter: true)).fileCount == 6)
        #expect(
            FileManager.default.contents(atPath: out + "/files/a film.mp4") == Data("content of media/a film.mp4".utf8))
        let other = try TestNotebook()
        let source = try #require(try ImportSource.sources([out]).first)
        #expect(try other.notebook.transfer.importFiles(source).fileCount == 6)
        let archive = try notebook.transfer.archive()
        let third = try TestNotebook()
        _ = try third.notebook.transfer.importArchive(archive)
        #expect(try third.notebook.transfer.archive() == archive)
        #expect(try third.notebook.attachments.all().map(\.noteCount) == [1, 1, 1, 1, 1, 1])
    }

    @Test(arguments: ["list.txt", "plan.md", "page.html"])
    func `a file that could be a note is a file again after an export and an import`(name: String) throws {
        let file = try notebook.attachments.add(Data("its words".utf8), name: name)
        try test.note("Q\n\n[\(name)](\(file.url))")
        let out = test.folder.path + "/out"
        _ = try notebook.transfer.export(to: out, ExportOptions(frontMatter: true))
        let other = try TestNotebook()
        let source = try #require(try ImportSource.sources([out]).first)
        let result = try other.notebook.transfer.importFiles(source)
        #expect(result.notes.count == 1 && result.fileCount == 1)
        #expect(try other.notebook.attachments.all().map(\.name) == [name])
    }

    @Test func `a file over the limit is named with its note, and its link stays as it is`() throws {
        try write("A.md", Data("![[big.pdf]] ![[small.pdf]]".utf8))
        try write("big.pdf", Data(count: 2_000))
        try write("small.pdf", Data(count: 900))
        let result = try take("", ImportOptions(skipsUnchanged: true, maximumFileSize: 1_000))
        let reason = ImportProblem.Reason.largeAttachment(name: "big.pdf", bytes: 2_000, limit: 1_000)
        #expect(result.problems.map(\.reason) == [reason])
        #expect(result.fileCount == 1)
        let a = try notebook.notes.resolve(reference: "A")
        #expect(try notebook.notes.text(a.id)?.hasPrefix("![[big.pdf]] ![small.pdf](takenote://file/") == true)
    }

    @Test func `copies of a file and of a picture have their names and bytes, for their owner alone`() throws {
        let folder = test.folder.path + "/copies"
        let file = try notebook.attachments.add(Data("words".utf8), name: "paper.pdf")
        let unnamed = try notebook.images.add(TransferTests.png, name: "p.png")
        try write("A.md", Data("![x](map.png)".utf8))
        try write("map.png", TransferTests.png + [0])
        _ = try take()
        let note = try notebook.notes.resolve(reference: "A")
        let named = try #require(try notebook.images.all(of: note.id).first)
        let paths = [
            try notebook.attachments.write(file.id, to: folder), try notebook.images.write(unnamed, to: folder),
            try notebook.images.write(named, to: folder), try notebook.images.write(named, to: folder),
        ]
        #expect(paths.map { URL(filePath: $0).lastPathComponent } == ["paper.pdf", "image.png", "map.png", "map.png"])
        let bytes = try paths.map { try Data(contentsOf: URL(filePath: $0)) }
        #expect(bytes == [Data("words".utf8), TransferTests.png, named.imageData, named.imageData])
        for path in paths {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func `a file is stored once, and goes when nothing refers to it any more`() throws {
        let one = try notebook.attachments.add(Data("same".utf8), name: "/some/where/one?.PDF")
        let two = try notebook.attachments.add(Data("same".utf8), name: "two.pdf")
        #expect(one.id == two.id && one.name == "one-.PDF")
        let kept = try notebook.attachments.add(Data("kept".utf8), name: "kept.zip")
        let note = try test.note("see \(one.markdown())")
        let other = try test.note("see \(kept.markdown())")
        try notebook.trash.add([note.id])
        try notebook.trash.empty(backup: false)
        #expect(try notebook.attachments.all().map(\.name) == ["kept.zip"])
        // A version of a note may bring it back.
        let revision = try #require(try notebook.notes.row(other.id)).revision
        try notebook.versions.keep(of: other.id)
        _ = try notebook.notes.save(other.id, text: "no more", baseRevision: revision)
        let third = try test.note("third")
        try notebook.trash.add([third.id])
        try notebook.trash.empty(backup: false)
        #expect(try notebook.attachments.all().map(\.name) == ["kept.zip"])
        #expect(try notebook.attachments.all().map(\.noteCount) == [0])
    }

    @Test(arguments: [
        ("a.pdf", "a.pdf"), ("../../etc/passwd", "passwd"), (".hidden", "hidden"), ("con.txt", "_con.txt"),
        ("a/b.tar.gz", "b.tar.gz"), ("", "Untitled"), ("ünï/日本.PDF", "日本.PDF"), ("a.\u{202E}fdp", "a.-fdp"),
    ]) func `names of files are safe on any disk`(_ name: String, _ safe: String) {
        #expect(SafeName.ofFile(name) == safe)
        let long = SafeName.ofFile(String(repeating: "長", count: 200) + ".pdf")
        #expect(long.utf8.count <= 255 && long.hasSuffix(".pdf"))
    }
}
