import Terminal
import ViewModel

/// What stands around the text of a row: the line's number, the mark of a fold, the marks of a line that runs on.
struct RowMargin: Equatable {
    /// What a heading shows of the section under it.
    enum Fold: Equatable {
        /// It can be folded here.
        case open
        /// It is folded away.
        case folded
    }

    /// The number of the line that begins in the row, from 1; nil where none is shown.
    var number: Int?
    /// Whether the caret is in the line.
    var hasCaret = false
    /// The mark before the row.
    var fold: Fold?
    /// The lines folded away that the row tells of at its end.
    var foldedLines: Int?
    /// Whether an unwrapped line goes on beyond the pane's edges.
    var isCutLeft = false
    var isCutRight = false

    /// Draws it around a text that ends before a column.
    @MainActor
    func draw(row: Int, textEnd: Int, with pen: RowPen, into screen: inout Screen) {
        let theme = pen.theme
        let mark = Position(column: pen.left - 1, row: row)
        if let number {
            let style = hasCaret ? theme.text : theme.dim
            screen.write(String(number), endingAt: pen.left - 1, row: row, style: style)
        }
        let ellipsis = String(theme.glyphs.ellipsis)
        switch fold {
        case .open: screen.write(String(theme.glyphs.expanded), at: mark, style: theme.dim)
        case .folded: screen.write(String(theme.glyphs.collapsed), at: mark, style: theme.accent)
        case nil: if isCutLeft { screen.write(ellipsis, at: mark, style: theme.dim) }
        }
        if isCutRight {
            let end = Position(column: pen.left + pen.columns, row: row)
            screen.write(ellipsis, at: end, style: theme.dim)
        }
        if let foldedLines { drawCount(of: foldedLines, row: row, behind: textEnd, theme, into: &screen) }
    }

    /// `… 12 lines` behind a heading, over the end of it where there is no room.
    @MainActor
    private func drawCount(of lines: Int, row: Int, behind end: Int, _ theme: Theme, into screen: inout Screen) {
        let text = " \(theme.glyphs.ellipsis) \(Question.count(lines, "line"))"
        let start = min(end, screen.size.columns - TextWidth.shared.width(of: text) - 1)
        screen.write(text, at: Position(column: max(start, 1), row: row), style: theme.dim)
    }
}
