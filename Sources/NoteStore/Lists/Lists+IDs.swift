extension Notebook.Lists {
    /// Returns all notes in all containers except the Buffer, each once.
    public func allIDs() throws(StoreError) -> [NoteID] {
        var seen: Set<NoteID> = []
        var all: [NoteID] = []
        for container in try notebook.containers.all() where container.holdsNotes && !container.isBuffer {
            all += try ids(in: container.id).filter { seen.insert($0).inserted }
        }
        return all
    }

    /// Returns the notes of a list, sorted by title.
    public func ids(in container: ContainerID) throws(StoreError) -> [NoteID] {
        let query = ListQuery(container: container, sortBy: .title, sortOrder: .oldestFirst, starredFirst: false)
        return try rows(query, limit: count(query)).map(\.id)
    }

    /// Returns the notes of a folder and of all folders below it, each once: a project's `All` lists those of others.
    public func ids(below folder: NoteContainer) throws(StoreError) -> [NoteID] {
        var all = try ids(in: folder.id)
        if folder.isQuery || folder.isProject { return all }
        for child in try notebook.containers.children(of: folder.id) where !child.isQuery {
            all += try ids(below: child)
        }
        return all
    }
}
