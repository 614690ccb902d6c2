/// Tables: the last line of a paragraph is the header, and each line below is a row.
extension BlockTree {
    mutating func openTable(_ delimiters: Bytes, from start: Int) {
        alignments = TableRows.alignments(delimiters, from: start) ?? []
        missingCells = 0
        let paragraph = Int(leaf)
        let range = lastParagraphLine
        if range.lowerBound == Int(blocks[paragraph].start) {
            blocks[paragraph].kind = .table
        } else {
            // The lines before the header remain a paragraph.
            blocks[paragraph].end = Int32(range.lowerBound)
            closeLeaf()
            leaf = addBlock(.table)
            blocks[Int(leaf)].firstLine = lineNumber - 1
            // The header was the paragraph's last line until now, so there is no gap that would make a list loose.
            blocks[paragraph].lastLine = lineNumber - 2
        }
        addCells(range, isHeader: true)
        blocks[Int(leaf)].lastLine = lineNumber
    }

    mutating func addRow(_ bytes: Bytes, _ range: Range<Int>, isHeader: Bool) {
        let start = content.count
        appendContent(bytes, range)
        content.append(Byte.newline)
        addCells(start..<content.count - 1, isHeader: isHeader)
        blocks[Int(leaf)].lastLine = lineNumber
    }

    /// Adds a row whose text is already in `content`; the row is given as many cells as the header has.
    mutating func addCells(_ range: Range<Int>, isHeader: Bool) {
        open.append(leaf)
        let row = addBlock(.tableRow)
        open[open.count - 1] = row
        blocks[Int(row)].flag = isHeader
        var cells: [Range<Int>] = []
        content.withUnsafeBufferPointer {
            TableRows.forEachCell($0, from: range.lowerBound, to: range.upperBound) { cells.append($0) }
        }
        let missing = max(alignments.count - cells.count, 0)
        missingCells += missing
        allMissingCells += missing
        for column in alignments.indices {
            let cell = Int(addBlock(.tableCell))
            let text = column < cells.count ? unescapingPipes(cells[column]) : range.upperBound..<range.upperBound
            blocks[cell].start = Int32(text.lowerBound)
            blocks[cell].end = Int32(text.upperBound)
            blocks[cell].detail = alignments[column].rawValue
            blocks[cell].flag = isHeader
        }
        open.removeLast()
    }

    /// The cell's text with `\|` replaced by `|`, inside code too; if needed, a copy at the end of the content.
    mutating func unescapingPipes(_ range: Range<Int>) -> Range<Int> {
        var escapes: [Int] = []
        for offset in range.dropLast() where content[offset] == Byte.backslash && content[offset + 1] == Byte.pipe {
            escapes.append(offset)
        }
        guard !escapes.isEmpty else { return range }
        let start = content.count
        var from = range.lowerBound
        for end in escapes + [range.upperBound] {
            let source = SourceSegment.source(of: from, in: segments)
            segments.append(SourceSegment(content: Int32(content.count), source: Int32(source)))
            content.append(contentsOf: content[from..<end])
            from = end + 1
        }
        return start..<content.count
    }

    var lastParagraphLine: Range<Int> {
        let start = Int(blocks[Int(leaf)].start)
        let end = Int(blocks[Int(leaf)].end) - 1
        var lineStart = end
        while lineStart > start, content[lineStart - 1] != Byte.newline { lineStart -= 1 }
        return lineStart..<end
    }
}
