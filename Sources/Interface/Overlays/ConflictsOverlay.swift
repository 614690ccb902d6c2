import Terminal
import TextEditing
import ViewModel

/// The conflicts of a synchronisation, each with the words in which the two texts differ.
@MainActor
final class ConflictsOverlay: Overlay {
    let context = KeyContext.pager
    var hints: [KeyHint] {
        box.inside.columns < Self.narrowBox ? Texts.Hints.conflictsInNarrowBox : Texts.Hints.conflicts
    }

    private let conflicts: ComparedList<SyncConflict>
    private let actions: Actions
    private var box = OverlayBox()

    /// The window's actions on a conflict.
    struct Actions {
        let compare: @MainActor (SyncConflict, @escaping @MainActor @Sendable (TextDiff?) -> Void) -> Void
        /// Settles a conflict; returns whether that succeeded.
        let settle: @MainActor (SyncConflict, ConflictChoice) -> Bool
        /// Opens the note in the editor.
        let edit: @MainActor (SyncConflict) -> Void
        /// Returns what says where the lines with `-` and with `+` are from.
        let sides: @MainActor (SyncConflict) -> Sides?
    }

    /// What says where the two texts are from.
    struct Sides {
        /// The note in the list, whose lines have `-`; nil if it is gone.
        let this: String?
        /// The text that lost, whose lines have `+`.
        let that: String
    }

    init(_ conflicts: [SyncConflict], _ actions: Actions) {
        self.actions = actions
        self.conflicts = ComparedList(conflicts, comparison: actions.compare)
    }

    // MARK: Keys

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        switch action {
        case .cancel: window.dismiss(self)
        case .keepThis: settle(.this, in: window)
        case .keepThat: settle(.that, in: window)
        case .keepBoth: settle(.both, in: window)
        case .accept: edit(in: window)
        default: conflicts.perform(action)
        }
    }

    private func settle(_ choice: ConflictChoice, in window: NotebookInterface) {
        guard let conflict = conflicts.current, actions.settle(conflict, choice) else { return }
        conflicts.removeCurrent()
        if conflicts.items.isEmpty { window.dismiss(self) }
    }

    /// Puts both texts into the note and opens it, so that the user can finish the merge by hand.
    private func edit(in window: NotebookInterface) {
        guard let conflict = conflicts.current, actions.settle(conflict, .both) else { return }
        window.dismiss(self)
        actions.edit(conflict)
    }

    func press(at position: Position, in window: NotebookInterface) {
        guard box.frame.contains(position) else { return window.dismiss(self) }
        conflicts.press(at: position)
    }

    func wheel(at position: Position, rows: Int, in window: NotebookInterface) {
        conflicts.wheel(at: position, rows: rows)
    }

    // MARK: Drawing

    /// The largest number of rows of the list; the texts need the others.
    private static let listRows = 5

    /// The rows above the texts that say where they are from; a low box has none to spare.
    private var sides: [(isThis: Bool, text: String)] {
        guard box.inside.rows >= Self.lowBox, let sides = conflicts.current.flatMap(actions.sides) else { return [] }
        return (sides.this.map { [(true, $0)] } ?? []) + [(false, sides.that)]
    }

    /// The number of rows below which a box is low; chosen by eye.
    private static let lowBox = 8
    /// The number of columns below which the hints of all keys do not fit into the frame.
    private static let narrowBox = 66

    func arrange(in area: OverlayArea) {
        let rows = area.size.rows - area.margin
        box = OverlayBox(content: Size(columns: area.columns(upTo: 120), rows: rows), on: area)
        guard box.inside.rows > 0, box.inside.columns > 0 else { return }
        conflicts.arrange(in: box.inside, listRows: Self.listRows, headRows: sides.count)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: Texts.conflicts, hint: keys.line(hints), into: &screen, theme: theme)
        guard box.inside.rows > 0, box.inside.columns > 0 else { return }
        conflicts.draw(in: box, into: &screen, theme: theme, identical: Texts.identicalTexts) { _, conflict in
            (
                (conflict.original ?? conflict.copy).title,
                conflict.original == nil ? theme.glyphs.plain(Texts.originalIsGone) : ""
            )
        }
        for (offset, side) in sides.enumerated() {
            let start = Position(column: box.inside.column, row: conflicts.headRow + offset)
            let (sign, style) = side.isThis ? ("- ", theme.removed) : ("+ ", theme.added)
            let used = screen.write(sign, at: start, style: style.on(theme.overlay))
            screen.write(
                theme.glyphs.plain(side.text), at: Position(column: start.column + used, row: start.row),
                style: theme.dim.on(theme.overlay), fitting: box.inside.columns - used, glyphs: theme.glyphs)
        }
    }
}
