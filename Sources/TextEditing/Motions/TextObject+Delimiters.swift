import TextPrimitives

/// The text in brackets and in quotes.
extension TextReader {
    /// The text between two brackets, `count` levels up.
    mutating func brackets(
        _ opening: UInt8, _ closing: UInt8, at position: ByteOffset, count: Int, around: Bool, _ anchor: ByteOffset?
    ) -> ObjectSpan? {
        let from = anchor ?? position
        let selection = min(from, position)...max(from, position)
        guard var start = openingBracket(opening, closing, at: position, count: count, anchor),
            var end = unmatched(opening: opening, closing: closing, from: start, forward: true)
        else { return nil }
        var endsLine = false
        while !around {
            let inside = inside(from: start, to: end, heedsIndent: opening == 0x7B)
            if anchor != nil, inside.start >= selection.lowerBound, selection.upperBound >= inside.end,
                inside.start != inside.end
            {
                // All of it is selected already, so the brackets around these are taken.
                guard let outer = unmatched(opening: opening, closing: closing, from: start, forward: false),
                    let outerEnd = unmatched(opening: opening, closing: closing, from: outer, forward: true)
                else { return nil }
                (start, end) = (outer, outerEnd)
                continue
            }
            (start, end, endsLine) = inside
            break
        }
        if anchor != nil {
            if endsLine, !isLineEnd(end) { _ = step(&end) }
            return ObjectSpan(start: start, end: end, kind: .inclusive)
        }
        if endsLine {
            stepOver(&end)
            return ObjectSpan(start: start, end: end, kind: .exclusive)
        }
        return start <= end
            ? ObjectSpan(start: start, end: end, kind: .inclusive)
            : ObjectSpan(start: start, end: start, kind: .exclusive)
    }

    /// The opening bracket `count` levels up, or the one `count` levels into the next brackets if there are none around.
    private mutating func openingBracket(
        _ opening: UInt8, _ closing: UInt8, at position: ByteOffset, count: Int, _ anchor: ByteOffset?
    ) -> ByteOffset? {
        var current = position
        if let anchor, anchor != position {
            current = min(anchor, position)
        } else {
            if opening == 0x7B { skipIndent(&current) }
            if byte(at: current) == opening { current = next(current) }
        }
        if unmatched(opening: opening, closing: closing, from: current, forward: false) != nil {
            return unmatched(opening: opening, closing: closing, from: current, count: count, forward: false)
        }
        var found: ByteOffset? = current
        for _ in 0..<count { found = found.flatMap { nextOpening(opening, closing, from: $0) } }
        return found
    }

    /// The first and the last character between two brackets, and whether a line begins at the closing one; with
    /// `heedsIndent` its indent does not count.
    private mutating func inside(
        from start: ByteOffset, to end: ByteOffset, heedsIndent: Bool
    ) -> (start: ByteOffset, end: ByteOffset, endsLine: Bool) {
        var (inner, current) = (start, end)
        stepOver(&inner)
        var endsLine = isLineStart(current)
        stepOverBack(&current)
        guard heedsIndent else { return (inner, current, endsLine) }
        while isInIndent(current), !isLineEnd(current) || isLineStart(current) {
            endsLine = true
            if stepOverBack(&current) != .character { break }
        }
        return (inner, current, endsLine)
    }

    /// Whether there are only blanks between the start of the line and a position.
    private mutating func isInIndent(_ position: ByteOffset) -> Bool {
        text.indentEnd(of: text.lineNumber(at: position)) >= position
    }

    private mutating func skipIndent(_ position: inout ByteOffset) {
        while text.indentEnd(of: text.lineNumber(at: position)) > position {
            if step(&position) != .character { return }
        }
    }

    // MARK: Quotes

    /// The text between two quotes of the line of `position`.
    mutating func quotes(
        _ quote: UInt8, at position: ByteOffset, count: Int, around: Bool, _ anchor: ByteOffset?
    ) -> ObjectSpan? {
        let (lineStart, lineEnd) = (lineStart(position), lineEnd(position))
        let line = text.bytes(in: lineStart..<lineEnd)
        guard var (opening, closing) = line.quotes(quote, around: position - lineStart) else { return nil }
        func isBlank(_ index: Int) -> Bool { line.indices.contains(index) && line[index].isBlank }
        if around {
            if isBlank(closing + 1) {
                while isBlank(closing + 1) { closing += 1 }
            } else {
                while isBlank(opening - 1) { opening -= 1 }
            }
        }
        // What lies between the quotes is selected already, so the quotes are taken too.
        var isSelected = false
        if let anchor, anchor != position {
            let first = min(anchor, position) - lineStart
            let behind = next(max(anchor, position)) - lineStart
            isSelected = first > 0 && line[first - 1] == quote && behind < line.count && line[behind] == quote
        }
        let takesQuotes = around || count > 1 || isSelected
        let start = lineStart + (takesQuotes ? opening : opening + 1)
        let end = lineStart + closing
        if anchor != nil {
            let last = takesQuotes ? end : previous(end)
            return ObjectSpan(start: start, end: max(start, last), kind: .inclusive)
        }
        return ObjectSpan(start: start, end: takesQuotes ? next(end) : end, kind: .exclusive)
    }
}

extension [UInt8] {
    /// The indices of the quotes around an index, or of the next ones after it.
    fileprivate func quotes(_ quote: UInt8, around index: Int) -> (opening: Int, closing: Int)? {
        guard index < count, self[index] == quote else {
            var opening = self.quote(quote, before: index)
            if opening >= count || self[opening] != quote {
                guard let found = self.quote(quote, from: opening, escaped: false) else { return nil }
                opening = found
            }
            return self.quote(quote, from: opening + 1, escaped: true).map { (opening, $0) }
        }
        // Only the quotes before it tell whether a quote opens or closes.
        var start = 0
        while let opening = self.quote(quote, from: start, escaped: false), opening <= index,
            let closing = self.quote(quote, from: opening + 1, escaped: true)
        {
            if index <= closing { return (opening, closing) }
            start = closing + 1
        }
        return nil
    }

    /// The index of the first quote from `start` on; with `escaped`, one after a backslash does not count.
    fileprivate func quote(_ quote: UInt8, from start: Int, escaped: Bool) -> Int? {
        var index = start
        while index < count {
            if escaped, self[index] == 0x5C {
                index += 2
                continue
            }
            if self[index] == quote { return index }
            index += 1
        }
        return nil
    }

    /// The index of the last quote before `end` that does not follow a backslash; 0 if there is none.
    fileprivate func quote(_ quote: UInt8, before end: Int) -> Int {
        var index = end
        while index > 0 {
            index -= 1
            var slashes = 0
            while index - slashes > 0, self[index - slashes - 1] == 0x5C { slashes += 1 }
            if slashes & 1 == 1 {
                index -= slashes
            } else if self[index] == quote {
                break
            }
        }
        return index
    }
}
