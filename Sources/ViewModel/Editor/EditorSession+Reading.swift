import TextEditing

/// Services for the preview of a text, and its counts.
extension EditorSession {
    /// Returns a part of the text around a byte that can be rendered separately.
    ///
    /// It holds at least `radius` bytes before the byte and twice as many after it, if the text has them. The cost is
    /// at most a few times that, however long lines and blocks are: a line or block of megabytes is cut.
    public func readablePart(around byte: Int, radius: Int) -> ReadablePart {
        let position = min(max(byte, 0), buffer.utf8Count)
        let line = buffer.lineNumber(at: ByteOffset(position)).rawValue
        let highest = buffer.lineNumber(at: ByteOffset(max(position - radius, 0))).rawValue
        var first = highest
        while first < line, !highlighter.beginsBlock(first, in: lines) { first += 1 }
        var lead = ""
        if !highlighter.beginsBlock(first, in: lines) {
            first = highest
            lead = highlighter.opening(ofLine: first, in: lines)
        }
        var start = buffer.lineStart(LineNumber(first))
        let leadLines = lead.utf8.reduce(0) { $0 + ($1 == 0x0A ? 1 : 0) }
        if position - start.rawValue > 2 * radius {
            let markers = highlight(of: LineNumber(first), bytes: 0..<1).contentStart
            lead += buffer.string(in: start..<start + markers)
            start = max(start + markers, buffer.characterBoundary(atOrBefore: ByteOffset(position - radius)))
        }
        let last = buffer.lineNumber(at: ByteOffset(min(position + 2 * radius, buffer.utf8Count)))
        var end = buffer.lineStart(last + 1)
        if end.rawValue - position > 4 * radius {
            end = buffer.characterBoundary(atOrBefore: ByteOffset(position + 2 * radius))
        }
        return ReadablePart(
            text: lead + buffer.string(in: start..<max(start, end)), firstLine: first,
            bytes: start.rawValue..<max(start, end).rawValue, lead: (leadLines, lead.utf8.count))
    }

    /// The position at which a preview should begin: the caret if it is visible, otherwise the top row.
    public var readingPosition: ReadingPosition {
        let rows = visibleRows()
        let row = caretCell(in: rows)?.row
        let line = row.map { rows[$0].line } ?? rows.first?.line ?? 0
        let start = rows.first.map { buffer.lineStart($0.line) + $0.visual.range.lowerBound } ?? 0
        let byte = row == nil ? start : editor.selection.head
        return ReadingPosition(line: line.rawValue, byte: byte.rawValue, row: row ?? 0)
    }

    /// Puts the caret at a byte of the text, and scrolls its row to the top of the pane or to a given row.
    ///
    /// - Parameter row: the pane's row in which the caret is to appear, such as the row under the mouse pointer; nil
    ///   for the top, with as many rows around the caret as the settings ask for.
    public func go(toByte byte: Int, atRow row: Int? = nil) {
        let offset = buffer.characterBoundary(atOrBefore: ByteOffset(min(max(byte, 0), buffer.utf8Count)))
        editor.select(Selection(offset))
        let position = layout.location(of: offset, in: buffer)
        (viewport.line, viewport.row) = (position.line, position.row)
        if let row { viewport.scroll(by: -row, in: editor.buffer, layout: &layout) }
        revealCaret(margin: row == nil ? nil : 0)
    }

    /// How much of the text is before the caret, in per cent of its bytes; nil if all of the text is in sight.
    public var percentBeforeCaret: Int? {
        _ = revision
        guard buffer.utf8Count > 0 else { return nil }
        return isWholeInSight ? nil : selection.head.rawValue * 100 / buffer.utf8Count
    }

    /// Whether the first row and the last one are in sight; the rows are laid out only for a short text.
    private var isWholeInSight: Bool {
        guard viewport.line == 0, viewport.row == 0, hasFolds || lineCount <= viewport.rows,
            let last = viewport.visibleRows(in: editor.buffer, layout: &layout).last
        else { return false }
        return buffer.lineStart(last.line) + last.visual.range.upperBound >= buffer.end
    }

    /// The number of characters in the text; nil until they are counted.
    public var characterCount: Int? {
        _ = revision
        return statistics?.characters
    }

    /// The reading time of the text in minutes, rounded up, at least one.
    public var readingMinutes: Int {
        _ = revision
        // Until the text is counted, assume a text of space-separated words, read at four words a second.
        let seconds = statistics?.readingTime.components.seconds ?? Int64(storedWordCount) / 4
        return max(1, Int((seconds + 59) / 60))
    }

    /// The words, characters and reading time of the selection, or of the text if nothing is selected.
    ///
    /// The cost is proportional to the length of the counted text.
    public var countSummary: String {
        let isSelection = !selection.isEmpty
        let counts = isSelection ? TextStatistics(selectedText) : statistics ?? TextStatistics(buffer)
        let minutes = Int((counts.readingTime.components.seconds + 59) / 60)
        return Texts.counts(counts, minutes: minutes, isSelection: isSelection)
    }
}

/// A part of a text that can be rendered separately.
public struct ReadablePart: Sendable {
    /// The part, preceded by lines that open the blocks which are open at its start.
    public let text: String
    /// The line of the whole text in which it starts.
    public let firstLine: Int
    /// The part's range of bytes in the whole text.
    public let bytes: Range<Int>
    /// The numbers of lines and bytes at the start of `text` that are not in the whole text.
    public let lead: (lines: Int, bytes: Int)
}

/// A position of a text on the screen.
public struct ReadingPosition: Equatable, Sendable {
    /// The line number, counted from 0.
    public var line: Int
    public var byte: Int
    /// The row of the pane in which it is shown.
    public var row: Int

    public init(line: Int, byte: Int, row: Int = 0) {
        self.line = line
        self.byte = byte
        self.row = row
    }
}
