import Intelligence
import NoteStore

/// Features that use a model, and the one that also works without.
extension TakeNoteVM {
    /// Whether a provider for the chat is configured.
    public var chatFeatureFlagEnabled: Bool { !intelligence.chat.isEmpty }

    /// Finds the notes similar to the open one, or to that under the cursor, each with the words they share.
    ///
    /// It takes a few milliseconds. If vectors are stored, they are read in the background. Nothing is sent.
    public func findRelated(then deliver: @escaping @MainActor @Sendable ([RelatedNote]) -> Void) {
        guard let id = session?.noteID ?? noteUnderCursor?.id else { return }
        saveNow()
        let notes = notebook.retrieval.sendable(for: .reader)
        // If the configuration is wrong, the notes are compared by words alone.
        let embedding = try? intelligence.embedProvider()
        let find = { @Sendable in
            Result { () throws -> [RelatedNote] in
                guard let note = try notes.note(id) ?? notes.notebook.notes.load(id) else {
                    throw StoreError.noSuchNote(id)
                }
                return try RelatedNotes.find(for: note, among: notes, embedding: embedding)
                    .map { RelatedNote(row: $0.row, words: $0.words) }
            }
        }
        func show(_ result: Result<[RelatedNote], any Error>) {
            attempt(Texts.Attempt.readNotebook) { deliver(try result.get()) }
        }
        guard embedding != nil else { return show(find()) }
        inBackground {
            find()
        } then: {
            show($0)
        }
    }
}

/// A note that is similar to another one.
public struct RelatedNote: Sendable {
    public let row: NoteRow
    /// The most significant words that both have in common; empty if only the meaning is similar.
    public let words: [String]
}
