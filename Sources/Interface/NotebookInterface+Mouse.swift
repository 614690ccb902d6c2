import NoteStore
import Terminal
import TextEditing
import ViewModel

/// What is going on while a mouse button is pressed, and how often it was.
struct MouseGesture {
    /// What a drag does.
    enum Drag: Equatable {
        case nothing
        /// Moves the border at this place among the dividers.
        case divider(Int)
        /// Selects text by characters, words or lines.
        case text(SelectionUnit)
    }

    /// Presses this close together at one place are a double or triple click.
    private static let clickInterval = Duration.milliseconds(400)

    var drag = Drag.nothing
    private var lastPosition: Position?
    private var lastTime: ContinuousClock.Instant?
    private var count = 0

    /// Counts a press.
    ///
    /// - Returns: 1 for a click, 2 for a double, 3 for a triple one, then 1 again.
    mutating func press(at position: Position, time: ContinuousClock.Instant = .now) -> Int {
        let isRepeated = lastPosition == position && lastTime.map { time - $0 < Self.clickInterval } == true
        count = isRepeated ? count % 3 + 1 : 1
        lastPosition = position
        lastTime = time
        return count
    }
}

/// The mouse: click to focus and select, wheel scrolls what is under it, drag selects text and moves borders.
extension NotebookInterface {
    func handle(_ event: MouseEvent) {
        endSequence()
        switch event.kind {
        case .press where event.button == .left: press(at: event.position)
        case .drag: drag(to: event.position)
        case .release: mouse.drag = .nothing
        case .wheel(let columns, let rows): wheel(at: event.position, columns: columns, rows: rows)
        default: break
        }
    }

    private func press(at position: Position) {
        mouse.drag = .nothing
        let clicks = mouse.press(at: position)
        if position.row < layout.status.row, let divider = layout.dividers.firstIndex(of: position.column) {
            mouse.drag = .divider(divider)
            return
        }
        guard let pane = layout.pane(at: position), let rect = layout.panes[pane] else { return }
        let inside = Position(column: position.column - rect.column, row: position.row - rect.row)
        if pane != .list { state.searchField = nil }
        state.focus = pane
        switch pane {
        case .sidebar: pressSidebar(row: inside.row, in: rect.size)
        case .list: pressList(row: inside.row, in: rect.size, clicks: clicks)
        case .editor: pressEditor(at: inside, in: rect.size, clicks: clicks)
        }
    }

    private func pressSidebar(row: Int, in size: Size) {
        let header = SidebarPane.headerRows(in: size)
        let index = state.sidebarTop + row - header
        guard row >= header, index < model.sidebarRows.count else { return }
        moveSidebarCursor(to: index, toggling: true)
    }

    private func pressList(row: Int, in size: Size, clicks: Int) {
        guard let index = NoteListPane.index(atRow: row, in: size, model: model, state: state) else { return }
        model.moveListCursor(to: index)
        if clicks == 2 { focus(.editor) }
    }

    private func pressEditor(at position: Position, in size: Size, clicks: Int) {
        guard let session = model.session else { return }
        let column = position.column - EditorPane.Frame(session, in: size, isZoomed: state.isZoomed).left
        if state.isPreviewing { return pressPreview(column: column, row: position.row) }
        if clicks == 1, session.toggleTask(column: column, row: position.row) { return }
        if clicks == 1, pressFold(of: session, column: column, row: position.row) { return }
        let unit: SelectionUnit = clicks == 1 ? .character : clicks == 2 ? .word : .line
        mouse.drag = .text(unit)
        if unit == .character {
            session.place(column: column, row: position.row, extending: false)
        } else {
            session.select(unit, column: column, row: position.row)
        }
    }

    /// A click beside a heading folds its section, and one behind a folded heading unfolds it.
    private func pressFold(of session: EditorSession, column: Int, row: Int) -> Bool {
        if column == -1 { return session.toggleFold(row: row) }
        let rows = session.visibleRows()
        guard rows.indices.contains(row), column > rows[row].visual.width,
            session.foldedLines(under: rows[row].line) != nil
        else { return false }
        return session.toggleFold(row: row)
    }

    private func pressPreview(column: Int, row: Int) {
        guard let link = preview.link(column: column, row: row) else { return }
        if case .outside(let address) = model.follow(link) { askToOpen(address) }
    }

    // MARK: Dragging

    private func drag(to position: Position) {
        switch mouse.drag {
        case .nothing: break
        case .divider(let index): moveDivider(index, to: position.column)
        case .text(let unit): extendSelection(by: unit, to: position)
        }
    }

    private func moveDivider(_ index: Int, to column: Int) {
        switch (layout.form, index) {
        case (.wide, 0): state.widths.sidebar = max(column, 1)
        case (.wide, _): state.widths.list = max(column - layout.dividers[0] - 1, 1)
        default: state.widths.list = max(column, 1)
        }
        needsFrame = true
    }

    /// Selects as far as the mouse is; beyond the pane's edge the text scrolls.
    private func extendSelection(by unit: SelectionUnit, to position: Position) {
        guard let rect = layout.panes[.editor], let session = model.session else { return }
        let row = position.row - rect.row
        if row <= 0 { session.scroll(by: -1) }
        if row >= rect.rows { session.scroll(by: 1) }
        let left = rect.column + EditorPane.Frame(session, in: rect.size, isZoomed: state.isZoomed).left
        session.extendSelection(by: unit, column: position.column - left, row: min(max(row, 0), rect.rows - 1))
    }

    private func wheel(at position: Position, columns: Int, rows: Int) {
        switch layout.pane(at: position) {
        case .sidebar where rows != 0: moveSidebarCursor(by: rows.signum())
        case .list where rows != 0: model.moveListCursor(to: model.listCursor + rows.signum())
        // Three rows a tick is what terminals and browsers do.
        case .editor where state.isPreviewing: scrollPreview(by: rows * 3)
        case .editor:
            if rows != 0 { model.session?.scroll(by: rows * 3) }
            if columns != 0 { model.session?.scroll(columns: columns * 6) }
        default: break
        }
    }
}
