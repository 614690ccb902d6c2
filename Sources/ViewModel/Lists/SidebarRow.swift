import NoteStore

/// One line of the sidebar.
public struct SidebarRow: Equatable, Sendable, Identifiable {
    /// The object that the line represents.
    public enum Item: Hashable, Sendable {
        case container(ContainerID)
        case section(SidebarSection)
        case search(SavedSearchID)
    }

    public var item: Item
    public var title: String
    /// The depth of indentation: 0 for system folders and section headings.
    public var depth: Int
    /// Whether the line is unfolded; nil if it cannot be folded.
    public var isExpanded: Bool?
    /// The number of its notes; nil if no number is shown.
    public var count: Int?
    /// The container of the line; nil for a section heading and a saved search.
    public var container: NoteContainer?

    public var id: Item { item }
}

/// The headings of the sidebar, in their order.
public enum SidebarSection: String, Hashable, Sendable, CaseIterable, Codable {
    case folders, projects, tags, searches

    public var title: String { Texts.section(self) }

    /// The kind of the top-level containers below the heading; nil if there are none.
    var kind: NoteContainer.Kind? {
        switch self {
        case .folders: .folder
        case .projects: .project
        case .tags: .tag
        case .searches: nil
        }
    }
}

/// The fold state of the sidebar's sections and containers.
public struct SidebarFolding: Equatable, Sendable, Codable {
    public var closedSections: Set<SidebarSection> = []
    public var openContainers: Set<ContainerID> = []

    public init() {}
}

/// Flattens the container tree into the lines that the sidebar shows.
struct SidebarOutline {
    private let children: [ContainerID?: [NoteContainer]]
    private let searches: [SavedSearch]
    private let counts: [SavedSearchID: Int]
    private let folding: SidebarFolding
    private let tags: TagTree

    /// - Parameters:
    ///   - containers: the whole tree in display order.
    ///   - searches: the saved searches in display order.
    ///   - counts: the number of notes that each of them finds.
    init(
        _ containers: [NoteContainer], searches: [SavedSearch], counts: [SavedSearchID: Int], folding: SidebarFolding
    ) {
        let tags = TagTree(containers)
        self.tags = tags
        children = Dictionary(grouping: containers) { $0.parent ?? tags.parents[$0.id] }
        self.searches = searches
        self.counts = counts
        self.folding = folding
    }

    /// The lines from top to bottom: system folders, then each section that is not empty.
    func rows() -> [SidebarRow] {
        let roots = children[nil] ?? []
        var rows: [SidebarRow] = []
        // Only the Trash has children: the folders in it.
        for system in roots where system.kind.isSystem && system.kind != .buffer { append(system, depth: 0, to: &rows) }
        for section in SidebarSection.allCases {
            let members = roots.filter { $0.kind == section.kind }
            guard !members.isEmpty || section == .searches && !searches.isEmpty else { continue }
            let isOpen = !folding.closedSections.contains(section)
            rows.append(SidebarRow(item: .section(section), title: section.title, depth: 0, isExpanded: isOpen))
            guard isOpen else { continue }
            for member in members { append(member, depth: 1, to: &rows) }
            if section == .searches { rows += searches.map(row) }
        }
        return rows
    }

    private func row(for search: SavedSearch) -> SidebarRow {
        SidebarRow(item: .search(search.id), title: search.name, depth: 1, count: counts[search.id])
    }

    private func append(_ container: NoteContainer, depth: Int, to rows: inout [SidebarRow]) {
        let row = row(for: container, depth: depth)
        rows.append(row)
        guard row.isExpanded == true else { return }
        for child in children[container.id] ?? [] { append(child, depth: depth + 1, to: &rows) }
    }

    private func row(for container: NoteContainer, depth: Int) -> SidebarRow {
        let canFold = children[container.id] != nil
        return SidebarRow(
            item: .container(container.id),
            title: tags.titles[container.id] ?? container.name,
            depth: depth,
            isExpanded: canFold ? folding.openContainers.contains(container.id) : nil,
            count: container.noteCount,
            container: container)
    }
}
