import Terminal

/// One line that is typed: the name of a folder, the title of a note; in a box, or in the place of what is renamed.
///
/// What speaks against it is said while it is typed.
@MainActor
final class LinePrompt: Overlay {
    private let title: String
    private let hint: String
    private var field: LineField
    /// Why the text cannot be taken, as far as it can be told while it is typed.
    private let problem: @MainActor (String) -> String?
    /// Takes the text; a reason given back keeps the box open.
    private let accept: @MainActor (String) -> String?
    private var refusal: String?
    /// Where the line stands that is renamed, with the row below it; nil where it is not on the screen.
    var place: @MainActor () -> Rect? = { nil }

    private static let usualHint = "Enter OK, Esc cancel"

    init(
        title: String, text: String = "", hint: String = usualHint,
        problem: @escaping @MainActor (String) -> String? = { _ in nil },
        accept: @escaping @MainActor (String) -> String?
    ) {
        self.title = title
        self.hint = hint
        self.problem = problem
        self.accept = accept
        field = LineField(text)
        // What is typed first replaces the text that was put there for convenience.
        field.selectAll()
    }

    func handle(_ event: InputEvent, in interface: NotebookInterface) {
        switch event {
        case .key(let press): handle(press, in: interface)
        case .paste(let text):
            field.insert(text)
            refusal = nil
        case .mouse(let mouse):
            if case .press = mouse.kind { interface.dismissOverlay() }
        default: break
        }
    }

    private func handle(_ press: KeyPress, in interface: NotebookInterface) {
        switch press.fixedChord?.description {
        case "Esc", "Ctrl-Q": interface.dismissOverlay()
        case "Enter":
            refusal = problem(field.text) ?? accept(field.text)
            if refusal == nil { interface.dismiss(self) }
        default:
            let before = field.text
            if field.edit(press), field.text != before { refusal = nil }
        }
    }

    func draw(into screen: inout Screen, theme: Theme) {
        if let place = place() { return draw(in: place, into: &screen, theme: theme) }
        let content = Size(columns: min(60, screen.size.columns - 4), rows: 2)
        let inside = screen.drawBox(content: content, title: title, hint: hint, theme: theme)
        let caret = field.draw(
            at: inside.origin, columns: inside.columns, style: theme.text.on(theme.overlay), into: &screen)
        if let reason, inside.rows > 1 {
            let place = Position(column: inside.column, row: inside.row + 1)
            screen.write(
                reason, at: place, style: theme.trouble.on(theme.overlay), fitting: inside.columns, glyphs: theme.glyphs
            )
        }
        screen.cursor = Cursor(caret, shape: .bar)
    }

    /// What speaks against the text; an empty field speaks for itself until somebody tries to take it.
    private var reason: String? { refusal ?? (field.text.isEmpty ? nil : problem(field.text)) }

    /// Draws the field over the line that is renamed, and below it what speaks against it or what to press.
    private func draw(in place: Rect, into screen: inout Screen, theme: Theme) {
        screen.fill(
            Rect(column: place.column, row: place.row, columns: place.columns, rows: 1), style: theme.overlay)
        let caret = field.draw(
            at: place.origin, columns: place.columns, style: theme.text.on(theme.overlay), into: &screen)
        if place.rows > 1, let line = reason ?? (hint == Self.usualHint ? nil : hint) {
            let below = Rect(column: place.column, row: place.row + 1, columns: place.columns, rows: 1)
            let style = reason == nil ? theme.dim : theme.trouble
            screen.fill(below, style: theme.overlay)
            screen.write(
                line, at: below.origin, style: style.on(theme.overlay), fitting: place.columns, glyphs: theme.glyphs)
        }
        screen.cursor = Cursor(caret, shape: .bar)
    }
}
