/// The unit that a click, double-click or triple-click selects and a drag extends by.
public enum SelectionUnit: Hashable, Sendable {
    case character, word, line, paragraph
}

extension TextEditor {
    /// Selects the unit around a position: a word as a double-click does, or a line with its break as a triple-click
    /// does.
    public mutating func select(_ unit: SelectionUnit, at offset: ByteOffset) {
        let range = range(of: unit, at: offset)
        select(Selection(range))
        dragOrigin = range
    }

    /// Extends the selection from the unit that `select(_:at:)` selected to the unit around a position.
    ///
    /// For drags and Shift-clicks.
    public mutating func extend(by unit: SelectionUnit, to offset: ByteOffset) {
        let origin = dragOrigin ?? selection.anchor..<selection.anchor
        let reached = range(of: unit, at: offset)
        let isBackward = reached.lowerBound < origin.lowerBound
        select(
            isBackward
                ? Selection(anchor: origin.upperBound, head: reached.lowerBound)
                : Selection(anchor: origin.lowerBound, head: max(origin.upperBound, reached.upperBound)))
        dragOrigin = origin
    }

    private func range(of unit: SelectionUnit, at offset: ByteOffset) -> Range<ByteOffset> {
        let offset = buffer.characterBoundary(atOrBefore: offset)
        switch unit {
        case .character: return offset..<offset
        case .word: return buffer.wordRange(at: offset)
        case .line:
            let line = buffer.lineNumber(at: offset)
            return buffer.lineStart(line)..<buffer.lineEndIncludingTerminator(line)
        case .paragraph:
            let line = buffer.lineNumber(at: offset)
            let isFirst = line == 0 || buffer.isBlank(line - 1)
            let start = isFirst ? buffer.lineStart(line) : buffer.paragraphStart(before: buffer.lineStart(line))
            let textStart =
                buffer.isBlank(buffer.lineNumber(at: start)) && !isFirst
                ? buffer.lineStart(buffer.lineNumber(at: start) + 1) : start
            return textStart..<max(textStart, buffer.paragraphEnd(after: offset))
        }
    }

    /// The lines that the selection touches, except a last line at whose start the selection ends.
    public var selectedLines: ClosedRange<LineNumber> { buffer.lines(touchedBy: selection.range) }

    /// The lines of all carets and selections, in ascending order.
    var linesOfCarets: [LineNumber] {
        if others.isEmpty { return selectedLines.numbers }
        var lines: [LineNumber] = []
        for selection in selections {
            let touched = buffer.lines(touchedBy: selection.range).numbers
            lines += lines.last == touched.first ? Array(touched.dropFirst()) : touched
        }
        return lines
    }
}

extension TextBuffer {
    /// The lines that a range touches, except a last line at whose start the range ends.
    func lines(touchedBy range: Range<ByteOffset>) -> ClosedRange<LineNumber> {
        let first = lineNumber(at: range.lowerBound)
        let last = lineNumber(at: range.upperBound)
        return last > first && lineStart(last) == range.upperBound ? first...last - 1 : first...last
    }
}
