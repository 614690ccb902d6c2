import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Tests the files that front matter refers to, such as a cover.
@Suite struct FrontMatterFileTests: ImportSuite {
    let test: TestNotebook
    private let out: String

    init() throws {
        test = try TestNotebook()
        out = test.folder.path + "/out"
    }

    private func exported(_ path: String) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: out + "/" + path)), as: UTF8.self)
    }

    private static let vault = """
        ---
        title: "A"
        cover: "[[x.png]]"
        banner: '![[x.png|300]]'   # kept
        gallery:
          - "[[media/y.png]]"
          - "[[paper.pdf#page=2|the paper]]"
        related: ["[[B]]", "[[none.png]]"]
        # [[no.png]]
        site: "[web](https://x.org)"
        ---
        # A
        """

    private func writeVault() throws {
        try write("vault/A.md", Self.vault)
        try write("vault/B.md", "b")
        try write("vault/x.png", TransferTests.png)
        try write("vault/media/y.png", TransferTests.png + Data([1]))
        try write("vault/paper.pdf", "paper")
    }

    @Test func `files in front matter come in and stay with the note, and every other byte is kept`() throws {
        try writeVault()
        let result = try take("vault")
        #expect(result.imageCount == 2 && result.fileCount == 1, "\(result)")
        #expect(result.problems.isEmpty && result.leftOut.isEmpty, "\(result)")
        #expect(
            try text("A") == """
                ---
                title: "A"
                cover: "[x.png](takenote://image/<ID>)"
                banner: '![x.png|300](takenote://image/<ID>)'   # kept
                gallery:
                  - "[media/y.png](takenote://image/<ID>)"
                  - "[the paper](takenote://file/<ID>#page=2)"
                related: ["[[B]]", "[[none.png]]"]
                # [[no.png]]
                site: "[web](https://x.org)"
                ---
                # A
                """)
        #expect(try notebook.links.backlinks(of: row("B").id).map(\.source.title) == ["A"])
        #expect(try take("vault").unchangedCount == 2)
        // A day later nothing else would keep an unused picture.
        let other = try test.note("other", title: "Other")
        try notebook.write { try $0.run("UPDATE note_image SET createdDate = 0") }
        try notebook.trash.add([other.id])
        try notebook.trash.empty(backup: false)
        let kept = try notebook.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note_image") }
        #expect(kept == 2)
        #expect(try notebook.attachments.all().map(\.noteCount) == [1])
    }

    @Test func `files in front matter go out into a vault as they came, and with Markdown by their paths`() throws {
        try writeVault()
        _ = try take("vault")
        _ = try notebook.transfer.export(to: out, ExportOptions(format: .vault))
        #expect(try exported("vault/A.md") == Self.vault.replacing("media/y.png", with: "y.png"))
        #expect(try exported("attachments/paper.pdf") == "paper")
        try FileManager.default.removeItem(atPath: out)
        _ = try notebook.transfer.export(to: out, ExportOptions(frontMatter: true))
        #expect(try exported("vault/A.md").contains("cover: \"[x.png](../images/x.png)\"\n"))
        let other = try TestNotebook()
        let source = try #require(try ImportSource.sources([out]).first)
        let result = try other.notebook.transfer.importFiles(source)
        #expect(result.imageCount == 2 && result.fileCount == 1 && result.problems.isEmpty, "\(result)")
        let id = try row("A").id
        func text(_ notebook: Notebook) throws -> String? {
            try notebook.notes.text(id)?.replacing(/(image|file)\/[0-9A-F-]{36}/, with: "")
        }
        #expect(try text(other.notebook) == text(notebook))
    }

    @Test(arguments: [
        ("cover: [x](<URL>)", "cover: \"[[x.png|x]]\""), ("cover: ![x.png](<URL>)", "cover: \"![[x.png]]\""),
        ("l:\n- [x.png](<URL>)", "l:\n- \"[[x.png]]\""), ("cover: '[a|b](<URL>)'", "cover: '[[x.png|a|b]]'"),
        ("note: see [x](<URL>)", "note: see [[x.png|x]]"),
    ]) func `a link to a picture that the user wrote into front matter is none of YAML's lists in a vault`(
        _ written: String, _ expected: String
    ) throws {
        let image = try notebook.images.add(TransferTests.png, name: "x.png")
        try write("x.png", TransferTests.png)
        try write("B.md", "![[x.png]]")
        _ = try take()
        let text = "---\n" + written.replacing("<URL>", with: image.getURL()) + "\n---\ntext"
        _ = try test.note(text, title: "A")
        _ = try notebook.transfer.export(to: out, ExportOptions(format: .vault))
        #expect(try exported("Inbox/A.md") == "---\n\(expected)\n---\ntext")
    }

    @Test(arguments: [
        ("cover: [[x.png]]", "cover: \"[x.png](takenote://image/<ID>)\""),
        ("cover: ![[x.png]]", "cover: \"![x.png](takenote://image/<ID>)\""),
        ("l: [[[x.png]], ![[x.png]]]", "l: [\"[x.png](takenote://image/<ID>)\", \"![x.png](takenote://image/<ID>)\"]"),
        ("l:\n- [[x.png]]", "l:\n- \"[x.png](takenote://image/<ID>)\""),
        ("note: see [[x.png]] there", "note: see [x.png](takenote://image/<ID>) there"),
        ("note: \"a, [[x.png]]\"", "note: \"a, [x.png](takenote://image/<ID>)\""),
        ("b: ![[x.png|a \"b\"]]", "b: ![[x.png|a \"b\"]]"), ("b: [[B]]", "b: [[B]]"),
        ("b: \"![[B.md]]\"", "b: \"![[B.md]]\""),
    ]) func `front matter stays valid YAML where a link had no quotation marks`(
        _ written: String, _ expected: String
    ) throws {
        try write("A.md", "---\n\(written)\n---\ntext")
        try write("B.md", "b")
        try write("x.png", TransferTests.png)
        #expect(try take().problems.isEmpty)
        #expect(try text("A").utf8.elementsEqual("---\n\(expected)\n---\ntext".utf8))
    }
}
