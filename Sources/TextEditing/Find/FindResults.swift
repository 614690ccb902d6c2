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
        let bytes = bytes ?? (finder.query.isRegularExpression ? TextFinder.window : 16 * TextFinder.window)
        let stop = min(buffer.end, searched + bytes)
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
    /// `buffer` is the text after it. O(matches + texts of the edit).
    public mutating func update(_ edit: Edit, in buffer: TextBuffer) {
        guard let old = edit.oldRange, let new = edit.newRange else { return }
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
