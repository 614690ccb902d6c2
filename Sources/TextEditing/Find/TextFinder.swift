/// Looks for a query in texts: on any snapshot, from any thread, a window at a time.
public struct TextFinder: Sendable {
    /// What is looked for.
    public let query: FindQuery

    private enum Pattern: Sendable {
        case literal(LiteralPattern)
        case expression(ExpressionPattern)
    }

    private let pattern: Pattern

    /// Bytes that are searched at a time: about a millisecond's work for an expression, small beside any text's copy.
    static let window = 64 << 10
    /// Bytes that may be searched while somebody waits: about a millisecond's work.
    var step: Int { query.isRegularExpression ? TextFinder.window : 16 * TextFinder.window }
    /// Bytes beyond a window that a match in it may reach: as much as an expression can match over lines.
    private static let reach = 4 << 10
    /// Bytes before a window that an expression may look back at.
    private static let lookbehind = 256

    /// Prepares a query; throws where there is nothing to look for or the expression is none.
    public init(_ query: FindQuery) throws(FindError) {
        guard !query.pattern.isEmpty else { throw .emptyPattern }
        self.query = query
        pattern =
            query.isRegularExpression
            ? .expression(try ExpressionPattern(query.pattern, isCaseSensitive: query.isCaseSensitive))
            : .literal(LiteralPattern(query.pattern, isCaseSensitive: query.isCaseSensitive))
    }

    /// The matches that start in `range`, in order, at most `limit` of them.
    ///
    /// O(range).
    public func matches(
        in buffer: TextBuffer, within range: Range<ByteOffset>, limit: Int = .max
    ) -> [Range<ByteOffset>] {
        var result: [Range<ByteOffset>] = []
        var place = range.lowerBound
        while place < range.upperBound, result.count < limit {
            let stop = min(range.upperBound, place + TextFinder.window)
            place = search(buffer, from: place, to: stop) { match in
                result.append(match.range)
                return result.count < limit
            }
        }
        return result
    }

    /// The first match that starts at `offset` or behind it; from the start of the text when there is none.
    public func next(from offset: ByteOffset, in buffer: TextBuffer) -> Range<ByteOffset>? {
        first(in: buffer, within: offset..<buffer.end) ?? first(in: buffer, within: 0..<offset)
    }

    /// The last match that ends at `offset` or before it; from the end of the text when there is none.
    public func previous(before offset: ByteOffset, in buffer: TextBuffer) -> Range<ByteOffset>? {
        last(in: buffer, within: 0..<offset, endingBy: offset)
            ?? last(in: buffer, within: 0..<buffer.end, endingBy: buffer.end)
    }

    private func first(in buffer: TextBuffer, within range: Range<ByteOffset>) -> Range<ByteOffset>? {
        matches(in: buffer, within: range, limit: 1).first
    }

    private func last(
        in buffer: TextBuffer, within range: Range<ByteOffset>, endingBy end: ByteOffset
    ) -> Range<ByteOffset>? {
        var stop = range.upperBound
        while stop > range.lowerBound {
            let start = max(range.lowerBound, buffer.scalarStart(atOrBefore: max(0, stop - TextFinder.window)))
            if let match = matches(in: buffer, within: start..<stop).last(where: { $0.upperBound <= end }) {
                return match
            }
            stop = start
        }
        return nil
    }
}

// MARK: - One window

extension TextFinder {
    /// A match and its groups.
    struct Match {
        var range: Range<ByteOffset>
        var groups: [Range<ByteOffset>?]
    }

    /// Searches for matches that start in a window; where the next window begins, behind the last match.
    func search(
        _ buffer: TextBuffer, from start: ByteOffset, to stop: ByteOffset, groups: Bool = false,
        _ body: (Match) -> Bool
    ) -> ByteOffset {
        let stop = max(buffer.scalarStart(atOrBefore: min(stop, buffer.end)), min(buffer.end, start + 1))
        let context = buffer.scalarStart(atOrBefore: max(0, start - TextFinder.lookbehind))
        let end = buffer.scalarStart(atOrBefore: min(buffer.end, stop + reach))
        var next = stop
        buffer.withUTF8(in: context..<end) { text in
            func take(_ range: Range<Int>, _ groups: [Range<Int>?]) -> Bool {
                let match = context + range.lowerBound..<context + range.upperBound
                next = max(next, match.upperBound)
                return body(
                    Match(
                        range: match,
                        groups: groups.map { $0.map { context + $0.lowerBound..<context + $0.upperBound } }))
            }
            switch pattern {
            case .literal(let literal):
                literal.forEachMatch(
                    in: text, from: start - context, limit: stop - context, where: { isWhole($0, in: text) }
                ) { take($0, []) }
            case .expression(let expression):
                expression.forEachMatch(in: text, from: start - context, limit: stop - context, groups: groups) {
                    !isWhole($0.range, in: text) || take($0.range, $0.groups)
                }
            }
        }
        return next
    }

    private var reach: Int {
        // Eight bytes more tell whether a mark or a word goes on behind a match.
        if case .literal(let literal) = pattern { return literal.longestMatch + 8 }
        return TextFinder.reach
    }

    /// Whether a match neither leaves a mark behind nor, where whole words are asked for, cuts a word.
    private func isWhole(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let after = range.upperBound < text.count ? WordClass(Clusters.scalar(at: range.upperBound, in: text)) : nil
        if after == .mark { return false }
        guard query.isWholeWord else { return true }
        let lastStart = Clusters.scalarStart(before: range.upperBound, in: text)
        let last = WordClass(Clusters.scalar(at: lastStart, in: text))
        if let after, isOneWord(last, after) { return false }
        guard range.lowerBound > 0 else { return true }
        let before = WordClass(Clusters.scalar(at: Clusters.scalarStart(before: range.lowerBound, in: text), in: text))
        return !isOneWord(before, WordClass(Clusters.scalar(at: range.lowerBound, in: text)))
    }

    private func isOneWord(_ a: WordClass, _ b: WordClass) -> Bool { a.joins(b) && !a.isWordByCharacter }
}
