import Foundation
import Markdown
import Testing

@testable import NoteStore

/// Tests exporting a vault for Obsidian, and the properties that an export adds as front matter.
@Suite struct VaultExportTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }
    private let out: String

    init() throws {
        test = try TestNotebook()
        out = test.folder.path + "/vault"
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try #require(FileManager.default.contents(atPath: out + "/" + path)), as: UTF8.self)
    }

    private func export(frontMatter: Bool = false) throws -> ExportResult {
        try notebook.transfer.export(to: out, ExportOptions(format: .vault, frontMatter: frontMatter))
    }

    @Test func `links become links by name, what is attached lies in its folder`() throws {
        let plan = try test.note("# Plan", title: "Plan: [A] #1")
        let image = try notebook.images.add(TransferTests.png, name: "p.png")
        let paper = try notebook.attachments.add(Data("pdf".utf8), name: "paper.pdf")
        try test.note(
            """
            [the plan](\(plan.getURL())) [*bold*](\(plan.getURL())) ![](\(image.getURL())) \(paper.markdown())
            [[Plan: [A] #1]] [[Start]] [[Nowhere]] `[x](\(plan.getURL()))` [far](takenote://note/\(UUID()))
            """, title: "Start")
        let result = try export()
        #expect(result.noteCount == 2 && result.problems.isEmpty)
        let start = try text("Inbox/Start.md")
        #expect(start.hasPrefix("[[Plan- -A- -1|the plan]] [*bold*](../Inbox/Plan-%20-A-%20-1.md) ![](../attachments/"))
        #expect(start.contains("[paper.pdf](../attachments/paper.pdf)\n"))
        #expect(start.contains("[[Start]] [[Nowhere]] `[x](\(plan.getURL()))` [far](takenote://note/"))
        #expect(try text("Inbox/Plan- -A- -1.md") == "---\naliases: [\"Plan: [A] #1\"]\n---\n# Plan")
        #expect(try text(".obsidian/app.json").contains("\"attachments\""))
        #expect(try text("attachments/paper.pdf") == "pdf")
    }

    @Test func `tags that a note's front matter has already are not given twice`() throws {
        let text = "---\ntags:\n  - Books\n  - 'to read'\n---\ntext"
        let note = try test.note(text, title: "A")
        for name in ["books", "to read"] {
            try notebook.tags.add(try notebook.tags.create(name).id, to: [note.id])
        }
        _ = try export()
        #expect(try self.text("Inbox/A.md") == text)
        try notebook.tags.add(try notebook.tags.create("by hand").id, to: [note.id])
        _ = try export()
        let more = text.replacing("---\ntags:", with: "---\ntakenote-tags: [\"by-hand\"]\ntags:")
        #expect(try self.text("Inbox/A.md") == more)
        let other = try TestNotebook()
        _ = try other.notebook.transfer.importFiles(ImportPlan(paths: [out]))
        #expect(try other.notebook.notes.resolve(reference: "A").tagNames == ["Books", "by-hand", "to read"])
    }

    @Test func `two notes with one name are told apart by their folders, also in a table`() throws {
        let home = try notebook.folders.create("Home")
        let one = try test.note("one", title: "Same")
        let two = try test.note("two", in: home.id, title: "Same")
        try test.note(
            "[[Same#Part|that]] [x](\(one.getURL()))\n\n| a | b |\n|---|---|\n| [two](\(two.getURL())) | c |",
            in: home.id, title: "Start")
        _ = try export()
        #expect(
            try text("Home/Start.md")
                == "[[Same#Part|that]] [[Inbox/Same|x]]\n\n| a | b |\n|---|---|\n| [[Home/Same\\|two]] | c |")
    }

    @Test func `a link by title stays as it is written where it leads to the same note in the vault`() throws {
        let deep = try notebook.folders.create("Deep", in: try notebook.folders.create("Home").id)
        try test.note("# Part\n\n## Inner", in: deep.id, title: "Same")
        try test.note("other", title: "Same")
        let kept = """
            [[Deep/Same]] [[Deep/Same|x]] [[Home/Deep/Same#Part#Inner]] ![[Deep/Same#Part#Inner]] [[deep/same.md]] {{a|b}}
            """
        try test.note(kept, title: "Kept")
        _ = try export()
        #expect(try text("Inbox/Kept.md") == kept)
    }

    @Test func `a link by a title that no file can have names the file and shows the title`() throws {
        try test.note("# A\n\n## B", title: "Single: one")
        let changed = """
            [[Single: one#A#B|c]] {{a|b}} ![[Single: one#A#B]] a | b
            [[Single: one^d]] [[Single: one]]

            | a | b |
            |---|---|
            | [[Single: one]] | d |
            """
        try test.note(changed, title: "Changed")
        _ = try export()
        #expect(
            try text("Inbox/Changed.md")
                == """
                [[Single- one#A#B|c]] {{a|b}} ![[Single- one#A#B]] a | b
                [[Single- one#^d|Single: one^d]] [[Single- one|Single: one]]

                | a | b |
                |---|---|
                | [[Single- one\\|Single: one]] | d |
                """)
    }

    @Test func `a link outside of a table needs no escaped bar, whatever ends the lines`() throws {
        let plan = try test.note("x", title: "Plan")
        for (name, end) in [("LF", "\n"), ("CR", "\r"), ("CRLF", "\r\n")] {
            let lines = [
                "| a | b |", "|---|---|", "| [it](\(plan.getURL())) | 1 |", "", "a | b [it](\(plan.getURL()))",
            ]
            try test.note(lines.joined(separator: end), title: name)
        }
        _ = try export()
        for (name, end) in [("LF", "\n"), ("CR", "\r"), ("CRLF", "\r\n")] {
            let lines = try text("Inbox/\(name).md").components(separatedBy: end)
            #expect(lines[2] == "| [[Plan\\|it]] | 1 |" && lines.last == "a | b [[Plan|it]]", "\(name)")
        }
    }

    /// Each with the file that a vault has for it: Obsidian links by files, and refuses `#^[]|\/:*?"<>` in their names.
    @Test(arguments: [
        "Plan: A", "C# tips", "x^2", "a|b", "[x] y", "a\\b", "to/from", "What?", "a * b", "say \"hi\"", "<b>", "Same",
        "Agents.md", "llms.txt",
    ])
    func `a title that no file can have comes in again with its links`(_ title: String) throws {
        let folder = try notebook.folders.create("C# [old]")
        let target = try test.note("text", title: title)
        try test.note("other", in: folder.id, title: title)
        let isLinkable = !title.contains { "[]|".contains($0) }
        let start = "[*it*](\(target.getURL())) [it](\(target.getURL()))" + (isLinkable ? " [[\(title)]]" : "")
        try test.note(start, title: "Start")
        _ = try export()
        let links = Markdown.destinations(in: try text("Inbox/Start.md"))
        for link in links where link.kind == .wikilink {
            #expect(!link.target.contains { "#^[]|\\:*?\"<>".contains($0) }, "\(link.target)")
            // A link is by path, or by the name of the file beside it.
            let files = ["", "/Inbox"].map { out + $0 + "/" + link.target + ".md" }
            #expect(files.contains { FileManager.default.fileExists(atPath: $0) }, "\(link.target)")
        }
        let other = try TestNotebook()
        for source in try ImportSource.sources([out]) { _ = try other.notebook.transfer.importFiles(source) }
        let came = try other.notebook.notes.resolve(reference: "Start")
        let found = try other.notebook.links.outgoing(of: came.id)
        #expect(found.count == links.count)
        #expect(found.allSatisfy { $0.destination?.title == title && $0.destination?.preview.contains("text") == true })
    }

    @Test func `a vault that is there keeps its settings, and comes in again as it went out`() throws {
        try FileManager.default.createDirectory(atPath: out + "/.obsidian", withIntermediateDirectories: true)
        try Data("{}".utf8).write(to: URL(filePath: out + "/.obsidian/app.json"))
        let target = try test.note("text", title: "What?")
        try test.note("see [it](\(target.getURL())) and [[What?]]", title: "Start")
        let force = ExportOptions(format: .vault, force: true)
        #expect(try notebook.transfer.export(to: out, force).problems.isEmpty)
        #expect(try text(".obsidian/app.json") == "{}")
        let other = try TestNotebook()
        let sources = try ImportSource.sources([out])
        for source in sources { #expect(try other.notebook.transfer.importFiles(source).problems.isEmpty) }
        let start = try other.notebook.notes.resolve(reference: "Start")
        #expect(try other.notebook.links.outgoing(of: start.id).count == 2)
        #expect(try other.notebook.links.broken().isEmpty)
    }

    @Test(arguments: [
        "---\nkind: a\n---\ntext", "---\ntitle: Own\ntags: [own]\n---\n", "---\ntags:\n---\nx",
        "---\ncreated: 2020-01-02\nstarred: no\n---\nx", "---\n---\nempty", "---\n{a: b}\n---\nflow",
        "---\ntakenote: \(UUID().uuidString)\n---\nstrange", "---\r\nkind: a\r\n---\r\nreturns", "--- \na: b\n...\nx",
        "---\n# remark\nlist:\n- a\n- b\n---\nx", "---\nnot yaml\n---\nx", "plain", "", "---\na: b\n---",
    ])
    func `properties join a note's own front matter and are taken out again`(_ text: String) throws {
        let tag = try notebook.tags.create("by hand, too").id
        let row = try test.note(text, title: "Given")
        try notebook.tags.set(row.id, row.handTags + [tag])
        try notebook.notes.setStarred([row.id], true)
        _ = try notebook.transfer.export(to: out, ExportOptions(frontMatter: true))
        let written = try self.text("Inbox/Given.md")
        if text.contains("kind: a") { #expect(written.components(separatedBy: "---").count == 3, "\(written)") }
        let other = try TestNotebook()
        _ = try other.notebook.transfer.importFiles(ImportPlan(paths: [out]))
        let came = try #require(try other.notebook.notes.load(row.id))
        let sent = try #require(try notebook.notes.load(row.id))
        #expect(came.content.utf8.elementsEqual(text.utf8), "\(written)")
        #expect(came.title == "Given" && came.row.starred && came.row.createdDate == sent.row.createdDate)
        #expect(came.row.updatedDate == sent.row.updatedDate)
        #expect(came.row.handTagNames == sent.row.handTagNames && came.row.tagNames == sent.row.tagNames)
    }

    @Test func `front matter that somebody arranged anew loses nothing`() throws {
        let id = UUID()
        let text = "---\nmine: 1\ntakenote: \(id)\ntitle: T\n---\nbody"
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: out + "/a.md"))
        _ = try notebook.transfer.importFiles(ImportPlan(paths: [out]))
        #expect(try notebook.notes.text(NoteID(id)) == text)
    }
}
