import Synchronization
import TextPrimitives

/// A row of the table of programming languages, with the properties that keyword colouring needs.
struct CodeRow: Sendable {
    /// The names in info strings, separated by spaces.
    var names: String
    var keywords = ""
    var lineComments: [StaticString] = []
    /// Whether the mark of a line comment, if it is one character, must follow a space: in a shell, `$#` and `a#b` are
    /// no comments.
    var commentsNeedSpace = true
    var blockComment: BlockComment?
    /// The first words of the lines that open and close a comment of whole lines, such as Perl's `=pod` and `=cut`.
    var commentLines: (open: StaticString, close: StaticString)?
    /// The strings; if the mark of one begins with that of another, the longer one comes first.
    var strings: [CodeString] = [.quote]
    var rawStrings: RawString?
    var hereDocuments: HereDocument?
    /// The words that may precede a string without a space, separated by spaces.
    var stringPrefixes = ""
    /// Whether `/…/` is a regular expression where a value may begin.
    var hasPatterns = false
    /// Whether `'x'` is a character, and any other apostrophe plain text.
    var hasCharacters = false
    var ignoresCase = false
    /// Whether names that start with a capital letter are types.
    var hasCapitalTypes = false
    /// The bytes that names may contain besides letters, digits and `_`.
    var nameBytes = ASCIISet("")
    /// The bytes that begin the name of a variable, `$name`, and the byte that begins a command, `\name`.
    var variableMarks = ASCIISet("")
    var commandMark: UInt8?
    /// The mark after which the rest of a line is a string.
    var lineString: StaticString?
    /// The syntax of its lines.
    var form = Form.code

    enum Form: Sendable {
        case code, diff, markup
        /// A name before `:` or `=` is a key.
        case keyed
        /// A name before such a sign is a key at the start of a line only.
        case assigned
    }

    struct BlockComment: Sendable {
        let open: StaticString
        let close: StaticString
        var nests = false

        static let slashStar = BlockComment(open: "/*", close: "*/")
        static let nestedSlashStar = BlockComment(open: "/*", close: "*/", nests: true)
    }

    /// The raw strings of a language, in which each string chooses its own end mark.
    enum RawString: Sendable {
        /// `r#"…"#`, `##"…"##`, `R"x(…)x"`, `[=[…]=]`, `r"--(…)--"`.
        case rust, swift, cpp, lua, r
    }

    /// The syntax that announces a here-document.
    enum HereDocument: Sendable {
        /// `<<END` and `<<-END`; `<<END` and `<<~END`, with capital letters or quotes; `<<<END`.
        case shell, ruby, php
    }
}

/// A kind of string, by its delimiters.
struct CodeString: Sendable {
    var open: StaticString
    var close: StaticString
    var escape = Escape.backslash
    /// Whether it may continue over several lines.
    var spansLines = false
    /// Whether the opening mark is plain text without a closing one in the same line, as an apostrophe may be.
    var needsClose = false

    /// With `nix`, the two apostrophes that would close the string are escaped by a third one, `$` or a backslash after
    /// them.
    enum Escape: Sendable { case none, backslash, nix }

    static let quote = CodeString(open: "\"", close: "\"")
    static let apostrophe = CodeString(open: "'", close: "'", needsClose: true)
    static let longQuote = CodeString(open: "\"", close: "\"", spansLines: true)
    static let longApostrophe = CodeString(open: "'", close: "'", spansLines: true)
    /// Text between apostrophes in which a backslash has no special meaning.
    static let literal = CodeString(open: "'", close: "'", escape: .none, spansLines: true)

    /// A string that may continue over several lines.
    static func long(_ mark: StaticString, _ escape: Escape = .backslash) -> CodeString {
        CodeString(open: mark, close: mark, escape: escape, spansLines: true)
    }
}

/// A language of the table, with its words prepared for lookup.
final class CodeLanguage: Sendable {
    let row: CodeRow
    let keywords: Set<String>
    let stringPrefixes: Set<String>
    /// Whether a line can leave a string, comment or here-document open for the next one.
    let spansLines: Bool

    private init(_ row: CodeRow) {
        self.row = row
        keywords = Self.words(row.keywords)
        stringPrefixes = Self.words(row.stringPrefixes)
        spansLines =
            row.blockComment != nil || row.commentLines != nil || row.rawStrings != nil || row.hereDocuments != nil
            || row.strings.contains(where: \.spansLines)
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The language with the given number; nil for 0.
    ///
    /// Each is created on first use, because most notes have code in one language or none.
    static subscript(number: UInt8) -> CodeLanguage? {
        guard number > 0, Int(number) <= rows.count else { return nil }
        return made.withLock { made in
            if let known = made[number] { return known }
            let language = CodeLanguage(rows[Int(number) - 1])
            made[number] = language
            return language
        }
    }

    private static let made = Mutex<[UInt8: CodeLanguage]>([:])

    /// The number of the language named by the first word of an info string; 0 if it is unknown.
    static func number(ofInfo bytes: Bytes, from start: Int, to end: Int) -> UInt8 {
        var nameEnd = start
        while nameEnd < end, !bytes[nameEnd].isSpace, bytes[nameEnd] != 0x7B, bytes[nameEnd] != 0x2C { nameEnd += 1 }
        let name = String(decoding: bytes[start..<nameEnd], as: UTF8.self).lowercased()
        return numbers[name] ?? 0
    }

    /// The first name of the language with the given number; nil for 0.
    static func name(of number: UInt8) -> String? {
        number > 0 ? rows[Int(number) - 1].names.split(separator: " ").first.map(String.init) : nil
    }

    private static let numbers: [String: UInt8] = {
        var numbers: [String: UInt8] = [:]
        for (index, row) in rows.enumerated() {
            for name in row.names.split(separator: " ") { numbers[String(name)] = UInt8(index + 1) }
        }
        return numbers
    }()
}
