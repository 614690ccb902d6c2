/// The matches of a query in a text: found a bit at a time, then kept true through edits.
public struct FindResults: Sendable {
    /// What finds them.
    public let finder: TextFinder
    /// The matches so far, in order.
    public private(set) var matches: [Range<ByteOffset>] = []
    /// How far the text has been searched.
    public private(set) var searched: ByteOffset = 0
    /// Whether the text has been searched to its end, or there are more matches than anybody wants.
    public private(set) var isComplete = false

    /// Matches that are kept: more cannot be told apart on a screen, and they cost 16 bytes each.
    public static let limit = 200_000

    /// No matches yet; see `advance(in:bytes:)`.
    public init(_ finder: TextFinder) { self.finder = finder }

    /// Searches on for about `bytes`; whether all is done.
    ///
    /// Unless told otherwise as much as an idle moment allows, about a millisecond's work; or run it on a snapshot
    /// elsewhere.
    public mutating func advance(in buffer: TextBuffer, bytes: Int? = nil) -> Bool {
        let stop = min(buffer.end, searched + (bytes ?? finder.step))
        while searched < stop, matches.count < FindResults.limit {
            searched = finder.search(buffer, from: searched, to: min(stop, searched + TextFinder.window)) { match in
                matches.append(match.range)
                return matches.count < FindResults.limit
            }
        }
        isComplete = searched >= buffer.end || matches.count >= FindResults.limit
        return isComplete
    }

    /// All matches of a snapshot, for a background thread; nil when it was cancelled, which is asked every 64 KiB.
    public static func all(
        _ finder: TextFinder, in buffer: TextBuffer, isCancelled: () -> Bool = { false }
    ) -> FindResults? {
        var results = FindResults(finder)
        while !results.advance(in: buffer, bytes: TextFinder.window) {
            if isCancelled() { return nil }
        }
        return results
    }

    /// Follows an edit: matches move with the text, and what the edit may have made or broken is searched anew.
    ///
    /// `buffer` is the text after it. O(matches + texts of the edit); after an edit of more than is searched in one step
    /// all is to be searched again.
    public mutating func update(_ edit: Edit, in buffer: TextBuffer) {
        guard let old = edit.oldRange, let new = edit.newRange else { return }
        guard new.length <= finder.step else { return self = FindResults(finder) }
        let reach = finder.query.isRegularExpression ? 4096 : finder.query.pattern.utf8.count * 4 + 8
        let start = buffer.scalarStart(atOrBefore: max(0, new.lowerBound - reach))
        let end = buffer.scalarStart(atOrBefore: min(buffer.end, new.upperBound + reach))
        let oldEnd = old.upperBound + (end - new.upperBound)
        let first = matches.partitioningIndex { $0.upperBound > start }
        searched = searched >= oldEnd ? searched + edit.growth : min(searched, start)
        isComplete = isComplete && searched >= buffer.end
        // A match that reaches over `start` is found again from where it begins.
        let from = first < matches.count ? min(start, matches[first].lowerBound) : start
        guard searched > start else {
            searched = min(searched, from)
            return matches.removeSubrange(first...)
        }
        let between = finder.matches(in: buffer, within: from..<max(end, from))
        let behind = max(oldEnd, (between.last?.upperBound ?? 0) - edit.growth)
        let last = max(first, matches.partitioningIndex { $0.lowerBound >= behind })
        matches.replaceSubrange(first..<last, with: between)
        guard edit.growth != 0 else { return }
        for index in first + between.count..<matches.count {
            let match = matches[index]
            matches[index] = match.lowerBound + edit.growth..<match.upperBound + edit.growth
        }
    }

    /// Where a match is that was asked for.
    public enum Answer: Hashable, Sendable {
        case match(Range<ByteOffset>)
        /// There is no match in the text.
        case nowhere
        /// More of the text has to be searched to tell.
        case unknown
    }

    /// The first match at `offset` or behind it, or around the text's end.
    ///
    /// Looks at what has been searched and, with `lookingNear`, a little way on from `offset`. O(log matches + a step).
    public func next(from offset: ByteOffset, in buffer: TextBuffer, lookingNear: Bool = true) -> Answer {
        let index = matches.partitioningIndex { $0.lowerBound >= offset }
        if index < matches.count { return .match(matches[index]) }
        if searched >= buffer.end { return matches.first.map { .match($0) } ?? .nowhere }
        if lookingNear {
            let start = max(offset, searched)
            let near = start..<max(start, min(buffer.end, offset + finder.step))
            if let match = finder.matches(in: buffer, within: near, limit: 1).first { return .match(match) }
        }
        // With more matches than are kept, none is far.
        return isComplete ? finder.next(from: offset, in: buffer).map { .match($0) } ?? .nowhere : .unknown
    }

    /// The last match that ends at `offset` or before it, or around the text's start; else as `next(from:in:)`.
    public func previous(before offset: ByteOffset, in buffer: TextBuffer, lookingNear: Bool = true) -> Answer {
        if searched >= offset {
            let index = matches.partitioningIndex { $0.upperBound > offset }
            if index > 0 { return .match(matches[index - 1]) }
            if searched >= buffer.end { return matches.last.map { .match($0) } ?? .nowhere }
        } else if lookingNear {
            let near = buffer.scalarStart(atOrBefore: max(searched, offset - finder.step))..<offset
            let found = finder.matches(in: buffer, within: near)
            if let match = found.last(where: { $0.upperBound <= offset }) { return .match(match) }
        }
        return isComplete ? finder.previous(before: offset, in: buffer).map { .match($0) } ?? .nowhere : .unknown
    }

    /// The place of the match that begins at `offset`, or of the next one, from 0: the n of "n of m".
    public func index(from offset: ByteOffset) -> Int? {
        let index = matches.partitioningIndex { $0.lowerBound >= offset }
        return index < matches.count ? index : matches.isEmpty ? nil : 0
    }

    /// The matches that touch a part of the text, for drawing.
    ///
    /// O(log matches + matches there).
    public func matches(in range: Range<ByteOffset>) -> ArraySlice<Range<ByteOffset>> {
        let first = matches.partitioningIndex { $0.upperBound > range.lowerBound }
        let last = matches.partitioningIndex { $0.lowerBound >= range.upperBound }
        return matches[first..<max(first, last)]
    }
}

extension Array {
    /// The first index whose element has a property that holds from some element on.
    ///
    /// O(log count).
    func partitioningIndex(where holds: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
