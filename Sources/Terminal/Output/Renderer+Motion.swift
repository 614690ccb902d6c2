/// Cursor motion in its cheapest form.
extension Renderer {
    /// The cells of the row to draw.
    ///
    /// Printing a few unchanged cells again may be the cheapest motion.
    typealias Row = UnsafePointer<Cell>

    mutating func move(toColumn target: Int, row targetRow: Int, reprinting cells: Row?, _ output: inout [UInt8]) {
        if column == target, row == targetRow { return }
        defer { (column, row) = (target, targetRow) }
        runs += 1
        let absolute = Renderer.cost(column: target, row: targetRow)
        guard optimizations.contains(.motion), let row else {
            appendPosition(target, targetRow, &output)
            return
        }
        // Start from the current column if it is known, or from the start of the row after a carriage return.
        let direct = column.flatMap { $0 < size.columns ? relativeCost($0, row, target, targetRow) : nil } ?? .max
        let returned = 1 + relativeCost(0, row, target, targetRow)
        if row == targetRow, let column, let cells,
            appendReprint(from: column, to: target, cells, below: min(absolute, direct, returned), &output)
        {
            runs -= 1
            return
        }
        if direct <= absolute, direct <= returned, let column {
            appendRelative(column, row, target, targetRow, &output)
        } else if returned < absolute {
            output.append(0x0D)
            appendRelative(0, row, target, targetRow, &output)
        } else {
            appendPosition(target, targetRow, &output)
        }
    }

    // MARK: - Absolute

    private static func cost(column: Int, row: Int) -> Int {
        if column == 0 { return row == 0 ? 3 : 3 + ControlBytes.digits(row + 1) }
        return 4 + ControlBytes.digits(row + 1) + ControlBytes.digits(column + 1)
    }

    private func appendPosition(_ column: Int, _ row: Int, _ output: inout [UInt8]) {
        output += [0x1B, 0x5B]
        if row > 0 || column > 0 { output.append(decimal: row + 1) }
        if column > 0 {
            output.append(0x3B)
            output.append(decimal: column + 1)
        }
        output.append(UInt8(ascii: "H"))
    }

    // MARK: - Relative

    private static func cost(count: Int) -> Int { count == 1 ? 3 : 3 + ControlBytes.digits(count) }

    private func relativeCost(_ column: Int, _ row: Int, _ target: Int, _ targetRow: Int) -> Int {
        verticalCost(targetRow - row, at: column) + horizontalCost(target - column)
    }

    private func verticalCost(_ rows: Int, at column: Int) -> Int {
        if rows == 0 { return 0 }
        let control = Renderer.cost(count: abs(rows))
        return canFeedLines(rows, at: column) ? min(rows, control) : control
    }

    /// Whether line feeds move the cursor down by so many rows and leave it in its column.
    private func canFeedLines(_ rows: Int, at column: Int) -> Bool {
        rows > 0 && (column == 0 || capabilities.lineFeedKeepsColumn)
    }

    private func horizontalCost(_ columns: Int) -> Int {
        if columns == 0 { return 0 }
        return columns > 0 ? Renderer.cost(count: columns) : min(-columns, Renderer.cost(count: -columns))
    }

    private func appendRelative(_ column: Int, _ row: Int, _ target: Int, _ targetRow: Int, _ output: inout [UInt8]) {
        let (rows, columns) = (targetRow - row, target - column)
        if canFeedLines(rows, at: column), rows <= Renderer.cost(count: rows) {
            for _ in 0..<rows { output.append(0x0A) }
        } else if rows != 0 {
            output.appendControl(abs(rows), rows > 0 ? "B" : "A")
        }
        if columns < 0, -columns <= Renderer.cost(count: -columns) {
            for _ in 0..<(-columns) { output.append(0x08) }
        } else if columns != 0 {
            output.appendControl(abs(columns), columns > 0 ? "C" : "D")
        }
    }

    // MARK: - Reprinting

    private func appendReprint(
        from column: Int, to target: Int, _ cells: Row, below limit: Int, _ output: inout [UInt8]
    ) -> Bool {
        guard target > column, target - column <= limit, let pen else { return false }
        var byteCount = 0
        for index in column..<target {
            let cell = cells[index]
            guard cell.columns == 1, !cell.isDoubtful, looks(cell, likeDrawnWith: pen) else { return false }
            byteCount += cell.glyph.byteCount
        }
        guard byteCount <= limit else { return false }
        for index in column..<target {
            cells[index].glyph.append(to: &output)
        }
        return true
    }

    private func looks(_ cell: Cell, likeDrawnWith pen: Style) -> Bool {
        let style = cell.style
        if style == pen { return true }
        return cell.glyph == .space && style.isPlainBlank && pen.isPlainBlank && style.background == pen.background
    }
}
