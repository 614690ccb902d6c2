import Terminal

/// A panel above the status line with the keys that can continue a key sequence.
struct PendingKeysPanel {
    /// The next key, and the title of its command; nil if more keys must follow.
    typealias Continuation = (key: String, title: String?)

    let keys: [KeyChord]
    let continuations: [Continuation]

    /// The number of cells between two columns of the panel.
    private static let gap = 3

    func draw(into screen: inout Screen, theme: Theme) {
        guard !keys.isEmpty else { return }
        let size = screen.size
        let keyWidth = continuations.map { TextWidth.shared.width(of: $0.key) }.max() ?? 0
        let titleWidth = continuations.map { TextWidth.shared.width(of: Self.title(of: $0)) }.max() ?? 0
        let width = min(keyWidth + 2 + titleWidth, size.columns - 2)
        let columns = max(1, (size.columns - 2 + Self.gap) / (width + Self.gap))
        let wanted = (continuations.count + columns - 1) / columns
        // The panel must leave the status line visible, and its own head, even on the lowest screen.
        let rows = max(1, min(wanted, size.rows / 2))
        let top = size.rows - 2 - rows
        screen.fill(Rect(column: 0, row: top, columns: size.columns, rows: rows + 1), style: theme.overlay)
        drawHead(row: top, into: &screen, theme: theme)
        for (index, continuation) in continuations.prefix(rows * columns).enumerated() {
            let position = Position(column: 1 + index / rows * (width + Self.gap), row: top + 1 + index % rows)
            let used = screen.write(
                continuation.key, at: position, style: theme.key.on(theme.overlay), maxColumns: width)
            screen.write(
                theme.glyphs.plain(Self.title(of: continuation)),
                at: Position(column: position.column + max(used, keyWidth) + 2, row: position.row),
                style: (continuation.title == nil ? theme.dim : theme.text).on(theme.overlay),
                fitting: width - keyWidth - 2, glyphs: theme.glyphs)
        }
    }

    /// Draws the first row: `─ ^X ─────── Esc cancel ─`.
    private func drawHead(row: Int, into screen: inout Screen, theme: Theme) {
        let columns = screen.size.columns
        let line = Rect(column: 0, row: row, columns: columns, rows: 1)
        screen.fill(line, with: theme.glyphs.horizontal, style: theme.overlayFrame)
        let label = " \(KeySequence(keys).label(isSpoken: theme.glyphs.isWords)) "
        let used = screen.write(
            label, at: Position(column: 1, row: row), style: theme.overlayFrame.on(theme.title), maxColumns: columns - 2
        )
        let hint = " \(Texts.escCancels) "
        if used + hint.count + 6 <= columns {
            screen.write(hint, endingAt: columns - 1, row: row, style: theme.dim.on(theme.overlay))
        }
    }

    private static func title(of continuation: Continuation) -> String { continuation.title ?? Texts.moreKeys }
}
