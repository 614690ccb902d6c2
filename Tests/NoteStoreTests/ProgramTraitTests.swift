import Foundation
import Testing

@testable import NoteStore

/// Tests traits of exports that people really have, beyond the documented forms.
@Suite struct ProgramTraitTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    @Test func `a file of an Evernote note that its text does not show is linked at its end`() throws {
        let enex = """
            <en-export><note><title>Clip</title><content><![CDATA[<en-note>text</en-note>]]></content>
            <resource><data encoding="base64">\(Data("page".utf8).base64EncodedString())</data><mime>text/plain</mime>
            <resource-attributes><file-name>page.dat</file-name></resource-attributes></resource></note></en-export>
            """
        let result = try take(try write("clip.enex", Data(enex.utf8)))
        #expect(result.fileCount == 1 && result.problems.isEmpty, "\(result)")
        let file = try #require(try notebook.attachments.all().first)
        #expect(try notebook.notes.text(row("Clip").id) == "text\n\n[page.dat](\(file.url))\n")
    }

    private func evernote(_ notes: (title: String, tag: String, text: String)...) -> Data {
        let notes = notes.map { note in
            """
            <note><title>\(note.title)</title><created>20230102T030405Z</created><tag>\(note.tag)</tag>
            <content><![CDATA[<en-note>\(note.text)</en-note>]]></content></note>
            """
        }
        return Data("<en-export>\(notes.joined())</en-export>".utf8)
    }

    @Test func `Evernote's notes that differ in their tags alone are two, also from two files`() throws {
        let both = evernote(("Soup", "new", "text"), ("Soup", "old", "text"))
        try write("one/Kitchen.enex", both)
        try write("copy/Kitchen.enex", both)
        try write("two/Kitchen.enex", evernote(("Soup", "third", "text")))
        #expect(try take("one/Kitchen.enex").noteImportCount == 2)
        #expect(try take("two/Kitchen.enex").noteImportCount == 1)
        for name in ["one", "copy", "two"] {
            let result = try take("\(name)/Kitchen.enex")
            #expect(result.noteImportCount == 0 && result.unchangedCount == (name == "two" ? 1 : 2), "\(name)")
        }
        let rows = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 100)
        #expect(rows.map(\.tagNames).sorted { $0.joined() < $1.joined() } == [["new"], ["old"], ["third"]])
    }

    @Test func `a note of Evernote is known in the next export, wherever it is there`() throws {
        try write("Kitchen.enex", evernote(("Soup", "a", "one"), ("Bread", "a", "two")))
        #expect(try take("Kitchen.enex").noteImportCount == 2)
        try write("Kitchen.enex", evernote(("Tea", "a", "three"), ("Soup", "a", "one"), ("Bread", "a", "two, baked")))
        let result = try take("Kitchen.enex")
        #expect(result.noteImportCount == 1 && result.unchangedCount == 1 && result.mergedCount == 1, "\(result)")
        #expect(try text("Tea") == "three\n" && text("Soup") == "one\n" && text("Bread") == "two, baked\n")
        #expect(try notebook.lists.count(ListQuery(container: .allNotes)) == 3)
    }

    @Test func `a newer export in a file of another name changes its notes`() throws {
        func export(_ name: String, _ text: String) throws {
            let json = #"{"activeNotes":[{"id":"AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE","content":"\#(text)"}]}"#
            try write(name, ArchiveBuilder.zip([ArchiveBuilder.File("source/notes.json", json)]))
        }
        for (number, text) in ["List\\none", "List\\none\\ntwo", "List\\nzero\\none\\ntwo"].enumerated() {
            try export("\(number).zip", text)
        }
        #expect(try take("0.zip").noteImportCount == 1)
        let plan = try #require(try ImportSource.sources([inputs + "/1.zip"]).first)
        #expect(try notebook.transfer.preview(plan, ImportOptions(skipsUnchanged: true)).unchangedCount == 0)
        for number in 1...2 {
            let result = try take("\(number).zip")
            #expect(result.mergedCount == 1 && result.noteImportCount == 0 && result.problems.isEmpty, "\(result)")
        }
        #expect(try text("List") == "List\nzero\none\ntwo")
        for number in 0...2 { #expect(try take("\(number).zip").unchangedCount == 1) }
        #expect(try text("List") == "List\nzero\none\ntwo")
    }

    @Test func `Joplin's to-dos are tasks, its web clips Markdown, and what it has encrypted is named`() throws {
        func item(_ digit: Character, _ text: String, _ properties: String) throws {
            let id = String(repeating: digit, count: 32)
            try write("joplin/\(id).md", "\(text)\n\nid: \(id)\n\(properties)\ntype_: 1")
        }
        try item("a", "Call\n\nAna first", "is_todo: 1\ntodo_due: 1709528767000\ntodo_completed: 0")
        try item("b", "Done", "is_todo: 1\ntodo_due: 0\ntodo_completed: 1709528767000")
        try item("c", "Clip\n\n<p>One <b>bold</b> word</p>", "markup_language: 2")
        try item("d", "", "encryption_applied: 1")
        let result = try take("joplin")
        #expect(result.noteImportCount == 3 && result.problems.map(\.reason) == [.locked], "\(result)")
        #expect(try text("Call") == "Ana first\n\n- [ ] Call @2024-03-04\n" && text("Done") == "- [x] Done\n")
        #expect(try text("Clip") == "One **bold** word\n")
    }

    @Test func `tags of Standard Notes below others, stars and the archive come over`() throws {
        let tags = #"""
            {"uuid":"t1","content_type":"Tag","content":{"title":"home","references":[]}},
            {"uuid":"t2","content_type":"Tag","content":{"title":"garden","references":[
            {"uuid":"t1","content_type":"Tag","reference_type":"TagToParentTag"},{"uuid":"n","content_type":"Note"}]}}
            """#
        let note = #"""
            {"uuid":"n","content_type":"Note","content":{"title":"Pears","text":"ripe","starred":true,
            "appData":{"org.standardnotes.sn":{"archived":true}}}}
            """#
        try write("Standard Notes Backup and Import File.txt", #"{"version":"004","items":[\#(tags),\#(note)]}"#)
        #expect(try take("Standard Notes Backup and Import File.txt").noteImportCount == 1)
        let row = try row("Pears")
        #expect(row.tagNames == ["archived", "home/garden"] && row.starred)
        let encrypted = ArchiveBuilder.File(
            "Standard Notes Encrypted Backup and Import File.txt",
            #"{"items":[{"uuid":"n","content_type":"Note","content":"004:x"}]}"#)
        let path = try write("sn.zip", ArchiveBuilder.zip([encrypted]))
        let name = path + "/Standard Notes Encrypted Backup and Import File.txt"
        #expect(throws: StoreError.encryptedExport(path: name, program: "Standard Notes")) { try take(path) }
    }

    @Test func `files beside bundles and beside the notes of Keep are listed as left out`() throws {
        try write("bundles/A.textbundle/text.md", "# A\n")
        try write("bundles/A.textbundle/info.json", "{}")
        try write("bundles/A.textbundle/assets/a.pdf", "paper")
        for name in ["loose.md", "inner/paper.pdf", "B.textpack"] { try write("bundles/" + name, "text") }
        let bundles = try take("bundles")
        #expect(bundles.noteImportCount == 1)
        #expect(bundles.leftOut.map(\.ending) == ["md", "pdf", "textpack"])
        #expect(bundles.leftOut.map(\.count) == [1, 1, 1])
        let note = #"{"isTrashed":false,"isArchived":false,"title":"N","textContent":"t","userEditedTimestampUsec":1}"#
        let takeout = [("Keep/N.json", note), ("Keep/N.html", ""), ("Drive/x.pdf", "paper")].map {
            ArchiveBuilder.File("Takeout/" + $0, $1)
        }
        let keep = try take(write("takeout.zip", ArchiveBuilder.zip(takeout)))
        #expect(keep.noteImportCount == 1 && keep.leftOut.map(\.ending) == ["pdf"])
    }

    /// Returns the items of a backup with a rich note that has most kinds of elements, the note and the file in it.
    private static func richItems() throws -> String {
        let other = "00000000-0000-4000-8000-000000000002"
        func words(_ text: String) -> String { #"{"type":"text","format":0,"text":"\#(text)"}"# }
        let elements = #"""
            {"type":"heading","tag":"h2","format":"","children":[\#(words("Plan"))]},
            {"type":"paragraph","children":[{"type":"text","format":1,"text":"bold"},\#(words(" a*b <c> ")),
            {"type":"link","url":"https://example.org","children":[\#(words("page"))]},{"type":"linebreak"},
            {"type":"snbubble","itemUuid":"\#(other)"}]},
            {"type":"list","listType":"check","children":[
            {"type":"listitem","checked":true,"children":[\#(words("done"))]},
            {"type":"listitem","children":[{"type":"list","listType":"bullet","children":[
            {"type":"listitem","children":[\#(words("inner"))]}]}]},
            {"type":"listitem","checked":false,"children":[\#(words("open"))]}]},
            {"type":"code","language":"swift","children":[{"type":"code-highlight","text":"let a = 1"},
            {"type":"linebreak"},{"type":"code-highlight","text":"a"}]},
            {"type":"snfile","fileUuid":"f"}
            """#
        let tree = #"{"root":{"type":"root","children":[\#(elements)]}}"#
        let json = try String(decoding: JSONEncoder().encode(tree), as: UTF8.self)
        return #"""
            {"uuid":"00000000-0000-4000-8000-000000000001","content_type":"Note",
            "created_at":"2024-04-28T09:29:22.642Z","updated_at":"1970-01-01T00:00:00.000Z",
            "content":{"title":"Rich","noteType":"super","text":\#(json),
            "appData":{"org.standardnotes.sn":{"client_updated_at":"2024-04-28T09:29:42.628Z"}}}},
            {"uuid":"\#(other)","content_type":"Note","content":{"title":"Other","text":"plain"}},
            {"uuid":"f","content_type":"SN|File","content":{"name":"paper.pdf"}}
            """#
    }

    @Test func `a rich note of Standard Notes comes as Markdown, with its date and the names of its files`() throws {
        try write("Standard Notes Backup and Import File.txt", #"{"version":"004","items":[\#(Self.richItems())]}"#)
        let result = try take("Standard Notes Backup and Import File.txt")
        #expect(result.noteImportCount == 2)
        #expect(result.problems.map(\.reason) == [.missingFile(name: "paper.pdf")])
        #expect(result.problems.first?.path.hasSuffix("(Rich)") == true)
        #expect(
            try text("Rich") == #"""
                ## Plan

                **bold** a\*b \<c> [page](https://example.org)\
                [Other](takenote://note/<ID>)

                - [x] done
                  - inner
                - [ ] open

                ```swift
                let a = 1
                a
                ```

                paper.pdf

                """#)
        #expect(try row("Rich").updatedDate.timestamp == "2024-04-28T09:29:42.628Z")
    }

    @Test func `a rich note of Standard Notes that is nested too deeply comes as the text that it is`() throws {
        for (depth, isRead) in [(30, true), (240, false)] {
            let item = #"{"type":"list","children":[{"type":"listitem","children":["#
            let (start, end) = (String(repeating: item, count: depth / 2), String(repeating: "]}]}", count: depth / 2))
            let words = start + #"{"type":"text","text":"inmost"}"# + end
            let tree = #"{"root":{"type":"root","children":[\#(words)]}}"#
            let json = try String(decoding: JSONEncoder().encode(tree), as: UTF8.self)
            let note = #"""
                {"uuid":"00000000-0000-4000-8000-000000000\#(depth + 100)","content_type":"Note",
                "content":{"title":"Depth \#(depth)","noteType":"super","text":\#(json)}}
                """#
            try write("Standard Notes Backup and Import File.txt", #"{"version":"004","items":[\#(note)]}"#)
            #expect(try take("Standard Notes Backup and Import File.txt").noteImportCount == 1)
            let text = try text("Depth \(depth)")
            #expect(text.contains("inmost") && text.hasPrefix(#"{"root":"#) != isRead)
        }
    }

    @Test func `a note that Standard Notes could not decrypt is named, and the others come`() throws {
        let notes = #"""
            {"uuid":"n1","content_type":"Note","content":{"title":"Pears","text":"ripe"}},
            {"uuid":"n2","content_type":"Note","content":"004:x"}
            """#
        try write("Standard Notes Backup and Import File.txt", #"{"version":"004","items":[\#(notes)]}"#)
        let result = try take("Standard Notes Backup and Import File.txt")
        #expect(result.noteImportCount == 1 && result.problems.map(\.reason) == [.locked])
        #expect(result.problems.first?.path.hasSuffix("(n2)") == true)
    }

    @Test func `a folder of Keep's notes is known whatever its name`() throws {
        let json = #"""
            {"isTrashed":false,"isArchived":false,"title":"Note","textContent":"a",
            "userEditedTimestampUsec":1,"createdTimestampUsec":1}
            """#
        try write("my notes/Labels.json", Data("[]".utf8))
        try write("my notes/Note.json", Data(json.utf8))
        #expect(try take("my notes").noteImportCount == 1)
        #expect(try text("Note") == "a\n")
    }

    /// Returns the files of a note in a backup of Bear.
    private func bundle(_ title: String, _ text: String) -> [ArchiveBuilder.File] {
        let info = #"{"version":2,"net.shinyfrog.bear":{"uniqueIdentifier":"\#(UUID())"}}"#
        return [
            ArchiveBuilder.File("Bear/\(title).textbundle/text.md", text),
            ArchiveBuilder.File("Bear/\(title).textbundle/info.json", info),
        ]
    }

    @Test(arguments: [
        ("#two words# and #one", "#two_words and #one"), ("a #home/new flat#, #x", "a #home/new_flat, #x"),
        ("#项目 计划#", "#项目_计划"), ("#2024 plans#", "#2024_plans"), ("(#tom & jerry#)", "(#tom_jerry)"),
        ("#one and #two", "#one and #two"), ("#one and #two words#", "#one and #two_words"),
        // A single word, a heading, code, an escaped tag, an address, and no tag at all.
        ("#word# x", "#word# x"), ("# Head #\n## A b#", "# Head #\n## A b#"),
        ("`#two words#`\n\n```\n#two words#\n```", "`#two words#`\n\n```\n#two words#\n```"),
        ("\\#two words# x", "\\#two words# x"), ("[a](x#two words#)", "[a](x#two words#)"),
        ("#1 2#", "#1_2"), ("C# and F# x", "C# and F# x"), ("#two words#more", "#two words#more"), ("", ""),
    ]) func `Bear's tags of several words are tags`(_ written: String, _ expected: String) {
        #expect(BearTags.translated(written) == expected)
    }

    @Test func `a note of Bear has its tags of several words`() throws {
        let zip = ArchiveBuilder.zip(bundle("Start", "# Start\n#two words# #home/new flat# #one\n"))
        #expect(try take(try write("notes.bear2bk", zip)).noteImportCount == 1)
        #expect(try row("Start").tagNames == ["home/new_flat", "one", "two_words"])
    }

    @Test func `Bear's links to headings lead there`() throws {
        let zip = ArchiveBuilder.zip(
            bundle("Start", "# Start\n[[Here\\/There/Part one]] [[Start/Low|low]] [[Start]]\n## Low\n")
                + bundle("Other", "# Here/There\n## Part one\n"))
        #expect(try take(try write("notes.bear2bk", zip)).noteImportCount == 2)
        #expect(try text("Start").contains("\n[[Here/There#Part one]] [[Start#Low|low]] [[Start]]\n"))
        let start = try notebook.notes.resolve(reference: "Start")
        let links = try notebook.links.outgoing(of: start.id)
        #expect(links.map { $0.destination?.title } == ["Here/There", "Start", "Start"])
    }
}
