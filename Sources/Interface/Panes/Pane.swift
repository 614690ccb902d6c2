import Terminal

/// A view that can occupy one of the window's regions; `PaneView` keeps its cells.
///
/// A region shows the first of its panes, in the order of `NotebookInterface.panes`, that `isShown`.
@MainActor
protocol Pane: AnyObject {
    var window: NotebookInterface { get }
    /// The region that it occupies.
    var region: PaneID { get }
    /// Whether it should be shown; computed from observed state alone, so that a change is noticed.
    var isShown: Bool { get }
    /// The context in which keys are looked up while the pane has the focus.
    var context: KeyContext { get }

    /// Whether `arrange` reads only observed state, so that it need not be called again until that changes.
    var isArrangedByObservedState: Bool { get }
    /// Adjusts the scroll offset to the state, and fetches the rows to draw, before anything is drawn.
    func arrange(in size: Size)
    /// Draws the pane; called again once observed state that it has read has changed.
    func draw(into screen: inout Screen)
    func press(_ press: PanePress, in size: Size)
    func wheel(columns: Int, rows: Int, in size: Size)

    /// Moves the pane's cursor by a number of rows, stopping at the ends.
    func moveCursor(by step: Int)
    /// The number of rows by which a page moves the cursor: slightly less than the visible rows.
    func pageLength(in size: Size) -> Int
    /// Opens the item under the cursor.
    func openUnderCursor()
}

/// A press of the left mouse button in a pane.
struct PanePress {
    /// The cell, relative to the pane.
    let position: Position
    /// The number of presses in a row at the same cell: 1, 2 or 3.
    let clicks: Int
    let modifiers: Modifiers
}

/// The defaults, for panes that show the note under the list's cursor, or other content in its region.
extension Pane {
    var isShown: Bool { true }
    var context: KeyContext { .list }
    var isArrangedByObservedState: Bool { false }
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
