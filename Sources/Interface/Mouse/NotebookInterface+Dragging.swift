import NoteStore
import Terminal
import TextEditing
import ViewModel

/// Dragging with the mouse, and dropping.
extension NotebookInterface {
    func drag(to position: Position) {
        switch mouse.drag {
        case .nothing: break
        case .divider(let index): moveDivider(index, to: position.column)
        case .split: moveSplit(to: position)
        case .text(let unit): extendSelection(by: unit, to: position)
        case .notes, .container: aim(at: position)
        }
    }

    func release() {
        if let target = state.dropTarget { drop(on: target) }
        if state.dropTarget != nil { state.dropTarget = nil }
        mouse.endDrag()
    }

    // MARK: Borders

    private func moveDivider(_ index: Int, to column: Int) {
        switch (layout.form, index) {
        case (.wide, 0): state.widths.sidebar = max(column, 1)
        case (.wide, _): state.widths.list = max(column - layout.dividers[0] - 1, 1)
        default: state.widths.list = max(column, 1)
        }
        needsFrame = true
    }

    /// Gives the first of two notes the columns or rows up to the mouse.
    private func moveSplit(to position: Position) {
        guard let split = layout.split, let editor = layout.panes[.editor], let beside = layout.panes[.beside] else {
            return
        }
        let isUpright = split.columns == 1
        let start = isUpright ? min(editor.column, beside.column) : min(editor.row, beside.row)
        let length = isUpright ? editor.columns + beside.columns : editor.rows + beside.rows
        let first = (isUpright ? position.column : position.row) - start
        // The share is rounded up, so that the border ends up where the mouse is.
        state.notes.share = min(max((first * 100 + length - 1) / max(length, 1), 0), 100)
        needsFrame = true
    }

    /// Makes the focused pane wider by a number of columns; for the editor, makes the list narrower.
    func widenPane(by columns: Int) {
        // Several keys may arrive before the next frame; each starts from the widths that the previous one set.
        let next = nextLayout(size: screenSize)
        func width(of pane: PaneID) -> Int { next.panes[pane]?.columns ?? 0 }
        switch state.focus {
        case .sidebar where next.form == .wide: state.widths.sidebar = width(of: .sidebar) + columns
        case .sidebar: state.widths.list = width(of: .sidebar) + columns
        case .list: state.widths.list = width(of: .list) + columns
        case .editor, .beside: state.widths.list = width(of: .list) - columns
        }
        needsFrame = true
    }

    /// Whether there is a border to move.
    var canMoveBorder: Availability {
        .when(!layout.dividers.isEmpty, else: Texts.onePaneVisible)
    }

    // MARK: Text

    /// Extends the selection to the mouse; while the mouse is beyond the text's edge, the text keeps scrolling.
    private func extendSelection(by unit: SelectionUnit, to position: Position) {
        mouse.stopScrolling()
        guard selectText(by: unit, to: position, rows: 1) else { return }
        keepScrolling(by: unit, to: position, steps: 1)
    }

    /// - Parameter rows: the number of rows to scroll if the mouse is beyond the edge.
    /// - Returns: whether it is beyond the edge, and there was more text to select.
    private func selectText(by unit: SelectionUnit, to position: Position, rows: Int) -> Bool {
        guard let rect = layout.panes[.editor] else { return false }
        return note.select(by: unit, to: position, in: rect, rows: rows)
    }

    /// Keeps scrolling, faster the longer it lasts.
    private func keepScrolling(by unit: SelectionUnit, to position: Position, steps: Int) {
        mouse.scrolling = model.schedule(after: MouseGesture.scrollInterval) { [weak self] in
            guard let self, selectText(by: unit, to: position, rows: 1 + steps / MouseGesture.stepsToDouble) else {
                return
            }
            keepScrolling(by: unit, to: position, steps: steps + 1)
        }
    }

    // MARK: Notes and folders

    /// Highlights the line of the sidebar that would accept the drop.
    private func aim(at position: Position) {
        let target = sidebar.line(at: position).flatMap { takes($0, mouse.drag) ? $0.item : nil }
        if target != state.dropTarget { state.dropTarget = target }
    }

    private func takes(_ line: SidebarRow, _ drag: MouseGesture.Drag) -> Bool {
        switch drag {
        case .notes(let notes):
            guard let container = line.container, !notes.allSatisfy({ $0.folder == container.id }) else { return false }
            return container.isTag || container.isStarred || model.noteDestinations.contains { $0.id == container.id }
        case .container(let folder):
            guard let container = line.container else { return line.item == .section(.folders) && folder.parent != nil }
            return container.isTrash || model.destinations(of: folder).contains { $0.id == container.id }
        default: return false
        }
    }

    private func drop(on target: SidebarRow.Item) {
        switch (mouse.drag, target) {
        case (.notes(let notes), .container(let id)): model.onMoveToFolder(id, notes: notes)
        case (.container(let folder), .section): model.move(folder, to: nil)
        case (.container(let folder), .container(let id)):
            if model.container(id)?.isTrash == true { model.folderDelete(folder) } else { model.move(folder, to: id) }
        default: break
        }
    }
}
