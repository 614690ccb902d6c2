import TextPrimitives

/// Maps lines of the text before an edit to lines after it, following each replacement.
///
/// Creation is O(texts of the edit); each query is O(log replacements x log size).
public struct LineMap: Sendable {
    private let replacements: [Edit.Replacement]
    /// The text after the edit.
    private let buffer: TextBuffer
    /// The number of line feeds that each replacement removed.
    private let removed: [Int]
    /// The growth in bytes of the text before each replacement, and finally of the whole text; `shifts` holds the same
    /// in lines.
    private var bytes = [0]
    private var shifts = [0]

    /// Creates the map for `edit`; `buffer` is the text after it.
    public init(_ edit: Edit, in buffer: TextBuffer) {
        replacements = edit.replacements
        self.buffer = buffer
        removed = edit.replacements.map(\.removed.lineFeeds)
        for (replacement, removed) in zip(replacements, removed) {
            bytes.append(bytes[bytes.count - 1] + replacement.growth)
            shifts.append(shifts[shifts.count - 1] + replacement.inserted.lineFeeds - removed)
        }
    }

    /// Whether the edit removed line breaks or changed line numbers.
    var movesLines: Bool { removed.contains { $0 > 0 } || shifts.contains { $0 != 0 } }

    /// The change made by one replacement, in lines of the old text.
    private func change(_ index: Int) -> LineChange {
        let first = firstLine(index)
        let growth = shifts[index + 1] - shifts[index]
        return LineChange(oldLines: first..<first + removed[index] + 1, newCount: removed[index] + growth + 1)
    }

    /// The old line in which a replacement begins.
    private func firstLine(_ index: Int) -> Int {
        buffer.lineNumber(at: replacements[index].start + bytes[index]).rawValue - shifts[index]
    }

    /// The changed lines as separate ranges, ascending, each in lines of the old text.
    public var changes: [LineChange] {
        var result: [LineChange] = []
        result.reserveCapacity(replacements.count)
        for index in replacements.indices {
            let next = change(index)
            if let last = result.last, next.oldLines.lowerBound < last.oldLines.upperBound {
                let lines = last.oldLines.lowerBound..<max(last.oldLines.upperBound, next.oldLines.upperBound)
                result[result.count - 1] = LineChange(
                    oldLines: lines, newCount: lines.count + last.growth + next.growth)
            } else {
                result.append(next)
            }
        }
        return result
    }

    /// The new number of an old line; nil if the line break before it is gone.
    ///
    /// Text inserted at the line's start belongs to it.
    public func line(for line: Int) -> Int? {
        let index = replacementsBefore(line)
        if index > 0, change(index - 1).oldLines.upperBound > line { return nil }
        return line + shifts[index]
    }

    /// The line that now contains an old line; if that is gone, the line that its remainder was joined with.
    public func nearestLine(for line: Int) -> Int {
        if let kept = self.line(for: line) { return kept }
        let index = replacementsBefore(line)
        let change = change(index - 1)
        return min(line + shifts[index - 1], change.newLines.upperBound - 1 + shifts[index - 1])
    }

    /// The number of replacements that begin in lines before `line`.
    private func replacementsBefore(_ line: Int) -> Int {
        replacements.indices.partitioningIndex { firstLine($0) >= line }
    }
}
