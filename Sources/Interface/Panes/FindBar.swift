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

    /// The number of rows of the bar.
    static let rows = 2

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
    @MainActor
    func draw(summary: String, into screen: inout Screen, theme: Theme) {
        let row = screen.size.rows - Self.rows
        screen.fill(Rect(column: 0, row: row, columns: screen.size.columns, rows: Self.rows), style: theme.overlay)
        let right = screen.size.columns - 1
        let labels = Self.labels(fitting: right)
        let end = drawOptions(endingAt: Position(column: right, row: row), columns: right, into: &screen, theme: theme)
        let summaryStart = screen.write(
            summary, endingAt: right, row: row + 1, style: theme.dim.on(theme.overlay))
        let fields = [(labels.find, pattern, end), (labels.replace, replacement, summaryStart - 1)]
        for (offset, (label, field, end)) in fields.enumerated() {
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

    /// Draws the switches, highlighted when they are on; in a narrow row it draws only those.
    ///
    /// For a screen reader, which speaks no colours, those that are on are words.
    ///
    /// - Parameter columns: the width of the row.
    /// - Returns: the column before the first switch.
    @MainActor
    func drawOptions(endingAt position: Position, columns: Int, into screen: inout Screen, theme: Theme) -> Int {
        var end = position.column
        let isRead = theme.glyphs.isWords
        let labels =
            isRead ? [Texts.Words.expression, Texts.Words.wholeWords, Texts.Words.matchCase] : [".*", "W", "Aa"]
        for (label, isOn) in zip(labels, [isRegularExpression, isWholeWord, isCaseSensitive]) {
            guard isOn || columns >= Self.roomForWords && !isRead else { continue }
            let style = isOn ? theme.accent.on(theme.title) : theme.dim
            end = screen.write(label, endingAt: end, row: position.row, style: style.on(theme.overlay)) - 1
        }
        return end
    }
}

extension LineField {
    /// Draws the text so that the caret is visible, and returns the caret's cell.
    func draw(at start: Position, columns: Int, style: Style, into screen: inout Screen) -> Position {
        let columns = max(1, columns)
        // The text left of the caret scrolls out of view; the caret itself needs a cell. More characters than cells
        // never fit, and a field can contain a long text that was pasted by mistake.
        var head = self.head.suffix(columns)
        while TextWidth.shared.width(of: head) >= columns { head = head.dropFirst() }
        screen.write(head + text[caret...].prefix(columns), at: start, style: style, maxColumns: columns)
        return Position(column: start.column + TextWidth.shared.width(of: head), row: start.row)
    }
}
