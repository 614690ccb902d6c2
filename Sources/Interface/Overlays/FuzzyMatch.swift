import Foundation

/// The match of a typed pattern in a text that contains all its characters in order, with its score.
///
/// The score is better the closer together the characters are, and the nearer they are to the starts of words.
struct FuzzyMatch: Equatable, Sendable {
    /// Higher is better; comparable only between matches of one pattern.
    let score: Int
    /// The indices of the matched characters of the text, ascending.
    let positions: [Int]

    // These values were found by trial: a word's start outweighs a gap, and adjacent characters outweigh both.
    private static let neighbourBonus = 8
    private static let wordStartBonus = 6
    private static let gapPenalty = 1
    private static let maximumGapPenalty = 5

    /// Matches `pattern` against `text`, both folded by the caller; nil if a character is missing.
    ///
    /// An empty pattern matches every text with the same score. O(length of text).
    init?(_ pattern: [Character], in text: [Character]) {
        guard !pattern.isEmpty else {
            self.init(score: 0, positions: [])
            return
        }
        guard let end = Self.endOfFirstMatch(of: pattern, in: text) else { return nil }
        // Walking back from the end of the first match finds the tightest match that ends there.
        var positions: [Int] = []
        var next = pattern.count - 1
        for index in stride(from: end, through: 0, by: -1) where next >= 0 && text[index] == pattern[next] {
            positions.append(index)
            next -= 1
        }
        positions.reverse()
        self.init(score: Self.score(of: positions, in: text), positions: positions)
    }

    private init(score: Int, positions: [Int]) {
        self.score = score
        self.positions = positions
    }

    private static func endOfFirstMatch(of pattern: [Character], in text: [Character]) -> Int? {
        var next = 0
        for (index, character) in text.enumerated() where character == pattern[next] {
            next += 1
            if next == pattern.count { return index }
        }
        return nil
    }

    private static func score(of positions: [Int], in text: [Character]) -> Int {
        var score = -text.count / 8
        var previous: Int?
        for position in positions {
            let isWordStart = position == 0 || !(text[position - 1].isLetter || text[position - 1].isNumber)
            if isWordStart { score += wordStartBonus }
            if let previous {
                let gap = position - previous - 1
                score += gap == 0 ? neighbourBonus : -min(gap * gapPenalty, maximumGapPenalty)
            } else {
                score -= min(position, maximumGapPenalty)
            }
            previous = position
        }
        return score
    }
}

extension String {
    /// The characters without case and accents, one for each character of the string.
    var foldedCharacters: [Character] {
        map { character in
            if character.isASCII { return Character(character.lowercased()) }
            let folded = String(character).folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil)
            return folded.first ?? character
        }
    }
}
