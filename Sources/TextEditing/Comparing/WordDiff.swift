/// The changes between two pieces of text, by words.
enum WordDiff {
    /// The most bytes that are compared by words; a longer text is one change.
    ///
    /// Comparing this many takes some 20 ms.
    private static let limit = 128 << 10

    /// The changed bytes of the old text and the bytes that replace them, ascending.
    ///
    /// The common start and end are left out first, so that a small change in a line of megabytes takes little longer
    /// than comparing the two.
    static func changes(from old: Substring, to new: Substring) -> [SequenceChange] {
        let head = commonHead(old.utf8, new.utf8)
        let tail = commonTail(old.utf8, new.utf8, behind: head)
        let (oldPart, newPart) = (part(old, head, tail), part(new, head, tail))
        if max(oldPart.utf8.count, newPart.utf8.count) > limit {
            return [SequenceChange(old: head..<old.utf8.count - tail, new: head..<new.utf8.count - tail)]
        }
        let (oldWords, newWords) = (TextTokens.words(of: oldPart), TextTokens.words(of: newPart))
        var numbers = TokenNumbers()
        let changes = SequenceDiff.changes(from: numbers.numbers(of: oldWords), to: numbers.numbers(of: newWords))
        let (oldEnds, newEnds) = (ends(of: oldWords, from: head), ends(of: newWords, from: head))
        return changes.map { change in
            SequenceChange(
                old: oldEnds[change.old.lowerBound]..<oldEnds[change.old.upperBound],
                new: newEnds[change.new.lowerBound]..<newEnds[change.new.upperBound])
        }
    }

    private static func part(_ text: Substring, _ head: Int, _ tail: Int) -> Substring {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: head)
        return text[start..<text.utf8.index(text.utf8.endIndex, offsetBy: -tail)]
    }

    /// The number of bytes in the common start of both texts, up to a space between two words.
    private static func commonHead(_ a: Substring.UTF8View, _ b: Substring.UTF8View) -> Int {
        var (count, end, previous) = (0, 0, UInt8(0))
        for (x, y) in zip(a, b) {
            if x != y { break }
            // A cut before a space that follows a letter splits no word, whatever comes next.
            if x == 0x20, previous.isWordCharacter { end = count }
            previous = x
            count += 1
        }
        return end
    }

    /// The number of bytes in the common end of both texts, from a space between two words on, outside the common
    /// start.
    private static func commonTail(_ a: Substring.UTF8View, _ b: Substring.UTF8View, behind head: Int) -> Int {
        let most = min(a.count, b.count) - head
        var (count, end, next) = (0, 0, UInt8(0))
        for (x, y) in zip(a.reversed(), b.reversed()) {
            if x != y || count == most { break }
            if next == 0x20, x.isWordCharacter { end = count }
            next = x
            count += 1
        }
        return end
    }

    /// The start of each token, and finally the end of the last one.
    private static func ends(of tokens: [Substring], from start: Int) -> [Int] {
        var sum = start
        return [start]
            + tokens.map { token in
                sum += token.utf8.count
                return sum
            }
    }
}
