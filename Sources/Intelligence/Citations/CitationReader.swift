import NoteStore

/// Turns the [n] of an answer into links while it comes.
///
/// Only numbers of excerpts that were sent survive. A sentence that shares too little with the excerpt that it cites,
/// or a quotation that does not stand in it, gets a question mark. It is a value: text in, text out; it holds back no
/// more than a bracket and the blanks before it.
public struct CitationReader: Sendable {
    /// How a citation is written.
    public enum Form: Sendable {
        /// `[1](takenote://note/UUID)`.
        case link
        /// `[1]`, for a terminal, where the sources below have the addresses.
        case number
    }

    public private(set) var excerpts: [Chunk]
    private let form: Form
    /// The numbers cited, each once, in order.
    public private(set) var cited: [Int] = []
    /// How many citations named nothing that was sent.
    public private(set) var leftOut = 0
    /// How many cited sentences are doubtful.
    public private(set) var doubted = 0

    private var sentence = ""
    private var sentenceBefore = ""
    /// The excerpts cited behind the present sentence without anything between.
    private var group: [Int] = []
    private var groupIsOpen = false
    private var blanks = ""
    private var bracket = ""
    /// Within the address that the model gave a citation of its own.
    private var skipsAddress = false
    private var isInCode = false
    /// Whether a citation was left out and nothing has come since.
    private var hasJustLeftOut = false

    /// The longest bracket that can be a citation.
    private static let longestBracket = 40
    /// No question sends more excerpts; a larger number is a year.
    private static let mostExcerpts = 99

    public init(_ excerpts: [Chunk], form: Form) {
        self.excerpts = excerpts
        self.form = form
    }

    /// Makes further excerpts known, and returns the number of the first.
    public mutating func add(_ more: [Chunk]) -> Int {
        defer { excerpts += more }
        return excerpts.count + 1
    }

    public mutating func read(_ text: String) -> String {
        var result = ""
        for character in text { take(character, &result) }
        return result
    }

    /// What is left at the end.
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
        // The blank before what was left out would stand before a full stop.
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
        if !isPossible || bracket.count > Self.longestBracket {
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

    /// The numbers in a bracket: `1`, `1, 2`, `2-4`, `^1`; nil if it is no citation.
    private static func numbers(_ text: String) -> [Int]? {
        var numbers: [Int] = []
        for part in text.split(whereSeparator: { ",; ^".contains($0) }) {
            let ends = part.split(whereSeparator: { "-–".contains($0) }).map { Int($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count < 3, first <= last,
                last <= mostExcerpts
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

    /// The excerpts cited, one for each note, in order.
    public var sources: [Chunk] {
        var seen: Set<NoteID> = []
        return cited.map { excerpts[$0 - 1] }.filter { seen.insert($0.note).inserted }
    }
}

/// Compares a sentence with what it cites.
enum SupportCheck {
    /// A sentence whose words are found to less than this part is doubtful; chosen by eye on small models.
    private static let share = 0.3
    /// A quotation of fewer characters is a name or a word.
    private static let shortestQuotation = 12

    static func isDoubtful(_ sentence: String, _ excerpts: [Chunk]) -> Bool {
        let source = excerpts.map { $0.place + "\n" + $0.text }.joined(separator: "\n")
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
                if let inside = open, inside.count >= shortestQuotation, character != "„",
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
