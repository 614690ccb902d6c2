import NoteStore
import TestSupport
import Testing
import ViewModel

/// Tests a note's title and the heading of its text.
@MainActor
@Suite(.serialized)
struct RenamingTests {
    let fixture: TemporaryNotebook

    init() throws {
        fixture = try TemporaryNotebook()
    }

    private var model: TakeNoteVM { fixture.model }

    /// Renames a note with this text.
    ///
    /// - Returns: its text after the renaming.
    private func rename(_ text: String, to title: String) throws -> String {
        let note = try fixture.add(text)
        model.start()
        #expect(model.rename(try #require(model.openNote), to: title) == nil)
        #expect(model.openNote?.id == note.id)
        #expect(model.openNote?.title == title)
        #expect(model.session?.text == (try fixture.notebook.notes.text(note.id)))
        return model.session?.text ?? ""
    }

    @Test(
        arguments: [
            ("# Old\n\ntext", "# New\n\ntext"), ("\n\n##  Old  ##\ntext", "\n\n##  New  ##\ntext"),
            ("Old\n===\ntext", "New\n===\ntext"), ("# *Old*", "# New"), ("#\tOld\r\ntext", "#\tNew\r\ntext"),
            ("---\ntags: a\n---\n# Old\n", "---\ntags: a\n---\n# New\n"),
        ])
    func `a heading that says the old title says the new one, and the title goes on following it`(
        text: String, expected: String
    ) throws {
        defer { fixture.close() }
        #expect(try rename(text, to: "New") == expected)
        #expect(model.openNote?.titleIsDerived == true)
        #expect(model.notice?.text == "Renamed, with the heading in the text")
        model.undoAction()
        #expect(model.openNote?.title == "Old")
        #expect(model.session?.text == text)
        model.redoAction()
        #expect(model.openNote?.title == "New")
        #expect(model.session?.text == expected)
    }

    @Test(arguments: [
        ("Old\n\n# Other", "New\n\n# Other"), ("\nOld \n \ntext", "\nNew \n \ntext"),
        ("---\ntags: a\n---\nOld\n\ntext", "---\ntags: a\n---\nNew\n\ntext"),
    ])
    func `a first line that stands alone and says the old title says the new one`(
        text: String, expected: String
    ) throws {
        defer { fixture.close() }
        #expect(try rename(text, to: "New") == expected)
        #expect(model.openNote?.titleIsDerived == true)
        #expect(model.notice?.text == "Renamed, with the first line of the text")
        model.undoAction()
        #expect(model.openNote?.title == "Old")
        #expect(model.session?.text == text)
    }

    @Test(arguments: [
        "Old", "Old\nmore", "Old.\n\ntext", "Dear Ana,\n\ntext", "- Old", "```\n# Old\n```\n", "    # Old",
        "---\ntitle: Old\n---\n# Old\n",
        "*Old*\n\ntext", "1. Old\n\ntext", "# See [Old](https://old.example)\n", "# <b>Old</b>\n",
    ])
    func `a text that begins with something else keeps it, and that is said`(text: String) throws {
        defer { fixture.close() }
        let title = try fixture.add(text).title
        #expect(try rename(text, to: "New") == text)
        #expect(model.notice?.text == "Only the title was renamed; the text still begins with “\(title)”")
        model.undoAction()
        #expect(model.openNote?.title == title)
    }

    @Test func `a heading that says something else than the title stays`() throws {
        defer { fixture.close() }
        let note = try fixture.add("# Heading\n")
        try fixture.notebook.notes.setTitle(note.id, "Title")
        model.start()
        let row = try #require(model.openNote)
        #expect(model.rename(row, to: "New") == nil)
        #expect(model.session?.text == "# Heading\n")
        #expect(model.notice?.text == "Only the title was renamed; the text still begins with “Heading”")
    }

    @Test(arguments: ["a *b* c", "[x](y)", "C# #", "<b>", "a_b_c", "1 \\ 2", "`code`"])
    func `a title with marks stands in the heading so that it reads as that title`(title: String) throws {
        defer { fixture.close() }
        _ = try rename("# Old\n", to: title)
        #expect(model.openNote?.titleIsDerived == true)
        #expect(model.openNote?.title == title)
    }

    @Test func `a title that is taken in a project's folder changes nothing`() throws {
        defer { fixture.close() }
        try fixture.notebook.projects.create("Poems", type: .poetry)
        let draft = try #require(try fixture.notebook.containers.all().first { $0.role == .draft })
        try fixture.add("# New", age: 5, folder: draft.id)
        let note = try fixture.add("# Old", folder: draft.id)
        model.start()
        #expect(model.rename(note, to: "New") == "“Draft” already has a note “New”; choose another title")
        #expect(try fixture.notebook.notes.text(note.id) == "# Old")
    }

    @Test func `an empty title follows the text again and leaves it`() throws {
        defer { fixture.close() }
        let note = try fixture.add("# Old\n")
        try fixture.notebook.notes.setTitle(note.id, "By hand")
        model.start()
        #expect(model.rename(try #require(model.openNote), to: "") == nil)
        #expect(model.openNote?.title == "Old")
        #expect(model.session?.text == "# Old\n")
    }
}
