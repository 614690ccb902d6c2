/// The difference between two texts, by lines, and by words within changed lines.
public struct TextDiff: Hashable, Sendable {
    /// The status of a line.
    public enum Kind: Hashable, Sendable { case same, removed, added }

    /// A line of the old or the new text, or of both.
    public struct Line: Hashable, Sendable {
        /// Whether the line was kept, removed or added.
        public var kind: Kind
        /// The text of the line without its line feed.
        public var text: String
        /// The number of the line in the old text; nil for an added line.
        public var oldLine: LineNumber?
        /// The number of the line in the new text; nil for a removed line.
        public var newLine: LineNumber?
        /// The bytes of `text` that differ from the line that it replaces or is replaced by; empty if there is no such
        /// line.
        public var changedWords: [Range<Int>]
    }

    /// All lines; removed ones come before the added ones that replace them.
    public var lines: [Line]
    /// Whether the texts are equal.
    public var isEmpty: Bool { lines.allSatisfy { $0.kind == .same } }

    /// Compares two texts.
    ///
    /// Takes some 100 ms for two texts of 10 MB, and at worst some 500 ms, if they have the same lines in another
    /// order.
    public init(from old: String, to new: String) {
        let (oldLines, newLines) = (TextTokens.lines(of: old), TextTokens.lines(of: new))
        var numbers = TokenNumbers()
        let changes = SequenceDiff.changes(from: numbers.numbers(of: oldLines), to: numbers.numbers(of: newLines))
        lines = []
        lines.reserveCapacity(max(oldLines.count, newLines.count))
        var (x, y, wordsLeft) = (0, 0, TextDiff.wordLimit)
        for change in changes {
            appendSame(oldLines[x..<change.old.lowerBound], newFrom: y)
            append(change, oldLines, newLines, &wordsLeft)
            (x, y) = (change.old.upperBound, change.new.upperBound)
        }
        appendSame(oldLines[x...], newFrom: y)
    }

    private mutating func appendSame(_ same: ArraySlice<Substring>, newFrom new: Int) {
        for (index, text) in zip(same.indices, same) {
            let newLine = LineNumber(new + index - same.startIndex)
            lines.append(
                Line(kind: .same, text: String(text), oldLine: LineNumber(index), newLine: newLine, changedWords: []))
        }
    }

    /// The most changed lines that are compared by words: nobody reads the words of more, and each takes some 10 µs.
    static let wordLimit = 2000

    private mutating func append(
        _ change: SequenceChange, _ oldLines: [Substring], _ newLines: [Substring], _ wordsLeft: inout Int
    ) {
        let pairs = min(change.old.count, change.new.count, wordsLeft)
        wordsLeft -= pairs
        let words = (0..<pairs).map {
            TextDiff.changedWords(
                from: oldLines[change.old.lowerBound + $0], to: newLines[change.new.lowerBound + $0])
        }
        for (index, line) in change.old.enumerated() {
            lines.append(
                Line(
                    kind: .removed, text: String(oldLines[line]), oldLine: LineNumber(line), newLine: nil,
                    changedWords: index < pairs ? words[index].old : []))
        }
        for (index, line) in change.new.enumerated() {
            lines.append(
                Line(
                    kind: .added, text: String(newLines[line]), oldLine: nil, newLine: LineNumber(line),
                    changedWords: index < pairs ? words[index].new : []))
        }
    }

    /// Lines are compared by words only if they have at least 1/`minimumInCommon` of the longer one in common; chosen by
    /// eye.
    private static let minimumInCommon = 5

    /// The bytes that differ between two lines, by words; all bytes of both if they have hardly anything in common.
    public static func changedWords(
        from old: some StringProtocol, to new: some StringProtocol
    ) -> (old: [Range<Int>], new: [Range<Int>]) {
        let changes = WordDiff.changes(from: Substring(old), to: Substring(new))
        let common = old.utf8.count - changes.reduce(0) { $0 + $1.old.count }
        if common * TextDiff.minimumInCommon < max(old.utf8.count, new.utf8.count) {
            return ([0..<old.utf8.count].filter { !$0.isEmpty }, [0..<new.utf8.count].filter { !$0.isEmpty })
        }
        return (changes.map(\.old).filter { !$0.isEmpty }, changes.map(\.new).filter { !$0.isEmpty })
    }
}

extension TextDiff {
    /// The changes with their context: runs of `lines` within `context` lines of a change.
    public func hunks(context: Int = 3) -> [ArraySlice<Line>] {
        var ranges: [Range<Int>] = []
        for (index, line) in lines.enumerated() where line.kind != .same {
            let range = max(0, index - context)..<min(lines.count, index + context + 1)
            if let last = ranges.last, last.upperBound >= range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        return ranges.map { lines[$0] }
    }
}
