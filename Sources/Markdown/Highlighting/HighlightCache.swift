/// The most recently requested highlights: of whole paragraphs, and of other lines one by one.
struct HighlightCache: Sendable {
    struct Entry: Sendable {
        var first: Int
        var lines: [LineHighlight]
        /// Whether the highlight depends only on the lines' own text and the state before them.
        ///
        /// This is so for most blank lines: typing between two of them must not cause both to be highlighted again.
        var ignoresNeighbours = false
    }

    /// The most entries: more than the lines of a screen, yet few enough that a search is faster than reading a line.
    private static let capacity = 128

    /// The highlight of a line, and the number that identifies it and the line's text.
    private struct Line {
        let highlight: LineHighlight
        let stamp: Int
    }

    /// Consecutive lines that were removed from the cache because of an edit next to them, which did not change them.
    private struct Unedited {
        let first: Int
        let lines: ArraySlice<Line>
    }

    /// The lines of each entry, stored apart from the highlights so that a search touches little memory.
    private var ranges: ContiguousArray<Range<Int>> = []
    private var lines: ContiguousArray<[Line]> = []
    /// For each entry, whether it ignores its neighbours.
    private var ignoring: ContiguousArray<Bool> = []
    /// The lines that the last edit removed.
    ///
    /// Those that look the same afterwards keep their stamps, so that the other lines of a paragraph need not be drawn
    /// again for each letter that is typed.
    private var unedited: [Unedited] = []
    private var nextStamp = 0
    private var nextVictim = 0
    /// The entry found or inserted last.
    private var last = 0

    subscript(line: Int) -> LineHighlight? {
        mutating get {
            guard let index = entry(of: line) else { return nil }
            last = index
            return lines[index][line - ranges[index].lowerBound].highlight
        }
    }

    /// A number that identifies the text and the highlight of a line and that no others have had; nil for a line that is
    /// not cached.
    mutating func stamp(of line: Int) -> Int? {
        guard let index = entry(of: line) else { return nil }
        last = index
        return lines[index][line - ranges[index].lowerBound].stamp
    }

    private func entry(of line: Int) -> Int? {
        // Most requests are for consecutive lines.
        if last < ranges.count, ranges[last].contains(line) { return last }
        if last + 1 < ranges.count, ranges[last + 1].contains(line) { return last + 1 }
        return ranges.firstIndex { $0.contains(line) }
    }

    mutating func insert(_ entry: Entry) {
        let range = entry.first..<entry.first + entry.lines.count
        let stamped = zip(range, entry.lines).map { number, highlight in
            Line(highlight: highlight, stamp: keptStamp(of: number, highlight) ?? makeStamp())
        }
        if ranges.count < Self.capacity {
            last = ranges.count
            ranges.append(range)
            lines.append(stamped)
            ignoring.append(entry.ignoresNeighbours)
        } else {
            last = nextVictim
            ranges[last] = range
            lines[last] = stamped
            ignoring[last] = entry.ignoresNeighbours
            nextVictim = (nextVictim + 1) % Self.capacity
        }
    }

    /// The stamp that a line had before the last edit, if neither its text nor its highlight have changed.
    private func keptStamp(of number: Int, _ highlight: LineHighlight) -> Int? {
        for part in unedited {
            let offset = number - part.first
            guard part.lines.indices.contains(part.lines.startIndex + offset) else { continue }
            let line = part.lines[part.lines.startIndex + offset]
            return line.highlight == highlight ? line.stamp : nil
        }
        return nil
    }

    private mutating func makeStamp() -> Int {
        nextStamp += 1
        return nextStamp
    }

    /// Removes the entries of edited lines, and of neighbours that depend on them, and moves the entries below.
    mutating func replace(_ edited: Range<Int>, withCount newCount: Int) {
        let delta = newCount - edited.count
        unedited.removeAll(keepingCapacity: true)
        for index in ranges.indices.reversed() {
            let (range, reach) = (ranges[index], ignoring[index] ? 0 : 1)
            guard range.upperBound + reach > edited.lowerBound, range.lowerBound < edited.upperBound + reach else {
                continue
            }
            let above = lines[index].prefix(max(0, edited.lowerBound - range.lowerBound))
            let below = lines[index].suffix(max(0, range.upperBound - edited.upperBound))
            if !above.isEmpty { unedited.append(Unedited(first: range.lowerBound, lines: above)) }
            if !below.isEmpty { unedited.append(Unedited(first: range.upperBound - below.count + delta, lines: below)) }
            removeEntry(index)
        }
        guard delta != 0 else { return }
        for index in ranges.indices where ranges[index].lowerBound >= edited.upperBound {
            ranges[index] = ranges[index].lowerBound + delta..<ranges[index].upperBound + delta
        }
    }

    /// Removes the entries that touch `line` or its neighbours; returns whether there were any.
    @discardableResult
    mutating func remove(_ line: Int) -> Bool {
        let count = ranges.count
        for index in ranges.indices.reversed()
        where ranges[index].lowerBound <= line + 1 && line <= ranges[index].upperBound {
            removeEntry(index)
        }
        return ranges.count < count
    }

    /// Removes an entry; the last one takes its place.
    private mutating func removeEntry(_ index: Int) {
        ranges.swapAt(index, ranges.count - 1)
        lines.swapAt(index, lines.count - 1)
        ignoring.swapAt(index, ignoring.count - 1)
        ranges.removeLast()
        lines.removeLast()
        ignoring.removeLast()
        nextVictim = 0
    }

    /// Traps if the entries are inconsistent; for tests.
    func checkInvariants(lineCount: Int) {
        precondition(ranges.count == lines.count && ranges.count == ignoring.count, "parts of entries are missing")
        precondition(ranges.count <= Self.capacity && nextVictim < Self.capacity, "there are too many entries")
        for index in ranges.indices {
            precondition(ranges[index].count == lines[index].count, "an entry has not as many highlights as lines")
            precondition(ranges[index].upperBound <= lineCount, "an entry exceeds the text")
        }
        var owners: [Int: Int] = [:]
        for (range, lines) in zip(ranges, lines) {
            for (number, line) in zip(range, lines) {
                precondition(line.stamp <= nextStamp, "a stamp will be given again")
                let owner = owners.updateValue(number, forKey: line.stamp)
                precondition(owner ?? number == number, "two lines have a stamp")
            }
        }
    }

    mutating func removeAll() {
        ranges.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        ignoring.removeAll(keepingCapacity: true)
        unedited.removeAll(keepingCapacity: true)
        nextVictim = 0
    }
}
