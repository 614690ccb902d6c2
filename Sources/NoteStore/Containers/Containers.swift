import GRDB

extension Notebook.Containers {
    /// Returns the whole tree with its counts, in one query.
    ///
    /// Children follow their parent. Siblings are sorted: projects after the others, tags last, and among these by
    /// `sortOrder`, then name. Cost grows with the containers only.
    public func all() throws(StoreError) -> [NoteContainer] {
        let all = try notebook.read { db in
            // A tag that occurs only in texts is hidden while all of these are in the Trash.
            try NoteContainer.fetch(
                db,
                "WHERE c.inText = 0 OR c.noteCount > 0 ORDER BY c.parent, c.kind = 'tag', c.kind = 'project', c.sortOrder, c.nameKey"
            )
        }
        return Self.displayOrder(all)
    }

    /// Returns the container, or `nil` if there is none.
    public func load(_ id: ContainerID) throws(StoreError) -> NoteContainer? {
        try notebook.read { db in try NoteContainer.fetch(db, "WHERE c.uuid = ?", [id.description]).first }
    }

    /// Returns the folders directly in a container, in display order; with `nil` the root folders and projects.
    public func children(of id: ContainerID?) throws(StoreError) -> [NoteContainer] {
        let order = "ORDER BY c.kind = 'project', c.sortOrder, c.nameKey"
        return try notebook.read { db in
            guard let id else {
                return try NoteContainer.fetch(
                    db, "WHERE c.parent IS NULL AND c.kind IN ('folder', 'project') \(order)")
            }
            return try NoteContainer.fetch(
                db, "WHERE c.parent = (SELECT id FROM container WHERE uuid = ?) \(order)", [id.description])
        }
    }

    /// Sorts parents before children, given rows that are sorted among siblings.
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

extension Notebook {
    /// Makes a folder or a tag as one action that undo takes back.
    func addContainer(
        _ kind: ActionSummary.Kind, _ body: (Transaction) throws -> ContainerHead
    ) throws(StoreError) -> NoteContainer {
        try write { transaction in
            let head = try transaction.recorded(
                kind, notes: [], containers: [], made: { ([], [$0.id]) }, { try body(transaction) })
            return try transaction.container(key: head.key)
        }
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

extension Notebook.Containers {
    /// Renames a folder, project or tag.
    ///
    /// - Throws: `tagInText` for a tag that texts have; see `Notebook.Tags.rename`.
    public func rename(_ id: ContainerID, to name: String) throws(StoreError) {
        if try load(id)?.isTag == true {
            try notebook.tags.rename(id, to: name, rewritingTexts: false)
            return
        }
        try notebook.act(.renameFolder, containers: [id]) { transaction in
            try transaction.rename(transaction.changeableContainer(id), name)
        }
    }

    /// Moves folders and projects with everything below them to Trash; deletes tags, which undo restores.
    public func delete(_ ids: [ContainerID]) throws(StoreError) {
        let isTag = try ids.first.flatMap { id throws(StoreError) in try load(id) }?.isTag == true
        try notebook.act(isTag ? .deleteTag : .trashFolder, containers: ids) { transaction in
            for id in ids {
                let head = try transaction.changeableContainer(id)
                if head.kind == .tag {
                    let count = try transaction.textCount(ofTag: head)
                    if count > 0 { throw StoreError.tagInText(name: head.name, notes: count) }
                    try transaction.removeTag(head)
                } else {
                    try transaction.putAway(head)
                }
            }
        }
    }

    /// Sets the colour of a folder, project or tag: red, green, blue, alpha from the highest byte down.
    public func setColor(_ id: ContainerID, _ colorRGBA: UInt32) throws(StoreError) {
        try notebook.act(.recolor, containers: [id]) { transaction in
            let head = try transaction.changeableContainer(id)
            try transaction.run(
                "UPDATE container SET colorRGBA = ?, inText = 0 WHERE id = ?", [Int64(colorRGBA), head.key])
            try transaction.forgetSuccessor(of: head.key)
            transaction.change.containers = true
        }
    }

    /// Sets the symbol of a folder, project or tag, by its SF Symbols name.
    public func setSymbol(_ id: ContainerID, _ symbol: String) throws(StoreError) {
        try notebook.act(.changeSymbol, containers: [id]) { transaction in
            let head = try transaction.changeableContainer(id)
            try transaction.run("UPDATE container SET symbol = ?, inText = 0 WHERE id = ?", [symbol, head.key])
            try transaction.forgetSuccessor(of: head.key)
            transaction.change.containers = true
        }
    }
}
