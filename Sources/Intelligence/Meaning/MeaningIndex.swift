import NoteStore

/// What the vectors of a notebook's chunks find for a question, or for a note.
public struct MeaningIndex: Sendable {
    private let file: VectorFile
    private let notes: SendableNotes
    private let provider: Provider

    /// - Parameter notes: the notes that the provider may see.
    public init(_ notes: SendableNotes, provider: Provider) {
        (self.notes, self.provider) = (notes, provider)
        file = VectorFile(of: notes.notebook, model: "\(provider.name)\n\(provider.place)\n\(provider.model)")
    }

    /// Whether there may be vectors at all; it costs nothing to ask.
    public var exists: Bool { file.exists }

    /// What is embedded for a chunk: where it stands says what it is about.
    static func text(of chunk: Chunk) -> String { chunk.place + "\n" + chunk.text }

    // MARK: - Making

    /// The chunks that have no vector yet, and how many have one.
    public struct Plan: Sendable {
        public fileprivate(set) var missing: [Chunk] = []
        public fileprivate(set) var kept = 0
        /// Vectors of texts that are not there any more, or may not be sent now.
        public fileprivate(set) var stale = 0
        fileprivate var content = VectorFile.Content()

        public var notes: Int { Set(missing.map(\.note)).count }
        /// Tokens that would be sent, estimated from above.
        public var tokens: Int { missing.reduce(0) { $0 + TokenCount.estimate(MeaningIndex.text(of: $1)) } }
    }

    /// Reads all notes; takes some seconds for a hundred thousand.
    public func plan() throws(StoreError) -> Plan {
        var plan = Plan(content: file.read())
        let known = Set(plan.content.keys)
        var wanted: Set<VectorKey> = []
        for id in try notes.ids() {
            guard let note = try notes.note(id) else { continue }
            for chunk in Chunker.chunks(of: note) {
                let key = VectorKey(note: id, text: Self.text(of: chunk))
                guard wanted.count < VectorFile.most, wanted.insert(key).inserted else { continue }
                if !known.contains(key) { plan.missing.append(chunk) }
            }
        }
        plan.content.keep(wanted.contains)
        plan.kept = plan.content.keys.count
        plan.stale = known.count - plan.kept
        return plan
    }

    /// Has the missing chunks embedded, batch by batch, and keeps what has come even if it ends early.
    ///
    /// - Parameter progress: gets the number of chunks that are done.
    public func build(
        _ plan: Plan, _ run: EmbeddingRun, progress: (Int) -> Void = { _ in }
    ) throws {
        var content = plan.content
        var done = 0
        do {
            for start in stride(from: 0, to: plan.missing.count, by: EmbeddingRun.batch) {
                let chunks = plan.missing[start..<min(start + EmbeddingRun.batch, plan.missing.count)]
                let vectors = try run.vectors(of: chunks.map(Self.text), as: .passage)
                // Another length is another model: what it made and what is kept cannot be compared.
                if !content.isEmpty, vectors.contains(where: { $0.count != content.dimensions }) {
                    content = VectorFile.Content()
                    try file.remove()
                    throw ModelFailure.otherVectors(provider.place)
                }
                for (chunk, vector) in zip(chunks, vectors) {
                    guard let code = VectorCode.code(vector) else { continue }
                    content.add(VectorKey(note: chunk.note, text: Self.text(of: chunk)), code)
                }
                done += chunks.count
                progress(done)
                if done % Self.savedEvery == 0 { try file.write(content) }
            }
        } catch {
            if done > 0, !content.isEmpty { try file.write(content) }
            throw error
        }
        if done > 0 || plan.stale > 0 { try file.write(content) }
    }

    /// What would be sent for a plan, request by request.
    public func requests(for plan: Plan, _ run: EmbeddingRun) -> [String] {
        stride(from: 0, to: plan.missing.count, by: EmbeddingRun.batch).map { start in
            let chunks = plan.missing[start..<min(start + EmbeddingRun.batch, plan.missing.count)]
            return run.request(for: chunks.map(Self.text), as: .passage)
        }
    }

    /// How many chunks are embedded between two writings of the file.
    private static let savedEvery = 4096

    // MARK: - Finding

    /// How many chunks are looked at more closely.
    private static let most = 50

    /// The chunks nearest in meaning to a question, the nearest first.
    ///
    /// The question goes to the provider.
    public func nearest(to question: String, _ run: EmbeddingRun) throws -> [Chunk] {
        let content = file.read()
        guard !content.isEmpty else { return [] }
        guard let vector = try run.vectors(of: [question], as: .query).first else { return [] }
        guard vector.count == content.dimensions else { throw ModelFailure.otherVectors(provider.place) }
        guard let code = VectorCode.code(vector) else { return [] }
        return try chunks(of: Self.nearest(to: code[...], in: content, count: Self.most).map { content.keys[$0.index] })
    }

    /// The notes nearest in meaning to a note, with the likeness of their nearest chunks; nothing is sent.
    ///
    /// Each chunk of the note looks for its nearest, and the sum of these counts (MaxSim).
    public func related(to note: NoteID, limit: Int = 30) -> [(note: NoteID, score: Float)] {
        let content = file.read()
        let own = content.keys.indices.filter { content.keys[$0].note == note }.prefix(Self.mostChunksOfNote)
        var scores: [NoteID: Float] = [:]
        for index in own {
            var best: [NoteID: Float] = [:]
            for hit in Self.nearest(to: content.code(index), in: content, count: Self.most * 4)
            where content.keys[hit.index].note != note {
                best[content.keys[hit.index].note] = max(best[content.keys[hit.index].note] ?? -1, hit.score)
            }
            for (note, score) in best { scores[note, default: 0] += score }
        }
        return scores.sorted { ($0.value, $1.key.description) > ($1.value, $0.key.description) }.prefix(limit)
            .map { ($0.key, $0.value) }
    }

    private static let mostChunksOfNote = 24

    /// The vectors nearest to one, the nearest first.
    public static func nearest(
        to code: ArraySlice<Int8>, in content: VectorFile.Content, count: Int
    ) -> [(index: Int, score: Float)] {
        let scores = likenesses(to: code, in: content)
        var best: [(index: Int, score: Float)] = []
        var least = -Float.infinity
        for (index, score) in scores.enumerated() where score > least || best.count < count {
            best.append((index, score))
            if best.count >= 4 * count {
                best.sort { $0.score > $1.score }
                best.removeLast(best.count - count)
                least = best.last?.score ?? least
            }
        }
        best.sort { ($0.score, $1.index) > ($1.score, $0.index) }
        return Array(best.prefix(count))
    }

    private static func likenesses(to code: ArraySlice<Int8>, in content: VectorFile.Content) -> [Float] {
        let size = content.dimensions
        guard size == code.count else { return [] }
        let own = Float(max(VectorCode.dot(code, code), 1)).squareRoot()
        return code.withUnsafeBufferPointer { code in
            content.codes.withUnsafeBufferPointer { codes in
                content.keys.indices.map { index in
                    let start = index * size
                    var (product, square): (Int32, Int32) = (0, 0)
                    for place in 0..<size {
                        let (a, b) = (Int32(code[place]), Int32(codes[start + place]))
                        product &+= a &* b
                        square &+= b &* b
                    }
                    return square == 0 ? 0 : Float(product) / (own * Float(square).squareRoot())
                }
            }
        }
    }

    /// The chunks of keys, as far as their notes may be sent and still have them.
    private func chunks(of keys: [VectorKey]) throws(StoreError) -> [Chunk] {
        var known: [NoteID: [VectorKey: Chunk]] = [:]
        var found: [Chunk] = []
        for key in keys {
            if known[key.note] == nil {
                let chunks = try notes.note(key.note).map { Chunker.chunks(of: $0) } ?? []
                known[key.note] = Dictionary(
                    chunks.map { (VectorKey(note: key.note, text: Self.text(of: $0)), $0) }
                ) { first, _ in first }
            }
            if let chunk = known[key.note]?[key] { found.append(chunk) }
        }
        return found
    }
}
