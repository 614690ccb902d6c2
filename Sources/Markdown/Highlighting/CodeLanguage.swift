import TextPrimitives

/// The properties of a programming language that the keyword colouring uses.
struct CodeLanguage: Sendable {
    var keywords: Set<String> = []
    var lineComments: [StaticString] = []
    var blockComment: (open: StaticString, close: StaticString)?
    /// The bytes that open and close a string within one line.
    var quotes: [UInt8] = [Byte.quote]
    /// The delimiters of strings that may span lines; each opens and closes its string.
    var longStrings: [StaticString] = []
    var ignoresCase = false
    /// Whether names that start with a capital letter are types.
    var hasCapitalTypes = false
    /// The syntax of its lines.
    var form = Form.code

    enum Form: Sendable { case code, diff, markup, keyed }

    /// The number of the language named by the first word of an info string; 0 if it is unknown.
    static func number(ofInfo bytes: Bytes, from start: Int, to end: Int) -> UInt8 {
        var nameEnd = start
        while nameEnd < end, !bytes[nameEnd].isSpace, bytes[nameEnd] != 0x7B, bytes[nameEnd] != 0x2C { nameEnd += 1 }
        let name = String(decoding: bytes[start..<nameEnd], as: UTF8.self).lowercased()
        return numbers[name] ?? 0
    }

    /// The first name of the language with the given number; nil for 0.
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
