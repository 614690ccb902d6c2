import NoteStore
import Terminal
import ViewModel

/// Where things stand on the screen, for what is typed in their place.
extension NotebookInterface {
    /// The two rows of a note in the list, without the mark at their left; nil while they are not in sight.
    func placeInList(of id: NoteID) -> Rect? {
        guard let pane = layout.panes[.list], let index = model.noteList.index(of: id), index >= state.listTop else {
            return nil
        }
        var row = NoteListPane.headerRows(in: pane.size)
        for above in state.listTop...index {
            if NoteListPane.heading(above: above, in: model) != nil { row += 1 }
            if above < index { row += NoteListPane.rowsPerNote }
        }
        let rows = min(NoteListPane.rowsPerNote, pane.rows - row)
        guard rows > 0, pane.columns > 4 else { return nil }
        return Rect(column: pane.column + 2, row: pane.row + row, columns: pane.columns - 3, rows: rows)
    }

    /// The row of a line of the sidebar and the one below it, from its name on; nil while it is not in sight.
    func placeInSidebar(of item: SidebarRow.Item) -> Rect? {
        guard let pane = layout.panes[.sidebar], let index = model.sidebarRows.firstIndex(where: { $0.item == item })
        else { return nil }
        let row = SidebarPane.headerRows(in: pane.size) + index - state.sidebarTop
        let column = 2 + model.sidebarRows[index].depth * 2
        guard index >= state.sidebarTop, row < pane.rows, pane.columns > column + 4 else { return nil }
        return Rect(
            column: pane.column + column, row: pane.row + row, columns: pane.columns - column - 1,
            rows: min(2, pane.rows - row))
    }
}
