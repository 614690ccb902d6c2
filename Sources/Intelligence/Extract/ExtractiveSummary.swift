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
        let announcing = Set(Set(sentences.map(\.heading)).filter(ResultWords.announce))
        let rank = zip(centrality(bags), sentences).map {
            $0 * weight(of: $1, isAnnounced: announcing.contains($1.heading))
        }
        let chosen = choose(sentences.map(\.text), bags, rank, length)
        return chosen.sorted { $0.index < $1.index }.map(\.text).joined(separator: " ")
    }

    private static func weight(of sentence: Sentences.Placed, isAnnounced: Bool) -> Double {
        var weight = 1 / (1 + indexLoss * Double(sentence.index) + paragraphLoss * Double(sentence.paragraph))
        // A sentence of three words says little, however central its words are.
        let words = sentence.text.utf8.split(separator: UInt8(ascii: " ")).count
        if sentence.text.hasSuffix(":") { weight *= 0.3 } else if words < 4 { weight *= 0.4 }
        if words < 6 { weight *= 0.6 }
        if isAnnounced { weight *= headingFactor }
        if ResultWords.begin(sentence: sentence.text) { weight *= beginningFactor }
        return weight
    }

    /// Returns the sentences of the summary in the order of their choice, the last one cut to the space that is left.
    private static func choose(
        _ sentences: [String], _ bags: [Bag], _ rank: [Double], _ length: Int
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

    /// A sentence as a unit vector: the weights of its words, in the order of the words' numbers.
    private typealias Bag = [(word: Int, weight: Double)]

    /// Returns a unit vector for each sentence, with words weighted by their rarity among the sentences.
    private static func vectors(of sentences: [String]) -> [Bag] {
        var numbers: [String: Int] = [:]
        let bags = sentences.map { sentence in
            var bag: Bag = []
            for number in numbersOfWords(sentence, &numbers) {
                if bag.last?.word == number { bag[bag.count - 1].weight += 1 } else { bag.append((number, 1)) }
            }
            return bag
        }
        var spread = [Double](repeating: 0, count: numbers.count)
        for bag in bags { for (word, _) in bag { spread[word] += 1 } }
        return bags.map { bag in
            let weighted = bag.map { ($0.word, $0.weight * log(1 + Double(sentences.count) / spread[$0.word])) }
            let norm = weighted.reduce(0) { $0 + $1.1 * $1.1 }.squareRoot()
            return norm > 0 ? weighted.map { ($0.0, $0.1 / norm) } : []
        }
    }

    /// Returns the numbers of a sentence's words, sorted; words with one stem have one number.
    private static func numbersOfWords(_ sentence: String, _ numbers: inout [String: Int]) -> [Int] {
        var found: [Int] = []
        for term in IndexForm.terms(of: sentence) where !IndexForm.isStopWord(term) {
            let stem = IndexForm.stem(term)
            let number = numbers[stem] ?? numbers.count
            numbers[stem] = number
            found.append(number)
        }
        return found.sorted()
    }

    private static func similarity(_ one: Bag, _ other: Bag) -> Double {
        var (first, second, sum) = (0, 0, 0.0)
        while first < one.count, second < other.count {
            let (left, right) = (one[first], other[second])
            if left.word == right.word { sum += left.weight * right.weight }
            if left.word <= right.word { first += 1 }
            if right.word <= left.word { second += 1 }
        }
        return sum
    }

    /// Returns the stationary distribution of a random walk between similar sentences.
    private static func centrality(_ bags: [Bag]) -> [Double] {
        let count = bags.count
        // Row after row.
        var similarity = [Double](repeating: 0, count: count * count)
        for one in 0..<count {
            for other in one..<count {
                let value = one == other ? (bags[one].isEmpty ? 0 : 1) : Self.similarity(bags[one], bags[other])
                if value > threshold {
                    (similarity[one * count + other], similarity[other * count + one]) = (value, value)
                }
            }
        }
        let sums = (0..<count).map { similarity[($0 * count)..<(($0 + 1) * count)].reduce(0, +) }
        var rank = [Double](repeating: 1 / Double(count), count: count)
        // After twenty iterations the error is below a thousandth.
        for _ in 0..<20 {
            var flow = [Double](repeating: 0, count: count)
            for source in 0..<count where sums[source] > 0 {
                let share = rank[source] / sums[source]
                for target in 0..<count { flow[target] += share * similarity[source * count + target] }
            }
            rank = flow.map { 0.15 / Double(count) + 0.85 * $0 }
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
