import Terminal

/// A box in which one line is typed: the name of a folder, the title of a note.
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

    init(
        title: String, text: String = "", hint: String = "Enter takes it, Esc leaves",
        problem: @escaping @MainActor (String) -> String? = { _ in nil },
        accept: @escaping @MainActor (String) -> String?
    ) {
        self.title = title
        self.hint = hint
        self.problem = problem
        self.accept = accept
        field = LineField(text)
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
        switch press.chords.first?.description {
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
        let content = Size(columns: min(60, screen.size.columns - 4), rows: 2)
        let inside = screen.drawBox(content: content, title: title, hint: hint, theme: theme)
        let caret = field.draw(
            at: inside.origin, columns: inside.columns, style: theme.text.on(theme.overlay), into: &screen)
        // An empty field speaks for itself until somebody tries to take it.
        if let reason = refusal ?? (field.text.isEmpty ? nil : problem(field.text)), inside.rows > 1 {
            let place = Position(column: inside.column, row: inside.row + 1)
            screen.write(
                reason, at: place, style: theme.trouble.on(theme.overlay), fitting: inside.columns, glyphs: theme.glyphs
            )
        }
        screen.cursor = Cursor(caret, shape: .bar)
    }
}
