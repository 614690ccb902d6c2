import TextPrimitives

/// Lines that take no rows, because they are folded under the line above them.
///
/// A fold may be inside another; when the outer one is opened, the inner one is unchanged. A lookup costs O(log folds)
/// and a change O(folds), whatever the length of the text.
public struct Folds: Sendable {
    /// The hidden lines of each fold, sorted by start; no two start at the same line.
    public private(set) var all: [Range<Int>] = []
    /// The union of all folds as separate ascending ranges, for looking up lines.
    private var hidden: [Range<Int>] = []
    /// The number of lines hidden before each range of `hidden`.
    private var hiddenBefore: [Int] = []

    /// Makes an empty set of folds.
    public init() {}

    /// Whether nothing is folded.
    public var isEmpty: Bool { all.isEmpty }

    /// The lines folded under a line, which may itself be hidden; nil if there is no fold.
    public func fold(under line: LineNumber) -> Range<Int>? {
        let index = all.partitioningIndex { $0.lowerBound > line.rawValue }
        return index < all.count && all[index].lowerBound == line.rawValue + 1 ? all[index] : nil
    }

    /// The whole hidden range around a line; nil for a visible line.
    public func hidden(around line: LineNumber) -> Range<Int>? {
        let index = hidden.partitioningIndex { $0.upperBound > line.rawValue }
        return index < hidden.count && hidden[index].contains(line.rawValue) ? hidden[index] : nil
    }

    /// Hides lines; the first line of a text cannot be hidden, because no line is above it.
    public mutating func add(_ lines: Range<Int>) {
        precondition(lines.lowerBound > 0, "there is no line above the fold to carry its mark")
        guard !lines.isEmpty else { return }
        let index = all.partitioningIndex { $0.lowerBound >= lines.lowerBound }
        let isKnown = index < all.count && all[index].lowerBound == lines.lowerBound
        all.replaceSubrange(index..<index + (isKnown ? 1 : 0), with: [lines])
        join()
    }

    /// Hides several ranges at once, each as `add(_:)` does.
    public mutating func add(_ ranges: [Range<Int>]) {
        var byStart = Dictionary(all.map { ($0.lowerBound, $0) }) { $1 }
        for range in ranges where !range.isEmpty && range.lowerBound > 0 { byStart[range.lowerBound] = range }
        all = byStart.values.sorted { $0.lowerBound < $1.lowerBound }
        join()
    }

    /// Opens the folds for which `opens` returns true.
    public mutating func remove(where opens: (Range<Int>) -> Bool) {
        let count = all.count
        all.removeAll(where: opens)
        if all.count != count { join() }
    }

    /// Opens every fold.
    public mutating func removeAll() {
        self = Folds()
    }

    /// Computes the union of all folds.
    private mutating func join() {
        hidden = []
        hiddenBefore = []
        var count = 0
        for range in all {
            if let last = hidden.last, range.lowerBound <= last.upperBound {
                hidden[hidden.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
                continue
            }
            if let last = hidden.last { count += last.count }
            hidden.append(range)
            hiddenBefore.append(count)
        }
    }
}

// MARK: - Visible lines

extension Folds {
    /// The next visible line after `line`; after the last one, the number of lines.
    func line(after line: LineNumber) -> LineNumber {
        hidden(around: line + 1).map { LineNumber($0.upperBound) } ?? line + 1
    }

    /// The visible line before `line`; -1 before the first.
    func line(before line: LineNumber) -> LineNumber {
        hidden(around: line - 1).map { LineNumber($0.lowerBound - 1) } ?? line - 1
    }

    /// The line itself if it is visible, else the line under which it is folded.
    public func visibleLine(at line: LineNumber) -> LineNumber {
        hidden(around: line).map { LineNumber($0.lowerBound - 1) } ?? line
    }

    /// The number of visible lines before `line`.
    func visibleLines(before line: LineNumber) -> Int {
        let index = hidden.partitioningIndex { $0.upperBound > line.rawValue }
        guard index < hidden.count else {
            return line.rawValue - (hiddenBefore.last ?? 0) - (hidden.last?.count ?? 0)
        }
        return line.rawValue - hiddenBefore[index] - max(0, line.rawValue - hidden[index].lowerBound)
    }
}

// MARK: - Edits

extension Folds {
    /// Updates the folds for an edit; `buffer` is the text after it.
    ///
    /// A fold grows and shrinks with changes inside it, and opens if its first or last line break is removed. O(texts
    /// of the edit + folds x log replacements x log size).
    mutating func update(_ edit: Edit, in buffer: TextBuffer) {
        guard !isEmpty else { return }
        let map = LineMap(edit, in: buffer)
        guard map.movesLines else { return }
        all = all.compactMap { range in
            guard let start = map.line(for: range.lowerBound), let end = map.line(for: range.upperBound), start < end
            else { return nil }
            return start..<end
        }
        join()
    }
}
