import Foundation
import NoteStore
import Terminal
import ViewModel

/// The days of a month in weeks that begin on Monday.
struct MonthGrid: Equatable {
    let year: Int
    let month: Int

    var dayCount: Int { Day.days(in: month, of: year) }

    /// The column of the first day: 0 for Monday.
    var firstColumn: Int { Day(year: year, month: month, day: 1).weekday }

    /// The weeks, with nil before the first day and after the last.
    var weeks: [[Int?]] {
        let cells = [Int?](repeating: nil, count: firstColumn) + (1...dayCount).map(Optional.some)
        return stride(from: 0, to: cells.count, by: 7).map { start in
            let week = cells[start..<min(start + 7, cells.count)]
            return week + [Int?](repeating: nil, count: 7 - week.count)
        }
    }
}

/// A month of daily notes: days with a note are marked, and Enter opens or creates the note of the selected day.
@MainActor
final class CalendarOverlay: Overlay {
    /// While a date is typed, the keys are those of a field.
    var context: KeyContext { field == nil ? .dialog : .prompt }
    let hints = Texts.Calendar.hints

    private let today: Day
    private let choose: @MainActor (Date) -> Void
    private let hasNote: @MainActor (Date) -> Bool
    private var day: Day
    /// The days of the shown month that have notes.
    private var marked: Set<Int> = []
    private var box = OverlayBox()
    /// The date being typed; nil if none is.
    var field: LineField?

    /// The width of a day in cells: two digits, a mark and a space.
    private static let columnsOfDay = 4
    private static let years = 1...9999

    init(
        on day: Day, today: Day, hasNote: @escaping @MainActor (Date) -> Bool,
        choose: @escaping @MainActor (Date) -> Void
    ) {
        (self.day, self.today, self.hasNote, self.choose) = (day, today, hasNote, choose)
        readMarks()
    }

    private var grid: MonthGrid { MonthGrid(year: day.year, month: day.month) }

    private func readMarks() {
        marked = Set(
            (1...grid.dayCount).filter { number in
                hasNote(Zone.system.noon(of: Day(year: day.year, month: day.month, day: number)))
            })
    }

    // MARK: Keys

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        switch action {
        case .left: go(to: day.adding(-1))
        case .right: go(to: day.adding(1))
        case .up: go(to: day.adding(-7))
        case .down: go(to: day.adding(7))
        case .pageUp: move(months: -1)
        case .pageDown: move(months: 1)
        case .first: go(to: today)
        case .accept where field != nil && typedDay == nil:
            window.model.say(Texts.Calendar.noSuchDay, kind: .refused)
        case .accept: accept(in: window)
        case .cancel where field != nil: field = nil
        case .cancel: window.dismiss(self)
        default: break
        }
    }

    /// A digit begins a date.
    func typeWithoutCommand(_ text: String, in window: NotebookInterface) {
        guard text.allSatisfy(\.isWholeNumber) else { return }
        field = LineField(text)
        fieldChanged(in: window)
    }

    /// Goes to the typed day as soon as it is one; a field without text is closed.
    func fieldChanged(in window: NotebookInterface) {
        if let typedDay { go(to: typedDay) }
        if field?.text.isEmpty == true { field = nil }
    }

    private var typedDay: Day? {
        field.flatMap { OfferedDays.day(named: $0.text.trimmingCharacters(in: .whitespaces), from: today) }
    }

    private func move(months: Int) {
        let count = day.year * 12 + day.month - 1 + months
        let (year, month) = (count / 12, count % 12 + 1)
        guard Self.years.contains(year) else { return }
        go(to: Day(year: year, month: month, day: min(day.day, Day.days(in: month, of: year))))
    }

    private func go(to next: Day) {
        guard Self.years.contains(next.year) else { return }
        let isOther = next.year != day.year || next.month != day.month
        day = next
        if isOther { readMarks() }
    }

    private func accept(in window: NotebookInterface) {
        window.dismiss(self)
        choose(Zone.system.noon(of: day))
    }

    func press(at position: Position, in window: NotebookInterface) {
        let inside = box.inside
        let week = firstWeek + position.row - inside.row - 1
        let column = firstShownColumn + (position.column - inside.column) / Self.columnsOfDay
        guard inside.contains(position), position.row > inside.row, (0..<7).contains(column),
            let days = grid.weeks[safe: week]
        else {
            if !box.frame.contains(position) { window.dismiss(self) }
            return
        }
        guard let number = days[column] else { return }
        day.day = number
        accept(in: window)
    }

    func wheel(at position: Position, rows: Int, in window: NotebookInterface) { move(months: rows.signum()) }

    // MARK: Drawing

    func arrange(in area: OverlayArea) {
        box = OverlayBox(content: Size(columns: Self.columnsOfDay * 7, rows: grid.weeks.count + 1), on: area)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        let title =
            box.inside.columns < Self.columnsOfDay * 7
            ? Texts.Calendar.day(day) : Texts.Calendar.month(day.month, of: day.year)
        box.draw(title: title, hint: keys.line(hints), into: &screen, theme: theme)
        if theme.glyphs.isWords { return drawWords(into: &screen, theme) }
        for (row, week) in grid.weeks[firstWeek...].enumerated() where row + 1 < box.inside.rows {
            for (column, number) in week.dropFirst(firstShownColumn).enumerated() {
                if let number { draw(number, at: cell(column, row: row + 1), columns: room(column), &screen, theme) }
            }
        }
        if field != nil { return drawField(into: &screen, theme) }
        for (index, name) in Texts.Calendar.weekdays.dropFirst(firstShownColumn).enumerated() {
            screen.write(name, at: cell(index, row: 0), style: theme.dim.on(theme.overlay), maxColumns: room(index))
        }
    }

    /// Draws the date being typed, over the names of the days.
    private func drawField(into screen: inout Screen, _ theme: Theme) {
        guard let field else { return }
        let caret = field.draw(
            at: box.inside.origin, columns: box.inside.columns, style: theme.text.on(theme.overlay), into: &screen)
        screen.cursor = Cursor(caret, shape: .bar)
    }

    /// Draws only the selected day, for a screen reader: `Mo 2026-11-23, today, has a note`.
    private func drawWords(into screen: inout Screen, _ theme: Theme) {
        let note = marked.contains(day.day) ? Texts.Words.hasNote : Texts.Words.noNote
        let words = (day == today ? [Texts.Words.today] : []) + [note]
        if field != nil { drawField(into: &screen, theme) }
        let start = box.row(field == nil ? 0 : 1).origin
        let (spoken, style) = (Texts.Calendar.spokenDay(day), theme.text.on(theme.overlay))
        // In a narrow box the words stand below the day, which is never cut.
        let whole = TextWidth.shared.width(of: ([spoken] + words).joined(separator: ", "))
        let isBroken = whole > box.inside.columns
        screen.write(
            row: start.row, spoken, words: isBroken ? [] : words, theme: theme, style: style, column: start.column)
        if isBroken, start.row + 1 < box.inside.maxRow {
            screen.write(
                words.joined(separator: ", "), at: Position(column: start.column, row: start.row + 1), style: style,
                fitting: box.inside.columns, glyphs: theme.glyphs)
        }
        if field == nil { screen.cursor = .hidden(at: start) }
    }

    /// The first week shown; on a low screen, the selected day must stay visible.
    private var firstWeek: Int {
        let chosen = grid.weeks.firstIndex { $0.contains(day.day) } ?? 0
        return max(0, chosen - max(0, box.inside.rows - 2))
    }

    /// The first day of the week shown; in a narrow box, the selected day must stay visible.
    private var firstShownColumn: Int {
        let chosen = day.weekday
        // The last day needs no gap after it.
        return max(0, chosen + 1 - max(1, (box.inside.columns + 1) / Self.columnsOfDay))
    }

    private func cell(_ column: Int, row: Int) -> Position {
        Position(column: box.inside.column + column * Self.columnsOfDay, row: box.inside.row + row)
    }

    private func room(_ column: Int) -> Int { max(0, box.inside.columns - column * Self.columnsOfDay) }

    private func draw(_ number: Int, at position: Position, columns: Int, _ screen: inout Screen, _ theme: Theme) {
        let isToday = Day(year: day.year, month: day.month, day: number) == today
        let ground = number == day.day ? theme.selection : theme.overlay
        let style = isToday ? theme.accent : marked.contains(number) ? theme.title : theme.dim
        let digits = number < 10 ? " \(number)" : "\(number)"
        let mark = marked.contains(number) ? String(theme.glyphs.marked) : " "
        if number == day.day { screen.cursor = .hidden(at: position) }
        screen.write(digits + mark, at: position, style: style.on(ground), maxColumns: columns)
    }
}

/// The commands for daily notes of other days.
@MainActor
let calendarCommands: [Command] = [
    Command("note.calendar", "Calendar of daily notes…", .notes, keys: [.browsing: "C"]) { $0.showCalendar() },
    Command("note.dayBefore", "Previous daily note", .notes) { window in
        window.showDailyNote(-1, orSay: Texts.Calendar.noDayBefore)
    },
    Command("note.dayAfter", "Next daily note", .notes) { window in
        window.showDailyNote(1, orSay: Texts.Calendar.noDayAfter)
    },
]

extension NotebookInterface {
    fileprivate func showCalendar() {
        show(
            CalendarOverlay(on: Day(model.openDay), today: Day(now())) { [weak self] in
                self?.model.hasDailyNote(on: $0) ?? false
            } choose: { [weak self] date in
                self?.showDailyNote(on: date)
            })
    }

    fileprivate func showDailyNote(_ direction: Int, orSay message: String) {
        guard model.showDailyNote(direction) else { return model.say(message, kind: .refused) }
        focus(.editor)
    }
}
