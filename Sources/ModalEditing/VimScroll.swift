import TextEditing

/// A way to scroll the text that takes the caret along.
public enum VimScroll: Hashable, Sendable {
    /// By rows, down if positive; the caret moves if it would get out of sight.
    case rows(Int)
    /// By pages, down if positive; the caret goes to the first row of a page below, to the last row of one above.
    case pages(Int)
    /// By rows, or by half the screen, as far as the text fills the screen; the caret goes by as many rows.
    case halfPage(rows: Int?, isUp: Bool)
}

/// What a scroll does.
public struct VimScrolled: Hashable, Sendable {
    /// The rows by which the screen is scrolled, down if positive; 0 if it is at the end of the text already.
    public var rows: Int
    /// The position after it, and the column in its row that it aims for.
    public var position: ByteOffset
    public var column: CellColumn
}

extension VimScroll {
    /// Returns what the scroll does to a screen and to a position.
    ///
    /// - Parameters:
    ///   - column: the column in its row that the position aims for; nil for its own.
    ///   - lastLine: the last line that a caret may be on.
    public func result(
        from position: ByteOffset, column: CellColumn?, lastLine: LineNumber, viewport: Viewport, in buffer: TextBuffer,
        layout: inout TextLayout
    ) -> VimScrolled {
        let location = layout.location(of: position, in: buffer)
        let here = (line: location.line, row: location.row)
        var viewport = viewport
        viewport.scroll(by: 0, lastLine: lastLine, in: buffer, layout: &layout)
        let top = (line: viewport.line, row: viewport.row)
        let (rows, wanted): (Int, (line: LineNumber, row: Int))
        switch self {
        case .rows(let count): (rows, wanted) = (count, here)
        case .pages(let count):
            rows = count * viewport.pageRows
            let edge = count > 0 ? rows : rows + viewport.rows - 1
            wanted = layout.step(from: top, by: edge, in: buffer)
        case .halfPage(let count, let isUp):
            let step = count ?? max(1, viewport.rows / 2)
            rows = isUp ? -step : viewport.rowsBelow(atMost: step, lastLine: lastLine, in: buffer, layout: &layout)
            wanted = layout.step(from: here, by: isUp ? -step : step, in: buffer)
        }
        viewport.scroll(by: rows, lastLine: lastLine, in: buffer, layout: &layout)
        let isMoved = (viewport.line, viewport.row) != top
        if !isMoved, case .pages = self { return VimScrolled(rows: 0, position: position, column: location.column) }
        let next = viewport.rowInSight(nearest: wanted, lastLine: lastLine, in: buffer, layout: &layout)
        let aim = column ?? location.column
        let reached = next == here ? position : layout.offset(atRow: next.row, of: next.line, column: aim, in: buffer)
        return VimScrolled(rows: isMoved ? rows : 0, position: reached, column: aim)
    }
}
