import NoteStore
import Terminal
import TextEditing
import ViewModel

/// The dialog for a new project: its name, its type, which decides its folders, and its description.
@MainActor
final class ProjectDialog: Overlay {
    let context = KeyContext.prompt
    let hints = Texts.Hints.project

    private enum Row: Int, CaseIterable {
        case name, type, details

        var label: String {
            switch self {
            case .name: Texts.Project.name
            case .type: Texts.Project.type
            case .details: Texts.Project.details
            }
        }
    }

    private var name = LineField()
    private var details = LineField()
    private var type = NoteContainer.ProjectType.poetry
    private var row = Row.name
    private var refusal: String?
    private var box = OverlayBox()
    /// The types drawn, each with its columns, for the mouse.
    private var shownTypes: [(type: NoteContainer.ProjectType, columns: Range<Int>)] = []
    private let problem: @MainActor (String) -> String?
    private let accept: @MainActor (String, NoteContainer.ProjectType, String) -> String?

    /// - Parameters:
    ///   - problem: returns the reason why a name is not allowed, as far as it is known while the user types.
    ///   - accept: creates the project; if it returns a reason for refusal, the dialog stays open.
    init(
        problem: @escaping @MainActor (String) -> String?,
        accept: @escaping @MainActor (String, NoteContainer.ProjectType, String) -> String?
    ) {
        self.problem = problem
        self.accept = accept
    }

    // MARK: Keys

    /// The field of the focused row; the row of types has none.
    var field: LineField? {
        get {
            switch row {
            case .name: name
            case .type: nil
            case .details: details
            }
        }
        set {
            guard let newValue else { return }
            if row == .name { name = newValue } else { details = newValue }
        }
    }

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        switch action {
        case .cancel: window.dismiss(self)
        case .accept: submit(in: window)
        case .nextPart, .down: move(by: 1)
        case .previousPart, .up: move(by: -1)
        default: break
        }
    }

    /// In the row of types, Left and Right change the type; elsewhere the action edits the field.
    func edit(_ action: EditingAction, in window: NotebookInterface) {
        guard row == .type else { return editField(action, in: window) }
        switch action {
        case .move(.left): changeType(by: -1)
        case .move(.right): changeType(by: 1)
        default: break
        }
    }

    func type(_ text: String, in window: NotebookInterface) {
        guard row == .type else { return typeIntoField(text, in: window) }
        if text == " " { changeType(by: 1) }
    }

    func fieldChanged(in window: NotebookInterface) {
        if row == .name { refusal = nil }
    }

    private func submit(in window: NotebookInterface) {
        refusal = problem(name.text) ?? accept(name.text, type, details.text)
        if refusal == nil { window.dismiss(self) } else { row = .name }
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

    func press(at position: Position, in window: NotebookInterface) {
        guard box.frame.contains(position) else { return window.dismiss(self) }
        guard let pressed = Row(rawValue: position.row - box.inside.row) else { return }
        row = pressed
        guard row != .type else { return pressTypes(column: position.column) }
        let label = Self.labelColumns(in: box.inside)
        field?.moveCaret(
            toColumn: position.column - box.inside.column - label, columns: box.inside.columns - label)
    }

    /// Chooses the type at a column; where only one has room, the next one.
    private func pressTypes(column: Int) {
        guard let shown = shownTypes.first(where: { $0.columns.contains(column) }) else { return }
        if shownTypes.count > 1 { type = shown.type } else { changeType(by: 1) }
    }

    // MARK: Drawing

    func arrange(in area: OverlayArea) {
        box = OverlayBox(content: Size(columns: area.columns(upTo: 60), rows: Row.allCases.count + 1), on: area)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: Texts.Project.title, hint: keys.line(hints), into: &screen, theme: theme)
        let inside = box.inside
        for (offset, row) in Row.allCases.enumerated() where offset < inside.rows {
            draw(row, in: box.row(offset), into: &screen, theme: theme)
        }
        guard let reason = refusal ?? (name.text.isEmpty ? nil : problem(name.text)), inside.rows > 0 else { return }
        // If no row is free, the reason takes the last one.
        let last = box.row(min(Row.allCases.count, inside.rows - 1))
        screen.fill(last, style: theme.overlay)
        screen.write(
            reason, at: last.origin, style: theme.trouble.on(theme.overlay), fitting: inside.columns,
            glyphs: theme.glyphs)
    }

    private static func labelColumns(in rect: Rect) -> Int { min(9, rect.columns / 2) }

    private func draw(_ row: Row, in rect: Rect, into screen: inout Screen, theme: Theme) {
        let labelColumns = Self.labelColumns(in: rect)
        let style = row == self.row ? theme.accent : theme.dim
        screen.write(
            row.label, at: rect.origin, style: style.on(theme.overlay), fitting: labelColumns - 1, glyphs: theme.glyphs
        )
        let start = Position(column: rect.column + labelColumns, row: rect.row)
        let columns = rect.columns - labelColumns
        let text = theme.text.on(theme.overlay)
        if row == .type { return drawTypes(at: start, columns: columns, into: &screen, theme: theme) }
        let field = row == .name ? name : details
        let caret = field.draw(at: start, columns: columns, style: text, into: &screen)
        if row == self.row { screen.cursor = Cursor(caret, shape: .bar) }
    }

    /// Draws all types side by side if they fit, otherwise only the selected one.
    private func drawTypes(at start: Position, columns: Int, into screen: inout Screen, theme: Theme) {
        let all = NoteContainer.ProjectType.allCases
        let shown = columns >= 24 && !theme.glyphs.isWords ? all : [type]
        var column = start.column
        shownTypes = []
        for candidate in shown {
            let isChosen = candidate == type
            if isChosen, row == .type { screen.cursor = .hidden(at: Position(column: column, row: start.row)) }
            let ground = isChosen ? theme.selection : theme.overlay
            let style = (isChosen ? theme.text : theme.dim).on(ground)
            let label = "\(isChosen ? String(theme.glyphs.selected) : " ")\(candidate.rawValue.capitalized) "
            let used = screen.write(
                label, at: Position(column: column, row: start.row), style: style, maxColumns: columns)
            shownTypes.append((candidate, column..<column + used))
            column += used
        }
    }
}
