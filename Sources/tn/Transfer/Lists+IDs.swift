import NoteStore

extension Notebook.Lists {
    /// Returns all notes in all containers except the Buffer.
    func allIDs() throws -> [NoteID] {
        var seen: Set<NoteID> = []
        return try notebook.containers.all().filter { $0.holdsNotes && !$0.isBuffer }.flatMap { try ids(in: $0.id) }
            .filter { seen.insert($0).inserted }
    }

    /// Returns the notes of a list, sorted by title.
    func ids(in container: ContainerID) throws -> [NoteID] {
        let query = ListQuery(container: container, sortBy: .title, sortOrder: .oldestFirst, starredFirst: false)
        return try rows(query, from: .start, limit: try count(query)).map(\.id)
    }

    /// Returns the notes of a folder and of all folders below it, each once: a project's `All` lists those of others.
    func ids(below folder: NoteContainer) throws -> [NoteID] {
        if folder.isQuery || folder.isProject { return try ids(in: folder.id) }
        let below = try notebook.containers.children(of: folder.id).filter { !$0.isQuery }
        return try ids(in: folder.id) + below.flatMap { try ids(below: $0) }
    }
}
