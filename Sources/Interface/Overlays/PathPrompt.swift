import Terminal
import ViewModel

/// A box in which the path of a file or folder is typed, with the possible completions below it.
@MainActor
final class PathPrompt: Overlay {
    let context = KeyContext.prompt
    let hints = Texts.Hints.path

    private let title: String
    private let kind: PathCompletion.Kind
    private let entries: Entries
    private var typed: LineField
    private var completion: PathCompletion
    private var cursor = ListCursor()
    /// Whether the candidate under the cursor is chosen; if not, Enter accepts the typed text.
    private var hasChoice = false
    private var refusal: String?
    /// Accepts the path; if it returns a reason, the box stays open.
    private let accept: @MainActor (String) -> String?
    private var box = OverlayBox()

    /// The largest number of candidates shown.
    private static let rows = 8

    /// Returns the names in a folder, each with whether it is a folder.
    typealias Entries = (String) -> [(name: String, isFolder: Bool)]

    /// - Parameter entries: reads a folder; by default from the disk.
    init(
        title: String, text: String, kind: PathCompletion.Kind,
        entries: @escaping Entries = PathCompletion.entries, accept: @escaping @MainActor (String) -> String?
    ) {
        self.title = title
        self.kind = kind
        self.accept = accept
        self.entries = entries
        typed = LineField(text)
        // The first key typed replaces the suggested text.
        typed.selectAll()
        completion = PathCompletion(text, kind, entries: entries)
    }

    // MARK: Keys

    var field: LineField? {
        get { typed }
        set { typed = newValue ?? LineField() }
    }

    func perform(_ action: OverlayAction, in interface: NotebookInterface) {
        switch action {
        case .cancel: interface.dismiss(self)
        case .accept: submit(in: interface)
        case .nextPart: complete()
        case .down where !hasChoice:
            cursor.reset()
            hasChoice = !completion.candidates.isEmpty
        case .up where cursor.row == 0: hasChoice = false
        default: _ = cursor.perform(action, of: completion.candidates.count)
        }
    }

    func paste(_ text: String, in interface: NotebookInterface) {
        if let path = PathCompletion.pasted(text) { typed = LineField(path) } else { typed.insert(text) }
        textChanged()
    }

    func press(at position: Position, in interface: NotebookInterface) {
        let offset = position.row - box.inside.row - 1
        guard let index = cursor.index(atOffset: offset, of: completion.candidates.count) else {
            return interface.dismiss(self)
        }
        cursor.move(to: index, of: completion.candidates.count)
        hasChoice = true
        complete()
    }

    func fieldChanged(in interface: NotebookInterface) { textChanged() }

    private var choice: String? { hasChoice ? completion.candidates[safe: cursor.row] : nil }

    private func textChanged() {
        completion = PathCompletion(typed.text, kind, entries: entries)
        hasChoice = false
        cursor.reset()
        refusal = nil
    }

    /// Inserts the chosen candidate, or the prefix that all candidates share.
    private func complete() {
        typed = LineField(choice ?? completion.common)
        textChanged()
    }

    private func submit(in interface: NotebookInterface) {
        if hasChoice { return complete() }
        let path = typed.text.trimmingWhitespace
        refusal = path.isEmpty ? Texts.pathNeeded : accept(path)
        if refusal == nil { interface.dismiss(self) }
    }

    // MARK: Drawing

    func arrange(in size: Size) {
        box = OverlayBox(content: Size(columns: min(70, size.columns - 4), rows: Self.rows + 1), on: size)
        cursor.arrange(count: completion.candidates.count, room: box.inside.rows - 1)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: title, hint: keys.line(hints), into: &screen, theme: theme)
        let inside = box.inside
        let ground = theme.overlay
        let caret = typed.draw(at: inside.origin, columns: inside.columns, style: theme.text.on(ground), into: &screen)
        screen.cursor = Cursor(caret, shape: .bar)
        if let refusal, inside.rows > 1 {
            screen.write(
                refusal, at: box.row(1).origin, style: theme.trouble.on(ground), fitting: inside.columns,
                glyphs: theme.glyphs)
        } else {
            let visible = max(0, inside.rows - 1)
            for (offset, candidate) in completion.candidates.dropFirst(cursor.top).prefix(visible).enumerated() {
                let rect = box.row(1 + offset)
                let isChosen = hasChoice && cursor.top + offset == cursor.row
                if isChosen { screen.cursor = .hidden(at: rect.origin) }
                let row = isChosen ? theme.selection : ground
                screen.fill(rect, style: row)
                screen.write(
                    Self.end(of: candidate, columns: rect.columns, glyphs: theme.glyphs), at: rect.origin,
                    style: (isChosen ? theme.text : theme.dim).on(row), fitting: rect.columns, glyphs: theme.glyphs)
            }
        }
    }

    /// A path, or as much of its end as fits: the candidates differ in their names.
    private static func end(of path: String, columns: Int, glyphs: Glyphs) -> String {
        guard TextWidth.shared.width(of: path) > columns else { return path }
        var start = path.dropLast().lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        var left = columns - 1 - TextWidth.shared.width(of: path[start...])
        // If even the name does not fit, its own end is cut. `~/` is no longer than the ellipsis in its place would be.
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
