import NoteStore

/// The words by which writers announce a result.
///
/// News begins with the result, but minutes, letters and logs end with it, below a heading or after a word that
/// announces it (cue phrases, Edmundson 1969).
enum ResultWords {
    /// The stems that announce a result in a heading.
    private static let ofHeadings = stems(
        "decision decided agreed agreement conclusion summary result outcome tldr upshot gist takeaway",
        "fazit ergebnis ergebnisse beschluss beschlusse entscheidung entscheidungen zusammenfassung",
        "resume resultat decisiones resumen conclusiones")
    /// The stems that announce a result at the beginning of a sentence.
    private static let ofSentences = ofHeadings.union(
        stems("cause fix lesson reason solution so therefore finally important must need ask deadline"))
    /// The number of words that count as a sentence's beginning.
    private static let beginning = 3
    /// The number of characters that a sentence's beginning has at most.
    private static let maximumLength = 80

    static func announce(heading: String) -> Bool {
        IndexForm.words(of: heading).contains { ofHeadings.contains(IndexForm.stem($0)) }
    }

    static func begin(sentence: String) -> Bool {
        // The words at a sentence's beginning are short, or else they are none of these.
        IndexForm.words(of: String(sentence.prefix(maximumLength))).prefix(beginning)
            .contains { ofSentences.contains(IndexForm.stem($0)) }
    }

    private static func stems(_ lines: String...) -> Set<String> {
        Set(lines.flatMap { $0.split(separator: " ") }.map { IndexForm.stem(String($0)) })
    }
}
