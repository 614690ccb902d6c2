import NoteStore
import Processes

/// Finds passages by words, and by meaning if there are vectors and their provider responds.
public struct PassageFinder: Sendable {
    private let notes: SendableNotes
    private let meaning: (index: MeaningIndex, run: EmbeddingRun)?

    /// The passages that were found, and a problem to report.
    public struct Found: Sendable {
        public var passages: [Passage]
        /// The reason why the search by meaning failed, if it was requested.
        public var problem: ModelFailure?
    }

    /// - Parameters:
    ///   - notes: The notes that may be shown to the recipient of the passages.
    ///   - embedding: The provider to which the question may be sent, or `nil` for a search by words only.
    ///   - willPause: Called with the reason before the provider is asked again.
    public init(
        _ notes: SendableNotes, embedding: Provider? = nil, environment: [String: String] = [:],
        stop: CommandStop? = nil, willPause: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.notes = notes
        let index = embedding.map { MeaningIndex(notes, provider: $0) }
        guard let embedding, let index, index.exists else {
            meaning = nil
            return
        }
        var run = EmbeddingRun(embedding, environment: environment, stop: stop)
        run.willPause = willPause
        meaning = (index, run)
    }

    /// Whether the question would be sent to be embedded.
    public var sendsQuestion: Bool { meaning != nil }

    /// Returns the request that the embedding provider would get for a question, or `nil` if there is none.
    public func request(for question: String) -> String? {
        meaning?.run.request(for: [question], as: .query)
    }

    /// Returns the passages, the best first.
    ///
    /// If the provider does not respond, they are found by words only, and `Found.problem` tells why.
    ///
    /// - Throws: `StoreError` if the notebook cannot be read.
    public func passages(for question: String, limit: Int = 12) throws -> Found {
        var found = Found(passages: [])
        var nearest: [Chunk] = []
        do {
            if let meaning { nearest = try meaning.index.nearest(to: question, meaning.run) }
        } catch let failure as ModelFailure {
            found.problem = failure
        }
        found.passages = try PassageSearch(notes).passages(for: question, limit: limit, nearest: nearest)
        return found
    }

    /// Returns the embedding provider if the question may be sent to it without asking, or else `nil`.
    public static func allowedProvider(
        _ settings: IntelligenceSettings, in notebook: Notebook
    ) throws -> Provider? {
        guard let provider = try settings.embedProvider(), try ModelConsent.isGiven(to: provider, in: notebook) else {
            return nil
        }
        return provider
    }
}

/// Notes related to a note, found by its characteristic words and by the stored vectors.
///
/// Nothing is sent.
public enum RelatedNotes {
    /// - Parameter embedding: The provider whose vectors are stored, or `nil` for a search by words only.
    public static func find(
        for note: Note, among notes: SendableNotes, embedding: Provider? = nil, limit: Int = 10
    ) throws(StoreError) -> [(row: NoteRow, words: [String], score: Double)] {
        let byWords = try notes.related(to: note, limit: max(limit, 30))
        guard let embedding else { return Array(byWords.prefix(limit)) }
        let byMeaning = MeaningIndex(notes, provider: embedding).related(to: note.id)
        guard !byMeaning.isEmpty else { return Array(byWords.prefix(limit)) }
        var scores: [NoteID: Double] = [:]
        for (rank, hit) in byWords.enumerated() { scores[hit.row.id, default: 0] += 1 / Double(61 + rank) }
        for (rank, hit) in byMeaning.enumerated() { scores[hit.note, default: 0] += 1 / Double(61 + rank) }
        var related: [(row: NoteRow, words: [String], score: Double)] = []
        for (id, score) in scores.sorted(by: { ($0.value, $1.key.description) > ($1.value, $0.key.description) }) {
            guard related.count < limit else { break }
            if let hit = byWords.first(where: { $0.row.id == id }) {
                related.append((hit.row, hit.words, score))
            } else if let found = try notes.note(id) {
                related.append((found.row, [], score))
            }
        }
        return related
    }
}
