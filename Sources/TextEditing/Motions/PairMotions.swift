/// Searches for a character in a line, and for the matching bracket.
extension TextReader {
    /// The `count`-th occurrence of a character after or before `position` in the line; nil if there are fewer.
    public mutating func find(
        _ character: Character, from position: ByteOffset, count: Int, forward: Bool
    ) -> ByteOffset? {
        let wanted = Array(String(character).utf8)
        var current = position
        for _ in 0..<count {
            repeat {
                if forward {
                    if isLineEnd(current) { return nil }
                    current = next(current)
                    if isLineEnd(current) { return nil }
                } else {
                    if isLineStart(current) { return nil }
                    current = previous(current)
                }
            } while !isCharacter(wanted, at: current)
        }
        return current
    }

    /// Whether exactly this character is at a position, rather than a longer one that begins with its bytes.
    private mutating func isCharacter(_ bytes: [UInt8], at position: ByteOffset) -> Bool {
        for (index, wanted) in bytes.enumerated() where byte(at: position + index) != wanted { return false }
        return next(position) == position + bytes.count
    }

    /// The matching bracket of each bracket, and whether the bracket is an opening one.
    private static let pairs: [UInt8: (other: UInt8, opens: Bool)] = {
        var pairs: [UInt8: (UInt8, Bool)] = [:]
        for (opening, closing) in ["()", "[]", "{}"].map({ (Array($0.utf8)[0], Array($0.utf8)[1]) }) {
            pairs[opening] = (closing, true)
            pairs[closing] = (opening, false)
        }
        return pairs
    }()

    /// The bracket that matches the first one in the line at or after `position`; nil if there is none.
    public mutating func matchingBracket(from position: ByteOffset) -> ByteOffset? {
        var current = position
        if isLineEnd(current), !isLineStart(current) { current = previous(current) }
        while !isLineEnd(current) {
            let bracket = byte(at: current)
            if let pair = TextReader.pairs[bracket] {
                var quotes = BracketQuotes(heedsQuotes: true)
                quotes.isEscaped = backslashes(before: current) & 1 == 1
                return bracketPartner(of: bracket, other: pair.other, from: current, forward: pair.opens, &quotes)
            }
            current = next(current)
        }
        return nil
    }

    /// The `count`-th bracket around `position` without a partner in between; nil if there are fewer.
    ///
    /// It is an opening one before `position`, or with `forward` a closing one after it.
    public mutating func unmatched(
        opening: UInt8, closing: UInt8, from position: ByteOffset, count: Int = 1, forward: Bool,
        heedsQuotes: Bool = false
    ) -> ByteOffset? {
        var current = position
        for _ in 0..<count {
            var quotes = BracketQuotes(heedsQuotes: heedsQuotes)
            let (this, other) = forward ? (opening, closing) : (closing, opening)
            guard let found = bracketPartner(of: this, other: other, from: current, forward: forward, &quotes) else {
                return nil
            }
            current = found
        }
        return current
    }

    /// The next opening bracket after `position` that does not follow a closing one; nil if there is none.
    mutating func nextOpening(_ opening: UInt8, _ closing: UInt8, from position: ByteOffset) -> ByteOffset? {
        var quotes = BracketQuotes(heedsQuotes: false)
        return bracketPartner(of: closing, other: opening, from: position, forward: true, &quotes)
    }

    private mutating func backslashes(before position: ByteOffset) -> Int {
        var (count, current) = (0, position)
        while current > 0, byte(at: current - 1) == 0x5C {
            current -= 1
            count += 1
        }
        return count
    }

    private mutating func bracketPartner(
        of bracket: UInt8, other: UInt8, from position: ByteOffset, forward: Bool, _ quotes: inout BracketQuotes
    ) -> ByteOffset? {
        var (depth, current) = (0, position)
        while true {
            if forward {
                if current >= end { return nil }
                if isLineEnd(current) { quotes.lineQuotes = nil }
                current = next(current)
            } else {
                if current <= 0 { return nil }
                if isLineStart(current) { quotes.lineQuotes = nil }
                current = previous(current)
            }
            if quotes.lineQuotes == nil { measureQuotes(at: current, forward: forward, &quotes) }
            if isLineEnd(current) {
                if isLineStart(current) || byte(at: current - 1) != 0x5C { quotes.leaveLine() }
                continue
            }
            let byte = byte(at: current)
            if byte == 0x22 {
                if quotes.lineQuotes == true, backslashes(before: current) & 1 == 0 { quotes.pass() }
                continue
            }
            if byte == 0x27, quotes.heedsQuotes, skipQuotedCharacter(&current, forward: forward) { continue }
            guard byte == bracket || byte == other, !quotes.isInside || quotes.startedInside == true,
                (backslashes(before: current) & 1 == 1) == quotes.isEscaped
            else { continue }
            if byte == bracket {
                depth += 1
            } else {
                if depth == 0 { return current }
                depth -= 1
            }
        }
    }

    /// Skips a character in single quotes, such as `'('`; true if there is one.
    private mutating func skipQuotedCharacter(_ position: inout ByteOffset, forward: Bool) -> Bool {
        let (start, end) = (lineStart(position), lineEnd(position))
        func hasByte(_ offset: Int, _ byte: UInt8) -> Bool {
            position + offset >= start && position + offset < end && self.byte(at: position + offset) == byte
        }
        if forward {
            guard position + 1 < end else { return false }
            if hasByte(1, 0x5C), position + 2 < end, hasByte(3, 0x27) {
                position += 3
            } else if hasByte(2, 0x27) {
                position += 2
            } else {
                return false
            }
        } else {
            guard position - start > 1 else { return false }
            if hasByte(-2, 0x27) {
                position -= 2
            } else if hasByte(-2, 0x5C), position - start > 2, hasByte(-3, 0x27) {
                position -= 3
            } else {
                return false
            }
        }
        return true
    }

    /// Determines whether quotes count in a line: only if their number is even, or the line continues after a
    /// backslash.
    private mutating func measureQuotes(at position: ByteOffset, forward: Bool, _ quotes: inout BracketQuotes) {
        guard quotes.heedsQuotes else {
            quotes.lineQuotes = false
            if quotes.startedInside == nil { quotes.startedInside = false }
            return
        }
        let (start, end) = (lineStart(position), lineEnd(position))
        let (count, isInsideAtStart) = quoteCount(from: start, to: end, before: forward ? position : position + 1)
        var counts = count & 1 == 0
        if !counts {
            quotes.isInside = false
            if end > start, self.byte(at: end - 1) == 0x5C {
                counts = true
                if quotes.startedInside == nil {
                    quotes.isInside = true
                    quotes.startedInside = true
                } else if !forward {
                    quotes.isInside = true
                }
            }
            if start > 0 {
                let before = previous(start)
                if !isLineStart(before), self.byte(at: before - 1) == 0x5C {
                    counts = true
                    if quotes.startedInside == nil {
                        quotes.isInside = isInsideAtStart
                        if quotes.isInside { quotes.startedInside = true }
                    } else if forward {
                        quotes.isInside = true
                    }
                }
            }
        }
        quotes.lineQuotes = counts
        if quotes.startedInside == nil { quotes.startedInside = false }
    }

    /// Counts the quotes of a line, except `'"'` and those after a backslash, and tells whether `position` is inside of
    /// two.
    private mutating func quoteCount(
        from start: ByteOffset, to end: ByteOffset, before position: ByteOffset
    ) -> (count: Int, isInside: Bool) {
        var (count, current, isInside) = (0, start, false)
        while current < end {
            if current == position { isInside = count & 1 == 1 }
            let byte = byte(at: current)
            if byte == 0x22 {
                let isQuoted =
                    current > start && self.byte(at: current - 1) == 0x27 && current + 1 < end
                    && self.byte(at: current + 1) == 0x27
                if !isQuoted { count += 1 }
            }
            if byte == 0x5C, current + 1 < end { current += 1 }
            current += 1
        }
        return (count, isInside)
    }
}

/// The state of quotes at the current position of a search for a bracket.
private struct BracketQuotes {
    /// Whether brackets inside quotes match only each other.
    let heedsQuotes: Bool
    /// Whether the bracket where the search began follows a backslash; its partner must then follow one too.
    var isEscaped = false
    /// Whether quotes count in the current line; nil until the line has been examined.
    var lineQuotes: Bool?
    var isInside = false
    /// Whether the search began inside quotes; nil until that is known.
    var startedInside: Bool?

    init(heedsQuotes: Bool) { self.heedsQuotes = heedsQuotes }

    mutating func leaveLine() {
        isInside = false
        startedInside = false
    }

    mutating func pass() {
        isInside.toggle()
        startedInside = false
    }
}
