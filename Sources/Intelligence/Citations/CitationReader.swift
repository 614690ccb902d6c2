import NoteStore

/// Turns citations such as [1] into links while an answer is being received.
///
/// Only numbers of excerpts that were sent are kept; the title of a note counts as the number of its first excerpt. A
/// sentence gets a question mark if it shares too few words with the excerpt that it cites, or if it quotes words that
/// are not in the excerpt. The reader is a value that turns text into text; it holds back no more than an open bracket
/// and the blanks before it.
public struct CitationReader: Sendable {
    /// The form of a citation.
    public enum Form: Sendable {
        /// `[1](takenote://note/UUID)`, with the heading after `#` if there is one.
        case link
        /// `[1]`, for a terminal, where a list of sources below has the addresses.
        case number
    }

    private(set) var excerpts: [Chunk]
    let form: Form
    /// The cited numbers, each once, in the order of their first citation.
    public private(set) var cited: [Int] = []
    /// The number of citations that named no excerpt.
    public private(set) var leftOut = 0
    /// The number of sentences that their citations do not support.
    public private(set) var doubted = 0

    private var sentence = ""
    private var sentenceBefore = ""
    /// The excerpts in the adjacent citations after the current sentence.
    private var group: [Int] = []
    private var groupIsOpen = false
    private var blanks = ""
    private var bracket = ""
    /// Whether the bracket follows a word without a blank, as an index does in `list[7]`.
    private var isAfterWord = false
    /// Whether the reader is inside a URL that the model added to a citation.
    private var skipsAddress = false
    /// The code that the reader is inside of.
    private var code = CodeTracker()
    private var quotation = QuotationTracker()
    /// The last character that was read outside of brackets.
    private var last: Character = "\n"
    /// Whether the last thing read was a citation that was left out.
    private var hasJustLeftOut = false

    /// The greatest length of a bracket that can be a citation.
    private static let maximumBracketLength = 40
    /// The most excerpts of a question; a larger number in brackets is probably a year.
    private static let maximumExcerpts = 99

    public init(_ excerpts: [Chunk], form: Form) {
        self.excerpts = excerpts
        self.form = form
    }

    /// Adds excerpts and returns the number of the first one.
    public mutating func add(_ more: [Chunk]) -> Int {
        defer { excerpts += more }
        return excerpts.count + 1
    }

    /// Reads the next piece of the answer, wherever it was divided.
    ///
    /// - Returns: what can be shown now; a bracket that has no end yet is held back.
    public mutating func read(_ text: String) -> String {
        var result = ""
        for character in text { take(character, &result) }
        return result
    }

    /// Returns the text that was held back, at the end of the answer.
    public mutating func end() -> String {
        var result = bracket.isEmpty ? "" : blanks + bracket
        (bracket, blanks, skipsAddress) = ("", "", false)
        closeGroup(&result)
        return result
    }

    private mutating func take(_ character: Character, _ result: inout String) {
        if skipsAddress {
            if character == ")" || character.isNewline { skipsAddress = false }
            return
        }
        if !bracket.isEmpty { return takeInBracket(character, &result) }
        if character == "(", groupIsOpen, blanks.isEmpty {
            skipsAddress = true
            return
        }
        let isInCode = code.isInCode(before: character)
        if character == "[" || character == "【", !isInCode {
            bracket = "["
            isAfterWord = blanks.isEmpty && !groupIsOpen && (last.isLetter || last.isNumber || "_)]".contains(last))
            return
        }
        if character == " ", !isInCode {
            if groupIsOpen { closeGroup(&result) }
            // One of the blanks around an omitted citation is left.
            if !hasJustLeftOut || blanks.isEmpty { blanks.append(character) }
            code.read(character)
            quotation.read(character)
            return
        }
        closeGroup(&result)
        // Otherwise the blank before the omitted citation would precede the full stop.
        if hasJustLeftOut, ".,;:!?)".contains(character) { blanks = "" }
        hasJustLeftOut = false
        result += blanks + String(character)
        sentence += blanks + String(character)
        blanks = ""
        follow(character)
    }

    /// - Parameter isRead: whether `code` has the character already.
    private mutating func follow(_ character: Character, isRead: Bool = false) {
        if !isRead { code.read(character) }
        let (before, wasQuoted) = (last, quotation.isOpen)
        last = character
        quotation.read(character)
        // A quotation is checked as a whole, so a sentence ends where the quotation ends that it is a part of.
        if quotation.isOpen { return }
        guard Self.isEnd(character) || wasQuoted && Self.isEnd(before),
            sentence.contains(where: { $0.isLetter || $0.isNumber })
        else { return }
        (sentenceBefore, sentence, group) = (sentence, "", [])
    }

    private static func isEnd(_ character: Character) -> Bool { ".!?。！？".contains(character) || character.isNewline }

    private mutating func takeInBracket(_ character: Character, _ result: inout String) {
        if character == "]" || character == "】" {
            let inside = String(bracket.dropFirst())
            bracket = ""
            let numbers = Self.numbers(inside) ?? numbers(titled: inside)
            if let numbers, !isAfterWord || numbers.contains(where: isKnown) {
                return cite(numbers, &result)
            }
            return giveBack("[" + inside + "]", &result)
        }
        bracket.append(character)
        if !mayBeCitation(bracket.dropFirst()) {
            let text = bracket
            bracket = ""
            giveBack(text, &result)
        }
    }

    private mutating func giveBack(_ text: String, _ result: inout String) {
        closeGroup(&result)
        result += blanks + text
        sentence += blanks + text
        blanks = ""
        for character in text { code.read(character) }
        for character in text.dropLast() { quotation.read(character) }
        if let last = text.last { follow(last, isRead: true) }
    }

    // MARK: - Citations

    /// Whether the text after an open bracket may become a citation.
    private func mayBeCitation(_ inside: Substring) -> Bool {
        if excerpts.contains(where: { $0.title.hasPrefix(inside) }) { return true }
        return inside.count < Self.maximumBracketLength
            && Self.withoutName(inside).allSatisfy { $0.isNumber || ",;-– ^".contains($0) }
    }

    /// The names that some models write before a number, as in `[excerpt 1]` and `[n: 1]`.
    private static let names = ["excerpts", "excerpt", "sources", "source", "note", "n"]

    /// Returns the text in a bracket without such a name; empty if it is the beginning of one.
    private static func withoutName(_ inside: Substring) -> Substring {
        let text = inside.lowercased()
        if names.contains(where: { $0.hasPrefix(text) }) { return "" }
        guard let name = names.first(where: text.hasPrefix) else { return inside }
        let rest = inside.dropFirst(name.count)
        let number = rest.drop { " :=#".contains($0) }
        return number.count < rest.count ? number : inside
    }

    /// The least length of a title that is taken for a citation, in characters; `[x]` is the box of a task.
    private static let minimumTitle = 3

    /// Returns the number of the first excerpt of a note, which some models cite by its title.
    ///
    /// The title does not tell several notes apart, so each of those that have it counts.
    private func numbers(titled title: String) -> [Int]? {
        guard title.count >= Self.minimumTitle else { return nil }
        var notes: Set<NoteID> = []
        let first = excerpts.indices.filter { index in
            excerpts[index].title == title && notes.insert(excerpts[index].note).inserted
        }
        return first.isEmpty ? nil : first.map { $0 + 1 }
    }

    /// Returns the numbers in a bracket, such as `1`, `1, 2`, `2-4`, `^1` or `note 1`, or `nil` for other text.
    private static func numbers(_ text: String) -> [Int]? {
        var numbers: [Int] = []
        for part in withoutName(text[...]).split(whereSeparator: { ",; ^".contains($0) }) {
            let ends = part.split(whereSeparator: { "-–".contains($0) }).map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count < 3, first <= last,
                last <= maximumExcerpts
            else { return nil }
            numbers += Array(first...last)
        }
        return numbers.isEmpty ? nil : numbers
    }

    private func isKnown(_ number: Int) -> Bool { excerpts.indices.contains(number - 1) }

    private mutating func cite(_ numbers: [Int], _ result: inout String) {
        let known = numbers.filter(isKnown)
        leftOut += numbers.count - known.count
        hasJustLeftOut = known.isEmpty
        guard !known.isEmpty else { return }
        result += blanks
        blanks = ""
        for number in known {
            result += form == .number ? "[\(number)]" : "[\(number)](\(excerpts[number - 1].headingURL))"
            if !cited.contains(number) { cited.append(number) }
        }
        group += known
        groupIsOpen = true
    }

    private mutating func closeGroup(_ result: inout String) {
        guard groupIsOpen else { return }
        groupIsOpen = false
        let isBlank = !sentence.contains { $0.isLetter || $0.isNumber }
        let said = isBlank ? sentenceBefore : sentence
        if SupportCheck.isDoubtful(said, group.map { excerpts[$0 - 1] }) {
            doubted += 1
            result += "?"
        }
    }

    /// The cited numbers by note, each note's in the order of their first citation.
    public var numbers: [NoteID: [Int]] { Dictionary(grouping: cited) { excerpts[$0 - 1].note } }

    /// The cited excerpts, one for each note, in the order of their first citation.
    public var sources: [Chunk] {
        var seen: Set<NoteID> = []
        return cited.map { excerpts[$0 - 1] }.filter { seen.insert($0.note).inserted }
    }
}
