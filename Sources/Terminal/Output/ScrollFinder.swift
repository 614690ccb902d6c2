/// Finds rows that moved up or down together.
///
/// Every row that changed looks for what it shows now among the rows as they were, in the columns that changed; the
/// distance that most text agrees on is tried. So one pane of several is found too, and whether moving whole rows of
/// the terminal pays, or, where it has side margins, the pane's part of them, is counted, what must be repaired included.
struct ScrollFinder: Sendable {
    /// Text found at each distance, in cells; the middle is distance 0.
    private var votes: [Vote] = []
    private var gains: [Int] = []

    fileprivate struct Vote {
        var cells = 0
        /// The columns in which rows that moved so have changed.
        var columns = 0..<0
    }

    /// Rows `first...last` whose content in `columns` is to be moved up by `distance` (down when negative).
    struct Shift {
        var first: Int
        var last: Int
        var columns: Range<Int>
        var distance: Int
        /// Cells that need not be written, less what the sequences cost.
        var gain: Int
    }

    /// `CSI top;bottom r`, `CSI n S`, `CSI r` and an absolute motion, about.
    private static let cost = 24
    /// And `CSI ? 69 h`, `CSI left;right s`, `CSI ? 69 l`.
    private static let costWithMargins = 44

    mutating func find(
        _ old: [Cell], _ new: [Cell], changed: [Bool], size: Size, hasSideMargins: Bool,
        _ looksAlike: (Cell, Cell) -> Bool
    ) -> Shift? {
        old.withUnsafeBufferPointer { old in
            new.withUnsafeBufferPointer { new in
                let grids = Grids(old: old, new: new, size: size)
                guard let (distance, span) = likeliestDistance(grids, changed) else { return nil }
                let whole = bestShift(grids, distance, 0..<size.columns, ScrollFinder.cost, looksAlike)
                guard hasSideMargins, span.count > 1, span.count < size.columns else { return whole }
                let part = bestShift(grids, distance, span, ScrollFinder.costWithMargins, looksAlike)
                guard let part, part.gain > whole?.gain ?? 0, grids.canCut(part) else { return whole }
                return part
            }
        }
    }

    private struct Grids {
        let old: UnsafeBufferPointer<Cell>
        let new: UnsafeBufferPointer<Cell>
        let size: Size

        func difference(_ row: Int, from oldRow: Int, _ columns: Range<Int>, _ looksAlike: (Cell, Cell) -> Bool) -> Int
        {
            var count = 0
            for column in columns
            where !looksAlike(old[oldRow * size.columns + column], new[row * size.columns + column]) {
                count += 1
            }
            return count
        }

        func difference(
            _ row: Int, fromBlank blank: Cell, _ columns: Range<Int>, _ looksAlike: (Cell, Cell) -> Bool
        ) -> Int {
            columns.count { !looksAlike(blank, new[row * size.columns + $0]) }
        }

        /// Whether no glyph lies across the sides of what is to be moved, or may.
        func canCut(_ shift: Shift) -> Bool {
            (shift.first...shift.last).allSatisfy { row in
                [shift.columns.lowerBound, shift.columns.upperBound].allSatisfy { side in
                    guard side > 0, side < size.columns else { return true }
                    let (left, right) = (old[row * size.columns + side - 1], old[row * size.columns + side])
                    return left.columns < 2 && !left.isDoubtful && right.columns > 0 && !right.isDoubtful
                }
            }
        }
    }

    // MARK: - Which distance

    /// The distance that most text has moved, and the columns it has moved in.
    private mutating func likeliestDistance(_ grids: Grids, _ changed: [Bool]) -> (Int, Range<Int>)? {
        let maximumDistance = grids.size.rows / 2
        votes.removeAll(keepingCapacity: true)
        votes.append(contentsOf: repeatElement(Vote(), count: 2 * maximumDistance + 1))
        for row in 0..<grids.size.rows where changed[row] {
            vote(row, maximumDistance, grids)
        }
        var best = maximumDistance
        for index in votes.indices where votes[index].cells > votes[best].cells { best = index }
        return votes[best].cells > ScrollFinder.cost ? (best - maximumDistance, votes[best].columns) : nil
    }

    private mutating func vote(_ row: Int, _ maximumDistance: Int, _ grids: Grids) {
        let columns = grids.size.columns
        let start = row * columns
        var first = 0
        while first < columns, grids.old[start + first] == grids.new[start + first] { first += 1 }
        var end = columns
        while end > first, grids.old[start + end - 1] == grids.new[start + end - 1] { end -= 1 }
        let text = (first..<end).count { grids.new[start + $0].glyph != .space }
        guard text > 0 else { return }
        let sources = max(0, row - maximumDistance)..<min(grids.size.rows, row + maximumDistance + 1)
        for source in sources where source != row {
            let other = source * columns
            if (first..<end).allSatisfy({ grids.old[other + $0] == grids.new[start + $0] }) {
                votes[source - row + maximumDistance].add(text, first..<end)
            }
        }
    }

    // MARK: - Which rows

    /// The block of rows that gains most, and nil when it does not gain enough.
    private mutating func bestShift(
        _ grids: Grids, _ distance: Int, _ columns: Range<Int>, _ cost: Int, _ looksAlike: (Cell, Cell) -> Bool
    ) -> Shift? {
        let rows = grids.size.rows
        gains.removeAll(keepingCapacity: true)
        for row in 0..<rows {
            let source = row + distance
            guard source >= 0, source < rows else {
                gains.append(-columns.count)
                continue
            }
            gains.append(
                grids.difference(row, from: row, columns, looksAlike)
                    - grids.difference(row, from: source, columns, looksAlike))
        }
        let (range, gain) = ScrollFinder.largestSum(gains)
        guard !range.isEmpty else { return nil }
        // The rows that scroll in are blank.
        let exposed =
            distance > 0
            ? range.upperBound..<range.upperBound + distance : range.lowerBound + distance..<range.lowerBound
        let repair = exposed.reduce(0) { sum, row in
            sum + grids.difference(row, fromBlank: .blank(.default), columns, looksAlike)
                - grids.difference(row, from: row, columns, looksAlike)
        }
        guard gain - repair > cost else { return nil }
        return Shift(
            first: min(range.lowerBound, exposed.lowerBound), last: max(range.upperBound, exposed.upperBound) - 1,
            columns: columns, distance: distance, gain: gain - repair - cost)
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

extension ScrollFinder.Vote {
    fileprivate mutating func add(_ cells: Int, _ span: Range<Int>) {
        columns =
            columns.isEmpty ? span : min(columns.lowerBound, span.lowerBound)..<max(columns.upperBound, span.upperBound)
        self.cells += cells
    }
}
