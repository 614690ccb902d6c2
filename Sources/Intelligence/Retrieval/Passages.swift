import Foundation
import Markdown
import NoteStore
import TextPrimitives

/// A chunk that was found for a question.
public struct Passage: Equatable, Sendable {
    public let chunk: Chunk
    public let score: Double
    /// The stems of the question's terms that it contains.
    let terms: Set<String>
}

/// Finds the passages that answer a question.
public struct PassageSearch {
    private let notes: SendableNotes

    /// The share of the note's score that is added to each of its chunks, since the whole note tells what they are
    /// about.
    private static let noteShare = 0.3
    /// The most chunks of one note.
    private static let maximumOfNote = 3
    /// The least share of the question's weight that a passage found by words has to cover when there are results by
    /// meaning too.
    static let gate = 0.4
    /// The least score of a passage, relative to the best one.
    private static let minimumShare = 0.3

    public init(_ notes: SendableNotes) { self.notes = notes }

    /// Returns passages, the best first.
    ///
    /// - Parameter nearest: The chunks nearest in meaning, if known, whose ranking is combined with that by words.
    public func passages(
        for question: String, limit: Int = 12, nearest: [Chunk] = []
    ) throws(StoreError) -> [Passage] {
        let words = try notes.tellingWords(of: question)
        let ranked = try ranked(words.known)
        guard !nearest.isEmpty else { return Self.diverse(Self.strong(ranked), limit: limit) }
        return Self.diverse(Self.fused(Self.covering(ranked, words), nearest), limit: limit)
    }

    /// Returns all chunks of the notes that match the words best.
    private func ranked(_ words: [TellingWord]) throws(StoreError) -> [Passage] {
        guard !words.isEmpty else { return [] }
        let found = try notes.best(Self.worthwhile(words))
        var ranked: [Passage] = []
        let best = found.first?.score ?? 1
        let chunks = found.map { Chunker.chunks(of: $0.note) }
        let scorer = ChunkScorer(words: words, chunks: chunks.flatMap(\.self))
        for (hit, chunks) in zip(found, chunks) {
            let share = Self.noteShare * hit.score / max(best, 1e-9)
            // A note that consists of its title only is found by it.
            let pieces =
                chunks.isEmpty ? [Chunk(note: hit.note.id, title: hit.note.title, headings: [], text: "")] : chunks
            for chunk in pieces {
                let (score, terms) = scorer.score(chunk)
                ranked.append(Passage(chunk: chunk, score: score + share * scorer.whole, terms: terms))
            }
        }
        return ranked.sorted { ($0.score, $1.chunk.title) > ($1.score, $0.chunk.title) }
    }

    /// The constant that dampens the influence of high ranks (Cormack and others 2009).
    private static let rankDamping = 60.0
    /// The number of passages of each ranking that are combined.
    private static let maximumFused = 50

    /// Returns the reciprocal rank fusion of the results by words and by meaning.
    private static func fused(_ byWords: [Passage], _ nearest: [Chunk]) -> [Passage] {
        var fused: [String: Passage] = [:]
        func add(_ chunk: Chunk, _ terms: Set<String>, _ rank: Int) {
            let key = "\(chunk.note)\n\(chunk.text)"
            let score = 1 / (rankDamping + Double(rank + 1))
            let known = fused[key]
            fused[key] = Passage(
                chunk: chunk, score: (known?.score ?? 0) + score, terms: terms.union(known?.terms ?? []))
        }
        for (rank, passage) in byWords.prefix(maximumFused).enumerated() { add(passage.chunk, passage.terms, rank) }
        for (rank, chunk) in nearest.prefix(maximumFused).enumerated() { add(chunk, [], rank) }
        return fused.values.sorted { ($0.score, $1.chunk.title) > ($1.score, $0.chunk.title) }
    }

    /// Returns the words without those that occur in many notes, unless no others are left: these cost the most and
    /// discriminate the least.
    ///
    /// The weight alone does not tell in a large notebook: a word that is in nearly every note is counted in a fifth of
    /// them only. Among 100,000 notes such a word made a question take four times as long.
    static func worthwhile(_ words: [TellingWord]) -> [TellingWord] {
        let rare = words.filter { $0.weight > 0.7 && !$0.isCommon }
        return rare.isEmpty ? words : rare
    }

    /// Returns the passages whose score is not far below the best one.
    private static func strong(_ ranked: [Passage]) -> [Passage] {
        let best = ranked.first?.score ?? 0
        return ranked.filter { !$0.terms.isEmpty && $0.score >= minimumShare * best }
    }

    /// Returns the passages that cover enough of the question's weight.
    ///
    /// The words that are in no note count as not covered, or else a single common word would seem to answer a question
    /// of five.
    private static func covering(_ passages: [Passage], _ words: QuestionWords) -> [Passage] {
        let weights = Dictionary(words.known.map { (IndexForm.stem($0.word), $0.weight) }) { max($0, $1) }
        return passages.filter { passage in
            passage.terms.reduce(0) { $0 + (weights[$1] ?? 0) } >= gate * words.weight
        }
    }

    /// How much the score of a passage counts when one is chosen; the rest is how little it repeats of those that are
    /// chosen already.
    private static let relevance = 0.8
    /// The number of passages from which one is chosen, as a multiple of how many are wanted.
    private static let choice = 3

    /// Returns passages that say different things, at most three of a note.
    ///
    /// Each is the one whose score is highest after what it repeats is taken off (maximal marginal relevance; Carbonell
    /// and Goldstein 1998), so that copies of a note do not use up the room for others.
    static func diverse(_ passages: [Passage], limit: Int) -> [Passage] {
        var seen: Set<String> = []
        var counts: [NoteID: Int] = [:]
        var waiting: [(passage: Passage, words: Set<UInt64>, overlap: Double)] = []
        for passage in passages where waiting.count < choice * limit {
            let (text, note) = (passage.chunk.text, passage.chunk.note)
            guard text.isEmpty || seen.insert(text).inserted else { continue }
            // A note with many passages must leave room for those of other notes.
            counts[note, default: 0] += 1
            if counts[note, default: 0] <= choice * maximumOfNote { waiting.append((passage, words(of: text), 0)) }
        }
        let best = max(waiting.first?.passage.score ?? 0, 1e-9)
        var kept: [Passage] = []
        counts = [:]
        while kept.count < limit, !waiting.isEmpty {
            func value(_ index: Int) -> Double {
                relevance * waiting[index].passage.score / best - (1 - relevance) * waiting[index].overlap
            }
            // The first of equal passages is chosen.
            var next = 0
            for index in waiting.indices where value(index) > value(next) { next = index }
            let chosen = waiting.remove(at: next)
            kept.append(chosen.passage)
            counts[chosen.passage.chunk.note, default: 0] += 1
            if counts[chosen.passage.chunk.note] == maximumOfNote {
                waiting.removeAll { $0.passage.chunk.note == chosen.passage.chunk.note }
            }
            for index in waiting.indices {
                waiting[index].overlap = max(waiting[index].overlap, overlap(waiting[index].words, chosen.words))
            }
        }
        return kept
    }

    /// Returns the share of their words that two texts have in common.
    private static func overlap(_ one: Set<UInt64>, _ other: Set<UInt64>) -> Double {
        let common = one.count < other.count ? one.count { other.contains($0) } : other.count { one.contains($0) }
        return Double(common) / Double(max(1, one.count + other.count - common))
    }

    /// Returns hashes of a text's words; capitals of ASCII count as small letters.
    private static func words(of text: String) -> Set<UInt64> {
        let start: UInt64 = 14_695_981_039_346_656_037
        var words: Set<UInt64> = []
        var hash = start
        for byte in text.utf8 {
            if byte.isAlphanumeric || byte >= 0x80 {
                hash = (hash ^ UInt64(byte.lowercased)) &* 1_099_511_628_211
            } else if hash != start {
                words.insert(hash)
                hash = start
            }
        }
        if hash != start { words.insert(hash) }
        return words
    }
}
