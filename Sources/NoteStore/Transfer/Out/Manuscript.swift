import Foundation

/// The texts of a folder or project as one work, in the order in which they are read.
///
/// A folder in it is a chapter with its notes as scenes; a folder that contains folders is a part with chapters. A note
/// beside folders, or directly in the work, is a chapter of its own.
public struct Manuscript: Equatable, Sendable {
    /// A heading with the notes below it.
    public struct Section: Equatable, Sendable {
        /// 1 for a part or a chapter of the work, 2 for a chapter of a part, and so on.
        public var level: Int
        public var title: String
        /// The texts, separated by scene breaks; a part has none.
        public var notes: [NoteRow]
        /// Whether the title is shown above the text; otherwise it is the text's own first line.
        public var showsTitle = true
    }

    public var title: String
    public var author = ""
    /// Whether all texts keep their line breaks, as those of poems do.
    public var keepsLines = false
    /// The project's description.
    public var details = ""
    public var sections: [Section] = []
    /// The identity of the folder, or of the first note.
    let id: UUID

    public var noteCount: Int { sections.reduce(0) { $0 + $1.notes.count } }
    public var wordCount: Int { sections.reduce(0) { $0 + $1.notes.reduce(0) { $0 + $1.wordCount } } }
    /// The time when one of its texts last changed.
    var updated: Date { sections.flatMap(\.notes).map(\.updatedDate).max() ?? Date(timeIntervalSince1970: 0) }
}

extension Notebook.Transfer {
    /// Returns the notes of a folder, a project or a list as one work.
    ///
    /// For a project these are its texts and collections, without what is set aside, researched or sent to publishers.
    public func manuscript(of id: ContainerID) throws(StoreError) -> Manuscript {
        let all = try notebook.containers.all()
        guard let container = all.first(where: { $0.id == id }) else { throw .noSuchContainer(id) }
        var manuscript = Manuscript(title: container.name, details: container.details, id: container.id.uuid)
        if container.isQuery, !container.isProject {
            manuscript.sections = try chapters(in: container, level: 1)
        } else {
            var seen: Set<ContainerID> = []
            manuscript.sections = try sections(of: container, level: 1, isWork: true, &seen)
        }
        return manuscript
    }

    /// Returns these notes as one work, in the given order, each as a chapter.
    public func manuscript(of notes: [NoteID]) throws(StoreError) -> Manuscript {
        let rows = try notebook.notes.rows(notes)
        guard let first = rows.first else { return Manuscript(title: "", id: UUID.random()) }
        var manuscript = Manuscript(title: first.title, id: first.id.uuid)
        for row in rows { manuscript.sections.append(try chapter(row, level: 1)) }
        return manuscript
    }

    private func sections(
        of container: NoteContainer, level: Int, isWork: Bool, _ seen: inout Set<ContainerID>
    ) throws(StoreError) -> [Manuscript.Section] {
        guard seen.insert(container.id).inserted else { return [] }
        let folders = try notebook.containers.children(of: container.id).filter { $0.role?.isOfWork ?? true }
        var below: [[Manuscript.Section]] = []
        for folder in folders where folder.isFolder {
            // The folders of a project's template show how far a text has got, not its position in the work.
            let isTransparent = folder.role != nil
            below.append(
                try sections(of: folder, level: isTransparent ? level : level + 1, isWork: isTransparent, &seen))
        }
        let hasFolders = below.contains { !$0.isEmpty }
        if isWork { return try chapters(in: container, level: level) + below.flatMap(\.self) }
        if hasFolders {
            let part = Manuscript.Section(level: level - 1, title: container.name, notes: [])
            return try [part] + chapters(in: container, level: level) + below.flatMap(\.self)
        }
        let scenes = try inOrder(container)
        if scenes.isEmpty { return [] }
        return [Manuscript.Section(level: level - 1, title: container.name, notes: scenes)]
    }

    private func chapters(in container: NoteContainer, level: Int) throws(StoreError) -> [Manuscript.Section] {
        guard container.holdsNotes || container.isQuery, !container.isProject else { return [] }
        var result: [Manuscript.Section] = []
        for row in try inOrder(container) { result.append(try chapter(row, level: level)) }
        return result
    }

    private func chapter(_ row: NoteRow, level: Int) throws(StoreError) -> Manuscript.Section {
        let text = try notebook.notes.text(row.id) ?? ""
        return Manuscript.Section(level: level, title: row.title, notes: [row], showsTitle: row.isHeaded(in: text))
    }

    /// Returns the notes of a folder as the user arranged them, or else the oldest first.
    private func inOrder(_ container: NoteContainer) throws(StoreError) -> [NoteRow] {
        let query = ListQuery(container: container.id, sortBy: .byHand, starredFirst: false)
        let rows = try notebook.lists.rows(query, limit: try notebook.lists.count(query)).filter { $0.place == .live }
        return rows.contains { $0.sortOrder != 0 } ? rows : rows.reversed()
    }
}

extension NoteContainer.Role {
    /// Whether a folder with this role contains texts of the work, or folders that do.
    fileprivate var isOfWork: Bool {
        switch self {
        case .work, .draft, .ready, .published, .collections: true
        default: false
        }
    }
}
