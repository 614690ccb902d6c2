import NoteStore

/// Making, changing and deleting folders and projects.
extension TakeNoteVM {
    // MARK: Making

    /// Makes a folder and selects it; `parent` nil is the root.
    ///
    /// A path makes the folders on the way that are missing: `Work/Plans`; a `/` in a name is written `\\/`.
    ///
    /// - Returns: why the name was refused, or nil.
    @discardableResult
    public func addFolder(_ name: String, in parent: ContainerID? = nil) -> String? {
        make { try notebook.folders.create(path: Notebook.Containers.names(ofPath: name), in: parent) }
    }

    /// Makes a project with the folders of its type, and selects it.
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

    /// Where a folder made now goes: into the selected one if that takes folders, else to the root.
    public var parentOfNewFolder: NoteContainer? {
        selectedContainer.flatMap { $0.holdsFolders && !$0.isInTrash ? $0 : nil }
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

    /// Why a name cannot be given, as far as it can be told while it is typed; nil where nothing speaks against it.
    ///
    /// - Parameters:
    ///   - parent: where the container is or will be; nil is the root.
    ///   - except: the container that is being renamed.
    public func nameProblem(
        _ name: String, kind: NoteContainer.Kind, in parent: ContainerID?, except: ContainerID? = nil
    ) -> String? {
        var (name, parent) = (name, parent)
        if kind == .folder, except == nil {
            // A new folder may be given by its path: what is not there yet cannot be in the way.
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

    /// The folder or project of a name right in another one, or at the root with nil.
    private func child(named name: String, of parent: ContainerID?) -> NoteContainer? {
        let key = Folding.key(name)
        return containers.first { $0.parent == parent && !$0.isTag && Folding.key($0.name) == key }
    }

    /// Moves a folder with all below; `parent` nil is the root.
    public func move(_ folder: NoteContainer, to parent: ContainerID?) {
        attempt(Texts.Attempt.move(folder.name)) {
            try notebook.folders.move(folder.id, to: parent)
            try reload()
            sidebar.reveal(folder.id)
            say(Texts.folderMoved(folder.name, to: parent.flatMap(container)?.name ?? Texts.topLevel))
        }
    }

    /// Makes a folder by its path, with those on the way that are missing, and moves a folder into it.
    public func move(_ folder: NoteContainer, toNewFolder path: String) {
        var parent: NoteContainer?
        attempt(Texts.Attempt.createFolder) {
            parent = try notebook.folders.create(path: Notebook.Containers.names(ofPath: path))
            try reloadContainers()
        }
        if let parent { move(folder, to: parent.id) }
    }

    /// Where a folder can be moved to: every live one that takes folders, but itself and what is below it.
    public func destinations(of folder: NoteContainer) -> [NoteContainer] {
        containers.filter { target in
            target.holdsFolders && !target.isInTrash && !sidebar.isInside(target.id, folder.id)
                && target.id != folder.parent
        }
    }

    /// Where notes can be put, as a move goes: the Inbox, then folders, then the Archive and the Trash.
    public var noteDestinations: [NoteContainer] {
        let folders = containers.filter { $0.isFolder && $0.holdsNotes && !$0.isInTrash }
        return [inboxFolder].compactMap(\.self) + folders + [archiveFolder, trashFolder].compactMap(\.self)
    }

    /// Gives a folder, project or tag a colour: red, green, blue, alpha from the highest byte down.
    public func setColor(_ container: NoteContainer, _ colorRGBA: UInt32) {
        attempt(Texts.Attempt.changeColor(container.name)) {
            try notebook.containers.setColor(container.id, colorRGBA)
            try reloadContainers()
        }
    }

    /// Gives a folder, project or tag a symbol of the app's, by its SF Symbols name.
    public func setSymbol(_ container: NoteContainer, _ symbol: String) {
        attempt(Texts.Attempt.changeSymbol(container.name)) {
            try notebook.containers.setSymbol(container.id, symbol)
            try reloadContainers()
        }
    }

    /// Describes a project.
    public func setDetails(_ project: NoteContainer, _ details: String) {
        attempt(Texts.Attempt.changeDetails(project.name)) {
            try notebook.projects.setDetails(project.id, details)
            try reloadContainers()
        }
    }

    /// Makes the folders of a project's template that are missing again.
    public func repairTemplate(of project: NoteContainer) {
        attempt(Texts.Attempt.repairTemplate) {
            let made = try notebook.projects.repairTemplate(of: project.id)
            try reload()
            say(Texts.templateRepaired(made.map(\.name)))
        }
    }

    // MARK: Deleting

    /// Moves a folder or project with all below to the Trash.
    public func folderDelete(_ folder: NoteContainer) {
        attempt(Texts.Attempt.delete(folder.name)) {
            saver.saveNow()
            try notebook.containers.delete([folder.id])
            try leave(folder)
            say(Texts.folderTrashed(folder.name))
        }
    }

    /// Puts a folder or project from the Trash back where it came from, and goes there.
    public func restore(_ folder: NoteContainer) {
        attempt(Texts.Attempt.restore(folder.name)) {
            let elsewhere = try notebook.trash.restore([folder.id])
            try reload()
            sidebar.reveal(folder.id)
            let place = elsewhere.first.map { $0.parent.flatMap(container)?.name ?? Texts.topLevel }
            // A name that is taken by now gets a number.
            let name = container(folder.id)?.name ?? folder.name
            say(Texts.folderRestored(folder.name, as: name == folder.name ? nil : name, to: place))
        }
    }

    /// Removes a folder or project that is in the Trash for ever, with all that is in it, after a backup.
    public func deleteForever(_ folder: NoteContainer) {
        let notebook = notebook
        afterBackup(Texts.Attempt.deleteForever(folder.name)) {
            try notebook.trash.deleteForever([folder.id])
        } then: { [self] _ in
            try leave(folder)
            say(Texts.folderDeletedForever(folder.name))
        }
    }

    /// Reads anew after a container went; where it was selected, what stands above it is now, else the Inbox.
    func leave(_ gone: NoteContainer) throws {
        let isHere = selectedContainer.map { sidebar.isInside($0.id, gone.id) } == true
        try reloadContainers()
        guard isHere, noteSearchText.isEmpty else {
            try reload()
            if let open = openNote?.id, openNote?.place == .trash { stepOn(from: [open]) }
            return
        }
        let above = gone.parent.flatMap { container($0) }
        try show(container: above?.id ?? .inbox, around: nil)
        openNoteUnderCursor(by: .listChange)
    }
}
