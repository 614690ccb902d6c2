import NoteStore
import Terminal
import ViewModel

/// The sidebar: system folders, then folders, projects and tags as trees, with their counts.
@MainActor
final class SidebarPane: Pane {
    unowned let window: NotebookInterface
    let region = PaneID.sidebar
    let context = KeyContext.sidebar

    init(_ window: NotebookInterface) {
        self.window = window
    }

    private var model: TakeNoteVM { window.model }
    private var state: WindowState { window.state }

    /// The number of rows above the tree: the program's name and a blank row, or none on a low screen.
    private static func headerRows(in size: Size) -> Int { size.rows >= 8 ? 2 : 0 }

    // MARK: Drawing

    var isArrangedByObservedState: Bool { true }

    func arrange(in size: Size) {
        let rows = max(1, size.rows - Self.headerRows(in: size))
        var top = state.sidebarTop
        if let cursor = cursorIndex, state.sidebarScrolledFrom == nil || state.sidebarScrolledFrom != itemUnderCursor {
            top = min(max(top, cursor - rows + 1), cursor)
        }
        // A pane that has grown shows more lines above rather than empty rows below.
        top = min(top, max(0, model.sidebarRows.count - rows))
        if top != state.sidebarTop { state.sidebarTop = top }
    }

    func draw(into screen: inout Screen) {
        let size = screen.size
        let header = Self.headerRows(in: size)
        if header > 0 {
            screen.write(
                window.title(fitting: size.columns - 2), at: Position(column: 1, row: 0),
                style: state.theme.accent.on(state.theme.title), fitting: size.columns - 2, glyphs: state.theme.glyphs)
        }
        let cursor = cursorIndex
        for row in header..<size.rows {
            let index = state.sidebarTop + row - header
            guard index < model.sidebarRows.count else { break }
            draw(model.sidebarRows[index], isUnderCursor: index == cursor, row: row, into: &screen)
        }
    }

    /// The column of a line's fold mark.
    ///
    /// The mark of a heading or a system folder is at the left edge, in the column of the cursor's bar; each level below
    /// it is indented by two columns.
    private static func markColumn(of line: SidebarRow) -> Int {
        max(line.depth * 2, line.isExpanded != nil ? 1 : 0)
    }

    /// The index of the line under the cursor.
    ///
    /// A container whose parent is folded has no line: the cursor is then on its nearest ancestor that has one, or on the
    /// heading of its section.
    var cursorIndex: Int? {
        let item =
            state.headingUnderCursor.map(SidebarRow.Item.section)
            ?? model.selectedSavedSearch.map(SidebarRow.Item.search)
            ?? model.selectedContainer.map { .container($0.id) }
        if let index = model.sidebarRows.firstIndex(where: { $0.item == item }) { return index }
        guard state.headingUnderCursor == nil, model.selectedSavedSearch == nil, var top = model.selectedContainer
        else { return nil }
        while let parent = top.parent.flatMap({ model.container($0) }) {
            if let index = model.sidebarRows.firstIndex(where: { $0.item == .container(parent.id) }) { return index }
            top = parent
        }
        let section: SidebarSection = top.isTag ? .tags : top.isProject ? .projects : .folders
        return model.sidebarRows.firstIndex { $0.item == .section(section) }
    }

    /// The item under the cursor.
    private var itemUnderCursor: SidebarRow.Item? { cursorIndex.map { model.sidebarRows[$0].item } }

    private func draw(_ line: SidebarRow, isUnderCursor: Bool, row: Int, into screen: inout Screen) {
        let theme = state.theme
        if theme.glyphs.isWords { return drawWords(of: line, isUnderCursor: isUnderCursor, row: row, into: &screen) }
        let hasKeys = state.focus == .sidebar
        let isTarget = state.dropTarget == line.item
        let ground =
            isTarget || isUnderCursor && hasKeys
            ? theme.selection : isUnderCursor ? theme.quietSelection : theme.text
        screen.fill(Rect(column: 0, row: row, columns: screen.size.columns, rows: 1), style: ground)
        if isUnderCursor {
            screen.write(
                String(theme.glyphs.selected), at: Position(column: 1, row: row), style: theme.selectionMark.on(ground))
        }
        // The title follows the fold mark, whose column depends on the level.
        let titleColumn = Self.markColumn(of: line) + 2
        let end = drawCount(of: line, ground: ground, row: row, into: &screen)
        if let isExpanded = line.isExpanded {
            let glyph = isExpanded ? theme.glyphs.expanded : theme.glyphs.collapsed
            let position = Position(column: titleColumn - 2, row: row)
            screen.write(String(glyph), at: position, style: theme.dim.on(ground))
        }
        if isUnderCursor { screen.cursor = .hidden(at: Position(column: titleColumn, row: row)) }
        let title = prefix(of: line) + line.title
        screen.write(
            title, at: Position(column: titleColumn, row: row), style: style(of: line).on(ground),
            fitting: end - titleColumn, glyphs: theme.glyphs)
    }

    /// Draws a line as words: `Recipes, folded, 5 of 12`.
    private func drawWords(of line: SidebarRow, isUnderCursor: Bool, row: Int, into screen: inout Screen) {
        var words: [String] = []
        if case .search = line.item { words.append(Texts.Words.search) }
        if line.container?.isTag == true { words.append(Texts.Words.tag) }
        if let isExpanded = line.isExpanded { words.append(isExpanded ? Texts.Words.unfolded : Texts.Words.folded) }
        if let index = model.sidebarRows.firstIndex(where: { $0.item == line.item }) {
            words.append(Texts.count(index + 1, of: model.sidebarRows.count))
        }
        screen.write(row: row, line.title, words: words, theme: state.theme)
        if isUnderCursor { screen.cursor = .hidden(at: Position(column: 0, row: row)) }
    }

    private func style(of line: SidebarRow) -> Style {
        switch line.item {
        case .section: state.theme.dim
        case .search: state.theme.text
        case .container: line.container.map(state.theme.style(of:)) ?? state.theme.text
        }
    }

    /// The text before a name: the icon of the symbol, otherwise `#` for a tag, `/` for a search.
    private func prefix(of line: SidebarRow) -> String {
        if case .search = line.item { return "/" }
        guard let container = line.container else { return "" }
        if let icon = state.theme.glyphs.icon(of: container) { return "\(icon) " }
        return container.isTag ? "#" : ""
    }

    /// Writes the count at the right and returns the column where the title must end.
    private func drawCount(of line: SidebarRow, ground: Style, row: Int, into screen: inout Screen) -> Int {
        let right = screen.size.columns - 1
        guard let count = line.count, count > 0 else { return right }
        return screen.write(String(count), endingAt: right, row: row, style: state.theme.dim.on(ground)) - 1
    }

    // MARK: Positions

    /// Returns the index of the line at a row of the pane; nil if there is none.
    private func index(atRow row: Int, in size: Size) -> Int? {
        let header = Self.headerRows(in: size)
        let index = state.sidebarTop + row - header
        return row >= header && index < model.sidebarRows.count ? index : nil
    }

    /// Returns the line at a cell of the screen.
    func line(at position: Position) -> SidebarRow? {
        guard let rect = window.layout.panes[region], rect.contains(position) else { return nil }
        return index(atRow: position.row - rect.row, in: rect.size).map { model.sidebarRows[$0] }
    }

    /// Returns the rectangle of a line from its name on, with the row below it; nil if it is not visible.
    func rect(of item: SidebarRow.Item) -> Rect? {
        guard !state.theme.glyphs.isWords, let pane = window.layout.panes[region],
            let index = model.sidebarRows.firstIndex(where: { $0.item == item })
        else { return nil }
        let row = Self.headerRows(in: pane.size) + index - state.sidebarTop
        let column = 2 + model.sidebarRows[index].depth * 2
        guard index >= state.sidebarTop, row < pane.rows, pane.columns > column + 4 else { return nil }
        return Rect(
            column: pane.column + column, row: pane.row + row, columns: pane.columns - column - 1,
            rows: min(2, pane.rows - row))
    }

    // MARK: Cursor

    func moveCursor(by step: Int) { moveCursor(to: (cursorIndex ?? 0) + step, toggling: false) }

    /// Moves the cursor to a line and shows the notes of its container.
    ///
    /// - Parameter toggling: whether a heading is also folded or unfolded.
    private func moveCursor(to index: Int, toggling: Bool) {
        guard !model.sidebarRows.isEmpty else { return }
        let row = model.sidebarRows[min(max(index, 0), model.sidebarRows.count - 1)]
        switch row.item {
        case .section(let section):
            state.headingUnderCursor = section
            if toggling, let isExpanded = row.isExpanded { model.setExpanded(row.item, !isExpanded) }
        case .container(let id):
            state.headingUnderCursor = nil
            state.listTop = 0
            model.selectContainer(id)
        case .search(let id):
            state.headingUnderCursor = nil
            state.listTop = 0
            if let search = model.savedSearch(id) { model.select(search) }
        }
    }

    func openUnderCursor() {
        guard let section = state.headingUnderCursor else { return window.focus(.list) }
        model.setExpanded(.section(section), model.folding.closedSections.contains(section))
    }

    /// Folds or unfolds the line under the cursor; if it is already folded, moves the cursor to its parent.
    func setExpanded(_ expanded: Bool) {
        guard let index = cursorIndex else { return }
        let row = model.sidebarRows[index]
        if row.isExpanded == !expanded {
            model.setExpanded(row.item, expanded)
        } else if !expanded, let parent = model.sidebarRows[..<index].lastIndex(where: { $0.depth < row.depth }) {
            moveCursor(to: parent, toggling: false)
        }
    }

    // MARK: Mouse

    func press(_ press: PanePress, in size: Size) {
        guard let index = index(atRow: press.position.row, in: size) else { return }
        let line = model.sidebarRows[index]
        if let isExpanded = line.isExpanded, line.container != nil, press.position.column == Self.markColumn(of: line) {
            return model.setExpanded(line.item, !isExpanded)
        }
        moveCursor(to: index, toggling: true)
        if let container = line.container, model.canMove(container).isAvailable {
            window.mouse.drag = .container(container)
        }
    }

    func wheel(columns: Int, rows: Int, in size: Size) {
        guard rows != 0 else { return }
        let last = max(0, model.sidebarRows.count - (size.rows - Self.headerRows(in: size)))
        state.sidebarTop = min(max(state.sidebarTop + rows * 3, 0), last)
        state.sidebarScrolledFrom = itemUnderCursor
    }
}
