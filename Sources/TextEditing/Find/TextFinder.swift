import TextPrimitives

/// Searches texts for a query, on any snapshot and from any thread.
///
/// A plain text is searched for in one slice of a text at a time. An expression is given the whole text, since its
/// matches and lookbehinds may be that long.
public struct TextFinder: Sendable {
    /// The query to search for.
    public let query: FindQuery

    private enum Pattern: Sendable {
        case literal(LiteralPattern)
        case expression(ExpressionPattern)
        case marks(@Sendable (UnsafeBufferPointer<UInt8>) -> [Range<Int>])
    }

    private let pattern: Pattern

    /// The number of bytes that are searched at a time.
    static let sliceSize = 64 << 10
    /// The number of bytes that may be searched while the user waits, which takes about a millisecond.
    let step = 16 * TextFinder.sliceSize
    /// The bytes before a slice that show whether a match begins a character and a word.
    private static let lookbehind = 256

    /// Prepares a query; throws if the pattern is empty or not a valid expression.
    public init(_ query: FindQuery) throws(FindError) {
        guard !query.pattern.isEmpty else { throw .emptyPattern }
        self.query = query
        pattern =
            query.isRegularExpression
            ? .expression(try ExpressionPattern(query.pattern, isCaseSensitive: query.isCaseSensitive))
            : .literal(LiteralPattern(query.pattern, isCaseSensitive: query.isCaseSensitive))
    }

    /// Creates a finder whose matches are found by another function.
    ///
    /// - Parameters:
    ///   - text: A description of the matches.
    ///   - marks: Finds the matches in the UTF-8 of a whole text, in ascending order, none overlapping.
    public init(_ text: String, marks: @escaping @Sendable (UnsafeBufferPointer<UInt8>) -> [Range<Int>]) {
        query = FindQuery(text)
        pattern = .marks(marks)
    }

    /// Whether a text can be searched in slices rather than only as a whole.
    public var searchesInSlices: Bool {
        if case .literal = pattern { return true }
        return false
    }

    /// The number of groups that a replacement can use.
    var groupCount: Int {
        if case .expression(let expression) = pattern { return expression.groupCount }
        return 0
    }

    /// The number of bytes around an edit in which matches of a plain text may appear or vanish.
    var contextLength: Int {
        // The extra bytes show whether a mark or a word continues next to a match.
        if case .literal(let literal) = pattern { return literal.maximumMatchLength + 64 }
        return 0
    }

    /// A match and its groups.
    struct Match {
        var range: Range<ByteOffset>
        var groups: [Range<ByteOffset>?]
    }

    /// Passes all matches of a text in order to `body` until it returns false.
    ///
    /// - Throws: `tooSlow`, `tooComplex` and `cancelled`, after the matches found so far were passed.
    func forEachMatch(
        in buffer: TextBuffer, groups: Bool = false, budget: SearchBudget, _ body: (Match) -> Bool
    ) throws(FindError) {
        switch pattern {
        case .literal:
            var position: ByteOffset = 0
            var goesOn = true
            while position < buffer.end, goesOn {
                guard budget.isWanted() else { throw .cancelled }
                position = search(buffer, from: position, to: min(buffer.end, position + TextFinder.sliceSize)) {
                    match in
                    goesOn = body(match)
                    return goesOn
                }
            }
        case .expression(let expression):
            try forEachMatch(of: expression, in: buffer.string(), groups: groups, budget: budget, body)
        case .marks(let marks):
            var text = buffer.string()
            for range in text.withUTF8(marks) {
                let match = ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound)
                guard body(Match(range: match, groups: [match])) else { return }
            }
        }
    }

    private func forEachMatch(
        of expression: ExpressionPattern, in text: String, groups: Bool, budget: SearchBudget, _ body: (Match) -> Bool
    ) throws(FindError) {
        func take(_ match: ExpressionPattern.Match, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
            guard match.range.isEmpty || isWhole(match.range, in: bytes) else { return true }
            return body(
                Match(
                    range: ByteOffset(match.range.lowerBound)..<ByteOffset(match.range.upperBound),
                    groups: match.groups.map { $0.map { ByteOffset($0.lowerBound)..<ByteOffset($0.upperBound) } }))
        }
        // A copy that shares its bytes, for checking the text around matches.
        var copy = text
        var problem: FindError?
        copy.withUTF8 { bytes in
            do throws(FindError) {
                try expression.forEachMatch(in: text, groups: groups, budget: budget) { take($0, bytes) }
            } catch {
                problem = error
            }
        }
        if let problem { throw problem }
    }

    /// All matches of a text, in order, at most `limit` of them.
    public func matches(
        in buffer: TextBuffer, limit: Int = .max, budget: SearchBudget = SearchBudget()
    ) throws(FindError) -> [Range<ByteOffset>] {
        var result: [Range<ByteOffset>] = []
        try forEachMatch(in: buffer, budget: budget) { match in
            result.append(match.range)
            return result.count < limit
        }
        return result
    }
}

// MARK: - Plain text

extension TextFinder {
    /// The matches of a plain text that start in `range`, in order, at most `limit` of them.
    ///
    /// O(range).
    func matches(in buffer: TextBuffer, within range: Range<ByteOffset>, limit: Int = .max) -> [Range<ByteOffset>] {
        var result: [Range<ByteOffset>] = []
        var position = range.lowerBound
        while position < range.upperBound, result.count < limit {
            let stop = min(range.upperBound, position + TextFinder.sliceSize)
            position = search(buffer, from: position, to: stop) { match in
                result.append(match.range)
                return result.count < limit
            }
        }
        return result
    }

    /// The first match of a plain text at or after `offset`, else the first one in the text.
    func next(from offset: ByteOffset, in buffer: TextBuffer) -> Range<ByteOffset>? {
        matches(in: buffer, within: offset..<buffer.end, limit: 1).first
            ?? matches(in: buffer, within: 0..<offset, limit: 1).first
    }

    /// The last match of a plain text that ends at or before `offset`, else the last one in the text.
    func previous(before offset: ByteOffset, in buffer: TextBuffer) -> Range<ByteOffset>? {
        last(in: buffer, within: 0..<offset, endingBy: offset)
            ?? last(in: buffer, within: 0..<buffer.end, endingBy: buffer.end)
    }

    private func last(
        in buffer: TextBuffer, within range: Range<ByteOffset>, endingBy end: ByteOffset
    ) -> Range<ByteOffset>? {
        var stop = range.upperBound
        while stop > range.lowerBound {
            let start = max(range.lowerBound, buffer.scalarStart(atOrBefore: max(0, stop - TextFinder.sliceSize)))
            if let match = matches(in: buffer, within: start..<stop).last(where: { $0.upperBound <= end }) {
                return match
            }
            stop = start
        }
        return nil
    }

    /// Searches a slice for matches of a plain text that start in it; returns the start of the next slice.
    func search(_ buffer: TextBuffer, from start: ByteOffset, to stop: ByteOffset, _ body: (Match) -> Bool)
        -> ByteOffset
    {
        guard case .literal(let literal) = pattern else { return stop }
        let stop = max(buffer.scalarStart(atOrBefore: min(stop, buffer.end)), min(buffer.end, start + 1))
        let context = buffer.scalarStart(atOrBefore: max(0, start - TextFinder.lookbehind))
        let end = buffer.scalarStart(atOrBefore: min(buffer.end, stop + contextLength))
        var next = stop
        buffer.withUTF8(in: context..<end) { text in
            literal.forEachMatch(
                in: text, from: start - context, limit: stop - context, where: { isWhole($0, in: text) }
            ) { range in
                let match = context + range.lowerBound..<context + range.upperBound
                next = max(next, match.upperBound)
                return body(Match(range: match, groups: []))
            }
        }
        return next
    }

    /// Whether a match splits no character and, if whole words are requested, no word.
    private func isWhole(_ range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) -> Bool {
        let isExpression = query.isRegularExpression
        // An expression may match one half of a line end or a single mark on purpose.
        if isExpression {
            if range.upperBound < text.count, WordClass(Clusters.scalar(at: range.upperBound, in: text)) == .mark {
                return false
            }
        } else if !Clusters.isBoundary(range.lowerBound, in: text) || !Clusters.isBoundary(range.upperBound, in: text) {
            return false
        }
        guard query.isWholeWord else { return true }
        let after = range.upperBound < text.count ? WordClass(Clusters.scalar(at: range.upperBound, in: text)) : nil
        let lastStart = Clusters.scalarStart(before: range.upperBound, in: text)
        let last = WordClass(Clusters.scalar(at: lastStart, in: text))
        if let after, isOneWord(last, after) { return false }
        guard range.lowerBound > 0 else { return true }
        let before = WordClass(Clusters.scalar(at: Clusters.scalarStart(before: range.lowerBound, in: text), in: text))
        return !isOneWord(before, WordClass(Clusters.scalar(at: range.lowerBound, in: text)))
    }

    private func isOneWord(_ a: WordClass, _ b: WordClass) -> Bool { a.joins(b) && !a.isWordByCharacter }
}
