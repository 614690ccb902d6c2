import NoteStore
import Observation

/// The note in the editor: its row, its session, the links to it, and the sessions that were open before it.
///
/// It is a class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class OpenNote {
    /// The note, without its text.
    private(set) var row: NoteRow?
    /// The text.
    private(set) var session: EditorSession?
    /// The links of other notes to it.
    private(set) var backlinks: [NoteLink] = []
    /// Whether another program has permanently deleted the note; its session stays.
    @ObservationIgnored private var isGone = false
    /// Whether the text has the focus; then another note opens only if the user chooses it.
    @ObservationIgnored private(set) var hasKeys = false
    /// Whether the note was in the Trash already when it was opened, and still is.
    @ObservationIgnored private(set) var isOfTrash = false
    /// The row of the open note at its creation, if it was created here and has not been left yet.
    @ObservationIgnored private(set) var made: NoteRow?
    /// The number of the comparison with an earlier version that was started last.
    @ObservationIgnored private var comparison = 0
    /// The note that was open before this one.
    @ObservationIgnored private(set) var before: NoteID?
    /// The note that is shown beside the open one.
    private(set) var beside: NoteRow?
    /// The sessions of recently left notes, the most recent last, with their carets and undo histories.
    @ObservationIgnored private var left: [EditorSession] = []

    /// The number of sessions kept after their notes were left: enough for switching back and forth.
    private static let sessionsKept = 8

    /// All sessions in memory.
    var sessions: [EditorSession] { left + [session].compactMap(\.self) }

    // MARK: Opening and leaving

    /// Opens a note in the editor; the previous one must have been left.
    func show(_ note: NoteRow, in session: EditorSession) {
        row = note
        self.session = session
        isOfTrash = note.place == .trash
        isGone = false
        made = nil
    }

    /// Records that the open note was just created.
    func recordMade(_ note: NoteRow) {
        if row?.id == note.id { made = note }
    }

    /// Closes the open note and keeps nothing of it, since it is no longer in the notebook.
    func drop() {
        (row, session, made, isOfTrash) = (nil, nil, nil, false)
    }

    /// Closes the open note; its session is kept for a while.
    ///
    /// - Returns: its session; nil if no note was open.
    func leave() -> EditorSession? {
        defer {
            if row != nil { row = nil }
            (made, isOfTrash) = (nil, false)
        }
        guard let leaving = session else { return nil }
        before = leaving.noteID
        session = nil
        left.removeAll { $0 === leaving }
        left.append(leaving)
        return leaving
    }

    /// Removes and returns the kept session of a note.
    func takeSession(of note: NoteID) -> EditorSession? {
        left.firstIndex { $0.noteID == note }.map { left.remove(at: $0) }
    }

    /// Returns the kept session of a note that is not open.
    func keptSession(of note: NoteID) -> EditorSession? { left.first { $0.noteID == note } }

    /// Keeps the session of a note that is shown only for reading.
    func keep(_ session: EditorSession) {
        left.removeAll { $0 === session }
        left.append(session)
    }

    /// Shows a note beside the open one; its session must be a kept one, or that of the open note.
    func show(beside row: NoteRow?) {
        if beside != row { beside = row }
    }

    /// Drops the oldest of the kept sessions, but not that of the note shown beside.
    ///
    /// - Parameter isSafe: whether the text of a session is in the notebook; a session with unsaved text is never
    ///   dropped.
    func forgetOldSessions(where isSafe: (EditorSession) -> Bool) {
        var surplus = left.count - Self.sessionsKept
        left.removeAll { session in
            guard surplus > 0, session.noteID != beside?.id, isSafe(session) else { return false }
            surplus -= 1
            return true
        }
    }

    func setHasKeys(_ hasKeys: Bool) { self.hasKeys = hasKeys }

    /// Starts a comparison of the text with another one.
    ///
    /// - Returns: its number, which is current until the next comparison starts.
    func beginComparison() -> Int {
        comparison += 1
        return comparison
    }

    func isCurrent(_ comparison: Int) -> Bool { comparison == self.comparison }

    // MARK: Changes

    /// Updates the row of the open note.
    func update(_ row: NoteRow) {
        guard self.row?.id == row.id else { return }
        isGone = false
        if row.place != .trash { isOfTrash = false }
        if self.row != row { self.row = row }
    }

    /// Records that the open note no longer exists in the notebook.
    ///
    /// - Returns: whether this was not recorded yet.
    func recordDeletion() -> Bool {
        defer { isGone = true }
        return !isGone
    }

    func take(_ links: [NoteLink]) {
        if links != backlinks { backlinks = links }
    }
}
