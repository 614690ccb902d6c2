import Intelligence
import NoteStore

/// What needs a model, and what answers without one.
extension TakeNoteVM {
    /// Whether a provider for the chat is configured.
    public var chatFeatureFlagEnabled: Bool { !intelligence.chat.isEmpty }

    /// Finds the notes that are like the open one, or else that under the cursor, each with the words that both have.
    ///
    /// It takes a few milliseconds; where vectors are kept they are read in the background. Nothing is sent.
    public func findRelated(then deliver: @escaping @MainActor @Sendable ([RelatedNote]) -> Void) {
        guard let id = session?.noteID ?? noteUnderCursor?.id else { return }
        saveNow()
        let notes = notebook.retrieval.sendable(for: .reader)
        // A wrong configuration leaves the words.
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

/// A note that is like another one.
public struct RelatedNote: Sendable {
    public let row: NoteRow
    /// The telling words that both have; none where the meaning alone is alike.
    public let words: [String]
}
