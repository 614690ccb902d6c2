import Foundation
import Testing

@testable import NoteStore

/// Tests the exports of other programs, each written by hand from its documented format.
@Suite struct ProgramExportTests: ImportSuite {
    let test: TestNotebook
    private typealias File = ArchiveBuilder.File

    init() throws { test = try TestNotebook() }

    private func folder(_ row: NoteRow) throws -> String {
        let all = try notebook.containers.all()
        var names: [String] = []
        var next = all.first { $0.id == row.folder }
        while let container = next {
            names.insert(container.name, at: 0)
            next = container.parent.flatMap { parent in all.first { $0.id == parent } }
        }
        return names.joined(separator: "/")
    }

    @Test func `Evernote's notes come with text, tags, dates, pictures and files`() throws {
        let png = TransferTests.png.base64EncodedString()
        let pdf = Data("a paper".utf8)
        func hash(_ data: Data) -> String { EvernoteExport.Resource(base64: data.base64EncodedString()).hash }
        let enex = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
            <en-export export-date="20240304T050607Z" application="Evernote" version="10">
            <note><title>Soup &amp; bread</title><created>20230102T030405Z</created><updated>20240304T050607Z</updated>
            <tag>cooking</tag><tag>to do</tag><note-attributes><source-url>https://example.org/soup</source-url></note-attributes>
            <content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "x.dtd"><en-note><h1>Soup</h1><div>Boil <b>water</b> &lt;note&gt;</div>
            <div><en-todo checked="true"/>salt</div><div><en-todo/>pepper</div><ul><li>one<ul><li>two</li></ul></li><li>three</li></ul>
            <en-media type="image/png" hash="\(hash(TransferTests.png))"/><en-media type="application/pdf" hash="\(hash(pdf))"/>
            <table><tr><td>a</td><td>b|c</td></tr><tr><td>1</td><td>2</td></tr></table><pre>x &lt; y</pre></en-note>]]></content>
            <resource><data encoding="base64">\(png)</data><mime>image/png</mime></resource>
            <resource><data encoding="base64">\(pdf.base64EncodedString())</data><mime>application/pdf</mime>
            <resource-attributes><file-name>Paper one.pdf</file-name></resource-attributes></resource></note>
            <note><title>Second</title><content><![CDATA[<en-note>plain</en-note>]]></content></note>
            </en-export>
            """
        let path = try write("Kitchen.enex", Data(enex.utf8))
        let result = try take(path)
        #expect(result.noteImportCount == 2 && result.imageCount == 1 && result.fileCount == 1, "\(result.toString())")
        #expect(result.problems.isEmpty)
        #expect(
            try text("Soup & bread") == """
                # Soup

                Boil **water** \\<note>

                - [x] salt

                - [ ] pepper

                - one
                  - two
                - three

                ![](takenote://image/<ID>)[Paper one.pdf](takenote://file/<ID>)

                | a | b\\|c |
                | --- | --- |
                | 1 | 2 |

                ```
                x < y
                ```

                <https://example.org/soup>

                """)
        let soup = try row("Soup & bread")
        #expect(soup.tagNames == ["cooking", "to do"] && soup.createdDate == ImportFile.date("2023-01-02T03:04:05Z"))
        #expect(try folder(soup) == "Kitchen")
        #expect(try take(path).unchangedCount == 2)
    }

    @Test func `Notion's zip comes with pages, databases, links and pictures, also from the zip in it`() throws {
        let page =
            "# Plans\n\nTags: a, b\nCreated: March 4, 2024 5:06 PM\n\nSee [Sub](Plans%20\(Self.id("1"))/Sub%20\(Self.id("2")).md) ![](Plans%20\(Self.id("1"))/x.png) [t](t.txt)\n"
        let inner = ArchiveBuilder.zip([
            File("Plans \(Self.id("1")).md", page),
            File("Plans \(Self.id("1"))/Sub \(Self.id("2")).md", "# Sub\n\nBack\n"),
            File("Plans \(Self.id("1"))/x.png", TransferTests.png),
            File("Tasks \(Self.id("3")).csv", "\u{FEFF}Name,Note\n\"A, b\",\"say \"\"x|y\"\"\nmore\"\nC,\n"),
            File("Tasks \(Self.id("3"))_all.csv", "Name\nA\n"), File("t.txt", "text"),
        ])
        let outer = ArchiveBuilder.zip([File("Export-1-Part-1.zip", inner)])
        let result = try take(try write("notion.zip", outer))
        #expect(result.noteImportCount == 3 && result.imageCount == 1 && result.fileCount == 1, "\(result.toString())")
        #expect(
            try text("Plans")
                == "# Plans\n\nTags: a, b\nCreated: March 4, 2024 5:06 PM\n\nSee [Sub](takenote://note/<ID>) ![](takenote://image/<ID>) [t](takenote://file/<ID>)\n"
        )
        #expect(try text("Tasks") == "| Name | Note |\n| --- | --- |\n| A, b | say \"x\\|y\" more |\n| C |  |\n")
        #expect(try row("Plans").tagNames == ["a", "b"])
        #expect(try row("Plans").createdDate == ImportFile.date("2024-03-04T17:06:00Z"))
        #expect(try folder(row("Sub")) == "Notion/Plans")
    }

    private static func id(_ digit: String) -> String { String(repeating: digit, count: 32) }

    @Test func `Bear's backup comes with pictures, dates and tags, and without its Trash`() throws {
        func info(_ trashed: Int) -> String {
            """
            {"version":2,"type":"net.daringfireball.markdown","net.shinyfrog.bear":{"uniqueIdentifier":\
            "AAAAAAAA-BBBB-CCCC-DDDD-\(trashed)EEEEEEEEEEE","creationDate":"2022-01-02T03:04:05Z",\
            "modificationDate":"2023-01-02T03:04:05Z","trashed":\(trashed),"pinned":1}}
            """
        }
        let zip = ArchiveBuilder.zip([
            File("Bear.bear2bk/Trip.textbundle/text.markdown", "# Trip\n#travel/italy\n![](assets/x%20y.png)\n"),
            File("Bear.bear2bk/Trip.textbundle/assets/x y.png", TransferTests.png),
            File("Bear.bear2bk/Trip.textbundle/info.json", info(0)),
            File("Bear.bear2bk/Gone.textbundle/text.markdown", "# Gone\n"),
            File("Bear.bear2bk/Gone.textbundle/info.json", info(1)),
        ])
        let result = try take(try write("Bear.bear2bk", zip))
        #expect(result.noteImportCount == 1 && result.imageCount == 1)
        #expect(result.problems.map(\.reason) == [.inItsTrash])
        #expect(try text("Trip") == "# Trip\n#travel/italy\n![](takenote://image/<ID>)\n")
        let trip = try row("Trip")
        #expect(trip.tagNames == ["travel/italy"] && trip.starred)
        #expect(trip.createdDate == ImportFile.date("2022-01-02T03:04:05Z"))
    }

    @Test(arguments: ["", "this is no zip at all"]) func `what only has a zip's name is reported as not a zip`(
        _ text: String
    )
        throws
    {
        let result = try take(try write("export.zip", Data(text.utf8)))
        #expect(result.problems.count == 1)
        #expect(
            result.problems.first?.sentence.hasSuffix("export.zip: not a zip, whatever its name says; get it again")
                == true)
    }

    @Test func `Google Keep's Takeout comes with lists, labels, links and pictures`() throws {
        let list = """
            {"color":"DEFAULT","isTrashed":false,"isPinned":true,"isArchived":false,"title":"Shopping",
            "listContent":[{"text":"Milk","isChecked":true},{"text":"Eggs","isChecked":false}],
            "labels":[{"name":"Home stuff"}],"attachments":[{"filePath":"a.b.jpeg","mimetype":"image/jpeg"}],
            "annotations":[{"description":"","source":"WEBLINK","title":"Shop","url":"https://example.org"}],
            "userEditedTimestampUsec":1700000000123456,"createdTimestampUsec":1600000000000000}
            """
        let gone = """
            {"isTrashed":true,"title":"Gone","textContent":"x","userEditedTimestampUsec":1,"createdTimestampUsec":1}
            """
        let zip = ArchiveBuilder.zip([
            File("Takeout/Keep/Shopping.json", list), File("Takeout/Keep/Shopping.html", "<html></html>"),
            File("Takeout/Keep/Gone.json", gone), File("Takeout/Keep/a.b.jpg", TransferTests.jpeg),
            File("Takeout/archive_browser.html", "<html></html>"),
        ])
        let result = try take(try write("takeout.zip", zip))
        #expect(result.noteImportCount == 1 && result.imageCount == 1, "\(result.toString())")
        #expect(
            try text("Shopping") == """
                - [x] Milk
                - [ ] Eggs

                - [Shop](https://example.org)

                ![](takenote://image/<ID>)

                """)
        let shopping = try row("Shopping")
        #expect(shopping.tagNames == ["Home stuff"] && shopping.starred)
        #expect(shopping.createdDate == Date(timeIntervalSince1970: 1_600_000_000))
    }

    @Test func `Joplin's JEX comes like its RAW folder`() throws {
        let note = "Cake\n\nSugar ![](:/\(Self.id("c")))\n\nid: \(Self.id("a"))\nparent_id: \(Self.id("b"))\ntype_: 1"
        let tar = ArchiveBuilder.tar([
            File("\(Self.id("a")).md", note), File("\(Self.id("b")).md", "Kitchen\n\nid: \(Self.id("b"))\ntype_: 2"),
            File("\(Self.id("c")).md", "x.png\n\nid: \(Self.id("c"))\nfile_extension: png\ntype_: 4"),
            File("resources/\(Self.id("c")).png", TransferTests.png),
        ])
        let result = try take(try write("all.jex", tar))
        #expect(result.noteImportCount == 1 && result.imageCount == 1, "\(result.toString())")
        #expect(try text("Cake") == "Sugar ![](takenote://image/<ID>)")
        #expect(try folder(row("Cake")) == "Kitchen")
    }

    @Test func `a JEX that was cut anywhere is damaged, also between two entries`() throws {
        let tar = ArchiveBuilder.tar(
            (0..<3).map { File("\(Self.id("\($0)")).md", "Note \($0)\n\nBody\n\nid: \(Self.id("\($0)"))\ntype_: 1") })
        #expect(try take(try write("whole.jex", tar)).noteImportCount == 3)
        // Each entry takes two blocks, and two more end the archive.
        for length in [1, 511, 512, 700, 1024, 2048, 3072] {
            do {
                let result = try take(try write("cut \(length).jex", tar.prefix(length)))
                #expect(result.noteImportCount == 0 && result.problems.count == 1, "\(length): \(result.toString())")
            } catch StoreError.damagedArchive {
                // What is no longer than a header is not an archive at all, and is reported as a file of no known kind.
                #expect(length > 511)
            }
        }
    }

    @Test func `Logseq's graph comes with names, properties and journals`() throws {
        try write("graph/logseq/config.edn", Data("{}".utf8))
        try write("graph/pages/a___b.md", Data("tags:: x, [[y z]]\n\n- see [[Other]] #inline\n".utf8))
        try write("graph/pages/file.md", Data("title:: Other\n- text ![](../assets/p.png)\n".utf8))
        try write("graph/journals/2024_03_04.md", Data("- day\n".utf8))
        try write("graph/assets/p.png", TransferTests.png)
        let result = try take("graph/")
        #expect(result.noteImportCount == 3 && result.imageCount == 1, "\(result.toString())")
        #expect(try row("a/b").tagNames == ["inline", "x", "y z"])
        #expect(try notebook.links.backlinks(of: try row("Other").id).map(\.source.title) == ["a/b"])
        #expect(try folder(row("2024-03-04")) == "graph/Journals")
    }

    @Test func `a zip of notes comes like a folder, and what is odd in it is named`() throws {
        var bomb = File("bomb.md", "x")
        bomb.claimed = 200_000_000
        var locked = File("locked.md", "secret")
        locked.flags = 1
        let zip = ArchiveBuilder.zip([
            File("a.md", "---\ntags: [t]\n---\n[b](sub/b.md) ![](p.png)"), File("sub/b.md", "\u{FEFF}one\r\ntwo"),
            File("p.png", TransferTests.png), File("../evil.md", "out"), File("/abs.md", "abs"), bomb, locked,
            File("__MACOSX/._a.md", "x"), File(".hidden/c.md", "x"),
        ])
        let result = try take(try write("vault.zip", zip))
        #expect(result.noteImportCount == 3 && result.imageCount == 1, "\(result.toString())")
        let reasons = Set(result.problems.map(\.reason))
        #expect(reasons == [.linkOutside, .locked, .tooLarge(bytes: 200_000_000, limit: ImportFile.limit)])
        #expect(try folder(row("b")) == "vault/sub")
        #expect(try text("b") == "one\r\ntwo")
        #expect(try take("vault.zip").unchangedCount == 3)
    }

    @Test func `a zip that is cut anywhere is refused or gives only whole notes`() throws {
        let zip = ArchiveBuilder.zip([File("a.md", "first note"), File("b.md", "second note")])
        for end in stride(from: 0, to: zip.count, by: 7) {
            let path = try write("cut\(end).zip", zip.prefix(end))
            do {
                for source in try ImportSource.sources([path]) {
                    let result = try notebook.transfer.importFiles(source)
                    #expect(result.noteImportCount == 0)
                }
            } catch is StoreError {
                // The error reports the problem.
            }
        }
        var wrong = zip
        wrong[40] ^= 1
        let result = try take(try write("wrong.zip", wrong))
        #expect(result.noteImportCount == 1 && result.problems.map(\.reason) == [.damagedArchive])
    }

    @Test func `what is deflated comes out byte for byte, and never more than it claims`() throws {
        let packed = try #require(Data(base64Encoded: Self.deflated))
        let letters: [UInt8] = (0..<500).map { UInt8(97 + ($0 * $0) % 26) }
        let lines = String(repeating: "Lines that repeat, and ünïcödé. ", count: 40)
        let text = lines + "\n" + String(decoding: letters, as: UTF8.self)
        let bytes = Array(text.utf8)
        #expect(try Inflate.unpack(Array(packed), expecting: bytes.count, limit: bytes.count) == bytes)
        #expect(throws: Inflate.Problem.self) {
            try Inflate.unpack(Array(packed), expecting: bytes.count, limit: bytes.count - 1)
        }
        for end in 0..<packed.count {
            #expect(throws: Inflate.Problem.self) {
                try Inflate.unpack(Array(packed.prefix(end)), expecting: bytes.count, limit: bytes.count)
            }
        }
        for index in packed.indices {
            var changed = Array(packed)
            changed[index] ^= 0x55
            // The size of any output is limited, and nothing traps.
            let result = try? Inflate.unpack(changed, expecting: bytes.count, limit: 5_000)
            #expect(result?.count ?? 0 <= 5_000)
        }
    }
    private static let deflated =
        "88nMSy1WKMlILFEoSi1ITSzRUUjMS1E4vCfv8Prkw9tSDq/UU/AZVTOqZlTNqJpRNXRXw5WYlJpVWJVdkZtSXpSfl19UnpJbkV1VmJWaNCozXGUA"

    @Test(arguments: [
        "<en-export><note><title>A</title><content><![CDATA[<en-note>x<b>y", "<en-export><note></note><note>",
        "<en-export><note><title>A</title><content><![CDATA[<en-note><<<>&#xFFFFFFF;&bogus;</x></en-note>]]></content></note>",
        "\u{FEFF}<en-export>\r\n<note>\r\n<title>A</title><content>no data</content></note></en-export>",
    ]) func `broken XML ends no import`(_ enex: String) throws {
        let path = try write("broken.enex", Data(enex.utf8))
        let result = try take(path)
        #expect(result.noteImportCount + result.problems.count <= 2)
    }

    @Test func `a table keeps quotation marks and all of its rows`() {
        #expect(CSVTable("a,b\n\"\"\"x\"\"\",\"\"\n").markdown == "| a | b |\n| --- | --- |\n| \"x\" |  |\n")
        let rows = CSVTable(String(repeating: "a\n", count: 6_000)).markdown.split(separator: "\n")
        #expect(rows.count == 6_001)
    }

    @Test func `of two files with one name a zip keeps both and a tar the later`() throws {
        let files = [File("n.md", "first"), File("n.md", "second")]
        #expect(try take(try write("twice.zip", ArchiveBuilder.zip(files))).noteImportCount == 2)
        #expect(try text("n") == "first" && text("n 2") == "second")
        let tar = [File("t.md", "first"), File("t.md", "second")]
        #expect(try take(try write("twice.tar", ArchiveBuilder.tar(tar))).noteImportCount == 1)
        #expect(try text("t") == "second")
    }

    @Test func `a file in a zip that is packed into more than it has is damaged`() throws {
        var stored = File("stored.md", "too long")
        stored.claimed = 3
        var packed = File("packed.md", "x")
        packed.packed = Data(count: 100_000)
        let result = try take(try write("odd.zip", ArchiveBuilder.zip([stored, packed])))
        #expect(result.noteImportCount == 0 && result.problems.map(\.reason) == [.damagedArchive, .damagedArchive])
    }

    @Test func `folders in an archive end at a depth`() throws {
        let zip = ArchiveBuilder.zip([File(String(repeating: "f/", count: 200) + "deep.md", "x"), File("a.md", "y")])
        let source = try #require(try ImportSource.sources([try write("deep.zip", zip)]).first)
        #expect(source.plan.files.map(\.folders.count).max() == 51)
    }

    @Test func `a circle of Joplin's folders ends`() throws {
        let tar = ArchiveBuilder.tar([
            File("\(Self.id("a")).md", "Cake\n\nx\n\nid: \(Self.id("a"))\nparent_id: \(Self.id("b"))\ntype_: 1"),
            File("\(Self.id("b")).md", "B\n\nid: \(Self.id("b"))\nparent_id: \(Self.id("c"))\ntype_: 2"),
            File("\(Self.id("c")).md", "C\n\nid: \(Self.id("c"))\nparent_id: \(Self.id("b"))\ntype_: 2"),
        ])
        try take(try write("circle.jex", tar))
        #expect(try folder(row("Cake")) == "C/B")
    }

    @Test func `an export of Evernote that is cut off says so`() throws {
        let enex = "<en-export><note><title>A</title><content>a</content></note><note><title>B</title><content>b"
        let result = try take(try write("cut.enex", Data(enex.utf8)))
        #expect(result.noteImportCount == 1 && result.problems.map(\.reason) == [.damagedArchive])
    }
}
