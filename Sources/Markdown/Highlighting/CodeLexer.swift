import TextPrimitives

/// Colours the words, numbers, strings and comments of a line of code.
struct CodeLexer {
    let bytes: Bytes
    let language: CodeLanguage
    let start: Int
    var position: Int
    /// The state left open by the lines before; while the line is read, the state at the position.
    var state: CodeState
    /// The here-documents announced in the line, which begin with the next line.
    var announced: [CodeEnd] = []

    var row: CodeRow { language.row }

    /// The most bytes of a line that is read for its state; a longer one is assumed to leave nothing open, because
    /// reading all of it would make typing in it slow.
    private static let maximumLineLength = 65_536

    /// The state after a line.
    static func state(after bytes: Bytes, from start: Int, _ language: UInt8, _ state: CodeState) -> CodeState {
        guard bytes.count <= maximumLineLength, let language = CodeLanguage[language], language.spansLines else {
            return .nothing
        }
        var lexer = CodeLexer(bytes, language, start, state)
        lexer.run { _, _, _ in }
        return lexer.state
    }

    /// Calls `paint` for each coloured piece, and without a colour for each piece between them.
    static func paint(
        _ bytes: Bytes, from start: Int, _ language: UInt8, _ state: CodeState, _ paint: (Int, Int, SpanKind) -> Void
    ) {
        guard let language = CodeLanguage[language] else { return paint(start, bytes.count, []) }
        if language.row.form == .diff { return paint(start, bytes.count, diffKind(bytes, start)) }
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

    private init(_ bytes: Bytes, _ language: CodeLanguage, _ start: Int, _ state: CodeState) {
        self.bytes = bytes
        self.language = language
        self.state = state
        self.start = start
        position = start
    }

    private mutating func run(_ paint: (Int, Int, SpanKind) -> Void) {
        if state.kind != .nothing {
            let kind = finishOpen()
            paint(start, position, kind)
        } else if let marks = row.commentLines, begins(marks.open) {
            position = bytes.count
            if !begins(marks.close) { state.kind = .lines }
            return paint(start, position, .codeComment)
        }
        while position < bytes.count {
            let start = position
            if let kind = next() { paint(start, position, kind) }
        }
        if let first = announced.first {
            state = CodeState(kind: .hereDocument, end: first)
            if announced.count > 1 { state.next = announced[1] }
        }
    }

    /// Reads to the end of what the lines before have left open, or to the end of the line.
    private mutating func finishOpen() -> SpanKind {
        switch state.kind {
        case .nothing: return []
        case .comment:
            finishComment()
            return .codeComment
        case .string:
            finishString(row.strings[Int(state.count)])
            return .codeString
        case .raw, .rawComment:
            let kind: SpanKind = state.kind == .raw ? .codeString : .codeComment
            guard let end = offset(after: state.end, from: position) else {
                position = bytes.count
                return kind
            }
            (position, state) = (end, .nothing)
            return kind
        case .hereDocument:
            finishHereDocument()
            return .codeString
        case .lines:
            position = bytes.count
            if let close = row.commentLines?.close, begins(close) { state = .nothing }
            return .codeComment
        }
    }

    /// Whether the line begins with a word or, if the word is a single mark, with that mark and a letter.
    private func begins(_ word: StaticString) -> Bool {
        let end = start + word.utf8CodeUnitCount
        guard bytes.has(word, at: start) else { return false }
        let next = end < bytes.count ? bytes[end] : Byte.space
        return word.utf8CodeUnitCount == 1 ? next.isLetter : !isInWord(next)
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
        if row.form == .markup, byte == Byte.less { return tag() }
        if byte == row.commandMark || row.variableMarks.contains(byte) { return marked(byte) }
        // A character escaped by a backslash opens neither a string nor a comment.
        position = min(position + (byte == Byte.backslash ? 2 : 1), bytes.count)
        return nil
    }

    // MARK: Comments

    private mutating func comment() -> SpanKind? {
        if row.rawStrings == .lua, bytes.has("--[", at: position), let raw = longBracket(at: position + 2) {
            open(raw, .rawComment)
            return .codeComment
        }
        if let block = row.blockComment, bytes.has(block.open, at: position) {
            position += block.open.utf8CodeUnitCount
            (state.kind, state.count) = (.comment, 1)
            finishComment()
            return .codeComment
        }
        for mark in row.lineComments where bytes.has(mark, at: position) {
            if mark.utf8CodeUnitCount == 1, row.commentsNeedSpace, position > start, !bytes[position - 1].isBlank,
                bytes[position - 1] != Byte.semicolon
            {
                continue
            }
            // `#[` begins an attribute of PHP.
            if row.hereDocuments == .php, bytes.has("#[", at: position) { continue }
            position = bytes.count
            return .codeComment
        }
        return nil
    }

    /// Reads to the end of a block comment, including nested comments if the language nests them.
    private mutating func finishComment() {
        guard let block = row.blockComment else { return }
        let (open, close) = (block.open.utf8Start.pointee, block.close.utf8Start.pointee)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == close, bytes.has(block.close, at: position) {
                position += block.close.utf8CodeUnitCount
                state.count -= 1
                if state.count == 0 { return state = .nothing }
            } else if block.nests, byte == open, state.count < .max, bytes.has(block.open, at: position) {
                position += block.open.utf8CodeUnitCount
                state.count += 1
            } else {
                position += 1
            }
        }
    }

    // MARK: Words

    /// Whether the piece just read is a key, that is, followed by a colon or an equals sign.
    func isKey(from first: Int) -> Bool {
        switch row.form {
        case .keyed: break
        case .assigned where first == start: break
        default: return false
        }
        var next = LinkParts.skipBlanks(bytes, from: position, to: bytes.count)
        if row.form == .assigned, next < bytes.count, bytes[next] == Byte.question || bytes[next] == Byte.plus {
            next += 1
        }
        guard next < bytes.count else { return false }
        return bytes[next] == Byte.colon || bytes[next] == Byte.equals && !bytes.has("==", at: next)
    }

    private mutating func word() -> SpanKind? {
        let start = position
        while position < bytes.count, isInWord(bytes[position]) { position += 1 }
        if row.form == .markup { return nil }
        // All keywords are at most 24 bytes long.
        if position - start <= 24 {
            let text = String(decoding: bytes[start..<position], as: UTF8.self)
            if position < bytes.count, prefixedString(text) { return .codeString }
            if language.keywords.contains(row.ignoresCase ? text.lowercased() : text) { return .codeKeyword }
        }
        if isKey(from: start) { return .codeName }
        return row.hasCapitalTypes && bytes[start] &- 0x41 < 26 ? .codeType : nil
    }

    private func isInWord(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == Byte.underscore || byte >= 0x80 || row.nameBytes.contains(byte)
    }

    /// Reads `\name` or `$name`; a mark before another character may include that character, as in `\%` and `$"`.
    private mutating func marked(_ mark: UInt8) -> SpanKind? {
        position += 1
        guard position < bytes.count else { return nil }
        let isCommand = mark == row.commandMark
        guard bytes[position].isLetter || bytes[position] == Byte.underscore || bytes[position] == Byte.at else {
            if bytes[position].isPunctuation, isCommand || mark == Byte.dollar, bytes[position] != 0x7B {
                position += 1
            }
            return isCommand ? .codeKeyword : nil
        }
        position += 1
        while position < bytes.count, isCommand ? bytes[position].isLetter : isInWord(bytes[position]) { position += 1 }
        return isCommand ? .codeKeyword : .codeName
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
