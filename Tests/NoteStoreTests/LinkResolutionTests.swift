import Foundation
import GRDB
import Markdown
import Testing

@testable import NoteStore

/// Tests the targets of `[[…]]` in all forms, and that they follow every change of a title.
@Suite struct LinkResolutionTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    /// Returns the titles of the notes that a note's links lead to; "-" for a broken link.
    private func destinations(_ note: NoteRow) throws -> [String] {
        try notebook.links.outgoing(of: note.id).map { $0.destination?.title ?? "-" }
    }

    // MARK: Forms

    @Test func `the longest title that exists wins, whatever marks it has`() throws {
        let source = try test.note("S\n[[C# tips]] [[C#Syntax]] [[A^2]] [[A^b1]] [[A#^b1]] [[A#One#Two]] ![[A]]")
        try test.note("C")
        try test.note("A")
        #expect(try destinations(source) == ["C", "C", "A", "A", "A", "A", "A"])
        let tips = try test.note("C\\# tips")
        #expect(tips.title == "C# tips")
        try test.note("A^2")
        #expect(try destinations(source) == ["C# tips", "C", "A^2", "A", "A", "A", "A"])
        try notebook.trash.add([tips.id])
        try notebook.trash.deleteForever([tips.id], backup: false)
        #expect(try destinations(source).first == "C")
        try test.expectSound()
    }

    @Test func `a link tells heading and block of the note that it leads to`() throws {
        try test.note("A\n\ntext ^b1\n\n## Über uns!\nmore")
        try test.note("C\\# tips")
        func anchor(_ reference: String) throws -> LinkAnchor? { try notebook.links.target(of: reference)?.anchor }
        #expect(try anchor("A#Über uns") == .heading("Über uns"))
        #expect(try anchor("A^b1") == .block("b1"))
        #expect(try anchor("A#^b1") == .block("b1"))
        #expect(try anchor("A#One#Two") == .heading("Two"))
        #expect(try anchor("C# tips") == nil)
        #expect(try anchor("C# tips#More") == .heading("More"))
        let text = "A\r\n\r\ntext ^b1\r\n\r\n## U\u{308}ber *uns*!\r\nmore"
        #expect(LinkAnchor.heading("über uns").line(in: text) == 4)
        #expect(LinkAnchor.block("B1").line(in: text) == 2)
        #expect(LinkAnchor.block("b").line(in: text) == nil)
    }

    @Test(arguments: ["City#", "City^", "City#^", "City##", "City # ", "City|", "City#|", "City#|label", "City.md#"])
    func `a link whose heading, block or label is empty leads to the note`(written: String) throws {
        let text = "S\n[[\(written)]]"
        let source = try test.note(text)
        let city = try test.note("City")
        #expect(try destinations(source) == ["City"])
        let link = try #require(Markdown.links(in: text).first)
        let target = try #require(try notebook.links.target(of: link.reference ?? link.target, from: source.id))
        #expect(target.note.id == city.id && target.anchor == nil)
        #expect(try notebook.links.backlinks(of: city.id).count == 1)
        try test.expectSound()
    }

    @Test func `an empty heading of no note leads nowhere, and a title that ends in a mark comes first`() throws {
        let note = try test.note("Own\n[[#]] [[^]] [[C#]] [[C##]]")
        #expect(try destinations(note).allSatisfy { $0 == "-" })
        try test.note("C")
        #expect(try notebook.links.target(of: "C#", from: note.id)?.note.title == "C")
        try test.note("C\\#")
        #expect(try notebook.links.target(of: "C#", from: note.id)?.note.title == "C#")
        #expect(try notebook.links.target(of: "C##", from: note.id)?.note.title == "C#")
        #expect(try notebook.links.target(of: "C#Syntax", from: note.id)?.note.title == "C")
    }

    @Test func `a link to a heading of its own note leads to the note itself`() throws {
        let note = try test.note("Own\n[[#Part]]\n# Part")
        #expect(try destinations(note) == ["Own"])
        #expect(try notebook.links.target(of: "#Part", from: note.id)?.anchor == .heading("Part"))
        #expect(try notebook.links.backlinks(of: note.id).isEmpty)
        #expect(try notebook.links.target(of: "#Part") == nil)
    }

    @Test func `a path leads to the note of that folder, and to none elsewhere`() throws {
        let work = try notebook.folders.create("Work")
        let deep = try notebook.folders.create("Deep", in: work.id)
        let inside = try test.note("Plan", in: deep.id)
        try test.note("Plan")
        let source = try test.note(
            "S\n[[Work/Deep/Plan]] [[deep/plan.md]] [[Home/Plan]] [[../Deep/Plan#H]] [[/Work/Plan]]")
        func found() throws -> [NoteID?] { try notebook.links.outgoing(of: source.id).map { $0.destination?.id } }
        #expect(try found() == [inside.id, inside.id, nil, inside.id, nil])
        // Links by a path that their note had stay with it.
        try notebook.containers.rename(deep.id, to: "Home")
        #expect(try found() == [inside.id, inside.id, inside.id, inside.id, nil])
        try notebook.notes.move([inside.id], to: work.id)
        #expect(try found() == [inside.id, inside.id, inside.id, inside.id, inside.id])
        let slashed = try test.note("Home/Plan")
        #expect(try found()[2] == slashed.id)
        try test.expectSound()
    }

    @Test func `aliases of front matter find the note, after titles and before former titles`() throws {
        let source = try test.note("S\n[[Berlin]] [[Spree, Stadt]] [[capital]]")
        let city = try test.note("---\ntitle: City\naliases: [Berlin, \"Spree, Stadt\"]\n---\ntext")
        #expect(try destinations(source) == ["City", "City", "-"])
        let former = try test.note("Capital")
        try notebook.notes.setTitle(former.id, "Renamed")
        #expect(try destinations(source)[2] == "Renamed")
        let text = "---\ntitle: City\naliases:\n  - Capital\n---\ntext"
        let row = try #require(try notebook.notes.row(city.id))
        _ = try notebook.notes.save(city.id, text: text, baseRevision: row.revision)
        #expect(try destinations(source) == ["-", "-", "City"])
        try test.note("Capital")
        #expect(try destinations(source) == ["-", "-", "Capital"])
        try test.expectSound()
    }

    @Test func `composed and decomposed titles and cases are alike`() throws {
        let source = try test.note("S\n[[CAF\u{C9}]] [[cafe\u{301}#x]] [[STRASSE]] [[\u{D55C}\u{AE00}]]")
        try test.note("Cafe\u{301}")
        try test.note("Straße")
        try test.note("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}")
        #expect(try destinations(source).allSatisfy { $0 != "-" })
    }

    // MARK: Changes of other notes

    @Test func `links move at once when notes are made, renamed, moved, archived, trashed and restored`() throws {
        let folder = try notebook.folders.create("F")
        let source = try test.note("S\n[[Plan]]", in: folder.id)
        let renamed = try test.note("R\n[[Plan]]", in: folder.id)
        func found() throws -> NoteID? { try notebook.links.outgoing(of: source.id).first?.destination?.id }
        let first = try test.note("Plan")
        #expect(try found() == first.id)
        let near = try test.note("Plan", in: folder.id)
        #expect(try found() == near.id)
        // A link to a note that is renamed stays with it, although another note has the title.
        _ = try notebook.notes.save(
            source.id, text: "S\n", baseRevision: #require(try notebook.notes.row(source.id)).revision)
        try notebook.notes.setTitle(near.id, "Scheme")
        #expect(try notebook.links.outgoing(of: renamed.id).first?.destination?.id == near.id)
        #expect(try notebook.notes.text(renamed.id) == "R\n[[Scheme|Plan]]")
        _ = try notebook.notes.save(
            source.id, text: "S\n[[Plan]]", baseRevision: #require(try notebook.notes.row(source.id)).revision)
        #expect(try found() == first.id)
        try notebook.notes.setTitle(near.id, "Plan")
        #expect(try found() == near.id)
        try notebook.notes.archive([near.id])
        #expect(try found() == first.id)
        _ = try notebook.notes.unarchive([near.id])
        #expect(try found() == near.id)
        try notebook.trash.add([near.id])
        #expect(try found() == first.id)
        try notebook.trash.restore([near.id])
        #expect(try found() == near.id)
        let elsewhere = try notebook.folders.create("G")
        try notebook.notes.move([source.id, first.id], to: elsewhere.id)
        #expect(try found() == first.id)
        try notebook.actions.undo()
        #expect(try found() == near.id)
        #expect(try notebook.notes.text(source.id) == "S\n[[Plan]]")
        try test.expectSound()
    }

    @Test func `links follow a save that changes the first line, and a folder that goes to Trash`() throws {
        let folder = try notebook.folders.create("F")
        let target = try test.note("One", in: folder.id)
        let source = try test.note("S\n[[Two]]")
        #expect(try destinations(source) == ["-"])
        _ = try notebook.notes.save(target.id, text: "Two", baseRevision: target.revision)
        #expect(try destinations(source) == ["Two"])
        let other = try test.note("Two")
        try notebook.trash.add([other.id])
        try notebook.trash.deleteForever([other.id], backup: false)
        #expect(try notebook.links.outgoing(of: source.id).first?.destination?.id == target.id)
        try notebook.containers.delete([folder.id])
        let spare = try test.note("Two")
        #expect(try notebook.links.outgoing(of: source.id).first?.destination?.id == spare.id)
    }

    @Test func `an import makes links elsewhere resolve`() throws {
        let source = try test.note("S\n[[Taken in]]")
        let file = test.folder.appending(path: "Taken in.md")
        try Data("words".utf8).write(to: file)
        _ = try notebook.transfer.importFiles(ImportPlan(paths: [file.path]))
        #expect(try destinations(source) == ["Taken in"])
        try test.expectSound()
    }

    @Test func `a title that another tool writes moves links when the notebook is opened`() throws {
        let note = try test.note("Before")
        let source = try test.note("S\n[[After]]")
        try notebook.close()
        let queue = try DatabaseQueue(path: test.path)
        try queue.write { db in
            try db.execute(
                sql: "UPDATE note SET title = 'After', defaultTitle = '' WHERE uuid = ?",
                arguments: [note.id.description])
        }
        try queue.close()
        test.notebook = try Notebook.open(test.path, options: Notebook.Options(now: test.clock.now))
        #expect(try destinations(source) == ["After"])
        try test.expectSound()
    }

    // MARK: Former titles

    private func formerTitles(_ note: NoteRow) throws -> [String] {
        try notebook.read { db in
            try String.fetchAll(
                db, sql: "SELECT titleKey FROM former_title WHERE note = ? ORDER BY titleKey", arguments: [note.key])
        }
    }

    @Test func `a title that was saved half typed is never remembered, one that stood is`() throws {
        var row = try test.note("")
        for text in ["G", "Gro", "Groceries"] {
            guard case .saved(let saved) = try notebook.notes.save(row.id, text: text, baseRevision: row.revision)
            else {
                Issue.record("merged"); return
            }
            row = saved
        }
        #expect(try formerTitles(row).isEmpty)
        try notebook.versions.keep(of: row.id)
        for text in ["Groceri", "Gr", "Grains"] {
            guard case .saved(let saved) = try notebook.notes.save(row.id, text: text, baseRevision: row.revision)
            else {
                Issue.record("merged"); return
            }
            row = saved
        }
        #expect(try formerTitles(row) == ["groceries"])
        try notebook.notes.setTitle(row.id, "Cereals")
        #expect(try formerTitles(row) == ["grains", "groceries"])
    }

    @Test func `a title that another note links to is remembered though it was half typed`() throws {
        let row = try test.note("")
        guard case .saved(let half) = try notebook.notes.save(row.id, text: "Gro", baseRevision: row.revision) else {
            Issue.record("merged"); return
        }
        let source = try test.note("S\n[[Gro]]")
        _ = try notebook.notes.save(row.id, text: "Groceries", baseRevision: half.revision)
        #expect(try formerTitles(row) == ["gro"])
        #expect(try destinations(source) == ["Groceries"])
    }

    @Test func `a note remembers its newest 32 titles`() throws {
        let row = try test.note("T")
        for number in 0..<40 { try notebook.notes.setTitle(row.id, "Title \(number)") }
        let kept = try formerTitles(row)
        #expect(kept.count == 32 && kept.contains("title 38") && !kept.contains("title 3"))
    }

    @Test func `a note is found by its very title without former titles`() throws {
        let row = try test.note("2026-03-01")
        try notebook.notes.setTitle(row.id, "Renamed")
        #expect(try notebook.links.note(havingTitle: "2026-03-01") == nil)
        #expect(try notebook.links.note(titled: "2026-03-01")?.id == row.id)
    }

    // MARK: Addresses

    @Test func `a bare address is a link, in angle brackets and in HTML too, but not in code`() throws {
        let target = try test.note("Target")
        let url = target.getURL()
        let texts = [
            url, "<\(url)>", "see \(url).", "<a href=\"\(url.lowercased())\">x</a>", "a <a href='\(url)'>x</a>",
        ]
        for text in texts { try test.note("S\n\n\(text)") }
        #expect(try notebook.links.backlinks(of: target.id).count == texts.count)
        for text in ["`\(url)`", "    \(url)", "<!-- <a href=\"\(url)\"> -->", "\(url)0", "x\(url)"] {
            try test.note("S\n\n\(text)")
        }
        #expect(try notebook.links.backlinks(of: target.id).count == texts.count)
    }
}
