/// The text in brackets and in quotes.
extension TextReader {
    /// The text between two brackets, `count` levels up.
    mutating func brackets(
        _ opening: UInt8, _ closing: UInt8, at position: ByteOffset, count: Int, around: Bool, _ anchor: ByteOffset?
    ) -> ObjectSpan? {
        var current = position
        var (oldStart, oldEnd) = (position, position)
        if let anchor, anchor != position {
            oldStart = min(anchor, position)
            oldEnd = max(anchor, position)
            if anchor < position { current = anchor }
        } else {
            if opening == 0x7B { skipIndent(&current) }
            if byte(at: current) == opening { current = next(current) }
        }
        var found = unmatched(opening: opening, closing: closing, from: current, forward: false)
        if found != nil {
            found = unmatched(opening: opening, closing: closing, from: current, count: count, forward: false)
        } else {
            // There are no brackets around the position, so the next ones are used.
            found = current
            for _ in 0..<count { found = found.flatMap { nextOpening(opening, closing, from: $0) } }
        }
        guard var start = found,
            var end = unmatched(opening: opening, closing: closing, from: start, forward: true)
        else { return nil }
        var endsLine = false
        while !around {
            var inner = start
            stepOver(&inner)
            current = end
            endsLine = isLineStart(current)
            stepOverBack(&current)
            if opening == 0x7B {
                while isInIndent(current), !isLineEnd(current) || isLineStart(current) {
                    endsLine = true
                    if stepOverBack(&current) != .character { break }
                }
            }
            if anchor != nil, inner >= oldStart, oldEnd >= current, inner != current {
                guard let outer = unmatched(opening: opening, closing: closing, from: start, forward: false),
                    let outerEnd = unmatched(opening: opening, closing: closing, from: outer, forward: true)
                else { return nil }
                (start, end) = (outer, outerEnd)
                continue
            }
            start = inner
            end = current
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
        let column = position - lineStart
        var opening = 0
        var closing = 0
        if column < line.count, line[column] == quote {
            while true {
                guard let first = line.quote(quote, from: opening, escaped: false), first <= column,
                    let second = line.quote(quote, from: first + 1, escaped: true)
                else { return nil }
                (opening, closing) = (first, second)
                if column <= second { break }
                opening = second + 1
            }
        } else {
            opening = line.quote(quote, before: column)
            if opening >= line.count || line[opening] != quote {
                guard let found = line.quote(quote, from: opening, escaped: false) else { return nil }
                opening = found
            }
            guard let second = line.quote(quote, from: opening + 1, escaped: true) else { return nil }
            closing = second
        }
        func isBlank(_ index: Int) -> Bool {
            line.indices.contains(index) && (line[index] == 0x20 || line[index] == 0x09)
        }
        if around {
            if isBlank(closing + 1) {
                while isBlank(closing + 1) { closing += 1 }
            } else {
                while isBlank(opening - 1) { opening -= 1 }
            }
        }
        let takesQuotes = around || count > 1
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
