import NoteStore

/// Checks whether the cited excerpts support a sentence.
enum SupportCheck {
    /// The share of its words that an excerpt has to contain to support a sentence; chosen by eye with small models.
    private static let share = 0.3
    /// The least length of a quotation that is checked, in characters; a shorter one is a name or a single word.
    private static let minimumQuotationLength = 12

    static func isDoubtful(_ sentence: String, _ excerpts: [Chunk]) -> Bool {
        let source = excerpts.map { $0.label + "\n" + $0.text }.joined(separator: "\n")
        let wanted = Set(stems(of: sentence))
        if wanted.count > 1 {
            let found = wanted.intersection(stems(of: source))
            if Double(found.count) < share * Double(wanted.count) { return true }
        }
        let plain = folded(source)
        return quotations(in: sentence).contains { !plain.contains(folded($0)) }
    }

    private static func stems(of text: String) -> [String] {
        IndexForm.terms(of: text).filter { !IndexForm.isStopWord($0) }.map(IndexForm.stem)
    }

    private static func folded(_ text: String) -> String { IndexForm.words(of: text).joined(separator: " ") }

    /// Returns the quotations in a sentence that are long enough to be checked.
    private static func quotations(in text: String) -> [String] {
        var (found, inside, tracker) = ([String](), "", QuotationTracker())
        for character in text {
            let wasOpen = tracker.isOpen
            tracker.read(character)
            if wasOpen, !tracker.isOpen, inside.count >= minimumQuotationLength { found.append(inside) }
            if wasOpen, tracker.isOpen, character != "„" { inside.append(character) } else { inside = "" }
        }
        return found
    }
}
