import Foundation
import NoteStore

/// A summary made of a text's own sentences, without any model.
///
/// Sentences that are like many others are central (LexRank, Erkan and Radev 2004); those that begin a paragraph, and
/// paragraphs that begin the text, count more, as writers begin with what matters; so do those that announce a result
/// (`ResultWords`). Of two that say the same only one is taken (MMR, Carbonell and Goldstein 1998). The constants are
/// chosen by notes written for it and kept apart from those that judge it.
public enum ExtractiveSummary {
    /// What lists show, in characters.
    public static let usualLength = 160

    /// How many sentences are compared, from the beginning and from the end; their pairs cost.
    private static let (mostFirst, mostLast) = (80, 40)
    /// Below this likeness two sentences have nothing to do with each other: LexRank's threshold.
    private static let threshold = 0.1
    /// How much a sentence loses with each before it in its paragraph, and with each paragraph before it.
    private static let (placeLoss, paragraphLoss) = (0.4, 0.1)
    /// What being unlike the chosen ones counts against being central.
    private static let novelty = 0.3
    /// What standing below a heading that announces a result counts, and beginning with a word that does.
    private static let (headingFactor, beginningFactor) = (3.0, 2.0)
    /// Less room than this, in characters, is left free.
    private static let leastRoom = 20

    /// - Returns: at most `length` characters in one line; empty where the text has no sentence.
    public static func of(_ text: String, title: String = "", length: Int = usualLength) -> String {
        let all = Sentences.placed(inMarkdown: text, title: title)
        let sentences =
            all.count <= mostFirst + mostLast ? all : Array(all.prefix(mostFirst) + all.suffix(mostLast))
        guard !sentences.isEmpty else { return "" }
        let bags = vectors(of: sentences.map(\.text))
        let rank = zip(centrality(bags), sentences).map { $0 * weight(of: $1) }
        let chosen = choose(sentences.map(\.text), bags, rank, length)
        return chosen.sorted { $0.index < $1.index }.map(\.text).joined(separator: " ")
    }

    private static func weight(of sentence: Sentences.Placed) -> Double {
        var weight = 1 / (1 + placeLoss * Double(sentence.place) + paragraphLoss * Double(sentence.paragraph))
        // A sentence of three words says little, however central they are.
        let words = sentence.text.split(separator: " ").count
        if sentence.text.hasSuffix(":") { weight *= 0.3 } else if words < 4 { weight *= 0.4 }
        if words < 6 { weight *= 0.6 }
        if ResultWords.announce(heading: sentence.heading) { weight *= headingFactor }
        if ResultWords.begin(sentence: sentence.text) { weight *= beginningFactor }
        return weight
    }

    /// The sentences that make the summary, in the order of their choice; the last one is cut to the room that is left.
    private static func choose(
        _ sentences: [String], _ bags: [[String: Double]], _ rank: [Double], _ length: Int
    ) -> [(index: Int, text: String)] {
        var chosen: [(index: Int, text: String)] = []
        var free = Set(sentences.indices)
        var left = length
        let most = rank.max() ?? 1
        while !free.isEmpty, chosen.isEmpty || left >= leastRoom {
            var best: (index: Int, score: Double)?
            for index in free.sorted() {
                let repeated = chosen.map { likeness(bags[index], bags[$0.index]) }.max() ?? 0
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
