import NoteStore
import Terminal
import ViewModel

/// Draws the sidebar: system folders, then folders, projects and tags as trees, with their counts.
@MainActor
struct SidebarPane {
    let model: TakeNoteVM
    let state: WindowState

    /// The rows above the tree: the name of the program and a blank one, or none where rows are few.
    static func headerRows(in size: Size) -> Int { size.rows >= 8 ? 2 : 0 }

    func draw(into screen: inout Screen) {
        let size = screen.size
        let header = Self.headerRows(in: size)
        if header > 0 {
            screen.write(
                "TakeNote", at: Position(column: 1, row: 0), style: state.theme.accent.on(state.theme.title),
                fitting: size.columns - 1, glyphs: state.theme.glyphs)
        }
        let cursor = cursorIndex
        for row in header..<size.rows {
            let index = state.sidebarTop + row - header
            guard index < model.sidebarRows.count else { break }
            draw(model.sidebarRows[index], isUnderCursor: index == cursor, row: row, into: &screen)
        }
    }

    /// The column of the mark that folds a line: a heading's is at the edge, below it each level goes in by two.
    static func markColumn(of line: SidebarRow) -> Int {
        line.isExpanded != nil && line.container == nil ? 1 : line.depth * 2
    }

    /// The index of the line at a row of the pane, or nil where none is.
    static func index(atRow row: Int, in size: Size, model: TakeNoteVM, state: WindowState) -> Int? {
        let header = headerRows(in: size)
        let index = state.sidebarTop + row - header
        return row >= header && index < model.sidebarRows.count ? index : nil
    }

    /// The index of the line that the cursor is on.
    ///
    /// A container whose parent is folded has no line of its own: the cursor is on the nearest one above it that has.
    var cursorIndex: Int? {
        let item =
            state.headingUnderCursor.map(SidebarRow.Item.section)
            ?? model.selectedSavedSearch.map(SidebarRow.Item.search)
            ?? model.selectedContainer.map { .container($0.id) }
        if let index = model.sidebarRows.firstIndex(where: { $0.item == item }) { return index }
        var parent = model.selectedContainer?.parent
        while let id = parent, let container = model.container(id) {
            if let index = model.sidebarRows.firstIndex(where: { $0.item == .container(id) }) { return index }
            parent = container.parent
        }
        return nil
    }

    private func draw(_ line: SidebarRow, isUnderCursor: Bool, row: Int, into screen: inout Screen) {
        let theme = state.theme
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
        // A heading's mark stands at the edge; below it each level goes in by two, its mark before its title.
        let titleColumn = Self.markColumn(of: line) + 2
        let end = drawCount(of: line, ground: ground, row: row, into: &screen)
        if let isExpanded = line.isExpanded {
            let glyph = isExpanded ? theme.glyphs.expanded : theme.glyphs.collapsed
            let position = Position(column: titleColumn - 2, row: row)
            screen.write(String(glyph), at: position, style: theme.dim.on(ground))
        }
        let title = prefix(of: line) + line.title
        screen.write(
            title, at: Position(column: titleColumn, row: row), style: style(of: line).on(ground),
            fitting: end - titleColumn, glyphs: theme.glyphs)
    }

    private func style(of line: SidebarRow) -> Style {
        switch line.item {
        case .section: state.theme.dim
        case .search: state.theme.text
        case .container: line.container.map(state.theme.style(of:)) ?? state.theme.text
        }
    }

    /// What stands before a name: a glyph where a symbol was chosen, else `#` before a tag's, `/` before a search's.
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
}
