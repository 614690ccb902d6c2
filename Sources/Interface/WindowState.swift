import NoteStore
import Observation
import Terminal
import ViewModel

/// A place of the list's cursor.
struct ListPlace: Equatable {
    let container: ContainerID?
    let cursor: Int
}

/// What the window itself remembers: focus, scroll positions, what lies over the panes.
///
/// The notes' own state is in `TakeNoteVM`.
@MainActor
@Observable
final class WindowState {
    /// The pane that has the keys; `NotebookInterface.focus(_:)` gives them, with all that follows from it.
    private(set) var focus = PaneID.list
    var widths = PaneWidths()
    var isZoomed = false
    var theme = Theme.dark { didSet { markdownStyles = MarkdownStyles(theme.markdown) } }
    /// Follows from the theme, which is what is observed.
    @ObservationIgnored private(set) var markdownStyles = MarkdownStyles(Theme.dark.markdown)
    /// The index of the first note shown in the list.
    var listTop = 0
    /// The first line shown in the sidebar.
    var sidebarTop = 0
    /// The heading that the sidebar's cursor is on; nil when it is on the selected container.
    var headingUnderCursor: SidebarSection?
    /// The search field while it takes what is typed.
    var searchField: LineField?
    /// Whether the editor pane shows the note as it reads rather than as it is written.
    var isPreviewing = false
    /// Whether the notes that link to the open one are listed below it.
    var showsBacklinks = true
    /// The line of the sidebar that would take what the mouse drags.
    var dropTarget: SidebarRow.Item?
    /// Whether nothing moves by itself.
    var reducesMotion = false
    /// How dates are written.
    @ObservationIgnored var dates = DateOrder.dayFirst
    /// Where the list's cursor was when the wheel scrolled it away; the list stays there until the cursor moves.
    @ObservationIgnored var listScrolledFrom: ListPlace?
    /// Where the sidebar's cursor was when the wheel scrolled it away.
    @ObservationIgnored var sidebarScrolledFrom: SidebarRow.Item?
    /// The keys of a sequence that were pressed so far, while more have to follow.
    var pendingKeys: [KeyChord] = []
    /// What is said of a paste whose end does not come, until it does.
    var pasteSign: String?
    /// The find bar of the editor while it is open.
    var findBar: FindBar?

    /// For `NotebookInterface.focus(_:)` alone.
    func giveKeys(to pane: PaneID) {
        if focus != pane { focus = pane }
    }
}
