import TextEditing

/// Columns and characters of lines.
extension VimMachine {
    /// Reads the text as far as motions reach.
    var reader: TextReader { TextReader(text, end: text.lineEnd(max(lastAddressed, line(caret)))) }

    /// The last line of the text, which may be the empty one after a final line feed.
    var lastLine: LineNumber { LineNumber(text.lineCount - 1) }
    /// The last line that motions, ranges and commands reach.
    ///
    /// The caret may still be below it, in the empty line after a final line feed.
    var lastAddressed: LineNumber {
        configuration.omitsLineAfterEnd && lastLine > 0 && text.lineRange(lastLine).isEmpty ? lastLine - 1 : lastLine
    }
    /// The last visible line that motions reach; the first visible one if they reach none.
    var lastVisible: LineNumber { max(min(view.lines.upperBound, lastAddressed), view.lines.lowerBound) }

    /// The line break of the caret's line, which new lines there get too.
    var lineBreak: String { text.lineBreak(near: line(caret)) }

    func line(_ position: ByteOffset) -> LineNumber { text.lineNumber(at: position) }
    func lineStart(_ position: ByteOffset) -> ByteOffset { text.lineStart(line(position)) }
    func lineEnd(_ position: ByteOffset) -> ByteOffset { text.lineEnd(line(position)) }

    /// Returns the position of a line's first non-blank character, or of its last character if the line is blank.
    func firstNonBlank(of line: LineNumber) -> ByteOffset { onCharacter(text.indentEnd(of: line)) }

    /// Returns the position, or that of the line's last character if the position is at the end of a line that is not
    /// empty.
    ///
    /// The command after Ctrl-O is an exception, which may leave the caret at the end of a line.
    func onCharacter(_ position: ByteOffset) -> ByteOffset {
        let position = min(position, text.end)
        if returnsToInsert != nil { return position }
        let range = text.lineRange(line(position))
        guard position >= range.upperBound, !range.isEmpty else { return position }
        return text.characterStart(before: range.upperBound)
    }

    /// Returns the column of the character at a position, in cells from the start of its line, and the character's
    /// width.
    func cells(at position: ByteOffset) -> (start: Int, width: Int) {
        let start = lineStart(position)
        var found = (start: 0, width: 1)
        walkCells(from: start, to: lineEnd(position)) { offset, column, width in
            found = (column, width)
            return offset < position
        }
        if position >= lineEnd(position) { found = (found.start + (lineEnd(position) > start ? found.width : 0), 1) }
        return found
    }

    /// Returns the column that vertical motions from a position aim for: the last column of a tab, or the first one of
    /// any other character.
    func column(of position: ByteOffset) -> Int {
        let cells = cells(at: position)
        let isTab = text.byte(at: position) == 0x09
        return isTab && !mode.isVisual && mode != .insert ? cells.start + cells.width - 1 : cells.start
    }

    /// Returns the position of the character that covers a column, limited to the line's last character or, with
    /// `pastEnd`, to its end.
    func position(column: Int, in line: LineNumber, pastEnd: Bool = false) -> ByteOffset {
        let range = text.lineRange(line)
        var found: ByteOffset?
        if column != .max {
            walkCells(from: range.lowerBound, to: range.upperBound) { offset, start, width in
                if column < start + width { found = offset }
                return found == nil
            }
        }
        return found ?? (pastEnd ? range.upperBound : onCharacter(range.upperBound))
    }

    /// Returns the width in cells of a text that starts at a column.
    func width(of text: String, from column: Int = 0) -> Int {
        var end = column
        for character in text { end += width(of: character, at: end) }
        return end - column
    }

    private func width(of character: Character, at column: Int) -> Int {
        if character == "\t" { return configuration.tabWidth - column % configuration.tabWidth }
        if character.isASCII { return 1 }
        return configuration.cellWidth.cells(of: character)
    }

    /// Calls `body` with the position, the column and the width of each character in a range until it returns false.
    func walkCells(from start: ByteOffset, to end: ByteOffset, _ body: (ByteOffset, Int, Int) -> Bool) {
        guard start < end else { return }
        var (position, column) = (start, 0)
        for character in text.string(in: start..<end) {
            let width = width(of: character, at: column)
            guard body(position, column, width) else { return }
            position += character.utf8.count
            column += width
        }
    }

    /// Returns the text of tabs that are typed at a column: blanks up to tab stops, if indents are spaces.
    func tabs(_ count: Int, from column: Int) -> String {
        guard configuration.usesSpaces else { return String(repeating: "\t", count: count) }
        let stop = configuration.tabWidth
        return String(repeating: " ", count: stop * count - column % stop)
    }

    /// Returns an indent of the given number of cells.
    func indent(cells: Int) -> String {
        if configuration.usesSpaces { return String(repeating: " ", count: max(0, cells)) }
        let tabs = max(0, cells) / configuration.tabWidth
        return String(repeating: "\t", count: tabs)
            + String(repeating: " ", count: max(0, cells) % configuration.tabWidth)
    }
}

extension String {
    /// Whether the text contains a line feed, alone or after a carriage return.
    var hasLineBreak: Bool { utf8.contains(0x0A) }

    /// Returns the text with all line breaks replaced.
    func with(lineBreak: String) -> String {
        guard hasLineBreak, lineBreak != "\n" || utf8.contains(0x0D) else { return self }
        return reduce(into: "") { $0 += $1 == "\n" || $1 == "\r\n" ? lineBreak : String($1) }
    }
}
