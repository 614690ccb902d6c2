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
    /// The position in the text, where a small screen has no room for all of it.
    private var scroller = Scroller()
    /// The number of rows for the answers: one, or one for each where a row has no room for both.
    ///
    /// A screen reader speaks whole rows, so each has its own there too.
    private var answerRows = 1
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

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        switch action {
        case .yes: answer(true, in: window)
        case .no, .cancel: answer(false, in: window)
        case .accept: answer(isAccepting, in: window)
        case .up where scrolls, .down where scrolls: _ = scroller.perform(action)
        case .left, .right, .up, .down, .nextPart, .previousPart: isAccepting.toggle()
        default: _ = scroller.perform(action)
        }
    }

    private var scrolls: Bool { lines.count > scroller.room }

    func wheel(at position: Position, rows: Int, in window: NotebookInterface) { scroller.scroll(by: rows) }

    /// A click outside of the box declines, as Esc does.
    func press(at position: Position, in window: NotebookInterface) {
        guard box.frame.contains(position) else { return answer(false, in: window) }
        if acceptRect.contains(position) { answer(true, in: window) }
        if declineRect.contains(position) { answer(false, in: window) }
    }

    private func answer(_ accepted: Bool, in window: NotebookInterface) {
        window.dismiss(self)
        if accepted { accept() } else { decline() }
    }

    // MARK: Drawing

    func arrange(in area: OverlayArea) {
        let columns = area.columns(upTo: 56)
        lines = question.text.wholeLines(fitting: columns)
        let quoted = question.quoted?.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) ?? []
        lines += quoted.flatMap { String($0).rows(of: columns) }
        let wanted = area.isRead || answersWidth > columns ? 2 : 1
        // A screen reader needs no blank row above the answers.
        box = OverlayBox(content: Size(columns: columns, rows: lines.count + (area.isRead ? 2 : 1 + wanted)), on: area)
        let spare = box.inside.rows - wanted
        answerRows = wanted > 1 && (area.isRead ? spare >= 0 : spare >= Self.minimumTextRows) ? wanted : 1
        // If rows are few, the answers take precedence over the text.
        scroller.arrange(count: lines.count, room: box.inside.rows - answerRows)
    }

    /// The columns of both answers in one row, each between its mark and its key, which is one letter.
    private var answersWidth: Int {
        [question.decline, question.accept].reduce(2) { $0 + TextWidth.shared.width(of: $1) + 3 }
    }

    /// The rows of text that a second row of answers must leave; chosen by eye.
    private static let minimumTextRows = 2

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        let isCut = scroller.top + scroller.room < lines.count
        let hint = isCut ? keys.line([KeyHint("overlay.down", Texts.moreText)]) : ""
        box.draw(title: question.title, hint: hint, into: &screen, theme: theme)
        box.draw(scroller.mark, into: &screen, theme: theme)
        let inside = box.inside
        let shown = lines.dropFirst(scroller.top).prefix(max(0, inside.rows - answerRows))
        for (offset, line) in shown.enumerated() {
            screen.write(
                theme.glyphs.plain(line), at: box.row(offset).origin, style: theme.text.on(theme.overlay),
                fitting: inside.columns, glyphs: theme.glyphs)
        }
        let row = inside.row + inside.rows - 1
        if answerRows > 1 { return drawAnswerRows(upTo: row, keys, into: &screen, theme) }
        declineRect = drawAnswer(
            question.decline, key: keys["overlay.no"] ?? "", isChosen: !isAccepting,
            at: Position(column: inside.column, row: row), columns: inside.columns / 2, into: &screen, theme: theme)
        // If the row is short, a narrower gap lets the second answer be written whole.
        let width = TextWidth.shared.width(of: question.accept + (keys["overlay.yes"] ?? "")) + 2
        let start = min(declineRect.maxColumn + 2, max(declineRect.maxColumn, inside.maxColumn - width))
        acceptRect = drawAnswer(
            question.accept, key: keys["overlay.yes"] ?? "", isChosen: isAccepting,
            at: Position(column: start, row: row), columns: inside.maxColumn - start, into: &screen, theme: theme)
    }

    private func drawAnswerRows(upTo row: Int, _ keys: KeyLabels, into screen: inout Screen, _ theme: Theme) {
        let inside = box.inside
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
