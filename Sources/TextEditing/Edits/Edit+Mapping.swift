/// The side of an insertion on which a mapped position stays.
public enum Bias: Hashable, Sendable {
    /// Stays before text inserted at the position.
    case before
    /// Moves after text inserted at the position.
    case after
}

extension Edit {
    /// The position in the new text for a position in the old text.
    ///
    /// A position inside removed text moves to the side of the inserted text that `bias` names. O(replacements).
    public func map(_ offset: ByteOffset, _ bias: Bias) -> ByteOffset {
        map(offset, bias, behind: (0, 0))
    }

    /// Maps several positions, which must ascend.
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

    /// Maps several selections, which must ascend and not overlap, each as `map(_:)` does.
    ///
    /// O(selections + replacements), whereas mapping them one by one takes the product.
    public func map(ascending selections: some Sequence<Selection>) -> [Selection] {
        var (passed, shift) = (0, 0)
        func mapped(_ offset: ByteOffset, _ bias: Bias) -> ByteOffset {
            while passed < replacements.count, replacements[passed].range.upperBound < offset {
                shift += replacements[passed].growth
                passed += 1
            }
            return map(offset, bias, behind: (passed, shift))
        }
        return selections.map { selection in
            if selection.isEmpty { return Selection(mapped(selection.head, .after)) }
            let lower = mapped(selection.range.lowerBound, .after)
            let upper = max(lower, mapped(selection.range.upperBound, .before))
            return selection.isReversed
                ? Selection(anchor: upper, head: lower) : Selection(anchor: lower, head: upper)
        }
    }

    /// - Parameter passed: The number of replacements known to end before `offset`, and their total growth.
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

    /// The range in the new text for a range in the old text; text inserted at its ends stays outside.
    ///
    /// It is empty if all of the range was removed.
    public func map(_ range: Range<ByteOffset>) -> Range<ByteOffset> {
        let lower = map(range.lowerBound, .after)
        return lower..<max(lower, map(range.upperBound, .before))
    }

    /// The selection in the new text for a selection in the old text; a caret moves after text inserted at it.
    public func map(_ selection: Selection) -> Selection {
        if selection.isEmpty { return Selection(map(selection.head, .after)) }
        let range = map(selection.range)
        return selection.isReversed
            ? Selection(anchor: range.upperBound, head: range.lowerBound)
            : Selection(anchor: range.lowerBound, head: range.upperBound)
    }
}

/// Lines of an old text that were replaced by lines of the new one, for code that keeps data per line.
public struct LineChange: Hashable, Sendable {
    /// The range of lines of the old text, at least one.
    public var oldLines: Range<Int>
    /// The number of lines of the new text that replace them, at least one.
    public var newCount: Int

    /// Creates a change from a range of lines of the old text and the number of lines that replace them.
    public init(oldLines: Range<Int>, newCount: Int) {
        self.oldLines = oldLines
        self.newCount = newCount
    }

    /// The range of lines in the new text.
    public var newLines: Range<Int> { oldLines.lowerBound..<oldLines.lowerBound + newCount }
    /// The number of lines by which the text grew.
    public var growth: Int { newCount - oldLines.count }
}

extension Edit {
    /// The changed lines as separate ranges, ascending, each in lines of the old text.
    ///
    /// An edit of more than a thousand replacements gives one range from the first line to the last. `buffer` is the
    /// text after the edit. O(replacements x log size + texts of the edit).
    public func lineChanges(in buffer: TextBuffer) -> [LineChange] {
        guard replacements.count > 1, replacements.count <= Edit.maximumSeparateReplacements else {
            return lineChange(in: buffer).map { [$0] } ?? []
        }
        return LineMap(self, in: buffer).changes
    }

    /// The most replacements that are followed one by one; they take less than a millisecond.
    private static let maximumSeparateReplacements = 1000

    /// The lines that the edit changed, as one range from the first to the last; nil for an empty edit.
    ///
    /// `buffer` is the text after the edit. O(log size + texts of the edit).
    public func lineChange(in buffer: TextBuffer) -> LineChange? {
        guard let new = newRange else { return nil }
        let first = buffer.lineNumber(at: new.lowerBound).rawValue
        if replacements.count == 1 {
            let old = replacements[0]
            return LineChange(
                oldLines: first..<first + old.removed.lineFeeds + 1, newCount: old.inserted.lineFeeds + 1)
        }
        let newCount = buffer.lineNumber(at: new.upperBound).rawValue - first + 1
        let growth = replacements.reduce(0) { $0 + $1.inserted.lineFeeds - $1.removed.lineFeeds }
        return LineChange(oldLines: first..<first + newCount - growth, newCount: newCount)
    }
}

extension String {
    /// The number of line feeds in the text.
    var lineFeeds: Int {
        var text = self
        return text.withUTF8 { TextSummary($0).newlines }
    }
}
