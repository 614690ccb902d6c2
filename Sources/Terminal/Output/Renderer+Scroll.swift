/// Scrolling of rows, or parts of them, by the terminal itself.
extension Renderer {
    /// Moves rows by the terminal's own scrolling where that saves bytes.
    mutating func scrollRows(to screen: Screen, _ output: inout [UInt8]) {
        // Rows cannot be compared while the terminal's content is not known.
        guard let corner = shown.first, corner != .unknown,
            let shift = scroller.find(
                shown, screen.cells, changed: isChanged, size: size,
                hasSideMargins: capabilities.hasSideMargins && optimizations.contains(.sideMargins), looksAlike)
        else { return }
        setStyle(.default, forBlank: true, &output)
        let isPart = shift.columns.count < size.columns
        let isWhole = !isPart && shift.first == 0 && shift.last == size.rows - 1
        if isPart { output += ControlBytes.sideMarginsOn }
        if !isWhole { appendRange(shift.first...shift.last, "r", &output) }
        if isPart { appendRange(shift.columns.lowerBound...shift.columns.upperBound - 1, "s", &output) }
        output.appendControl(abs(shift.distance), shift.distance > 0 ? "S" : "T")
        if isPart { output += ControlBytes.sideMarginsOff }
        if !isWhole {
            output += ControlBytes.resetRegion
            (column, row) = (0, 0)
        }
        runs += 1
        moveShown(shift)
    }

    /// Appends `CSI first ; last final`, counted from 1.
    private func appendRange(_ range: ClosedRange<Int>, _ final: Character, _ output: inout [UInt8]) {
        output += [0x1B, 0x5B]
        output.append(decimal: range.lowerBound + 1)
        output.append(0x3B)
        output.append(decimal: range.upperBound + 1)
        output.append(final.asciiValue ?? 0)
    }

    /// Applies the terminal's scrolling to `shown`.
    private mutating func moveShown(_ shift: ScrollFinder.Shift) {
        let rows = shift.first...shift.last
        let order = shift.distance > 0 ? Array(rows) : rows.reversed()
        for row in order {
            let source = row + shift.distance
            isChanged[row] = true
            for column in shift.columns {
                shown[row * size.columns + column] =
                    rows.contains(source) ? shown[source * size.columns + column] : .blank(.default)
            }
        }
    }
}
