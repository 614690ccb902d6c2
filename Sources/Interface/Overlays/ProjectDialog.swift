import NoteStore
import Terminal
import ViewModel

/// A new project: its name, its type, which decides its folders, and what it is about.
@MainActor
final class ProjectDialog: Overlay {
    private enum Row: Int, CaseIterable {
        case name, type, details

        var label: String {
            switch self {
            case .name: "Name"
            case .type: "Type"
            case .details: "Details"
            }
        }
    }

    private var name = LineField()
    private var details = LineField()
    private var type = NoteContainer.ProjectType.poetry
    private var row = Row.name
    private var refusal: String?
    private let problem: @MainActor (String) -> String?
    private let accept: @MainActor (String, NoteContainer.ProjectType, String) -> String?

    /// - Parameters:
    ///   - problem: why a name cannot be given, as far as it can be told while it is typed.
    ///   - accept: makes the project; a reason given back keeps the dialog open.
    init(
        problem: @escaping @MainActor (String) -> String?,
        accept: @escaping @MainActor (String, NoteContainer.ProjectType, String) -> String?
    ) {
        self.problem = problem
        self.accept = accept
    }

    // MARK: Keys

    func handle(_ event: InputEvent, in interface: NotebookInterface) {
        switch event {
        case .key(let press): handle(press, in: interface)
        case .paste(let text): edit { $0.insert(text) }
        default: break
        }
    }

    private func handle(_ press: KeyPress, in interface: NotebookInterface) {
        switch press.fixedChord?.description {
        case "Esc", "Ctrl-Q": interface.dismissOverlay()
        case "Enter": take(in: interface)
        case "Tab", "Down": move(by: 1)
        case "Shift-Tab", "Up": move(by: -1)
        case "Right",
            "Space" where row == .type:
            changeType(by: 1)
        case "Left" where row == .type: changeType(by: -1)
        default: edit { $0.edit(press) }
        }
    }

    private func take(in interface: NotebookInterface) {
        refusal = problem(name.text) ?? accept(name.text, type, details.text)
        if refusal == nil { interface.dismiss(self) } else { row = .name }
    }

    private func move(by step: Int) {
        let count = Row.allCases.count
        row = Row(rawValue: (row.rawValue + step + count) % count) ?? .name
    }

    private func changeType(by step: Int) {
        let all = NoteContainer.ProjectType.allCases
        let index = all.firstIndex(of: type) ?? 0
        type = all[(index + step + all.count) % all.count]
    }

    private func edit<Result>(_ change: (inout LineField) -> Result) {
        switch row {
        case .name:
            _ = change(&name)
            refusal = nil
        case .details: _ = change(&details)
        case .type: break
        }
    }

    // MARK: Drawing

    func draw(into screen: inout Screen, theme: Theme) {
        let content = Size(columns: min(60, screen.size.columns - 4), rows: Row.allCases.count + 1)
        let inside = screen.drawBox(
            content: content, title: "New project", hint: "Tab next, Enter create, Esc cancel", theme: theme)
        for (offset, row) in Row.allCases.enumerated() where offset < inside.rows {
            let place = Rect(column: inside.column, row: inside.row + offset, columns: inside.columns, rows: 1)
            draw(row, in: place, into: &screen, theme: theme)
        }
        guard let reason = refusal ?? (name.text.isEmpty ? nil : problem(name.text)), inside.rows > 0 else { return }
        // Where there is no row to spare, the reason takes the last one.
        let last = Position(column: inside.column, row: inside.row + min(Row.allCases.count, inside.rows - 1))
        screen.fill(
            Rect(column: last.column, row: last.row, columns: inside.columns, rows: 1), style: theme.overlay)
        screen.write(
            reason, at: last, style: theme.trouble.on(theme.overlay), fitting: inside.columns, glyphs: theme.glyphs)
    }

    private func draw(_ row: Row, in place: Rect, into screen: inout Screen, theme: Theme) {
        let labelColumns = min(9, place.columns / 2)
        let style = row == self.row ? theme.accent : theme.dim
        screen.write(
            row.label, at: place.origin, style: style.on(theme.overlay), fitting: labelColumns - 1, glyphs: theme.glyphs
        )
        let start = Position(column: place.column + labelColumns, row: place.row)
        let columns = place.columns - labelColumns
        let text = theme.text.on(theme.overlay)
        if row == .type { return drawTypes(at: start, columns: columns, into: &screen, theme: theme) }
        let field = row == .name ? name : details
        let caret = field.draw(at: start, columns: columns, style: text, into: &screen)
        if row == self.row { screen.cursor = Cursor(caret, shape: .bar) }
    }

    /// All types side by side where they fit, else the chosen one.
    private func drawTypes(at start: Position, columns: Int, into screen: inout Screen, theme: Theme) {
        let all = NoteContainer.ProjectType.allCases
        let shown = columns >= 24 ? all : [type]
        var column = start.column
        for candidate in shown {
            let isChosen = candidate == type
            let ground = isChosen ? theme.selection : theme.overlay
            let style = (isChosen ? theme.text : theme.dim).on(ground)
            let label = "\(isChosen ? String(theme.glyphs.selected) : " ")\(candidate.rawValue.capitalized) "
            column += screen.write(
                label, at: Position(column: column, row: start.row), style: style, maxColumns: columns)
        }
    }
}
