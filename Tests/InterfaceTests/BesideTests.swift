import Foundation
import NoteStore
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests a second note beside the open one: what is shown where, what typing changes, and what saves it.
@MainActor
@Suite(.serialized)
struct BesideTests {
    private func openWindow(_ notes: [String], columns: Int = 120, rows: Int = 24) throws -> Window {
        try Window(columns: columns, rows: rows, notes: notes)
    }

    private func text(of title: String, in window: Window) throws -> String? {
        let rows = try window.fixture.notebook.lists.rows(ListQuery(container: .allNotes), limit: 50)
        guard let row = rows.first(where: { $0.title == title }) else { return nil }
        return try window.fixture.notebook.notes.text(row.id)
    }

    @Test func `a note is read beside another, and going to it exchanges them where they stand`() throws {
        let window = try openWindow(["# Pears\n\ngreen", "# Plums\n\nblue"])
        defer { window.close() }
        window.press("Alt-5", "j", "Enter")
        let model = window.fixture.model
        #expect(model.openNote?.title == "Plums" && model.noteBeside?.title == "Pears")
        // The open note is edited on the left, and the other one is shown on the right.
        let row = try #require(window.lines.firstIndex { $0.contains("# Plums") })
        #expect(window.lines[row + 2].contains("blue"))
        #expect(window.lines.contains { $0.contains("━━━━━") })
        let (plums, pears) = (try #require(column(of: "blue", window)), try #require(column(of: "green", window)))
        #expect(plums < pears)
        window.press("Alt-4")
        #expect(model.openNote?.title == "Pears" && model.noteBeside?.title == "Plums")
        #expect(window.lines.contains { $0.contains("# Pears") })
        #expect(column(of: "blue", window) == plums && column(of: "green", window) == pears)
        window.press("Alt-5")
        #expect(model.noteBeside == nil && window.interface.layout.split == nil)
    }

    /// Returns the column of a word among the notes on the screen.
    private func column(of word: String, _ window: Window) -> Int? { cell(of: word, window)?.column }

    /// Returns the cell where a word among the notes on the screen begins.
    private func cell(of word: String, _ window: Window) -> Position? {
        let left = window.interface.layout.dividers.last ?? 0
        for row in 0..<window.size.rows {
            let line = window.screen.text(row: row)
            if let range = line.range(of: word, range: line.index(line.startIndex, offsetBy: left)..<line.endIndex) {
                return Position(column: line.distance(from: line.startIndex, to: range.lowerBound), row: row)
            }
        }
        return nil
    }

    @Test func `what is typed goes to the note with the keys, and both are saved by themselves`() throws {
        let window = try openWindow(["# Pears\n", "# Plums\n"])
        defer { window.close() }
        window.press("Alt-5", "j", "Enter", "Ctrl-End", "\"for jam\"")
        window.press("Alt-4", "Ctrl-End", "\"for cake\"")
        #expect(window.fixture.model.sessionBeside?.text == "# Plums\nfor jam")
        #expect(window.lines.contains { $0.contains("for jam") } && window.lines.contains { $0.contains("for cake") })
        window.fixture.scheduler.advance(by: .seconds(5))
        _ = window.fixture.scheduler.run { (try? text(of: "Plums", in: window)) == "# Plums\nfor jam" }
        window.fixture.model.saveNow()
        #expect(try text(of: "Plums", in: window) == "# Plums\nfor jam")
        #expect(try text(of: "Pears", in: window) == "# Pears\nfor cake")
    }

    @Test func `the same note on both sides is one text`() throws {
        let window = try openWindow(["# Pears\n\ngreen"])
        defer { window.close() }
        window.press("Enter", "Alt-5", "Ctrl-End", "\" or yellow\"")
        #expect(window.fixture.model.sessionBeside === window.fixture.model.session)
        #expect(window.lines.count { $0.contains("green or yellow") } == 2)
        window.press("Alt-4", "\"!\"")
        #expect(window.fixture.model.session?.text == "# Pears\n\ngreen or yellow!")
    }

    @Test func `a note beside follows what other programs do with it`() throws {
        let window = try openWindow(["# Pears\n\ngreen", "# Plums"])
        defer { window.close() }
        window.press("Alt-5", "j", "Enter")
        let row = try #require(window.fixture.model.noteBeside)
        let other = try Notebook.open(window.fixture.notebook.path, mode: .command)
        _ = try other.notes.save(row.id, text: "# Pears\n\nyellow by now", baseRevision: row.revision)
        window.fixture.model.readOutsideChanges()
        window.draw()
        #expect(window.lines.contains { $0.contains("yellow by now") })
        try other.trash.add([row.id])
        window.fixture.model.readOutsideChanges()
        #expect(window.fixture.model.notice?.text == "“Pears”, shown beside, is in the Trash now")
        try other.trash.deleteForever([row.id])
        window.fixture.model.readOutsideChanges()
        window.draw()
        #expect(window.fixture.model.notice?.text == "“Pears”, which was shown beside, was deleted for ever")
        #expect(window.fixture.model.noteBeside == nil && window.interface.layout.split == nil)
        #expect(window.fixture.model.openNote?.title == "Plums")
        try other.close()
    }

    @Test func `two notes stand one above the other where there is no room side by side, and else are refused`() throws
    {
        for (size, isShown) in [(Size(columns: 80, rows: 24), true), (Size(columns: 20, rows: 5), false)] {
            let window = try openWindow(["# Pears", "# Plums"], columns: size.columns, rows: size.rows)
            defer { window.close() }
            window.press("Alt-5")
            #expect((window.fixture.model.noteBeside != nil) == isShown)
            if !isShown { #expect(window.fixture.model.notice?.text == Texts.noRoomBeside) }
        }
    }

    @Test func `a screen that becomes too small shows one note, and going to the other still exchanges them`() throws {
        let window = try openWindow(["# Pears", "# Plums"])
        defer { window.close() }
        window.press("Alt-5", "j", "Enter")
        window.size = Size(columns: 20, rows: 5)
        window.send(.resized(window.size))
        #expect(window.interface.layout.split == nil)
        window.press("Alt-4", "Ctrl-End", "\"!\"")
        #expect(window.fixture.model.session?.text == "# Pears!")
        #expect(window.lines.contains { $0.contains("# Pears!") })
    }

    @Test func `the mouse scrolls the note under it, goes to it, and moves the border between the two`() throws {
        let long = "# Pears\n\n" + (0..<80).map { "line \($0)" }.joined(separator: "\n\n")
        let window = try openWindow([long, "# Plums\n\nblue"])
        defer { window.close() }
        window.press("Alt-5", "j", "Enter")
        let beside = try #require(window.interface.layout.panes[.beside])
        let inside = Position(column: beside.column + 3, row: 5)
        window.send(.mouse(MouseEvent(.wheel(columns: 0, rows: 1), .none, at: inside)))
        #expect(window.interface.beside.preview.top == 3)
        #expect(window.fixture.model.openNote?.title == "Plums")
        let split = try #require(window.interface.layout.split)
        window.send(
            .mouse(MouseEvent(.press, .left, at: Position(column: split.column, row: 4))),
            .mouse(MouseEvent(.drag, .left, at: Position(column: split.column + 4, row: 4))),
            .mouse(MouseEvent(.release, .left, at: Position(column: split.column + 4, row: 4))))
        #expect(window.interface.layout.split?.column == split.column + 4)
        window.send(.mouse(MouseEvent(.press, .left, at: Position(column: inside.column + 6, row: 8))))
        #expect(window.fixture.model.openNote?.title == "Pears")
        // The caret is at the position that was being read.
        #expect(window.fixture.model.session?.caretLabel.hasPrefix("1:") == false)
    }

    @Test func `a click in the note beside puts the caret at the word under it, past markup`() throws {
        let window = try openWindow(["# Pears\n\n- green *and* [[Plums|blue]] ones\n\nripe soon", "# Plums"])
        defer { window.close() }
        window.press("Alt-5", "j", "Enter")
        for (word, caret) in [("green", "3:3"), ("and", "3:10"), ("ones", "3:30"), ("soon", "5:6")] {
            let cell = try #require(self.cell(of: word, window))
            window.send(
                .mouse(MouseEvent(.press, .left, at: cell)),
                .mouse(MouseEvent(.release, .left, at: cell)))
            #expect(window.fixture.model.openNote?.title == "Pears")
            #expect(window.fixture.model.session?.caretLabel == caret, "\(word)")
            window.press("Alt-4")
        }
    }

    @Test func `a title that the text begins with is shown once`() throws {
        let window = try openWindow(["# Pears\n\ngreen", "# Plums\n\nblue"])
        defer { window.close() }
        window.press("Alt-5", "j", "Enter")
        let beside = try #require(window.interface.layout.panes[.beside])
        let rows = window.lines.map { $0.dropFirst(beside.column) }
        #expect(rows.count { $0.contains("Pears") } == 1)
    }

    @Test func `a note that was made and not used leaves no hole beside`() throws {
        let window = try openWindow(["# Pears"])
        defer { window.close() }
        window.press("Alt-5", "n")
        #expect(window.fixture.model.noteBeside?.title == "Pears")
        window.press("Alt-4")
        #expect(window.fixture.model.openNote?.title == "Pears" && window.fixture.model.noteBeside == nil)
        #expect(window.interface.layout.split == nil)
    }

    @Test(arguments: DialogTests.sizes)
    func `two notes look as they did when they were checked by eye`(size: Size) throws {
        let window = try openWindow(
            ["# Pears\n\nGreen *and* yellow.\n\n- one\n- two", "# Plums\n\nBlue, and best in August."],
            columns: size.columns, rows: size.rows)
        defer { window.close() }
        window.press("Alt-5", "j", "Enter")
        window.fixture.model.dismissNotice()
        window.draw()
        try expectFrame(window, "two-notes")
        // The keys go to the other note; where there is room for one only, it takes the other's place.
        window.press("Alt-4")
        window.fixture.model.dismissNotice()
        window.draw()
        try expectFrame(window, "two-notes-exchanged")
    }
}
