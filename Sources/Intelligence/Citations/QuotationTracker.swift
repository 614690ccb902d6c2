/// Follows a text to tell whether it is inside a quotation, which ends at its line's end at the latest.
struct QuotationTracker {
    private(set) var isOpen = false
    private var last: Character = " "

    mutating func read(_ character: Character) {
        defer { last = character }
        switch character {
        // A low mark always begins a quotation. What the others do depends on the language.
        case "„": isOpen = true
        case "“", "”", "«", "»": isOpen.toggle()
        // After a letter or a number it is the sign for inches, or the end of something unseen.
        case "\"": isOpen = !isOpen && !last.isLetter && !last.isNumber
        case _ where character.isNewline: isOpen = false
        default: break
        }
    }
}
