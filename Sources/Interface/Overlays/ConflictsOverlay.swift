import Terminal
import TextEditing
import ViewModel

/// The conflicts that synchronising left, each with the words in which the two texts differ.
@MainActor
final class ConflictsOverlay: Overlay {
    let context = KeyContext.pager
    let hints = Texts.Hints.conflicts

    private var conflicts: [SyncConflict]
    private let actions: Actions
    private var cursor = ListCursor()
    private var changes = ChangesView()
    private var isComparing = false
    /// The number of comparisons begun, so that a late one does not replace a newer one.
    private var comparison = 0
    private var box = OverlayBox()
    private var listRect = Rect(column: 0, row: 0, columns: 0, rows: 0)
    private var changesRect = Rect(column: 0, row: 0, columns: 0, rows: 0)

    /// What the window does with a conflict.
    struct Actions {
        let compare: @MainActor (SyncConflict, @escaping @MainActor @Sendable (TextDiff?) -> Void) -> Void
        /// Settles one; returns whether it was done.
        let settle: @MainActor (SyncConflict, ConflictChoice) -> Bool
        /// Opens the note in the editor.
        let edit: @MainActor (SyncConflict) -> Void
    }

    init(_ conflicts: [SyncConflict], _ actions: Actions) {
        (self.conflicts, self.actions) = (conflicts, actions)
        compare()
    }

    private var conflict: SyncConflict? { conflicts.indices.contains(cursor.row) ? conflicts[cursor.row] : nil }

    private func compare() {
        comparison += 1
        changes = ChangesView()
        guard let conflict else { return }
        isComparing = true
        let number = comparison
        actions.compare(conflict) { [weak self] diff in
            guard let self, comparison == number else { return }
            isComparing = false
            changes = ChangesView(diff)
        }
    }

    // MARK: Keys

    func perform(_ action: OverlayAction, in interface: NotebookInterface) {
        switch action {
        case .cancel: interface.dismiss(self)
        case .down: move(to: cursor.row + 1)
        case .up: move(to: cursor.row - 1)
        case .keepThis: settle(.this, in: interface)
        case .keepThat: settle(.that, in: interface)
        case .keepBoth: settle(.both, in: interface)
        case .accept: edit(in: interface)
        default: _ = changes.scroller.perform(action)
        }
    }

    private func settle(_ choice: ConflictChoice, in interface: NotebookInterface) {
        guard let conflict, actions.settle(conflict, choice) else { return }
        conflicts.remove(at: cursor.row)
        guard !conflicts.isEmpty else { return interface.dismiss(self) }
        cursor.move(to: min(cursor.row, conflicts.count - 1), of: conflicts.count)
        compare()
    }

    /// Brings both texts into the note and opens it, so that the rest is done by hand.
    private func edit(in interface: NotebookInterface) {
        guard let conflict, actions.settle(conflict, .both) else { return }
        interface.dismiss(self)
        actions.edit(conflict)
    }

    func press(at position: Position, in interface: NotebookInterface) {
        guard listRect.contains(position),
            let index = cursor.index(atOffset: position.row - listRect.row, of: conflicts.count)
        else { return }
        move(to: index)
    }

    func wheel(at position: Position, rows: Int, in interface: NotebookInterface) {
        if listRect.contains(position) { return move(to: cursor.row + rows.signum()) }
        changes.scroller.scroll(by: rows * 3)
    }

    private func move(to index: Int) {
        let before = cursor.row
        cursor.move(to: index, of: conflicts.count)
        if cursor.row != before { compare() }
    }

    // MARK: Drawing

    /// The rows of the list at most; the texts need the others.
    private static let listRows = 5

    func arrange(in size: Size) {
        let rows = size.rows - OverlayBox.margin(on: size)
        box = OverlayBox(content: Size(columns: min(120, size.columns - 4), rows: rows), on: size)
        let inside = box.inside
        guard inside.rows > 0, inside.columns > 0 else { return }
        let listed = max(1, min(conflicts.count, Self.listRows, inside.rows / 3))
        listRect = Rect(column: inside.column, row: inside.row, columns: inside.columns, rows: listed)
        let start = listed + (inside.rows > listed + 2 ? 1 : 0)
        changesRect = Rect(
            column: inside.column, row: inside.row + start, columns: inside.columns, rows: inside.rows - start)
        cursor.arrange(count: conflicts.count, room: listRect.rows)
        changes.scroller.arrange(count: changes.lines.count, room: changesRect.rows)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: Texts.conflicts, hint: keys.line(hints), into: &screen, theme: theme)
        guard box.inside.rows > 0, box.inside.columns > 0 else { return }
        for (offset, conflict) in conflicts.dropFirst(cursor.top).prefix(listRect.rows).enumerated() {
            let row = Rect(column: listRect.column, row: listRect.row + offset, columns: listRect.columns, rows: 1)
            let ground = cursor.top + offset == cursor.row ? theme.selection : theme.overlay
            screen.fill(row, style: ground)
            let isGone = conflict.original == nil
            let end =
                isGone
                ? screen.write(
                    theme.glyphs.plain(Texts.originalIsGone), endingAt: row.maxColumn - 1, row: row.row,
                    style: theme.dim.on(ground)) : row.maxColumn
            screen.write(
                (conflict.original ?? conflict.copy).title, at: Position(column: row.column + 1, row: row.row),
                style: theme.text.on(ground), fitting: end - row.column - 2, glyphs: theme.glyphs)
        }
        changes.draw(
            in: changesRect, into: &screen, theme: theme,
            empty: isComparing ? Texts.comparing : Texts.identicalTexts)
    }
}
