import NoteStore

/// Moving in the note list, and marking.
extension TakeNoteVM {
    /// The note that the cursor is on, or nil in an empty list.
    public var noteUnderCursor: NoteRow? { list.underCursor }

    /// What an action acts on: the marked notes, else the one being written, else the one under the cursor.
    public var selectedNotes: [NoteRow] {
        guard markedNotes.isEmpty else { return markedNotes }
        return (isWriting ? openNote ?? noteUnderCursor : noteUnderCursor).map { [$0] } ?? []
    }

    public var multipleNotesSelected: Bool { markedNotes.count > 1 }

    /// Whether the editor pane shows the marked set instead of one note.
    public var showMultiNoteView: Bool { multipleNotesSelected }

    /// Puts the cursor on a row, as far as there is one, and opens its note.
    public func moveListCursor(to index: Int) {
        let index = list.nearest(to: index)
        guard index != listCursor || openNote?.id != noteUnderCursor?.id else { return }
        requireRows(index..<index + 1)
        list.putCursor(at: index)
        openNoteUnderCursor(by: .choice)
    }

    /// Opens the note that the cursor is on, where the open one has left the list.
    public func openUnderCursor() {
        if noteUnderCursor != nil { openNoteUnderCursor(by: .choice) }
    }

    /// Makes the rows of `range` available to `noteList`; a face calls it before it draws them.
    public func requireRows(_ range: Range<Int>) {
        guard !search.isActive else { return }
        attempt(Texts.Attempt.readList) { try list.require(range, from: notebook) }
    }

    /// Marks or unmarks the note under the cursor.
    public func toggleMark() { list.toggleMark() }

    /// Marks every note of the list, or none if all were.
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

    /// Notes as they are now, by their identity; those that are gone are left out.
    public func rows(of ids: [NoteID]) -> [NoteRow] {
        var rows: [NoteRow] = []
        attempt(Texts.Attempt.readNotes) { rows = try notebook.notes.rows(ids) }
        return rows
    }

    public func isMarked(_ id: NoteID) -> Bool { list.isMarked(id) }

    // MARK: Reading

    /// Reads the list anew; which note is open does not change.
    ///
    /// The cursor goes to `note`, or stays on the open note, or goes to the nearest one that is left.
    func reloadList(around note: NoteID? = nil) throws {
        guard noteSearchText.isEmpty else { return refreshHits() }
        guard let query = list.query else { return }
        try readList(around: note ?? openNoteInList(query) ?? survivor(in: query))
    }

    /// Reads the list anew with the cursor on a note, or on the first one.
    func readList(around anchor: NoteID?) throws {
        guard noteSearchText.isEmpty else { return refreshHits() }
        guard let query = list.query else { return }
        list.fill(try NoteList.read(query, around: anchor, from: notebook), cursorOn: anchor)
        forgetVanishedMarks()
    }

    private func openNoteInList(_ query: ListQuery) throws -> NoteID? {
        guard let id = openNote?.id, try notebook.lists.ordinal(of: id, in: query) != nil else { return nil }
        return id
    }

    /// The note nearest to the cursor, itself first, then those below, then those above, that `query` still finds.
    private func survivor(in query: ListQuery) throws -> NoteID? {
        let below = listCursor..<min(listCursor + Self.survivorReach, noteList.count)
        let above = (max(0, listCursor - Self.survivorReach)..<listCursor).reversed()
        for index in Array(below) + Array(above) {
            guard let id = noteList[index]?.id else { continue }
            if try notebook.lists.ordinal(of: id, in: query) != nil { return id }
        }
        return nil
    }

    /// How far a vanished note's neighbours are looked for: a screen.
    private static let survivorReach = 50

    private func forgetVanishedMarks() {
        guard !markedNotes.isEmpty else { return }
        attempt(Texts.Attempt.readMarkedNotes) {
            list.mark(try markedNotes.compactMap { try notebook.notes.row($0.id) })
        }
    }
}
