/// The different words of a prepared text, with their stems.
enum SearchTerms {
    static func terms(of texts: [String]) -> [(term: String, stem: String)] {
        var seen: Set<Substring> = []
        for text in texts {
            for word in text.utf8.split(separator: 0x20) where word.count > 2 && word.count <= 32 {
                seen.insert(Substring(word))
            }
        }
        return seen.sorted().map { (String($0), Stemmer.stem(String($0))) }
    }
}

/// English suffixes taken off, for words that the index holds.
enum Stemmer {
    static func stem(_ word: String) -> String { word }
}
