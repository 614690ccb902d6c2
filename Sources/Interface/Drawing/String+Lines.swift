import Terminal

extension String {
    /// Wraps the text between words into lines of at most `columns` cells; the caller must cut a longer word.
    func lines(fitting columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if TextWidth.shared.width(of: longer) <= columns || line.isEmpty {
                line = longer
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Cuts the text into rows of at most `columns` cells, wherever that is; no character is left out.
    func rows(of columns: Int) -> [String] {
        var rows: [String] = []
        var (row, used) = ("", 0)
        for character in self {
            let width = TextWidth.shared.width(of: String(character))
            if used + width > columns, !row.isEmpty {
                rows.append(row)
                (row, used) = ("", 0)
            }
            row.append(character)
            used += width
        }
        return rows + [row]
    }
}
