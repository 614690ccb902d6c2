import Terminal

/// The mouse: a click focuses and selects, the wheel scrolls the pane under the pointer, and a drag selects text, moves
/// borders, and moves notes and folders to the sidebar.
extension NotebookInterface {
    func handle(_ event: MouseEvent) {
        endSequence()
        switch event.kind {
        case .press where event.button == .left: press(at: event.position, event.modifiers)
        case .press where event.button == .middle: pressMiddle(at: event.position)
        case .drag: drag(to: event.position)
        case .release: release()
        case .wheel(let columns, let rows): wheel(at: event.position, columns: columns, rows: rows)
        default: break
        }
    }

    private func press(at position: Position, _ modifiers: Modifiers) {
        mouse.endDrag()
        let clicks = mouse.press(at: position, time: model.steadyTime - (host?.inputAge ?? .zero))
        if position.row == layout.status.row { return pressStatusLine(column: position.column) }
        if let divider = layout.dividers.firstIndex(of: position.column) {
            mouse.drag = .divider(divider)
            return
        }
        if layout.split?.contains(position) == true {
            mouse.drag = .split
            return
        }
        guard let region = layout.pane(at: position), let rect = layout.panes[region] else { return }
        let inside = Position(column: position.column - rect.column, row: position.row - rect.row)
        if region == .beside {
            return beside.press(PanePress(position: inside, clicks: clicks, modifiers: modifiers), in: rect.size)
        }
        // The search field belongs to the list, so a click on a hit leaves it open.
        let (field, before) = (region == .list ? state.searchField : nil, pane(in: region))
        focus(region)
        state.searchField = field
        // If focusing changed the pane shown in this region, the click does nothing more.
        let pane = pane(in: region)
        guard pane === before else { return }
        pane.press(PanePress(position: inside, clicks: clicks, modifiers: modifiers), in: rect.size)
    }

    /// Runs the command of the clicked hint; if a notice is shown, dismisses it instead.
    func pressStatusLine(column: Int) {
        guard model.notice == nil else { return model.dismissNotice() }
        let line = statusView
        guard let hint = line.hint(at: column, columns: layout.status.columns) else { return }
        perform(hint.command)
    }

    /// Scrolls the pane under the pointer; the cursor and the keyboard focus stay.
    private func wheel(at position: Position, columns: Int, rows: Int) {
        guard let region = layout.pane(at: position), let rect = layout.panes[region] else { return }
        pane(in: region).wheel(columns: columns, rows: rows, in: rect.size)
    }
}
