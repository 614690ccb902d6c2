import NoteStore

/// A search by meaning, for a question or for a note, over the embedding vectors of a notebook's chunks.
public struct MeaningIndex: Sendable {
    private let file: VectorFile
    private let notes: SendableNotes
    private let provider: Provider

    /// - Parameter notes: The notes that the provider may see.
    public init(_ notes: SendableNotes, provider: Provider) {
        (self.notes, self.provider) = (notes, provider)
        file = VectorFile(of: notes.notebook, model: provider.identity)
    }

    /// Whether there may be vectors at all, which is cheap to ask.
    public var exists: Bool { file.exists }

    /// Returns the text that is embedded for a chunk.
    ///
    /// Its title and headings are included, since they tell what it is about.
    static func text(of chunk: Chunk) -> String { chunk.label + "\n" + chunk.text }

    private static func key(of chunk: Chunk) -> VectorKey { VectorKey(note: chunk.note, text: text(of: chunk)) }

    /// Returns what is sent for a chunk: its text, or as much of it as the model takes, as of a long table.
    private func sent(for chunk: Chunk) -> String {
        TokenCount.beginning(of: Self.text(of: chunk), fitting: provider.context)
    }

    // MARK: - Making

    /// The chunks without a vector, and the number of those that have one.
    public struct Plan: Sendable {
        public fileprivate(set) var missing: [Chunk] = []
        public fileprivate(set) var kept = 0
        /// The number of vectors whose texts no longer exist or may no longer be sent.
        fileprivate(set) var stale = 0
        /// An upper estimate of the tokens that would be sent.
        public fileprivate(set) var tokens = 0
        fileprivate var content = VectorFile.Content()
        /// Whether the vectors of another model are used until these are complete.
        fileprivate var isBeside = false

        public var notes: Int { Set(missing.map(\.note)).count }
    }

    /// Compares all notes with the file of vectors, which takes some seconds for a hundred thousand notes.
    public func plan() throws(StoreError) -> Plan {
        // An index that was begun for this model is continued.
        let begun = file.unfinished.read()
        var plan = Plan(content: begun.isEmpty ? file.read() : begun)
        plan.isBeside = !begun.isEmpty || plan.content.isEmpty && !file.readOfAnyModel().isEmpty
        let known = Set(plan.content.keys)
        var wanted: Set<VectorKey> = []
        for id in try notes.ids() {
            guard let note = try notes.note(id) else { continue }
            for chunk in Chunker.chunks(of: note) {
                let key = Self.key(of: chunk)
                guard wanted.count < VectorFile.maximumVectors, wanted.insert(key).inserted else { continue }
                guard !known.contains(key) else { continue }
                plan.missing.append(chunk)
                plan.tokens += TokenCount.estimate(sent(for: chunk))
            }
        }
        plan.content.keep(wanted.contains)
        plan.kept = plan.content.keys.count
        plan.stale = known.count - plan.kept
        return plan
    }

    /// Embeds the missing chunks, batch by batch, and saves the vectors received so far even if it ends early.
    ///
    /// The vectors of another model stay in use until the new ones are complete.
    ///
    /// - Parameter progress: Called with the number of chunks that are done.
    /// - Returns: The number of chunks that have a vector now; one without a direction counts as none.
    @discardableResult
    public func build(
        _ plan: Plan, _ run: EmbeddingRun, progress: (Int) -> Void = { _ in }
    ) throws -> Int {
        var content = plan.content
        var done = 0
        let growing = plan.isBeside ? file.unfinished : file
        do {
            for start in stride(from: 0, to: plan.missing.count, by: EmbeddingRun.batch) {
                let chunks = plan.missing[start..<min(start + EmbeddingRun.batch, plan.missing.count)]
                let vectors = try run.vectors(of: chunks.map(sent), as: .passage)
                // Vectors of another length come from another model and cannot be compared with those that are stored.
                if !content.isEmpty, vectors.contains(where: { $0.count != content.dimensions }) {
                    try restart(with: vectors, of: chunks)
                    content = VectorFile.Content()
                    throw ModelFailure.otherVectors(provider.label)
                }
                for (chunk, vector) in zip(chunks, vectors) {
                    guard let code = VectorCode.code(vector) else { continue }
                    content.add(Self.key(of: chunk), code)
                }
                done += chunks.count
                progress(done)
                if done % Self.savedEvery == 0 { content = try write(content, of: plan, to: growing) }
            }
        } catch {
            if done > 0, !content.isEmpty { try write(content, of: plan, to: growing) }
            throw error
        }
        if done > 0 || plan.stale > 0 || plan.isBeside {
            content = try write(content, of: plan, to: file)
            if file.unfinished.exists { try file.unfinished.remove() }
        }
        return content.keys.count
    }

    /// Writes vectors together with those of the plan's chunks that another run has written meanwhile.
    ///
    /// - Returns: What was written.
    @discardableResult
    private func write(
        _ content: VectorFile.Content, of plan: Plan, to file: VectorFile
    ) throws(StoreError) -> VectorFile.Content {
        let (other, known) = (file.read(), Set(content.keys))
        let more = other.keys.indices.filter { !known.contains(other.keys[$0]) }
        // Vectors that the plan does not name are stale.
        let wanted = more.isEmpty ? [] : Set(plan.missing.map(Self.key))
        var content = content
        for index in more where wanted.contains(other.keys[index]) {
            content.add(other.keys[index], Array(other.code(index)))
        }
        try file.write(content)
        return content
    }

    /// Begins an index of the model that the server has now, which the next run continues.
    private func restart(with vectors: [[Float]], of chunks: ArraySlice<Chunk>) throws(StoreError) {
        var content = VectorFile.Content()
        for (chunk, vector) in zip(chunks, vectors) {
            guard let code = VectorCode.code(vector) else { continue }
            content.add(Self.key(of: chunk), code)
        }
        try file.unfinished.write(content)
    }

    /// Returns the exact requests that a plan would send.
    public func requests(for plan: Plan, _ run: EmbeddingRun) -> [String] {
        stride(from: 0, to: plan.missing.count, by: EmbeddingRun.batch).map { start in
            let chunks = plan.missing[start..<min(start + EmbeddingRun.batch, plan.missing.count)]
            return run.request(for: chunks.map(sent), as: .passage)
        }
    }

    /// The number of chunks that are embedded before the file is written again.
    private static let savedEvery = 4096

    // MARK: - Finding

    /// The number of nearest vectors whose chunks are read.
    private static let maximumResults = 50

    /// Returns the chunks nearest in meaning to a question, the nearest first.
    ///
    /// The question is sent to the provider.
    ///
    /// - Throws: `ModelFailure` if the provider does not answer with a vector, `StoreError` if the notebook cannot be
    ///   read.
    public func nearest(to question: String, _ run: EmbeddingRun) throws -> [Chunk] {
        let content = file.read()
        guard !content.isEmpty else { return [] }
        guard let vector = try run.vectors(of: [question], as: .query).first else { return [] }
        guard vector.count == content.dimensions else { throw ModelFailure.otherVectors(provider.label) }
        guard let code = VectorCode.code(vector) else { return [] }
        return try chunks(
            of: VectorScan(content).nearest(to: code[...], count: Self.maximumResults).map { content.keys[$0.index] })
    }

    /// Returns the notes related in meaning to a note, with their scores, the most related first.
    ///
    /// Nothing is sent, and the vectors may be those of a former model.
    ///
    /// The score of a note is the sum, over the chunks of the given note, of the similarity of its own nearest chunk
    /// (MaxSim), as far as the two are related at all.
    public func related(to note: NoteID, limit: Int = 30) -> [(note: NoteID, score: Float)] {
        let content = file.readOfAnyModel()
        let own = content.keys.indices.filter { content.keys[$0].note == note }.prefix(Self.maximumChunksOfNote)
        if own.isEmpty { return [] }
        let (scan, centre) = (VectorScan(content), VectorCentre(content))
        var scores: [NoteID: Float] = [:]
        for index in own {
            let part = centre.part(of: index)
            var best: [NoteID: Float] = [:]
            for hit in scan.nearest(to: content.code(index), count: Self.maximumResults * 4) {
                let other = content.keys[hit.index].note
                if other == note { continue }
                let score = centre.cosine(hit.score, part, centre.part(of: hit.index))
                if score >= centre.least { best[other] = max(best[other] ?? 0, score) }
            }
            for (note, score) in best { scores[note, default: 0] += score }
        }
        return scores.sorted { ($0.value, $1.key.description) > ($1.value, $0.key.description) }.prefix(limit)
            .map { ($0.key, $0.value) }
    }

    private static let maximumChunksOfNote = 24

    /// Returns the chunks for keys, without those whose note may not be sent or has changed.
    private func chunks(of keys: [VectorKey]) throws(StoreError) -> [Chunk] {
        var known: [NoteID: [VectorKey: Chunk]] = [:]
        var found: [Chunk] = []
        for key in keys {
            if known[key.note] == nil {
                let chunks = try notes.note(key.note).map { Chunker.chunks(of: $0) } ?? []
                known[key.note] = Dictionary(
                    chunks.map { (Self.key(of: $0), $0) }
                ) { first, _ in first }
            }
            if let chunk = known[key.note]?[key] { found.append(chunk) }
        }
        return found
    }
}
