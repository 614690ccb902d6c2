import GRDB

extension Notebook {
    /// The whole tree with its counts, in one query.
    ///
    /// System containers in their order, folders, projects, tags, what lies in Trash;
    /// children after their parent, siblings by `sortOrder`, then name. One query; cost grows with the containers only.
    public func containers() throws(StoreError) -> [NoteContainer] {
        let all = try read { db in
            try NoteContainer.fetch(db, "ORDER BY c.parent, c.kind = 'tag', c.kind = 'project', c.sortOrder, c.nameKey")
        }
        return Self.displayOrder(all)
    }

    /// The container, `nil` if there is none.
    public func container(_ id: ContainerID) throws(StoreError) -> NoteContainer? {
        try read { db in try NoteContainer.fetch(db, "WHERE c.uuid = ?", [id.description]).first }
    }

    /// The folders right in a container, in display order; with `nil` the root folders and projects.
    public func children(of id: ContainerID?) throws(StoreError) -> [NoteContainer] {
        let order = "ORDER BY c.kind = 'project', c.sortOrder, c.nameKey"
        return try read { db in
            guard let id else {
                return try NoteContainer.fetch(
                    db, "WHERE c.parent IS NULL AND c.kind IN ('folder', 'project') \(order)")
            }
            return try NoteContainer.fetch(
                db, "WHERE c.parent = (SELECT id FROM container WHERE uuid = ?) \(order)", [id.description])
        }
    }

    /// Parents before children, from rows that are sorted among siblings.
    private static func displayOrder(_ all: [NoteContainer]) -> [NoteContainer] {
        guard all.contains(where: { $0.parent != nil }) else { return all }
        var children: [ContainerID: [NoteContainer]] = [:]
        for container in all {
            if let parent = container.parent { children[parent, default: []].append(container) }
        }
        var result: [NoteContainer] = []
        result.reserveCapacity(all.count)
        var waiting = Array(all.filter { $0.parent == nil }.reversed())
        while let next = waiting.popLast() {
            result.append(next)
            if let below = children[next.id] { waiting.append(contentsOf: below.reversed()) }
        }
        return result
    }
}

extension NoteContainer {
    static func fetch(
        _ db: Database, _ condition: String, _ arguments: StatementArguments = []
    ) throws -> [NoteContainer] {
        let statement = try db.cachedStatement(sql: "\(selection) \(condition)")
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var result: [NoteContainer] = []
        while let row = try rows.next() { result.append(NoteContainer(row)) }
        return result
    }
}

extension NoteRow {
    static func fetch(_ db: Database, _ condition: String, _ arguments: StatementArguments = []) throws -> [NoteRow] {
        let statement = try db.cachedStatement(sql: "\(selection) \(condition)")
        let rows = try Row.fetchCursor(statement, arguments: arguments)
        var result: [NoteRow] = []
        while let row = try rows.next() { result.append(NoteRow(row)) }
        return result
    }
}
