extension PreviewBuilder {
    /// A table with its columns aligned; cells that are too wide are wrapped in their column.
    mutating func buildTable(_ index: Int, _ content: Bytes) {
        var rows: [(block: BlockNode, cells: [WordWrapper])] = []
        var alignments: [TableAlignment] = []
        var current = index + 1
        let end = document.subtreeEnd(index)
        while current < end {
            let row = document.blocks[current]
            var cells: [WordWrapper] = []
            current += 1
            while current < end, document.blocks[current].kind == .tableCell {
                let cell = document.blocks[current]
                let base: SpanKind = cell.flag ? [.table, .strong] : .table
                cells.append(WordWrapper(atoms(of: cell, content, base: base), measure))
                if row.flag { alignments.append(TableAlignment(rawValue: cell.detail) ?? .none) }
                current += 1
            }
            rows.append((row, cells))
        }
        let widths = TableWidths.fit(rows.map(\.cells), in: availableColumns - 3 * max(alignments.count - 1, 0))
        for row in rows {
            emitRow(row.cells, widths, alignments, Int(row.block.firstLine))
            if row.block.flag { emitSeparator(widths, Int(row.block.firstLine)) }
        }
    }

    private mutating func emitRow(
        _ cells: [WordWrapper], _ widths: [Int], _ alignments: [TableAlignment], _ source: Int
    ) {
        let columns = zip(cells, widths).map { $0.lines(columns: $1) }
        for height in 0..<max(columns.map(\.count).max() ?? 0, 1) {
            var line = PreviewLayout.Line(sourceLine: source)
            for column in columns.indices {
                if column > 0 { line.runs.append(PreviewLayout.Run(" \(glyphs.vertical) ", [.table, .marker])) }
                let runs = height < columns[column].count ? columns[column][height].runs : []
                let free = max(widths[column] - runs.reduce(0) { $0 + measure.width($1.text) }, 0)
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

    private mutating func emitSeparator(_ widths: [Int], _ source: Int) {
        var line = PreviewLayout.Line(sourceLine: source)
        let text = widths.map { String(repeating: glyphs.horizontal, count: $0) }
            .joined(separator: glyphs.horizontal + glyphs.cross + glyphs.horizontal)
        line.runs = [PreviewLayout.Run(text, [.table, .marker])]
        emit(line)
    }
}

enum TableWidths {
    /// Widths of the columns in cells: what each needs if there is room, else less for the widest ones.
    static func fit(_ rows: [[WordWrapper]], in columns: Int) -> [Int] {
        let count = rows.map(\.count).max() ?? 0
        var widths = (0..<count).map { column in
            max(rows.map { column < $0.count ? $0[column].naturalWidth : 0 }.max() ?? 0, 1)
        }
        var excess = widths.reduce(0, +) - max(columns, count)
        while excess > 0, let widest = widths.max(), widest > 1 {
            let second = widths.filter { $0 < widest }.max() ?? 1
            let wide = widths.indices.filter { widths[$0] == widest }
            let cut = min(excess, max((widest - second) * wide.count, 1))
            for (offset, column) in wide.enumerated() {
                widths[column] -= cut / wide.count + (offset < cut % wide.count ? 1 : 0)
            }
            excess -= cut
        }
        return widths.map { max($0, 1) }
    }
}
