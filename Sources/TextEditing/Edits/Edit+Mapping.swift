/// Which side of an insertion a mapped position keeps to.
public enum Bias: Hashable, Sendable {
    /// Stays before text inserted at the position.
    case before
    /// Moves behind text inserted at the position.
    case after
}

extension Edit {
    /// Where a position of the old text is in the new one; inside of removed text, the side of the new text that `bias`
    /// names.
    ///
    /// O(replacements).
    public func map(_ offset: ByteOffset, _ bias: Bias) -> ByteOffset {
        map(offset, bias, behind: (0, 0))
    }

    /// The same for many positions, which must ascend.
    ///
    /// O(positions + replacements).
    public func map(ascending offsets: some Sequence<ByteOffset>, _ bias: Bias) -> [ByteOffset] {
        var (passed, shift) = (0, 0)
        return offsets.map { offset in
            while passed < replacements.count, replacements[passed].range.upperBound < offset {
                shift += replacements[passed].growth
                passed += 1
            }
            return map(offset, bias, behind: (passed, shift))
        }
    }

    /// - Parameter passed: how many replacements are known to end before `offset`, and their growth.
    private func map(
        _ offset: ByteOffset, _ bias: Bias, behind passed: (count: Int, growth: Int)
    ) -> ByteOffset {
        var shift = passed.growth
        for replacement in replacements[passed.count...] {
            let range = replacement.range
            if offset < range.lowerBound || (offset == range.lowerBound && bias == .before) { break }
            if offset < range.upperBound || (offset == range.upperBound && bias == .before && !range.isEmpty) {
                guard offset < range.upperBound else { return offset + shift + replacement.growth }
                if offset == range.lowerBound && !range.isEmpty { return offset + shift }
                let new = range.lowerBound + shift
                return bias == .before ? new : new + replacement.inserted.utf8.count
            }
            shift += replacement.growth
        }
        return offset + shift
    }

    /// Where a range of the old text is in the new one: text inserted at its ends stays outside.
    ///
    /// Empty when all of it was removed.
    public func map(_ range: Range<ByteOffset>) -> Range<ByteOffset> {
        let lower = map(range.lowerBound, .after)
        return lower..<max(lower, map(range.upperBound, .before))
    }

    /// Where a selection of the old text is in the new one: a caret moves behind text inserted at it.
    public func map(_ selection: Selection) -> Selection {
        if selection.isEmpty { return Selection(map(selection.head, .after)) }
        let range = map(selection.range)
        return selection.isReversed
            ? Selection(anchor: range.upperBound, head: range.lowerBound)
            : Selection(anchor: range.lowerBound, head: range.upperBound)
    }
}

/// Lines of an old text that were replaced by lines of the new one, for whoever keeps something per line.
public struct LineChange: Hashable, Sendable {
    /// Lines of the old text, at least one.
    public var oldLines: Range<Int>
    /// How many lines of the new text stand in their place, at least one.
    public var newCount: Int

    /// Lines of the old text and the number of lines now in their place.
    public init(oldLines: Range<Int>, newCount: Int) {
        self.oldLines = oldLines
        self.newCount = newCount
    }

    /// The lines of the new text.
    public var newLines: Range<Int> { oldLines.lowerBound..<oldLines.lowerBound + newCount }
    /// By how many lines the text grew.
    public var growth: Int { newCount - oldLines.count }
}

extension Edit {
    /// The lines that the edit changed, place by place, ascending and apart, each in lines of the old text.
    ///
    /// Where there are more than a thousand places, as one range from the first line to the last. `buffer` is the text
    /// after the edit. O(places x log size + texts of the edit).
    public func lineChanges(in buffer: TextBuffer) -> [LineChange] {
        guard replacements.count > 1, replacements.count <= Edit.placesApart else {
            return lineChange(in: buffer).map { [$0] } ?? []
        }
        return LineMap(self, in: buffer).changes
    }

    /// Places that are worth being followed one by one: fewer than a thousandth of a second's.
    private static let placesApart = 1000

    /// The lines that the edit changed, as one range from the first to the last; nil for an empty edit.
    ///
    /// `buffer` is the text after the edit. O(log size + texts of the edit).
    public func lineChange(in buffer: TextBuffer) -> LineChange? {
        guard let new = newRange else { return nil }
        let first = buffer.lineNumber(at: new.lowerBound).rawValue
        let newCount = buffer.lineNumber(at: new.upperBound).rawValue - first + 1
        let growth = replacements.reduce(0) { $0 + $1.inserted.lineFeeds - $1.removed.lineFeeds }
        return LineChange(oldLines: first..<first + newCount - growth, newCount: newCount)
    }
}

extension String {
    /// How many line feeds the text has.
    var lineFeeds: Int {
        var text = self
        return text.withUTF8 { TextSummary($0).newlines }
    }
}
