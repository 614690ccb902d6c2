import NoteStore
import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Tests the tree of links around a note.
@MainActor
@Suite(.serialized)
struct LinkTreeTests {
    /// The links are: One to Two, Two to Three and back to One, Four to One and to itself, Five to Four.
    private let notes = [
        "# One\n\n[[Two]] and again [[Two]], [[Nowhere]]", "# Two\n\n[[Three]] [[One]]", "# Three\n\n[[One]]",
        "# Four\n\nline\n\nsee [[One]] [[Four]]", "# Five\n\n[[Four]]",
    ]

    private func tree(_ window: Window, _ title: String) throws -> [String] {
        let rows = try window.fixture.notebook.lists.rows(ListQuery(container: .allNotes), limit: 50)
        let note = try #require(rows.first { $0.title == title })
        let tree = try #require(window.fixture.model.linkTree(around: note))
        return LinkTreePicker.items(tree, glyphs: .ascii) { _ in }.map { "\($0.mark) \($0.title)" }
    }

    @Test func `a tree goes two steps both ways, and comes by no note twice in a branch`() throws {
        let window = try Window(notes: notes)
        defer { window.close() }
        #expect(
            try tree(window, "One") == [
                "<- Two", "<- Three", "   <- Two", "<- Four", "   <- Five", "-> Two", "   -> Three",
            ])
        #expect(try tree(window, "Five") == ["-> Four", "   -> One"])
    }

    @Test func `a note of the tree opens at its link`() throws {
        let window = try Window(notes: notes)
        defer { window.close() }
        window.press("B")
        #expect(window.lines.contains { $0.contains("Links around “One”") })
        window.press("\"four\"", "Enter")
        #expect(window.fixture.model.openNote?.title == "Four")
        #expect(window.fixture.model.session?.caretLabel == "5:1")
        #expect(window.interface.state.focus == .editor)
    }

    @Test func `a note without links says so`() throws {
        let window = try Window(notes: ["# Alone"])
        defer { window.close() }
        window.press("B")
        #expect(window.interface.overlays.isEmpty)
        #expect(window.fixture.model.notice?.text == Texts.LinkTree.none)
    }

    @Test func `a note with very many links shows the first ones, and says that there are more`() throws {
        let many = (0..<70).map { "# Note \($0)\n\n[[Hub]]" }
        let window = try Window(notes: ["# Hub"] + many)
        defer { window.close() }
        let rows = try tree(window, "Hub")
        #expect(rows.count == 61 && rows.last == " More")
        window.press("B")
        for _ in rows { window.press("PgDn") }
        window.press("Enter")
        #expect(window.fixture.model.notice?.text == "Not all links are shown")
    }

    @Test(arguments: [
        Size(columns: 120, rows: 40), Size(columns: 80, rows: 24), Size(columns: 40, rows: 12),
        Size(columns: 20, rows: 5),
    ])
    func `the tree looks as it did when it was checked by eye`(size: Size) throws {
        let window = try Window(columns: size.columns, rows: size.rows, notes: notes)
        defer { window.close() }
        window.press("B", "Down", "Down")
        try expectFrame(window, "link-tree")
    }
}
