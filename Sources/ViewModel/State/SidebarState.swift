import NoteStore
import Observation

/// The sidebar: the container tree, the saved searches, the fold state, and the lines derived from these.
///
/// It is a class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class SidebarState {
    /// The whole tree, in display order.
    private(set) var containers: [NoteContainer] = []
    /// The saved searches, sorted by name.
    private(set) var savedSearches: [SavedSearch] = []
    /// The number of notes that each saved search finds; a search that is not counted yet is missing.
    private(set) var savedSearchCounts: [SavedSearchID: Int] = [:]
    /// The fold state of sections and containers.
    private(set) var folding = SidebarFolding()
    /// The lines from top to bottom.
    private(set) var rows: [SidebarRow] = []
    /// Whether the notebook has ever held a note, as far as is known; true until it has been read.
    private(set) var hasHeldNotes = true
    /// Whether a read has shown that the notebook has held a note.
    @ObservationIgnored private var hasSeenNotes = false

    // MARK: Reading

    /// Reads tree and searches; unchanged members are not assigned, so that they cause no redraw.
    ///
    /// - Throws: the notebook's read errors.
    func read(from notebook: Notebook) throws {
        let tree = try notebook.containers.all()
        if tree != containers { containers = tree }
        if !hasSeenNotes {
            hasSeenNotes = try notebook.notes.haveEverExisted()
            if hasHeldNotes != hasSeenNotes { hasHeldNotes = hasSeenNotes }
        }
        let searches = try notebook.savedSearches.all()
        if searches != savedSearches { savedSearches = searches }
        updateRows()
    }

    /// Sets the number of notes that each saved search finds.
    func take(counts: [SavedSearchID: Int]) {
        guard counts != savedSearchCounts else { return }
        savedSearchCounts = counts
        updateRows()
    }

    private func updateRows() {
        let lines = SidebarOutline(
            containers, searches: savedSearches, counts: savedSearchCounts, folding: folding
        ).rows()
        if lines != rows { rows = lines }
    }

    // MARK: Folding

    /// Restores the fold state of an earlier run.
    func restore(_ folding: SidebarFolding) {
        self.folding = folding
        updateRows()
    }

    /// Folds or unfolds a section.
    func setExpanded(_ section: SidebarSection, _ expanded: Bool) {
        if expanded { folding.closedSections.remove(section) } else { folding.closedSections.insert(section) }
        updateRows()
    }

    /// Folds or unfolds a container.
    func setExpanded(_ container: ContainerID, _ expanded: Bool) {
        if expanded { folding.openContainers.insert(container) } else { folding.openContainers.remove(container) }
        updateRows()
    }

    /// Unfolds all ancestors of a container, so that its line is shown.
    func reveal(_ id: ContainerID) {
        guard let shown = container(id) else { return }
        var root = shown
        let tags = TagTree(containers)
        while let parent = (root.parent ?? tags.parents[root.id]).flatMap({ container($0) }) {
            folding.openContainers.insert(parent.id)
            root = parent
        }
        for section in SidebarSection.allCases where section.kind == root.kind {
            folding.closedSections.remove(section)
        }
        updateRows()
    }

    // MARK: Tree

    /// The container with this ID, or nil.
    func container(_ id: ContainerID) -> NoteContainer? { containers.first { $0.id == id } }

    /// The saved search with this ID, or nil.
    func savedSearch(_ id: SavedSearchID) -> SavedSearch? { savedSearches.first { $0.id == id } }

    /// The names from the top level down to a container: `["Poems", "Drafts"]`.
    func path(of id: ContainerID) -> [String] {
        var names: [String] = []
        var next: ContainerID? = id
        while let id = next, let container = container(id) {
            names.insert(container.name, at: 0)
            next = container.parent
        }
        return names
    }

    /// Whether `id` is `ancestor` or a descendant of it.
    func isInside(_ id: ContainerID, _ ancestor: ContainerID) -> Bool {
        var next: ContainerID? = id
        while let here = next {
            if here == ancestor { return true }
            next = container(here)?.parent
        }
        return false
    }

    /// The number of notes in a container and its descendants, and the number of the descendants.
    func contents(of id: ContainerID) -> (notes: Int, folders: Int) {
        let below = containers.filter { isInside($0.id, id) }
        let notes = below.filter { !$0.isQuery }.reduce(0) { $0 + $1.noteCount }
        return (notes, below.count { $0.id != id })
    }
}
