import Foundation
import Markdown
import NoteStore

/// A chunk that was found for a question.
public struct Passage: Equatable, Sendable {
    public let chunk: Chunk
    public let score: Double
    /// The terms of the question that it has, as stems.
    let terms: Set<String>
}

/// Finds the passages that answer a question.
public struct PassageSearch {
    private let notes: SendableNotes

    /// Which part of the note's own score goes to each of its chunks: the note says what it is about.
    private static let noteShare = 0.3
    /// How many chunks of one note are taken.
    private static let mostOfNote = 3
    /// bm25's usual constants (Robertson and Zaragoza 2009).
    private static let (saturation, lengthShare) = (1.2, 0.75)
    /// A hit must cover so much of the question's weight to count, unless none does.
    static let gate = 0.4

    public init(_ notes: SendableNotes) { self.notes = notes }

    /// The best passages first.
    ///
    /// - Parameter nearest: the chunks nearest in meaning, if it is known; both orders count.
    public func passages(
        for question: String, limit: Int = 12, nearest: [Chunk] = []
    ) throws(StoreError) -> [Passage] {
        let words = try notes.tellingWords(of: question)
        let ranked = try ranked(words)
        guard !nearest.isEmpty else { return Self.diverse(Self.gated(ranked, words), limit: limit) }
        return Self.diverse(Self.fused(Self.covering(ranked, words), nearest), limit: limit)
    }

    /// All chunks of the best notes by words.
    private func ranked(_ words: [TellingWord]) throws(StoreError) -> [Passage] {
        guard !words.isEmpty else { return [] }
        let found = try notes.best(Self.worthwhile(words))
        var ranked: [Passage] = []
        let best = found.first?.score ?? 1
        let chunks = found.map { Chunker.chunks(of: $0.note) }
        let scorer = ChunkScorer(words: words, chunks: chunks.flatMap(\.self))
        for (hit, chunks) in zip(found, chunks) {
            let share = Self.noteShare * hit.score / max(best, 1e-9)
            // A note of nothing but its title is found by it.
            let pieces =
                chunks.isEmpty ? [Chunk(note: hit.note.id, title: hit.note.title, headings: [], text: "")] : chunks
            for chunk in pieces {
                let (score, terms) = scorer.score(chunk)
                ranked.append(Passage(chunk: chunk, score: score + share * scorer.whole, terms: terms))
            }
        }
        return ranked.sorted { ($0.score, $1.chunk.title) > ($1.score, $0.chunk.title) }
    }

    /// How far down a rank counts less (Cormack and others 2009).
    private static let rankDamping = 60.0
    /// How many of each order count.
    private static let mostFused = 50

    /// Reciprocal rank fusion of what the words found and what the meaning found.
    private static func fused(_ byWords: [Passage], _ nearest: [Chunk]) -> [Passage] {
        var fused: [String: Passage] = [:]
        func add(_ chunk: Chunk, _ terms: Set<String>, _ rank: Int) {
            let key = "\(chunk.note)\n\(chunk.text)"
            let score = 1 / (rankDamping + Double(rank + 1))
            let known = fused[key]
            fused[key] = Passage(
                chunk: chunk, score: (known?.score ?? 0) + score, terms: terms.union(known?.terms ?? []))
        }
        for (rank, passage) in byWords.prefix(mostFused).enumerated() { add(passage.chunk, passage.terms, rank) }
        for (rank, chunk) in nearest.prefix(mostFused).enumerated() { add(chunk, [], rank) }
        return fused.values.sorted { ($0.score, $1.chunk.title) > ($1.score, $0.chunk.title) }
    }

    /// Without the words that most notes have, where others are left: they cost most and tell least.
    private static func worthwhile(_ words: [TellingWord]) -> [TellingWord] {
        let rare = words.filter { $0.weight > 0.7 }
        return rare.isEmpty ? words : rare
    }

    private static func gated(_ passages: [Passage], _ words: [TellingWord]) -> [Passage] {
        let kept = covering(passages, words)
        return kept.isEmpty ? passages.filter { !$0.terms.isEmpty } : kept
    }

    /// The passages that cover enough of the question's weight.
    private static func covering(_ passages: [Passage], _ words: [TellingWord]) -> [Passage] {
        let weights = Dictionary(words.map { (IndexForm.stem($0.word), $0.weight) }) { max($0, $1) }
        let whole = weights.values.reduce(0, +)
        return passages.filter { passage in
            passage.terms.reduce(0) { $0 + (weights[$1] ?? 0) } >= gate * whole
        }
    }

    /// Passages that do not repeat each other, at most three of a note.
    private static func diverse(_ passages: [Passage], limit: Int) -> [Passage] {
        var counts: [NoteID: Int] = [:]
        var seen: Set<String> = []
        var kept: [Passage] = []
        for passage in passages where kept.count < limit {
            let text = passage.chunk.text
            guard text.isEmpty || seen.insert(text).inserted else { continue }
            counts[passage.chunk.note, default: 0] += 1
            if counts[passage.chunk.note, default: 0] <= mostOfNote { kept.append(passage) }
        }
        return kept
    }

    /// Scores chunks by the words of a question, with the notebook's counts of them.
    private struct ChunkScorer {
        private let weights: [String: Double]
        private let averageLength: Double
        let whole: Double

        init(words: [TellingWord], chunks: [Chunk]) {
            weights = Dictionary(words.map { (IndexForm.stem($0.word), $0.weight) }) { max($0, $1) }
            let total = chunks.reduce(0) { $0 + $1.text.utf8.count }
            averageLength = max(1, Double(total) / Double(max(1, chunks.count)))
            whole = max(weights.values.reduce(0, +), 1e-9)
        }

        func score(_ chunk: Chunk) -> (score: Double, terms: Set<String>) {
            var counts: [String: Double] = [:]
            for term in IndexForm.terms(of: chunk.text) {
                let stem = IndexForm.stem(term)
                if weights[stem] != nil { counts[stem, default: 0] += 1 }
            }
            // What stands above a piece says what it is about.
            for term in IndexForm.terms(of: chunk.place) {
                let stem = IndexForm.stem(term)
                if weights[stem] != nil { counts[stem, default: 0] += 1 }
            }
            let length = 1 - lengthShare + lengthShare * Double(chunk.text.utf8.count) / averageLength
            let score = counts.reduce(0.0) { total, entry in
                let frequency = entry.value * (saturation + 1) / (entry.value + saturation * length)
                return total + (weights[entry.key] ?? 0) * frequency
            }
            return (score, Set(counts.keys))
        }
    }
}
