import Terminal

/// A one-line text input: the name of a folder, the title of a note.
///
/// It is drawn in a box, or over the item to rename. While the user types, it shows why a text is not allowed.
@MainActor
final class LinePrompt: Overlay {
    let context = KeyContext.prompt
    let hints: [KeyHint]

    private let title: String
    private var typed: LineField
    /// Returns the reason why a text is not allowed, as far as it is known while the user types; nil if it is allowed.
    private let problem: @MainActor (String) -> String?
    /// Accepts the text; if it returns a reason for refusal, the prompt stays open.
    private let accept: @MainActor (String) -> String?
    private var refusal: String?
    private var box = OverlayBox()
    /// The rectangle of the renamed line with the row below it; nil if it is not on the screen.
    var anchor: @MainActor () -> Rect? = { nil }

    init(
        title: String, text: String = "", hints: [KeyHint] = Texts.Hints.prompt,
        problem: @escaping @MainActor (String) -> String? = { _ in nil },
        accept: @escaping @MainActor (String) -> String?
    ) {
        self.title = title
        self.hints = hints
        self.problem = problem
        self.accept = accept
        typed = LineField(text)
        // The first key typed replaces the suggested text.
        typed.selectAll()
    }

    var field: LineField? {
        get { typed }
        set { typed = newValue ?? LineField() }
    }

    func fieldChanged(in window: NotebookInterface) { refusal = nil }

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        switch action {
        case .cancel: window.dismiss(self)
        case .accept:
            refusal = problem(typed.text) ?? accept(typed.text)
            if refusal == nil { window.dismiss(self) }
        default: break
        }
    }

    func press(at position: Position, in window: NotebookInterface) {
        let (frame, row) = anchor().map { ($0, $0) } ?? (box.frame, box.inside)
        guard frame.contains(position) else { return window.dismiss(self) }
        guard position.row == row.row else { return }
        typed.moveCaret(toColumn: position.column - row.column, columns: row.columns)
    }

    func arrange(in area: OverlayArea) {
        box = OverlayBox(content: Size(columns: area.columns(upTo: 60), rows: 2), on: area)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        if let rect = anchor() {
            // The usual keys need no explanation in the middle of a list.
            let whole = hints == Texts.Hints.prompt ? nil : keys.line(hints)
            // If the row is too short for all hints, it tells the one that nobody would guess: the meaning of an empty
            // field.
            let fits = whole.map { TextWidth.shared.width(of: $0) <= rect.columns } ?? true
            let hint = fits || hints != Texts.Hints.rename ? whole : Texts.Hints.emptyTitle
            return draw(in: rect, hint: hint, into: &screen, theme: theme)
        }
        box.draw(title: title, hint: keys.line(hints), into: &screen, theme: theme)
        let caret = typed.draw(
            at: box.inside.origin, columns: box.inside.columns, style: theme.text.on(theme.overlay), into: &screen)
        if let reason, box.inside.rows > 1 {
            screen.write(
                reason, at: box.row(1).origin, style: theme.trouble.on(theme.overlay), fitting: box.inside.columns,
                glyphs: theme.glyphs)
        }
        screen.cursor = Cursor(caret, shape: .bar)
    }

    /// The reason why the text is not allowed; for an empty field it is shown only after an attempt to accept it.
    private var reason: String? { refusal ?? (typed.text.isEmpty ? nil : problem(typed.text)) }

    /// Draws the field over the renamed line, and below it the problem or the hint.
    private func draw(in rect: Rect, hint: String?, into screen: inout Screen, theme: Theme) {
        screen.fill(
            Rect(column: rect.column, row: rect.row, columns: rect.columns, rows: 1), style: theme.overlay)
        let caret = typed.draw(
            at: rect.origin, columns: rect.columns, style: theme.text.on(theme.overlay), into: &screen)
        screen.cursor = Cursor(caret, shape: .bar)
        if let reason { return draw(reason: theme.glyphs.plain(reason), below: rect, into: &screen, theme: theme) }
        guard rect.rows > 1, let hint else { return }
        let below = Rect(column: rect.column, row: rect.row + 1, columns: rect.columns, rows: 1)
        screen.fill(below, style: theme.overlay)
        screen.write(
            hint, at: below.origin, style: theme.dim.on(theme.overlay), fitting: rect.columns, glyphs: theme.glyphs)
    }

    /// Draws the problem below the field, beyond the line's right end and in further rows if it needs them.
    ///
    /// Below the last line of a pane it takes the row of the rule, or that of the status.
    private func draw(reason: String, below rect: Rect, into screen: inout Screen, theme: Theme) {
        let needed = TextWidth.shared.width(of: reason) + 1
        let columns = needed <= rect.columns ? rect.columns : min(needed, screen.size.columns - rect.column)
        let room = max(0, screen.size.rows - rect.row - 1)
        for (offset, line) in reason.lines(fitting: columns - 1).prefix(room).enumerated() {
            let row = Rect(column: rect.column, row: rect.row + 1 + offset, columns: columns, rows: 1)
            screen.fill(row, style: theme.overlay)
            screen.write(
                line, at: row.origin, style: theme.trouble.on(theme.overlay), fitting: columns, glyphs: theme.glyphs)
        }
    }
}
