import Terminal
import TextEditing
import ViewModel

/// The bar at the bottom of the editor that finds and replaces in the note.
struct FindBar: Equatable {
    var pattern = LineField()
    var replacement = LineField()
    /// Whether the replacement field has the focus.
    var isReplacing = false
    var isCaseSensitive = false
    var isWholeWord = false
    var isRegularExpression = false

    /// The number of rows of the two fields.
    private static let fieldRows = 2

    /// Returns the number of rows of the bar; for a screen reader the switches have one if the field's has no room.
    ///
    /// - Parameter columns: the width of the pane.
    func rows(columns: Int, isRead: Bool) -> Int {
        Self.fieldRows + (isRead && !hasRoomForWords(in: columns - 1) ? 1 : 0)
    }

    var query: FindQuery {
        FindQuery(
            pattern.text, isCaseSensitive: isCaseSensitive, isWholeWord: isWholeWord,
            isRegularExpression: isRegularExpression)
    }

    /// The focused field.
    var field: LineField {
        get { isReplacing ? replacement : pattern }
        set { if isReplacing { replacement = newValue } else { pattern = newValue } }
    }

    /// The position of the current match, or the problem with the replacement.
    @MainActor
    func summary(of session: EditorSession) -> String {
        let summary = session.findSummary
        guard isRegularExpression, isReplacing else { return summary }
        return session.problem(ofTemplate: replacement.text) ?? summary
    }

    /// Draws the bar in the last rows of the editor pane, and the cursor in the focused field.
    ///
    /// - Parameter replaces: whether there is a field for the replacement; in a note that is read nothing is replaced.
    @MainActor
    func draw(summary: String, replaces: Bool = true, into screen: inout Screen, theme: Theme) {
        let rows = rows(columns: screen.size.columns, isRead: theme.glyphs.isWords)
        let row = screen.size.rows - rows
        screen.fill(Rect(column: 0, row: row, columns: screen.size.columns, rows: rows), style: theme.overlay)
        let right = screen.size.columns - 1
        if rows > Self.fieldRows {
            drawWords(at: Position(column: 1, row: row + 2), columns: right - 1, into: &screen, theme: theme)
        }
        let labels = Self.labels(fitting: right)
        let end = drawOptions(endingAt: Position(column: right, row: row), columns: right, into: &screen, theme: theme)
        let summaryStart = screen.write(
            summary, endingAt: right, row: row + 1, style: theme.dim.on(theme.overlay))
        let fields = [(labels.find, pattern, end), (labels.replace, replacement, summaryStart - 1)]
        for (offset, (label, field, end)) in fields.prefix(replaces ? 2 : 1).enumerated() {
            let start = Position(column: 1, row: row + offset)
            let hasKeys = isReplacing == (offset == 1)
            let style = hasKeys ? theme.accent : theme.dim
            let used = screen.write(label, at: start, style: style.on(theme.overlay))
            let text = hasKeys && field.isSelected ? theme.selectedText : theme.text
            let caret = field.draw(
                at: Position(column: start.column + used, row: start.row), columns: end - start.column - used - 1,
                style: text.on(theme.overlay), into: &screen)
            if hasKeys { screen.cursor = Cursor(caret, shape: .bar) }
        }
    }

    /// The number of columns from which long labels and all switches leave room for the typed text; chosen by eye.
    private static let roomForWords = 30

    /// The labels before the two fields.
    static func labels(fitting columns: Int) -> (find: String, replace: String) {
        Texts.findLabels(isShort: columns < roomForWords)
    }

    /// The switches that are on, for a screen reader, which speaks no colours.
    private var spokenSwitches: [String] {
        onlySwitchesOn(of: [Texts.Words.matchCase, Texts.Words.wholeWords, Texts.Words.expression])
    }

    /// The same in words so short that all of them fit in the narrowest row.
    var shortSwitches: String {
        onlySwitchesOn(of: [Texts.Words.shortCase, Texts.Words.shortWords, Texts.Words.shortExpression])
            .joined(separator: ", ")
    }

    private func onlySwitchesOn(of words: [String]) -> [String] {
        zip(words, [isCaseSensitive, isWholeWord, isRegularExpression]).filter(\.1).map(\.0)
    }

    /// The number of columns that the switches in words leave to the field; chosen by eye.
    private static let minimumFieldWidth = 12

    /// Whether the row of the first field has room for the switches in words.
    func hasRoomForWords(in columns: Int) -> Bool {
        let words = spokenSwitches.reduce(0) { $0 + 1 + TextWidth.shared.width(of: $1) }
        let label = TextWidth.shared.width(of: Self.labels(fitting: columns).find)
        return words == 0 || columns - label - words >= Self.minimumFieldWidth
    }

    /// Draws the switches that are on as words, in a row of their own; a word that would be cut is left out.
    @MainActor
    func drawWords(at position: Position, columns: Int, into screen: inout Screen, theme: Theme) {
        var words = spokenSwitches
        func text() -> String { words.joined(separator: ", ") }
        while words.count > 1, TextWidth.shared.width(of: text()) > columns { words.removeLast() }
        screen.write(
            text(), at: position, style: theme.dim.on(theme.overlay), fitting: columns, glyphs: theme.glyphs)
    }

    /// Draws the switches, highlighted when they are on; in a narrow row it draws only those.
    ///
    /// For a screen reader it draws only those that are on, as words; if they would take the field's room, it draws
    /// none.
    ///
    /// - Parameter columns: the width of the row.
    /// - Returns: the column before the first switch.
    @MainActor
    func drawOptions(endingAt position: Position, columns: Int, into screen: inout Screen, theme: Theme) -> Int {
        let shown = switches(endingAt: position.column, columns: columns, isRead: theme.glyphs.isWords)
        for (label, option, columns) in shown {
            let style = self[keyPath: option] ? theme.accent.on(theme.title) : theme.dim
            screen.write(label, endingAt: columns.upperBound, row: position.row, style: style.on(theme.overlay))
        }
        return shown.last.map { $0.columns.lowerBound - 1 } ?? position.column
    }

    /// A switch of the bar's first row, with the columns that it takes.
    private typealias Switch = (label: String, option: WritableKeyPath<FindBar, Bool>, columns: Range<Int>)

    /// The switches in a row of so many columns, from right to left.
    private func switches(endingAt end: Int, columns: Int, isRead: Bool) -> [Switch] {
        if isRead, !hasRoomForWords(in: columns) { return [] }
        let labels =
            isRead ? [Texts.Words.expression, Texts.Words.wholeWords, Texts.Words.matchCase] : [".*", "W", "Aa"]
        let options: [WritableKeyPath<FindBar, Bool>] = [\.isRegularExpression, \.isWholeWord, \.isCaseSensitive]
        var (end, shown): (Int, [Switch]) = (end, [])
        for (label, option) in zip(labels, options) {
            guard self[keyPath: option] || columns >= Self.roomForWords && !isRead else { continue }
            let start = end - TextWidth.shared.width(of: label)
            guard start >= 0 else { continue }
            shown.append((label, option, start..<end))
            end = start - 1
        }
        return shown
    }

    /// The switch drawn at a column of the first row.
    func option(at column: Int, endingAt end: Int, columns: Int, isRead: Bool) -> WritableKeyPath<FindBar, Bool>? {
        switches(endingAt: end, columns: columns, isRead: isRead).first { $0.columns.contains(column) }?.option
    }
}

extension LineField {
    /// Draws the text so that the caret is visible, and returns the caret's cell.
    func draw(at start: Position, columns: Int, style: Style, into screen: inout Screen) -> Position {
        let columns = max(1, columns)
        let head = visibleHead(columns: columns)
        screen.write(head + text[caret...].prefix(columns), at: start, style: style, maxColumns: columns)
        return Position(column: start.column + TextWidth.shared.width(of: head), row: start.row)
    }

    /// Moves the caret to the character drawn at a column of the field, as `draw` has scrolled it.
    mutating func moveCaret(toColumn column: Int, columns: Int) {
        let shown = text[visibleHead(columns: max(1, columns)).startIndex...]
        var (index, end) = (shown.startIndex, 0)
        while index < shown.endIndex {
            end += TextWidth.shared.width(of: String(shown[index]))
            if end > column { break }
            index = shown.index(after: index)
        }
        moveCaret(to: index)
    }

    /// The part of the text left of the caret that is in sight.
    ///
    /// The rest of it scrolls out of view; the caret itself needs a cell. More characters than cells never fit, and a
    /// field can contain a long text that was pasted by mistake.
    private func visibleHead(columns: Int) -> Substring {
        var head = self.head.suffix(columns)
        while TextWidth.shared.width(of: head) >= columns { head = head.dropFirst() }
        return head
    }
}
