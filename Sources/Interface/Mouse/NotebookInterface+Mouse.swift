import NoteStore
import Terminal
import TextEditing
import ViewModel

/// The mouse: click to focus and select, wheel scrolls what is under it, drag selects text, moves borders, and carries
/// notes and folders to the sidebar.
extension NotebookInterface {
    func handle(_ event: MouseEvent) {
        endSequence()
        switch event.kind {
        case .press where event.button == .left: press(at: event.position, event.modifiers)
        case .drag: drag(to: event.position)
        case .release: release(at: event.position)
        case .wheel(let columns, let rows): wheel(at: event.position, columns: columns, rows: rows)
        default: break
        }
    }

    private func press(at position: Position, _ modifiers: Modifiers) {
        mouse.endDrag()
        let clicks = mouse.press(at: position)
        if position.row == layout.status.row { return pressStatusLine(column: position.column) }
        if let divider = layout.dividers.firstIndex(of: position.column) {
            mouse.drag = .divider(divider)
            return
        }
        guard let pane = layout.pane(at: position), let rect = layout.panes[pane] else { return }
        let inside = Position(column: position.column - rect.column, row: position.row - rect.row)
        // The search field is the list's own: a click on a hit leaves it open.
        let (field, hadText) = (pane == .list ? state.searchField : nil, textOnScreen != nil)
        focus(pane)
        state.searchField = field
        switch pane {
        case .sidebar: pressSidebar(at: inside, in: rect.size)
        case .list: pressList(at: inside, in: rect.size, clicks: clicks)
        // Where something else stood than the text, a click only brings it back.
        case .editor where !hadText && textOnScreen != nil: break
        case .editor: pressEditor(at: inside, in: rect.size, clicks: clicks, modifiers)
        }
    }

    // MARK: Status line, sidebar, list

    /// A hint does what it says; a notice that was read goes.
    func pressStatusLine(column: Int) {
        guard model.notice == nil else { return model.dismissNotice() }
        let line = statusView
        guard let hint = line.hint(at: column, columns: layout.status.columns) else { return }
        perform(hint.command)
    }

    private func pressSidebar(at position: Position, in size: Size) {
        guard let index = SidebarPane.index(atRow: position.row, in: size, model: model, state: state) else { return }
        let line = model.sidebarRows[index]
        if let isExpanded = line.isExpanded, line.container != nil, position.column == SidebarPane.markColumn(of: line)
        {
            return model.setExpanded(line.item, !isExpanded)
        }
        moveSidebarCursor(to: index, toggling: true)
        if let container = line.container, model.canMove(container).isAvailable { mouse.drag = .container(container) }
    }

    private func pressList(at position: Position, in size: Size, clicks: Int) {
        let pane = NoteListPane(model: model, state: state, now: now())
        if position.row == 0, state.searchField == nil, position.column >= pane.summaryColumn(in: size) {
            return perform("list.sort")
        }
        guard let index = NoteListPane.index(atRow: position.row, in: size, model: model, state: state) else { return }
        model.moveListCursor(to: index)
        if clicks == 2 { return focus(.editor) }
        guard let note = model.noteList[index], model.canChangeNotes.isAvailable else { return }
        mouse.drag = .notes(model.isMarked(note.id) ? model.markedNotes : [note])
    }

    // MARK: Editor

    private func pressEditor(at position: Position, in size: Size, clicks: Int, _ modifiers: Modifiers) {
        guard let session = textOnScreen else {
            if model.showsFirstSteps, position.row == firstSteps.keepRow { perform("app.welcome") }
            return
        }
        let pane = editorPane
        let textRows = pane.textSize(in: size).rows
        guard position.row < textRows else { return pressBelowText(row: position.row - textRows, in: size) }
        let column = position.column - EditorPane.Frame(session, in: size, isZoomed: state.isZoomed).left
        if state.isPreviewing { return pressPreview(column: column, row: position.row) }
        if clicks == 1, session.toggleTask(column: column, row: position.row) { return }
        if clicks == 1, pressFold(of: session, column: column, row: position.row) { return }
        let unit: SelectionUnit = clicks == 1 ? .character : clicks == 2 ? .word : .line
        mouse.drag = .text(unit)
        if unit == .character {
            session.place(column: column, row: position.row, extending: false)
            // A plain click places the caret in the link's text, which is being written.
            if !modifiers.isDisjoint(with: [.control, .alt]) { perform("link.follow") }
        } else {
            session.select(unit, column: column, row: position.row)
        }
    }

    /// A click on the find bar goes to its field, one on a backlink to the note.
    private func pressBelowText(row: Int, in size: Size) {
        if state.findBar != nil {
            state.findBar?.isReplacing = row > 0
        } else if let link = BacklinksPanel.link(atRow: row, of: model.backlinks) {
            model.show(link.source)
        }
    }

    /// A click beside a heading folds its section, and one behind a folded heading unfolds it.
    private func pressFold(of session: EditorSession, column: Int, row: Int) -> Bool {
        if column == -1 { return session.toggleFold(row: row) }
        let rows = session.visibleRows()
        guard rows.indices.contains(row), column > rows[row].visual.width,
            session.foldedLines(under: rows[row].line) != nil
        else { return false }
        return session.toggleFold(row: row)
    }

    private func pressPreview(column: Int, row: Int) {
        guard let link = preview.link(column: column, row: row) else { return }
        arrive(at: model.follow(link))
    }

    // MARK: Wheel

    /// Scrolls what is under the pointer; neither the cursor nor the keys go there.
    private func wheel(at position: Position, columns: Int, rows: Int) {
        switch layout.pane(at: position) {
        case .sidebar where rows != 0: scrollSidebar(by: rows * 3)
        case .list where rows != 0: scrollList(by: rows.signum())
        // Three rows a tick is what terminals and browsers do.
        case .editor where model.showsFirstSteps: scrollFirstSteps(by: rows * 3)
        case .editor where state.isPreviewing: scrollPreview(by: rows * 3)
        case .editor:
            if rows != 0 { textOnScreen?.scroll(by: rows * 3) }
            if columns != 0 { textOnScreen?.scroll(columns: columns * 6) }
        default: break
        }
    }

    private func scrollList(by notes: Int) {
        guard let size = layout.panes[.list]?.size, model.noteList.count > 0 else { return }
        let rows = size.rows - NoteListPane.headerRows(in: size)
        // The last note needs no more than to stand at the bottom.
        let last = NoteListPane.top(from: 0, showing: model.noteList.count - 1, in: model, rows: rows)
        state.listTop = min(max(state.listTop + notes, 0), last)
        state.listScrolledFrom = listPlace
    }

    private func scrollSidebar(by rows: Int) {
        guard let size = layout.panes[.sidebar]?.size else { return }
        let last = max(0, model.sidebarRows.count - (size.rows - SidebarPane.headerRows(in: size)))
        state.sidebarTop = min(max(state.sidebarTop + rows, 0), last)
        state.sidebarScrolledFrom = sidebarPlace
    }
}
