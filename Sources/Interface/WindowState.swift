import NoteStore
import Observation
import Terminal
import ViewModel

/// A cursor position in the list of a container.
struct ListPosition: Equatable {
    let container: ContainerID?
    let cursor: Int
}

/// The window's own state: focus, scroll offsets, layout, and open fields.
///
/// The notes' own state is in `TakeNoteVM`.
@MainActor
@Observable
final class WindowState {
    /// The pane with the keyboard focus.
    ///
    /// `NotebookInterface.focus(_:)` changes it, and does everything else that must follow.
    private(set) var focus = PaneID.list
    var widths = PaneWidths()
    var isZoomed = false
    /// Whether the sidebar is shown only while it has the focus.
    var hidesSidebar = false
    /// The division of the editor's rectangle between the open note and the one beside it.
    var notes = NoteSplit()
    /// Whether a note has one row in the list instead of two.
    var isListCompact = false
    var theme = Theme.dark { didSet { markdownStyles = MarkdownStyles(theme.markdown) } }
    /// Derived from the theme, which is the observed property.
    @ObservationIgnored private(set) var markdownStyles = MarkdownStyles(Theme.dark.markdown)
    /// The index of the first note shown in the list.
    var listTop = 0
    /// The first line shown in the sidebar.
    var sidebarTop = 0
    /// The heading that the sidebar's cursor is on; nil when it is on the selected container.
    var headingUnderCursor: SidebarSection?
    /// The search field while it is open.
    var searchField: LineField? { didSet { isMovingInHits = false } }
    /// Whether the last key in the search moved among the hits; the terminal's cursor is then on the hit's row.
    var isMovingInHits = false
    /// Whether the editor pane shows the preview of the note instead of its source.
    var isPreviewing = false
    /// Whether the notes that link to the open note are listed below it.
    var showsBacklinks = true
    /// The line of the sidebar onto which the mouse would drop the dragged item.
    var dropTarget: SidebarRow.Item?
    /// Whether the user wants no motion on the screen.
    var reducesMotion = false
    /// The order of day and month in dates.
    @ObservationIgnored var dates = DateOrder.dayFirst
    /// The list's cursor position when the wheel scrolled it out of view; the list stays there until the cursor moves.
    var listScrolledFrom: ListPosition?
    /// The sidebar row of the cursor when the wheel scrolled it out of view.
    var sidebarScrolledFrom: SidebarRow.Item?
    /// The keys of an unfinished key sequence that were pressed so far.
    var pendingKeys: [KeyChord] = []
    /// The state of vim's keys while they are on.
    var vim: VimStatus?
    /// The message about a paste whose end is missing, until it arrives.
    var pasteSign: String?
    /// Whether it was said that a key with Alt has changed a text.
    @ObservationIgnored var hasToldOfAlt = false
    /// The command of the user's own that is running.
    var runningScript: RunningScript?
    /// The find bar of the editor; nil while it is closed.
    var findBar: FindBar?

    /// Sets the focus; only `NotebookInterface.focus(_:)` may call this.
    func giveKeys(to pane: PaneID) {
        if focus != pane { focus = pane }
    }
}
