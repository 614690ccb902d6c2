import TextPrimitives

/// Reads strings: those with escapes, raw ones, and here-documents.
extension CodeLexer {
    /// Reads the string that begins at the position; nil if there is none.
    mutating func string(_ byte: UInt8) -> SpanKind? {
        if let mark = row.lineString, bytes.has(mark, at: position) {
            position = bytes.count
            return .codeString
        }
        if row.rawStrings == .swift || row.rawStrings == .lua, let raw = rawString() {
            open(raw, .raw)
            return .codeString
        }
        if byte == Byte.less, announceHereDocument() { return .codeString }
        if row.hasCharacters, byte == Byte.apostrophe { return character() }
        if row.hasPatterns, byte == Byte.slash, let end = patternEnd() {
            position = end
            return .codeString
        }
        // Between tags an apostrophe is text; only the value of an attribute is a string.
        if row.form == .markup, byteBefore(position)?.byte != Byte.equals { return nil }
        for (index, form) in row.strings.enumerated() where bytes.has(form.open, at: position) {
            let first = position
            position += form.open.utf8CodeUnitCount
            (state.kind, state.count) = (.string, UInt8(index))
            finishString(form)
            if form.needsClose, state.kind != .nothing {
                // An apostrophe without a closing one is a lifetime, a label or plain text.
                (state, position) = (.nothing, first + form.open.utf8CodeUnitCount)
                return nil
            }
            if !form.spansLines { state = .nothing }
            return isKey(from: first) ? .codeName : .codeString
        }
        return nil
    }

    /// Reads to the end of a string, or of the line.
    mutating func finishString(_ form: CodeString) {
        let close = form.close.utf8Start.pointee
        while position < bytes.count {
            if form.escape == .backslash, bytes[position] == Byte.backslash {
                position = min(position + 2, bytes.count)
            } else if bytes[position] != close || !bytes.has(form.close, at: position) {
                position += 1
            } else {
                position += form.close.utf8CodeUnitCount
                if form.escape == .nix, position < bytes.count, isNixEscape(bytes[position]) {
                    position += 1
                } else {
                    return state = .nothing
                }
            }
        }
        if form.needsClose { return }
        if !form.spansLines { state = .nothing }
    }

    private func isNixEscape(_ byte: UInt8) -> Bool {
        byte == Byte.apostrophe || byte == Byte.dollar || byte == Byte.backslash
    }

    /// Reads `'x'` or an escape between apostrophes; nil for a lifetime.
    private mutating func character() -> SpanKind? {
        let first = position
        position += 1
        guard position < bytes.count else { return nil }
        if bytes[position] == Byte.backslash {
            let last = min(position + 12, bytes.count)
            position = min(position + 2, bytes.count)
            while position < last, bytes[position] != Byte.apostrophe { position += 1 }
        } else {
            position += 1
            while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
        }
        if position < bytes.count, bytes[position] == Byte.apostrophe {
            position += 1
            return .codeString
        }
        position = first + 1
        return nil
    }

    // MARK: Regular expressions

    /// The last byte before an offset in the line that is not blank, and the offset after it; nil if there is none.
    private func byteBefore(_ offset: Int) -> (byte: UInt8, end: Int)? {
        var end = offset
        while end > start, bytes[end - 1].isBlank { end -= 1 }
        return end > start ? (bytes[end - 1], end) : nil
    }

    /// The offset after the regular expression that begins at the position with its flags; nil if the slash divides.
    private func patternEnd() -> Int? {
        guard mayBeginValue else { return nil }
        var (offset, isInSet) = (position + 1, false)
        while offset < bytes.count, isInSet || bytes[offset] != Byte.slash {
            switch bytes[offset] {
            case Byte.backslash: offset += 1
            case Byte.openBracket: isInSet = true
            case Byte.closeBracket: isInSet = false
            default: break
            }
            offset += 1
        }
        guard offset < bytes.count else { return nil }
        offset += 1
        while offset < bytes.count, bytes[offset].isLetter { offset += 1 }
        return offset
    }

    /// Whether a value may begin at the slash at the position: after an operator, or after a keyword and a blank.
    private var mayBeginValue: Bool {
        let next = position + 1 < bytes.count ? bytes[position + 1] : Byte.space
        guard let (byte, end) = byteBefore(position) else { return !next.isBlank }
        if CodeLexer.punctuation.contains(byte) { return true }
        if CodeLexer.operators.contains(byte) {
            // Swift reads a slash as part of the operator that it touches.
            if row.rawStrings == .swift, end == position { return false }
            let before = end - 1 > start ? bytes[end - 2] : Byte.space
            // A `>` without `=` before it ends a tag, after which a slash is text.
            if byte == Byte.greater { return before == Byte.equals }
            // What `++` or `--` has counted is divided.
            return !((byte == Byte.plus || byte == Byte.hyphen) && before == byte)
        }
        guard byte.isLetter, end < position, !next.isBlank else { return false }
        var first = end
        while first > start, bytes[first - 1].isLetter { first -= 1 }
        return language.keywords.contains(String(decoding: bytes[first..<end], as: UTF8.self))
    }

    /// The marks after which a value begins; `<` is none, since `</b>` closes a tag.
    private static let punctuation = ASCIISet("(,:[{;")
    private static let operators = ASCIISet("=!&|?+-*%~^>")

    // MARK: Raw strings

    /// The end of the mark that opens a raw string, the bytes that close it, and whether it may continue over several
    /// lines.
    struct RawOpening {
        var end: Int
        var close: CodeEnd
        var spansLines = true
    }

    /// Opens a raw string or comment, and reads to its end, or to the end of the line.
    mutating func open(_ raw: RawOpening, _ kind: CodeState.Kind) {
        if let end = offset(after: raw.close, from: raw.end) {
            position = end
        } else {
            position = bytes.count
            if raw.spansLines { state = CodeState(kind: kind, end: raw.close) }
        }
    }

    /// The offset after the bytes of an end mark; nil if the line does not contain them.
    func offset(after end: CodeEnd, from start: Int) -> Int? {
        var offset = start
        while let found = bytes.firstOffset(of: end.first, from: offset, to: bytes.count) {
            if end.isAt(found, in: bytes) { return found + Int(end.length) }
            offset = found + 1
        }
        return nil
    }

    /// Reads the string that follows a word without a space, if the word is a prefix of strings.
    mutating func prefixedString(_ word: String) -> Bool {
        let byte = bytes[position]
        guard byte == Byte.quote || byte == Byte.apostrophe || byte == Byte.hash else { return false }
        let raw: [String] =
            switch row.rawStrings {
            case .rust: ["r", "br", "cr"]
            case .cpp: ["R", "u8R", "uR", "UR", "LR"]
            case .r: ["r", "R"]
            case .swift, .lua, nil: []
            }
        if raw.contains(word), let raw = rawString() {
            open(raw, .raw)
            return true
        }
        guard language.stringPrefixes.contains(word), byte != Byte.hash else { return false }
        return string(byte) != nil
    }

    /// The raw string that begins at the position, after its prefix; nil if there is none.
    private func rawString() -> RawOpening? {
        switch row.rawStrings {
        case nil: return nil
        case .lua: return longBracket(at: position)
        case .rust, .swift:
            let quote = skip(Byte.hash, from: position)
            let hashes = quote - position
            guard quote < bytes.count, bytes[quote] == Byte.quote, hashes > 0 || row.rawStrings == .rust else {
                return nil
            }
            let isLong = row.rawStrings == .swift && bytes.has("\"\"\"", at: quote)
            let quotes = isLong ? 3 : 1
            let close = Array(repeating: Byte.quote, count: quotes) + Array(repeating: Byte.hash, count: hashes)
            return opening(quote + quotes, close, spansLines: isLong || row.rawStrings == .rust)
        case .cpp:
            guard bytes[position] == Byte.quote else { return nil }
            // A delimiter has at most 16 characters.
            let limit = min(position + 18, bytes.count)
            guard let bracket = bytes.firstOffset(of: Byte.openParen, from: position + 1, to: limit) else { return nil }
            let delimiter = bytes[position + 1..<bracket]
            guard !delimiter.contains(where: { $0.isSpace || $0 == Byte.quote || $0 == Byte.backslash }) else {
                return nil
            }
            return opening(bracket + 1, [Byte.closeParen] + delimiter + [Byte.quote])
        case .r:
            guard bytes[position] != Byte.hash else { return nil }
            let bracket = skip(Byte.hyphen, from: position + 1)
            guard bracket < bytes.count, let close = Self.closing[bytes[bracket]] else { return nil }
            let hyphens = Array(repeating: Byte.hyphen, count: bracket - position - 1)
            return opening(bracket + 1, [close] + hyphens + [bytes[position]])
        }
    }

    private static let closing: [UInt8: UInt8] = [0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D]

    /// Lua's `[[` or `[==[`; nil if there is none at the offset.
    func longBracket(at offset: Int) -> RawOpening? {
        guard offset < bytes.count, bytes[offset] == Byte.openBracket else { return nil }
        let second = skip(Byte.equals, from: offset + 1)
        guard second < bytes.count, bytes[second] == Byte.openBracket else { return nil }
        let signs = Array(repeating: Byte.equals, count: second - offset - 1)
        return opening(second + 1, [Byte.closeBracket] + signs + [Byte.closeBracket])
    }

    private func opening(_ end: Int, _ close: [UInt8], spansLines: Bool = true) -> RawOpening? {
        CodeEnd(close).map { RawOpening(end: end, close: $0, spansLines: spansLines) }
    }

    private func skip(_ byte: UInt8, from offset: Int) -> Int {
        var offset = offset
        while offset < bytes.count, bytes[offset] == byte { offset += 1 }
        return offset
    }

    // MARK: Here-documents

    /// Reads the mark of a here-document, whose text begins with the next line; false if there is none.
    private mutating func announceHereDocument() -> Bool {
        guard let form = row.hereDocuments, bytes.has("<<", at: position) else { return false }
        let marks = form == .php ? 3 : 2
        guard skip(Byte.less, from: position) == position + marks,
            position == start || bytes[position - 1] != Byte.less
        else { return false }
        var offset = position + marks
        var indent = form == .php ? CodeEnd.Indent.blanks : .none
        if form != .php, offset < bytes.count, bytes[offset] == Byte.hyphen || bytes[offset] == Byte.tilde {
            indent = form == .shell ? .tabs : .blanks
            offset += 1
        }
        if form != .ruby { offset = LinkParts.skipBlanks(bytes, from: offset, to: bytes.count) }
        guard offset < bytes.count, form == .ruby || !isInArithmetic else { return false }
        if form == .shell, bytes[offset] == Byte.backslash { offset += 1 }
        guard let (word, end) = hereWord(at: offset, form), var ending = CodeEnd(word) else { return false }
        ending.indent = indent
        if announced.count < 2 { announced.append(ending) }
        position = end
        return true
    }

    /// The word that ends a here-document, plain or in quotes, and the offset after it.
    private func hereWord(at offset: Int, _ form: CodeRow.HereDocument) -> (word: Slice<Bytes>, end: Int)? {
        guard offset < bytes.count else { return nil }
        let byte = bytes[offset]
        if byte == Byte.quote || byte == Byte.apostrophe || byte == Byte.backtick && form == .ruby {
            guard let close = bytes.firstOffset(of: byte, from: offset + 1, to: bytes.count), close > offset + 1 else {
                return nil
            }
            return (bytes[offset + 1..<close], close + 1)
        }
        // In Ruby and Perl, `a << b` is arithmetic, and `a <<b` may be too, so the word must begin with a capital
        // letter.
        guard byte == Byte.underscore || (form == .ruby ? byte &- 0x41 < 26 : byte.isLetter) else { return nil }
        var end = offset
        while end < bytes.count,
            bytes[end].isAlphanumeric || bytes[end] == Byte.underscore
                || form == .shell && (bytes[end] == Byte.hyphen || bytes[end] == Byte.dot)
        {
            end += 1
        }
        return (bytes[offset..<end], end)
    }

    /// Whether there is a `((` before the position in the line, as in a shell's `$((1 << n))`.
    private var isInArithmetic: Bool {
        var offset = start
        while let found = bytes.firstOffset(of: Byte.openParen, from: offset, to: position) {
            if bytes.has("((", at: found) { return true }
            offset = found + 1
        }
        return false
    }

    /// Reads a line of a here-document; in PHP, code may follow the word that ends it.
    mutating func finishHereDocument() {
        var first = position
        let indent = state.end.indent
        while first < bytes.count, indent == .blanks ? bytes[first].isBlank : indent == .tabs && bytes[first] == 0x09 {
            first += 1
        }
        let end = first + Int(state.end.length)
        let isPHP = row.hereDocuments == .php
        let endsHere =
            end == bytes.count || isPHP && end < bytes.count && !(bytes[end].isAlphanumeric || bytes[end] == 0x5F)
        guard end <= bytes.count, first < bytes.count, endsHere, state.end.isAt(first, in: bytes) else {
            return position = bytes.count
        }
        position = end
        state =
            state.next.isNone ? .nothing : CodeState(kind: .hereDocument, end: state.next)
    }
}
