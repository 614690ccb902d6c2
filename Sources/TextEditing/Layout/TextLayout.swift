/// The soft-wrapped rows of lines, cached around the lines requested last and updated by edits.
///
/// Nothing is cached for distant lines, so an edit costs the same in a text of any length.
public struct TextLayout: Sendable {
    /// The layout settings; see `configure(_:)`.
    public private(set) var configuration: LayoutConfiguration
    /// The lines that take no rows.
    ///
    /// Code that counts rows or moves between them skips these lines.
    public var folds = Folds()

    /// The rows of a line, individually or in blocks; one word in size, so that the held lines move quickly.
    private enum Line {
        case rows([VisualRow])
        indirect case long(LongLine)
    }

    /// The number of the first held line.
    private var firstLine = 0
    /// The held lines; nil for one whose rows are not known yet, or no longer.
    private var lines: [Line?] = []

    /// The most lines that are held: a few screens in each direction.
    private static let maximumHeldLines = 1024

    /// Creates a layout without held lines.
    public init(configuration: LayoutConfiguration) { self.configuration = configuration }

    /// Changes the settings and drops all cached rows.
    ///
    /// O(1) at first, then O(screen) as rows are requested.
    public mutating func configure(_ configuration: LayoutConfiguration) {
        self.configuration = configuration
        lines = []
    }

    /// The number of rows that a line takes, at least one.
    ///
    /// O(1) if the line is cached, else O(line).
    public mutating func rowCount(of line: LineNumber, in buffer: TextBuffer) -> Int {
        load(line, in: buffer)
        switch lines[line.rawValue - firstLine] {
        case .rows(let rows): return rows.count
        case .long(let long): return long.rowCount
        case nil: return 1  // loaded above
        }
    }

    /// Returns a row of a line; the last row for an index past the end.
    ///
    /// O(1) if the line is cached, O(4 KiB) in a line of megabytes.
    public mutating func row(_ index: Int, of line: LineNumber, in buffer: TextBuffer) -> VisualRow {
        load(line, in: buffer)
        if case .rows(let rows) = lines[line.rawValue - firstLine] { return rows[min(index, rows.count - 1)] }
        return withBlocks(of: line, in: buffer) { $0.row(index, in: &$1) }
            ?? VisualRow(range: 0..<0, indent: 0, width: 0)
    }

    /// All rows of a line, at least one.
    ///
    /// O(rows); a line of megabytes has very many.
    public mutating func rows(of line: LineNumber, in buffer: TextBuffer) -> [VisualRow] {
        (0..<rowCount(of: line, in: buffer)).map { row($0, of: line, in: buffer) }
    }

    /// The index of the row that contains a byte of a line; at a soft wrap, the lower row.
    mutating func rowIndex(ofByte byte: Int, of line: LineNumber, in buffer: TextBuffer) -> Int {
        load(line, in: buffer)
        if case .rows(let rows) = lines[line.rawValue - firstLine] {
            return rows.lastIndex { $0.range.lowerBound <= byte } ?? 0
        }
        return withBlocks(of: line, in: buffer) { $0.rowIndex(ofByte: byte, in: &$1) } ?? 0
    }

    /// Calls `body` with the blocks of a loaded line; nil if it is a short line.
    mutating func withBlocks<R>(
        of line: LineNumber, in buffer: TextBuffer, _ body: (inout LongLine, inout LongLine.Context) -> R
    ) -> R? {
        let index = line.rawValue - firstLine
        guard case .long(var long) = lines[index] else { return nil }
        lines[index] = nil  // so that `long` is not copied when it changes
        defer { lines[index] = .long(long) }
        var context = LongLine.Context(buffer: buffer, line: line, configuration: configuration)
        return body(&long, &context)
    }
}

// MARK: - Cached lines

extension TextLayout {
    /// Drops the cached rows of changed lines.
    private mutating func update(_ change: LineChange) {
        let heldLines = firstLine..<firstLine + lines.count
        if change.oldLines.upperBound <= heldLines.lowerBound {
            firstLine += change.growth
        } else if change.oldLines.lowerBound < heldLines.upperBound {
            let isInside = change.oldLines.lowerBound >= firstLine && change.oldLines.upperBound <= heldLines.upperBound
            guard isInside, change.newCount <= TextLayout.maximumHeldLines else { return lines = [] }
            let replaced = change.oldLines.lowerBound - firstLine..<change.oldLines.upperBound - firstLine
            lines.replaceSubrange(replaced, with: repeatElement(nil, count: change.newCount))
        }
    }

    /// Updates the folds and the held lines for an edit; `buffer` is the text after it.
    ///
    /// O(held lines + edit), whatever the length of line and text.
    ///
    /// - Parameter change: the lines that the edit changed, if they are known.
    public mutating func update(_ edit: Edit, in buffer: TextBuffer, changing change: LineChange? = nil) {
        folds.update(edit, in: buffer)
        guard edit.replacements.count == 1 else {
            // Go from the last to the first, so that each change refers to lines that have not moved yet.
            for change in edit.lineChanges(in: buffer).reversed() { update(change) }
            return
        }
        guard let change = change ?? edit.lineChange(in: buffer) else { return }
        guard isLong(change.oldLines.lowerBound) || isLong(change.oldLines.upperBound - 1) else {
            let isWithinLine = change.oldLines.count == 1 && change.newCount == 1
            if isWithinLine, updateRows(edit.replacements[0], change.oldLines.lowerBound, buffer) { return }
            return update(change)
        }
        if change.oldLines.count > 1 || change.newCount > 1 || !updateBlocks(edit, change, buffer) {
            rebuildBlocks(edit.replacements[0], change, buffer)
        }
    }

    /// Updates the rows of a line after an edit within it; false if all of them must be wrapped again.
    private mutating func updateRows(_ replacement: Edit.Replacement, _ line: Int, _ buffer: TextBuffer) -> Bool {
        guard lines.indices.contains(line - firstLine), case .rows(let old) = lines[line - firstLine],
            old.count >= TextLayout.minimumUpdatedRows, configuration.wraps
        else { return false }
        let range = buffer.lineRange(LineNumber(line))
        let start = replacement.start - range.lowerBound
        // The end of the line moves otherwise if a CR before the line feed was added or removed.
        guard range.length <= LongLine.threshold,
            old[old.count - 1].range.upperBound + replacement.growth == range.length
        else { return false }
        let rows: [VisualRow]? = buffer.withUTF8(in: range) { bytes in
            let breaker = RowBreaker(configuration, lineStart: bytes)
            guard breaker.indent == old[1].indent else { return nil }
            return breaker.rows(
                of: bytes, from: old, replacing: start..<start + replacement.removed.utf8.count,
                growth: replacement.growth)
        }
        guard let rows else { return false }
        lines[line - firstLine] = .rows(rows)
        return true
    }

    /// The fewest rows of a line that are not all wrapped again with each key.
    private static let minimumUpdatedRows = 3

    private func isLong(_ line: Int) -> Bool { longLine(line) != nil }

    private func longLine(_ line: Int) -> LongLine? {
        guard lines.indices.contains(line - firstLine), case .long(let long) = lines[line - firstLine] else {
            return nil
        }
        return long
    }

    /// Updates a very long line after an edit within it by measuring the changed blocks again.
    private mutating func updateBlocks(_ edit: Edit, _ change: LineChange, _ buffer: TextBuffer) -> Bool {
        let replacement = edit.replacements[0]
        let range = buffer.lineRange(LineNumber(change.oldLines.lowerBound))
        guard range.length > LongLine.threshold / 2 else { return false }
        return withBlocks(of: LineNumber(change.oldLines.lowerBound), in: buffer) { blocks, context in
            // The whole line is measured again if a CR before the line feed was added or removed, which moves the
            // line's end, or if an edit at the line's start changed its indent.
            guard blocks.bytes + edit.growth == range.length, blocks.breaker.indent == context.breaker().indent else {
                return false
            }
            let local = replacement.start - range.lowerBound
            blocks.replace(
                local..<local + replacement.removed.utf8.count, byCount: replacement.inserted.utf8.count, in: &context)
            return true
        } ?? false
    }

    /// Updates very long lines after an edit that splits or joins them; the blocks before and after the edit are
    /// reused.
    private mutating func rebuildBlocks(_ replacement: Edit.Replacement, _ change: LineChange, _ buffer: TextBuffer) {
        let (first, last) = (change.newLines.lowerBound, change.newLines.upperBound - 1)
        let head = longLine(first)?.head(before: replacement.start - buffer.lineStart(LineNumber(first)))
        // The text after the edit in its last line is unchanged, unless the line's end moved across a CR: then the
        // blocks are not reused.
        let behind = buffer.lineEnd(LineNumber(last)) - (replacement.start + replacement.inserted.utf8.count)
        let oldStart = replacement.removed.utf8.lastIndex(of: 0x0A).map { replacement.removed.utf8.index(after: $0) }
        let before = oldStart == nil ? replacement.start - buffer.lineStart(LineNumber(first)) : 0
        let oldEnd = before + replacement.removed.utf8[(oldStart ?? replacement.removed.startIndex)...].count
        let tail = longLine(change.oldLines.upperBound - 1).flatMap {
            $0.bytes - oldEnd == behind ? $0.tail(behind: oldEnd) : nil
        }
        update(change)
        if lines.isEmpty { (firstLine, lines) = (last, [nil]) }  // more lines were inserted than are cached
        for line in Set([first, last]) where lines.indices.contains(line - firstLine) {
            let bytes = buffer.lineRange(LineNumber(line)).length
            guard bytes > LongLine.threshold else { continue }
            var context = LongLine.Context(buffer: buffer, line: LineNumber(line), configuration: configuration)
            let blocks = LongLine(
                head: line == first ? head ?? .init() : .init(), tail: line == last ? tail ?? .init() : .init(),
                bytes: bytes,
                in: &context)
            lines[line - firstLine] = .long(blocks)
        }
    }

    /// Ensures that a line is cached.
    ///
    /// - Parameter range: the bytes of the line, if they are known.
    mutating func load(_ line: LineNumber, in buffer: TextBuffer, at range: Range<ByteOffset>? = nil) {
        makeRoom(for: line.rawValue)
        guard lines[line.rawValue - firstLine] == nil else { return }
        let range = range ?? buffer.lineRange(line)
        if range.length > LongLine.threshold {
            var context = LongLine.Context(buffer: buffer, line: line, configuration: configuration)
            lines[line.rawValue - firstLine] = .long(LongLine(bytes: range.length, in: &context))
        } else {
            let rows = buffer.withUTF8(in: range) { RowBreaker(configuration, lineStart: $0).rows(of: $0) }
            lines[line.rawValue - firstLine] = .rows(rows)
        }
    }

    /// Extends the held lines to contain `line`, or starts over at `line` if it is far away.
    private mutating func makeRoom(for line: Int) {
        let heldLines = firstLine..<firstLine + lines.count
        if heldLines.contains(line) { return }
        let margin = TextLayout.maximumHeldLines / 2
        if lines.isEmpty || line < heldLines.lowerBound - margin || line > heldLines.upperBound + margin {
            firstLine = line
            lines = [nil]
        } else if line < firstLine {
            lines.insert(contentsOf: repeatElement(nil, count: firstLine - line), at: 0)
            firstLine = line
            lines.removeLast(max(0, lines.count - TextLayout.maximumHeldLines))
        } else {
            lines.append(contentsOf: repeatElement(nil, count: line - heldLines.upperBound + 1))
            let surplus = max(0, lines.count - TextLayout.maximumHeldLines)
            lines.removeFirst(surplus)
            firstLine += surplus
        }
    }
}
