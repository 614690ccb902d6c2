import Markdown
import Terminal
import ViewModel

/// The editor pane's content until there is a first note: the welcome text, laid out for reading.
@MainActor
final class FirstStepsPane: Pane {
    unowned let window: NotebookInterface
    let region = PaneID.editor
    private let preview = PreviewPane()
    /// The row of the line that says how to keep the text; nil if there is none.
    private var keepRow: Int?

    init(_ window: NotebookInterface) {
        self.window = window
    }

    private var state: WindowState { window.state }

    var isShown: Bool { window.model.showsFirstSteps }

    /// The number of rows below the text: a blank one, and the line that says how to keep it.
    private nonisolated static let footRows = 2

    private struct Frame {
        let left: Int
        let columns: Int
        let rows: Int

        init(in size: Size, settings: EditorSettings, isZoomed: Bool, isRead: Bool) {
            let available = max(1, size.columns - 2)
            columns = min(available, settings.readableWidth ?? available)
            left = isRead ? 0 : isZoomed ? 1 + (available - columns) / 2 : 1
            rows = max(1, size.rows - FirstStepsPane.footRows)
        }
    }

    private func frame(in size: Size) -> Frame {
        Frame(
            in: size, settings: window.model.editorSettings, isZoomed: state.isZoomed,
            isRead: state.theme.glyphs.isWords)
    }

    func moveCursor(by step: Int) {
        preview.scroll(by: step)
        window.invalidate(region)
    }

    func wheel(columns: Int, rows: Int, in size: Size) { moveCursor(by: rows * 3) }

    func press(_ press: PanePress, in size: Size) {
        if press.position.row == keepRow { window.perform("app.welcome") }
    }

    func arrange(in size: Size) {
        let frame = frame(in: size)
        preview.arrange(WelcomeNote.text, columns: frame.columns, rows: frame.rows, glyphs: state.theme.glyphs)
    }

    func draw(into screen: inout Screen) {
        let theme = state.theme
        let frame = frame(in: screen.size)
        let rows = wholeRows(frame.rows)
        preview.draw(into: &screen, left: frame.left, rows: rows, theme: state.theme, styles: state.markdownStyles)
        screen.cursor = .hidden(at: Position(column: frame.left, row: preview.currentRow))
        keepRow = nil
        guard let keepKey = window.keyLabel(for: "app.welcome", in: .list), screen.size.rows > Self.footRows else {
            return
        }
        // The line is drawn directly below the text if the text ends here, otherwise at the bottom.
        let row = min(rows + 1, screen.size.rows - 1)
        keepRow = row
        let start = Position(column: frame.left, row: row)
        let used = screen.write(keepKey, at: start, style: theme.key)
        let room = frame.columns - used
        let text = Texts.keepsWelcome.first { TextWidth.shared.width(of: $0) <= room } ?? ""
        screen.write(text, at: Position(column: start.column + used, row: row), style: theme.dim)
    }

    /// Returns the largest number of rows, up to `rows`, that ends with a whole paragraph or item, not a heading.
    private func wholeRows(_ rows: Int) -> Int {
        let lines = preview.layout.map { Array($0.lines.dropFirst(preview.top)) } ?? []
        guard lines.count > rows else { return lines.count }
        var shown = Array(lines.prefix(rows))
        let next = lines[rows]
        if !next.text.isEmpty {
            while let last = shown.last, last.sourceLine == next.sourceLine { shown.removeLast() }
        }
        while let last = shown.last, last.text.isEmpty || last.isHeading { shown.removeLast() }
        // On the lowest screens a cut paragraph is better than nothing.
        return shown.isEmpty ? rows : shown.count
    }
}

extension PreviewLayout.Line {
    /// Whether it is a line of a heading, or the rule below one.
    fileprivate var isHeading: Bool { runs.contains { $0.kind.headingLevel != nil || $0.kind.contains(.rule) } }
}
