import NoteStore

/// Moving and marking in the note list.
extension TakeNoteVM {
    /// The note under the cursor; nil in an empty list.
    public var noteUnderCursor: NoteRow? { list.underCursor }

    /// The notes for an action: the marked ones, else the one being written, else the one under the cursor.
    public var selectedNotes: [NoteRow] {
        guard markedNotes.isEmpty else { return markedNotes }
        return (isWriting ? openNote ?? noteUnderCursor : noteUnderCursor).map { [$0] } ?? []
    }

    public var multipleNotesSelected: Bool { markedNotes.count > 1 }

    /// Whether the editor pane shows the marked notes instead of one note.
    public var showMultiNoteView: Bool { multipleNotesSelected }

    /// Moves the cursor to a row, or to the nearest one that exists, and opens its note.
    public func moveListCursor(to index: Int) {
        let index = list.nearest(to: index)
        guard index != listCursor || openNote?.id != noteUnderCursor?.id else { return }
        requireRows(index..<index + 1)
        list.putCursor(at: index)
        openNoteUnderCursor(by: .choice)
    }

    /// Opens the note under the cursor, for the case that the open one has left the list.
    public func openUnderCursor() {
        if noteUnderCursor != nil { openNoteUnderCursor(by: .choice) }
    }

    /// Fetches the rows of `range` into `noteList`; an interface must call this before it draws them.
    public func requireRows(_ range: Range<Int>) {
        guard !search.isActive else { return }
        attempt(Texts.Attempt.readList) { try list.require(range, from: notebook) }
    }

    /// Marks or unmarks the note under the cursor.
    public func toggleMark() { list.toggleMark() }

    /// Marks every note of the list, or unmarks all if every one is marked.
    public func toggleAllMarks() {
        if markedNotes.count == noteList.count {
            list.mark([])
        } else if let query = list.query, !search.isActive {
            attempt(Texts.Attempt.markAll) {
                list.mark(try notebook.lists.rows(query, from: .start, limit: noteList.count))
            }
        } else {
            list.mark(noteList.window.compactMap { noteList[$0] })
        }
    }

    public func clearMarks() { list.mark([]) }

    /// The current rows of notes by their IDs; deleted notes are omitted.
    public func rows(of ids: [NoteID]) -> [NoteRow] {
        var rows: [NoteRow] = []
        attempt(Texts.Attempt.readNotes) { rows = try notebook.notes.rows(ids) }
        return rows
    }

    public func isMarked(_ id: NoteID) -> Bool { list.isMarked(id) }

    // MARK: Reading

    /// Reads the list again; the open note does not change.
    ///
    /// The cursor goes to `note`, else to the open note, else to the nearest note that is left.
    func reloadList(around note: NoteID? = nil) throws {
        guard noteSearchText.isEmpty else { return refreshHits() }
        guard let query = list.query else { return }
        try readList(around: note ?? openNoteInList(query) ?? survivor(in: query))
    }

    /// Reads the list again with the cursor on a note, or on the first one.
    func readList(around anchor: NoteID?) throws {
        guard noteSearchText.isEmpty else { return refreshHits() }
        guard let query = list.query else { return }
        list.fill(try NoteList.read(query, around: anchor, from: notebook), cursorOn: anchor)
        forgetVanishedMarks()
    }

    private func openNoteInList(_ query: ListQuery) throws -> NoteID? {
        guard let id = openNote?.id, try notebook.lists.contains(id, in: query) else { return nil }
        return id
    }

    /// The note nearest to the cursor that `query` still finds: itself first, then those below, then those above.
    private func survivor(in query: ListQuery) throws -> NoteID? {
        let below = listCursor..<min(listCursor + Self.survivorDistance, noteList.count)
        let above = (max(0, listCursor - Self.survivorDistance)..<listCursor).reversed()
        for index in Array(below) + Array(above) {
            guard let id = noteList[index]?.id else { continue }
            if try notebook.lists.contains(id, in: query) { return id }
        }
        return nil
    }

    /// The number of rows to search for a remaining neighbour in each direction: about a screen.
    private static let survivorDistance = 50

    private func forgetVanishedMarks() {
        guard !markedNotes.isEmpty else { return }
        attempt(Texts.Attempt.readMarkedNotes) {
            list.mark(try markedNotes.compactMap { try notebook.notes.row($0.id) })
        }
    }
}
