/// The highlights of the paragraphs that were asked for last.
struct ParagraphCache: Sendable {
    struct Entry: Sendable {
        var first: Int
        var lines: [LineHighlight]

        var last: Int { first + lines.count - 1 }
    }

    /// About two screens of paragraphs.
    private static let capacity = 64

    private var entries: [Entry] = []
    private var nextVictim = 0

    subscript(line: Int) -> LineHighlight? {
        for entry in entries where entry.first <= line && line <= entry.last { return entry.lines[line - entry.first] }
        return nil
    }

    mutating func insert(_ entry: Entry) {
        if entries.count < Self.capacity {
            entries.append(entry)
        } else {
            entries[nextVictim] = entry
            nextVictim = (nextVictim + 1) % Self.capacity
        }
    }

    /// Forgets what an edit touches, the line before it included, and moves what is below.
    mutating func replace(_ range: Range<Int>, withCount newCount: Int) {
        entries.removeAll { $0.last >= range.lowerBound - 1 && $0.first <= range.upperBound }
        for index in entries.indices where entries[index].first > range.upperBound {
            entries[index].first += newCount - range.count
        }
        nextVictim = 0
    }

    mutating func remove(_ line: Int) {
        entries.removeAll { $0.first <= line + 1 && line - 1 <= $0.last }
        nextVictim = 0
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        nextVictim = 0
    }
}
