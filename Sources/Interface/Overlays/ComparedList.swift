import Terminal
import TextEditing

/// A list with a comparison: the text of the item under the cursor is compared with another text.
///
/// Two overlays use it: for a note's earlier versions, and for the conflicts of a synchronisation.
@MainActor
final class ComparedList<Item> {
    /// Delivers the difference between an item's text and the other one, on the main actor, at once or later.
    typealias Comparison = @MainActor (Item, _ deliver: @escaping @MainActor @Sendable (TextDiff?) -> Void) -> Void

    private(set) var items: [Item]
    private let comparison: Comparison
    private var cursor = ListCursor()
    private var changes = ChangesView()
    private var isComparing = false
    /// The number of comparisons begun, which keeps a late result from replacing a newer one.
    private var begun = 0
    private var listRect = Rect(column: 0, row: 0, columns: 0, rows: 0)
    private var changesRect = Rect(column: 0, row: 0, columns: 0, rows: 0)
    /// The first row of the screen that is kept free above the changes, for what is said about them.
    private(set) var headRow = 0

    init(_ items: [Item], comparison: @escaping Comparison) {
        (self.items, self.comparison) = (items, comparison)
        compare()
    }

    /// The index of the item under the cursor; 0 if the list is empty.
    var row: Int { cursor.row }
    /// The item under the cursor.
    var current: Item? { items.indices.contains(row) ? items[row] : nil }

    private func compare() {
        begun += 1
        changes = ChangesView()
        guard let current else { return }
        isComparing = true
        let number = begun
        comparison(current) { [weak self] diff in
            guard let self, begun == number else { return }
            isComparing = false
            changes = ChangesView(diff)
            changes.arrange(in: changesRect)
        }
    }

    /// Removes the item under the cursor, and compares the one that takes its position.
    func removeCurrent() {
        items.remove(at: row)
        cursor.move(to: row, of: items.count)
        compare()
    }

    // MARK: Keys and mouse

    /// Moves the cursor or scrolls the changes, if the action is one for that.
    func perform(_ action: OverlayAction) {
        switch action {
        case .down: move(to: row + 1)
        case .up: move(to: row - 1)
        default: _ = changes.scroller.perform(action)
        }
    }

    func press(at position: Position) {
        guard listRect.contains(position),
            let index = cursor.index(atOffset: position.row - listRect.row, of: items.count)
        else { return }
        move(to: index)
    }

    func wheel(at position: Position, rows: Int) {
        if listRect.contains(position) { return moveCursor { $0.turnWheel(by: rows, of: items.count) } }
        changes.scroller.scroll(by: rows * 3)
    }

    private func move(to index: Int) { moveCursor { $0.move(to: index, of: items.count) } }

    private func moveCursor(_ move: (inout ListCursor) -> Void) {
        let before = row
        move(&cursor)
        if row != before { compare() }
    }

    // MARK: Drawing

    /// Places the list in the first columns of a rectangle, and the changes beside it.
    func arrange(in rect: Rect, listColumns: Int) {
        listRect = Rect(column: rect.column, row: rect.row, columns: listColumns, rows: rect.rows)
        let start = listRect.maxColumn + 2
        changesRect = Rect(column: start, row: rect.row, columns: rect.maxColumn - start, rows: rect.rows)
        arrange()
    }

    /// Places the list in the first rows of a rectangle, a third of them at most, and the changes below it.
    ///
    /// - Parameter headRows: the number of rows to keep free above the changes.
    func arrange(in rect: Rect, listRows: Int = .max, headRows: Int = 0) {
        let rows = max(1, min(items.count, listRows, rect.rows / 3))
        listRect = Rect(column: rect.column, row: rect.row, columns: rect.columns, rows: rows)
        let head = rows + (rect.rows > rows + 2 ? 1 : 0)
        headRow = rect.row + head
        let start = head + headRows
        changesRect = Rect(
            column: rect.column, row: rect.row + start, columns: rect.columns, rows: rect.rows - start)
        arrange()
    }

    private func arrange() {
        cursor.arrange(count: items.count, room: listRect.rows)
        changes.arrange(in: changesRect)
    }

    /// Draws the list and the changes, with their scroll marks.
    ///
    /// - Parameters:
    ///   - box: the box in which they are placed.
    ///   - identical: the text to show for an item whose text equals the other one.
    ///   - columns: returns an item's text, and the text at the right end of its row.
    func draw(
        in box: OverlayBox, into screen: inout Screen, theme: Theme, identical: String,
        columns: (_ index: Int, _ item: Item) -> (text: String, end: String)
    ) {
        for (offset, item) in items.dropFirst(cursor.top).prefix(listRect.rows).enumerated() {
            let index = cursor.top + offset
            let rect = Rect(column: listRect.column, row: listRect.row + offset, columns: listRect.columns, rows: 1)
            let ground = index == row ? theme.selection : theme.overlay
            screen.fill(rect, style: ground)
            if index == row { screen.cursor = .hidden(at: rect.origin) }
            let (text, end) = columns(index, item)
            let column =
                end.isEmpty
                ? rect.maxColumn
                : screen.write(end, endingAt: rect.maxColumn - 1, row: rect.row, style: theme.dim.on(ground))
            screen.write(
                text, at: Position(column: rect.column + 1, row: rect.row), style: theme.text.on(ground),
                fitting: column - rect.column - 2, glyphs: theme.glyphs)
        }
        changes.draw(
            in: changesRect, into: &screen, theme: theme, empty: isComparing ? Texts.comparing : identical)
        box.draw(changes.scroller.mark, beside: changesRect, into: &screen, theme: theme)
        box.draw(cursor.mark, beside: listRect, into: &screen, theme: theme)
    }
}
