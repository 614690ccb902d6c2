import TextPrimitives

/// The matches of a query in a text, kept valid through edits.
///
/// Matches of a plain text are found step by step; those of an expression are all found at once by
/// `searched(in:budget:)`, on a snapshot.
public struct FindResults: Sendable {
    /// The finder that produces the matches.
    public let finder: TextFinder
    /// The matches found so far, in order.
    public private(set) var matches: [Range<ByteOffset>] = []
    /// The offset up to which the text has been searched.
    public private(set) var searched: ByteOffset = 0
    /// Whether the text has been searched to its end, or up to the limit.
    public private(set) var isComplete = false
    /// Whether there may be more matches than are kept.
    public private(set) var isCut = false
    /// The reason why the text was not searched to its end.
    public private(set) var problem: FindError?

    /// The most matches that are kept: more cannot be told apart on a screen, and they take 16 bytes each.
    public static let limit = 200_000

    /// Makes results without matches yet; see `advance(in:bytes:)` and `searched(in:budget:)`.
    public init(_ finder: TextFinder) { self.finder = finder }

    /// Searches about `bytes` further for a plain text; true if the search is complete.
    ///
    /// By default it searches as much as an idle moment allows, about a millisecond's work.
    public mutating func advance(in buffer: TextBuffer, bytes: Int? = nil) -> Bool {
        guard finder.searchesInSlices else { return isComplete }
        let stop = min(buffer.end, searched + (bytes ?? finder.step))
        while searched < stop, matches.count < FindResults.limit {
            searched = finder.search(buffer, from: searched, to: min(stop, searched + TextFinder.sliceSize)) { match in
                matches.append(match.range)
                return matches.count < FindResults.limit
            }
        }
        isCut = matches.count >= FindResults.limit && searched < buffer.end
        isComplete = searched >= buffer.end || isCut
        return isComplete
    }

    /// Searches the whole text again.
    ///
    /// - Parameter progress: Called with the matches found so far, after the first one and then whenever their number
    ///   has grown 64-fold.
    /// - Returns: All matches, or those found before the search had to end, with the reason as `problem`.
    public func searched(
        in buffer: TextBuffer, budget: SearchBudget, progress: (FindResults) -> Void = { _ in }
    ) -> FindResults {
        var results = FindResults(finder)
        var next = 1
        do throws(FindError) {
            try finder.forEachMatch(in: buffer, budget: budget) { match in
                guard results.matches.count < FindResults.limit else {
                    results.isCut = true
                    return false
                }
                results.matches.append(match.range)
                if results.matches.count >= next {
                    next *= 64
                    results.searched = match.range.upperBound
                    progress(results)
                }
                return true
            }
        } catch {
            results.problem = error
        }
        let isWhole = results.problem == nil && !results.isCut
        results.searched = isWhole ? buffer.end : results.matches.last?.upperBound ?? 0
        results.isComplete = true
        return results
    }

    /// Adapts the matches to an edit: moves them, and searches again where the edit may have added or removed some.
    ///
    /// `buffer` is the text after the edit. O(matches + texts of the edit). The whole text must be searched again after
    /// an edit longer than one search step. For an expression that is so after any edit, and its other matches stay
    /// until then.
    public mutating func update(_ edit: Edit, in buffer: TextBuffer) {
        guard let old = edit.oldRange, let new = edit.newRange else { return }
        guard finder.searchesInSlices else { return moveMatches(old, growth: edit.growth) }
        guard new.length <= finder.step else { return self = FindResults(finder) }
        let contextLength = finder.contextLength
        let start = buffer.scalarStart(atOrBefore: max(0, new.lowerBound - contextLength))
        let end = buffer.scalarStart(atOrBefore: min(buffer.end, new.upperBound + contextLength))
        let oldEnd = old.upperBound + (end - new.upperBound)
        let first = matches.partitioningIndex { $0.upperBound > start }
        searched = searched >= oldEnd ? searched + edit.growth : min(searched, start)
        isComplete = isComplete && searched >= buffer.end
        // A match that extends over `start` is searched for from its beginning.
        let from = first < matches.count ? min(start, matches[first].lowerBound) : start
        guard searched > start else {
            searched = min(searched, from)
            return matches.removeSubrange(first...)
        }
        let between = finder.matches(in: buffer, within: from..<max(end, from))
        let behind = max(oldEnd, (between.last?.upperBound ?? 0) - edit.growth)
        let last = max(first, matches.partitioningIndex { $0.lowerBound >= behind })
        matches.replaceSubrange(first..<last, with: between)
        move(matchesFrom: first + between.count, by: edit.growth)
    }

    private mutating func moveMatches(_ old: Range<ByteOffset>, growth: Int) {
        let first = matches.partitioningIndex { $0.upperBound > old.lowerBound }
        let last = max(first, matches.partitioningIndex { $0.lowerBound >= old.upperBound })
        matches.removeSubrange(first..<last)
        move(matchesFrom: first, by: growth)
        searched = 0
        isComplete = false
        problem = nil
    }

    private mutating func move(matchesFrom first: Int, by growth: Int) {
        guard growth != 0 else { return }
        for index in first..<matches.count {
            let match = matches[index]
            matches[index] = match.lowerBound + growth..<match.upperBound + growth
        }
    }

    /// The answer to a request for a match.
    public enum Answer: Hashable, Sendable {
        case match(Range<ByteOffset>)
        /// There is no match in the text.
        case nowhere
        /// More of the text must be searched first.
        case unknown
    }

    /// The first match at or after `offset`, or, if there is none, the first one in the text.
    ///
    /// Reads the known matches and, with `lookingNear`, searches a short range from `offset`. O(log matches + a step).
    ///
    /// - Parameter current: The match from which to go on; if it is empty, it is not found again.
    public func next(
        from offset: ByteOffset, in buffer: TextBuffer, leaving current: Range<ByteOffset>? = nil,
        lookingNear: Bool = true
    ) -> Answer {
        var index = matches.partitioningIndex { $0.lowerBound >= offset }
        if index < matches.count, let current, current.isEmpty, matches[index] == current { index += 1 }
        if index < matches.count { return .match(matches[index]) }
        guard finder.searchesInSlices else {
            return isComplete ? matches.first.map { .match($0) } ?? .nowhere : .unknown
        }
        if searched >= buffer.end { return matches.first.map { .match($0) } ?? .nowhere }
        if lookingNear {
            let start = max(offset, searched)
            let near = start..<max(start, min(buffer.end, offset + finder.step))
            if let match = finder.matches(in: buffer, within: near, limit: 1).first { return .match(match) }
        }
        // If there are more matches than are kept, one is always near.
        return isComplete ? finder.next(from: offset, in: buffer).map { .match($0) } ?? .nowhere : .unknown
    }

    /// The last match that ends at or before `offset`, or, if there is none, the last one in the text; otherwise like
    /// `next(from:in:)`.
    public func previous(
        before offset: ByteOffset, in buffer: TextBuffer, leaving current: Range<ByteOffset>? = nil,
        lookingNear: Bool = true
    ) -> Answer {
        if searched >= offset || !finder.searchesInSlices && isComplete {
            var index = matches.partitioningIndex { $0.upperBound > offset }
            if index > 0, let current, current.isEmpty, matches[index - 1] == current { index -= 1 }
            if index > 0 { return .match(matches[index - 1]) }
            if searched >= buffer.end || !finder.searchesInSlices && isComplete {
                return matches.last.map { .match($0) } ?? .nowhere
            }
        }
        guard finder.searchesInSlices else { return .unknown }
        if searched < offset, lookingNear {
            let near = buffer.scalarStart(atOrBefore: max(searched, offset - finder.step))..<offset
            let found = finder.matches(in: buffer, within: near)
            if let match = found.last(where: { $0.upperBound <= offset }) { return .match(match) }
        }
        return isComplete ? finder.previous(before: offset, in: buffer).map { .match($0) } ?? .nowhere : .unknown
    }

    /// The index from 0 of the match that begins at `offset`, or of the next one: the n of "n of m".
    public func index(from offset: ByteOffset) -> Int? {
        let index = matches.partitioningIndex { $0.lowerBound >= offset }
        return index < matches.count ? index : matches.isEmpty ? nil : 0
    }

    /// The matches that touch a range of the text, for drawing.
    ///
    /// O(log matches + matches there).
    public func matches(in range: Range<ByteOffset>) -> ArraySlice<Range<ByteOffset>> {
        let first = matches.partitioningIndex { $0.upperBound > range.lowerBound }
        let last = matches.partitioningIndex { $0.lowerBound >= range.upperBound }
        return matches[first..<max(first, last)]
    }
}
