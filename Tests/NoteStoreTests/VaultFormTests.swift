import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import NoteStore

/// Tests forms that people's own vaults have: links between their notes, files beside them, and what is left out.
@Suite struct VaultFormTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    /// Returns the notes to which a note's links lead, in order; nil for a link that leads nowhere.
    private func destinations(of title: String) throws -> [NoteID?] {
        try notebook.links.outgoing(of: notebook.notes.resolve(reference: title).id).map { $0.destination?.id }
    }

    /// Returns the note that has exactly this text, where several have its title.
    private func note(withText text: String) throws -> NoteID {
        let rows = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 9)
        return try #require(try rows.first { try notebook.notes.text($0.id) == text }).id
    }

    // MARK: - Folders

    @Test func `links lead into folders whose names have a number sign`() throws {
        let start = """
            [[C# notes/Plan]] [[C# notes/Plan#Goal]] [p](C%23%20notes/Plan.md#goal) [q](<C# notes/Plan.md>) \
            [r](<C# notes/Plan.md#goal>) ![[C# notes/dot.png]] ![d](<C# notes/dot.png#right>) [[C# notes/a.pdf#page=2]] \
            [s](<C# notes/a.pdf#page=2>) [t](C%23%20notes/a.pdf#page=3) [u](<D# x/Far.md#a>) [v](<D#.md>) [w](D.md#a/b)
            """
        try write("vault/Start.md", start)
        try write("vault/D# x/Far.md", "far")
        for name in ["D", "D#"] { try write("vault/\(name).md", "another note") }
        try write("vault/C# notes/Plan.md", "# Goal\n")
        try write("vault/C# notes/dot.png", TransferTests.png)
        try write("vault/C# notes/a.pdf", "paper")
        let result = try take("vault")
        #expect(result.problems.isEmpty && result.leftOut.isEmpty, "\(result)")
        let (note, image, file) = ("takenote://note/<ID>", "takenote://image/<ID>", "takenote://file/<ID>")
        #expect(
            try text("Start") == """
                [[C# notes/Plan]] [[C# notes/Plan#Goal]] [p](\(note)#goal) [q](<\(note)>) [r](<\(note)#goal>) \
                ![dot.png](\(image)) ![d](<\(image)>) [C# notes/a.pdf#page=2](\(file)#page=2) [s](<\(file)#page=2>) \
                [t](\(file)#page=3) [u](<\(note)#a>) [v](<\(note)>) [w](\(note)#a/b)
                """)
        let wanted = try ["Plan", "Plan", "Plan", "Plan", "Plan", "Far", "D#", "D"].map { try row($0).id }
        #expect(try destinations(of: "Start").compactMap(\.self) == wanted)
    }

    @Test func `a link to a file in a folder with a number sign means no note of the name before the sign`() throws {
        try write("vault/Start.md", "[[C#/a.pdf]] ![[C#/a.pdf#page=2]] [[C#/b]] [[C#/c.pdf]] [[C#Part|d]]\n")
        try write("vault/C.md", "# Part\n")
        try write("vault/C#/a.pdf", "paper")
        try write("vault/C#/b.md", "text")
        let result = try take("vault")
        #expect(result.problems.isEmpty && result.leftOut.isEmpty, "\(result)")
        let file = "takenote://file/<ID>"
        #expect(
            try text("Start") == """
                [C#/a.pdf](\(file)) ![a.pdf](\(file)#page=2) [[C#/b]] [[C#/c.pdf]] [[C#Part|d]]

                """)
        #expect(try destinations(of: "Start").compactMap(\.self) == ["b", "C", "C"].map { try row($0).id })
    }

    @Test func `an embed of a heading with a slash and a dot misses no file`() throws {
        try write("vault/Start.md", "![[Plan#Goal 1/2.5]]\n")
        try write("vault/Plan.md", "# Goal 1/2.5\n")
        let result = try take("vault")
        #expect(result.problems.isEmpty && result.leftOut.isEmpty, "\(result)")
        #expect(try text("Start") == "![[Plan#Goal 1/2.5]]\n")
    }

    // MARK: - Logseq

    @Test func `what is below a heading without a dash in Logseq is a list, with its links, tags and pictures`() throws
    {
        try write("logseq/config.edn", "{}")
        try write("pages/A.md", "# H\n\t- child [[B]] #tagx\n\t\t- ![p](../assets/p.png)")
        try write("pages/B.md", "- b")
        try write("assets/p.png", TransferTests.png)
        let result = try take()
        #expect(result.imageCount == 1 && result.problems.isEmpty && result.leftOut.isEmpty, "\(result)")
        #expect(try text("A") == "# H\n- child [[B]] #tagx\n\t- ![p](takenote://image/<ID>)")
        let b = try notebook.notes.resolve(reference: "B")
        #expect(try notebook.links.backlinks(of: b.id).map(\.source.title) == ["A"])
        #expect(try notebook.notes.resolve(reference: "A").tagNames == ["tagx"])
    }

    @Test(arguments: [
        ("- a\n\t- b\n\t\t- c", "- a\n\t- b\n\t\t- c"),
        ("# H\n\t- a\n\t  more\n\t- b\n- c\n\t- d", "# H\n- a\n  more\n- b\n- c\n\t- d"),
        ("title:: x\n\n\t- a\n\t\t- b", "title:: x\n\n- a\n\t- b"),
        ("# H\n\t- ```\n\t  x\n\t  ```\n\t- b", "# H\n- ```\n  x\n  ```\n- b"),
        ("- a\n  ```\n# no heading\n\t- code\n  ```\n\t- b", "- a\n  ```\n# no heading\n\t- code\n  ```\n\t- b"),
        ("# H\n\t\t- a\n\t- b", "# H\n- a\n- b"), ("- a\n\n# H\n    - b\n        - c", "- a\n\n# H\n- b\n    - c"),
        ("# H\r\n\t- a\r\n\t\t- b\r\n", "# H\r\n- a\r\n\t- b\r\n"), ("\t-\n\t\t- a", "-\n\t- a"), ("", ""),
    ]) func `Logseq's blocks are as deep as those above them`(_ written: String, _ expected: String) {
        #expect(LogseqBlocks.asMarkdown(written).utf8.elementsEqual(expected.utf8))
    }

    @Test func `Logseq's notes outside of its folders come too, and the rest is named`() throws {
        try write("logseq/config.edn", "{}")
        try write("logseq/bak/pages/A.md", "old")
        try write("pages/A.md", "- a")
        try write("other/C.md", "- c")
        try write("whiteboards/w.edn", "{}")
        let result = try take()
        #expect(result.noteImportCount == 2)
        #expect(try notebook.notes.resolve(reference: "C").folderName == "other")
        #expect(result.leftOut.map(\.ending) == ["edn"] && result.leftOut.map(\.count) == [1])
    }

    @Test func `a link with a label in Logseq leads to its page`() throws {
        try write("logseq/config.edn", "{}")
        try write("pages/A.md", "- [the b]([[B]]) [c]([[a/c]]) [none]([[None]]) [two words]([[D E]])")
        try write("pages/B.md", "- b")
        try write("pages/a___c.md", "- c")
        try write("pages/D E.md", "- d")
        let result = try take()
        #expect(result.problems.isEmpty, "\(result)")
        let note = "takenote://note/<ID>"
        #expect(try text("A") == "- [the b](\(note)) [c](\(note)) [none]([[None]]) [two words]([[D E]])")
        let wanted: [NoteID?] = [try row("B").id, try row("a/c").id, try row("D E").id]
        #expect(try destinations(of: "A") == wanted)
    }

    // MARK: - Links

    @Test func `links by a path from the text's own folder find a note whose title is another`() throws {
        try write("X.md", "---\ntitle: Other\n---\n# Head\n")
        try write("S.md", "[[./X]] ![[./X]] [[./X#Head|h]] [[X]]")
        try write("sub/T.md", "[[../X]] [[../X.md]] [[./X]]")
        try write("sub/X.md", "---\ntitle: Inner\n---\n")
        try take()
        let address = "takenote://note/<ID>"
        #expect(try text("S") == "[./X](\(address)) ![[Other]] [[Other#Head|h]] [X](\(address))")
        let (outer, inner) = (
            try notebook.notes.resolve(reference: "Other").id, try notebook.notes.resolve(reference: "Inner").id
        )
        #expect(try destinations(of: "S") == [outer, outer, outer, outer])
        #expect(try destinations(of: "T") == [outer, outer, inner])
    }

    @Test func `each of two notes with one title is embedded by the name of its file`() throws {
        try write("d.a.md", "---\ntitle: Same\n---\nfirst")
        try write("e.md", "---\ntitle: Same\n---\nsecond")
        try write("S.md", "![[d.a]] ![[e]] ![[e#Head]] [[d.a]]")
        let result = try take()
        #expect(result.problems.isEmpty, "\(result)")
        let same = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 9).filter { $0.title == "Same" }
        let first = try #require(try same.first { try notebook.notes.text($0.id)?.hasSuffix("first") == true }).id
        let second = try #require(same.first { $0.id != first }).id
        #expect(try text("S").hasPrefix("![[d.a]] ![[e]] ![[e#Head]] "))
        #expect(try destinations(of: "S") == [first, second, second, first])
    }

    @Test func `an embed finds its note by the path where others have the name, and names it so that tn finds it`()
        throws
    {
        try write("P/A/N.md", "in P ^b")
        try write("Q/A/N.md", "in Q ^b")
        try write("S.md", "![[P/A/N#^b]] ![[Q/A/N#^b]] ![[A/N#^b]]")
        let result = try take()
        #expect(result.problems.isEmpty, "\(result)")
        let (p, q) = try (note(withText: "in P ^b"), note(withText: "in Q ^b"))
        #expect(try text("S") == "![[P/A/N#^b]] ![[Q/A/N#^b]] ![[in/P/A/N#^b]]")
        #expect(try destinations(of: "S") == [p, q, p])
        #expect(try take().noteImportCount == 0)
    }

    @Test func `a path with folders is read from the imported folder first`() throws {
        try write("B/N.md", "outer ^b")
        try write("A/B/N.md", "inner ^b")
        try write("A/B/S.md", "![[/B/N#^b]] ![[B/N#^b]] ![[./N#^b]] [[A/B/N]]")
        let result = try take()
        #expect(result.problems.isEmpty, "\(result)")
        let (outer, inner) = try (note(withText: "outer ^b"), note(withText: "inner ^b"))
        #expect(try text("S") == "![[in/B/N#^b]] ![[in/B/N#^b]] ![[./N#^b]] [[A/B/N]]")
        #expect(try destinations(of: "S") == [outer, outer, inner, inner])
    }

    @Test func `an embed that nothing can tell from another note is named`() throws {
        try write("d.md", "---\ntitle: Same\n---\nfirst")
        try write("e.md", "---\ntitle: Same\n---\nsecond")
        try write("f.md", "---\ntitle: d\n---\nthird")
        try write("S.md", "![[d]]")
        let result = try take()
        #expect(result.problems.map(\.reason) == [.ambiguousEmbed(name: "d")], "\(result)")
    }

    @Test func `addresses in Markdown find a note by its name in any folder, as links by name do`() throws {
        try write("deep/down/My note.md", "mine")
        try write("deep/LICENSE.md", "another text")
        try write("LICENSE", "a file")
        try write(
            "S.md",
            "[a](My%20note.md) [b](<My note>) [c](My%20note.md#Part) [d](down/My%20note.md) [e](LICENSE) [f](none.md)")
        let result = try take()
        #expect(result.problems.isEmpty, "\(result)")
        let note = "takenote://note/<ID>"
        #expect(
            try text("S")
                == "[a](\(note)) [b](<\(note)>) [c](\(note)#Part) [d](\(note)) [e](takenote://file/<ID>) [f](none.md)")
        let mine = try row("My note").id
        #expect(try destinations(of: "S") == [mine, mine, mine, mine])
    }

    @Test func `of several files with one name a link means the one below its own folder, else the nearest the top`()
        throws
    {
        for folder in ["a/deep", "b", "b/deep/down", "c/deep"] {
            try write("\(folder)/N.md", "the note in \(folder)")
            try write("\(folder)/f.txt.pdf", "the file in \(folder)")
        }
        try write("c/S.md", "[[N]] ![[f.txt.pdf]] [[deep/N]]")
        try write("d/T.md", "[[N]] [f](f.txt.pdf) [[a/deep/N]] [f](deep/down/f.txt.pdf)")
        let result = try take()
        #expect(result.problems.isEmpty && result.noteImportCount == 6, "\(result)")
        func shown(by title: String) throws -> [String] {
            let text = try notebook.notes.text(row(title).id) ?? ""
            let notes = try notebook.links.outgoing(of: row(title).id).map { link in
                try link.destination.flatMap { try notebook.notes.text($0.id) } ?? "none"
            }
            let files = try text.matches(of: /takenote:\/\/file\/([0-9A-F-]{36})/).map { match in
                let id = try #require(UUID(uuidString: String(match.1)))
                return String(decoding: try #require(try notebook.attachments.data(of: id)), as: UTF8.self)
            }
            return notes + files
        }
        #expect(try shown(by: "S") == ["the note in c/deep", "the note in c/deep", "the file in c/deep"])
        #expect(
            try shown(by: "T") == [
                "the note in b", "the note in a/deep", "the file in b", "the file in b/deep/down",
            ])
    }

    @Test func `a bar that is escaped outside of a table divides a link too, and one in a table stays escaped`() throws
    {
        try write("X.md", "---\ntitle: Other\n---\n# Head\n")
        try write("Y.md", "y")
        try write("S.md", "[[Y\\|why]] [[X\\|ex]]\n\n| a |\n|---|\n| [[X#Head\\|h]] [[Y\\|z]] |\n")
        try take()
        #expect(
            try text("S")
                == "[[Y\\|why]] [ex](takenote://note/<ID>)\n\n| a |\n|---|\n| [[Other#Head\\|h]] [[Y\\|z]] |\n")
        let (x, y) = (try row("Other").id, try row("Y").id)
        #expect(try destinations(of: "S") == [y, x, x, y])
    }

    // MARK: - Files

    @Test func `embeds of files keep their place in the file, and go out as they were`() throws {
        let written = "![[x.pdf#page=3]] ![[w.base#View]] ![[z.mp3]] [[x.pdf#page=3|p. 3]] [q](x.pdf#page=4)"
        try write("A.md", written)
        for name in ["x.pdf", "w.base", "z.mp3"] { try write(name, "content of \(name)") }
        let result = try take()
        #expect(result.fileCount == 3 && result.problems.isEmpty && result.leftOut.isEmpty, "\(result)")
        let file = "takenote://file/<ID>"
        #expect(
            try text("A")
                == "![x.pdf](\(file)#page=3) ![w.base](\(file)#View) ![z.mp3](\(file)) [p. 3](\(file)#page=3) "
                + "[q](\(file)#page=4)")
        #expect(try notebook.attachments.all().map(\.noteCount) == [1, 1, 1])
        let out = test.folder.path + "/out"
        _ = try notebook.transfer.export(to: out, ExportOptions(format: .vault))
        let exported = try String(contentsOfFile: out + "/in/A.md", encoding: .utf8)
        #expect(exported.contains("![[x.pdf#page=3]] ![[w.base#View]] ![[z.mp3]] [p. 3]("), "\(exported)")
        #expect(exported.contains("x.pdf#page=4)"))
        // No browser shows a PDF as a picture.
        let pages = test.folder.path + "/pages"
        _ = try notebook.transfer.export(to: pages, ExportOptions(format: .html))
        let page = try String(contentsOfFile: pages + "/in/A.html", encoding: .utf8)
        #expect(page.contains("x.pdf#page=3\">x.pdf</a>") && !page.contains("<img"), "\(page)")
    }

    @Test func `files without an extension, sounds and films in HTML come with the notes that refer to them`() throws {
        try write(
            "A.md",
            """
            [l](LICENSE) [none](MISSING)

            <audio src="s.mp3"></audio>

            <video><source src="v.mp4"></video>
            """)
        for name in ["LICENSE", "s.mp3", "v.mp4"] { try write(name, "content of \(name)") }
        let result = try take()
        #expect(result.fileCount == 3 && result.problems.isEmpty && result.leftOut.isEmpty, "\(result)")
        #expect(
            try text("A").hasPrefix(
                """
                [l](takenote://file/<ID>) [none](MISSING)

                <audio src="takenote://file/<ID>"></audio>

                <video><source src="takenote://file/<ID>"></video>
                """))
        #expect(try notebook.attachments.all().map(\.noteCount) == [1, 1, 1])
    }

    @Test func `the name of a picture's file is kept though no text says it`() throws {
        try write("A.md", "![](b.png)")
        try write("b.png", TransferTests.png)
        try take()
        #expect(try text("A") == "![](takenote://image/<ID>)")
        let out = test.folder.path + "/out"
        _ = try notebook.transfer.export(to: out)
        #expect(try String(contentsOfFile: out + "/in/A.md", encoding: .utf8).contains("/b.png)"))
        let vault = test.folder.path + "/vault"
        _ = try notebook.transfer.export(to: vault, ExportOptions(format: .vault))
        #expect(try String(contentsOfFile: vault + "/in/A.md", encoding: .utf8).contains("/b.png)"))
    }

    @Test func `a picture that is made smaller is named with both sizes, and the import is complete`() throws {
        func header(_ width: UInt8, _ height: UInt8) -> [UInt8] {
            let size = [0, 0, width, 0, 0, 0, height, 0]
            return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + size
                + [8, 2, 0, 0, 0, 0, 0, 0, 0]
        }
        let source = try #require(try ImportSource.sources([test.folder.path]).first)
        let run = ImportRun(notebook: notebook, source.format, ImportOptions(), ImportRecord())
        let image = NoteImage(
            imageUUID: UUID(), mimeType: .png, createdDate: Date(), imageData: Data(header(8, 6)))
        run.tell(image, madeOf: header(16, 12), at: "in/p.png")
        run.tell(image, madeOf: header(8, 6), at: "in/q.png")
        #expect(
            run.result.problems.map(\.sentence) == [
                "in/p.png: reduced from 4096x3072 to 2048x1536 pixels; the file is as it was"
            ])
        #expect(!run.result.problems.contains { !$0.isRemark })
    }

    // MARK: - What is left out

    @Test func `what no note shows is named by kind, again by the next import`() throws {
        try write("A.md", "![](used.png) [c](sub/c.canvas)")
        try write("used.png", TransferTests.png)
        try write("sub/c.canvas", "{}")
        for number in 1...5 { try write("pages/\(number).html", "<p>\(number)</p>") }
        try write("old.zip", "PK")
        try write("pen.canvas", "{}")
        try write(".hidden.rtf", "{}")
        let first = try take()
        #expect(first.noteImportCount == 2 && first.problems.isEmpty)
        let root = inputs + "/"
        #expect(
            first.leftOut.map(\.sentence) == [
                "5 files ending in .html were left out, such as \(root)pages/1.html, \(root)pages/2.html, "
                    + "\(root)pages/3.html; name them to have them as notes",
                "\(root)old.zip was left out; import it by itself",
            ])
        let again = try take()
        #expect(again.unchangedCount == 2)
        #expect(again.leftOut == first.leftOut)
    }

    @Test func `an import asks for the other files of an export once, however many notes it has`() throws {
        try write("x.zip", "left out")
        for number in 0..<20 { try write("\(number).md", "[a](x) in \(number)") }
        let format = CountedOthers(plan: ImportPlan(paths: [inputs]))
        for _ in 0..<2 {
            let result = try notebook.transfer.importFiles(
                ImportSource(format: format), ImportOptions(skipsUnchanged: true))
            #expect(result.leftOut.map(\.ending) == ["zip"])
        }
        #expect(format.count.value == 2)
    }
}

/// A format that counts how often its other files are listed.
private struct CountedOthers: ImportFormat {
    let plan: ImportPlan
    let count = Counter()

    final class Counter: Sendable {
        private let number = Atomic(0)
        var value: Int { number.load(ordering: .relaxed) }

        func add() { number.add(1, ordering: .relaxed) }
    }

    var others: [FilePath] {
        count.add()
        return plan.others
    }

    func read(_ file: ImportPlan.File) throws(ImportFailure) -> ImportFile { try ImportFile(reading: file) }

    func media(_ address: String, from folder: FilePath) -> FilePath? { nil }
}
