import Terminal
import ViewModel

/// A note that is shown for reading beside the open one, with its title above it.
///
/// It never has the keyboard focus. Going to it exchanges the two notes, so that typed text goes to the one editor.
@MainActor
final class BesidePane: Pane {
    unowned let window: NotebookInterface
    let region = PaneID.beside
    let preview = PreviewPane()
    /// The text that was laid out last.
    private weak var shown: EditorSession?

    init(_ window: NotebookInterface) {
        self.window = window
    }

    private var model: TakeNoteVM { window.model }

    /// The number of rows above the text: its title.
    private static let headRows = 1

    private func columns(in size: Size) -> Int {
        let available = max(1, size.columns - 2)
        return min(available, model.editorSettings.readableWidth ?? available)
    }

    func arrange(in size: Size) {
        let session = model.sessionBeside
        if session !== shown {
            // Another session of the same note may have a different text with the same revision.
            preview.reset()
            shown = session
            window.invalidate(region)
        }
        guard let session else { return }
        preview.arrange(
            session, of: model, columns: columns(in: size), rows: max(1, size.rows - Self.headRows),
            glyphs: window.state.theme.glyphs, on: PictureStage(window.host)
        ) { [weak window] in window?.invalidate(.beside) }
    }

    func draw(into screen: inout Screen) {
        let theme = window.state.theme
        guard let row = model.noteBeside, let session = model.sessionBeside else { return }
        _ = (session.revision, model.session)
        drawTitle(row.title, into: &screen, theme: theme)
        var text = Screen(size: Size(columns: screen.size.columns, rows: max(1, screen.size.rows - Self.headRows)))
        preview.draw(into: &text, left: 1, rows: text.size.rows, theme: theme, styles: window.state.markdownStyles)
        if let stage = PictureStage(window.host) {
            preview.drawPictures(into: &text, left: 1, rows: text.size.rows, on: stage)
        }
        screen.draw(text, at: Position(column: 0, row: Self.headRows))
    }

    /// Draws the title, and after it the key that goes to the note.
    private func drawTitle(_ title: String, into screen: inout Screen, theme: Theme) {
        var room = screen.size.columns - 2
        if let key = window.keyLabel(for: "beside.go", in: .everywhere) {
            let width = TextWidth.shared.width(of: key)
            if room > width + 12 {
                screen.write(key, endingAt: screen.size.columns - 1, row: 0, style: theme.dim)
                room -= width + 1
            }
        }
        // If the first visible line is the title, the title is not repeated above it.
        guard !preview.showsHeading(title) else { return }
        screen.write(
            title, at: Position(column: 1, row: 0), style: theme.dim, fitting: room, glyphs: theme.glyphs)
    }

    func press(_ press: PanePress, in size: Size) {
        let position = press.position
        guard let link = preview.link(column: position.column - 1, row: position.row - Self.headRows) else {
            let cell = Position(column: position.column - 1, row: max(0, position.row - Self.headRows))
            return window.goBeside(to: position.row < Self.headRows ? nil : cell)
        }
        window.arrive(at: model.follow(link))
        window.focus(.editor)
    }

    func wheel(columns: Int, rows: Int, in size: Size) {
        change {
            $0.scroll(by: rows * 3)
            if columns != 0 { $0.scroll(columns: columns * 6) }
        }
    }

    /// Changes the visible state of the text, which is not observed, and redraws it.
    func change(_ change: (PreviewPane) -> Void) {
        // Keys may arrive before the first frame that shows the note.
        if let size = window.nextLayout(size: window.screenSize).panes[region]?.size { arrange(in: size) }
        change(preview)
        window.invalidate(region)
    }
}
