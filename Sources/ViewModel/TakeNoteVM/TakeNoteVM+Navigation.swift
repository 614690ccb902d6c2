import Foundation
import NoteStore
import TextEditing

/// Opening notes, and going from place to place.
extension TakeNoteVM {
    var currentPlace: Location? {
        selectedContainer.map { Location(container: $0.id, note: openNote?.id) }
    }

    /// Opens a note that was chosen in the list.
    public func onNoteSelect(_ note: NoteRow) {
        if let index = noteList.index(of: note.id) { listCursor = index }
        open(note)
    }

    /// Opens the note that the list's cursor is on, or none in an empty list.
    func openNoteUnderCursor() {
        if let note = noteUnderCursor { open(note) } else { closeNote() }
    }

    /// Puts a note into the editor; the one before is saved, and can be come back to with its undo history.
    func open(_ note: NoteRow) {
        guard openNote?.id != note.id || session == nil else {
            openNote = note
            return
        }
        attempt("open “\(note.title)”") {
            let next = try session(for: note)
            session?.hideHits()
            leaveNote()
            openNote = note
            session = next
            showHits()
            readAhead()
            reloadBacklinks()
        }
    }

    /// Has the open text highlighted to its end, a little in each idle moment.
    ///
    /// What is looked for is waited for: there the moments follow each other with hardly a pause.
    private func readAhead() {
        readAheadTimer?.cancel()
        let pause = session?.isSearching == true ? 1 : 50
        readAheadTimer = scheduler.schedule(after: .milliseconds(pause)) { [weak self] in
            guard let self, session?.readAhead() == true else { return }
            readAhead()
        }
    }

    /// The session of a note: the one it was left in, if its text is still the same, else a new one.
    private func session(for note: NoteRow) throws -> EditorSession {
        if let index = recentSessions.firstIndex(where: { $0.noteID == note.id }) {
            let recent = recentSessions.remove(at: index)
            if recent.stored.revision == note.revision || saver.isSaving(recent) { return recent }
        }
        let text = try notebook.text(note.id) ?? ""
        return EditorSession(
            note: note, text: text, history: history(of: note, text: text), configuration: configuration,
            scheduler: scheduler, hasMoreToRead: { [weak self] in self?.readAhead() }
        ) { [saver, weak self] session, edit in
            saver.textChanged(in: session, by: edit)
            self?.readAhead()
        }
    }

    /// The undo history that was kept for this very text, else an empty one.
    private func history(of note: NoteRow, text: String) -> UndoHistory {
        guard let data = try? notebook.history(of: note.id, text: text),  // less to undo; the note opens all the same
            let history = UndoHistory(encoded: data)
        else { return UndoHistory() }
        return history
    }

    /// Leaves the open note: it is saved behind the scenes, and its session is kept for a while.
    func leaveNote() {
        guard let left = session else { return }
        saver.noteLeft(left)
        noteBefore = left.noteID
        session = nil
        openNote = nil
        recentSessions.append(left)
        recentSessions.removeFirst(max(0, recentSessions.count - Self.recentSessionsKept))
    }

    /// Sessions kept after their note was left: as many as one goes back and forth between.
    private static let recentSessionsKept = 8

    func closeNote() {
        leaveNote()
        if openNote != nil { openNote = nil }
        reloadBacklinks()
    }

    // MARK: From place to place

    /// Shows a note where it is, from anywhere: a link, a hit, a URL.
    public func show(_ note: NoteRow) {
        if let place = currentPlace { history.leave(place) }
        clearSearch()
        go(to: Location(container: note.folder ?? .allNotes, note: note.id))
    }

    /// Opens the note of a `takenote://note/UUID` URL; where there is none, `linkToNoteErrorMessage` says so.
    public func loadNoteFromURL(_ url: String) {
        attempt("follow the link") {
            guard let id = Notebook.noteUUID(in: url).flatMap(NoteID.init), let row = try notebook.row(id) else {
                linkToNoteErrorMessage = "No note is at \(url)"
                linkToNoteErrorIsPresented = true
                return say(linkToNoteErrorMessage, kind: .refused)
            }
            show(row)
        }
    }

    public func goBack() {
        guard let current = currentPlace, let place = history.goBack(from: current) else {
            return say("Nothing to go back to", kind: .refused)
        }
        go(to: place)
    }

    public func goForward() {
        guard let current = currentPlace, let place = history.goForward(from: current) else {
            return say("Nothing to go forward to", kind: .refused)
        }
        go(to: place)
    }

    /// Shows a container with the cursor on a note.
    func go(to place: Location) {
        attempt("open the folder") { try show(container: place.container, around: place.note) }
        openNoteUnderCursor()
    }
}
