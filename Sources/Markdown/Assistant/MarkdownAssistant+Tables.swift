import TextPrimitives

extension MarkdownAssistant {
    /// Handles Tab and Shift-Tab in a table: aligns its columns and moves to the next or previous cell.
    ///
    /// After the last cell, it adds a row. `cellWidth` measures the screen width of characters.
    ///
    /// - Parameters:
    ///   - selects: whether to select the text of that cell, as after a cell whose text was selected.
    ///   - placeholders: texts that are selected in any case, since they are there to be replaced.
    public static func nextCell(
        in lines: some LineSource, at caret: LinePosition, backwards: Bool = false, selects: Bool = false,
        placeholders: [String] = [], cellWidth: CellWidth
    ) -> AssistantEdit? {
        guard var table = EditedTable(around: caret.line, in: lines) else { return nil }
        var (row, column) = table.cell(at: caret, in: lines)
        column += backwards ? -1 : 1
        while column < 0 || column >= table.columnCount || row == 1 {
            if column < 0 {
                row -= 1
                column = table.columnCount - 1
            } else if column >= table.columnCount {
                row += 1
                column = 0
            } else {
                row += backwards ? -1 : 1
            }
            guard row >= 0 else { return nil }
        }
        if row == table.rows.count { table.addRow() }
        var edit = table.edit(in: lines, cellWidth, caretRow: row, column)
        guard table.rows[row].indices.contains(column) else { return edit }
        let text = table.rows[row][column]
        if selects || placeholders.contains(text) {
            edit.anchor = LinePosition(line: edit.caret.line, byte: edit.caret.byte - text.utf8.count)
        }
        return edit
    }

    /// Moves to the cell below, in a new row after the last one; removes an empty last row instead and leaves the
    /// table.
    ///
    /// Returns nil outside the cells, at the start of a row or after its last bar, where Enter begins a new line.
    public static func cellBelow(
        in lines: some LineSource, at caret: LinePosition, cellWidth: CellWidth
    ) -> AssistantEdit? {
        guard var table = EditedTable(around: caret.line, in: lines), table.hasCell(at: caret, in: lines) else {
            return nil
        }
        let column = table.cell(at: caret, in: lines).column
        var row = caret.line - table.firstLine
        guard row < table.rows.count else { return nil }
        if row > 1, row == table.rows.count - 1, table.rows[row].allSatisfy(\.isEmpty) {
            // The blank line ends the table; without it the next text would be a row.
            var edit = AssistantEdit(caret: LinePosition(line: caret.line + 1, byte: 0))
            edit.replace(caret.line, 0..<lines.length(of: caret.line), with: "\n")
            return edit
        }
        row = max(2, row + 1)
        if row == table.rows.count { table.addRow() }
        return table.edit(in: lines, cellWidth, caretRow: row, column)
    }

    /// Aligns the columns of the table at `line` when the caret leaves its row; nil if they are aligned already.
    public static func alignTable(
        at line: Int, in lines: some LineSource, caret: LinePosition, cellWidth: CellWidth
    ) -> AssistantEdit? {
        guard let table = EditedTable(around: line, in: lines) else { return nil }
        var edit = table.edit(in: lines, cellWidth, caretRow: nil, 0)
        edit.caret = caret
        edit.anchor = caret
        return edit.replacements.isEmpty ? nil : edit
    }
}

/// The cells of a table that is being edited.
///
/// Row 1 is the delimiter row.
private struct EditedTable {
    let firstLine: Int
    let indent: String
    private(set) var rows: [[String]]
    /// The number of rows that are lines of the text; further rows have been added.
    private let lineCount: Int
    let alignments: [TableAlignment]

    var columnCount: Int { alignments.count }

    /// Finds the table that contains `line`: the lines with pipes around it, the second of which is a delimiter row.
    init?(around line: Int, in lines: some LineSource) {
        func isRow(_ index: Int) -> Bool {
            lines.withLine(index) { $0.firstOffset(of: Byte.pipe, from: 0, to: $0.count) != nil }
        }
        guard line < lines.lineCount, isRow(line) else { return nil }
        var first = line
        while first > max(0, line - MarkdownAssistant.scanLimit), isRow(first - 1) { first -= 1 }
        // A line of text with a pipe may be directly above the header.
        let header = (first...line + 1).first { candidate in
            candidate + 1 < lines.lineCount
                && lines.withLine(candidate + 1) { TableRows.alignments($0, from: $0.textStart) != nil }
        }
        guard let header, header <= line else { return nil }
        alignments = lines.withLine(header + 1) { TableRows.alignments($0, from: $0.textStart) } ?? []
        firstLine = header
        indent = lines.withLine(header) { String(decoding: $0[..<$0.textStart], as: UTF8.self) }
        rows = []
        var current = header
        while current < min(lines.lineCount, header + MarkdownAssistant.scanLimit), isRow(current) {
            rows.append(lines.withLine(current) { Self.cells($0) })
            current += 1
        }
        lineCount = rows.count
    }

    private static func cells(_ bytes: Bytes) -> [String] {
        var cells: [String] = []
        TableRows.forEachCell(bytes, from: bytes.textStart, to: bytes.count) {
            cells.append(String(decoding: bytes[$0], as: UTF8.self))
        }
        return cells
    }

    func cell(at caret: LinePosition, in lines: some LineSource) -> (row: Int, column: Int) {
        let column = lines.withLine(caret.line) { bytes -> Int in
            let start = bytes.textStart
            var pipes = 0
            var offset = start
            while offset < min(caret.byte, bytes.count) {
                if bytes[offset] == Byte.pipe, offset > start { pipes += 1 }
                offset += TableRows.isEscapedPipe(bytes, at: offset, to: bytes.count) ? 2 : 1
            }
            return pipes
        }
        return (caret.line - firstLine, min(column, columnCount - 1))
    }

    /// Returns whether a position is inside the row's text, neither at its start nor at its end.
    func hasCell(at caret: LinePosition, in lines: some LineSource) -> Bool {
        lines.withLine(caret.line) { bytes in
            let start = bytes.textStart
            var end = bytes.count
            while end > start, bytes[end - 1] == Byte.space || bytes[end - 1] == Byte.tab { end -= 1 }
            return caret.byte > start && caret.byte < end
        }
    }

    mutating func addRow() {
        rows.append(Array(repeating: "", count: columnCount))
    }

    /// The edit that replaces the changed lines and puts the caret at the end of a cell's text.
    func edit(
        in lines: some LineSource, _ cellWidth: CellWidth, caretRow: Int?, _ caretColumn: Int
    ) -> AssistantEdit {
        let widths = (0..<columnCount).map { column in
            rows.indices.reduce(3) { width, row in
                row == 1 || column >= rows[row].count ? width : max(width, cellWidth.cells(of: rows[row][column]))
            }
        }
        var edit = AssistantEdit(caret: LinePosition(line: firstLine, byte: 0))
        for row in rows.indices {
            let (text, caret) = render(row, widths, cellWidth, caretColumn)
            let line = firstLine + row
            if row == caretRow { edit.caret = LinePosition(line: line, byte: caret) }
            if row < lineCount {
                let length = lines.length(of: line)
                if lines.text(of: line, 0..<length) != text { edit.replace(line, 0..<length, with: text) }
            } else {
                let end = lines.length(of: line - 1)
                // The added row becomes part of the replacement of the row before it, if there is one.
                if let last = edit.replacements.last, last.end == LinePosition(line: line - 1, byte: end) {
                    edit.replacements[edit.replacements.count - 1].text += "\n" + text
                } else {
                    edit.replace(line - 1, end..<end, with: "\n" + text)
                }
            }
        }
        edit.anchor = edit.caret
        return edit
    }

    private func render(
        _ row: Int, _ widths: [Int], _ cellWidth: CellWidth, _ caretColumn: Int
    ) -> (text: String, caret: Int) {
        var text = indent + "|"
        var caret = 0
        for column in 0..<columnCount {
            if row == 1 {
                text += " " + delimiter(alignments[column], widths[column]) + " |"
                continue
            }
            let cell = column < rows[row].count ? rows[row][column] : ""
            let free = max(widths[column] - cellWidth.cells(of: cell), 0)
            let left = alignments[column] == .right ? free : alignments[column] == .center ? free / 2 : 0
            text += " " + String(repeating: " ", count: left) + cell
            if column == caretColumn { caret = text.utf8.count }
            text += String(repeating: " ", count: free - left) + " |"
        }
        // A renderer does not show cells beyond the header's columns, but they are the user's text and are kept.
        if row != 1 { for cell in rows[row].dropFirst(columnCount) { text += " " + cell + " |" } }
        return (text, caret)
    }

    private func delimiter(_ alignment: TableAlignment, _ width: Int) -> String {
        let isLeft = alignment == .left || alignment == .center
        let isRight = alignment == .right || alignment == .center
        let dashes = String(repeating: "-", count: width - (isLeft ? 1 : 0) - (isRight ? 1 : 0))
        return (isLeft ? ":" : "") + dashes + (isRight ? ":" : "")
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The offset of the first byte that is neither a space nor a tab.
    fileprivate var textStart: Int { LinkParts.skipBlanks(self, from: 0, to: count) }
}
