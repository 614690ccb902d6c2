import NoteStore
import Terminal
import TestSupport
import Testing

@testable import Interface

/// Tests clicks into dialogs, boxes and the reading view.
@MainActor
@Suite(.serialized)
struct ClickTests {
    private func window(_ notes: String...) throws -> Window { try Window(columns: 100, rows: 24, notes: notes) }

    private func shows(_ text: String, _ window: Window) -> Bool { window.lines.contains { $0.contains(text) } }

    @Test func `a click on a backlink opens the note at the line with the link`() throws {
        let window = try window("Target", "Source\n\ntext\n\nsee [[Target]]")
        defer { window.close() }
        let title = " 1 backlink "
        let row = try #require(window.lines.firstIndex { $0.contains(title) })
        let before = try #require(window.lines[row].firstRange(of: title)?.lowerBound)
        window.click(column: window.lines[row].distance(from: window.lines[row].startIndex, to: before), row: row + 1)
        #expect(window.fixture.model.openNote?.title == "Source")
        #expect(window.fixture.model.session?.caretLabel == "5:1")
    }

    @Test func `F9 says whether the notes that link here are listed, also where there are none`() throws {
        let window = try window("Groceries")
        defer { window.close() }
        window.press("F9")
        #expect(window.lines.last?.contains("Notes that link to the open one are not listed") == true)
        window.press("F9")
        #expect(window.lines.last?.contains("Notes that link to the open one are listed below it") == true)
    }

    @Test(arguments: [
        ("a name", ["Alt-1", "T"], "New tag"), ("a picker", ["Ctrl-P"], "Commands"), ("a path", ["E"], "Export"),
        ("a project", ["Alt-1", "N"], "New project"), ("a replacement", ["Alt-F"], "Replace in"),
    ])
    func `a click into a box keeps it with what was typed, and one outside closes it`(
        name: String, keys: [String], title: String
    ) throws {
        let window = try window("Groceries")
        defer { window.close() }
        if name == "a replacement" {
            window.interface.perform("notes.replace")
        } else {
            keys.forEach { window.press($0) }
        }
        window.draw()
        window.press("Ctrl-U", "\"zebra\"")
        #expect(shows("zebra", window), "\(window.lines)")
        #expect(window.click("bra"))
        #expect(shows("zebra", window) && window.interface.overlays.count == 1, "\(window.lines)")
        #expect(window.click(title))
        #expect(shows("zebra", window) && window.interface.overlays.count == 1, "\(window.lines)")
        window.click(column: 0, row: 0)
        #expect(window.interface.overlays.isEmpty)
    }

    @Test func `a click outside declines a question and closes the earlier versions, one inside does not`() throws {
        let window = try window("Groceries", "Plums")
        defer { window.close() }
        let model = window.fixture.model
        window.press("d", "Alt-1", "X")
        #expect(window.click("this cannot be undone") && window.interface.overlays.count == 1)
        window.click(column: 0, row: 0)
        #expect(window.interface.overlays.isEmpty && model.trashFolder?.noteCount == 1)
        let (note, notebook) = (try #require(model.noteUnderCursor), window.fixture.notebook)
        _ = try notebook.notes.save(note.id, text: "Plums and pears", baseRevision: note.revision)
        try notebook.versions.keep(of: note.id)
        model.readOutsideChanges()
        window.press("Alt-2", "H")
        #expect(window.click("Earlier versions") && window.interface.overlays.count == 1, "\(window.lines)")
        window.click(column: 0, row: 0)
        #expect(window.interface.overlays.isEmpty)
    }

    @Test(arguments: [["Alt-1", "T"], ["Ctrl-P"], ["Alt-1", "N"], ["E"]])
    func `a click in a field puts the caret there`(keys: [String]) throws {
        let window = try window("Groceries")
        defer { window.close() }
        keys.forEach { window.press($0) }
        window.press("Ctrl-U", "\"zebra\"")
        #expect(window.click("bra"))
        window.press("\"-\"")
        #expect(shows("ze-bra", window), "\(window.lines)")
    }

    @Test func `a note that is renamed in the list keeps what was typed at a click there`() throws {
        let window = try window("Groceries")
        defer { window.close() }
        window.press("r", "\"zebra\"")
        #expect(window.click("bra"))
        window.press("\"-\"", "Enter")
        #expect(shows("ze-bra", window), "\(window.lines)")
        window.press("r", "\"horse\"")
        window.click(column: 90, row: 20)
        #expect(window.interface.overlays.isEmpty && !shows("horse", window))
    }

    @Test func `a click in the box of a project takes its field or its type`() throws {
        let window = try window("Groceries")
        defer { window.close() }
        window.press("Alt-1", "N", "\"Poems\"")
        let before = window.lines
        #expect(window.click("Prose"), "\(window.lines)")
        #expect(window.lines != before)
        #expect(window.click(Texts.Project.details))
        window.press("\"kept\"")
        #expect(shows("kept", window) && shows("Poems", window), "\(window.lines)")
    }

    @Test func `a click in the box that replaces in notes focuses a field or turns a switch`() throws {
        let window = try window("Groceries apples")
        defer { window.close() }
        window.interface.perform("notes.replace")
        window.draw()
        window.press("\"Apples\"")
        #expect(window.waits(for: "1 in 1 note"))
        #expect(window.click("Aa"))
        #expect(window.waits(for: "no match"))
        let row = try #require(window.lines.firstIndex { $0.contains("Apples") })
        window.click(column: 30, row: row + 1)
        window.press("\"pears\"")
        #expect(shows("pears", window) && shows("Apples", window))
    }

    @Test func `a click on a switch of the find bar turns it`() throws {
        let window = try window("Groceries apples")
        defer { window.close() }
        window.press("Enter", "Ctrl-F", "\"Apples\"")
        #expect(window.interface.state.findBar?.isCaseSensitive == false)
        #expect(window.click("Aa"))
        #expect(window.interface.state.findBar?.isCaseSensitive == true)
    }

    @Test func `a check box is ticked by a click while reading`() throws {
        let window = try window("List\n\n- [ ] Piranesi\n- [x] Ficciones")
        defer { window.close() }
        window.press("Enter", "Ctrl-E")
        #expect(window.click("☐"))
        #expect(window.fixture.model.session?.text == "List\n\n- [x] Piranesi\n- [x] Ficciones")
        #expect(window.interface.state.isPreviewing && shows("☑ Piranesi", window), "\(window.lines)")
        #expect(window.click("☑ Fic"))
        #expect(window.fixture.model.session?.text == "List\n\n- [x] Piranesi\n- [ ] Ficciones")
        #expect(window.click("Fic"))
        #expect(window.fixture.model.session?.text == "List\n\n- [x] Piranesi\n- [ ] Ficciones")
    }

    @Test func `a click on the number of a footnote goes to it while reading, and from there back`() throws {
        let middle = (1...60).map { "Paragraph \($0).\n\n" }.joined()
        let window = try window("Top[^a][^b] [^a]\n\n\(middle)\n[^a]: The first.\n[^b]: The second.")
        defer { window.close() }
        window.press("Enter", "Ctrl-E")
        #expect(shows("Top[1][2] [1]", window) && !shows("The second.", window), "\(window.lines)")
        #expect(window.click("[2]"))
        #expect(shows("2. The second.", window), "\(window.lines)")
        #expect(window.click("2. The second"))
        #expect(shows("Top[1][2] [1]", window), "\(window.lines)")
        // The text of a footnote is not a number.
        #expect(window.click("[1]") && window.click("The first."))
        #expect(shows("1. The first.", window))
    }

    @Test func `a click on the box of a task ticks it in the list of tasks`() throws {
        let window = try window("List\n\n- [ ] Piranesi\n- [ ] Ficciones")
        defer { window.close() }
        window.press("Alt-T")
        // The text of the note behind the list has the same boxes.
        #expect(window.waits(for: "│  [ ] Ficciones"))
        let row = try #require(window.lines.firstIndex { $0.contains("│  [ ] Ficciones") })
        let column = try #require(
            Array(window.lines[row]).indices.first { Array(window.lines[row])[$0...].starts(with: "  [ ] Fic") })
        window.click(column: column + 3, row: row)
        #expect(shows("[x] Ficciones", window) && window.interface.overlays.count == 1, "\(window.lines)")
        #expect(window.fixture.model.session?.text == "List\n\n- [ ] Piranesi\n- [x] Ficciones")
        window.click(column: column + 8, row: row)
        #expect(window.interface.overlays.isEmpty && window.interface.state.focus == .editor)
    }
}
