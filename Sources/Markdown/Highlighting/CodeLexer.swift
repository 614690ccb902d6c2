import TextPrimitives

/// Colours the words, numbers, strings and comments of a line of code.
///
/// The state between lines is a number: 0 for nothing open, 1 for a block comment, 2 and up for the long strings.
struct CodeLexer {
    private let bytes: Bytes
    private let language: CodeLanguage
    private var position: Int
    private var state: UInt8

    /// A longer line, in bytes, is assumed to leave nothing open, because reading all of it would make typing in it
    /// slow.
    private static let maximumLineLength = 65_536

    /// The state after a line.
    static func state(after bytes: Bytes, from start: Int, _ language: UInt8, _ state: UInt8) -> UInt8 {
        guard bytes.count <= maximumLineLength, let language = CodeLanguage[language],
            language.blockComment != nil || !language.longStrings.isEmpty
        else {
            return 0
        }
        var lexer = CodeLexer(bytes, language, start, state)
        lexer.run { _, _, _ in }
        return lexer.state
    }

    /// Calls `paint` for each coloured piece, and for each piece between them.
    static func paint(
        _ bytes: Bytes, from start: Int, _ language: UInt8, _ state: UInt8, _ paint: (Int, Int, SpanKind) -> Void
    ) {
        guard let language = CodeLanguage[language] else { return paint(start, bytes.count, []) }
        if language.form == .diff { return paint(start, bytes.count, diffKind(bytes, start)) }
        var lexer = CodeLexer(bytes, language, start, state)
        var end = start
        lexer.run { from, to, kind in
            paint(end, from, [])
            paint(from, to, kind)
            end = to
        }
        paint(end, bytes.count, [])
    }

    private static func diffKind(_ bytes: Bytes, _ start: Int) -> SpanKind {
        guard start < bytes.count else { return [] }
        if bytes.has("+++", at: start) || bytes.has("---", at: start) || bytes.has("diff ", at: start) {
            return .codeKeyword
        }
        switch bytes[start] {
        case Byte.plus: return .codeAdded
        case Byte.hyphen: return .codeRemoved
        case Byte.at: return .codeType
        default: return []
        }
    }

    private init(_ bytes: Bytes, _ language: CodeLanguage, _ start: Int, _ state: UInt8) {
        self.bytes = bytes
        self.language = language
        self.state = state
        position = start
    }

    private mutating func run(_ paint: (Int, Int, SpanKind) -> Void) {
        if state != 0 { finishOpen(from: position, paint) }
        while position < bytes.count {
            let start = position
            if let kind = next() { paint(start, position, kind) }
        }
    }

    /// Reads to the end of the open comment or string.
    private mutating func finishOpen(from start: Int, _ paint: (Int, Int, SpanKind) -> Void) {
        let close = state == 1 ? language.blockComment?.close ?? "" : language.longStrings[Int(state) - 2]
        let kind: SpanKind = state == 1 ? .codeComment : .codeString
        if let end = find(close, from: position) {
            position = end
            state = 0
        } else {
            position = bytes.count
        }
        paint(start, position, kind)
    }

    /// The offset after the first `mark`.
    private func find(_ mark: StaticString, from start: Int) -> Int? {
        let first = mark.utf8Start.pointee
        var offset = start
        while let found = bytes.firstOffset(of: first, from: offset, to: bytes.count) {
            if bytes.has(mark, at: found) { return found + mark.utf8CodeUnitCount }
            offset = found + 1
        }
        return nil
    }

    /// Reads one piece and returns its kind; nil if it has no colour.
    private mutating func next() -> SpanKind? {
        let byte = bytes[position]
        if byte.isLetter || byte == Byte.underscore || byte >= 0x80 { return word() }
        if byte.isDigit { return number() }
        if byte == Byte.space || byte == Byte.tab {
            position += 1
            return nil
        }
        if let comment = comment() { return comment }
        if let string = string(byte) { return string }
        if language.form == .markup, byte == Byte.less { return tag() }
        position += 1
        return nil
    }

    private mutating func comment() -> SpanKind? {
        if let block = language.blockComment, bytes.has(block.open, at: position) {
            open(1, block.close, length: block.open.utf8CodeUnitCount)
            return .codeComment
        }
        for mark in language.lineComments where bytes.has(mark, at: position) {
            // In a shell, `$#` and `a#b` are not comments.
            if mark.utf8CodeUnitCount == 1, position > 0, !bytes[position - 1].isBlank,
                bytes[position - 1] != Byte.semicolon
            {
                continue
            }
            position = bytes.count
            return .codeComment
        }
        return nil
    }

    private mutating func open(_ number: UInt8, _ close: StaticString, length: Int) {
        if let end = find(close, from: position + length) {
            position = end
        } else {
            position = bytes.count
            state = number
        }
    }

    private mutating func string(_ byte: UInt8) -> SpanKind? {
        for (index, mark) in language.longStrings.enumerated() where bytes.has(mark, at: position) {
            open(UInt8(index + 2), mark, length: mark.utf8CodeUnitCount)
            return .codeString
        }
        guard language.quotes.contains(byte) else { return nil }
        let start = position
        position += 1
        while position < bytes.count, bytes[position] != byte {
            position += bytes[position] == Byte.backslash && position + 1 < bytes.count ? 2 : 1
        }
        guard position < bytes.count else {
            // An apostrophe without a partner is a lifetime, a label or plain text.
            position = byte == Byte.apostrophe ? start + 1 : bytes.count
            return byte == Byte.apostrophe ? nil : .codeString
        }
        position += 1
        return isKey() ? .codeName : .codeString
    }

    /// Whether the piece just read is a key: a colon or an equals sign follows it.
    private func isKey() -> Bool {
        guard language.form == .keyed else { return false }
        let next = LinkParts.skipBlanks(bytes, from: position, to: bytes.count)
        return next < bytes.count && (bytes[next] == Byte.colon || bytes[next] == Byte.equals)
    }

    private mutating func word() -> SpanKind? {
        let start = position
        while position < bytes.count, isInWord(bytes[position]) { position += 1 }
        if language.form == .markup { return nil }
        // No keyword is longer than 24 bytes.
        if position - start <= 24 {
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            if language.keywords.contains(language.ignoresCase ? text.lowercased() : text) { return .codeKeyword }
        }
        if isKey() { return .codeName }
        return language.hasCapitalTypes && bytes[start] &- 0x41 < 26 ? .codeType : nil
    }

    private func isInWord(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == Byte.underscore || byte >= 0x80 || language.form == .keyed && byte == Byte.hyphen
    }

    private mutating func number() -> SpanKind {
        while position < bytes.count,
            bytes[position].isAlphanumeric || bytes[position] == Byte.underscore
                || bytes[position] == Byte.dot && position + 1 < bytes.count && bytes[position + 1].isDigit
        {
            position += 1
        }
        return .codeNumber
    }

    private mutating func tag() -> SpanKind {
        position += 1
        if position < bytes.count, bytes[position] == Byte.slash || bytes[position] == Byte.bang { position += 1 }
        while position < bytes.count, isInWord(bytes[position]) || bytes[position] == Byte.colon { position += 1 }
        return .codeKeyword
    }
}
