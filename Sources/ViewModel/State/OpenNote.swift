import NoteStore
import Observation

/// The note in the editor: its row, its text, the links to it, and the texts that were open before it.
///
/// A class, so that each pane observes only the members that it reads.
@MainActor
@Observable
final class OpenNote {
    /// The note, without its text.
    private(set) var row: NoteRow?
    /// The text.
    private(set) var session: EditorSession?
    /// The links of other notes to it.
    private(set) var backlinks: [NoteLink] = []
    /// Whether another program has removed the note for ever; its text stays.
    @ObservationIgnored private var isGone = false
    /// Whether the text has the keys: then only what chooses a note itself opens another.
    @ObservationIgnored private(set) var hasKeys = false
    /// The open note as it was made, if it was made here and is left for the first time.
    @ObservationIgnored private(set) var made: NoteRow?
    /// The number of the comparison with an earlier text that was begun last.
    @ObservationIgnored private var comparison = 0
    /// The note that was open before this one.
    @ObservationIgnored private(set) var before: NoteID?
    /// Sessions of notes left a moment ago, the last left last: coming back finds the caret and the undo history.
    @ObservationIgnored private var left: [EditorSession] = []

    /// Sessions kept after their note was left: as many as one goes back and forth between.
    private static let sessionsKept = 8

    /// Every text that is held.
    var sessions: [EditorSession] { left + [session].compactMap(\.self) }

    // MARK: Opening and leaving

    /// Takes a note into the editor; the one before must have been left.
    func show(_ note: NoteRow, in session: EditorSession) {
        row = note
        self.session = session
        isGone = false
        made = nil
    }

    /// Remembers that the open note was made just now.
    func noteMade(_ note: NoteRow) {
        if row?.id == note.id { made = note }
    }

    /// Lets go of the open note without keeping anything of it, since it is not in the notebook any more.
    func drop() {
        (row, session, made) = (nil, nil, nil)
    }

    /// Leaves the open note; its session is kept for a while.
    ///
    /// - Returns: its session, nil where none was open.
    func leave() -> EditorSession? {
        defer {
            if row != nil { row = nil }
            made = nil
        }
        guard let leaving = session else { return nil }
        before = leaving.noteID
        session = nil
        left.removeAll { $0 === leaving }
        left.append(leaving)
        return leaving
    }

    /// Takes the session of a note that was left out of those that are kept.
    func takeSession(of note: NoteID) -> EditorSession? {
        left.firstIndex { $0.noteID == note }.map { left.remove(at: $0) }
    }

    /// Lets go of the sessions that were left longest ago.
    ///
    /// - Parameter isSafe: whether the text of a session is in the notebook; another one is never let go.
    func forgetOldSessions(where isSafe: (EditorSession) -> Bool) {
        var surplus = left.count - Self.sessionsKept
        left.removeAll { session in
            guard surplus > 0, isSafe(session) else { return false }
            surplus -= 1
            return true
        }
    }

    func setHasKeys(_ hasKeys: Bool) { self.hasKeys = hasKeys }

    /// Begins a comparison of the text with another one.
    ///
    /// - Returns: its number; with the next one it is not current any more.
    func beginComparison() -> Int {
        comparison += 1
        return comparison
    }

    func isCurrent(_ comparison: Int) -> Bool { comparison == self.comparison }

    // MARK: What changes around it

    /// Takes over what has changed of the open note's row.
    func update(_ row: NoteRow) {
        guard self.row?.id == row.id else { return }
        isGone = false
        if self.row != row { self.row = row }
    }

    /// Notes that the open note is nowhere in the notebook any more.
    ///
    /// - Returns: whether that is news.
    func noteGone() -> Bool {
        defer { isGone = true }
        return !isGone
    }

    func take(_ links: [NoteLink]) {
        if links != backlinks { backlinks = links }
    }
}
