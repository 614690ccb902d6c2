import Intelligence
import NoteStore

/// What needs a model, and what answers without one.
extension TakeNoteVM {
    /// Whether a provider for the chat is configured.
    public var chatFeatureFlagEnabled: Bool { !intelligence.chat.isEmpty }

    /// The notes that are like the open one, or else that under the cursor, each with the words that both have.
    ///
    /// Cost: a few milliseconds.
    ///
    /// - Returns: nil if it cannot be found out, which is said.
    public func relatedNotes() -> [(row: NoteRow, words: [String], score: Double)]? {
        guard let id = session?.noteID ?? noteUnderCursor?.id else { return nil }
        saveNow()
        var related: [(row: NoteRow, words: [String], score: Double)]?
        attempt(Texts.Attempt.readNotebook) {
            guard let note = try notebook.notes.load(id) else { throw StoreError.noSuchNote(id) }
            related = try notebook.retrieval.sendable(for: .reader).related(to: note)
        }
        return related
    }
}
