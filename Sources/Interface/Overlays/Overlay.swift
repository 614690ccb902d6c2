import Terminal

/// Something that lies over the panes and has the keys while it does.
@MainActor
protocol Overlay: AnyObject {
    func handle(_ event: InputEvent, in interface: NotebookInterface)
    func draw(into screen: inout Screen, theme: Theme)
}

extension Screen {
    /// Draws the frame and the ground of an overlay in the middle of the screen.
    ///
    /// - Parameter content: the size wanted inside the frame; it is cut to what the screen has.
    /// - Returns: the place inside the frame, a column of air at either side.
    mutating func drawBox(content: Size, title: String, hint: String = "", theme: Theme) -> Rect {
        let columns = min(content.columns + 4, size.columns)
        let rows = min(content.rows + 2, size.rows)
        let box = Rect(
            column: (size.columns - columns) / 2, row: (size.rows - rows) / 2, columns: columns, rows: rows)
        let glyphs = theme.glyphs
        fill(box, style: theme.overlay)
        let edge = String(repeating: glyphs.horizontal, count: max(0, columns - 2))
        let bottom = box.row + rows - 1
        let ends = [(box.row, glyphs.topLeft, glyphs.topRight), (bottom, glyphs.bottomLeft, glyphs.bottomRight)]
        for (row, left, right) in ends {
            write("\(left)\(edge)\(right)", at: Position(column: box.column, row: row), style: theme.overlayFrame)
        }
        for row in box.row + 1..<max(bottom, box.row + 1) {
            for column in [box.column, box.column + columns - 1] {
                write(String(glyphs.vertical), at: Position(column: column, row: row), style: theme.overlayFrame)
            }
        }
        let titleStyle = theme.overlayFrame.on(theme.title)
        write(
            " \(glyphs.plain(title)) ", at: Position(column: box.column + 2, row: box.row), style: titleStyle,
            fitting: columns - 4,
            glyphs: glyphs)
        if let hint = hint.hint(fitting: columns - 6) {
            write(
                " \(glyphs.plain(hint)) ", endingAt: box.column + columns - 2, row: bottom,
                style: theme.dim.on(theme.overlay))
        }
        cursor = nil
        return Rect(column: box.column + 2, row: box.row + 1, columns: max(0, columns - 4), rows: max(0, rows - 2))
    }
}

extension String {
    /// As much of a hint as fits: how to leave stands last in all of them, and is the last to go.
    ///
    ///     "Tab completes, Enter OK, Esc cancel"  ->  "Enter OK, Esc cancel"
    fileprivate func hint(fitting columns: Int) -> String? {
        var parts = split(separator: ", ")[...]
        while !parts.isEmpty {
            let text = parts.joined(separator: ", ")
            if TextWidth.shared.width(of: text) <= columns { return text }
            parts.removeFirst()
        }
        return nil
    }
}
