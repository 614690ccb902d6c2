import NoteStore

/// One line of the sidebar.
public struct SidebarRow: Equatable, Sendable, Identifiable {
    /// What the line stands for.
    public enum Item: Hashable, Sendable {
        case container(ContainerID)
        case section(SidebarSection)
    }

    public var item: Item
    public var title: String
    /// How deep the line is indented: 0 for system folders and section headings.
    public var depth: Int
    /// Whether the line can be folded, and if so, whether what is below it is shown.
    public var isExpanded: Bool?
    /// How many notes it holds, nil where a number says nothing.
    public var count: Int?
    /// The container behind the line, nil for a section heading.
    public var container: NoteContainer?

    public var id: Item { item }
}

/// The headings of the sidebar, in their order.
public enum SidebarSection: String, Hashable, Sendable, CaseIterable, Codable {
    case folders, projects, tags

    public var title: String {
        switch self {
        case .folders: "Folders"
        case .projects: "Projects"
        case .tags: "Tags"
        }
    }

    /// The kind of container that stands below the heading, at its top level.
    var kind: NoteContainer.Kind {
        switch self {
        case .folders: .folder
        case .projects: .project
        case .tags: .tag
        }
    }
}

/// Which parts of the sidebar are unfolded.
public struct SidebarFolding: Equatable, Sendable, Codable {
    public var closedSections: Set<SidebarSection> = []
    public var openContainers: Set<ContainerID> = []

    public init() {}
}

/// Flattens the container tree into the lines that the sidebar shows.
struct SidebarOutline {
    private let children: [ContainerID?: [NoteContainer]]
    private let folding: SidebarFolding

    /// - Parameter containers: the whole tree in display order.
    init(_ containers: [NoteContainer], folding: SidebarFolding) {
        children = Dictionary(grouping: containers, by: \.parent)
        self.folding = folding
    }

    /// The lines from top to bottom: system folders, then each section that has something or can get something.
    func rows() -> [SidebarRow] {
        let roots = children[nil] ?? []
        var rows: [SidebarRow] = []
        // Trash alone has something below it: the folders that lie in it.
        for system in roots where system.kind.isSystem && system.kind != .buffer { append(system, depth: 0, to: &rows) }
        for section in SidebarSection.allCases {
            let members = roots.filter { $0.kind == section.kind }
            guard !members.isEmpty else { continue }
            let isOpen = !folding.closedSections.contains(section)
            rows.append(SidebarRow(item: .section(section), title: section.title, depth: 0, isExpanded: isOpen))
            if isOpen {
                for member in members { append(member, depth: 1, to: &rows) }
            }
        }
        return rows
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
            title: container.name,
            depth: depth,
            isExpanded: canFold ? folding.openContainers.contains(container.id) : nil,
            count: container.noteCount,
            container: container)
    }
}
