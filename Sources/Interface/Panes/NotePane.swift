import Markdown
import Terminal
import TextEditing
import ViewModel

/// The open note in the editor or the preview, with the find bar or the backlinks below it.
@MainActor
final class NotePane: Pane {
    unowned let window: NotebookInterface
    let region = PaneID.editor
    /// The preview of the note.
    let preview = PreviewPane()

    private let drawnRows = DrawnRows()
    /// The observed state that the pane reads besides the text: most of what it reads, and few keys change it.
    private let look: ObservedValue<EditorPane.Look>

    private let model: TakeNoteVM
    private let state: WindowState

    init(_ window: NotebookInterface) {
        self.window = window
        (model, state) = (window.model, window.state)
        look = ObservedValue { [weak window] in window?.invalidate(.editor) }
    }

    var context: KeyContext {
        // Without an open text, keys have the same meaning as in the list.
        guard model.session != nil else { return .list }
        return state.findBar != nil ? .find : state.isPreviewing ? .preview : .editor
    }

    // MARK: Drawing

    /// The current view of the pane.
    var view: EditorPane {
        EditorPane(look: look.value(readLook), preview: preview, drawn: drawnRows, host: window.host)
    }

    /// Reads the look, and has the text that it shows tell of its changes, which are not observed.
    private func readLook() -> EditorPane.Look {
        let look = EditorPane.Look(model, state)
        look.session?.revisionChanged = { [weak window] in window?.invalidate(.editor) }
        return look
    }

    /// Drops the cached look for a reason that is not observed.
    func forgetLook() { look.forget() }

    func arrange(in size: Size) {
        let view = view
        guard let session = view.look.session else { return }
        let text = view.textSize(in: size)
        let columns = frame(of: session, in: size).columns
        session.resize(columns: columns, rows: text.rows)
        if view.look.isPreviewing {
            preview.arrange(
                session, of: model, columns: columns, rows: text.rows, glyphs: view.look.theme.glyphs,
                on: PictureStage(window.host), followsJumps: true
            ) { [weak window] in window?.invalidate(.editor) }
        }
    }

    func draw(into screen: inout Screen) { view.draw(into: &screen) }

    private func frame(of session: EditorSession, in size: Size) -> EditorPane.Frame {
        EditorPane.Frame(session, in: size, isZoomed: state.isZoomed, isRead: state.theme.glyphs.isWords)
    }

    // MARK: Mouse

    func press(_ press: PanePress, in size: Size) {
        guard let session = window.textOnScreen else { return }
        let (clicks, row) = (press.clicks, press.position.row)
        let textRows = view.textSize(in: size).rows
        guard row < textRows else { return pressBelowText(press.position, row: row - textRows, in: size) }
        let column = press.position.column - frame(of: session, in: size).left
        if state.isPreviewing { return pressPreview(column: column, row: row) }
        if clicks == 1, session.toggleTask(column: column, row: row) { return }
        if clicks == 1, pressFold(of: session, column: column, row: row) { return }
        let unit: SelectionUnit = clicks == 1 ? .character : clicks == 2 ? .word : .line
        window.mouse.drag = .text(unit)
        if unit == .character {
            session.moveCaret(toColumn: column, row: row, extending: false)
            // A plain click places the caret in the link's text, so that it can be edited.
            if !press.modifiers.isDisjoint(with: [.control, .alt]) { window.perform("link.follow") }
        } else {
            session.select(unit, column: column, row: row)
        }
    }

    /// Handles a click below the text: on the find bar it focuses a field or toggles a switch, on a backlink it opens the
    /// note at the line with the link.
    private func pressBelowText(_ position: Position, row: Int, in size: Size) {
        if let bar = state.findBar {
            let (end, isRead) = (size.columns - 1, state.theme.glyphs.isWords)
            let option = row > 0 ? nil : bar.option(at: position.column, endingAt: end, columns: end, isRead: isRead)
            if let option { return window.toggle(option) }
            state.findBar?.isReplacing = row > 0 && !state.isPreviewing
        } else if let link = BacklinksPanel.link(atRow: row, of: model.backlinks) {
            model.show(link.source)
            model.session?.go(toLine: link.line)
        }
    }

    /// Handles a click on folds: beside a heading it toggles the section, after a folded heading it unfolds it.
    private func pressFold(of session: EditorSession, column: Int, row: Int) -> Bool {
        if column == -1 { return session.toggleFold(row: row) }
        let rows = session.visibleRows()
        guard rows.indices.contains(row), column > rows[row].visual.width,
            session.foldedLines(under: rows[row].line) != nil
        else { return false }
        return session.toggleFold(row: row)
    }

    private func pressPreview(column: Int, row: Int) {
        if let line = preview.task(column: column, row: row) { return toggleTask(inLine: line) }
        if let link = preview.link(column: column, row: row) { return window.arrive(at: model.follow(link)) }
        if let tag = preview.tag(column: column, row: row) { return window.arrive(at: model.follow(tag: tag)) }
        if preview.followFootnote(column: column, row: row) { window.invalidate(.editor) }
    }

    private func toggleTask(inLine line: Int) {
        if let reason = window.canWrite.reason { return model.say(reason, kind: .refused) }
        _ = model.session?.toggleTask(inLine: line, saying: "")
    }

    func wheel(columns: Int, rows: Int, in size: Size) {
        // Three rows a tick, as in terminals and browsers.
        if state.isPreviewing {
            return changePreview {
                $0.scroll(by: rows * 3)
                if columns != 0 { $0.scroll(columns: columns * 6) }
            }
        }
        if rows != 0 { window.textOnScreen?.scroll(by: rows * 3) }
        if columns != 0 { window.textOnScreen?.scroll(columns: columns * 6) }
    }

    /// Extends the selection to a cell of the screen; beyond the edge of the text, it scrolls first.
    ///
    /// - Parameter rows: the number of rows to scroll in that case.
    /// - Returns: whether the cell is beyond the edge, and there was more text to select.
    func select(by unit: SelectionUnit, to position: Position, in rect: Rect, rows: Int) -> Bool {
        guard let session = window.textOnScreen else { return false }
        let (row, last) = (position.row - rect.row, view.textSize(in: rect.size).rows - 1)
        let isBeyond = row <= 0 || row > last
        if isBeyond { session.scroll(by: row <= 0 ? -rows : rows) }
        let before = session.selection
        let left = rect.column + frame(of: session, in: rect.size).left
        session.extendSelection(by: unit, column: position.column - left, row: min(max(row, 0), last))
        return isBeyond && session.selection != before
    }

    // MARK: Reading

    /// Changes the visible state of the preview, which is not observed, and redraws it.
    func changePreview(_ change: (PreviewPane) -> Void) {
        layOutUnseen()
        change(preview)
        window.invalidate(.editor)
    }

    /// Lays the note out as the next frame will, if no frame has shown it yet: keys may arrive faster than frames.
    func layOutUnseen() {
        guard state.isPreviewing, let session = model.session, !preview.isUpToDate(with: session),
            let size = window.nextLayout(size: window.screenSize).panes[region]?.size
        else { return }
        arrange(in: size)
    }
}
