import Terminal
import ViewModel

/// A box in which the path of a file or folder is typed, with what it can become below.
@MainActor
final class PathPrompt: Overlay {
    private let title: String
    private let hint: String
    private let kind: PathCompletion.Kind
    private let entries: Entries
    private var field: LineField
    private var completion: PathCompletion
    /// The candidate that is chosen; nil while the text is taken as it is typed.
    private var choice: Int?
    private var refusal: String?
    /// Takes the path; a reason given back keeps the box open.
    private let accept: @MainActor (String) -> String?
    private var listRow = 0
    private var listTop = 0

    /// Candidates shown at most.
    private static let rows = 8

    /// The names in a folder, each with whether it is a folder.
    typealias Entries = (String) -> [(name: String, isFolder: Bool)]

    /// - Parameter entries: the disk's unless told.
    init(
        title: String, text: String, kind: PathCompletion.Kind,
        hint: String = "Tab completes, Enter OK, Esc cancel",
        entries: @escaping Entries = PathCompletion.entries, accept: @escaping @MainActor (String) -> String?
    ) {
        self.title = title
        self.hint = hint
        self.kind = kind
        self.accept = accept
        self.entries = entries
        field = LineField(text)
        // What is typed first replaces the text that was put there for convenience.
        field.selectAll()
        completion = PathCompletion(text, kind, entries: entries)
    }

    // MARK: Keys

    func handle(_ event: InputEvent, in interface: NotebookInterface) {
        switch event {
        case .key(let press): handle(press, in: interface)
        case .paste(let text):
            if let path = PathCompletion.pasted(text) { field = LineField(path) } else { field.insert(text) }
            textChanged()
        case .mouse(let mouse): handle(mouse, in: interface)
        default: break
        }
    }

    private func handle(_ press: KeyPress, in interface: NotebookInterface) {
        switch press.fixedChord?.description {
        case "Esc", "Ctrl-Q": interface.dismiss(self)
        case "Enter": take(in: interface)
        case "Tab": complete()
        case "Down": move(by: 1)
        case "Up": move(by: -1)
        default:
            let before = field.text
            if field.edit(press), field.text != before { textChanged() }
        }
    }

    private func handle(_ mouse: MouseEvent, in interface: NotebookInterface) {
        guard case .press = mouse.kind, mouse.button == .left else { return }
        let index = listTop + mouse.position.row - listRow
        guard mouse.position.row >= listRow, completion.candidates.indices.contains(index) else {
            return interface.dismiss(self)
        }
        choice = index
        complete()
    }

    private func textChanged() {
        completion = PathCompletion(field.text, kind, entries: entries)
        choice = nil
        refusal = nil
    }

    /// Takes the chosen candidate, or as much of the text as all candidates agree on.
    private func complete() {
        field = LineField(choice.map { completion.candidates[$0] } ?? completion.common)
        textChanged()
    }

    private func move(by step: Int) {
        guard !completion.candidates.isEmpty else { return }
        let next = (choice ?? -1) + step
        choice = next < 0 ? nil : min(next, completion.candidates.count - 1)
    }

    private func take(in interface: NotebookInterface) {
        if choice != nil { return complete() }
        let path = field.text.trimmingWhitespace
        refusal = path.isEmpty ? "A path is needed" : accept(path)
        if refusal == nil { interface.dismiss(self) }
    }

    // MARK: Drawing

    func draw(into screen: inout Screen, theme: Theme) {
        let content = Size(columns: min(70, screen.size.columns - 4), rows: Self.rows + 1)
        let inside = screen.drawBox(content: content, title: title, hint: hint, theme: theme)
        let ground = theme.overlay
        let caret = field.draw(at: inside.origin, columns: inside.columns, style: theme.text.on(ground), into: &screen)
        listRow = inside.row + 1
        let visible = max(0, inside.rows - 1)
        listTop = max(0, (choice ?? 0) - visible + 1)
        if let refusal, visible > 0 {
            screen.write(
                refusal, at: Position(column: inside.column, row: listRow), style: theme.trouble.on(ground),
                fitting: inside.columns, glyphs: theme.glyphs)
        } else {
            for (offset, candidate) in completion.candidates.dropFirst(listTop).prefix(visible).enumerated() {
                let place = Rect(column: inside.column, row: listRow + offset, columns: inside.columns, rows: 1)
                let isChosen = listTop + offset == choice
                let row = isChosen ? theme.selection : ground
                screen.fill(place, style: row)
                screen.write(
                    Self.end(of: candidate, columns: place.columns, glyphs: theme.glyphs), at: place.origin,
                    style: (isChosen ? theme.text : theme.dim).on(row), fitting: place.columns, glyphs: theme.glyphs)
            }
        }
        screen.cursor = Cursor(caret, shape: .bar)
    }

    /// A path, or its name and as much before it as fits: by names the candidates differ.
    private static func end(of path: String, columns: Int, glyphs: Glyphs) -> String {
        guard TextWidth.shared.width(of: path) > columns else { return path }
        var start = path.dropLast().lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        var left = columns - 1 - TextWidth.shared.width(of: path[start...])
        // Where the name alone does not fit, its own end is what is cut; `~/` is no longer than what says so.
        guard left >= 0 else { return path[..<start].count <= 2 ? path : "\(glyphs.ellipsis)/\(path[start...])" }
        while start > path.startIndex {
            let before = path.index(before: start)
            left -= TextWidth.shared.width(of: path[before])
            if left < 0 { break }
            start = before
        }
        return "\(glyphs.ellipsis)\(path[start...])"
    }
}
