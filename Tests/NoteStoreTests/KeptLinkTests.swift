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
}
