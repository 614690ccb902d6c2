import Markdown
import Terminal
import TextEditing

/// What of the source is drawn where.
extension PreviewPane {
    /// Whether the first line in sight is a heading of these words, or the beginning of a longer one.
    func showsHeading(_ title: String) -> Bool {
        guard let line = layout?.lines[safe: top], line.runs.contains(where: { $0.kind.headingLevel != nil }) else {
            return false
        }
        var words = line.text.drop { !$0.isLetter && !$0.isNumber }
        while words.last?.isWhitespace == true { words.removeLast() }
        let all = title.drop { !$0.isLetter && !$0.isNumber }
        return !words.isEmpty && all.hasPrefix(words)
    }

    /// The byte of the source that is drawn at a cell, or that of the nearest text above it.
    ///
    /// A line knows the byte of its first word alone. From there the characters drawn are looked for one after the other,
    /// and what lies between them in the source is markup.
    ///
    /// - Returns: nil before anything is laid out.
    func byte(column: Int, row: Int, in source: TextBuffer) -> Int? {
        guard let lines = layout?.lines, !lines.isEmpty else { return nil }
        let index = min(top + max(row, 0), lines.count - 1)
        guard let found = (0...index).last(where: { lines[$0].sourceOffset != nil }),
            let start = lines[found].sourceOffset, start < source.utf8Count
        else { return 0 }
        let column = found < index || row > index - top ? Int.max : lines[found].isWide ? column + leftColumn : column
        let end = min(source.utf8Count, start + Self.mostSource)
        let from = source.characterBoundary(atOrBefore: ByteOffset(start))
        let text = source.string(in: from..<source.characterBoundary(atOrBefore: ByteOffset(end)))
        return from.rawValue + Self.offset(of: column, in: lines[found].text, drawnFrom: text)
    }

    /// The most bytes of the source that are looked at for a line: a line of cells with the longest addresses between.
    private static let mostSource = 8_192
    /// The characters of markup between two that are drawn; what is drawn and further away is a sign of the layout's own.
    private static let mostMarkup = 512

    /// The offset in bytes in `source` of what is drawn at a column of `line`, whose first word `source` begins with.
    ///
    ///     "• one two", column 6, from "one *two*"  ->  5
    static func offset(of column: Int, in line: String, drawnFrom source: String) -> Int {
        var (place, cell) = (source.startIndex, 0)
        var isText = false
        for character in line {
            let width = TextWidth.shared.width(of: String(character))
            // Bullets, bars and numbers before the first word are not in the source from there on.
            if !isText { isText = character == source.first || character.isLetter }
            guard isText else {
                cell += width
                if cell > column { return 0 }
                continue
            }
            let found = source[place...].prefix(mostMarkup).firstIndex(of: character)
            if cell + width > column {
                return source.utf8.distance(from: source.startIndex, to: found ?? place)
            }
            cell += width
            if let found { place = source.index(after: found) }
        }
        return source.utf8.distance(from: source.startIndex, to: place)
    }
}
