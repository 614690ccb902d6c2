import TextPrimitives

extension PreviewBuilder {
    /// A row of a table.
    private struct Row {
        let block: BlockNode
        var cells: [[PreviewAtom]] = []
    }

    /// Builds a table with aligned columns; cells that are too wide are wrapped in their column.
    ///
    /// A table with too many columns for that becomes wider than the layout if the reader can scroll sideways.
    /// Otherwise it is drawn row by row: a line for each cell, with its column's name.
    mutating func buildTable(_ index: Int, _ content: Bytes) {
        var rows: [Row] = []
        var alignments: [TableAlignment] = []
        var current = index + 1
        let end = document.subtreeEnd(index)
        while current < end {
            let block = document.blocks[current]
            current += 1
            var row = Row(block: block)
            while current < end, document.blocks[current].kind == .tableCell {
                let cell = document.blocks[current]
                row.cells.append(atoms(of: cell, content, base: cell.flag ? [.table, .strong] : .table))
                if block.flag { alignments.append(TableAlignment(rawValue: cell.detail) ?? .none) }
                current += 1
            }
            rows.append(row)
        }
        let wrappers = rows.map { $0.cells.map { WordWrapper($0, look.cellWidth) } }
        let room = availableColumns - 3 * max(alignments.count - 1, 0)
        if look.glyphs.listsTables { return buildRecords(rows) }
        let fitting = TableWidths.fit(wrappers, in: room)
        guard let widths = fitting ?? (look.scrolls ? TableWidths.natural(wrappers) : nil) else {
            return buildRecords(rows)
        }
        let isWide = fitting == nil
        for (row, cells) in zip(rows, wrappers) {
            emitRow(cells, widths, alignments, row, isWide: isWide)
            if row.block.flag { emitSeparator(widths, Int(row.block.firstLine), isWide: isWide) }
        }
    }

    /// Emits a line `Name: text` for each cell, and a rule between rows.
    private mutating func buildRecords(_ rows: [Row]) {
        guard let header = rows.first, rows.count > 1 else {
            for cell in rows.first?.cells ?? [] { emitRecord(cell) }
            return
        }
        for (number, row) in rows.dropFirst().enumerated() {
            if number > 0 { emitSeparator([availableColumns], Int(row.block.firstLine)) }
            for (name, cell) in zip(header.cells, row.cells) where !cell.isEmpty {
                guard !name.isEmpty else {
                    emitRecord(cell)
                    continue
                }
                let colon = PreviewAtom(
                    text: ": ", kind: [.table, .marker], sourceLine: Int(row.block.firstLine), source: cell[0].source)
                // The column's name has the source position of the cell, too.
                let named = name.map { atom in
                    var atom = atom
                    (atom.sourceLine, atom.source) = (colon.sourceLine, colon.source)
                    return atom
                }
                emitRecord(named + [colon] + cell)
            }
        }
    }

    private mutating func emitRecord(_ atoms: [PreviewAtom]) {
        var indent = 0
        WordWrapper(atoms, look.cellWidth).forEachLine(columns: max(availableColumns - 2, 1)) { line in
            var line = line
            if indent > 0 { line.runs.insert(PreviewLayout.Run(String(repeating: " ", count: indent), .table), at: 0) }
            indent = min(2, availableColumns - 1)
            emit(line)
        }
    }

    private mutating func emitRow(
        _ cells: [WordWrapper], _ widths: [Int], _ alignments: [TableAlignment], _ row: Row, isWide: Bool
    ) {
        let columns = zip(cells, widths).map { $0.lines(columns: $1) }
        for height in 0..<max(columns.map(\.count).max() ?? 0, 1) {
            var line = PreviewLayout.Line(sourceLine: Int(row.block.firstLine))
            line.sourceOffset = lineStart(line.sourceLine)
            line.isWide = isWide
            for column in columns.indices {
                if column > 0 { line.runs.append(PreviewLayout.Run(" \(look.glyphs.vertical) ", [.table, .marker])) }
                let runs = height < columns[column].count ? columns[column][height].runs : []
                let free = max(widths[column] - runs.reduce(0) { $0 + look.cellWidth.cells(of: $1.text) }, 0)
                let left = alignments[column] == .right ? free : alignments[column] == .center ? free / 2 : 0
                if left > 0 { line.runs.append(PreviewLayout.Run(String(repeating: " ", count: left), .table)) }
                line.runs += runs
                let right = free - left
                if right > 0, column + 1 < columns.count {
                    line.runs.append(PreviewLayout.Run(String(repeating: " ", count: right), .table))
                }
            }
            emit(line)
        }
    }

    private mutating func emitSeparator(_ widths: [Int], _ source: Int, isWide: Bool = false) {
        var line = PreviewLayout.Line(sourceLine: source)
        line.isWide = isWide
        let text = widths.map { String(repeating: look.glyphs.horizontal, count: $0) }
            .joined(separator: look.glyphs.horizontal + look.glyphs.cross + look.glyphs.horizontal)
        line.runs = [PreviewLayout.Run(text, [.table, .marker])]
        emit(line)
    }
}

enum TableWidths {
    /// The number of cells above which a word may be broken to make a table fit; chosen by eye.
    private static let wordWidthLimit = 12

    /// The greatest width of a column in a table that scrolls, above which cells are wrapped; chosen by eye.
    private static let maximumColumnWidth = 40

    /// The column widths in cells of a table whose total width is not limited.
    static func natural(_ rows: [[WordWrapper]]) -> [Int] {
        (0..<(rows.map(\.count).max() ?? 0)).map { column in
            let widest = rows.map { column < $0.count ? $0[column].naturalWidth : 0 }.max() ?? 0
            return min(max(widest, 1), maximumColumnWidth)
        }
    }

    /// The column widths in cells: the natural width of each column if there is room, otherwise less for the widest
    /// ones.
    ///
    /// Nil for a table of several columns that does not fit without breaking words of up to `wordWidthLimit` cells.
    static func fit(_ rows: [[WordWrapper]], in columns: Int) -> [Int]? {
        let count = rows.map(\.count).max() ?? 0
        func widest(_ width: (WordWrapper) -> Int) -> [Int] {
            (0..<count).map { column in max(rows.map { column < $0.count ? width($0[column]) : 0 }.max() ?? 0, 1) }
        }
        let natural = widest(\.naturalWidth)
        guard natural.reduce(0, +) > columns else { return natural }
        guard count > 1 else { return [max(columns, 1)] }
        let least = widest { min($0.longestWord, wordWidthLimit) }
        guard least.reduce(0, +) <= columns else { return nil }
        // Find the greatest width that no column exceeds unless its words need it; then distribute the remaining cells.
        var most = 1
        func widths() -> [Int] { zip(natural, least).map { max($1, min($0, most)) } }
        while widths().reduce(0, +) <= columns { most += 1 }
        most -= 1
        var result = widths()
        var left = columns - result.reduce(0, +)
        for column in result.indices.reversed() where left > 0 && result[column] == most && natural[column] > most {
            result[column] += 1
            left -= 1
        }
        return result
    }
}
