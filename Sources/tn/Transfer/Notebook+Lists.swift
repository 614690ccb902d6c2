import NoteStore

extension Notebook {
    /// All notes wherever they are, Buffer left out.
    func allNotes() throws -> [NoteID] {
        var seen: Set<NoteID> = []
        return try containers().filter { $0.holdsNotes && !$0.isBuffer }.flatMap { try notes(in: $0.id) }
            .filter { seen.insert($0).inserted }
    }

    /// The notes of a list, by title.
    func notes(in container: ContainerID) throws -> [NoteID] {
        let query = ListQuery(container: container, sortBy: .title, sortOrder: .oldestFirst, starredFirst: false)
        return try rows(query, from: .start, limit: try count(query)).map(\.id)
    }

    /// The notes of a folder and of all below it.
    func notes(below folder: NoteContainer) throws -> [NoteID] {
        if folder.isQuery || folder.isProject { return try notes(in: folder.id) }
        return try notes(in: folder.id) + children(of: folder.id).flatMap { try notes(below: $0) }
    }
}
