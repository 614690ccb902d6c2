import Foundation
import Testing

@testable import NoteStore

/// Tests where exports of Evernote are found: by themselves, in folders and in archives.
@Suite struct EvernoteFileTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    private func enex(_ title: String, file: String? = nil) -> String {
        let resource =
            file.map { text in
                """
                <resource><data encoding="base64">\(Data(text.utf8).base64EncodedString())</data><mime>text/plain</mime>
                <resource-attributes><file-name>\(text).dat</file-name></resource-attributes></resource>
                """
            } ?? ""
        return """
            <?xml version="1.0" encoding="UTF-8"?><en-export><note><title>\(title)</title>
            <content><![CDATA[<en-note>text of \(title)</en-note>]]></content>\(resource)</note></en-export>
            """
    }

    /// Imports all that a path has, and returns the results in order.
    private func takeAll(_ path: String) throws -> [ImportResult] {
        try ImportSource.sources([inputs + "/" + path]).map { source in
            try notebook.transfer.importFiles(source, ImportOptions(skipsUnchanged: true))
        }
    }

    private func folders() throws -> Set<String> {
        Set(try notebook.lists.rows(ListQuery(container: .allNotes), limit: 99).compactMap(\.folderName))
    }

    @Test func `each export of Evernote in a zip comes with its files, and the rest of the zip is named`() throws {
        try write(
            "notes.zip",
            ArchiveBuilder.zip([
                .init("My notes/Home.enex", enex("Soup", file: "recipe")), .init("My notes/Work.enex", enex("Plan")),
                .init("My notes/fake.enex", "no export"), .init("My notes/cover.jpg", "picture"),
                .init("__MACOSX/My notes/._Home.enex", "x"),
            ]))
        let results = try takeAll("notes.zip")
        #expect(results.map(\.noteImportCount) == [1, 1] && results.map(\.fileCount) == [1, 0])
        let problems = results.flatMap(\.problems)
        #expect(problems.map(\.reason) == [.unknownKind] && problems.first?.path.hasSuffix("fake.enex") == true)
        #expect(results.flatMap(\.leftOut).map(\.ending) == ["jpg"])
        #expect(try folders() == ["Home", "Work"])
        #expect(try text("Soup") == "text of Soup\n\n[recipe.dat](takenote://file/<ID>)\n")
        #expect(try takeAll("notes.zip").map(\.unchangedCount) == [1, 1])
        try test.expectSound()
    }

    @Test func `an archive in an archive may have exports of Evernote`() throws {
        let inner = ArchiveBuilder.zip([.init("Home.enex", enex("Soup")), .init("Work.enex", enex("Plan"))])
        try write("outer.zip", ArchiveBuilder.zip([.init("inner.zip", inner)]))
        #expect(try takeAll("outer.zip").map(\.noteImportCount) == [1, 1])
    }

    @Test func `a zip whose exports cannot be read is refused`() throws {
        try write("fake.zip", ArchiveBuilder.zip([.init("fake.enex", "no export")]))
        #expect(throws: StoreError.damagedArchive(path: inputs + "/fake.zip")) { try takeAll("fake.zip") }
    }

    @Test func `the exports of Evernote in a folder without texts come, and beside texts they are named`() throws {
        try write("only/Home.enex", enex("Soup"))
        try write("only/deep/Work.enex", enex("Plan"))
        try write("only/cover.jpg", "picture")
        #expect(ImportPlan.hasFiles(inputs + "/only") && !ImportPlan.hasFiles(inputs + "/none"))
        let results = try takeAll("only")
        #expect(results.map(\.noteImportCount) == [0, 1, 1])
        #expect(results.flatMap(\.leftOut).map(\.ending) == ["jpg"])
        #expect(try folders() == ["Home", "Work"])
        try write("both/Home.enex", enex("Tea"))
        try write("both/note.md", "words")
        let both = try takeAll("both")
        #expect(both.map(\.noteImportCount) == [1] && both.flatMap(\.leftOut).map(\.ending) == ["enex"])
    }
}
