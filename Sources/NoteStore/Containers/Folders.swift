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

    /// Moves a folder with all below; `parent` nil is the root.
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
