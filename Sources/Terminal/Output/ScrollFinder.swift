/// Finds rows that moved up or down together.
///
/// Each changed row is searched for among the old rows, in the columns that changed. The distance that most text moved
/// by is tried, so that a move within one of several panes is found too. The finder then computes whether scrolling
/// saves bytes, including the repairs: for whole rows, or with side margins for the pane's columns.
struct ScrollFinder: Sendable {
    /// The amount of text found at each distance, in cells; the middle entry is distance 0.
    private var votes: [Vote] = []
    private var gains: [Int] = []

    fileprivate struct Vote {
        var cells = 0
        /// The columns in which rows that moved by this distance have changed.
        var columns = 0..<0
    }

    /// A scroll: the content of rows `first...last` in `columns` moves up by `distance` (down if negative).
    struct Shift {
        var first: Int
        var last: Int
        var columns: Range<Int>
        var distance: Int
        /// The number of cells that need not be written, less the cost of the sequences.
        var gain: Int
    }

    /// The approximate number of bytes of `CSI top;bottom r`, `CSI n S`, `CSI r` and an absolute motion.
    private static let cost = 24
    /// The same number with `CSI ? 69 h`, `CSI left;right s` and `CSI ? 69 l`.
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

        /// The columns of a row from the first to the last that has changed; nil if none has.
        func difference(_ row: Int) -> Range<Int>? {
            guard let old = old.baseAddress, let new = new.baseAddress else { return nil }
            let start = row * size.columns
            return Cell.difference(old + start, new + start, columns: size.columns)
        }

        /// The number of columns in which a row differs visibly from an old one.
        func difference(_ row: Int, from oldRow: Int, _ columns: Range<Int>, _ looksAlike: (Cell, Cell) -> Bool) -> Int
        {
            guard let old = old.baseAddress, let new = new.baseAddress else { return 0 }
            let before = old + (oldRow * size.columns + columns.lowerBound)
            let after = new + (row * size.columns + columns.lowerBound)
            let differing = Cell.difference(before, after, columns: columns.count)
            return differing?.count { !looksAlike(before[$0], after[$0]) } ?? 0
        }

        func difference(
            _ row: Int, fromBlank blank: Cell, _ columns: Range<Int>, _ looksAlike: (Cell, Cell) -> Bool
        ) -> Int {
            columns.count { !looksAlike(blank, new[row * size.columns + $0]) }
        }

        /// Whether no glyph lies, or may lie, across the side edges of the moved cells.
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

    // MARK: - Distance

    /// The distance by which most text has moved, and the columns in which it has.
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

    /// Counts the text of a row's changed columns for each distance at which the old rows have the same.
    private mutating func vote(_ row: Int, _ maximumDistance: Int, _ grids: Grids) {
        guard let span = grids.difference(row) else { return }
        let columns = grids.size.columns
        let (old, new) = (grids.old, grids.new)
        let text = span.count { new[row * columns + $0].glyph != .space }
        guard text > 0 else { return }
        let sources = max(0, row - maximumDistance)..<min(grids.size.rows, row + maximumDistance + 1)
        for source in sources where source != row {
            if span.allSatisfy({ old[source * columns + $0] == new[row * columns + $0] }) {
                votes[source - row + maximumDistance].add(text, span)
            }
        }
    }

    // MARK: - Rows

    /// The block of rows whose move saves most; nil if it does not save enough.
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

    /// The consecutive values with the largest sum (Kadane's algorithm).
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
