import Terminal

extension Screen {
    /// Writes a row for a screen reader: a title, which is cut if there is no room, and words about it.
    ///
    /// A cut word would be spoken as nonsense, so if there is no room the last words are left out as a whole.
    /// Without a style it is the window's text.
    mutating func write(
        row: Int, _ title: String, words: [String], theme: Theme, style: Style? = nil, column: Int = 0,
        columns: Int? = nil
    ) {
        let style = style ?? theme.text
        let columns = columns ?? size.columns
        let least = min(TextWidth.shared.width(of: title), Self.minimumTitleColumns)
        var words = words
        func rest() -> String { words.map { ", " + $0 }.joined() }
        while !words.isEmpty, least + TextWidth.shared.width(of: rest()) > columns { words.removeLast() }
        let room = columns - TextWidth.shared.width(of: rest())
        let start = Position(column: column, row: row)
        let used = write(title, at: start, style: style, fitting: room, glyphs: theme.glyphs)
        write(rest(), at: Position(column: column + used, row: row), style: style)
    }

    /// The number of columns that a title keeps beside the words about it: enough to tell most titles apart.
    private static let minimumTitleColumns = 8

    /// Writes a text, cut with an ellipsis if it is too long.
    ///
    /// - Returns: the number of columns used.
    @discardableResult
    mutating func write(
        _ text: some StringProtocol, at position: Position, style: Style, fitting columns: Int, glyphs: Glyphs
    ) -> Int {
        guard columns > 0 else { return 0 }
        // A text with no more bytes than columns always fits: the widest cluster takes 2 cells and 2 bytes.
        if text.utf8.count <= columns || TextWidth.shared.width(of: text) <= columns {
            return write(text, at: position, style: style, maxColumns: columns)
        }
        let used = write(text, at: position, style: style, maxColumns: columns - 1)
        let end = Position(column: position.column + used, row: position.row)
        return used + write(String(glyphs.ellipsis), at: end, style: style, maxColumns: 1)
    }

    /// Writes the pieces of a line one after the other, cut with an ellipsis if they are too long together.
    ///
    /// - Parameter style: the style of the ellipsis.
    mutating func write(
        _ pieces: [(text: Substring, style: Style)], at start: Position, style: Style, fitting columns: Int,
        glyphs: Glyphs
    ) {
        let isCut = pieces.reduce(0) { $0 + TextWidth.shared.width(of: $1.text) } > columns
        let end = start.column + columns - (isCut ? 1 : 0)
        var column = start.column
        for piece in pieces where column < end {
            let position = Position(column: column, row: start.row)
            let used = write(piece.text, at: position, style: piece.style, maxColumns: end - column)
            column += used
            // The next piece must not take the cell that is too little for a wide character.
            if used < TextWidth.shared.width(of: piece.text) { break }
        }
        guard isCut, columns > 0 else { return }
        write(String(glyphs.ellipsis), at: Position(column: column, row: start.row), style: style, maxColumns: 1)
    }

    /// Writes a text that ends at `column` (exclusive).
    ///
    /// - Returns: the column where it begins.
    @discardableResult
    mutating func write(_ text: some StringProtocol, endingAt column: Int, row: Int, style: Style) -> Int {
        let start = column - TextWidth.shared.width(of: text)
        guard start >= 0 else { return column }
        write(text, at: Position(column: start, row: row), style: style)
        return start
    }
}

extension Style {
    /// Returns this style over the background and attributes of a row.
    ///
    /// If this style has neither a foreground nor a background, it takes the row's foreground, which suits the row's
    /// background. On a reversed row a foreground would become a patch of background, so it is left out. Dim text would
    /// be grey on grey there, so dimming is left out too.
    func on(_ row: Style) -> Style {
        var style = self
        let isReversed = row.attributes.contains(.reverse) && !attributes.contains(.reverse)
        if style.background == .default, style.foreground == .default || isReversed {
            style.foreground = row.foreground
        }
        if style.background == .default { style.background = row.background }
        style.attributes.formUnion(row.attributes)
        if row.attributes.contains(.reverse) { style.attributes.remove(.dim) }
        return style
    }
}
