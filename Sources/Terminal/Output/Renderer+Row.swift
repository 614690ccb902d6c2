/// Drawing of one row: finding the cells that differ and writing them.
extension Renderer {
    mutating func renderRow(_ row: Int, of screen: Screen, _ output: inout [UInt8]) {
        let start = row * size.columns
        let columns = size.columns
        screen.cells.withUnsafeBufferPointer { wanted in
            guard columns > 0, let base = wanted.baseAddress else { return }
            let new = base + start
            guard var span = changedSpan(start, new) else { return }
            if shiftRow(row, new, span, &output) {
                span = changedSpan(start, new) ?? span.lowerBound..<span.lowerBound
            }
            write(row, new, span, &output)
            for column in span {
                shown[start + column] = new[column]
            }
        }
    }

    /// The range from the first to the last column that differs; nil if none does.
    private func changedSpan(_ start: Int, _ new: Row) -> Range<Int>? {
        shown.withUnsafeBufferPointer { shown in
            shown.baseAddress.flatMap { Cell.difference($0 + start, new, columns: size.columns) }
        }
    }

    private mutating func write(_ row: Int, _ new: Row, _ span: Range<Int>, _ output: inout [UInt8]) {
        var end = span.upperBound
        let blank = optimizations.contains(.eraseLine) ? blankTail(new, span) : nil
        if let blank { end = blank }
        let start = row * size.columns
        var column = span.lowerBound
        // All cells before this column are written, changed or not, because a glyph before them may have covered them.
        var forcedEnd = 0
        while column < end {
            if column >= forcedEnd, looksAlike(shown[start + column], new[column]) {
                column += 1
                continue
            }
            if new[column].columns == 0, column > 0 { column -= 1 }
            move(toColumn: column, row: row, reprinting: new, &output)
            let cell = new[column]
            if cell.isDoubtful {
                forcedEnd = max(forcedEnd, writeDoubtful(cell, &output))
                end = max(end, min(forcedEnd, blank ?? size.columns))
                if column + cell.columns == size.columns { writeAgain(before: column, new, &output) }
            } else {
                writeRun(of: cell, new, column, end, &output)
            }
            column = nextColumn(after: column, cell)
        }
        if let blank {
            move(toColumn: blank, row: row, reprinting: nil, &output)
            setStyle(new[blank].style.blank, forBlank: true, &output)
            output += ControlBytes.eraseToEnd
        }
    }

    /// The column after the run that was just written: the cursor's column, unless the cell was doubtful.
    private func nextColumn(after column: Int, _ cell: Cell) -> Int {
        if cell.isDoubtful { return column + cell.columns }
        return erasedEnd ?? self.column ?? column + cell.columns
    }

    /// The column from which to erase the row, if that takes fewer bytes than writing the blanks.
    private func blankTail(_ new: Row, _ span: Range<Int>) -> Int? {
        let last = new[size.columns - 1]
        guard isErasable(last) else { return nil }
        var start = size.columns
        while start > span.lowerBound, looksAlike(new[start - 1], last) { start -= 1 }
        // Erasing takes three bytes for EL, and usually a style change.
        return span.upperBound - start > 4 ? start : nil
    }

    /// Whether an erased cell looks like this one.
    func isErasable(_ cell: Cell) -> Bool {
        guard cell.glyph == .space else { return false }
        let style = cell.style
        return style.isPlainBlank && style.background == .default
    }

    /// Whether two cells are equal, or are blanks that differ only in attributes that a blank does not show.
    func looksAlike(_ left: Cell, _ right: Cell) -> Bool {
        if left == right { return true }
        guard left.glyph == .space, right.glyph == .space else { return false }
        let (one, other) = (left.style, right.style)
        return one.isPlainBlank && other.isPlainBlank && one.background == other.background
    }

    // MARK: - Cells

    /// Writes the cell at `column`, and the equal cells after it if one sequence can produce them all.
    private mutating func writeRun(of cell: Cell, _ new: Row, _ column: Int, _ end: Int, _ output: inout [UInt8]) {
        erasedEnd = nil
        var count = 1
        if cell.columns == 1, cell.glyph.packed < 0x80 {
            while column + count < end, new[column + count] == cell { count += 1 }
        }
        let repeating = optimizations.contains(.repeatCharacters) && capabilities.canRepeat
        let repeatCost = repeating && count > 1 ? 4 + ControlBytes.digits(count - 1) : .max
        // The bytes of the sequence and of the motion over the cells that it erases.
        let eraseCost = 6 + 2 * ControlBytes.digits(count)
        setStyle(cell.style, forBlank: cell.glyph == .space, &output)
        if eraseCost < min(count, repeatCost), optimizations.contains(.eraseCharacters),
            capabilities.canEraseCharacters, isErasable(cell)
        {
            setStyle(cell.style.blank, forBlank: true, &output)
            output.appendControl(count, "X")
            erasedEnd = column + count
            return
        }
        if column + cell.columns == size.columns, !cell.glyph.isSingleScalar {
            appendAtEdge(cell.glyph, &output)
        } else {
            cell.glyph.append(to: &output)
        }
        if repeatCost < count {
            output.appendControl(count - 1, "b")
        } else {
            for _ in 1..<count { cell.glyph.append(to: &output) }
        }
        self.column = column + (cell.columns == 2 ? 2 : count)
    }

    /// Rewrites the cell before a doubtful one in the last column: the terminal may have put the doubtful one's marks
    /// on it.
    private mutating func writeAgain(before column: Int, _ new: Row, _ output: inout [UInt8]) {
        guard column > 0, let row else { return }
        let previous = new[column - 1].columns == 0 ? column - 2 : column - 1
        move(toColumn: previous, row: row, reprinting: nil, &output)
        if new[previous].isDoubtful {
            _ = writeDoubtful(new[previous], &output)
        } else {
            writeRun(of: new[previous], new, previous, column, &output)
        }
    }

    /// Writes a cluster of several scalars in the last column with automatic wrap on.
    ///
    /// With automatic wrap off, tmux 3.3 leaves its cursor there and puts the marks on the letter before.
    private func appendAtEdge(_ glyph: Glyph, _ output: inout [UInt8]) {
        output += ControlBytes.wrapOn
        glyph.append(to: &output)
        output += ControlBytes.wrapOff
    }

    /// Writes a glyph that the terminal may draw wider or narrower than computed: first blanks, then the glyph.
    ///
    /// Afterwards the cursor position is not known.
    ///
    /// - Returns: The column up to which the row must be written again, because the glyph may have covered cells up to
    ///   there.
    private mutating func writeDoubtful(_ cell: Cell, _ output: inout [UInt8]) -> Int {
        guard let start = column, let row else { return 0 }
        erasedEnd = nil
        setStyle(cell.style, &output)
        if cell.columns == 2 {
            output += [0x20, 0x20]
            column = start + 2
            if column == size.columns { column = nil }
            move(toColumn: start, row: row, reprinting: nil, &output)
        }
        let widest = Array(cell.text.unicodeScalars).reduce(0) { $0 + ($1.isMark ? 0 : $1.baseColumns(.unicode)) }
        if start + cell.columns == size.columns, widest <= cell.columns {
            appendAtEdge(cell.glyph, &output)
        } else {
            cell.glyph.append(to: &output)
        }
        column = nil
        return widest > cell.columns ? start + max(widest, 2) : start + 2
    }
}

extension Style {
    /// Whether a blank shows only the background of the style.
    var isPlainBlank: Bool {
        attributes.isDisjoint(with: [.reverse, .strikethrough, .blink]) && underline == .none && link == .none
    }

    /// The style of erased cells: the background alone.
    var blank: Style { Style(background: background) }

    var unlinked: Style {
        var style = self
        style.link = .none
        return style
    }
}
