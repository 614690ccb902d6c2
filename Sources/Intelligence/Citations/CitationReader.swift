import NoteStore

/// Turns citations such as [1] into links while an answer is being received.
///
/// Only numbers of excerpts that were sent are kept. A sentence gets a question mark if it shares too few words with
/// the excerpt that it cites, or if it quotes words that are not in the excerpt. The reader is a value that turns text
/// into text; it holds back no more than an open bracket and the blanks before it.
public struct CitationReader: Sendable {
    /// The form of a citation.
    public enum Form: Sendable {
        /// `[1](takenote://note/UUID)`, with the heading after `#` if there is one.
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
    /// Whether the bracket follows a word without a blank, as an index does in `list[7]`.
    private var isAfterWord = false
    /// Whether the reader is inside a URL that the model added to a citation.
    private var skipsAddress = false
    /// The code that the reader is inside of.
    private var code = CodeState()
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
            // Of the blanks around an omitted citation one is left.
            if !hasJustLeftOut || blanks.isEmpty { blanks.append(character) }
            code.read(character)
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
        last = character
        if !isRead { code.read(character) }
        let ends = ".!?。！？".contains(character) || character.isNewline
        guard ends, sentence.contains(where: { $0.isLetter || $0.isNumber }) else { return }
        (sentenceBefore, sentence, group) = (sentence, "", [])
    }

    private mutating func takeInBracket(_ character: Character, _ result: inout String) {
        if character == "]" || character == "】" {
            let inside = String(bracket.dropFirst())
            bracket = ""
            if let numbers = Self.numbers(inside), !isAfterWord || numbers.contains(where: isKnown) {
                return cite(numbers, &result)
            }
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
        for character in text { code.read(character) }
        if let last = text.last { follow(last, isRead: true) }
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

/// Follows a text to tell whether it is inside code: a fence, or a span between equal runs of backticks in a paragraph.
struct CodeState {
    /// The run of backticks or tildes at which the code ends, or `nil` outside of code.
    private var fence: (mark: Character, count: Int)?
    private var span: Int?
    private var run: (mark: Character, count: Int)?
    /// Whether only blanks precede the run on its line.
    private var isAtStart = true
    private var runIsAtStart = false

    /// Whether a character that follows is in code.
    func isInCode(before next: Character) -> Bool {
        var state = self
        if run?.mark != next { state.endRun() }
        return state.fence != nil || state.span != nil || state.run?.mark == "`"
    }

    mutating func read(_ character: Character) {
        if character == "`" || character == "~" {
            if let run, run.mark == character {
                self.run = (character, run.count + 1)
            } else {
                endRun()
                (run, runIsAtStart) = ((character, 1), isAtStart)
            }
            isAtStart = false
            return
        }
        endRun()
        if character.isNewline {
            // An empty line ends a paragraph, and with it a span that nothing has closed.
            if isAtStart { span = nil }
            isAtStart = true
        } else if !character.isWhitespace, character != ">" {
            isAtStart = false
        }
    }

    private mutating func endRun() {
        guard let run else { return }
        self.run = nil
        if let fence {
            if runIsAtStart, fence.mark == run.mark, run.count >= fence.count { self.fence = nil }
        } else if run.mark == "`", run.count == span {
            span = nil
        } else if runIsAtStart, run.count >= 3 {
            (fence, span) = (run, nil)
        } else if run.mark == "`", span == nil {
            span = run.count
        }
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
