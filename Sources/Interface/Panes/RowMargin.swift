import Terminal
import ViewModel

/// The signs around the text of a row: the line number, the fold mark, and the marks of a line cut at the edges.
struct RowMargin: Equatable {
    /// The fold mark of a heading.
    enum Fold: Equatable {
        /// The section can be folded here.
        case open
        /// The section is folded.
        case folded
    }

    /// The number of the line that begins in the row, from 1; nil if none is shown.
    var number: Int?
    /// Whether the caret is in the line.
    var hasCaret = false
    /// The fold mark before the row; nil if there is none.
    var fold: Fold?
    /// The number of folded lines that the row shows at its end; nil if it shows none.
    var foldedLines: Int?
    /// Whether an unwrapped line continues beyond the pane's left edge; `isCutRight` is for the right edge.
    var isCutLeft = false
    var isCutRight = false

    /// Draws the margin around a text that ends before the column `textEnd`.
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

    /// Draws `… 12 lines` after a heading; covers the end of the heading if there is no room.
    @MainActor
    private func drawCount(of lines: Int, row: Int, behind end: Int, _ theme: Theme, into screen: inout Screen) {
        let text = " \(theme.glyphs.ellipsis) \(Question.count(lines, "line"))"
        let start = min(end, screen.size.columns - TextWidth.shared.width(of: text) - 1)
        screen.write(text, at: Position(column: max(start, 1), row: row), style: theme.dim)
    }
}
