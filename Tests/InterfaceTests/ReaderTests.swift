import Foundation
import Terminal
import TestSupport
import Testing
import ViewModel

@testable import Interface

/// Tests the window as a screen reader reads it: by the row of its cursor, and by the cells that change.
@MainActor
@Suite(.serialized)
struct ReaderTests {
    private static let notes = [
        "# Groceries\n\n- [ ] milk\n- [x] bread\n\n| a | b |\n|-|-|\n| 1 | 2 |", "Meeting with Ana", "Reading list",
        "Tmux cheats",
    ]

    private func open(columns: Int = 80, rows: Int = 24, notes: [String] = ReaderTests.notes) throws -> Window {
        let window = try Window(columns: columns, rows: rows, notes: notes)
        window.interface.apply(Configuration.read("[screen]\nreader = true\n"))
        window.fixture.model.dismissNotice()
        window.draw()
        return window
    }

    /// Returns the words that a screen reader speaks for a row.
    private func row(_ window: Window) throws -> String {
        try window.lines[#require(window.cursor).position.row].trimmingPrefix(while: { $0 == " " }).description
    }

    @Test func `a state is a word`() throws {
        let window = try open()
        defer { window.close() }
        window.press("j", "s", "*")
        #expect(try row(window).contains(", marked, starred, "))
    }

    @Test func `a note that is read tells its levels, states and cells in words`() throws {
        let window = try open()
        defer { window.close() }
        window.press("Enter", "Ctrl-E")
        for words in ["Heading 1: Groceries", "open: milk", "done: bread", "a: 1", "b: 2"] {
            #expect(window.lines.contains { $0.contains(words) }, "\(words)")
        }
    }

    @Test func `a note is read on from the caret's line, at the left edge`() throws {
        let window = try open()
        defer { window.close() }
        window.press("Enter", "Down", "Down")
        #expect(try row(window).hasPrefix("- [ ] milk") && window.cursor?.position.column == 0)
        window.press("Ctrl-E")
        #expect(try row(window).hasPrefix("open: milk") && window.cursor?.position.column == 0)
        window.press("F10")
        #expect(window.cursor?.position.column == 0)
    }

    @Test func `the row of a picture is spoken when Tab selects it`() throws {
        let window = try open(notes: ["# Trip\n\nSee:\n\n![The map](map.png)\n\nThe end."])
        defer { window.close() }
        window.press("Enter", "Ctrl-E", "Tab")
        #expect(try row(window).hasPrefix("Picture: The map"))
        window.press("Down", "Down")
        #expect(try row(window).hasPrefix("The end."))
    }

    @Test(arguments: ["t", "m", "C"])
    func `the rows of a box have its background`(key: String) throws {
        let window = try open()
        defer { window.close() }
        window.press(key)
        let ground = window.interface.state.theme.overlay.background
        #expect(ground != .default)
        let row = try #require(window.cursor).position.row
        window.press("Down")
        for row in [row, row + 1] {
            let styles = (0..<80).filter { window.screen[$0, row].text != " " }.map { window.screen[$0, row].style }
            #expect(styles.allSatisfy { $0.background == ground }, "row \(row)")
        }
    }

    @Test func `a message that is longer than the line is shown whole`() throws {
        let window = try open(columns: 40, rows: 12)
        defer { window.close() }
        let text = "Exporting failed: cannot create /srv/x: there is no such folder; make it first or choose another"
        window.fixture.model.say(text, kind: .refused)
        window.draw()
        let rows = window.lines.suffix(3).map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(rows.joined(separator: " ") == text)
        window.press("j")
        #expect(!window.lines.joined().contains("Exporting"))
    }

    // MARK: Spoken rows, and changed rows

    /// Returns the item under the cursor, in the pane or box that has the focus.
    private func current(_ window: Window) throws -> String {
        let (interface, model) = (window.interface, window.fixture.model)
        if interface.state.focus == .sidebar {
            return model.sidebarRows[try #require(interface.sidebar.cursorIndex)].title
        }
        return try #require(model.noteList[model.listCursor]).title
    }

    @Test func `over sixty keys speak the new item and nothing else, in twelve words at most`() throws {
        let window = try open()
        defer { window.close() }
        let (list, sidebar) = (
            ["j", "j", "k", "G", "g", "Down", "Up", "s", "Space", "Space", "s"], ["j", "j", "k", "G", "g"]
        )
        let keys = (0..<4).flatMap { _ in list } + ["Alt-1"] + (0..<4).flatMap { _ in sidebar } + ["Alt-2"]
        #expect(keys.count > 60)
        for key in keys {
            let (before, cursor) = (window.lines, window.cursor)
            window.press(key)
            let spoken = try row(window)
            #expect(spoken.hasPrefix(try current(window)), "\(key): \(spoken)")
            #expect(spoken.split(separator: " ").count <= 12, "\(key): \(spoken)")
            #expect(window.cursor?.isVisible == true && window.cursor?.position.column == 0)
            // Another pane changes the whole screen, and a starred note moves up in the list.
            guard !key.hasPrefix("Alt"), key != "s" else { continue }
            // Only the moved cursor's rows and the message may change.
            let known = [cursor?.position.row, window.cursor?.position.row, window.size.rows - 1]
            for row in before.indices where !known.contains(row) {
                #expect(window.lines[row] == before[row], "\(key) changed row \(row)")
            }
        }
    }

    @Test func `after an arrow the row is spoken also where one types, and the field while one types`() throws {
        let window = try open()
        defer { window.close() }
        window.press("/", "\"m\"")
        #expect(window.fixture.scheduler.run { !window.interface.model.isSearchPending })
        window.draw()
        #expect(window.cursor?.position.row == 0)
        for key in ["Down", "Down", "Up"] {
            window.press(key)
            #expect(try row(window).hasPrefix(current(window)), "\(key)")
            #expect(window.cursor?.position.column == 0)
        }
        window.press("\"e\"")
        #expect(window.fixture.scheduler.run { !window.interface.model.isSearchPending })
        window.draw()
        #expect(window.cursor?.position.row == 0)
        window.press("Esc", "Ctrl-P", "Down")
        #expect(try row(window).contains(", 2 of "))
        window.press("Esc", "m", "Down")
        #expect(try row(window).contains(", 2 of "))
        #expect(window.cursor?.position.column == 0)
        window.press("Esc", "p", "j")
        #expect(try row(window).hasPrefix(current(window)))
    }

    /// Returns the rows that tell their position in a list.
    private func listed(_ window: Window) -> [String] {
        window.lines.filter { $0.contains(/, \d+ of \d+$/) }
    }

    @Test func `where typing filters a list, one item is shown, and a page key skips as many as fit`() throws {
        let window = try open()
        defer { window.close() }
        window.press("Ctrl-P")
        #expect(listed(window).count == 1 && listed(window)[0].contains(", 1 of "))
        window.press("PgDn")
        #expect(listed(window).count == 1 && listed(window)[0].contains(", 19 of "), "\(listed(window))")
        let before = window.lines
        window.press("\"t\"")
        let changed = window.lines.indices.filter { window.lines[$0] != before[$0] }
        #expect(changed.count == 2, "\(window.lines)")
        window.press("Esc", "/", "\"m\"")
        #expect(window.fixture.scheduler.run { !window.interface.model.isSearchPending })
        window.draw()
        #expect(window.fixture.model.noteList.count > 1 && listed(window).count == 1, "\(window.lines)")
        window.press("Down")
        #expect(listed(window).count == 1 && listed(window)[0].contains(", 2 of "))
        window.press("Enter", "Alt-2")
        #expect(listed(window).count == window.fixture.model.noteList.count)
    }

    @Test func `keys are named in words`() throws {
        let window = try open()
        defer { window.close() }
        window.press("Ctrl-P", "\"redraw\"")
        #expect(window.lines.contains { $0.hasPrefix("Redraw the screen, Ctrl-L, ") }, "\(window.lines)")
        window.press("Esc", "F1")
        #expect(window.lines.contains { $0.contains("Ctrl-") })
        #expect(!window.lines.contains { $0.contains(/\^[A-Z]/) }, "\(window.lines)")
    }

    @Test(arguments: [(80, 24), (20, 5)])
    func `the switches of replacing in all notes are shown on every screen`(columns: Int, rows: Int) throws {
        let window = try open(columns: columns, rows: rows)
        defer { window.close() }
        window.interface.perform("notes.replace")
        window.draw()
        window.press("\"milk\"", "Alt-C", "Alt-W", "Alt-R")
        let words = columns > 20 ? ["match case", "whole words", "expression"] : ["case", "words", "regex"]
        for word in words { #expect(window.lines.contains { $0.contains(word) }, "\(word): \(window.lines)") }
    }

    @Test func `boxes tell no ages and counts, and in words what is late or not available`() throws {
        let window = try open()
        defer { window.close() }
        try window.fixture.add("Chores\n- [ ] Sweep @2020-05-05")
        window.interface.perform("note.goTo")
        window.draw()
        window.press("Down")
        let hit = try row(window)
        #expect(hit.wholeMatch(of: /.+, Inbox, 2 of \d+/) != nil, "\(hit)")
        window.press("Esc", "m", "Down", "Up")
        let rows = window.lines.filter { $0.contains(" of ") }
        #expect(rows.contains { $0.contains("Inbox, not available, current") }, "\(rows)")
        #expect(!rows.contains { $0.contains(/, \d+, \d+ of/) }, "\(rows)")
        window.press("Esc")
        window.interface.perform("tasks.byDay")
        #expect(
            window.fixture.scheduler.run {
                window.draw()
                return window.lines.contains { $0.hasPrefix("Sweep, late, 2020-05-05, Chores, 1 of ") }
            }, "\(window.lines)")
    }

    @Test func `the switches of the find bar that are on are words`() throws {
        let window = try open()
        defer { window.close() }
        window.press("Enter", "Ctrl-F", "\"milk\"")
        #expect(!window.lines.contains { $0.contains("Aa") })
        window.interface.state.findBar?.isCaseSensitive = true
        window.draw()
        #expect(window.lines.contains { $0.contains("milk") && $0.hasSuffix("match case") })
    }

    @Test(arguments: [(80, 24), (40, 12), (20, 5)])
    func `the switches of the find bar leave its field room for the text`(columns: Int, rows: Int) throws {
        let window = try open(columns: columns, rows: rows)
        defer { window.close() }
        window.press("Enter", "Ctrl-F", "\"milk\"")
        window.interface.state.findBar?.isCaseSensitive = true
        window.interface.state.findBar?.isWholeWord = true
        window.draw()
        #expect(window.lines.contains { $0.hasPrefix(" Find") && $0.contains("milk") }, "\(window.lines)")
        let words = window.lines.first { $0.contains("match case") } ?? ""
        #expect(words.hasSuffix(columns > 20 ? "whole words" : " match case"), "\(window.lines)")
        window.press("Esc", "Alt-2")
        window.interface.perform("notes.replace")
        window.draw()
        window.press("\"milk\"")
        window.press("Alt-C")
        #expect(window.lines.contains { $0.hasPrefix("Find") && $0.contains("milk") }, "\(window.lines)")
    }

    @Test(arguments: [(80, 24), (40, 12), (20, 5)])
    func `late and done are told of a task on every screen`(columns: Int, rows: Int) throws {
        let window = try open(columns: columns, rows: rows)
        defer { window.close() }
        try window.fixture.add("The chores of the house\n- [ ] Sweep @2020-05-05")
        window.interface.perform("tasks.byDay")
        #expect(
            window.fixture.scheduler.run {
                window.draw()
                return window.lines.contains { $0.hasPrefix("Sweep, late") }
            }, "\(window.lines)")
        window.press("Ctrl-T")
        #expect(window.lines.contains { $0.hasPrefix("Sweep, done") }, "\(window.lines)")
    }

    @Test(arguments: [(120, 40), (80, 24), (40, 12), (20, 5)])
    func `the rows of a box have the whole width`(columns: Int, rows: Int) throws {
        let window = try open(columns: columns, rows: rows)
        defer { window.close() }
        let title = String(repeating: "word ", count: 30)
        try window.fixture.add(title)
        window.interface.perform("note.goTo")
        window.draw()
        let row = window.lines.first { $0.hasPrefix("word") } ?? ""
        #expect(row.count > columns - 2, "\(window.lines)")
        window.press("Esc")
        let question = Question(title: "Sure?", text: title, accept: "Yes", decline: "No")
        window.interface.show(ConfirmOverlay(question) {})
        window.draw()
        #expect(window.lines.map(\.count).max() ?? 0 > columns - 5, "\(window.lines)")
    }

    @Test(arguments: [(80, 24), (40, 12), (20, 5)])
    func `rows end with a whole word, and nothing is framed`(columns: Int, rows: Int) throws {
        let window = try open(columns: columns, rows: rows)
        defer { window.close() }
        let words: Set = ["marked", "starred", "1 of 4", "2 of 4", "3 of 4", "4 of 4", "folded", "unfolded"]
        for key in ["j", "s", "*", "G", "Alt-1", "j", "G"] {
            window.press(key)
            for line in window.lines.dropLast() where line.contains(", ") {
                let last = line.split(separator: ", ").last.map(String.init) ?? ""
                #expect(words.contains(last) || last.wholeMatch(of: /\d+ of \d+/) != nil, "\(line)")
            }
            expectNoFrames(window, key)
        }
    }

    /// Expects that the screen has no characters for frames, blocks and Braille.
    private func expectNoFrames(_ window: Window, _ state: String) {
        for line in window.lines {
            let drawn = line.unicodeScalars.filter {
                (0x2500...0x259F).contains($0.value) || (0x2800...0x28FF).contains($0.value)
            }
            #expect(drawn.isEmpty, "\(state): \(line)")
        }
    }

    @Test func `every box has a cursor that is seen, and nothing stands beside it`() throws {
        let window = try open()
        defer { window.close() }
        let commands: [CommandName] = [
            "app.help", "app.palette", "note.move", "note.tag", "note.rename", "folder.new", "project.new", "tag.new",
            "note.calendar", "tasks.byDay", "magic.menu", "app.theme", "notes.replace", "note.goTo", "note.import",
        ]
        var shown = 0
        for command in commands where window.interface.registry[command] != nil {
            window.press("Alt-2")
            window.interface.perform(command)
            window.draw()
            guard !window.interface.overlays.isEmpty else { continue }
            shown += 1
            for key in [nil, "Down", "Tab"] {
                if let key { window.press(key) }
                guard !window.interface.overlays.isEmpty else { continue }
                // A braille display begins at the left edge.
                let begin = window.lines.dropLast().filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
                #expect(begin.min() == 0, "\(command): \(window.lines)")
                #expect(window.cursor?.isVisible == true, "\(command) after \(key ?? "-")")
                expectNoFrames(window, "\(command)")
                // A box may name the note too, but not as the list does.
                #expect(!window.lines.dropLast().contains { $0.hasPrefix("Tmux cheats, 4 of 4") })
            }
            while !window.interface.overlays.isEmpty { window.press("Esc") }
        }
        #expect(shown >= 9)
    }

    @Test func `a box that is read, and a note that is read, move line by line and scroll by need only`() throws {
        let window = try open()
        defer { window.close() }
        window.press("F1")
        let first = try #require(window.cursor).position
        let before = window.lines
        window.press("Down")
        #expect(window.cursor?.position == Position(column: first.column, row: first.row + 1))
        #expect(window.lines == before)
        window.press("Esc", "Enter", "Ctrl-E")
        let text = window.lines
        #expect(try row(window).hasPrefix("Heading 1: Groceries"))
        while !(try row(window).hasPrefix("done: bread")) {
            let row = try #require(window.cursor).position.row
            window.press("Down")
            try #require(window.cursor?.position.row == row + 1)
            #expect(window.lines == text)
        }
    }

    @Test func `each answer of a question has a row of its own`() throws {
        let window = try open()
        defer { window.close() }
        window.press("d", "Alt-1", "X")
        #expect(window.interface.overlays.count == 1)
        let safe = try row(window)
        window.press("Tab")
        let other = try row(window)
        let answers = try #require(window.interface.overlays.last).hints.map(\.title)
        #expect(safe.contains(answers[1]) && !safe.contains(answers[0]), "\(safe)")
        #expect(other.contains(answers[0]) && !other.contains(answers[1]), "\(other)")
    }

    @Test func `the calendar tells the chosen day in words`() throws {
        let window = try open()
        defer { window.close() }
        window.press("C")
        let today = try row(window)
        #expect(today.contains(", today, no note"))
        #expect(today.contains(/^(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day \d{4}-/))
        window.press("Right")
        #expect(try row(window).hasSuffix(", no note") && !row(window).contains("today"))
    }

    @Test func `the environment asks for it as the setting does, and can refuse it`() {
        #expect(Configuration.readFromUser(["HOME": "/nowhere", "TN_READER": "1"]).configuration.screen.isReader)
        #expect(!Configuration.readFromUser(["HOME": "/nowhere", "TN_READER": "0"]).configuration.screen.isReader)
        #expect(!Configuration.readFromUser(["HOME": "/nowhere"]).configuration.screen.isReader)
    }
}
