import NoteStore

/// Scores chunks by the words of a question: by their weight, their frequency and their distance from each other.
struct ChunkScorer {
    /// The weights of the question's words, in its order.
    private let weights: [Double]
    /// The stem of each word.
    private let keys: [String]
    private let indices: [String: Int]
    private let averageLength: Double
    /// The weight of the whole question.
    let whole: Double

    /// The usual constants of bm25 (Robertson and Zaragoza 2009).
    private static let (saturation, lengthShare) = (1.2, 0.75)
    /// The weight of a pair of words that are adjacent in the question and close to each other in the text, and the
    /// greatest distance of such words.
    private static let (pairShare, pairDistance) = (0.4, 3)
    /// The weight of the words that occur within one stretch of text, and the stretch's length in words, about a
    /// sentence.
    private static let (stretchShare, stretchLength) = (0.3, 20)

    init(words: [TellingWord], chunks: [Chunk]) {
        weights = words.map(\.weight)
        keys = words.map { IndexForm.stem($0.word) }
        var indices: [String: Int] = [:]
        for (index, word) in words.enumerated() {
            for form in word.forms { indices[IndexForm.stem(form)] = index }
        }
        self.indices = indices
        let total = chunks.reduce(0) { $0 + $1.text.utf8.count }
        averageLength = max(1, Double(total) / Double(max(1, chunks.count)))
        whole = max(weights.reduce(0, +), 1e-9)
    }

    /// An occurrence of one of the question's words in a text.
    private struct Hit {
        let wordIndex: Int
        let word: Int
    }

    func score(_ chunk: Chunk) -> (score: Double, terms: Set<String>) {
        let hits = hits(in: chunk.text)
        var counts: [Int: Double] = [:]
        for hit in hits { counts[hit.word, default: 0] += 1 }
        // The title and the headings count too, since they tell what the piece is about. A first line that equals the
        // title counts only once.
        let label = chunk.text.hasPrefix(chunk.title) ? chunk.headings.joined(separator: "\n") : chunk.label
        for hit in self.hits(in: label) { counts[hit.word, default: 0] += 1 }
        let length = 1 - Self.lengthShare + Self.lengthShare * Double(chunk.text.utf8.count) / averageLength
        let frequency = counts.sorted { $0.key < $1.key }.reduce(0.0) { total, entry in
            total + weights[entry.key] * entry.value * (Self.saturation + 1)
                / (entry.value + Self.saturation * length)
        }
        let score = frequency + Self.pairShare * pairs(hits) + Self.stretchShare * bestStretch(hits)
        return (score, Set(counts.keys.map { keys[$0] }))
    }

    private func hits(in text: String) -> [Hit] {
        IndexForm.terms(of: text).enumerated().compactMap { wordIndex, term in
            indices[IndexForm.stem(term)].map { Hit(wordIndex: wordIndex, word: $0) }
        }
    }

    /// Returns the weight of the question's adjacent words that are close to each other in a text, which counts half if
    /// their order is reversed.
    private func pairs(_ hits: [Hit]) -> Double {
        // The best weight of each pair, by the index of its first word.
        var best = [Double](repeating: 0, count: weights.count)
        for (index, hit) in hits.enumerated() {
            for next in hits[(index + 1)...] {
                let distance = next.wordIndex - hit.wordIndex
                if distance > Self.pairDistance { break }
                guard abs(next.word - hit.word) == 1 else { continue }
                let first = min(hit.word, next.word)
                best[first] = max(best[first], (hit.word == first ? 1 : 0.5) / Double(distance))
            }
        }
        return zip(best, zip(weights, weights.dropFirst())).reduce(0) { $0 + $1.0 * min($1.1.0, $1.1.1) }
    }

    /// Returns the greatest weight of words in one stretch of a text.
    private func bestStretch(_ hits: [Hit]) -> Double {
        var counts = [Int](repeating: 0, count: weights.count)
        var (first, weight, best) = (0, 0.0, 0.0)
        for hit in hits {
            if counts[hit.word] == 0 { weight += weights[hit.word] }
            counts[hit.word] += 1
            while hit.wordIndex - hits[first].wordIndex >= Self.stretchLength {
                counts[hits[first].word] -= 1
                if counts[hits[first].word] == 0 { weight -= weights[hits[first].word] }
                first += 1
            }
            best = max(best, weight)
        }
        return best
    }
}
