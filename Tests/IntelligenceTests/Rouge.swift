import NoteStore

/// How much of a reference's pairs of words a summary has (ROUGE-2, Lin 2004), as F1 over stems.
enum Rouge {
    static func two(_ summary: String, reference: String) -> Double {
        let (ours, theirs) = (pairs(of: summary), pairs(of: reference))
        let common = ours.reduce(0) { $0 + min($1.value, theirs[$1.key] ?? 0) }
        guard common > 0 else { return 0 }
        let precision = Double(common) / Double(ours.values.reduce(0, +))
        let recall = Double(common) / Double(theirs.values.reduce(0, +))
        return 2 * precision * recall / (precision + recall)
    }

    private static func pairs(of text: String) -> [String: Int] {
        let words = IndexForm.words(of: text).map(IndexForm.stem)
        return zip(words, words.dropFirst()).reduce(into: [:]) { $0["\($1.0) \($1.1)", default: 0] += 1 }
    }
}
