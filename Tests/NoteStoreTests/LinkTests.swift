import Foundation
import Testing

@testable import NoteStore

@Suite struct LinkTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    @Test func `as many backlinks are read as are asked for, the last changed first`() throws {
        let target = try test.note("Target")
        for number in 1...7 { try test.note("source \(number) [[Target]] and [[Target]]") }
        let all = try test.notebook.links.backlinks(of: target.id)
        #expect(all.count == 14 && all.allSatisfy { $0.destination?.id == target.id })
        #expect(all.first?.source.title.hasPrefix("source 7") == true)
        #expect(try test.notebook.links.backlinks(of: target.id, limit: 3) == Array(all.prefix(3)))
    }

    @Test func `a property of front matter links to a note, under its former title too`() throws {
        let target = try test.note("Films")
        let source = try test.note("---\ncategory: \"[[Films]]\"\n---\nSeven Samurai")
        let back = try #require(try notebook.links.backlinks(of: target.id).first)
        #expect(back.source.id == source.id && back.line == 1 && back.context == "category: \"[[Films]]\"")
        try notebook.notes.setTitle(target.id, "Cinema")
        #expect(try notebook.links.outgoing(of: source.id).first?.destination?.id == target.id)
        try test.expectSound()
    }

    @Test func `what is kept of a long line with a link has the link, and words on both sides`() throws {
        let target = try test.note("Target\nbody")
        let (before, after) = (String(repeating: "word ", count: 100), String(repeating: " tail", count: 100))
        _ = try test.note(before + "see [[Target]]" + after)
        let back = try #require(try notebook.links.backlinks(of: target.id).first)
        #expect(back.context.contains("word see [[Target]] tail") && back.context.count <= 200)
    }

    @Test func `a link to a note that does not exist yet resolves when it arrives`() throws {
        let id = NoteID()
        let source = try test.note("see [x](takenote://note/\(id.description.lowercased())) and [[Later]]")
        #expect(try notebook.links.broken().count == 2)
        try notebook.notes.create(NewNote(text: "one", id: id))
        let later = try test.note("Later\nbody")
        #expect(try notebook.links.broken().isEmpty)
        let back = try #require(try notebook.links.backlinks(of: later.id).first)
        #expect(back.source.id == source.id && back.line == 0 && back.context.hasSuffix("and [[Later]]"))
        try test.expectSound()
    }

    @Test func `a title link finds its note after a rename, in the same folder first, then the newest`() throws {
        let folder = try notebook.folders.create("F")
        let near = try test.note("Plan", in: folder.id)
        let far = try test.note("Plan")
        let source = try test.note("S\n[[plan]]", in: folder.id)
        #expect(try notebook.links.outgoing(of: source.id).first?.destination?.id == near.id)
        try notebook.notes.setTitle(near.id, "Scheme")
        // The link stays with its note. In a text that is written now the other note's current title has priority.
        #expect(try notebook.links.outgoing(of: source.id).first?.destination?.id == near.id)
        let later = try test.note("L\n[[plan]]", in: folder.id)
        #expect(try notebook.links.outgoing(of: later.id).first?.destination?.id == far.id)
        try notebook.notes.setTitle(far.id, "Draft")
        #expect(try notebook.links.outgoing(of: source.id).first?.destination?.id == near.id)
        #expect(try notebook.links.outgoing(of: later.id).first?.destination?.id == far.id)
        let fresh = try test.note("see [[Old]]")
        let renamed = try test.note("Old")
        try notebook.notes.setTitle(renamed.id, "New")
        #expect(try notebook.links.note(titled: "Old")?.id == renamed.id)
        #expect(try notebook.links.outgoing(of: fresh.id).first?.destination?.id == renamed.id)
        try test.expectSound()
    }

    @Test func `a link to copy escapes what would end it or bind tighter than it`() throws {
        let row = try test.note("text", title: "a ` <b> [c]")
        #expect(row.getMarkdownLink() == #"[a \` \<b> \[c\]](\#(row.getURL()))"#)
        let source = try test.note("`code` \(row.getMarkdownLink()) and ` more")
        #expect(try notebook.links.backlinks(of: row.id).map(\.source.id) == [source.id])
    }

    @Test func `backlinks leave out notes in Trash, and a link into Trash still leads there`() throws {
        let target = try test.note("Target")
        let source = try test.note("see [[Target]]")
        #expect(try notebook.links.backlinks(of: target.id).count == 1)
        try notebook.trash.add([source.id])
        #expect(try notebook.links.backlinks(of: target.id).isEmpty)
        try notebook.trash.restore([source.id])
        try notebook.trash.add([target.id])
        #expect(try notebook.links.outgoing(of: source.id).first?.destination?.place == .trash)
        try notebook.trash.deleteForever([target.id], backup: false)
        #expect(try notebook.links.broken().count == 1)
        try test.expectSound()
    }

    @Test func `a mention without a link is found`() throws {
        let named = try test.note("Deep Work")
        let source = try test.note("Reading\nabout deep work today")
        try test.note("Other\n[[Deep Work]]")
        let mentions = try notebook.links.unlinkedMentions(of: named.id)
        #expect(mentions.map(\.source.id) == [source.id])
        #expect(mentions.first?.snippet.contains("deep work") == true)
        #expect(try notebook.links.notes(titleBeginning: "de wo").map(\.id) == [named.id])
    }

    @Test func `titles that begin with what was typed come before newer ones that have it further on`() throws {
        let old = try test.note("Rivers of France")
        let newer = try test.note("All rivers of the world")
        let newest = try test.note("Riverside")
        let links = notebook.links
        #expect(try links.notes(titleBeginning: "riv").map(\.id) == [newest.id, old.id, newer.id])
        #expect(try links.notes(titleBeginning: "riv", limit: 2).map(\.id) == [newest.id, old.id])
        #expect(try links.notes(titleBeginning: "rivers of").map(\.id) == [old.id, newer.id])
    }

    @Test func `an image is stored once, recognised by its bytes, and culled when nothing refers to it`() throws {
        let one = try notebook.images.add(TransferTests.png, name: "a.jpg")
        #expect(one.mimeType == .png)
        #expect(try notebook.images.add(TransferTests.png, name: "b.png").imageUUID == one.imageUUID)
        #expect(throws: StoreError.unsupportedImage(name: "c.gif")) {
            try notebook.images.add(Data("GIF89a".utf8), name: "c.gif")
        }
        let kept = try notebook.images.add(TransferTests.jpeg, name: "d")
        let note = try test.note("![image](\(one.getURL().lowercased()))")
        try test.note(kept.getMarkdown())
        try notebook.trash.add([note.id])
        #expect(try notebook.images.load(one.imageUUID) != nil)
        try notebook.trash.empty(backup: false)
        #expect(try notebook.images.load(one.imageUUID) == nil)
        #expect(try notebook.images.load(kept.imageUUID)?.imageData == TransferTests.jpeg)
    }

    @Test func `features of a text are kept with the note`() throws {
        try test.note("plain")
        try test.note("- [x] task")
        try test.note("<https://x.org>")
        try test.note("![i](takenote://image/00000000-0000-0000-0000-000000000000)")
        for (query, title) in [("has:done", "task"), ("has:link", "https://x.org"), ("has:image", "i")] {
            #expect(try notebook.search.hits(query).map(\.row.title) == [title])
        }
    }

    @Test func `notes are found by links to them and by links that lead nowhere`() throws {
        try test.note("two")
        try test.note("one [[two]] [[nowhere]]")
        try test.note("three ![i](takenote://image/00000000-0000-0000-0000-000000000000)")
        let four = try test.note("four [[one two nowhere]]")
        try notebook.trash.add([four.id])
        for (query, titles) in [
            ("has:backlink", ["two"]), ("-has:backlink", ["one", "three"]), ("has:broken", ["one", "three"]),
            ("-has:broken", ["two"]), ("-has:backlink -has:link", ["three"]),
        ] {
            let found = try notebook.search.hits(query).map { $0.row.title.prefix { $0 != " " } }
            #expect(found.sorted() == titles.map { $0[...] }, "\(query)")
        }
    }
}
