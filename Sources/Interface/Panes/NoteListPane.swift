import Foundation
import NoteStore
import Terminal
import ViewModel

/// The note list: a header, then each note in two rows, the starred ones in their own section.
@MainActor
final class NoteListPane: Pane {
    unowned let window: NotebookInterface
    let region = PaneID.list

    init(_ window: NotebookInterface) {
        self.window = window
    }

    var model: TakeNoteVM { window.model }
    var state: WindowState { window.state }

    var context: KeyContext { state.searchField == nil ? .list : .search }

    /// The number of rows above the notes: the header and a blank row, or only the header on a low screen.
    static func headerRows(in size: Size) -> Int { size.rows >= 8 ? 2 : 1 }

    /// Whether a screen reader reads the rows.
    var isRead: Bool { state.theme.glyphs.isWords }

    /// Whether a screen reader reads the hits of a search that is being typed.
    ///
    /// It speaks every row that a key changes, and each typed character changes all hits, so only the hit under the
    /// cursor is shown.
    private var isFilteredAloud: Bool { isRead && state.searchField != nil }

    /// The number of rows of a note: one for its title, one for its summary, or for what a search has found in it.
    var rowsPerNote: Int { isRead || state.isListCompact && model.noteSearchText.isEmpty ? 1 : 2 }

    func draw(into screen: inout Screen) {
        drawHeader(into: &screen)
        guard model.noteList.count > 0 else { return drawEmptyList(into: &screen) }
        var row = Self.headerRows(in: screen.size)
        var index = state.listTop
        let end = isFilteredAloud ? row + rowsPerNote : screen.size.rows
        while row < end, index < model.noteList.count, let note = model.noteList[index] {
            if let heading = heading(above: index) {
                draw(heading: heading, row: row, into: &screen)
                row += 1
            }
            if row < screen.size.rows { draw(note, at: index, row: row, into: &screen) }
            row += rowsPerNote
            index += 1
        }
    }

    // MARK: Positions

    var isArrangedByObservedState: Bool { true }

    func arrange(in size: Size) {
        let rows = isFilteredAloud ? rowsPerNote : size.rows - Self.headerRows(in: size)
        model.requireRows(model.listCursor - rows..<model.listCursor + rows)
        let isScrolled = state.listScrolledFrom == cursorPosition
        let shown = isScrolled ? min(state.listTop, max(model.noteList.count - 1, 0)) : model.listCursor
        let top = top(from: state.listTop, showing: shown, rows: rows)
        if top != state.listTop { state.listTop = top }
        model.requireRows(top..<top + rows)
    }

    private var cursorPosition: ListPosition {
        ListPosition(container: model.selectedContainer?.id, cursor: model.listCursor)
    }

    /// The heading above a note: the first starred one, and the first one after the starred, have one.
    private func heading(above index: Int) -> String? {
        guard !isRead, model.noteSearchText.isEmpty, let note = model.noteList[index] else { return nil }
        let before = index > 0 ? model.noteList[index - 1] : nil
        if note.starred, index == 0 { return Texts.List.starred }
        return !note.starred && before?.starred == true ? Texts.List.notes : nil
    }

    /// The first note to show so that the note at `cursor` is visible, scrolling as little as possible from `top`.
    ///
    /// No row stays empty below the last note while there are notes above: a pane that has grown shows them.
    private func top(from top: Int, showing cursor: Int, rows: Int) -> Int {
        var top = nearestTop(to: top, showing: cursor, rows: rows)
        let last = model.noteList.count - 1
        // For most lists the count alone shows that no further note has room, and no heights are added up.
        while top > 0, (last - top + 2) * rowsPerNote <= rows, height(of: top - 1...last) <= rows { top -= 1 }
        return top
    }

    private func nearestTop(to top: Int, showing cursor: Int, rows: Int) -> Int {
        if cursor < top { return cursor }
        var top = min(top, max(model.noteList.count - 1, 0))
        // At most one note fits in two rows, so no earlier note can be the first one.
        top = max(top, cursor - rows / rowsPerNote)
        while top < cursor, height(of: top...cursor) > rows { top += 1 }
        return top
    }

    private func height(of notes: ClosedRange<Int>) -> Int {
        notes.reduce(0) { $0 + rowsPerNote + (heading(above: $1) == nil ? 0 : 1) }
    }

    /// The index of the note at a row of the pane; nil if there is none.
    private func index(atRow row: Int, in size: Size) -> Int? {
        var next = Self.headerRows(in: size)
        guard row >= next else { return nil }
        for index in state.listTop..<max(state.listTop, model.noteList.count) {
            if heading(above: index) != nil { next += 1 }
            next += rowsPerNote
            if row < next { return index }
        }
        return nil
    }

    /// The rectangle of the note's two rows, without the mark at their left; nil if they are not visible.
    func rect(of id: NoteID) -> Rect? {
        guard !isRead, let pane = window.layout.panes[region], let index = model.noteList.index(of: id),
            index >= state.listTop
        else { return nil }
        var row = Self.headerRows(in: pane.size)
        for above in state.listTop...index {
            if heading(above: above) != nil { row += 1 }
            if above < index { row += rowsPerNote }
        }
        let rows = min(rowsPerNote, pane.rows - row)
        guard rows > 0, pane.columns > 4 else { return nil }
        return Rect(column: pane.column + 2, row: pane.row + row, columns: pane.columns - 3, rows: rows)
    }

    // MARK: Cursor and mouse

    func moveCursor(by step: Int) {
        state.isMovingInHits = true
        model.moveListCursor(to: model.listCursor + step)
    }

    func pageLength(in size: Size) -> Int { max(1, size.rows / rowsPerNote - 1) }

    func press(_ press: PanePress, in size: Size) {
        if press.position.row == 0, state.searchField == nil, press.position.column >= summaryColumn(in: size) {
            return window.perform("list.sort")
        }
        guard let index = index(atRow: press.position.row, in: size) else { return }
        model.moveListCursor(to: index)
        if press.clicks == 2 { return window.focus(.editor) }
        guard let note = model.noteList[index], model.canChangeNotes.isAvailable else { return }
        window.mouse.drag = .notes(model.isMarked(note.id) ? model.markedNotes : [note])
    }

    func wheel(columns: Int, rows: Int, in size: Size) {
        guard rows != 0, model.noteList.count > 0 else { return }
        let visible = size.rows - Self.headerRows(in: size)
        // The last possible position shows the last note at the bottom.
        let last = top(from: 0, showing: model.noteList.count - 1, rows: visible)
        state.listTop = min(max(state.listTop + rows.signum(), 0), last)
        state.listScrolledFrom = cursorPosition
    }

    // MARK: Header

    private func drawHeader(into screen: inout Screen) {
        let theme = state.theme
        if let field = state.searchField { return draw(field, into: &screen) }
        let right = screen.size.columns - 1
        let end = screen.write(headerSummary(columns: screen.size.columns), endingAt: right, row: 0, style: theme.dim)
        let isPlainSearch = !model.noteSearchText.isEmpty && model.selectedSavedSearch == nil
        let title = isPlainSearch ? "/ \(model.noteSearchText)" : model.navigationTitle
        let used = screen.write(
            title, at: Position(column: 1, row: 0), style: theme.title, fitting: end - 2, glyphs: theme.glyphs)
        if isPlainSearch, Self.headerRows(in: screen.size) > 1 { drawRemark(into: &screen) }
        guard let tag = model.tagFilterContainer else { return }
        screen.write(
            " #\(tag.name)", at: Position(column: 1 + used, row: 0), style: theme.style(of: tag),
            fitting: end - used - 3, glyphs: theme.glyphs)
    }

    /// The column where the count and the sort order begin; a click there changes the order.
    private func summaryColumn(in size: Size) -> Int {
        size.columns - 1 - TextWidth.shared.width(of: headerSummary(columns: size.columns))
    }

    /// The number of notes and their order: `4 notes, 31 words ↓ updated`, in a narrow pane less, down to `4 ↓`.
    private func headerSummary(columns: Int) -> String {
        if isRead { return "" }
        let count = model.noteList.count
        if !model.markedNotes.isEmpty { return Texts.List.marked(model.markedNotes.count, of: count) }
        // The hits shown are those of an earlier query until the pending search ends.
        if model.isSearchPending { return String(state.theme.glyphs.ellipsis) }
        if !model.noteSearchText.isEmpty { return Question.count(count, "hit") }
        // Words are counted only for the whole container, not for a list filtered by a tag.
        let words = model.tagFilter == nil ? model.containerWordCount.map { ", \(Question.count($0, "word"))" } : nil
        let notes = Question.count(count, "note")
        let isByHand = model.listSortBy == .byHand
        let sign = isByHand ? Texts.List.byHand : sortArrow
        let forms = [
            "\(notes)\(words ?? "") \(sign)\(isByHand ? "" : " " + sortName)", "\(notes)\(words ?? "") \(sign)",
            "\(notes) \(sign)", "\(count) \(sign)",
        ]
        let room = columns - 4 - min(TextWidth.shared.width(of: model.navigationTitle), Self.columnsOfTitle)
        return forms.first { TextWidth.shared.width(of: $0) <= room } ?? "\(count)"
    }

    /// The columns reserved for the list's title before the sort order's name is shown; most folder names fit.
    private static let columnsOfTitle = 12

    private var sortArrow: String {
        let glyphs = state.theme.glyphs
        return String(model.sortOrder == .newestFirst ? glyphs.newestFirst : glyphs.oldestFirst)
    }

    private var sortName: String {
        switch model.listSortBy {
        case .created: Texts.List.created
        case .updated: Texts.List.updated
        case .title: Texts.List.title
        case .byHand: Texts.List.byHand
        }
    }

    private func draw(_ field: LineField, into screen: inout Screen) {
        let theme = state.theme
        let right = screen.size.columns - 1
        let end = screen.write(headerSummary(columns: screen.size.columns), endingAt: right, row: 0, style: theme.dim)
        let label = isRead ? Texts.Words.searchField : "/"
        let start = 2 + screen.write(label, at: Position(column: 1, row: 0), style: theme.accent)
        let caret = field.draw(
            at: Position(column: start, row: 0), columns: end - start - 1, style: theme.text, into: &screen)
        screen.cursor = Cursor(caret, shape: .bar)
        if Self.headerRows(in: screen.size) > 1 { drawHints(for: field, into: &screen) }
    }

    /// Draws the completions of the typed word, Tab's choice first; for an empty field, draws the grammar.
    private func drawHints(for field: LineField, into screen: inout Screen) {
        let theme = state.theme
        let candidates = model.searchCompletion(String(field.head)).candidates
        if !field.text.isEmpty, candidates.isEmpty { return drawRemark(into: &screen) }
        if isRead { return }
        let words = field.text.isEmpty ? SearchCompletion.grammar.map(\.word) : candidates
        var column = 3
        for (index, word) in words.enumerated() {
            let width = TextWidth.shared.width(of: word)
            guard column + width < screen.size.columns else { break }
            let style = index == 0 && !candidates.isEmpty ? theme.accent : theme.dim
            column += screen.write(word, at: Position(column: column, row: 1), style: style) + 2
        }
    }

    /// Draws a remark about the search in the row below its text.
    private func drawRemark(into screen: inout Screen) {
        guard !model.isSearchPending, let remark = model.searchRemarks.first else { return }
        let glyphs = state.theme.glyphs
        let columns = screen.size.columns - 4
        let phrasings = remark.phrasings.map(glyphs.plain)
        let sentence = phrasings.first { TextWidth.shared.width(of: $0) <= columns } ?? phrasings[phrasings.count - 1]
        screen.write(
            sentence, at: Position(column: 3, row: 1), style: state.theme.dim, fitting: columns, glyphs: glyphs)
    }

    private func draw(heading: String, row: Int, into screen: inout Screen) {
        let theme = state.theme
        let start = Position(column: 1, row: row)
        if heading == Texts.List.starred {
            let used = screen.write("\(theme.glyphs.star) ", at: start, style: theme.star)
            screen.write(heading, at: Position(column: 1 + used, row: row), style: theme.dim)
        } else {
            screen.write(heading, at: start, style: theme.dim)
        }
    }
}
