/// How one text became another, by lines, and inside of changed lines by words.
public struct TextDiff: Hashable, Sendable {
    /// What happened to a line.
    public enum Kind: Hashable, Sendable { case same, removed, added }

    /// A line of the old or the new text, or of both.
    public struct Line: Hashable, Sendable {
        /// What happened to it.
        public var kind: Kind
        /// Its text without the line feed.
        public var text: String
        /// Its number in the old text; nil for an added line.
        public var oldLine: LineNumber?
        /// Its number in the new text; nil for a removed line.
        public var newLine: LineNumber?
        /// The bytes of `text` that differ from the line it replaces or is replaced by; empty when there is none.
        public var changedWords: [Range<Int>]
    }

    /// All lines: removed ones stand before the added ones that replace them.
    public var lines: [Line]
    /// How many lines came.
    public var addedCount: Int { lines.count { $0.kind == .added } }
    /// How many lines went.
    public var removedCount: Int { lines.count { $0.kind == .removed } }
    /// Whether nothing changed.
    public var isEmpty: Bool { lines.allSatisfy { $0.kind == .same } }

    /// Compares two texts.
    ///
    /// O((lines + changes²) bounded), some 100 ms for two unlike texts of 10 MB.
    public init(from old: String, to new: String) {
        let (oldLines, newLines) = (TextTokens.lines(of: old), TextTokens.lines(of: new))
        var numbers = TokenNumbers()
        let changes = SequenceDiff.changes(from: numbers.numbers(of: oldLines), to: numbers.numbers(of: newLines))
        lines = []
        lines.reserveCapacity(max(oldLines.count, newLines.count))
        var (x, y) = (0, 0)
        for change in changes {
            appendSame(oldLines[x..<change.old.lowerBound], newFrom: y)
            append(change, oldLines, newLines)
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

    private mutating func append(_ change: SequenceChange, _ oldLines: [Substring], _ newLines: [Substring]) {
        let pairs = min(change.old.count, change.new.count)
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

    /// The bytes that differ between two lines, by words; all of both when they have hardly anything in common.
    public static func changedWords(
        from old: some StringProtocol, to new: some StringProtocol
    ) -> (old: [Range<Int>], new: [Range<Int>]) {
        let changes = WordDiff.changes(from: Substring(old), to: Substring(new))
        return (changes.map(\.old).filter { !$0.isEmpty }, changes.map(\.new).filter { !$0.isEmpty })
    }
}

extension TextDiff {
    /// The changes in their surroundings: runs of `lines` within `context` lines of a change.
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

extension Edit {
    /// An edit that makes `new` of `old` and keeps what lines, and in changed lines words, they have in common.
    ///
    /// Carets and marks mapped through it stay with the text they stand in.
    public init(from old: String, to new: String) {
        let (oldLines, newLines) = (TextTokens.lines(of: old), TextTokens.lines(of: new))
        var numbers = TokenNumbers()
        let changes = SequenceDiff.changes(from: numbers.numbers(of: oldLines), to: numbers.numbers(of: newLines))
        let (oldPlaces, newPlaces) = (LinePlaces(oldLines), LinePlaces(newLines))
        var replacements: [Replacement] = []
        for change in changes {
            // Lines share their line feeds: what is cut from the old text must end as what is cut from the new does.
            let (a, b) = LinePlaces.spans(of: change, oldPlaces, newPlaces)
            let (oldPart, newPart) = (old.bytes(a), new.bytes(b))
            replacements += Edit.wordReplacements(from: oldPart, to: newPart, at: ByteOffset(a.lowerBound))
        }
        self.init(replacements)
    }

    private static func wordReplacements(from old: Substring, to new: Substring, at start: ByteOffset) -> [Replacement]
    {
        let (oldText, newText) = (String(old), String(new))
        return WordDiff.changes(from: old, to: new).map { change in
            Replacement(
                start: start + change.old.lowerBound, removed: String(oldText.bytes(change.old)),
                inserted: String(newText.bytes(change.new)))
        }
    }
}

/// Where lines start in bytes, each followed by a line feed but the last.
private struct LinePlaces {
    let starts: [Int]
    let count: Int
    let size: Int

    init(_ lines: [Substring]) {
        var sum = 0
        starts = lines.map { line in
            defer { sum += line.utf8.count + 1 }
            return sum
        }
        count = lines.count
        size = sum - 1
    }

    /// The bytes of a change in both texts.
    ///
    /// With the lines goes the line feed after them, or, where either text ends with them, the one before them.
    static func spans(of change: SequenceChange, _ a: LinePlaces, _ b: LinePlaces) -> (Range<Int>, Range<Int>) {
        let atEnd = change.old.upperBound == a.count
        return (a.span(change.old, atEnd: atEnd), b.span(change.new, atEnd: atEnd))
    }

    private func span(_ lines: Range<Int>, atEnd: Bool) -> Range<Int> {
        func start(_ line: Int) -> Int { line < count ? starts[line] : size + 1 }
        if !atEnd { return start(lines.lowerBound)..<start(lines.upperBound) }
        return max(0, start(lines.lowerBound) - 1)..<size
    }
}

extension String {
    /// A part by bytes; its bounds are scalars' bounds.
    func bytes(_ range: Range<Int>) -> Substring {
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return self[start..<utf8.index(start, offsetBy: range.count)]
    }
}
