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

    /// The lines of each entry, stored apart from the highlights so that a search touches little memory.
    private var ranges: ContiguousArray<Range<Int>> = []
    private var highlights: ContiguousArray<[LineHighlight]> = []
    /// For each entry, whether it ignores its neighbours.
    private var ignoring: ContiguousArray<Bool> = []
    /// The stamp of each entry's first line; its other lines have the stamps that follow.
    private var stamps: ContiguousArray<Int> = []
    private var nextStamp = 0
    private var nextVictim = 0
    /// The entry found or inserted last.
    private var last = 0

    subscript(line: Int) -> LineHighlight? {
        mutating get {
            guard let index = entry(of: line) else { return nil }
            last = index
            return highlights[index][line - ranges[index].lowerBound]
        }
    }

    /// A number that identifies the highlight of a line and that no other highlight has had; nil for a line that is not
    /// cached.
    func stamp(of line: Int) -> Int? {
        entry(of: line).map { stamps[$0] + line - ranges[$0].lowerBound }
    }

    private func entry(of line: Int) -> Int? {
        // Most requests are for consecutive lines.
        if last < ranges.count, ranges[last].contains(line) { return last }
        if last + 1 < ranges.count, ranges[last + 1].contains(line) { return last + 1 }
        return ranges.firstIndex { $0.contains(line) }
    }

    mutating func insert(_ entry: Entry) {
        let range = entry.first..<entry.first + entry.lines.count
        if ranges.count < Self.capacity {
            last = ranges.count
            ranges.append(range)
            highlights.append(entry.lines)
            ignoring.append(entry.ignoresNeighbours)
            stamps.append(nextStamp)
        } else {
            last = nextVictim
            ranges[last] = range
            highlights[last] = entry.lines
            ignoring[last] = entry.ignoresNeighbours
            stamps[last] = nextStamp
            nextVictim = (nextVictim + 1) % Self.capacity
        }
        nextStamp += entry.lines.count
    }

    /// Removes the entries of edited lines, and of neighbours that depend on them, and moves the entries below.
    mutating func replace(_ edited: Range<Int>, withCount newCount: Int) {
        _ = remove { lines, ignoresNeighbours in
            let reach = ignoresNeighbours ? 0 : 1
            return lines.upperBound + reach > edited.lowerBound && lines.lowerBound < edited.upperBound + reach
        }
        let delta = newCount - edited.count
        guard delta != 0 else { return }
        for index in ranges.indices where ranges[index].lowerBound >= edited.upperBound {
            ranges[index] = ranges[index].lowerBound + delta..<ranges[index].upperBound + delta
        }
    }

    /// Removes the entries that touch `line` or its neighbours; returns whether there were any.
    @discardableResult
    mutating func remove(_ line: Int) -> Bool {
        remove { lines, _ in lines.lowerBound <= line + 1 && line <= lines.upperBound }
    }

    private mutating func remove(_ isStale: (_ lines: Range<Int>, _ ignoresNeighbours: Bool) -> Bool) -> Bool {
        let count = ranges.count
        var index = count - 1
        while index >= 0 {
            if isStale(ranges[index], ignoring[index]) {
                ranges.swapAt(index, ranges.count - 1)
                highlights.swapAt(index, highlights.count - 1)
                ignoring.swapAt(index, ignoring.count - 1)
                stamps.swapAt(index, stamps.count - 1)
                ranges.removeLast()
                highlights.removeLast()
                ignoring.removeLast()
                stamps.removeLast()
                nextVictim = 0
            }
            index -= 1
        }
        return ranges.count < count
    }

    /// Traps if the entries are inconsistent; for tests.
    func checkInvariants(lineCount: Int) {
        precondition(ranges.count == highlights.count && ranges.count == stamps.count, "parts of entries are missing")
        precondition(ranges.count == ignoring.count, "parts of entries are missing")
        precondition(ranges.count <= Self.capacity && nextVictim < Self.capacity, "there are too many entries")
        for index in ranges.indices {
            precondition(ranges[index].count == highlights[index].count, "an entry has not as many highlights as lines")
            precondition(ranges[index].upperBound <= lineCount, "an entry exceeds the text")
            precondition(stamps[index] + ranges[index].count <= nextStamp, "a stamp is given twice")
        }
    }

    mutating func removeAll() {
        ranges.removeAll(keepingCapacity: true)
        highlights.removeAll(keepingCapacity: true)
        ignoring.removeAll(keepingCapacity: true)
        stamps.removeAll(keepingCapacity: true)
        nextVictim = 0
    }
}
