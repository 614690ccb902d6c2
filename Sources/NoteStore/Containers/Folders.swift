import GRDB

extension Notebook.Folders {
    /// Makes a folder; `parent` nil is the root.
    @discardableResult
    public func create(_ name: String, in parent: ContainerID? = nil) throws(StoreError) -> NoteContainer {
        try notebook.addContainer(.addFolder) { transaction in
            let parent = try parent.map(transaction.containerHead)
            return try transaction.insertContainer(.folder, name: name, parent: parent?.key)
        }
    }

    /// Makes a folder and its missing parents, as one action.
    ///
    /// - Parameters:
    ///   - names: the path from the top down, the folder's own name last.
    ///   - parent: the container of the first name; nil is the root.
    /// - Throws: `nameTaken` if the folder exists already.
    @discardableResult
    public func create(path names: [String], in parent: ContainerID? = nil) throws(StoreError) -> NoteContainer {
        guard let last = names.last else { throw StoreError.emptyName }
        return try notebook.write { transaction in
            let made = try transaction.recorded(
                .addFolder, notes: [], containers: [], made: { (made: [ContainerHead]) in ([], made.map { $0.id }) },
                {
                    var above = try parent.map(transaction.containerHead)
                    var made: [ContainerHead] = []
                    for name in names.dropLast() {
                        let there = try transaction.child(named: name, of: above?.key)
                        above = try there ?? transaction.insertContainer(.folder, name: name, parent: above?.key)
                        if there == nil { made += [above].compactMap(\.self) }
                    }
                    return made + [try transaction.insertContainer(.folder, name: last, parent: above?.key)]
                })
            return try transaction.container(key: made[made.count - 1].key)
        }
    }

    /// Moves a folder with everything below it; `parent` nil is the root.
    public func move(_ id: ContainerID, to parent: ContainerID?) throws(StoreError) {
        try notebook.act(.moveFolder, containers: [id]) { transaction in
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
}
