import Foundation
import Testing

@testable import NoteStore

/// Tests that a link by a former title stays with its note when another note takes the title.
@Suite struct KeptLinkTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    private func destinations(_ source: NoteRow) throws -> [String] {
        try notebook.links.outgoing(of: source.id).map { $0.destination?.preview ?? "-" }
    }

    @Test func `a new note with a former title draws no links to it`() throws {
        let old = try test.note("first one\n\n# Part", title: "Old")
        let source = try test.note(
            "S\n\n[[Old]] [[old|label]] [[Old#Part]] ![[Old]] `[[Old]]`\n\n| a |\n|---|\n| [[Old]] |", title: "Source")
        let date = try #require(try notebook.notes.row(source.id)).updatedDate
        try notebook.notes.setTitle(old.id, "New")
        #expect(try notebook.notes.text(source.id)?.contains("[[Old]]") == true)
        try test.note("second one", title: "Old")
        #expect(try destinations(source).allSatisfy { $0.hasPrefix("first one") })
        #expect(
            try notebook.notes.text(source.id)
                == """
                S

                [[New|Old]] [[New|label]] [[New#Part|Old#Part]] ![[New]] `[[Old]]`

                | a |
                |---|
                | [[New\\|Old]] |
                """)
        #expect(try notebook.notes.row(source.id)?.updatedDate == date)
        #expect(try notebook.versions.all(of: source.id).count == 1)
        // A link by the title that is written from now on leads to the note that has it.
        let later = try test.note("[[Old]]", title: "Later")
        #expect(try destinations(later) == ["second one"])
        try test.expectSound()
    }

    @Test func `a note that is renamed to a former title, or typed, draws no links to it`() throws {
        let old = try test.note("first one", title: "Old")
        let source = try test.note("[[Old]]", title: "Source")
        try notebook.notes.setTitle(old.id, "[New]")
        let other = try test.note("Ol")
        _ = try notebook.notes.save(other.id, text: "Old", baseRevision: other.revision)
        #expect(try destinations(source) == ["first one"])
        #expect(try notebook.notes.text(source.id) == "[Old](\(old.getURL()))")
        let third = try test.note("[[Old]]", title: "Third")
        try notebook.notes.setTitle(other.id, "Other")
        let last = try test.note("last one", title: "Last")
        try notebook.notes.setTitle(last.id, "Old")
        #expect(try notebook.links.outgoing(of: third.id).first?.destination?.id == other.id)
        try test.expectSound()
    }

    @Test func `a note that comes back from the Trash has its links again`() throws {
        let first = try test.note("first one", title: "Old")
        try notebook.notes.setTitle(first.id, "New")
        let second = try test.note("second one", title: "Old")
        let source = try test.note("[[Old]]", title: "Source")
        try notebook.trash.add([second.id])
        #expect(try destinations(source) == ["first one"])
        try notebook.trash.restore([second.id])
        #expect(try destinations(source) == ["second one"])
        #expect(try notebook.notes.text(source.id) == "[[Old]]")
    }

    @Test func `a renamed note keeps its links although another note has had the title all the time`() throws {
        let folder = try notebook.folders.create("F")
        for place in ["elsewhere", "beside", "archived"] {
            let title = "T \(place)"
            let other = try test.note("other", in: place == "elsewhere" ? folder.id : .inbox, title: title)
            if place == "archived" { try notebook.notes.archive([other.id]) }
            let linked = try test.note("linked", title: title)
            let source = try test.note("[[\(title)]] [[F/\(title)]]", title: "S \(place)")
            #expect(try destinations(source).first == "linked", "\(place)")
            try notebook.notes.setTitle(linked.id, "New \(place)")
            #expect(try destinations(source).first == "linked", "\(place)")
            let text = try #require(try notebook.notes.text(source.id))
            #expect(text.hasPrefix("[[New \(place)|\(title)]] [[F/\(title)]]"), "\(place)")
        }
        try test.expectSound()
    }

    @Test(arguments: [false, true])
    func `a note that returns from the Trash takes only links that were its own`(_ isInFolder: Bool) throws {
        let folder = try notebook.folders.create("F")
        let returning = try test.note("returning", in: isInFolder ? folder.id : .inbox, title: "T")
        let own = try test.note("[[T]]", title: "Own")
        func trash() throws {
            if isInFolder {
                try notebook.containers.delete([folder.id])
            } else {
                try notebook.trash.add([returning.id])
            }
        }
        func restore() throws {
            if isInFolder {
                try notebook.trash.restore([folder.id])
            } else {
                try notebook.trash.restore([returning.id])
            }
        }
        try trash()
        let heir = try test.note("heir", title: "T")
        let source = try test.note("[[T]]", title: "Source")
        try notebook.notes.setTitle(heir.id, "U")
        #expect(try destinations(source) == ["heir"])
        try restore()
        #expect(try destinations(source) == ["heir"])
        #expect(try notebook.notes.text(source.id) == "[[U|T]]")
        // From now on the title is the returned note's alone, also after it was in the Trash once more.
        let later = try test.note("[[T]]", title: "Later")
        try trash()
        #expect(try destinations(later) == ["heir"])
        try restore()
        #expect(try destinations(later) == ["returning"])
        #expect(try notebook.notes.text(later.id) == "[[T]]")
        #expect(try destinations(own) == ["heir"])
        try test.expectSound()
    }

    // MARK: - Paths

    @Test func `a link by path stays with its note when the note or a folder is renamed or moved`() throws {
        let (top, other) = (try notebook.folders.create("Top"), try notebook.folders.create("Other"))
        let sub = try notebook.folders.create("Sub", in: top.id)
        let plan = try test.note("# Goal", in: sub.id, title: "Plan")
        let text = "S\n\n[[Top/Sub/Plan]] [[sub/plan#Goal]] [[Sub/Plan.md|label]] ![[Top/Sub/Plan]]"
        var source = try test.note(text, title: "Source")
        func expectKept(_ step: String) throws {
            let links = try notebook.links.outgoing(of: source.id).map { $0.destination?.id }
            #expect(links == [plan.id, plan.id, plan.id, plan.id], "\(step)")
            #expect(try notebook.notes.text(source.id) == text, "\(step)")
            try test.expectSound()
        }
        try notebook.containers.rename(sub.id, to: "New")
        try expectKept("rename")
        try notebook.folders.move(sub.id, to: other.id)
        try expectKept("move of the folder")
        try notebook.notes.move([plan.id], to: .inbox)
        try expectKept("move of the note")
        try notebook.notes.setTitle(plan.id, "Scheme")
        try expectKept("title")
        // A link that is written anew finds the note as well, and so does one of an archive in another notebook.
        source = try test.note(text, title: "Later")
        try expectKept("new link")
        let target = try TestNotebook()
        _ = try target.notebook.transfer.importArchive(try notebook.transfer.archive())
        let links = try target.notebook.links.outgoing(of: source.id).map { $0.destination?.id }
        #expect(links == [plan.id, plan.id, plan.id, plan.id])
    }

    @Test func `a note that is at a path now comes before one that was there`() throws {
        let folder = try notebook.folders.create("Old")
        let plan = try test.note("first one", in: folder.id, title: "Plan")
        let source = try test.note("[[Old/Plan]]", title: "Source")
        try notebook.containers.rename(folder.id, to: "New")
        #expect(try destinations(source) == ["first one"])
        let again = try notebook.folders.create("Old")
        let second = try test.note("second one", in: again.id, title: "Plan")
        #expect(try destinations(source) == ["second one"])
        try notebook.trash.add([second.id])
        #expect(try destinations(source) == ["first one"])
        try notebook.trash.add([plan.id])
        #expect(try destinations(source) == ["first one"])
        try notebook.trash.restore([second.id])
        #expect(try destinations(source) == ["second one"])
        try test.expectSound()
    }

    @Test func `a link by path stays with the last of several notes that were at the path`() throws {
        let (now, old) = (try notebook.folders.create("Now"), try notebook.folders.create("Old"))
        let first = try test.note("first one", in: now.id, title: "Plan")
        let source = try test.note("[[Now/Plan]] [[now/plan#Goal]] [[Now/Plan.md]]", title: "Source")
        try notebook.notes.move([first.id], to: old.id)
        #expect(try destinations(source) == ["first one", "first one", "first one"])
        let second = try test.note("second one", in: now.id, title: "Plan")
        #expect(try destinations(source) == ["second one", "second one", "second one"])
        try notebook.notes.move([second.id], to: .inbox)
        #expect(try destinations(source) == ["second one", "second one", "second one"])
        try test.expectSound()
    }

    @Test func `a note that is known by many paths keeps its former titles`() throws {
        let plan = try test.note("text", title: "Zero")
        for number in 0..<30 { try notebook.notes.setTitle(plan.id, "T\(number)") }
        let paths = (0..<6).map { "F/" + String(repeating: "./", count: $0) + "T29" }
        let folder = try notebook.folders.create("F")
        try notebook.notes.move([plan.id], to: folder.id)
        let source = try test.note(paths.map { "[[\($0)]]" }.joined(separator: " ") + " [[Zero]]", title: "Source")
        #expect(try destinations(source) == Array(repeating: "text", count: 7))
        try notebook.containers.rename(folder.id, to: "G")
        // It has 30 former titles, and room for two paths.
        #expect(try destinations(source) == ["text", "text", "-", "-", "-", "-", "text"])
        try test.expectSound()
    }
}
