/// Tells the dollars of formulas from those of prices and shell variables, and brackets of TeX from escaped ones.
extension InlineParser {
    /// Reads `\(a\)` or `\[a\]`, TeX's own marks; false if it is a bracket that the backslash makes literal.
    ///
    /// The formula ends at the next such mark, and another opening one before it is none. So every byte is looked at
    /// once for each kind of bracket.
    mutating func readTeXMath() -> Bool {
        guard options.contains(.math), position + 1 < upper else { return false }
        let opening = bytes[position + 1]
        let isInline = opening == Byte.openParen
        guard isInline || opening == Byte.openBracket, position == lower || !bytes[position - 1].isAlphanumeric else {
            return false
        }
        let closing = isInline ? Byte.closeParen : Byte.closeBracket
        let start = position + 2
        guard let end = endOfTeX(from: start, opening, closing), isTeX(from: start, to: end, isInline: isInline) else {
            return false
        }
        add(.math, position, end + 2, mark: 2)
        return true
    }

    /// Returns the offset of the backslash of the closing mark.
    private func endOfTeX(from start: Int, _ opening: UInt8, _ closing: UInt8) -> Int? {
        var offset = start
        while let backslash = bytes.firstOffset(of: Byte.backslash, from: offset, to: upper), backslash + 1 < upper {
            if bytes[backslash + 1] == closing { return backslash > start ? backslash : nil }
            if bytes[backslash + 1] == opening { return nil }
            offset = backslash + 2
        }
        return nil
    }

    /// Whether the text between the marks is a formula rather than words in escaped brackets, as in `\[see my\_file\]`.
    ///
    /// Brackets are escaped by many programs, so there a formula needs a command of TeX, or a script and an `=`.
    private func isTeX(from start: Int, to end: Int, isInline: Bool) -> Bool {
        var hasCommand = false, hasScript = false, hasRelation = false, hasWord = false
        var letters = 0
        var offset = start
        while offset < end {
            let byte = bytes[offset]
            letters = byte.isLetter || byte >= 0x80 ? letters + 1 : 0
            hasWord = hasWord || letters > 2
            switch byte {
            case Byte.backslash:
                if bytes[offset + 1].isLetter { hasCommand = true }
                // An escaped character is not a mark.
                offset += 1
            case Byte.caret, Byte.openBrace: hasScript = true
            case Byte.underscore where !hasWord: hasScript = true
            case Byte.equals, Byte.less, Byte.greater: hasRelation = true
            default: break
            }
            offset += 1
        }
        if hasCommand { return true }
        guard isInline else { return hasScript && hasRelation }
        let isVariable = end - start == 1 && bytes[start].isLetter
        return hasScript || hasRelation && !hasWord || isVariable
    }

    /// Reads `$a$` or `$$a$$`.
    mutating func readMath() {
        if position + 1 < upper, bytes[position + 1] == Byte.dollar { readDisplayMath() } else { readInlineMath() }
    }

    private mutating func readDisplayMath() {
        let start = position
        position = start + 2
        guard position < upper, !failures.doubleDollar else { return }
        var offset = position + 1
        while let dollar = bytes.firstOffset(of: Byte.dollar, from: offset, to: upper) {
            if dollar + 1 < upper, bytes[dollar + 1] == Byte.dollar {
                add(.math, start, dollar + 2, mark: 2)
                return
            }
            offset = dollar + 1
        }
        failures.doubleDollar = true
    }

    /// Reads `$a$`, whose dollars touch the text inside, and outside no digit and no letter but the ending of a word.
    ///
    /// The next dollar without a backslash ends the formula, or there is none: a formula contains no such dollar. So
    /// every byte is looked at once.
    private mutating func readInlineMath() {
        let start = position
        position = start + 1
        guard position < upper, !bytes[position].isSpace, !failures.dollar,
            start == lower || !bytes[start - 1].isAlphanumeric
        else { return }
        guard let dollar = nextDollar(after: start) else {
            failures.dollar = true
            return
        }
        let isFree =
            dollar + 1 >= upper || !bytes[dollar + 1].isAlphanumeric || hasEnding(after: dollar, from: position)
        if isFree, dollar > position, isFormula(from: position, to: dollar) {
            add(.math, start, dollar + 1, mark: 1)
        }
    }

    /// Whether what follows the closing dollar is the ending of a word, as in `$x_i$s` and `$2^n$th`.
    ///
    /// The formula must have a mark of TeX, since `$a$s` may be two variables of a shell.
    private func hasEnding(after dollar: Int, from start: Int) -> Bool {
        var end = dollar + 1
        while end < upper, bytes[end].isAlphanumeric, end - dollar <= 3 { end += 1 }
        guard Self.endings.contains(where: { $0.elementsEqual(bytes[dollar + 1..<end]) }) else { return false }
        return bytes[start..<dollar].contains { Self.marksOfTeX.contains($0) }
    }

    private static let endings = ["s", "th"].map { Array($0.utf8) }
    private static let marksOfTeX = ASCIISet("\\^_{")

    /// Returns the offset of the next dollar that no backslash escapes.
    private func nextDollar(after start: Int) -> Int? {
        var offset = start + 1
        while let dollar = bytes.firstOffset(of: Byte.dollar, from: offset, to: upper) {
            var first = dollar
            while first > start + 1, bytes[first - 1] == Byte.backslash { first -= 1 }
            if (dollar - first) % 2 == 0 { return dollar }
            offset = dollar + 1
        }
        return nil
    }

    /// Whether the text between two dollars is a formula rather than `10 to 20` or `PATH/bin:`.
    private func isFormula(from start: Int, to end: Int) -> Bool {
        if bytes[end - 1].isSpace || Self.endsOfWords.contains(bytes[end - 1]) { return false }
        var hasBlank = false
        var letters = 0
        var longest = 0
        for offset in start..<end {
            let byte = bytes[offset]
            // Whatever is written between words in a formula tells it from prose, also `≤` and `→`.
            if Self.operators.contains(byte) || byte == Self.firstByteOfSigns { return true }
            if byte.isSpace { hasBlank = true }
            // The first byte of a character counts it; those that continue it do not.
            if byte.isLetter || byte >= 0xC0 { letters += 1 } else if byte < 0x80 { letters = 0 }
            longest = max(longest, letters)
        }
        return !hasBlank || longest < 2
    }

    /// The marks that end a word of prose, a path or a name, but no formula.
    private static let endsOfWords = ASCIISet(":;/\"`")
    private static let operators = ASCIISet("\\^_{}()[]=+-*/<>|!'")
    /// The first byte of U+2000 to U+2FFF, where the signs of mathematics are.
    private static let firstByteOfSigns: UInt8 = 0xE2
}
