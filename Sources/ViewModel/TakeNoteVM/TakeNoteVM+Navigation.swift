import NoteStore

/// Opening notes, and moving between locations.
extension TakeNoteVM {
    var currentLocation: Location? {
        selectedContainer.map { Location(container: $0.id, note: openNote?.id) }
    }

    /// Opens a note that was chosen in the list.
    public func onNoteSelect(_ note: NoteRow) {
        list.putCursor(on: note.id)
        open(note, by: .choice)
    }

    // MARK: Locations

    /// Opens a note in its folder, from anywhere: a link, a hit, a URL.
    public func show(_ note: NoteRow) {
        if let location = currentLocation { history.leave(location) }
        clearSearch()
        go(to: Location(container: note.folder ?? .allNotes, note: note.id))
    }

    /// Opens the note of a `takenote://note/UUID` URL, at its heading if it names one.
    ///
    /// If there is no such note, `linkToNoteErrorMessage` says so.
    public func loadNoteFromURL(_ url: String) {
        attempt(Texts.Attempt.followLink) {
            guard let id = Notebook.Notes.uuid(in: url).flatMap(NoteID.init), let row = try notebook.notes.row(id)
            else {
                messages.set(linkError: .init(isPresented: true, message: Texts.noNoteAt(url)))
                return say(linkToNoteErrorMessage, kind: .refused)
            }
            show(row)
            goToHeading(of: url)
        }
    }

    /// Whether the notebook has a note, even in the archive or the Trash.
    public func exists(_ id: NoteID) -> Bool {
        // If the notebook cannot be read now, the note cannot be opened either.
        ((try? notebook.notes.row(id)) ?? nil) != nil
    }

    /// Goes to the location that was visited before this one, or says that there is none.
    public func goBack() {
        guard let current = currentLocation, let location = history.goBack(from: current) else {
            return say(Texts.nothingBack, kind: .refused)
        }
        revisit(location)
    }

    /// Goes to the location from which `goBack` came, or says that there is none.
    public func goForward() {
        guard let current = currentLocation, let location = history.goForward(from: current) else {
            return say(Texts.nothingForward, kind: .refused)
        }
        revisit(location)
    }

    /// Goes to a visited location, which ends a search; a note that was moved in the meantime is found in its folder.
    private func revisit(_ location: Location) {
        clearSearch()
        var target = location
        attempt(Texts.Attempt.openFolder) {
            guard let id = location.note, let note = try notebook.notes.row(id), note.place == .live,
                let folder = note.folder, try !isListed(id, in: location.container)
            else { return }
            target.container = folder
        }
        go(to: target)
    }

    private func isListed(_ note: NoteID, in container: ContainerID) throws -> Bool {
        guard self.container(container) != nil else { return false }
        return try notebook.lists.contains(note, in: ListQuery(container: container))
    }

    /// Shows a container with the cursor on a note.
    func go(to location: Location) {
        attempt(Texts.Attempt.openFolder) { try show(container: location.container, around: location.note) }
        openNoteUnderCursor(by: .choice)
    }
}
