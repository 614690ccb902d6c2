import Rainbow
import Terminal

/// A table for people: aligned and coloured on a terminal, separated by tabs in a pipe.
///
/// On a terminal, the last column is cut to the terminal's width. Control characters are always made visible, so that a
/// row stays a row.
struct Table {
    enum Look { case plain, dim, bold }

    private let looks: [Look]
    private var rows: [[String]] = []
    /// The maximum width of a column in cells, except for the last; chosen by eye, for titles.
    private static let maximumColumnWidth = 40
    /// The separator between two columns.
    private static let gap = "  "

    /// - Parameter looks: one for each column.
    init(_ looks: Look...) {
        self.looks = looks
    }

    mutating func add(_ cells: String...) { add(cells) }

    mutating func add(_ cells: [String]) {
        rows.append(cells.map { Sanitizer.visible($0) })
    }

    func write() throws {
        guard StandardOutput.isTerminal else {
            for row in rows { try StandardOutput.write(line: row.joined(separator: "\t")) }
            return
        }
        StandardOutput.guessWidths()
        let widths = widths()
        for row in rows { try StandardOutput.write(line: line(row, widths)) }
    }

    /// Returns the column widths; if the columns before the last are together wider than the terminal, the widest are
    /// reduced.
    private func widths() -> [Int] {
        var widths = looks.indices.map { column in
            min(rows.map { TextWidth.shared.width(of: $0[column]) }.max() ?? 0, Self.maximumColumnWidth)
        }
        let excess = widths.dropLast().reduce(-StandardOutput.columns) { $0 + $1 + Self.gap.count }
        for _ in 0..<max(0, excess) {
            guard let widest = widths.indices.dropLast().max(by: { widths[$0] < widths[$1] }), widths[widest] > 1
            else { break }
            widths[widest] -= 1
        }
        return widths
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        var cells: [String] = []
        var left = StandardOutput.columns
        for (column, cell) in row.enumerated() {
            let isLast = column == row.count - 1
            let text = isLast ? cell.cut(toColumns: left) : cell.fitted(toColumns: widths[column])
            cells.append(styled(text, looks[column]))
            left -= widths[column] + Self.gap.count
        }
        return cells.joined(separator: Self.gap)
    }

    private func styled(_ text: String, _ look: Look) -> String {
        guard StandardOutput.wantsColor, !text.isEmpty else { return text }
        return switch look {
        case .plain: text
        case .dim: text.dim
        case .bold: text.bold
        }
    }
}

extension String {
    /// Returns the text, or if it is too wide, its beginning with an ellipsis.
    func cut(toColumns columns: Int) -> String {
        guard TextWidth.shared.width(of: self) > columns else { return self }
        var kept = ""
        var used = 1
        for character in self {
            used += TextWidth.shared.width(of: character)
            guard used <= columns else { break }
            kept.append(character)
        }
        return columns > 0 ? kept + "…" : ""
    }

    /// Returns the text, cut or padded with blanks to exactly this width.
    func fitted(toColumns columns: Int) -> String {
        let text = cut(toColumns: columns)
        return text + String(repeating: " ", count: max(0, columns - TextWidth.shared.width(of: text)))
    }
}

extension String {
    /// The text with control characters made visible.
    var visible: String { Sanitizer.visible(self) }
}
