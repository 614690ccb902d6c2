/// How far a text is scrolled by pages, and where a caret is in sight.
extension Viewport {
    /// The number of rows of a page; on a screen of more than three rows pages overlap by two.
    public var pageRows: Int { rows > 3 ? rows - 2 : rows }

    /// The number of rows that are kept between the caret and the edges of the screen.
    public var margin: Int { min(scrollMargin, (rows - 1) / 2) }

    /// Scrolls by rows, down if positive, while a caret on the last line keeps its margin to the top.
    public mutating func scroll(
        by count: Int, lastLine: LineNumber, in buffer: TextBuffer, layout: inout TextLayout
    ) {
        scroll(by: 0, in: buffer, layout: &layout)
        let start = (line, row)
        scroll(by: count, in: buffer, layout: &layout)
        let lowest = layout.step(from: lastRow(of: lastLine, in: buffer, layout: &layout), by: -margin, in: buffer)
        // A text that was scrolled further already stays there.
        if count > 0, (line, row) > lowest { (line, row) = start > lowest ? start : lowest }
    }

    /// Returns how many rows the text can be scrolled down until its last row is where `reveal` shows it; at most
    /// `limit`, and 0 if the last row is in sight.
    public func rowsBelow(
        atMost limit: Int, lastLine: LineNumber, in buffer: TextBuffer, layout: inout TextLayout
    ) -> Int {
        let last = lastRow(of: lastLine, in: buffer, layout: &layout)
        var top = (line: line, row: row)
        guard layout.step(from: top, by: rows - 1, in: buffer) < last else { return 0 }
        let lowest = layout.step(from: last, by: margin + 1 - rows, in: buffer)
        var count = 0
        while count < limit, top < lowest {
            top = layout.step(from: top, by: 1, in: buffer)
            count += 1
        }
        return count
    }

    /// Returns the row nearest to another that is in sight with the usual margin.
    public func rowInSight(
        nearest place: (line: LineNumber, row: Int), lastLine: LineNumber, in buffer: TextBuffer,
        layout: inout TextLayout
    ) -> (line: LineNumber, row: Int) {
        let top = (line: line, row: row)
        // Above the start of the text there is nothing that a margin could show.
        let highest = top == (0, 0) ? top : layout.step(from: top, by: margin, in: buffer)
        let last = lastRow(of: lastLine, in: buffer, layout: &layout)
        // Nor is there below its end.
        let isEndInSight = layout.step(from: top, by: rows - 1, in: buffer) >= last
        let lowest = isEndInSight ? last : layout.step(from: top, by: rows - 1 - margin, in: buffer)
        let next = place < highest ? highest : place > lowest ? lowest : place
        return next > last ? last : next
    }

    /// Returns the last row of the last line, or of the line that it is folded under.
    private func lastRow(
        of lastLine: LineNumber, in buffer: TextBuffer, layout: inout TextLayout
    ) -> (line: LineNumber, row: Int) {
        let line = layout.folds.visibleLine(at: lastLine)
        return (line, layout.rowCount(of: line, in: buffer) - 1)
    }
}
