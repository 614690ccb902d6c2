/// Three sequences of tokens, divided into settled parts and parts that both sides changed.
struct MergeSides {
    enum Part {
        case settled([Substring])
        case contested(base: [Substring], ours: [Substring], theirs: [Substring])
    }

    let base: [Substring]
    let ours: [Substring]
    let theirs: [Substring]
    let ourChanges: [SequenceChange]
    let theirChanges: [SequenceChange]
    /// The tokens as numbers, equal for equal tokens of any of the three.
    let numbers: (base: [Int], ours: [Int], theirs: [Int])

    init(base: [Substring], ours: [Substring], theirs: [Substring]) {
        self.base = base
        self.ours = ours
        self.theirs = theirs
        var tokens = TokenNumbers()
        numbers = (tokens.numbers(of: base), tokens.numbers(of: ours), tokens.numbers(of: theirs))
        ourChanges = SequenceDiff.changes(from: numbers.base, to: numbers.ours)
        theirChanges = SequenceDiff.changes(from: numbers.base, to: numbers.theirs)
    }

    /// The parts in order.
    ///
    /// Overlapping changes of the two sides form one part; with `touching`, so do changes that only touch.
    func parts(touching: Bool) -> [Part] {
        var parts: [Part] = []
        var (i, j, position) = (0, 0, 0)
        while let start = [ourChanges[safe: i]?.old, theirChanges[safe: j]?.old].compactMap({ $0 }).min(by: isBefore) {
            parts.append(.settled(Array(base[position..<start.lowerBound])))
            let (firstOurs, firstTheirs) = (i, j)
            var range = start
            func isTogether(_ change: Range<Int>) -> Bool {
                change.lowerBound < range.upperBound || change == range
                    || (change.lowerBound == range.upperBound && (touching || isBlankEnd(range.lowerBound, change)))
            }
            while true {
                if let change = ourChanges[safe: i], isTogether(change.old) {
                    range = range.lowerBound..<max(range.upperBound, change.old.upperBound)
                    i += 1
                } else if let change = theirChanges[safe: j], isTogether(change.old) {
                    range = range.lowerBound..<max(range.upperBound, change.old.upperBound)
                    j += 1
                } else {
                    break
                }
            }
            parts.append(part(range, ourChanges[firstOurs..<i], theirChanges[firstTheirs..<j]))
            position = range.upperBound
        }
        parts.append(.settled(Array(base[position...])))
        return parts
    }

    /// Whether only the blank line after a final line feed is left from `start` on.
    ///
    /// If one side continues on that line and the other inserts lines before it, both have inserted at the end.
    private func isBlankEnd(_ start: Int, _ change: Range<Int>) -> Bool {
        change.upperBound == base.count && base[start...].allSatisfy(\.isEmpty)
    }

    private func isBefore(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
        (a.lowerBound, a.upperBound) < (b.lowerBound, b.upperBound)
    }

    private func part(
        _ range: Range<Int>, _ our: ArraySlice<SequenceChange>, _ their: ArraySlice<SequenceChange>
    ) -> Part {
        let ourText = MergeSides.changed(range, our, base, ours)
        let theirText = MergeSides.changed(range, their, base, theirs)
        if their.isEmpty || ourText.elementsEqual(theirText, by: { $0.utf8.elementsEqual($1.utf8) }) {
            return .settled(ourText)
        }
        if our.isEmpty { return .settled(theirText) }
        return .contested(base: Array(base[range]), ours: ourText, theirs: theirText)
    }

    /// A side's version of a range of the base.
    private static func changed(
        _ range: Range<Int>, _ changes: ArraySlice<SequenceChange>, _ base: [Substring], _ side: [Substring]
    ) -> [Substring] {
        var result: [Substring] = []
        var position = range.lowerBound
        for change in changes {
            result += base[position..<change.old.lowerBound] + side[change.new]
            position = change.old.upperBound
        }
        return result + base[position..<range.upperBound]
    }
}

extension Array {
    /// The element at `index`; nil past the end.
    fileprivate subscript(safe index: Int) -> Element? { index < count ? self[index] : nil }
}
