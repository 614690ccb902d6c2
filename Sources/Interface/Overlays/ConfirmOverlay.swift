import Terminal
import ViewModel

/// A question before something is done.
///
/// The safe answer is the default: Enter and Esc both leave everything as it is until the other answer is chosen.
@MainActor
final class ConfirmOverlay: Overlay {
    private let question: Question
    private let accept: @MainActor () -> Void
    private let decline: @MainActor () -> Void
    /// Whether the answer that does it is under the cursor.
    private var isAccepting = false
    /// Where the two answers stand, for the mouse.
    private var acceptPlace = Rect(column: 0, row: 0, columns: 0, rows: 0)
    private var declinePlace = Rect(column: 0, row: 0, columns: 0, rows: 0)

    init(
        _ question: Question, decline: @escaping @MainActor () -> Void = {}, accept: @escaping @MainActor () -> Void
    ) {
        self.question = question
        self.accept = accept
        self.decline = decline
    }

    func handle(_ event: InputEvent, in interface: NotebookInterface) {
        switch event {
        case .key(let press):
            switch press.fixedChord?.description {
            case "y", "Y": answer(true, in: interface)
            case "n", "N", "Esc", "q", "Ctrl-Q": answer(false, in: interface)
            case "Enter": answer(isAccepting, in: interface)
            case "Left", "Right", "Up", "Down", "Tab", "Shift-Tab", "h", "j", "k", "l": isAccepting.toggle()
            default: break
            }
        case .mouse(let mouse):
            guard case .press = mouse.kind, mouse.button == .left else { return }
            if acceptPlace.contains(mouse.position) { answer(true, in: interface) }
            if declinePlace.contains(mouse.position) { answer(false, in: interface) }
        default: break
        }
    }

    private func answer(_ accepted: Bool, in interface: NotebookInterface) {
        interface.dismiss(self)
        if accepted { accept() } else { decline() }
    }

    // MARK: Drawing

    func draw(into screen: inout Screen, theme: Theme) {
        let columns = min(56, screen.size.columns - 4)
        let lines = theme.glyphs.plain(question.text).lines(fitting: columns)
        let inside = screen.drawBox(
            content: Size(columns: columns, rows: lines.count + 2), title: question.title, theme: theme)
        // The answers come first where rows are few.
        for (offset, line) in lines.prefix(max(0, inside.rows - 1)).enumerated() {
            let place = Position(column: inside.column, row: inside.row + offset)
            screen.write(
                line, at: place, style: theme.text.on(theme.overlay), fitting: inside.columns, glyphs: theme.glyphs)
        }
        let row = inside.row + inside.rows - 1
        declinePlace = drawAnswer(
            question.decline, key: "n", isChosen: !isAccepting, at: Position(column: inside.column, row: row),
            columns: inside.columns / 2, into: &screen, theme: theme)
        let start = declinePlace.maxColumn + 2
        acceptPlace = drawAnswer(
            question.accept, key: "y", isChosen: isAccepting, at: Position(column: start, row: row),
            columns: inside.maxColumn - start, into: &screen, theme: theme)
    }

    private func drawAnswer(
        _ text: String, key: String, isChosen: Bool, at place: Position, columns: Int, into screen: inout Screen,
        theme: Theme
    ) -> Rect {
        let ground = isChosen ? theme.selection : theme.overlay
        let label = "\(isChosen ? String(theme.glyphs.selected) : " ")\(theme.glyphs.plain(text)) "
        let used = screen.write(
            label, at: place, style: theme.text.on(ground), fitting: max(0, columns - 2), glyphs: theme.glyphs)
        let keyPlace = Position(column: place.column + used, row: place.row)
        let keyUsed = screen.write(key, at: keyPlace, style: theme.key.on(theme.overlay), maxColumns: 1)
        return Rect(column: place.column, row: place.row, columns: used + keyUsed, rows: 1)
    }
}

extension String {
    /// The text in lines of at most `columns` cells, broken between words; a longer word is cut by who draws it.
    func lines(fitting columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            let longer = line.isEmpty ? String(word) : "\(line) \(word)"
            if TextWidth.shared.width(of: longer) <= columns || line.isEmpty {
                line = longer
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
