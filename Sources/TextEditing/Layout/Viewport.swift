/// The range of a text that a screen shows.
///
/// All operations cost O(rows of the screen).
public struct Viewport: Sendable {
    /// A row on the screen, which shows a row of a line.
    public struct Row: Hashable, Sendable {
        public var line: LineNumber
        /// The row within the line, from 0.
        public var index: Int
        /// The range and width of the row.
        public var visual: VisualRow
    }

    /// The line that the top row belongs to.
    public var line: LineNumber = 0
    /// The index of the top row within `line`.
    public var row = 0
    /// The number of rows on the screen.
    public var rows: Int
    /// The number of rows kept between the caret and the screen's top and bottom edges, as far as the text has so many.
    public var scrollMargin: Int
    /// The first cell shown; 0 when lines are wrapped.
    public var leftColumn: CellColumn = 0

    /// Creates a viewport at the start of a text.
    public init(rows: Int, scrollMargin: Int = 3) {
        self.rows = max(rows, 1)
        self.scrollMargin = scrollMargin
    }

    /// The rows to draw, from the top; fewer than `rows` at the end of the text.
    public func visibleRows(in buffer: TextBuffer, layout: inout TextLayout) -> [Row] {
        var result: [Row] = []
        result.reserveCapacity(rows)
        var position = (line: layout.folds.visibleLine(at: line), row: row)
        while result.count < rows, position.line.rawValue < buffer.lineCount {
            let count = layout.rowCount(of: position.line, in: buffer)
            while position.row < count, result.count < rows {
                let visual = layout.row(position.row, of: position.line, in: buffer)
                result.append(Row(line: position.line, index: position.row, visual: visual))
                position.row += 1
            }
            position = (layout.folds.line(after: position.line), 0)
        }
        return result
    }

    /// Scrolls by rows, down if positive; at least the last row of the text stays on the screen.
    public mutating func scroll(by count: Int, in buffer: TextBuffer, layout: inout TextLayout) {
        clamp(in: buffer, layout: &layout)
        (line, row) = layout.step(from: (line, row), by: count, in: buffer)
    }

    /// Scrolls sideways by cells, to the right if positive; does nothing if lines are wrapped.
    public mutating func scroll(columns: Int, layout: TextLayout) {
        if !layout.configuration.wraps { leftColumn = max(0, leftColumn + columns) }
    }

    /// Scrolls as little as needed to show `offset` with the usual margin, or with `margin`.
    ///
    /// If `offset` is far away, its row is centred.
    public mutating func reveal(
        _ offset: ByteOffset, margin: Int? = nil, in buffer: TextBuffer, layout: inout TextLayout
    ) {
        let position = layout.location(of: offset, in: buffer)
        if abs(layout.folds.visibleLines(before: position.line) - layout.folds.visibleLines(before: line)) > rows {
            // The text shown now does not matter, and may be a line of megabytes, so it is not read.
            center((position.line, position.row), in: buffer, layout: &layout)
            return revealColumn(position.column, layout: layout)
        }
        clamp(in: buffer, layout: &layout)
        let margin = min(margin ?? scrollMargin, (rows - 1) / 2)
        let target = (line: position.line, row: position.row)
        // Check the usual case first, without walking up from the caret.
        let height = rowsAbove(target, in: buffer, layout: &layout)
        if let height, margin..<rows - margin ~= height { return revealColumn(position.column, layout: layout) }
        let highest = layout.step(from: target, by: -margin, in: buffer)
        let lowest = layout.step(from: target, by: margin - rows + 1, in: buffer)
        if (line, row) > highest {
            let isFar = layout.step(from: (line, row), by: -rows, in: buffer) > highest
            if isFar { center(target, in: buffer, layout: &layout) } else { (line, row) = highest }
        } else if (line, row) < lowest {
            let isFar = layout.step(from: (line, row), by: rows, in: buffer) < lowest
            if isFar { center(target, in: buffer, layout: &layout) } else { (line, row) = lowest }
        }
        revealColumn(position.column, layout: layout)
    }

    /// Centres a row on the screen, or places it lower if the text ends before the screen does.
    private mutating func center(
        _ target: (line: LineNumber, row: Int), in buffer: TextBuffer, layout: inout TextLayout
    ) {
        let bottom = layout.step(from: target, by: rows - 1 - rows / 2, in: buffer)
        (line, row) = layout.step(from: bottom, by: 1 - rows, in: buffer)
    }

    /// The number of rows between the screen's top and a row; nil if it is not on the screen.
    private func rowsAbove(
        _ target: (line: LineNumber, row: Int), in buffer: TextBuffer, layout: inout TextLayout
    ) -> Int? {
        guard target >= (line, row) else { return nil }
        var height = target.row - row
        var above = line
        while above < target.line, height < rows {
            height += layout.rowCount(of: above, in: buffer)
            above = layout.folds.line(after: above)
        }
        return height < rows ? height : nil
    }

    private mutating func revealColumn(_ column: CellColumn, layout: TextLayout) {
        guard !layout.configuration.wraps else { return leftColumn = 0 }
        let columns = layout.configuration.columns
        // Scroll by a quarter of the screen, so that typing at the edge does not scroll with every key.
        if column < leftColumn {
            leftColumn = max(0, column - columns / 4)
        } else if column - leftColumn >= columns {
            leftColumn = column - columns + columns / 4 + 1
        }
    }

    /// Updates the viewport for an edit, so that the shown text does not move; `buffer` is the text after it.
    ///
    /// - Parameter change: the lines that the edit changed, if they are known.
    public mutating func update(_ edit: Edit, in buffer: TextBuffer, changing change: LineChange? = nil) {
        guard edit.replacements.count == 1, let change = change ?? edit.lineChange(in: buffer) else {
            return followPositions(of: edit, in: buffer)
        }
        if change.oldLines.upperBound <= line.rawValue {
            line += change.growth
        } else if change.oldLines.lowerBound < line.rawValue {
            line = LineNumber(min(line.rawValue, max(change.newLines.upperBound - 1, 0)))
            row = 0
        }
    }

    /// Updates the viewport for an edit of several replacements: those above the top row move it, those below do not.
    private mutating func followPositions(of edit: Edit, in buffer: TextBuffer) {
        guard !edit.isEmpty else { return }
        let map = LineMap(edit, in: buffer)
        if let kept = map.line(for: line.rawValue) {
            line = LineNumber(kept)
        } else {
            line = LineNumber(map.nearestLine(for: line.rawValue))
            row = 0
        }
    }

    /// Changes the layout (its width, its wrapping) and keeps the text at the top of the screen there.
    public mutating func configure(
        _ configuration: LayoutConfiguration, in buffer: TextBuffer, layout: inout TextLayout
    ) {
        clamp(in: buffer, layout: &layout)
        let top = buffer.lineStart(line) + layout.row(row, of: line, in: buffer).range.lowerBound
        layout.configure(configuration)
        let position = layout.location(of: top, in: buffer)
        (line, row) = (position.line, position.row)
        if configuration.wraps { leftColumn = 0 }
    }

    private mutating func clamp(in buffer: TextBuffer, layout: inout TextLayout) {
        line = layout.folds.visibleLine(at: min(line, LineNumber(buffer.lineCount - 1)))
        row = min(row, layout.rowCount(of: line, in: buffer) - 1)
    }
}

extension TextLayout {
    /// The row that is `count` rows below (above if negative), or the last (first) one of the text.
    ///
    /// `position` must be on a visible line. O(visible lines between).
    public mutating func step(
        from position: (line: LineNumber, row: Int), by count: Int, in buffer: TextBuffer
    ) -> (line: LineNumber, row: Int) {
        var (line, row) = position
        row += count
        while row < 0 {
            guard line > 0 else { return (0, 0) }
            line = folds.line(before: line)
            row += rowCount(of: line, in: buffer)
        }
        while true {
            let rows = rowCount(of: line, in: buffer)
            if row < rows { return (line, row) }
            let next = folds.line(after: line)
            guard next.rawValue < buffer.lineCount else { return (line, rows - 1) }
            row -= rows
            line = next
        }
    }
}
