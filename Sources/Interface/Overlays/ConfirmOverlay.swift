import Terminal
import ViewModel

/// A question that must be answered before an action runs.
///
/// The safe answer is the default: Enter and Esc both cancel until the other answer is chosen.
@MainActor
final class ConfirmOverlay: Overlay {
    let context = KeyContext.dialog

    private let question: Question
    private let accept: @MainActor () -> Void
    private let decline: @MainActor () -> Void
    /// Whether the accepting answer is under the cursor.
    private var isAccepting = false
    private var box = OverlayBox()
    private var lines: [String] = []
    /// The rectangles of the two answers, for the mouse.
    private var acceptRect = Rect(column: 0, row: 0, columns: 0, rows: 0)
    private var declineRect = Rect(column: 0, row: 0, columns: 0, rows: 0)

    init(
        _ question: Question, decline: @escaping @MainActor () -> Void = {}, accept: @escaping @MainActor () -> Void
    ) {
        self.question = question
        self.accept = accept
        self.decline = decline
    }

    /// The answers with their keys.
    var hints: [KeyHint] {
        [KeyHint("overlay.yes", question.accept), KeyHint("overlay.no", question.decline)]
    }

    func perform(_ action: OverlayAction, in interface: NotebookInterface) {
        switch action {
        case .yes: answer(true, in: interface)
        case .no, .cancel: answer(false, in: interface)
        case .accept: answer(isAccepting, in: interface)
        case .left, .right, .up, .down, .nextPart, .previousPart: isAccepting.toggle()
        default: break
        }
    }

    func press(at position: Position, in interface: NotebookInterface) {
        if acceptRect.contains(position) { answer(true, in: interface) }
        if declineRect.contains(position) { answer(false, in: interface) }
    }

    private func answer(_ accepted: Bool, in interface: NotebookInterface) {
        interface.dismiss(self)
        if accepted { accept() } else { decline() }
    }

    // MARK: Drawing

    func arrange(in area: OverlayArea) {
        let columns = area.columns(upTo: 56)
        lines = question.text.lines(fitting: columns)
        box = OverlayBox(content: Size(columns: columns, rows: lines.count + 2), on: area)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: question.title, into: &screen, theme: theme)
        let inside = box.inside
        // If rows are few, the answers take precedence over the text.
        for (offset, line) in lines.prefix(max(0, inside.rows - 1)).enumerated() {
            screen.write(
                theme.glyphs.plain(line), at: box.row(offset).origin, style: theme.text.on(theme.overlay),
                fitting: inside.columns, glyphs: theme.glyphs)
        }
        let row = inside.row + inside.rows - 1
        // A screen reader speaks whole rows, so each answer has one.
        if theme.glyphs.isWords, inside.rows > 1 { return drawAnswerRows(upTo: row, keys, into: &screen, theme) }
        declineRect = drawAnswer(
            question.decline, key: keys["overlay.no"] ?? "", isChosen: !isAccepting,
            at: Position(column: inside.column, row: row), columns: inside.columns / 2, into: &screen, theme: theme)
        // The second answer is written whole where that takes a narrower gap.
        let width = TextWidth.shared.width(of: question.accept + (keys["overlay.yes"] ?? "")) + 2
        let start = min(declineRect.maxColumn + 2, max(declineRect.maxColumn, inside.maxColumn - width))
        acceptRect = drawAnswer(
            question.accept, key: keys["overlay.yes"] ?? "", isChosen: isAccepting,
            at: Position(column: start, row: row), columns: inside.maxColumn - start, into: &screen, theme: theme)
    }

    private func drawAnswerRows(upTo row: Int, _ keys: KeyLabels, into screen: inout Screen, _ theme: Theme) {
        let inside = box.inside
        for line in [row - 1, row] {
            screen.fill(Rect(column: 0, row: line, columns: screen.size.columns, rows: 1), style: theme.overlay)
        }
        declineRect = drawAnswer(
            question.decline, key: keys["overlay.no"] ?? "", isChosen: !isAccepting,
            at: Position(column: inside.column, row: row - 1), columns: inside.columns, into: &screen, theme: theme)
        acceptRect = drawAnswer(
            question.accept, key: keys["overlay.yes"] ?? "", isChosen: isAccepting,
            at: Position(column: inside.column, row: row), columns: inside.columns, into: &screen, theme: theme)
    }

    private func drawAnswer(
        _ text: String, key: String, isChosen: Bool, at position: Position, columns: Int, into screen: inout Screen,
        theme: Theme
    ) -> Rect {
        let ground = isChosen ? theme.selection : theme.overlay
        if isChosen { screen.cursor = .hidden(at: position) }
        let label = "\(isChosen ? String(theme.glyphs.selected) : " ")\(theme.glyphs.plain(text)) "
        let keyWidth = TextWidth.shared.width(of: key)
        let used = screen.write(
            label, at: position, style: theme.text.on(ground), fitting: max(0, columns - keyWidth),
            glyphs: theme.glyphs)
        let keyPosition = Position(column: position.column + used, row: position.row)
        let keyUsed = screen.write(key, at: keyPosition, style: theme.key.on(theme.overlay), maxColumns: keyWidth)
        return Rect(column: position.column, row: position.row, columns: used + keyUsed, rows: 1)
    }
}
