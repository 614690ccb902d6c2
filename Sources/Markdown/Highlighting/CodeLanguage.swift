import TextPrimitives

/// What the keyword colouring has to know of a programming language.
struct CodeLanguage: Sendable {
    var keywords: Set<String> = []
    var lineComments: [StaticString] = []
    var blockComment: (open: StaticString, close: StaticString)?
    /// Bytes that open and close a string on one line.
    var quotes: [UInt8] = [Byte.quote]
    /// Strings that may go on over several lines, by their opening and closing mark.
    var longStrings: [StaticString] = []
    var ignoresCase = false
    /// Whether names that start with a capital are types.
    var hasCapitalTypes = false
    /// How a line is read where it is not words and strings.
    var form = Form.code

    enum Form: Sendable { case code, diff, markup, keyed }

    /// The number of the language that the first word of an info string names; 0 for one that is not known.
    static func number(ofInfo bytes: Bytes, from start: Int, to end: Int) -> UInt8 {
        var nameEnd = start
        while nameEnd < end, !bytes[nameEnd].isSpace, bytes[nameEnd] != 0x7B, bytes[nameEnd] != 0x2C { nameEnd += 1 }
        let name = String(decoding: bytes[start..<nameEnd], as: UTF8.self).lowercased()
        return numbers[name] ?? 0
    }

    /// A name of the language with a number; nil for 0.
    static func name(of number: UInt8) -> String? { number > 0 ? names[Int(number) - 1].first : nil }

    private static let numbers: [String: UInt8] = {
        var numbers: [String: UInt8] = [:]
        for (index, names) in names.enumerated() {
            for name in names { numbers[name] = UInt8(index + 1) }
        }
        return numbers
    }()

    static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }
}
