import TextEditing

/// The visible range of the text, and the text at a cell of the pane.
extension EditorSession {
    /// Fits the text to a pane of this many cells; a visible caret stays visible.
    public func resize(columns: Int, rows: Int) {
        guard columns != layout.configuration.columns || rows != viewport.rows else { return }
        let wasUnseen = viewport.rows == 1
        // Typing at the end of the text leaves the rows of the margin empty.
        let margin = min(viewport.scrollMargin, (viewport.rows - 1) / 2)
        let wasFull = visibleRows().count + margin >= viewport.rows
        keepingCaretVisible {
            viewport.rows = rows
            if columns != layout.configuration.columns {
                var changed = layout.configuration
                changed.columns = columns
                viewport.configure(changed, in: editor.buffer, layout: &layout)
            }
            // A scroll offset from before the first layout, from a pane of one row or from a lower pane must not leave
            // rows empty. If it left some empty before, the user has scrolled there.
            if wasUnseen || wasFull {
                viewport.scroll(by: visibleRows().count - rows, in: editor.buffer, layout: &layout)
            }
        }
        if wasUnseen { revealCaret() }
    }

    /// Changes the view; a visible caret stays visible, and one that was scrolled out of sight stays there.
    func keepingCaretVisible(_ change: () -> Void) {
        let isVisible = caretCell(in: visibleRows()) != nil
        change()
        if isVisible { revealCaret() } else { revision += 1 }
    }

    /// Scrolls without moving the caret.
    public func scroll(by rows: Int) {
        viewport.scroll(by: rows, in: editor.buffer, layout: &layout)
        revision += 1
    }

    /// Scrolls sideways without moving the caret; does nothing if lines are wrapped.
    public func scroll(columns: Int) {
        viewport.scroll(columns: columns, layout: layout)
        revision += 1
    }

    /// Whether a row continues beyond the left or the right edge of the pane.
    public func isCut(_ row: Viewport.Row) -> (left: Bool, right: Bool) {
        guard !configuration.settings.wrap else { return (false, false) }
        let end = editor.buffer.lineRange(row.line).length
        return (viewport.leftColumn > 0 && end > 0, row.visual.range.upperBound < end)
    }

    /// Selects the word, line or paragraph at a cell of the pane.
    public func select(_ unit: SelectionUnit, column: Int, row: Int) {
        guard let offset = offset(column: column, row: row) else { return }
        editor.select(unit, at: offset)
        updateSeveralCarets()
        revision += 1
    }

    /// Extends the selection to a cell of the pane, by whole words or lines.
    public func extendSelection(by unit: SelectionUnit, column: Int, row: Int) {
        guard let offset = offset(column: column, row: row) else { return }
        editor.extend(by: unit, to: offset)
        revealCaret(margin: 0)
    }

    /// Puts the caret at a cell of the pane; with `extending`, the anchor of the selection stays.
    public func moveCaret(toColumn column: Int, row: Int, extending: Bool) {
        guard let offset = offset(column: column, row: row) else { return }
        editor.select(Selection(anchor: extending ? editor.selection.anchor : offset, head: offset))
        revealCaret(margin: 0)
    }

    /// Returns the position at a cell of the pane; rows above and below the text count as its first and last row.
    func offsetOfCell(column: Int, row: Int) -> ByteOffset {
        offset(column: column, row: row) ?? editor.selection.head
    }

    /// Returns the position at a cell of the pane; nil in a pane without rows.
    private func offset(column: Int, row: Int) -> ByteOffset? {
        let rows = visibleRows()
        guard let target = row < rows.count ? rows[max(row, 0)] : rows.last else { return nil }
        return layout.offset(
            atRow: target.index, of: target.line, column: viewport.leftColumn + max(column, 0), in: editor.buffer)
    }

    /// Makes the caret visible, and requests a redraw.
    ///
    /// - Parameter margin: the rows to keep above and below it; nil for the setting. For the mouse it is zero: the text
    ///   must stay under the pointer, so that a second click or a drag means the same text.
    func revealCaret(margin: Int? = nil) {
        updateSeveralCarets()
        alignTableLeftBehind()
        unfoldAroundCaret()
        viewport.reveal(editor.selection.head, margin: margin, in: editor.buffer, layout: &layout)
        revision += 1
    }
}
