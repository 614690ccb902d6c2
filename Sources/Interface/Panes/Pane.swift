import Terminal

/// What can stand in one of the window's three places, whose cells `PaneView` keeps.
///
/// A place shows the first of its panes, in the order of `NotebookInterface.panes`, that `isShown`.
@MainActor
protocol Pane: AnyObject {
    var window: NotebookInterface { get }
    /// Where it stands.
    var place: PaneID { get }
    /// Whether there is reason to show it: told by observed state alone, so that a change is seen.
    var isShown: Bool { get }
    /// Where keys are looked up while the pane has them.
    var context: KeyContext { get }

    /// Brings scroll positions, and the rows that are read, in line with the state before anything is drawn.
    func arrange(in size: Size)
    /// Draws the pane; it is called again once something observed that it has read has changed.
    func draw(into screen: inout Screen)
    func press(_ press: PanePress, in size: Size)
    func wheel(columns: Int, rows: Int, in size: Size)

    /// Moves the cursor of the pane, stopping at the ends.
    func moveCursor(by step: Int)
    /// How far a page moves the cursor: what is seen, less one that stays in sight.
    func pageLength(in size: Size) -> Int
    /// Opens what the cursor is on.
    func openUnderCursor()
}

/// A press of the left mouse button in a pane.
struct PanePress {
    /// In cells of the pane.
    let position: Position
    /// 1, 2 or 3 in a row at the same place.
    let clicks: Int
    let modifiers: Modifiers
}

/// What holds for panes that show the note of the list's cursor, or something in its stead.
extension Pane {
    var isShown: Bool { true }
    var context: KeyContext { .list }
    func arrange(in size: Size) {}
    func press(_ press: PanePress, in size: Size) {}
    func wheel(columns: Int, rows: Int, in size: Size) {}

    func moveCursor(by step: Int) { window.model.moveListCursor(to: window.model.listCursor + step) }
    func pageLength(in size: Size) -> Int { max(1, size.rows - 3) }

    func openUnderCursor() {
        guard window.model.noteUnderCursor != nil else { return }
        window.model.openUnderCursor()
        window.focus(.editor)
    }
}
