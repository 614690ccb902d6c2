/// Text that moved sideways, for example because a character was typed in the middle of a line: ICH and DCH.
extension Renderer {
    /// The greatest shift that is tried: a typed character or a tab.
    private static let maximumShift = 4
    /// The approximate cost of the sequence and of the motion to it, in written cells.
    private static let shiftCost = 8

    /// Makes the terminal shift the rest of the row if the text moved that way, and updates `shown`.
    ///
    /// - Returns: whether it did.
    mutating func shiftRow(_ row: Int, _ new: Row, _ span: Range<Int>, _ output: inout [UInt8]) -> Bool {
        guard optimizations.contains(.shift), capabilities.canShift, span.count > Renderer.shiftCost else {
            return false
        }
        let start = row * size.columns
        let first = span.lowerBound
        for count in 1...Renderer.maximumShift where count < size.columns - first {
            if isSame(new + count, at: start, first..<size.columns - count), isSimple(start, new, from: first) {
                insert(count, row, first, new, &output)
                return true
            }
            if isShifted(left: count, start, new, from: first), isSimple(start, new, from: first) {
                delete(count, row, first, new, &output)
                return true
            }
        }
        return false
    }

    /// Whether `columns` as shown equal the cells from `new` on.
    private func isSame(_ new: Row, at start: Int, _ columns: Range<Int>) -> Bool {
        columns.allSatisfy { shown[start + $0] == new[$0] }
    }

    private func isShifted(left count: Int, _ start: Int, _ new: Row, from first: Int) -> Bool {
        (first..<size.columns - count).allSatisfy { shown[start + $0 + count] == new[$0] }
    }

    /// Whether no glyph from `first` on is wide or doubtful: a wide one must not be cut, and a doubtful one's width is
    /// not certain.
    private func isSimple(_ start: Int, _ new: Row, from first: Int) -> Bool {
        (first..<size.columns).allSatisfy {
            let old = shown[start + $0]
            return old.columns == 1 && !old.isDoubtful && new[$0].columns == 1 && !new[$0].isDoubtful
        }
    }

    private mutating func insert(_ count: Int, _ row: Int, _ first: Int, _ new: Row, _ output: inout [UInt8]) {
        move(toColumn: first, row: row, reprinting: new, &output)
        output.appendControl(count, "@")
        let start = row * size.columns
        for column in (first + count..<size.columns).reversed() {
            shown[start + column] = shown[start + column - count]
        }
        // The inserted cells are blank now, with a background that depends on the terminal, and are written next.
        for column in first..<first + count { shown[start + column] = .unknown }
    }

    private mutating func delete(_ count: Int, _ row: Int, _ first: Int, _ new: Row, _ output: inout [UInt8]) {
        move(toColumn: first, row: row, reprinting: new, &output)
        if pen?.isPlainBlank != true || pen?.background != .default { setStyle(.default, &output) }
        output.appendControl(count, "P")
        let start = row * size.columns
        for column in first..<size.columns - count { shown[start + column] = shown[start + column + count] }
        for column in size.columns - count..<size.columns { shown[start + column] = .blank(.default) }
    }
}
