/// Finds rows that moved up or down together.
///
/// Every row that changed looks for what it shows now among the rows as they were, in the columns that changed; the
/// distance that most text agrees on is tried. So one pane of several is found too, and whether moving whole rows of
/// the terminal pays is counted, what must be repaired beside the pane included.
struct ScrollFinder: Sendable {
    /// Text found at each distance, in cells; the middle is distance 0.
    private var votes: [Int] = []
    private var gains: [Int] = []

    /// Rows `first...last` whose content is to be moved up by `distance` (down when negative), and what that saves.
    struct Shift {
        var first: Int
        var last: Int
        var distance: Int
    }

    /// `CSI top;bottom r`, `CSI n S`, `CSI r` and an absolute motion, about.
    private static let cost = 24

    mutating func find(_ old: [Cell], _ new: [Cell], changed: [Bool], size: Size, _ looksAlike: (Cell, Cell) -> Bool)
        -> Shift?
    {
        return old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { new in
                let grids = Grids(old: old, new: new, size: size)
                let distance = likeliestDistance(grids, changed)
                return distance == 0 ? nil : bestShift(grids, distance, looksAlike)
            }
        }
    }

    private struct Grids {
        let old: UnsafeBufferPointer<Cell>
        let new: UnsafeBufferPointer<Cell>
        let size: Size

        func difference(_ row: Int, from oldRow: Int, _ looksAlike: (Cell, Cell) -> Bool) -> Int {
            var count = 0
            for column in 0..<size.columns
            where !looksAlike(old[oldRow * size.columns + column], new[row * size.columns + column]) {
                count += 1
            }
            return count
        }

        func difference(_ row: Int, fromBlank blank: Cell, _ looksAlike: (Cell, Cell) -> Bool) -> Int {
            (0..<size.columns).count { !looksAlike(blank, new[row * size.columns + $0]) }
        }
    }

    // MARK: - Which distance

    private mutating func likeliestDistance(_ grids: Grids, _ changed: [Bool]) -> Int {
        let reach = grids.size.rows / 2
        votes.removeAll(keepingCapacity: true)
        votes.append(contentsOf: repeatElement(0, count: 2 * reach + 1))
        for row in 0..<grids.size.rows where changed[row] {
            vote(row, reach, grids)
        }
        var best = reach
        for index in votes.indices where votes[index] > votes[best] { best = index }
        return votes[best] > ScrollFinder.cost ? best - reach : 0
    }

    private mutating func vote(_ row: Int, _ reach: Int, _ grids: Grids) {
        let columns = grids.size.columns
        let start = row * columns
        var first = 0
        while first < columns, grids.old[start + first] == grids.new[start + first] { first += 1 }
        var end = columns
        while end > first, grids.old[start + end - 1] == grids.new[start + end - 1] { end -= 1 }
        let text = (first..<end).count { grids.new[start + $0].glyph != .space }
        guard text > 0 else { return }
        for source in max(0, row - reach)..<min(grids.size.rows, row + reach + 1) where source != row {
            let other = source * columns
            if (first..<end).allSatisfy({ grids.old[other + $0] == grids.new[start + $0] }) {
                votes[source - row + reach] += text
            }
        }
    }

    // MARK: - Which rows

    /// The block of rows that gains most, and nil when it does not gain enough.
    private mutating func bestShift(_ grids: Grids, _ distance: Int, _ looksAlike: (Cell, Cell) -> Bool) -> Shift? {
        let rows = grids.size.rows
        gains.removeAll(keepingCapacity: true)
        for row in 0..<rows {
            let source = row + distance
            guard source >= 0, source < rows else {
                gains.append(-grids.size.columns)
                continue
            }
            gains.append(grids.difference(row, from: row, looksAlike) - grids.difference(row, from: source, looksAlike))
        }
        let (range, gain) = ScrollFinder.largestSum(gains)
        guard !range.isEmpty else { return nil }
        // The rows that scroll in are blank.
        let exposed =
            distance > 0
            ? range.upperBound..<range.upperBound + distance : range.lowerBound + distance..<range.lowerBound
        let repair = exposed.reduce(0) { sum, row in
            sum + grids.difference(row, fromBlank: .blank(.default), looksAlike)
                - grids.difference(row, from: row, looksAlike)
        }
        guard gain - repair > ScrollFinder.cost else { return nil }
        return Shift(
            first: min(range.lowerBound, exposed.lowerBound), last: max(range.upperBound, exposed.upperBound) - 1,
            distance: distance)
    }

    /// The neighbours whose sum is largest (Kadane's algorithm).
    private static func largestSum(_ values: [Int]) -> (Range<Int>, Int) {
        var best = (range: 0..<0, sum: 0)
        var (start, sum) = (0, 0)
        for (index, value) in values.enumerated() {
            if sum <= 0 { (start, sum) = (index, 0) }
            sum += value
            if sum > best.sum { best = (start..<index + 1, sum) }
        }
        return best
    }
}

extension Renderer {
    /// Moves rows by the terminal's own scrolling where that saves bytes.
    mutating func scrollRows(to screen: Screen, _ output: inout [UInt8]) {
        // While anything is not known, rows cannot be told by what they show.
        guard let corner = shown.first, corner != .unknown,
            let shift = scroller.find(shown, screen.cells, changed: isChanged, size: size, looksAlike)
        else { return }
        setStyle(.default, &output)
        let isWhole = shift.first == 0 && shift.last == size.rows - 1
        if !isWhole {
            output += [0x1B, 0x5B]
            output.append(decimal: shift.first + 1)
            output.append(0x3B)
            output.append(decimal: shift.last + 1)
            output.append(UInt8(ascii: "r"))
        }
        output.appendControl(abs(shift.distance), shift.distance > 0 ? "S" : "T")
        if !isWhole {
            output += ControlBytes.resetRegion
            (column, row) = (0, 0)
        }
        runs += 1
        moveShown(shift)
    }

    /// Does to what is shown what the terminal does.
    private mutating func moveShown(_ shift: ScrollFinder.Shift) {
        let rows = shift.first...shift.last
        let order = shift.distance > 0 ? Array(rows) : rows.reversed()
        for row in order {
            let source = row + shift.distance
            isChanged[row] = true
            for column in 0..<size.columns {
                shown[row * size.columns + column] =
                    rows.contains(source) ? shown[source * size.columns + column] : .blank(.default)
            }
        }
    }
}
