/// The rank of a command for the text typed into the palette; higher is better.
///
/// The palette matches words, so that `sort` does not offer every title that contains these letters somewhere. A typed
/// word counts if a word of the title, a synonym or a part of the command's name begins with it. Only a typed text
/// without such a match is matched letter by letter, and then each run of letters must begin at the start of a word.
struct PaletteRank {
    private let title: [Character]
    private let titleWords: [String]
    private let synonyms: [String]
    private let otherWords: [String]
    /// Whether the command only moves or deletes by a well-known key; other commands come first.
    private let isMotion: Bool
    /// Whether the command acts on what the hands are in, so that it comes before others that match as well.
    private let isAtHand: Bool

    init(title: String, name: String, synonyms: String, isMotion: Bool, isAtHand: Bool = false) {
        self.title = title.foldedCharacters
        titleWords = Self.words(of: title)
        self.synonyms = Self.words(of: synonyms)
        otherWords = self.synonyms + Self.words(of: name)
        self.isMotion = isMotion
        self.isAtHand = isAtHand
    }

    /// The rank for the words of a typed text; nil if the command does not match.
    ///
    /// Without words all available commands have the same rank.
    ///
    /// - Parameter isDisabled: whether the command is unavailable now, so that others come first; one that is typed by
    ///   its exact name keeps its rank, so that `:w` never runs another command.
    func score(of words: [String], isDisabled: Bool = false) -> Int? {
        let isCalledByName = words.count == 1 && synonyms.contains(words[0])
        return rank(of: words).map { $0 - (isDisabled && !isCalledByName ? Self.disabledPenalty : 0) }
    }

    private func rank(of words: [String]) -> Int? {
        guard !words.isEmpty else { return 0 }
        let pattern = words.joined().map(\.self)
        let match = FuzzyMatch(Array(pattern), in: title)
        guard let level = level(of: words, match: match) else { return nil }
        return level + (match?.score ?? 0) - (isMotion ? Self.motionPenalty : 0) + (isAtHand ? Self.handBonus : 0)
    }

    // The levels are so far apart that the score of a match, some tens of points, never lifts it to the next level.
    private static let levelStep = 1_000
    private static let motionPenalty = 1_500
    /// The bonus of a command at hand, which is more than the score of a match, and less than a level.
    private static let handBonus = 500
    /// The penalty of a command that is unavailable now.
    private static let disabledPenalty = 2_000

    private func level(of words: [String], match: FuzzyMatch?) -> Int? {
        // No penalty and no bonus puts another command before the one whose title is typed.
        if words == titleWords { return 9 * Self.levelStep }
        // A whole word is a better match than the beginning of one: `w` is vim's word for saving.
        if titleWords.first == words.first, Self.arePrefixes(words, ofWordsIn: titleWords) { return 6 * Self.levelStep }
        if words.count == 1, synonyms.contains(words[0]) { return 5 * Self.levelStep }
        if Self.arePrefixes(words, ofWordsIn: titleWords) {
            return words.first.map { titleWords.first?.hasPrefix($0) == true } == true
                ? 4 * Self.levelStep : 3 * Self.levelStep
        }
        if Self.arePrefixes(words, ofWordsIn: titleWords + otherWords) { return 2 * Self.levelStep }
        if let match, match.beginsAtWords(of: title) { return Self.levelStep }
        return nil
    }

    /// Whether each typed word is a prefix of one of `candidates`.
    private static func arePrefixes(_ words: [String], ofWordsIn candidates: [String]) -> Bool {
        words.allSatisfy { word in candidates.contains { $0.hasPrefix(word) } }
    }

    /// The words of a text, folded.
    static func words(of text: String) -> [String] {
        String(text.foldedCharacters).split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}

extension FuzzyMatch {
    /// Whether each run of adjacent matched characters begins at the start of a word.
    func beginsAtWords(of text: [Character]) -> Bool {
        zip(positions, [nil] + positions.map(Optional.some)).allSatisfy { position, previous in
            if let previous, previous + 1 == position { return true }
            return position == 0 || !(text[position - 1].isLetter || text[position - 1].isNumber)
        }
    }
}
