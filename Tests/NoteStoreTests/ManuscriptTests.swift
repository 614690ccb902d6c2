import Foundation
import Testing

@testable import NoteStore

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Tests a work made of many notes: its order, and its forms.
@Suite struct ManuscriptTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    /// Returns a novel with a prologue, a chapter of two scenes, and a part with a chapter.
    private func novel() throws -> (folder: ContainerID, notes: [NoteRow]) {
        let novel = try notebook.folders.create("The <Novel>")
        let first = try notebook.folders.create("First", in: novel.id)
        let part = try notebook.folders.create("Part", in: novel.id)
        let second = try notebook.folders.create("Second", in: part.id)
        let prologue = try test.note("# Prologue\n\nIt *began*.[^1]\n\n[^1]: a note", in: novel.id)
        let one = try test.note("Scene one, [back](\(prologue.getURL()))[^1]\n\n[^1]: another", in: first.id)
        let two = try test.note("## Sub & <b>bold\n\n[[Prologue]] [[Elsewhere]]", in: first.id)
        return (novel.id, [prologue, one, two, try test.note("The end", in: second.id, title: "Last")])
    }

    @Test func `folders are chapters, their notes scenes, in the order of their making or by hand`() throws {
        let (folder, notes) = try novel()
        let manuscript = try notebook.transfer.manuscript(of: folder)
        #expect(manuscript.sections.map(\.title) == ["Prologue", "First", "Part", "Second"])
        #expect(manuscript.sections.map(\.level) == [1, 1, 1, 2])
        #expect(manuscript.sections.map(\.notes.count) == [1, 2, 0, 1])
        #expect(manuscript.sections[1].notes.map(\.id) == [notes[1].id, notes[2].id])
        #expect(manuscript.wordCount == notes.reduce(0) { $0 + $1.wordCount })
        let list = try #require(notes[1].folder)
        try notebook.lists.move(notes[1].id, .up, in: list)
        try notebook.lists.move(notes[1].id, .down, in: list)
        let chapter = try notebook.transfer.manuscript(of: list)
        #expect(chapter.sections.map(\.showsTitle) == [true, false])
    }

    @Test func `of a project come its texts and collections alone`() throws {
        let project = try notebook.projects.create("Poems", type: .poetry, details: "Sea & shore")
        let all = try notebook.containers.all()
        for role in [NoteContainer.Role.research, .setAside, .ready, .draft, .magazines] {
            try test.note(
                role.rawValue, in: try #require(all.first { $0.role == role }).id, title: "T \(role.rawValue)")
        }
        let collections = try #require(all.first { $0.role == .collections })
        let book = try notebook.folders.create("Book", in: collections.id)
        try test.note("poem", in: book.id)
        let manuscript = try notebook.transfer.manuscript(of: project.id)
        #expect(manuscript.sections.map(\.title) == ["T draft", "T ready", "Book"])
        #expect(manuscript.details == "Sea & shore")
    }

    @Test func `Markdown keeps the texts, their headings below their chapter's, and footnotes apart`() throws {
        let manuscript = try notebook.transfer.manuscript(of: novel().folder)
        #expect(
            try notebook.transfer.markdown(of: manuscript, picturesIn: "p").text == """
                # The \\<Novel\\>

                \(manuscript.wordCount) words

                ## Prologue

                It *began*.[^1-1]

                [^1-1]: a note

                ## First

                Scene one, back[^2-1]

                [^2-1]: another

                * * *

                ### Sub & <b>bold

                Prologue Elsewhere

                ## Part

                ### Second

                The end

                """)
    }

    @Test func `a page has all within itself, and links that lead within it`() throws {
        let (folder, notes) = try novel()
        let image = try notebook.images.add(TransferTests.png, name: "p.png")
        _ = try notebook.notes.save(
            notes[3].id,
            text:
                "![x](\(image.getURL())) [bad](javascript:alert(1)) <script>x</script> [gone](takenote://note/\(UUID()))",
            baseRevision: notes[3].revision)
        let page = try notebook.transfer.page(of: notebook.transfer.manuscript(of: folder))
        #expect(page.contains("<h1>The &lt;Novel&gt;</h1>") && page.contains("data:image/png;base64,"))
        #expect(
            page.contains("<a href=\"#n1\">back</a>")
                && page.contains("<a href=\"#n1\" class=\"wikilink\">Prologue</a>"))
        #expect(page.contains("<a class=\"missing\">Elsewhere</a>") && page.contains("<a class=\"missing\">gone</a>"))
        #expect(!page.contains("javascript:") && !page.contains("<script") && !page.contains("takenote://"))
        #expect(page.contains("id=\"n1-fn-1\"") && page.contains("id=\"n2-fn-1\""))
        let identities = page.matches(of: /\ id="([^"]*)"/).map(\.1)
        #expect(Set(identities).count == identities.count)
        for target in page.matches(of: /href="#([^"]*)"/).map(\.1) { #expect(identities.contains(target)) }
    }

    @Test func `a book is one that readers accept`() throws {
        let (folder, notes) = try novel()
        let image = try notebook.images.add(TransferTests.png, name: "p.png")
        _ = try notebook.notes.save(
            notes[3].id,
            text: """
                ![x](\(image.getURL())) ![far](https://x.org/a.png) [file](other.md) <br><p>open <b><i>x</b></i> </ul>
                - [ ] task\u{1}\u{FFFF}

                | a |
                |:-:|
                | <td nowrap onclick=x align=left>b |

                <center><font color=red>old</font></center>

                # 1 Größe
                # 1 Größe
                [[#1 Größe]] [[Last#1 Größe]] <img src="x"> <a href="a b">c</a> &nbsp; &copy;
                """, baseRevision: notes[3].revision)
        var manuscript = try notebook.transfer.manuscript(of: folder)
        manuscript.author = "A & B"
        let zip = try notebook.transfer.book(of: manuscript)
        #expect(Array(zip[30..<38]) == Array("mimetype".utf8) && zip[8] == 0)
        #expect(String(decoding: zip[38..<58], as: UTF8.self) == "application/epub+zip")
        let files = try ArchiveFiles(zip, path: "book.epub")
        var texts: [String: String] = [:]
        for name in files.names {
            let bytes = try files.read(name, limit: .max).bytes
            texts[name] = String(decoding: bytes, as: UTF8.self)
            guard ["xhtml", "opf", "xml"].contains(name.split(separator: ".").last) else { continue }
            let parser = XMLParser(data: Data(bytes))
            #expect(parser.parse(), "\(name): \(String(describing: parser.parserError))\n\(texts[name] ?? "")")
        }
        let package = try #require(texts["OEBPS/content.opf"])
        let listed = Set(package.matches(of: /href="([^"]*)"/).map { "OEBPS/" + $0.1 })
        #expect(listed == Set(files.names.filter { $0.hasPrefix("OEBPS/") && !$0.hasSuffix(".opf") }))
        #expect(package.contains("<dc:creator>A &amp; B</dc:creator>"))
        for (name, text) in texts where name.hasSuffix(".xhtml") {
            let identities = text.matches(of: /\ id="([^"]*)"/).map { String($0.1) }
            #expect(Set(identities).count == identities.count, "\(name)")
            for match in text.matches(of: /(?:href|src)="([^"]*)"/) {
                let address = String(match.1)
                if address.hasPrefix("http") { continue }
                let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
                    String.init)
                let target = parts[0].isEmpty ? name : "OEBPS/" + parts[0]
                #expect(texts[target] != nil, "\(name): \(address)")
                if parts.count > 1 {
                    #expect(texts[target]?.contains(" id=\"\(parts[1])\"") == true, "\(name): \(address)")
                }
            }
        }
    }

    @Test func `a file that is there is replaced only where that is allowed`() throws {
        let manuscript = try notebook.transfer.manuscript(of: novel().folder)
        let path = test.folder.path + "/book.md"
        try Data("mine".utf8).write(to: URL(filePath: path))
        #expect(throws: StoreError.cannotCreate(path: path, errno: EEXIST)) {
            try notebook.transfer.write(manuscript, as: .markdown, to: path)
        }
        #expect(FileManager.default.contents(atPath: path) == Data("mine".utf8))
        try notebook.transfer.write(manuscript, as: .markdown, to: path, replaces: true)
        #expect(FileManager.default.contents(atPath: path)?.starts(with: Data("# The".utf8)) == true)
    }
}
