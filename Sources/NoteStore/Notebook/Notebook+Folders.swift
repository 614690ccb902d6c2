import GRDB

extension Notebook {
    /// Makes a folder; `parent` nil is the root.
    @discardableResult
    public func addFolder(_ name: String, in parent: ContainerID? = nil) throws(StoreError) -> NoteContainer {
        try add(.addFolder) { transaction in
            let parent = try parent.map(transaction.containerHead)
            return try transaction.insertContainer(.folder, name: name, parent: parent?.key)
        }
    }

    /// Makes a tag.
    @discardableResult
    public func addTag(_ name: String) throws(StoreError) -> NoteContainer {
        try add(.addTag) { try $0.insertContainer(.tag, name: name, parent: nil) }
    }

    private func add(
        _ kind: ActionSummary.Kind, _ body: (Transaction) throws -> ContainerHead
    ) throws(StoreError) -> NoteContainer {
        try write { transaction in
            let head = try transaction.recorded(
                kind, notes: [], containers: [], made: { ([], [$0.id]) }, { try body(transaction) })
            return try transaction.container(key: head.key)
        }
    }

    /// Renames a folder, project or tag.
    public func rename(_ id: ContainerID, to name: String) throws(StoreError) {
        try act(.renameFolder, containers: [id]) { transaction in
            try transaction.rename(transaction.changeableContainer(id), name)
        }
    }

    /// Moves a folder with all below; `parent` nil is the root.
    public func move(_ id: ContainerID, to parent: ContainerID?) throws(StoreError) {
        try act(.moveFolder, containers: [id]) { transaction in
            let head = try transaction.changeableContainer(id)
            let target = try parent.map(transaction.containerHead)
            guard head.parent != target?.key else { return }
            if let target {
                guard head.kind == .folder, target.holdsFolders, target.place == .live else {
                    throw StoreError.cannotHoldFolders(container: target.name)
                }
                if try transaction.isInside(target.key, head.key) {
                    throw StoreError.wouldContainItself(container: head.name)
                }
            }
            let name = try transaction.checkedName(head.name, kind: head.kind, parent: target, except: head.key)
            try transaction.setParent(head, target?.key, name: name)
        }
    }

    /// Moves folders and projects with all below to Trash; deletes tags, which undo brings back.
    public func delete(_ ids: [ContainerID]) throws(StoreError) {
        let isTag = try ids.first.flatMap { id throws(StoreError) in try container(id) }?.isTag == true
        try act(isTag ? .deleteTag : .trashFolder, containers: ids) { transaction in
            for id in ids {
                let head = try transaction.changeableContainer(id)
                if head.kind == .tag {
                    try transaction.run("DELETE FROM container WHERE id = ?", [head.key])
                    transaction.change.notes = nil
                    transaction.change.containers = true
                } else {
                    try transaction.putAway(head)
                }
            }
        }
    }

    /// Puts folders and projects back from Trash.
    ///
    /// Returns those that could not go where they came from.
    @discardableResult
    public func restore(_ ids: [ContainerID]) throws(StoreError) -> [NoteContainer] {
        try act(.restoreFolder, containers: ids) { transaction in
            var elsewhere: [NoteContainer] = []
            for id in ids {
                let head = try transaction.containerHead(id)
                if try transaction.putBack(head) { elsewhere.append(try transaction.container(key: head.key)) }
            }
            return elsewhere
        }
    }

    /// Gives folders, projects and tags a colour: red, green, blue, alpha from the highest byte down.
    public func setColor(_ id: ContainerID, _ colorRGBA: UInt32) throws(StoreError) {
        try act(.recolor, containers: [id]) { transaction in
            let head = try transaction.changeableContainer(id)
            try transaction.run(
                "UPDATE container SET colorRGBA = ? WHERE id = ?", [Int64(colorRGBA), head.key])
            transaction.change.containers = true
        }
    }

    /// Gives folders, projects and tags a symbol of the app's, by its SF Symbols name.
    public func setSymbol(_ id: ContainerID, _ symbol: String) throws(StoreError) {
        try act(.changeSymbol, containers: [id]) { transaction in
            let head = try transaction.changeableContainer(id)
            try transaction.run("UPDATE container SET symbol = ? WHERE id = ?", [symbol, head.key])
            transaction.change.containers = true
        }
    }
}
