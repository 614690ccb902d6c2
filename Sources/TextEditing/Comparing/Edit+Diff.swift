extension Edit {
    /// The edit that turns `old` into `new` and keeps their common lines.
    ///
    /// If at most 2,000 old lines changed, it also keeps the common words within changed lines. Carets and marks mapped
    /// through it stay with the text around them.
    public init(from old: String, to new: String) {
        let (oldLines, newLines) = (TextTokens.lines(of: old), TextTokens.lines(of: new))
        var numbers = TokenNumbers()
        let changes = SequenceDiff.changes(from: numbers.numbers(of: oldLines), to: numbers.numbers(of: newLines))
        let (oldPositions, newPositions) = (LinePositions(oldLines), LinePositions(newLines))
        let comparesWords = changes.reduce(0) { $0 + $1.old.count } <= TextDiff.wordLimit
        var replacements: [Replacement] = []
        for change in changes {
            // Adjacent lines share a line feed, so the ranges cut from both texts must end in the same way.
            let (a, b) = LinePositions.spans(of: change, oldPositions, newPositions)
            let (oldPart, newPart) = (old.bytes(a), new.bytes(b))
            let start = ByteOffset(a.lowerBound)
            if comparesWords {
                replacements += Edit.wordReplacements(from: oldPart, to: newPart, at: start)
            } else {
                replacements.append(Replacement(start: start, removed: String(oldPart), inserted: String(newPart)))
            }
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

/// The byte offsets at which lines start; a line feed follows every line but the last.
private struct LinePositions {
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
    /// They include the line feed after the lines, or, if the old lines are the last of their text, the one before
    /// them.
    static func spans(of change: SequenceChange, _ a: LinePositions, _ b: LinePositions) -> (Range<Int>, Range<Int>) {
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
    /// A substring by bytes; the bounds must be scalar boundaries.
    func bytes(_ range: Range<Int>) -> Substring {
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        return self[start..<utf8.index(start, offsetBy: range.count)]
    }
}
