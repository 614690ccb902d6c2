import NoteStore
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests the mouse: borders, wheel, hints, sorting, dragging.
@MainActor
@Suite(.serialized)
struct MouseTests {
    private let window: Window
    private var model: TakeNoteVM { window.fixture.model }

    init() throws {
        window = try Window(notes: (1...30).map { "Note \($0)\n\nText \($0)" })
        for name in ["Home", "Work"] { model.addFolder(name) }
        model.addTag("books")
        model.selectContainer(.inbox)
        window.draw()
    }

    private func row(of text: String, in columns: Range<Int>) throws -> Int {
        try #require(
            window.lines.firstIndex { line in
                Array(line).dropFirst(columns.lowerBound).prefix(columns.count).map(String.init).joined().contains(text)
            })
    }

    private let sidebar = 0..<21
    private let list = 22..<65

    private func send(_ kind: MouseEvent.Kind, column: Int, row: Int, _ modifiers: Modifiers = []) {
        var event = MouseEvent(kind, .left, at: Position(column: column, row: row))
        event.modifiers = modifiers
        window.send(.mouse(event))
    }

    private func drag(from start: (column: Int, row: Int), to end: (column: Int, row: Int)) {
        send(.press, column: start.column, row: start.row)
        send(.drag, column: end.column, row: end.row)
        send(.release, column: end.column, row: end.row)
    }

    @Test func `the wheel scrolls the list under it, and leaves cursor and keys where they are`() throws {
        defer { window.close() }
        window.press("Alt-1")
        for _ in 0..<5 { send(.wheel(columns: 0, rows: 1), column: 30, row: 10) }
        #expect(window.interface.state.focus == .sidebar)
        #expect(model.listCursor == 0)
        #expect(window.lines[2].contains("Note 6"))
        for _ in 0..<100 { send(.wheel(columns: 0, rows: 1), column: 30, row: 10) }
        #expect(window.lines[36].contains("Note 30"))
        for _ in 0..<100 { send(.wheel(columns: 0, rows: -1), column: 30, row: 10) }
        #expect(window.lines[2].contains("Note 1"))
        send(.wheel(columns: 0, rows: 1), column: 30, row: 10)
        window.press("Alt-2", "j")
        #expect(model.listCursor == 1)
        #expect(window.lines[2].contains("Note 2"))
    }

    @Test func `the wheel scrolls a list to choose from by three rows, and the cursor stays in sight`() throws {
        defer { window.close() }
        let items = (11...40).map { number in
            PickerOverlay.Item(title: "Item \(number)") { model.say("chose \(number)", kind: .done) }
        }
        func openPicker() {
            window.interface.show(PickerOverlay(title: "Items", from: items))
            window.draw()
        }
        func firstItem() -> Substring? { window.lines.lazy.compactMap { $0.firstMatch(of: /Item (\d+)/)?.1 }.first }
        openPicker()
        window.press("Down", "Down", "Down", "Down")
        send(.wheel(columns: 0, rows: 1), column: 60, row: 20)
        #expect(firstItem() == "14")
        window.press("Enter")
        #expect(model.notice?.text == "chose 15")
        openPicker()
        send(.wheel(columns: 0, rows: 2), column: 60, row: 20)
        #expect(firstItem() == "17")
        window.press("Enter")
        #expect(model.notice?.text == "chose 17")
        openPicker()
        window.press("PgDn", "PgDn")
        for _ in 0..<20 { send(.wheel(columns: 0, rows: -1), column: 60, row: 20) }
        #expect(firstItem() == "11")
    }

    @Test func `the wheel leaves a list that is whole in sight as it is`() throws {
        defer { window.close() }
        let items = ["one", "two", "three"].map { title in
            PickerOverlay.Item(title: title) { model.say("chose \(title)", kind: .done) }
        }
        window.interface.show(PickerOverlay(title: "Items", from: items))
        window.press("Down")
        send(.wheel(columns: 0, rows: 1), column: 60, row: 20)
        window.press("Enter")
        #expect(model.notice?.text == "chose two")
    }

    @Test func `a key shows the cursor again after the wheel`() throws {
        defer { window.close() }
        for _ in 0..<5 { send(.wheel(columns: 0, rows: 1), column: 30, row: 10) }
        window.press("k")
        #expect(window.lines[2].contains("Note 1"))
    }

    @Test func `a border is dragged, and its place is kept`() throws {
        defer { window.close() }
        drag(from: (65, 10), to: (75, 12))
        #expect(Array(window.lines[5])[75] == "│")
        drag(from: (21, 10), to: (30, 12))
        #expect(Array(window.lines[5])[30] == "│")
        var saved = SavedState()
        window.interface.keep(in: &saved)
        #expect(saved.paneWidths == [30, 53])
    }

    @Test func `a border is moved by key`() throws {
        defer { window.close() }
        window.press(">", ">")
        #expect(Array(window.lines[5])[69] == "│")
        window.press("Alt-1", "<")
        #expect(Array(window.lines[5])[19] == "│")
        window.size = Size(columns: 40, rows: 20)
        window.draw()
        window.press("<")
        #expect(model.notice?.text == "Only one pane is visible")
    }

    @Test func `a click on the triangle folds, a click on the name selects`() throws {
        defer { window.close() }
        _ = model.addFolder("Inner", in: model.containers.first { $0.name == "Home" }?.id)
        model.selectContainer(.inbox)
        window.draw()
        let home = try row(of: "Home", in: sidebar)
        #expect(window.lines[home].contains("▾ ▪ Home"))
        send(.press, column: 2, row: home)
        #expect(window.lines[home].contains("▸ ▪ Home"))
        #expect(model.selectedContainer?.isInbox == true)
        send(.press, column: 6, row: home)
        #expect(model.selectedContainer?.name == "Home")
        let heading = try row(of: "Folders", in: sidebar)
        send(.press, column: 5, row: heading)
        #expect(window.lines[heading].contains("▸ Folders"))
    }

    @Test func `a click on the order of the list sorts by the next one`() throws {
        defer { window.close() }
        let before = (model.sortBy, model.sortOrder)
        send(.press, column: 62, row: 0)
        #expect((model.sortBy, model.sortOrder) != before)
        let after = (model.sortBy, model.sortOrder)
        send(.press, column: 25, row: 0)
        #expect((model.sortBy, model.sortOrder) == after)
    }

    @Test func `a click on a hint does it, a click on a notice takes it away`() throws {
        defer { window.close() }
        model.dismissNotice()
        window.draw()
        let columns = Array(window.lines[39])
        let start = try #require(columns.indices.first { columns[$0...].starts(with: "^P commands") })
        send(.press, column: start + 4, row: 39)
        #expect(window.lines.contains { $0.contains("─ Commands ─") })
        window.press("Esc")
        model.say("Said")
        send(.press, column: 3, row: 39)
        #expect(model.notice == nil)
    }

    @Test func `a note is dragged to a folder, a tag and the Trash`() throws {
        defer { window.close() }
        let home = try row(of: "Home", in: sidebar)
        send(.press, column: 30, row: 2)
        send(.drag, column: 10, row: home)
        #expect(window.screen[0, home].style.background == Theme.dark.selection.background)
        send(.release, column: 10, row: home)
        #expect(model.container(try #require(model.containers.first { $0.name == "Home" }?.id))?.noteCount == 1)
        let tagRow = try row(of: "#books", in: sidebar)
        // At another cell, because a second press at the same position is a double click.
        drag(from: (31, 2), to: (10, tagRow))
        #expect((0..<29).contains { model.noteList[$0]?.tagNames == ["books"] })
        let trash = try row(of: "Trash", in: sidebar)
        drag(from: (30, 4), to: (10, trash))
        #expect(model.trashFolder?.noteCount == 1)
        #expect(model.noteList.count == 28)
    }

    @Test func `marked notes are dragged together`() throws {
        defer { window.close() }
        window.press("Space", "Space")
        let home = try row(of: "Home", in: sidebar)
        drag(from: (30, 2), to: (10, home))
        #expect(model.containers.first { $0.name == "Home" }?.noteCount == 2)
    }

    @Test func `what is let go where it cannot be stays`() throws {
        defer { window.close() }
        let inbox = try row(of: "Inbox", in: sidebar)
        drag(from: (30, 2), to: (10, inbox))
        drag(from: (31, 2), to: (90, 5))
        let all = try row(of: "All Notes", in: sidebar)
        drag(from: (32, 2), to: (10, all))
        #expect(model.noteList.count == 30)
        #expect(window.interface.state.dropTarget == nil)
    }

    @Test func `a folder is dragged onto a folder, to the top and to the Trash`() throws {
        defer { window.close() }
        func folder() -> NoteContainer? { model.containers.first { $0.name == "Work" } }
        let home = model.containers.first { $0.name == "Home" }
        drag(from: (6, try row(of: "Work", in: sidebar)), to: (6, try row(of: "Home", in: sidebar)))
        #expect(folder()?.parent == home?.id)
        window.draw()
        drag(from: (8, try row(of: "Work", in: sidebar)), to: (6, try row(of: "Folders", in: sidebar)))
        #expect(folder()?.parent == nil)
        drag(from: (6, try row(of: "Work", in: sidebar)), to: (6, try row(of: "Trash", in: sidebar)))
        #expect(folder()?.isInTrash == true)
    }

    @Test func `double click takes a word, triple click a line, Ctrl-click follows a link`() throws {
        defer { window.close() }
        _ = model.addNote()
        let text = "See [[Note 3]] there"
        model.session?.paste(text)
        window.draw()
        send(.press, column: 68, row: 0)
        send(.press, column: 68, row: 0)
        let session = try #require(model.session)
        #expect(session.selection.range == 0..<3)
        send(.press, column: 68, row: 0)
        #expect(session.selection.range.lowerBound == 0 && session.selection.range != 0..<3)
        send(.press, column: 66 + 1 + 8, row: 0, .control)
        #expect(model.openNote?.title == "Note 3")
    }

    @Test func `a click on a tag in the text shows its notes`() throws {
        defer { window.close() }
        _ = model.addNote()
        model.session?.paste("See #books there")
        model.saveNow()
        window.draw()
        let note = try #require(model.openNote?.id)
        let column = 66 + 1 + 6
        send(.press, column: column, row: 0, .control)
        #expect(model.selectedContainer?.name == "books" && window.interface.state.focus == .list)
        #expect(model.openNote?.id == note && model.noteUnderCursor?.id == note)
        window.press("F7")
        #expect(model.selectedContainer?.isInbox == true)
        // While the note is read, a click alone does it.
        window.press("Alt-3", "Ctrl-E")
        send(.press, column: column, row: 0)
        #expect(model.selectedContainer?.name == "books" && model.openNote?.id == note)
    }

    @Test func `a tag that goes on in the next line is found in both`() throws {
        defer { window.close() }
        let long = "#" + String(repeating: "books", count: 14)
        _ = model.addNote()
        model.session?.paste(long + " #after that")
        model.saveNow()
        window.draw()
        window.press("Alt-3", "Ctrl-E")
        let preview = window.interface.note.preview
        func tags(inRow row: Int) -> [String] {
            (0..<54).compactMap { preview.tag(column: $0, row: row) }.reduce(into: []) { found, tag in
                if found.last != tag { found.append(tag) }
            }
        }
        #expect(tags(inRow: 0) == [long])
        #expect(tags(inRow: 1) == [long, "#after"])
    }
}
