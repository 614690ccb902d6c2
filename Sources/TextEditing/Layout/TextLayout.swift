/// Soft wrap: the rows of each line, kept for the lines around what was asked for last and updated by edits.
///
/// Nothing is kept for far lines, so an edit costs the same in a text of any length.
public struct TextLayout: Sendable {
    /// How lines are laid out; see `configure(_:)`.
    public private(set) var configuration: LayoutConfiguration

    /// The first line of the window of lines that are kept.
    private var firstLine = 0
    /// The kept lines' rows; nil where not known (yet, or any more).
    private var lines: [[VisualRow]?] = []

    /// Lines that may be kept: a few screens in each direction.
    private static let windowSize = 1024

    /// A layout that knows no line yet.
    public init(configuration: LayoutConfiguration) { self.configuration = configuration }

    /// Lays out anew from now on.
    ///
    /// O(1) here, then O(screen) as rows are asked for.
    public mutating func configure(_ configuration: LayoutConfiguration) {
        self.configuration = configuration
        lines = []
    }

    /// Forgets what it knew of changed lines.
    ///
    /// O(window).
    public mutating func update(_ change: LineChange) {
        let window = firstLine..<firstLine + lines.count
        if change.oldLines.upperBound <= window.lowerBound {
            firstLine += change.growth
        } else if change.oldLines.lowerBound < window.upperBound {
            let touched = change.oldLines.clamped(to: window)
            let reach = touched.lowerBound - firstLine..<touched.upperBound - firstLine
            let kept = change.oldLines.lowerBound >= firstLine && change.oldLines.upperBound <= window.upperBound
            guard kept, change.newCount <= TextLayout.windowSize else { return lines = [] }
            lines.replaceSubrange(reach, with: repeatElement(nil, count: change.newCount))
        }
    }

    /// Follows an edit; `buffer` is the text after it.
    public mutating func update(_ edit: Edit, in buffer: TextBuffer) {
        guard let change = edit.lineChange(in: buffer) else { return }
        update(change)
    }

    /// The rows of a line, at least one.
    ///
    /// O(1) when the line was seen and not changed, else O(line).
    public mutating func rows(of line: LineNumber, in buffer: TextBuffer) -> [VisualRow] {
        makeRoom(for: line.rawValue)
        if let rows = lines[line.rawValue - firstLine] { return rows }
        let rows = buffer.withUTF8(of: line) { RowBreaker(configuration, line: $0).rows(of: $0) }
        lines[line.rawValue - firstLine] = rows
        return rows
    }

    /// How many rows a line takes, at least one.
    public mutating func rowCount(of line: LineNumber, in buffer: TextBuffer) -> Int {
        rows(of: line, in: buffer).count
    }

    /// One row of a line.
    public mutating func row(_ index: Int, of line: LineNumber, in buffer: TextBuffer) -> VisualRow {
        rows(of: line, in: buffer)[index]
    }

    /// Grows the window to hold `line`, or begins a new one there when it is far away.
    private mutating func makeRoom(for line: Int) {
        let window = firstLine..<firstLine + lines.count
        if window.contains(line) { return }
        if lines.isEmpty || line < window.lowerBound - TextLayout.windowSize / 2
            || line > window.upperBound + TextLayout.windowSize / 2
        {
            firstLine = line
            lines = [nil]
        } else if line < firstLine {
            lines.insert(contentsOf: repeatElement(nil, count: firstLine - line), at: 0)
            firstLine = line
            lines.removeLast(max(0, lines.count - TextLayout.windowSize))
        } else {
            lines.append(contentsOf: repeatElement(nil, count: line - window.upperBound + 1))
            let surplus = max(0, lines.count - TextLayout.windowSize)
            lines.removeFirst(surplus)
            firstLine += surplus
        }
    }
}

// MARK: - Places

extension TextLayout {
    /// Where a position stands: at a soft wrap, at the start of the lower row.
    public mutating func location(of offset: ByteOffset, in buffer: TextBuffer) -> VisualLocation {
        let line = buffer.lineNumber(at: offset)
        let range = buffer.lineRange(line)
        let local = min(offset, range.upperBound) - range.lowerBound
        let rows = rows(of: line, in: buffer)
        let index = rows.lastIndex { $0.range.lowerBound <= local } ?? 0
        let row = rows[index]
        let column = buffer.withUTF8(in: range.lowerBound + row.range.lowerBound..<range.lowerBound + local) {
            RowBreaker(configuration, line: UnsafeBufferPointer(start: nil, count: 0)).width(of: $0, from: row.indent)
        }
        return VisualLocation(line: line, row: index, column: CellColumn(column))
    }

    /// The position drawn at a cell: the start of the character that covers it, the end of the row behind its text
    /// (in a row that is wrapped, the start of its last character).
    public mutating func offset(
        atRow index: Int, of line: LineNumber, column: CellColumn, in buffer: TextBuffer
    ) -> ByteOffset {
        let rows = rows(of: line, in: buffer)
        let index = min(max(index, 0), rows.count - 1)
        let row = rows[index]
        let start = buffer.lineStart(line) + row.range.lowerBound
        let breaker = RowBreaker(configuration, line: UnsafeBufferPointer(start: nil, count: 0))
        let isLast = index == rows.count - 1
        let local = buffer.withUTF8(in: start..<start + row.range.count) { bytes in
            var (place, cell) = (0, row.indent)
            while place < bytes.count {
                let end = Clusters.end(from: place, in: bytes)
                cell += breaker.cells(place..<end, in: bytes, at: cell)
                if cell > column.rawValue || (end == bytes.count && !isLast) { break }
                place = end
            }
            return place
        }
        return start + local
    }
}
