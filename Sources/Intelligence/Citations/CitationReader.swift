import NoteStore

/// Turns citations such as [1] into links while an answer is being received.
///
/// Only numbers of excerpts that were sent are kept. A sentence gets a question mark if it shares too few words with
/// the excerpt that it cites, or if it quotes words that are not in the excerpt. The reader is a value that turns text
/// into text; it holds back no more than an open bracket and the blanks before it.
public struct CitationReader: Sendable {
    /// The form of a citation.
    public enum Form: Sendable {
        /// `[1](takenote://note/UUID)`.
        case link
        /// `[1]`, for a terminal, where a list of sources below has the addresses.
        case number
    }

    public private(set) var excerpts: [Chunk]
    private let form: Form
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
    /// Whether the reader is inside a URL that the model added to a citation.
    private var skipsAddress = false
    private var isInCode = false
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
        if character == "[" || character == "【", !isInCode {
            bracket = "["
            return
        }
        if character == " ", !isInCode {
            if groupIsOpen { closeGroup(&result) }
            blanks.append(character)
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

    private mutating func follow(_ character: Character) {
        if character == "`" { isInCode.toggle() }
        let ends = ".!?。！？".contains(character) || character.isNewline
        guard ends, sentence.contains(where: { $0.isLetter || $0.isNumber }) else {
            if character.isNewline { isInCode = false }
            return
        }
        if character.isNewline { isInCode = false }
        (sentenceBefore, sentence, group) = (sentence, "", [])
    }

    private mutating func takeInBracket(_ character: Character, _ result: inout String) {
        if character == "]" || character == "】" {
            let inside = String(bracket.dropFirst())
            bracket = ""
            if let numbers = Self.numbers(inside) { return cite(numbers, &result) }
            return giveBack("[" + inside + "]", &result)
        }
        bracket.append(character)
        let isPossible = character.isNumber || ",;-– ^".contains(character)
        if !isPossible || bracket.count > Self.maximumBracketLength {
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
        if let last = text.last { follow(last) }
    }

    // MARK: - Citations

    /// Returns the numbers in a bracket, such as `1`, `1, 2`, `2-4` or `^1`, or `nil` if it is not a citation.
    private static func numbers(_ text: String) -> [Int]? {
        var numbers: [Int] = []
        for part in text.split(whereSeparator: { ",; ^".contains($0) }) {
            let ends = part.split(whereSeparator: { "-–".contains($0) }).map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count < 3, first <= last,
                last <= maximumExcerpts
            else { return nil }
            numbers += Array(first...last)
        }
        return numbers.isEmpty ? nil : numbers
    }

    private mutating func cite(_ numbers: [Int], _ result: inout String) {
        let known = numbers.filter { excerpts.indices.contains($0 - 1) }
        leftOut += numbers.count - known.count
        hasJustLeftOut = known.isEmpty
        guard !known.isEmpty else { return }
        result += blanks
        blanks = ""
        for number in known {
            result += form == .number ? "[\(number)]" : "[\(number)](\(excerpts[number - 1].url))"
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

    /// The cited excerpts, one for each note, in the order of their first citation.
    public var sources: [Chunk] {
        var seen: Set<NoteID> = []
        return cited.map { excerpts[$0 - 1] }.filter { seen.insert($0.note).inserted }
    }
}

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

    private static func quotations(in text: String) -> [String] {
        var found: [String] = []
        var open: String?
        for character in text {
            if "\"“”„«»".contains(character) {
                if let inside = open, inside.count >= minimumQuotationLength, character != "„",
                    character != "“" || inside.first != nil
                {
                    found.append(inside)
                    open = nil
                } else {
                    open = ""
                }
            } else {
                open?.append(character)
            }
        }
        return found
    }
}
