import NoteStore

extension TakeNoteVM {
    // MARK: System folders

    public var inboxFolder: NoteContainer? { container(.inbox) }
    public var starredFolder: NoteContainer? { container(.starred) }
    public var allNotesFolder: NoteContainer? { container(.allNotes) }
    public var trashFolder: NoteContainer? { container(.trash) }
    public var archiveFolder: NoteContainer? { container(.archive) }
    public var bufferFolder: NoteContainer? { container(.buffer) }

    public var inboxFolderExists: Bool { inboxFolder != nil }
    public var trashFolderSelected: Bool { selectedContainer?.isTrash == true }
    public var selectedContainerIsEmpty: Bool { noteList.count == 0 }
    public var bufferNotesCount: Int { bufferFolder?.noteCount ?? 0 }
    public var bufferIsEmpty: Bool { bufferNotesCount == 0 }

    /// The container with this ID, or nil.
    public func container(_ id: ContainerID) -> NoteContainer? { sidebar.container(id) }

    /// The names from the top down to a container: `["Poems", "Drafts"]`.
    public func path(of id: ContainerID) -> [String] { sidebar.path(of: id) }

    // MARK: Selection

    /// The title above the note list.
    public var navigationTitle: String {
        if let search = selectedSavedSearch.flatMap(savedSearch) { return search.name }
        return noteSearchText.isEmpty ? selectedContainer?.name ?? "" : Texts.searchTitle
    }

    /// Whether the selected container itself can hold a new note.
    public var canAddNote: Bool { selectedContainer?.takesNewNotes == true }

    /// Whether the user can rename the selected container.
    public var canRenameSelectedContainer: Bool { canChange(selectedContainer).isAvailable }

    /// Whether the Trash contains anything, even an empty folder.
    public var canEmptyTrash: Bool {
        (trashFolder?.noteCount ?? 0) > 0 || containers.contains { $0.isInTrash && !$0.isTrash }
    }

    /// Shows the notes of a container, and ends a search, since the user chose the container.
    public func selectContainer(_ id: ContainerID) {
        guard selectedContainer?.id != id || !noteSearchText.isEmpty else { return }
        if !isSearchNavigating { clearSearch() }
        attempt(Texts.Attempt.openFolder) {
            try show(container: id, around: nil)
        }
        openNoteUnderCursor(by: .listChange)
    }

    /// Reads the list of a container without changing the search or the open note.
    func show(container id: ContainerID, around note: NoteID?) throws {
        list.enter(container(id) ?? inboxFolder)
        try readList(around: note)
        recount()
    }

    // MARK: Folding

    public var folderSectionExpanded: Bool {
        get { !folding.closedSections.contains(.folders) }
        set { sidebar.setExpanded(.folders, newValue) }
    }

    public var tagSectionExpanded: Bool {
        get { !folding.closedSections.contains(.tags) }
        set { sidebar.setExpanded(.tags, newValue) }
    }

    /// Folds or unfolds a line of the sidebar; a line that cannot fold stays as it is.
    public func setExpanded(_ item: SidebarRow.Item, _ expanded: Bool) {
        switch item {
        case .section(let section): sidebar.setExpanded(section, expanded)
        case .container(let id): sidebar.setExpanded(id, expanded)
        case .search: break
        }
    }

    // MARK: Reading

    /// Reads the container tree again, and keeps the selection by its ID.
    ///
    /// If the container was deleted or moved to the Trash, the one that it was in is selected, or else the Inbox.
    func reloadContainers() throws {
        try sidebar.read(from: notebook)
        // A program without a journal has cut nothing.
        let owner = bufferIsEmpty ? nil : saver.journal.openOwner
        copied.setCut(try owner.map { try notebook.buffer.notes(of: $0).count } ?? 0)
        if let id = search.saved, savedSearch(id) == nil { search.forgetSaved() }
        if let tag = tagFilter, container(tag) == nil { list.narrow(to: nil) }
        guard let selected = selectedContainer else { return }
        let isThere: (NoteContainer) -> Bool = { selected.isInTrash || !$0.isInTrash }
        let above = selected.parent.flatMap { container($0) }
        list.select([container(selected.id), above].compactMap(\.self).first(where: isThere) ?? inboxFolder)
    }
}
