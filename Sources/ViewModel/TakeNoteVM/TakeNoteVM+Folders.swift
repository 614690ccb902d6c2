import NoteStore

/// Creating, changing and deleting folders and projects.
extension TakeNoteVM {
    // MARK: Creating

    /// Creates a folder and selects it; `parent` nil is the root.
    ///
    /// A path, such as `Work/Plans`, also creates the missing folders on the way; a `/` in a name is written `\\/`.
    ///
    /// - Returns: why the name was refused, or nil.
    @discardableResult
    public func addFolder(_ name: String, in parent: ContainerID? = nil) -> String? {
        make { try notebook.folders.create(path: Notebook.Containers.names(ofPath: name), in: parent) }
    }

    /// Creates a project with the folders of its type, and selects it.
    ///
    /// - Returns: why the name was refused, or nil.
    @discardableResult
    public func addProject(_ name: String, type: NoteContainer.ProjectType, details: String = "") -> String? {
        make { try notebook.projects.create(name, type: type, details: details) }
    }

    private func make(_ body: () throws -> NoteContainer) -> String? {
        refusal {
            let made = try body()
            clearSearch()
            try reloadContainers()
            sidebar.reveal(made.id)
            if made.isProject { sidebar.setExpanded(made.id, true) }
            try show(container: made.id, around: nil)
            openNoteUnderCursor(by: .listChange)
            say(Texts.created(made))
        }
    }

    /// The parent of a folder created now: the selected container if it can hold folders; nil is the root.
    public var parentOfNewFolder: NoteContainer? { selectedContainer.flatMap { parentOfNewFolder(at: $0) } }

    /// The container in which a folder is created that is asked for at another one.
    public func parentOfNewFolder(at container: NoteContainer) -> NoteContainer? {
        container.holdsFolders && !container.isInTrash ? container : nil
    }

    // MARK: Changing

    /// Renames a folder, project or tag.
    ///
    /// - Returns: why the name was refused, or nil.
    @discardableResult
    public func rename(_ container: NoteContainer, to name: String) -> String? {
        refusal {
            try notebook.containers.rename(container.id, to: name)
            try reload()
        }
    }

    /// The reason why a name is not allowed, as far as it is known while the name is typed; nil if it is allowed.
    ///
    /// - Parameters:
    ///   - parent: the parent of the container; nil is the root.
    ///   - except: the container that is being renamed.
    public func nameProblem(
        _ name: String, kind: NoteContainer.Kind, in parent: ContainerID?, except: ContainerID? = nil
    ) -> String? {
        var (name, parent) = (name, parent)
        if kind == .folder, except == nil {
            // A new folder may be given by its path; a folder that does not exist yet cannot have the name in use.
            var names = Notebook.Containers.names(ofPath: name)
            name = names.popLast() ?? ""
            for above in names {
                guard let folder = child(named: above, of: parent) else { return nil }
                if !folder.holdsFolders { return Texts.holdsNoFolders(folder.name) }
                parent = folder.id
            }
        }
        let key = Folding.key(name)
        if key.isEmpty { return Texts.emptyName }
        let taken = containers.contains {
            $0.parent == parent && $0.isTag == (kind == .tag) && $0.id != except && Folding.key($0.name) == key
        }
        guard taken else { return nil }
        return kind == .tag ? Texts.tagExists : Texts.nameTaken
    }

    /// The child folder or project with this name; a nil `parent` is the root.
    private func child(named name: String, of parent: ContainerID?) -> NoteContainer? {
        let key = Folding.key(name)
        return containers.first { $0.parent == parent && !$0.isTag && Folding.key($0.name) == key }
    }

    /// Moves a folder with all its contents; `parent` nil is the root.
    public func move(_ folder: NoteContainer, to parent: ContainerID?) {
        attempt(Texts.Attempt.move(folder.name)) {
            try notebook.folders.move(folder.id, to: parent)
            try reload()
            sidebar.reveal(folder.id)
            say(Texts.folderMoved(folder.name, to: parent.flatMap(container)?.name ?? Texts.topLevel))
        }
    }

    /// Creates a folder by its path, with the missing folders on the way, and moves a folder into it.
    public func move(_ folder: NoteContainer, toNewFolder path: String) {
        var parent: NoteContainer?
        attempt(Texts.Attempt.createFolder) {
            parent = try notebook.folders.create(path: Notebook.Containers.names(ofPath: path))
            try reloadContainers()
        }
        if let parent { move(folder, to: parent.id) }
    }

    /// The folders to which a folder can be moved: all outside of the Trash that can hold folders.
    ///
    /// Its present parent, itself and the folders below it are excluded.
    public func destinations(of folder: NoteContainer) -> [NoteContainer] {
        containers.filter { target in
            target.holdsFolders && !target.isInTrash && !sidebar.isInside(target.id, folder.id)
                && target.id != folder.parent
        }
    }

    /// The containers to which notes can be moved: the Inbox, then folders, then the Archive and the Trash.
    public var noteDestinations: [NoteContainer] {
        let folders = containers.filter { $0.isFolder && $0.holdsNotes && !$0.isInTrash }
        return [inboxFolder].compactMap(\.self) + folders + [archiveFolder, trashFolder].compactMap(\.self)
    }

    /// Sets the colour of a folder, project or tag: red, green, blue, alpha from the highest byte down.
    public func setColor(_ container: NoteContainer, _ colorRGBA: UInt32) {
        attempt(Texts.Attempt.changeColor(container.name)) {
            try notebook.containers.setColor(container.id, colorRGBA)
            try reloadContainers()
        }
    }

    /// Sets the symbol of a folder, project or tag to one of the app's, by its SF Symbols name.
    public func setSymbol(_ container: NoteContainer, _ symbol: String) {
        attempt(Texts.Attempt.changeSymbol(container.name)) {
            try notebook.containers.setSymbol(container.id, symbol)
            try reloadContainers()
        }
    }

    /// Sets the description of a project.
    public func setDetails(_ project: NoteContainer, _ details: String) {
        attempt(Texts.Attempt.changeDetails(project.name)) {
            try notebook.projects.setDetails(project.id, details)
            try reloadContainers()
        }
    }

    /// Creates the missing folders of a project's template.
    public func repairTemplate(of project: NoteContainer) {
        attempt(Texts.Attempt.repairTemplate) {
            let made = try notebook.projects.repairTemplate(of: project.id)
            try reload()
            say(Texts.templateRepaired(made.map(\.name)))
        }
    }

    // MARK: Deleting

    /// Moves a folder or project with all its contents to the Trash.
    public func folderDelete(_ folder: NoteContainer) {
        attempt(Texts.Attempt.delete(folder.name)) {
            saver.saveNow()
            try notebook.containers.delete([folder.id])
            try leave(folder)
            say(Texts.folderTrashed(folder.name))
        }
    }

    /// Restores a folder or project from the Trash to its former parent, and reveals it in the sidebar.
    public func restore(_ folder: NoteContainer) {
        attempt(Texts.Attempt.restore(folder.name)) {
            let elsewhere = try notebook.trash.restore([folder.id])
            try reload()
            sidebar.reveal(folder.id)
            let parent = elsewhere.first.map { $0.parent.flatMap(container)?.name ?? Texts.topLevel }
            // If another one has the name by now, the name gets a number.
            let name = container(folder.id)?.name ?? folder.name
            say(Texts.folderRestored(folder.name, as: name == folder.name ? nil : name, to: parent))
        }
    }

    /// Reads the lists again after a container was deleted; if it was selected, selects its parent or else the Inbox.
    func leave(_ gone: NoteContainer) throws {
        let isHere = selectedContainer.map { sidebar.isInside($0.id, gone.id) } == true
        try reloadContainers()
        guard isHere, noteSearchText.isEmpty else {
            try reload()
            if let open = openNote?.id, openNote?.place == .trash { openNext(from: [open]) }
            return
        }
        let above = gone.parent.flatMap { container($0) }
        try show(container: above?.id ?? .inbox, around: nil)
        openNoteUnderCursor(by: .listChange)
    }
}
