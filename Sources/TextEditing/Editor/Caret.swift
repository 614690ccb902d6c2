/// One of several carets: its selection, and the column that its vertical motions aim for.
struct Caret: Hashable, Sendable {
    var selection: Selection
    var goalColumn: CellColumn?
}

extension [Caret] {
    /// The carets in ascending order, with those that overlap or meet joined; `chosen` is the index of one of them,
    /// before and after.
    ///
    /// Two selections that touch stay two; a caret without a selection is joined with a selection or caret that it
    /// touches.
    func merged(choosing chosen: Int) -> (carets: [Caret], chosen: Int) {
        let order = indices.sorted {
            (self[$0].selection.range.lowerBound, self[$0].selection.range.upperBound)
                < (self[$1].selection.range.lowerBound, self[$1].selection.range.upperBound)
        }
        var result: [Caret] = []
        result.reserveCapacity(count)
        var index = 0
        for next in order {
            let caret = self[next]
            let range = caret.selection.range
            guard let last = result.last, last.selection.touches(caret.selection) else {
                result.append(caret)
                if next == chosen { index = result.count - 1 }
                continue
            }
            let whole = last.selection.range.lowerBound..<Swift.max(last.selection.range.upperBound, range.upperBound)
            // The caret of the chosen selection stays at the end of the joined selection at which it was.
            let isReversed = next == chosen ? caret.selection.isReversed : last.selection.isReversed
            result[result.count - 1] = Caret(
                selection: isReversed
                    ? Selection(anchor: whole.upperBound, head: whole.lowerBound) : Selection(whole),
                goalColumn: last.goalColumn)
            if next == chosen { index = result.count - 1 }
        }
        return (result, index)
    }
}

extension Selection {
    /// Whether a selection that begins at or after this one overlaps it, or touches it while one of them is a mere
    /// caret.
    fileprivate func touches(_ next: Selection) -> Bool {
        let end = range.upperBound
        return next.range.lowerBound < end
            || next.range.lowerBound == end && (isEmpty || next.isEmpty)
    }
}
