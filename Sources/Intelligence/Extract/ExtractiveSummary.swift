import Foundation
import NoteStore

/// A summary consisting of a text's own sentences, made without a model.
///
/// Sentences that resemble many others are central (LexRank, Erkan and Radev 2004). Sentences at the beginning of a
/// paragraph and paragraphs at the beginning of the text count more, since writers begin with what matters, and so do
/// sentences that announce a result (`ResultWords`). Of two similar sentences only one is chosen (MMR, Carbonell and
/// Goldstein 1998). The constants were chosen on notes written for this purpose, apart from those used for the
/// evaluation.
public enum ExtractiveSummary {
    /// The length that lists show, in characters.
    public static let usualLength = 160

    /// The number of sentences that are compared, from the beginning and from the end; the cost grows with their pairs.
    private static let (maximumFirst, maximumLast) = (80, 40)
    /// LexRank's threshold: two sentences with a lower similarity are unrelated.
    private static let threshold = 0.1
    /// The loss of weight for each earlier sentence of the paragraph and for each earlier paragraph.
    private static let (indexLoss, paragraphLoss) = (0.4, 0.1)
    /// The weight of novelty relative to centrality.
    private static let novelty = 0.3
    /// The factors for sentences below a heading that announces a result, and for those that begin with a word that
    /// does.
    private static let (headingFactor, beginningFactor) = (3.0, 2.0)
    /// The least space, in characters, that is filled with another sentence.
    private static let minimumLength = 20

    /// - Returns: At most `length` characters in one line, or an empty string if the text has no sentence.
    public static func of(_ text: String, title: String = "", length: Int = usualLength) -> String {
        let all = Sentences.placed(inMarkdown: text, title: title)
        let sentences =
            all.count <= maximumFirst + maximumLast ? all : Array(all.prefix(maximumFirst) + all.suffix(maximumLast))
        guard !sentences.isEmpty else { return "" }
        let bags = vectors(of: sentences.map(\.text))
        let rank = zip(centrality(bags), sentences).map { $0 * weight(of: $1) }
        let chosen = choose(sentences.map(\.text), bags, rank, length)
        return chosen.sorted { $0.index < $1.index }.map(\.text).joined(separator: " ")
    }

    private static func weight(of sentence: Sentences.Placed) -> Double {
        var weight = 1 / (1 + indexLoss * Double(sentence.index) + paragraphLoss * Double(sentence.paragraph))
        // A sentence of three words says little, however central its words are.
        let words = sentence.text.split(separator: " ").count
        if sentence.text.hasSuffix(":") { weight *= 0.3 } else if words < 4 { weight *= 0.4 }
        if words < 6 { weight *= 0.6 }
        if ResultWords.announce(heading: sentence.heading) { weight *= headingFactor }
        if ResultWords.begin(sentence: sentence.text) { weight *= beginningFactor }
        return weight
    }

    /// Returns the sentences of the summary in the order of their choice, the last one cut to the space that is left.
    private static func choose(
        _ sentences: [String], _ bags: [[String: Double]], _ rank: [Double], _ length: Int
    ) -> [(index: Int, text: String)] {
        var chosen: [(index: Int, text: String)] = []
        var free = Set(sentences.indices)
        var left = length
        let most = rank.max() ?? 1
        while !free.isEmpty, chosen.isEmpty || left >= minimumLength {
            var best: (index: Int, score: Double)?
            for index in free.sorted() {
                let repeated = chosen.map { similarity(bags[index], bags[$0.index]) }.max() ?? 0
                let score = (1 - novelty) * rank[index] / max(most, 1e-9) - novelty * repeated
                if best.map({ score > $0.score }) ?? true { best = (index, score) }
            }
            guard let index = best?.index else { break }
            chosen.append((index, cut(sentences[index], to: left)))
            free.remove(index)
            left -= sentences[index].count + 1
        }
        return chosen
    }

    /// Returns a unit vector for each sentence, with words weighted by their rarity among the sentences.
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

    private static func similarity(_ one: [String: Double], _ other: [String: Double]) -> Double {
        let (short, long) = one.count < other.count ? (one, other) : (other, one)
        return short.reduce(0) { $0 + $1.value * (long[$1.key] ?? 0) }
    }

    /// Returns the stationary distribution of a random walk between similar sentences.
    private static func centrality(_ bags: [[String: Double]]) -> [Double] {
        let count = bags.count
        var similarity = [[Double]](repeating: [Double](repeating: 0, count: count), count: count)
        for one in 0..<count {
            for other in one..<count {
                let value = one == other ? (bags[one].isEmpty ? 0 : 1) : Self.similarity(bags[one], bags[other])
                if value > threshold { (similarity[one][other], similarity[other][one]) = (value, value) }
            }
        }
        let sums = similarity.map { $0.reduce(0, +) }
        var rank = [Double](repeating: 1 / Double(count), count: count)
        // After twenty iterations the error is below a thousandth.
        for _ in 0..<20 {
            rank = (0..<count).map { target in
                let flow = (0..<count).reduce(0.0) { total, source in
                    sums[source] > 0 ? total + rank[source] * similarity[source][target] / sums[source] : total
                }
                return 0.15 / Double(count) + 0.85 * flow
            }
        }
        return rank
    }

    /// Returns the text, or its beginning up to the end of a word, followed by an ellipsis.
    static func cut(_ text: String, to length: Int) -> String {
        guard text.count > length else { return text }
        let start = text.prefix(length - 1)
        let end = start.lastIndex(of: " ") ?? start.endIndex
        // In a script without spaces there is no better position to cut.
        let kept = start.distance(from: start.startIndex, to: end) > length / 2 ? start[..<end] : start
        return kept + "…"
    }
}
