import Foundation
import NoteStore

/// A summary made of a text's own sentences, without any model.
///
/// Sentences that are like many others are central (LexRank, Erkan and Radev 2004); earlier ones count more, as writers
/// begin with what matters; and of two that say the same only one is taken (MMR, Carbonell and Goldstein 1998).
public enum ExtractiveSummary {
    /// What lists show, in characters.
    public static let usualLength = 160

    /// How many sentences are compared; their pairs cost.
    private static let mostSentences = 120
    /// Below this likeness two sentences have nothing to do with each other: LexRank's threshold.
    private static let threshold = 0.1
    /// How much a sentence loses with each before it; 0.4 was best on news.
    private static let positionLoss = 0.4
    /// What being unlike the chosen ones counts against being central.
    private static let novelty = 0.3

    /// - Returns: at most `length` characters in one line; empty where the text has no sentence.
    public static func of(_ text: String, title: String = "", length: Int = usualLength) -> String {
        let all = Sentences.ofMarkdown(text, title: title)
        let sentences = Array(all.prefix(mostSentences))
        guard !sentences.isEmpty else { return "" }
        let bags = vectors(of: sentences)
        let rank = centrality(bags).enumerated().map { index, central in
            central / (1 + positionLoss * Double(index)) * fitness(of: sentences[index])
        }
        let chosen = choose(sentences, bags, rank, length)
        let summary = chosen.sorted().map { sentences[$0] }.joined(separator: " ")
        return cut(summary, to: length)
    }

    /// A sentence of three words says little, however central they are.
    private static func fitness(of sentence: String) -> Double {
        let words = sentence.split(separator: " ").count
        if sentence.hasSuffix(":") { return 0.3 }
        return words < 4 ? 0.4 : 1
    }

    private static func choose(
        _ sentences: [String], _ bags: [[String: Double]], _ rank: [Double], _ length: Int
    ) -> [Int] {
        var chosen: [Int] = []
        var left = length
        let most = rank.max() ?? 1
        while true {
            var best: (index: Int, score: Double)?
            for index in sentences.indices where !chosen.contains(index) {
                // The first one may be too long and is cut; a further one must fit.
                if !chosen.isEmpty, sentences[index].count + 1 > left { continue }
                let repeated = chosen.map { likeness(bags[index], bags[$0]) }.max() ?? 0
                let score = (1 - novelty) * rank[index] / max(most, 1e-9) - novelty * repeated
                if best == nil || score > best?.score ?? 0 { best = (index, score) }
            }
            guard let best, chosen.isEmpty || best.score > 0 else { return chosen }
            chosen.append(best.index)
            left -= sentences[best.index].count + 1
            if left < 20 { return chosen }
        }
    }

    /// The words of each sentence, weighted by how few sentences have them, as vectors of length one.
    private static func vectors(of sentences: [String]) -> [[String: Double]] {
        let bags = sentences.map { sentence in
            var bag: [String: Double] = [:]
            for term in IndexForm.terms(of: sentence) where !IndexForm.isStopWord(term) {
                bag[IndexForm.stem(term), default: 0] += 1
            }
            return bag
        }
        var spread: [String: Int] = [:]
        for bag in bags { for word in bag.keys { spread[word, default: 0] += 1 } }
        return bags.map { bag in
            let weighted = bag.reduce(into: [String: Double]()) { result, entry in
                result[entry.key] =
                    entry.value * log(1 + Double(sentences.count) / Double(spread[entry.key] ?? 1))
            }
            let norm = weighted.values.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return norm > 0 ? weighted.mapValues { $0 / norm } : [:]
        }
    }

    private static func likeness(_ one: [String: Double], _ other: [String: Double]) -> Double {
        let (short, long) = one.count < other.count ? (one, other) : (other, one)
        return short.reduce(0) { $0 + $1.value * (long[$1.key] ?? 0) }
    }

    /// The stationary distribution of a walk from sentence to sentence that are alike.
    private static func centrality(_ bags: [[String: Double]]) -> [Double] {
        let count = bags.count
        var likeness = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        for one in 0..<count {
            for other in one..<count {
                let value = one == other ? (bags[one].isEmpty ? 0 : 1) : Self.likeness(bags[one], bags[other])
                if value > threshold { (likeness[one][other], likeness[other][one]) = (value, value) }
            }
        }
        let sums = likeness.map { $0.reduce(0, +) }
        var rank = [Double](repeating: 1 / Double(count), count: count)
        // Twenty rounds leave less than a thousandth open.
        for _ in 0..<20 {
            rank = (0..<count).map { target in
                let flow = (0..<count).reduce(0.0) { total, source in
                    sums[source] > 0 ? total + rank[source] * likeness[source][target] / sums[source] : total
                }
                return 0.15 / Double(count) + 0.85 * flow
            }
        }
        return rank
    }

    /// The text, or its beginning up to a word's end with an ellipsis.
    static func cut(_ text: String, to length: Int) -> String {
        guard text.count > length else { return text }
        let start = text.prefix(length - 1)
        let end = start.lastIndex(of: " ") ?? start.endIndex
        // A script without spaces has no better place.
        let kept = start.distance(from: start.startIndex, to: end) > length / 2 ? start[..<end] : start
        return kept + "…"
    }
}
