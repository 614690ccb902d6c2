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

    /// Wraps the text between words into lines of at most `columns` cells; a longer word, such as a path, is broken where
    /// its line ends, and nothing of it is left out.
    func wholeLines(fitting columns: Int) -> [String] { lines(fitting: columns).flatMap { $0.rows(of: columns) } }

    /// Returns the text with the end of its longest quotation left out, as little of it as fits.
    ///
    /// A text without a quotation, or one that does not fit even without it, is returned as it is.
    ///
    ///     “A very long title” is in the Trash  ->  “A very…” is in the Trash
    func shorteningQuotation(until fits: (String) -> Bool) -> String {
        guard !fits(self), let title = longestQuotation else { return self }
        let (head, tail) = (self[..<title.lowerBound], self[title.upperBound...])
        let characters = Array(self[title])
        func shortened(to count: Int) -> String {
            let kept = characters.prefix(count).reversed().drop { $0 == " " }.reversed()
            return "\(head)\(String(kept))…\(tail)"
        }
        guard fits(shortened(to: 1)) else { return self }
        // One character fits, and all of them do not; the last number that fits lies between.
        var (count, tooMany) = (1, characters.count)
        while tooMany - count > 1 {
            let middle = (count + tooMany) / 2
            if fits(shortened(to: middle)) { count = middle } else { tooMany = middle }
        }
        return shortened(to: count)
    }

    /// The range of the longest text between quotation marks.
    private var longestQuotation: Range<Index>? {
        var quotations: [Range<Index>] = []
        var start: Index?
        for index in indices {
            if self[index] == "“" { start = start ?? self.index(after: index) }
            if self[index] == "”", let first = start {
                quotations.append(first..<index)
                start = nil
            }
        }
        return quotations.max { self[$0].count < self[$1].count }
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
