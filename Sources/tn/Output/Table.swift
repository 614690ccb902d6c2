import Rainbow
import Terminal

/// A table for people: aligned and coloured on a terminal, separated by tabs in a pipe.
///
/// On a terminal, the last column is cut to the terminal's width, or wrapped where all of it matters. Control characters
/// are always made visible, so that a row stays a row.
struct Table {
    enum Look { case plain, dim, bold }

    private let looks: [Look]
    private let wraps: Bool
    private var rows: [[String]] = []
    /// The maximum width of a column in cells, except for the last; chosen by eye, for titles.
    private static let maximumColumnWidth = 40
    /// The minimum width in cells to which the last column is wrapped; chosen by eye.
    private static let minimumWrappedWidth = 16
    /// The separator between two columns.
    private static let gap = "  "

    /// - Parameters:
    ///   - looks: one for each column.
    ///   - wraps: whether the last column goes on in lines below instead of being cut, as advice and paths must.
    init(_ looks: Look..., wraps: Bool = false) {
        self.looks = looks
        self.wraps = wraps
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
        for row in rows { try lines(row, widths).forEach { try StandardOutput.write(line: $0) } }
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

    private func lines(_ row: [String], _ widths: [Int]) -> [String] {
        var cells = zip(zip(row, widths), looks).dropLast().map { cell, look in
            styled(cell.0.fitted(toColumns: cell.1), look)
        }
        let indent = widths.dropLast().reduce(0) { $0 + $1 + Self.gap.count }
        let left = StandardOutput.columns - indent
        guard let last = row.last, let look = looks.last else { return [] }
        let parts = wraps ? last.wrapped(toColumns: max(left, Self.minimumWrappedWidth)) : [last.cut(toColumns: left)]
        cells.append(styled(parts[0], look))
        let below = parts.dropFirst().map { String(repeating: " ", count: indent) + styled($0, look) }
        return [cells.joined(separator: Self.gap)] + below
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

    /// Returns the text broken at blanks into one or more lines; a word that is wider than a line is kept whole.
    func wrapped(toColumns columns: Int) -> [String] {
        var lines = [""]
        var used = 0
        for (index, word) in split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            let width = TextWidth.shared.width(of: String(word))
            if index > 0, used + 1 + width > columns {
                lines.append(String(word))
                used = width
            } else {
                lines[lines.count - 1] += (index > 0 ? " " : "") + word
                used += width + (index > 0 ? 1 : 0)
            }
        }
        return lines
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
