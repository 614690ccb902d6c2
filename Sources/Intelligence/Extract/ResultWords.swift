import NoteStore

/// The words by which writers announce what came of it.
///
/// News begins with what matters; minutes, letters and logs end with it, below a heading or after a word that says so
/// (cue phrases, Edmundson 1969).
enum ResultWords {
    /// A heading with one of these stands above the result.
    private static let ofHeadings = stems(
        "decision decided agreed agreement conclusion summary result outcome tldr upshot gist takeaway",
        "fazit ergebnis ergebnisse beschluss beschlusse entscheidung entscheidungen zusammenfassung",
        "resume resultat decisiones resumen conclusiones")
    /// A sentence that begins with one of these tells it.
    private static let ofSentences = ofHeadings.union(
        stems("cause fix lesson reason solution so therefore finally important must need ask deadline"))
    /// How many words of a sentence are its beginning.
    private static let beginning = 3

    static func announce(heading: String) -> Bool {
        IndexForm.words(of: heading).contains { ofHeadings.contains(IndexForm.stem($0)) }
    }

    static func begin(sentence: String) -> Bool {
        IndexForm.words(of: sentence).prefix(beginning).contains { ofSentences.contains(IndexForm.stem($0)) }
    }

    private static func stems(_ lines: String...) -> Set<String> {
        Set(lines.flatMap { $0.split(separator: " ") }.map { IndexForm.stem(String($0)) })
    }
}
