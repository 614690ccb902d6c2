import Foundation
import Testing

@testable import NoteStore

/// Tests folders and archives of further programs, each written by hand from its documented format.
@Suite struct ProgramFolderTests: ImportSuite {
    let test: TestNotebook

    init() throws { test = try TestNotebook() }

    @Test func `zk's notes have the titles of their texts, and links by file lead to them`() throws {
        try write("zk/.zk/config.toml", "")
        try write("zk/.zk/notebook.db", "SQLite")
        try write(
            "zk/1a2b.md", "# Bread, daily\n\nSee [[3c4d]], [[log/3c4d|the log]], [it](log/3c4d) #cooking :not-a-tag:\n")
        try write(
            "zk/log/3c4d.md",
            "---\ntitle: A day\ndate: 2011-05-16 09:58:57\nkeywords: [writing, essay]\n---\n\nBack to [[1a2b]].\n")
        let result = try take("zk")
        #expect(result.noteImportCount == 2 && result.problems.isEmpty, "\(result.toString())")
        let (bread, day) = (try row("Bread, daily"), try row("A day"))
        #expect(bread.tagNames == ["cooking"] && day.tagNames == ["essay", "writing"])
        #expect(day.createdDate == ImportFile.date("2011-05-16T09:58:57Z") && day.folderName == "log")
        let links = try notebook.links.outgoing(of: bread.id)
        #expect(links.map { $0.destination?.id } == [day.id, day.id, day.id])
        #expect(try notebook.links.outgoing(of: day.id).map { $0.destination?.id } == [bread.id])
        #expect(
            try text("Bread, daily")
                == "# Bread, daily\n\nSee [3c4d](takenote://note/<ID>), [the log](takenote://note/<ID>), "
                + "[it](takenote://note/<ID>) #cooking :not-a-tag:\n")
        #expect(try take("zk").unchangedCount == 2)
    }

    @Test func `nb's notes, bookmarks and tasks come with their titles and tags`() throws {
        try write("nb/.index", "20240102030405.md\n20240102030406.bookmark.md\n20240102030407.todo.md\n")
        try write("nb/.git/HEAD", "ref: refs/heads/master\n")
        try write("nb/.pindex", "20240102030405.md\n")
        try write("nb/20240102030405.md", "# Sample title\n\n#tag1 #tag2\n\n![](p.png) [[Do it]]\n")
        try write(
            "nb/20240102030406.bookmark.md", "# Example (example.org)\n\n<https://example.org>\n\n## Tags\n\n#web\n")
        try write("nb/20240102030407.todo.md", "# [ ] Do it\n\n## Due\n\n2030-01-01\n\n## Tasks\n\n- [x] first\n")
        try write("nb/secret.md.enc", "encrypted")
        try write("nb/p.png", TransferTests.png)
        let result = try take("nb")
        #expect(result.noteImportCount == 3 && result.imageCount == 1, "\(result.toString())")
        #expect(
            try row("Sample title").tagNames == ["tag1", "tag2"] && row("Example (example.org)").tagNames == ["web"])
        #expect(try text("Sample title") == "# Sample title\n\n#tag1 #tag2\n\n![](takenote://image/<ID>) [[Do it]]\n")
        let titles = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 9).map(\.title).sorted()
        #expect(titles == ["Example (example.org)", "Sample title", "[ ] Do it"])
    }

    @Test func `Simplenote's zip comes with tags, dates and pins, without the texts beside its JSON`() throws {
        let json = """
            {"activeNotes":[{"id":"f1e2d3c4b5a697887766554433221100","content":"Milk\\r\\n- [ ] eggs",
            "creationDate":"2020-01-02T03:04:05.678Z","lastModified":"2021-01-02T03:04:05.678Z","markdown":true,
            "tags":["home","to buy"],"pinned":true}],
            "trashedNotes":[{"id":"x","content":"gone","creationDate":"2020-01-02T03:04:05.678Z"}]}
            """
        let zip = ArchiveBuilder.zip([
            .init("source/notes.json", json), .init("Milk.txt", "Milk\r\n- [ ] eggs\r\n\r\nTags:\r\n  home, to buy"),
            .init("trash/gone.txt", "gone"),
        ])
        try write("notes.zip", zip)
        let result = try take("notes.zip")
        #expect(result.noteImportCount == 1, "\(result.toString())")
        #expect(result.problems.map(\.reason) == [.inItsTrash] && result.problems[0].path.hasSuffix("(gone)"))
        let milk = try row("Milk")
        #expect(try text("Milk") == "Milk\n- [ ] eggs" && milk.tagNames == ["home", "to buy"] && milk.starred)
        #expect(milk.createdDate == ImportFile.date("2020-01-02T03:04:05.678Z"))
        #expect(milk.updatedDate == ImportFile.date("2021-01-02T03:04:05.678Z"))
        #expect(milk.id.description.uppercased() == "F1E2D3C4-B5A6-9788-7766-554433221100")
        #expect(try take("notes.zip").unchangedCount == 1)
    }

    @Test func `Standard Notes' decrypted zip comes with tags, dates and pins, without its Trash`() throws {
        func note(_ digit: Int, _ content: String) -> String {
            """
            {"uuid":"5A5A5A5A-0000-4000-8000-00000000000\(digit)","content_type":"Note",
            "created_at":"2020-01-02T03:04:05.678Z","updated_at":"2021-01-02T03:04:05.678Z","content":\(content)}
            """
        }
        let backup = """
            {"version":"004","items":[
            \(note(1, #"{"title":"Idea","text":"A # text\n","references":[],"appData":{"org.standardnotes.sn":{"pinned":true}}}"#)),
            \(note(2, #"{"title":"Gone","text":"x","references":[],"trashed":true}"#)),
            {"uuid":"T","content_type":"Tag","content":{"title":"thoughts","references":
            [{"uuid":"5A5A5A5A-0000-4000-8000-000000000001","content_type":"Note"}]}},
            {"uuid":"C","content_type":"SN|Component","content":{"name":"Editor"}}]}
            """
        let zip = ArchiveBuilder.zip([
            .init("Standard Notes Backup and Import File.txt", backup), .init("Items/Note/Idea-1.txt", "A # text"),
        ])
        try write("Standard.zip", zip)
        let result = try take("Standard.zip")
        #expect(result.noteImportCount == 1, "\(result.toString())")
        #expect(result.problems.map(\.reason) == [.inItsTrash] && result.problems[0].path.hasSuffix("(Gone)"))
        let idea = try row("Idea")
        #expect(try text("Idea") == "A # text\n" && idea.tagNames == ["thoughts"] && idea.starred)
        #expect(idea.createdDate == ImportFile.date("2020-01-02T03:04:05.678Z"))
    }

    @Test func `exports that were unpacked come in as their zips do`() throws {
        try write("notes/source/notes.json", #"{"activeNotes":[{"id":"a","content":"Milk","tags":["home"]}]}"#)
        try write("notes/Milk.txt", "Milk")
        #expect(try take("notes").noteImportCount == 1)
        #expect(try row("Milk").tagNames == ["home"])
        let backup = """
            {"version":"004","items":[{"uuid":"5A5A5A5A-0000-4000-8000-000000000001","content_type":"Note",
            "created_at":"2020-01-02T03:04:05.678Z","updated_at":"2021-01-02T03:04:05.678Z",
            "content":{"title":"Idea","text":"text","references":[]}}]}
            """
        try write("standard/Standard Notes Backup and Import File.txt", backup)
        #expect(try take("standard").noteImportCount == 1)
        #expect(try text("Idea") == "text")
    }
}
