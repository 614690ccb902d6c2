/// Writing text into cells.
extension TerminalScreen {
    mutating func put(_ scalar: Unicode.Scalar) {
        if scalar.value >= 0x300, joins(scalar) { return }
        let text = String(Character(scalar))
        let width = personality.drawsClusters ? Self.width(of: text) : Self.width(ofScalar: scalar)
        guard width > 0 else { return }
        if wraps, wrapsNext || column + width > columns {
            column = 0
            lineFeed()
        } else if column + width > columns {
            column = max(0, columns - width)
        }
        blank(column)
        var cell = pen
        if width == 2, column + 1 < columns {
            blank(column + 1)
            cell.text = ""
            cells[row][column + 1] = cell
        }
        cell.text = text
        cells[row][column] = cell
        lastPrinted = (column, row)
        advance(width)
    }

    /// Adds a scalar to the cluster before the cursor if it extends it; Swift's rules decide where clusters are drawn.
    private mutating func joins(_ scalar: Unicode.Scalar) -> Bool {
        guard let (index, row) = clusterBefore else { return false }
        let longer = cells[row][index].text + String(Character(scalar))
        guard personality.drawsClusters ? longer.count == 1 : Self.width(ofScalar: scalar) == 0 else { return false }
        cells[row][index].text = longer
        let isWide = personality.drawsClusters && Self.width(of: longer) == 2
        if isWide, index + 1 == column, column < columns {
            // A wide character that loses its left half here disappears completely.
            if column + 1 < columns, cells[row][column + 1].isRightHalf { cells[row][column + 1].text = " " }
            var half = cells[row][index]
            half.text = ""
            cells[row][column] = half
            advance(1)
        }
        return true
    }

    private mutating func advance(_ width: Int) {
        wrapsNext = wraps && column + width >= columns
        column = min(columns - 1, column + width)
    }

    /// The cell that a mark joins: of the cluster printed last, or else, as in tmux, of the one before the cursor.
    private var clusterBefore: (column: Int, row: Int)? {
        if personality.drawsClusters, let lastPrinted { return lastPrinted }
        var index = wrapsNext ? column : column - 1
        while index > 0, cells[row][index].isRightHalf { index -= 1 }
        return index >= 0 ? (index, row) : nil
    }

    /// Prints the character before the cursor again, `count` times.
    mutating func repeatLast(_ count: Int) {
        guard let (column, row) = clusterBefore, let scalar = cells[row][column].text.unicodeScalars.first else {
            return
        }
        for _ in 0..<count { put(scalar) }
    }

    /// A cell after erasing: a blank on the pen's background.
    var erased: TerminalCell {
        var style = TerminalStyle()
        style.background = pen.style.background
        return TerminalCell(style: style)
    }

    /// Erases a cell, and the other half of a wide character.
    mutating func blank(_ index: Int) {
        if cells[row][index].isRightHalf, index > 0 { cells[row][index - 1].text = " " }
        if index + 1 < columns, cells[row][index + 1].isRightHalf { cells[row][index + 1].text = " " }
        cells[row][index] = erased
    }

    mutating func moveTo(column: Int, row: Int? = nil) {
        (self.column, self.row) = (column, row ?? self.row)
        (wrapsNext, lastPrinted) = (false, nil)
    }

    mutating func lineFeed() {
        (wrapsNext, lastPrinted) = (false, nil)
        if personality.returnsAtLineFeed { column = 0 }
        if row == region.upperBound { scroll(up: 1) } else { row = min(rows - 1, row + 1) }
    }

    // MARK: Widths

    /// Returns the width of a cluster in cells, by a simple rule from Unicode's properties.
    public static func width(of cluster: String) -> Int {
        let scalars = cluster.unicodeScalars
        guard let first = scalars.first else { return 0 }
        if (0xFE00...0xFE0F).contains(first.value) { return 0 }
        if scalars.contains("\u{FE0F}") { return 2 }
        if scalars.contains("\u{FE0E}") { return 1 }
        if scalars.count > 1, isRegionalIndicator(first), scalars.dropFirst().first.map(isRegionalIndicator) == true {
            return 2
        }
        return width(ofScalar: first)
    }

    /// Returns the width of a scalar in cells, as `wcwidth` has it.
    static func width(ofScalar scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII || isRegionalIndicator(scalar) { return 1 }
        if (0x1160...0x11FF).contains(scalar.value) { return 0 }
        let properties = scalar.properties
        if properties.isEmojiPresentation { return 2 }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            return 2
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }

    private static func isRegionalIndicator(_ scalar: Unicode.Scalar) -> Bool {
        (0x1F1E6...0x1F1FF).contains(scalar.value)
    }

    // MARK: Scrolling

    mutating func scroll(up count: Int) {
        for _ in 0..<min(count, region.count) {
            for row in region { copyRow(row < region.upperBound ? row + 1 : nil, to: row) }
        }
    }

    mutating func scroll(down count: Int) {
        for _ in 0..<min(count, region.count) {
            for row in region.reversed() { copyRow(row > region.lowerBound ? row - 1 : nil, to: row) }
        }
    }

    /// Replaces a row between the margins by another row or blanks; a glyph that a margin cuts is a fault.
    private mutating func copyRow(_ source: Int?, to row: Int) {
        let new = source.map { cells[$0] } ?? Array(repeating: erased, count: columns)
        if isCut(cells[row]) || isCut(new) { unknown.append("a glyph cut by a margin") }
        cells[row].replaceSubrange(sides, with: new[sides])
    }

    /// Whether a wide glyph crosses a margin.
    private func isCut(_ row: [TerminalCell]) -> Bool {
        [sides.lowerBound, sides.upperBound + 1].contains { $0 > 0 && $0 < columns && row[$0].isRightHalf }
    }
}
