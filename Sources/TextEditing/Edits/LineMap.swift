/// Where the lines of the text before an edit are after it, one replacement after the other.
///
/// Made in O(texts of the edit); each question costs O(log replacements x log size).
public struct LineMap: Sendable {
    private let replacements: [Edit.Replacement]
    /// The text after the edit.
    private let buffer: TextBuffer
    /// The line feeds that each replacement removed.
    private let removed: [Int]
    /// By how many bytes and lines the text in front of each replacement grew, and at last the whole text.
    private var bytes = [0]
    private var shifts = [0]

    /// Maps from before `edit` to `buffer`, the text after it.
    public init(_ edit: Edit, in buffer: TextBuffer) {
        replacements = edit.replacements
        self.buffer = buffer
        removed = edit.replacements.map(\.removed.lineFeeds)
        for (replacement, removed) in zip(replacements, removed) {
            bytes.append(bytes[bytes.count - 1] + replacement.growth)
            shifts.append(shifts[shifts.count - 1] + replacement.inserted.lineFeeds - removed)
        }
    }

    /// Whether any line begins elsewhere now.
    var movesLines: Bool { removed.contains { $0 > 0 } || shifts.contains { $0 != 0 } }

    /// What one replacement did, in lines of the old text.
    private func change(_ index: Int) -> LineChange {
        let first = firstLine(index)
        let growth = shifts[index + 1] - shifts[index]
        return LineChange(oldLines: first..<first + removed[index] + 1, newCount: removed[index] + growth + 1)
    }

    /// The old line that a replacement begins in.
    private func firstLine(_ index: Int) -> Int {
        buffer.lineNumber(at: replacements[index].start + bytes[index]).rawValue - shifts[index]
    }

    /// The lines that changed, ascending and apart, each in lines of the old text.
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

    /// Where an old line begins now; nil when the line break before it is gone.
    ///
    /// What is put in at the line's start belongs to it.
    public func line(for line: Int) -> Int? {
        let index = replacementsBefore(line)
        if index > 0, change(index - 1).oldLines.upperBound > line { return nil }
        return line + shifts[index]
    }

    /// The line that an old line is in now: where its own is gone, the one that the rest of it has become part of.
    public func nearestLine(for line: Int) -> Int {
        if let kept = self.line(for: line) { return kept }
        let index = replacementsBefore(line)
        let change = change(index - 1)
        return min(line + shifts[index - 1], change.newLines.upperBound - 1 + shifts[index - 1])
    }

    /// How many replacements begin in lines before `line`.
    private func replacementsBefore(_ line: Int) -> Int {
        var range = replacements.indices
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = firstLine(middle) < line ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }
}
