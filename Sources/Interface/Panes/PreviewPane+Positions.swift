import Markdown
import Terminal
import TextEditing

/// The mapping between the drawn cells and the source.
extension PreviewPane {
    /// The mark of the lines in sight; nil if all are.
    var mark: ScrollMark? { ScrollMark(top: top, room: rows, count: layout?.lines.count ?? 0) }

    /// How much of the text is above the end of the pane, in per cent, as pagers count it; nil if all of it is in sight.
    ///
    /// If only a part of the text is laid out, bytes are counted instead of lines.
    var percentRead: Int? {
        guard let layout, part != nil || layout.lines.count > rows else { return nil }
        let end = top + rows
        guard let part else { return min(end, layout.lines.count) * 100 / layout.lines.count }
        if end >= layout.lines.count, part.upperBound >= sourceLength { return 100 }
        return min(99, position(ofLine: end).byte * 100 / max(sourceLength, 1))
    }

    /// Whether the first visible line is a heading with this title, or with the beginning of it if it wraps.
    func showsHeading(_ title: String) -> Bool {
        guard let line = layout?.lines[safe: top], line.runs.contains(where: { $0.kind.headingLevel != nil }) else {
            return false
        }
        var words = line.text.drop { !$0.isLetter && !$0.isNumber }
        while words.last?.isWhitespace == true { words.removeLast() }
        let all = title.drop { !$0.isLetter && !$0.isNumber }
        return !words.isEmpty && all.hasPrefix(words)
    }

    /// Returns the number of lines from the one that shows a line of the source to the end.
    func lineCount(fromSourceLine line: Int) -> Int {
        layout.map { $0.lines.count - (firstText(ofSourceLine: line) ?? 0) } ?? 0
    }

    /// Returns the first line with text that shows a line of the source: the blank one above a block belongs to it too.
    func firstText(ofSourceLine line: Int) -> Int? {
        guard let layout else { return nil }
        let start = layout.line(ofSource: line)
        return layout.lines.indices[start...].first { layout.lines[$0].sourceOffset != nil } ?? start
    }

    /// Returns the byte of the source that is drawn at a cell, or that of the nearest text above it.
    ///
    /// A line stores only the byte of its first word. From there, the drawn characters are searched for in the source
    /// one after the other, and the source between them is markup.
    ///
    /// - Returns: nil before anything has been laid out.
    func byte(column: Int, row: Int, in source: TextBuffer) -> Int? {
        guard let lines = layout?.lines, !lines.isEmpty else { return nil }
        let index = min(top + max(row, 0), lines.count - 1)
        guard let found = (0...index).last(where: { lines[$0].sourceOffset != nil }),
            let start = lines[found].sourceOffset, start < source.utf8Count
        else { return 0 }
        let column = found < index || row > index - top ? Int.max : lines[found].isWide ? column + leftColumn : column
        let end = min(source.utf8Count, start + Self.maximumSourceLength)
        let from = source.characterBoundary(atOrBefore: ByteOffset(start))
        let text = source.string(in: from..<source.characterBoundary(atOrBefore: ByteOffset(end)))
        return from.rawValue + Self.offset(of: column, in: lines[found].text, drawnFrom: text)
    }

    /// The largest number of bytes of the source that are searched for a line: a row of cells with very long addresses.
    private static let maximumSourceLength = 8_192
    /// The largest number of characters of markup between two drawn characters; a character not found within it was
    /// added by the layout.
    private static let maximumMarkupLength = 512

    /// Returns the offset in bytes in `source` of the character drawn at a column of `line`; `source` begins with the
    /// line's first word.
    ///
    ///     "• one two", column 6, from "one *two*"  ->  5
    static func offset(of column: Int, in line: String, drawnFrom source: String) -> Int {
        var (index, cell) = (source.startIndex, 0)
        var isText = false
        for character in line {
            let width = TextWidth.shared.width(of: String(character))
            // Bullets, bars and numbers before the first word are not in the source, which begins with that word.
            if !isText { isText = character == source.first || character.isLetter }
            guard isText else {
                cell += width
                if cell > column { return 0 }
                continue
            }
            let found = source[index...].prefix(maximumMarkupLength).firstIndex(of: character)
            if cell + width > column {
                return source.utf8.distance(from: source.startIndex, to: found ?? index)
            }
            cell += width
            if let found { index = source.index(after: found) }
        }
        return source.utf8.distance(from: source.startIndex, to: index)
    }
}
