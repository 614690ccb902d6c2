import Foundation
import NoteStore
import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Tests the list of tasks and the calendar of daily notes.
@MainActor
@Suite struct TaskAndCalendarTests {
    @Test func `tasks are shown by day, the late ones first, and one is gone to`() throws {
        let window = try Window(notes: [
            "Later\n- [ ] No day\n- [ ] In a year @2999-01-01", "Sooner\n\n- [ ] Late one @2020-05-05",
        ])
        defer { window.close() }
        window.press("Alt-T")
        #expect(window.fixture.scheduler.run { shows("2020-05-05 ·", window) })
        let rows = window.lines.filter { $0.contains("│  [ ] ") }
        let order = ["Late one", "In a year", "No day"].map { word in rows.firstIndex { $0.contains(word) } }
        #expect(order == [0, 1, 2], "\(rows)")
        #expect(rows.first?.contains("late, 2020-05-05 · Sooner") == true)
        #expect(rows.last?.contains(" no day · Later ") == true, "\(rows)")
        window.press("\"year\"", "Enter")
        #expect(window.interface.model.openNote?.title == "Later")
        #expect(window.interface.state.focus == .editor)
        #expect(window.interface.model.session?.caretLabel.hasPrefix("3:") == true)
    }

    @Test(arguments: [(80, "late, 2020-05-05"), (40, "late"), (34, "late")])
    func `a late task is marked by a word where there is no room for its note`(columns: Int, sign: String) throws {
        let window = try Window(
            columns: columns, rows: 12,
            notes: ["A note with a title that is long\n- [ ] Water all plants @2020-05-05"])
        defer { window.close() }
        window.press("Alt-T")
        #expect(window.fixture.scheduler.run { shows("Water all plants", window) })
        #expect(shows(sign, window), "\(window.lines)")
    }

    @Test func `tasks are shown by note, in the order of each text`() throws {
        let window = try Window(notes: ["Later\n- [ ] No day\n- [ ] In a year @2999-01-01", "Sooner\n\n- [ ] Late one"])
        defer { window.close() }
        window.interface.perform("tasks.byNote")
        #expect(window.fixture.scheduler.run { shows("Late one", window) })
        // If tasks were sorted by day, the one with a day would come first.
        let order = ["[ ] No day", "[ ] In a year"].compactMap { task in window.lines.firstIndex { $0.contains(task) } }
        #expect(order.count == 2 && order[0] + 1 == order[1], "\(window.lines)")
    }

    @Test func `tasks are ticked in their list, and its order is changed there`() throws {
        let window = try Window(notes: [
            "Later\n- [ ] No day\n- [ ] In a year @2999-01-01", "Sooner\n\n- [ ] Late one @2020-05-05",
        ])
        defer { window.close() }
        window.press("Alt-T")
        #expect(window.fixture.scheduler.run { shows("2020-05-05 ·", window) })
        #expect(shows("Tasks by day", window))
        func rows() -> [String] { window.lines.filter { $0.contains("│  [ ] ") || $0.contains("│  [x] ") } }
        window.press("Down", "Ctrl-T")
        #expect(rows()[1].contains("[x] In a year") && rows()[0].contains("[ ] Late one"))
        #expect(window.interface.model.session?.text == "Later\n- [ ] No day\n- [x] In a year @2999-01-01")
        window.press("Ctrl-T", "Up", "Ctrl-T")
        #expect(window.interface.model.session?.text == "Sooner\n\n- [x] Late one @2020-05-05")
        #expect(rows()[1].contains("[ ] In a year") && rows()[0].contains("[x] Late one"))
        window.press("Alt-T")
        #expect(shows("Tasks by note", window))
        #expect(rows().map { $0.contains("In a year") } == [false, true, false] && rows()[2].contains("[x] Late one"))
        // A text that has changed under the list is left alone.
        let session = try #require(window.interface.model.session)
        session.replace(session.buffer.range, with: "Sooner\n\nnone")
        window.press("Down", "Down", "Ctrl-T")
        #expect(window.interface.model.session?.text == "Sooner\n\nnone")
        #expect(window.interface.model.notice?.text == Texts.Tasks.hasChanged)
    }

    @Test func `without tasks the list says how to make one`() throws {
        let window = try Window(notes: ["Nothing to do"])
        defer { window.close() }
        window.press("Alt-T")
        #expect(window.fixture.scheduler.run { shows("No open task", window) })
    }

    private func shows(_ text: String, _ window: Window) -> Bool {
        window.draw()
        return window.lines.contains { $0.contains(text) }
    }

    @Test(arguments: [
        (2026, 11, 6, 30), (2026, 2, 6, 28), (2024, 2, 3, 29), (2000, 1, 5, 31), (1900, 3, 3, 31), (2026, 6, 0, 30),
    ])
    func `a month begins on its day of the week`(year: Int, month: Int, column: Int, days: Int) {
        let grid = MonthGrid(year: year, month: month)
        #expect(grid.firstColumn == column)
        #expect(grid.dayCount == days)
        #expect(grid.weeks.flatMap(\.self).compactMap(\.self) == Array(1...days))
        #expect(grid.weeks.allSatisfy { $0.count == 7 })
    }

    @Test func `the calendar opens the note of a day, and marks the days that have one`() throws {
        let window = try Window(notes: ["Some note"])
        defer { window.close() }
        window.press("C")
        let today = Day(TemporaryNotebook.now)
        #expect(window.lines.contains { $0.contains(Texts.Calendar.month(today.month, of: today.year)) })
        window.press("PgDn", "PgUp", "Home", "Enter")
        #expect(window.interface.model.openNote?.title == today.description)
        window.press("Esc", "C", "Left", "Enter")
        let date = TemporaryNotebook.now.addingTimeInterval(-86_400)
        #expect(window.interface.model.openNote?.title == Day(date).description)
        window.interface.perform("note.dayAfter")
        #expect(window.interface.model.openNote?.title == today.description)
        window.interface.perform("note.dayBefore")
        #expect(window.interface.model.openNote?.title == Day(date).description)
        window.interface.perform("note.dayBefore")
        #expect(window.interface.model.notice?.text == Texts.Calendar.noDayBefore)
    }

    @Test func `the chosen day is in sight on the smallest screen`() throws {
        let window = try Window(columns: 20, rows: 5, notes: ["Some note"])
        defer { window.close() }
        window.press("C")
        for key in ["Down", "Down", "Right", "Right", "Right", "Right", "Right", "Right", "Right", "Up", "Left"] {
            window.press(key)
            let day = try #require(window.lines.joined().firstMatch(of: /[A-Z][a-z] \d{4}-\d\d-(\d\d)/))
            let number = try #require(Int(day.1))
            #expect(window.lines.contains { $0.contains(number < 10 ? "  \(number)" : " \(number)") })
            let cursor = try #require(window.cursor).position
            #expect((0..<2).map { window.screen[cursor.column + $0, cursor.row].text }.joined().hasSuffix("\(number)"))
        }
    }

    @Test func `a typed date is gone to, and its note opened`() throws {
        let window = try Window(notes: ["Some note"])
        defer { window.close() }
        window.press("C", "\"2027-03-0\"")
        #expect(window.lines.contains { $0.contains("│ 2027-03-0 ") })
        window.press("Enter")
        #expect(window.interface.model.notice?.text == Texts.Calendar.noSuchDay && !window.interface.overlays.isEmpty)
        window.press("\"4\"")
        #expect(window.lines.contains { $0.contains(" \(Texts.Calendar.month(3, of: 2027)) ") })
        window.press("Esc")
        #expect(window.interface.overlays.count == 1 && window.lines.contains { $0.contains("Mo") })
        window.press("\"12-\"", "Backspace", "Backspace", "Backspace", "Right", "Enter")
        #expect(window.interface.model.openNote?.title == "2027-03-05")
    }

    @Test(arguments: ["%Y-%m-%d", "%d. %B %Y", "Day %j of %Y", "%A, %e %b %Y"])
    func `the title of a daily note tells its day`(pattern: String) {
        let settings = DailySettings(title: pattern)
        let title = settings.title(on: TemporaryNotebook.now)
        for days in [-700.0, -1, 0, 365] {
            let near = TemporaryNotebook.now.addingTimeInterval(days * 86_400)
            #expect(settings.date(ofTitle: title, near: near).map { Day($0) } == Day(TemporaryNotebook.now))
            #expect(settings.date(ofTitle: "Reading list", near: near) == nil)
            #expect(settings.date(ofTitle: title + " x", near: near) == nil)
        }
    }

    @Test func `the sidebar can be hidden, and comes while it has the keys`() throws {
        let window = try Window(notes: ["Some note"])
        defer { window.close() }
        #expect(window.interface.layout.panes.count == 3)
        window.press("Alt-0")
        #expect(window.interface.layout.panes.keys.sorted { $0.rawValue < $1.rawValue } == [.editor, .list])
        window.press("Alt-1")
        #expect(window.interface.layout.panes[.sidebar] != nil)
        window.press("Alt-0")
        #expect(window.interface.layout.panes.count == 3)
        window.press("Alt-0")
        var saved = SavedState()
        window.interface.keep(in: &saved)
        #expect(saved.hidesSidebar == true)
        #expect(window.interface.state.focus == .list)
    }

    @Test func `a note can have one row in the list, but a hit keeps two`() throws {
        let window = try Window(notes: ["First\nits text", "Second\nmore text"])
        defer { window.close() }
        #expect(window.lines.contains { $0.contains("its text") && $0.contains("│") })
        let rows = { window.lines.compactMap { $0.split(separator: "│").dropFirst().first.map(String.init) } }
        window.press("L")
        #expect(rows()[2].contains("First") && rows()[3].contains("Second"))
        window.press("j")
        #expect(window.interface.model.noteUnderCursor?.title == "Second")
        window.press("/", "\"text\"")
        #expect(window.fixture.scheduler.run { !window.interface.model.isSearchPending })
        window.draw()
        #expect(rows()[3].contains("text"))
    }

    @Test(arguments: [
        ("today", 0), ("tomorrow", 1), ("thu", 1), ("Thursday", 1), ("wednesday", 7), ("tue", 6), ("2026-03-11", 7),
        ("03-11", 7), ("03-03", 364),
    ])
    func `the name of a day is that day`(word: String, days: Int) throws {
        let wednesday = try #require(Day("2026-03-04"))
        #expect(OfferedDays.day(named: word, from: wednesday) == wednesday.adding(days))
    }

    @Test func `a day's name becomes its date however fast its keys arrive`() throws {
        let window = try Window(notes: ["Note\n"])
        defer { window.close() }
        window.press("Enter", "Ctrl-End")
        func arrive(_ text: String) { window.interface.handle(text.map { .key(KeyPress(typed: $0)) }) }
        arrive("- [ ] C @friday then")
        let friday = try #require(OfferedDays.day(named: "friday", from: Day(TemporaryNotebook.now)))
        #expect(window.fixture.model.session?.text == "Note\n- [ ] C @\(friday) then")
        window.press("Enter")
        arrive("D @tom")
        window.press("Enter")
        let tomorrow = Day(TemporaryNotebook.now).adding(1)
        #expect(window.fixture.model.session?.text.hasSuffix("- [ ] D @\(tomorrow)") == true)
    }

    @Test func `what is not the name of a day is none`() throws {
        let day = try #require(Day("2026-01-31"))
        for word in ["", "t", "to", "tod", "ana", "2", "2026-02-30", "week", "in"] {
            #expect(OfferedDays.day(named: word, from: day) == nil, "\(word)")
        }
        #expect(OfferedDays.offers(for: "month", from: day).map(\.day) == [Day("2026-02-28")])
        #expect(OfferedDays.offers(for: "+3", from: day).map(\.day) == [day.adding(3)])
        #expect(OfferedDays.offers(for: "", from: day).count == 11)
    }
}
