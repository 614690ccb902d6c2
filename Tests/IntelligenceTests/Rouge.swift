import NoteStore

/// The share of a reference that a summary covers, as F1 over stems (ROUGE, Lin 2004).
enum Rouge {
    /// ROUGE-1: single words.
    static func one(_ summary: String, reference: String) -> Double { runs(of: 1, summary, reference) }

    /// ROUGE-2: pairs of adjacent words.
    static func two(_ summary: String, reference: String) -> Double { runs(of: 2, summary, reference) }

    /// ROUGE-L: the longest common subsequence of words.
    static func longest(_ summary: String, reference: String) -> Double {
        let (ours, theirs) = (stems(of: summary), stems(of: reference))
        var lengths = [Int](repeating: 0, count: theirs.count + 1)
        for word in ours {
            var diagonal = 0
            for index in theirs.indices {
                let above = lengths[index + 1]
                lengths[index + 1] = word == theirs[index] ? diagonal + 1 : max(above, lengths[index])
                diagonal = above
            }
        }
        return f1(common: lengths[theirs.count], ours.count, theirs.count)
    }

    private static func runs(of size: Int, _ summary: String, _ reference: String) -> Double {
        let (ours, theirs) = (counts(of: size, in: summary), counts(of: size, in: reference))
        let common = ours.reduce(0) { $0 + min($1.value, theirs[$1.key] ?? 0) }
        return f1(common: common, ours.values.reduce(0, +), theirs.values.reduce(0, +))
    }

    private static func f1(common: Int, _ ours: Int, _ theirs: Int) -> Double {
        common > 0 ? 2 * Double(common) / Double(ours + theirs) : 0
    }

    private static func stems(of text: String) -> [String] { IndexForm.words(of: text).map(IndexForm.stem) }

    private static func counts(of size: Int, in text: String) -> [[String]: Int] {
        let words = stems(of: text)
        guard words.count >= size else { return [:] }
        return (0...(words.count - size)).reduce(into: [:]) { $0[Array(words[$1..<($1 + size)]), default: 0] += 1 }
    }
}
