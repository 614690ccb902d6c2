import Terminal

extension String {
    /// Splits the string at ascending ranges of UTF-8 offsets; each piece tells whether it is in one of them.
    ///
    /// A character in which a range ends belongs to the range as a whole.
    func parts(marking ranges: [Range<Int>]) -> [(text: Substring, isMarked: Bool)] {
        var parts: [(Substring, Bool)] = []
        var start = startIndex
        for range in ranges {
            let from = Swift.max(start, index(ofCharacterAt: range.lowerBound))
            let to = index(ofCharacterAt: range.upperBound)
            if start < from { parts.append((self[start..<from], false)) }
            if from < to { parts.append((self[from..<to], true)) }
            start = Swift.max(start, to)
        }
        if start < endIndex { parts.append((self[start...], false)) }
        return parts
    }

    /// Returns the index of the first character that begins at or after a UTF-8 offset.
    func index(ofCharacterAt offset: Int) -> Index {
        var index = utf8.index(startIndex, offsetBy: offset, limitedBy: endIndex) ?? endIndex
        while Index(index, within: self) == nil { index = utf8.index(after: index) }
        return index
    }

    /// Splits the string as `parts(marking:)` does, for a row of `columns` cells in which the first marked piece must be
    /// seen.
    ///
    /// If it would not be, only the last words before it are kept, after an ellipsis.
    func parts(
        marking ranges: [Range<Int>], fitting columns: Int, ellipsis: Character
    ) -> [(text: Substring, isMarked: Bool)] {
        let parts = parts(marking: ranges)
        guard parts.count > 1, !parts[0].isMarked else { return parts }
        let (lead, width) = (parts[0].text, TextWidth.shared)
        let marked = width.width(of: parts[1].text)
        // A sign that the rest is left out takes one cell.
        guard width.width(of: lead) + marked > columns - 1 else { return parts }
        // The ellipsis takes a cell, and what follows the marked piece takes the rest of the row.
        let room = min(columns / 3, columns - marked) - 1
        var (start, used) = (lead.endIndex, 0)
        while start > lead.startIndex {
            let before = lead.index(before: start)
            used += width.width(of: lead[before..<start])
            if used > room { break }
            start = before
        }
        guard start > lead.startIndex else { return parts }
        if lead[lead.index(before: start)] != " ", let blank = lead[start...].firstIndex(of: " ") {
            start = lead.index(after: blank)
        }
        return [("\(ellipsis)\(lead[start...])", false)] + parts.dropFirst()
    }

    /// Wraps the text between words, and within a word that is too long.
    ///
    /// - Returns: the ranges of the rows in UTF-8 offsets, one after the other; one empty range for an empty text.
    func wrapped(into columns: Int) -> [Range<Int>] {
        var rows: [Range<Int>] = []
        var (start, offset, used) = (0, 0, 0)
        /// The offset after the last blank of the row, and the cells up to there.
        var gap: (offset: Int, used: Int)?
        for character in self {
            let width = TextWidth.shared.width(of: String(character))
            if used + width > columns, offset > start {
                let end = gap ?? (offset, used)
                rows.append(start..<end.offset)
                (start, used, gap) = (end.offset, used - end.used, nil)
            }
            offset += character.utf8.count
            used += width
            if character == " " { gap = (offset, used) }
        }
        return rows + [start..<offset]
    }
}
