import Terminal

/// A read-only overlay: it scrolls, and a click or the accepting key closes it.
@MainActor
protocol PagerOverlay: Overlay {
    var scroller: Scroller { get set }
    var search: PagerSearch { get set }
    /// The texts of all rows, for the search.
    var rowTexts: [String] { get }
}

extension PagerOverlay {
    var context: KeyContext { search.field == nil ? .pager : .prompt }

    var field: LineField? {
        get { search.field }
        set { search.field = newValue }
    }

    func fieldChanged(in window: NotebookInterface) {
        search.typed(in: rowTexts)
        showMatch()
    }

    private func showMatch() {
        if let row = search.row { scroller.show(row) }
    }

    /// Performs an action while the text to search for is typed: Enter keeps the match, Esc ends the search.
    private func performInField(_ action: OverlayAction, in window: NotebookInterface) {
        switch action {
        case .accept: endTyping(in: window)
        case .cancel: search = PagerSearch()
        case .down, .nextPart: goToMatch(by: 1)
        case .up, .previousPart: goToMatch(by: -1)
        default: break
        }
    }

    private func endTyping(in window: NotebookInterface) {
        search.field = nil
        guard search.row == nil, !search.text.isEmpty else { return }
        window.model.say(Texts.notInText(search.text), kind: .refused)
    }

    private func goToMatch(by step: Int) {
        search.goOn(in: rowTexts, by: step, from: scroller.top)
        showMatch()
    }

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        if search.field != nil { return performInField(action, in: window) }
        switch action {
        case .find: return search.begin(at: scroller.top)
        case .nextMatch: return goToMatch(by: 1)
        case .previousMatch: return goToMatch(by: -1)
        default: break
        }
        if scroller.perform(action, byLine: window.state.theme.glyphs.isWords) { return }
        if action == .cancel || action == .accept { window.dismiss(self) }
    }

    /// Draws the rows in sight as plain text, the scroll mark, and the field of the search.
    ///
    /// - Parameter style: returns the style of a row's text.
    func drawRows(in box: OverlayBox, into screen: inout Screen, theme: Theme, style: (_ row: Int) -> Style) {
        screen.cursor = .hidden(at: box.row(scroller.readRow).origin)
        for (offset, line) in rowTexts.dropFirst(scroller.top).prefix(box.inside.rows).enumerated() {
            let row = scroller.top + offset
            let ground = ground(ofRow: row, theme: theme)
            screen.fill(box.row(offset), style: ground)
            screen.write(
                line, at: box.row(offset).origin, style: style(row).on(ground), fitting: box.inside.columns,
                glyphs: theme.glyphs)
        }
        box.draw(scroller.mark, into: &screen, theme: theme)
        drawSearchField(in: box, into: &screen, theme: theme)
    }

    /// Draws the field of the search, if it is being typed in, over the left part of the hints.
    func drawSearchField(in box: OverlayBox, into screen: inout Screen, theme: Theme) {
        guard let field else { return }
        let style = theme.overlayFrame.on(theme.title)
        let start = box.foot.origin
        let columns = min(box.foot.columns, Self.searchColumns)
        screen.fill(Rect(column: start.column, row: start.row, columns: columns, rows: 1), style: theme.overlay)
        screen.write("/", at: start, style: style)
        let text = Position(column: start.column + 1, row: start.row)
        let caret = field.draw(at: text, columns: columns - 1, style: theme.text.on(theme.overlay), into: &screen)
        screen.cursor = Cursor(caret, shape: .bar)
    }

    /// The width of the field in columns; the hints stand beside it.
    private static var searchColumns: Int { 24 }

    /// Returns the background style of a row; the row with the match has that of the selection.
    func ground(ofRow row: Int, theme: Theme) -> Style { row == search.row ? theme.selection : theme.overlay }

    func press(at position: Position, in window: NotebookInterface) { window.dismiss(self) }

    func wheel(at position: Position, rows: Int, in window: NotebookInterface) { scroller.scroll(by: rows * 3) }
}
