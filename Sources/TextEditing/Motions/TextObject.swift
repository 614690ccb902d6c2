/// A named unit of text: a word, a sentence, a paragraph, or the text in brackets or quotes.
public enum TextObject: Hashable, Sendable {
    case word(big: Bool)
    case sentence
    case paragraph
    /// The text in brackets; the bytes of the two brackets.
    case brackets(UInt8, UInt8)
    /// The text in quotes within one line.
    case quotes(UInt8)
}

/// The start and the end of an object.
public struct ObjectSpan: Hashable, Sendable {
    public var start: ByteOffset
    /// The last character, or, if `kind` is exclusive, the position after it.
    public var end: ByteOffset
    public var kind: SpanKind

    public init(start: ByteOffset, end: ByteOffset, kind: SpanKind) {
        self.start = start
        self.end = end
        self.kind = kind
    }
}

extension TextReader {
    /// The object at a position; nil if there is none.
    ///
    /// - Parameters:
    ///   - count: The number of consecutive objects, or for brackets the number of nesting levels.
    ///   - around: Whether the blanks, brackets or quotes around it belong to it.
    ///   - anchor: The start of a selection that the object extends, whose other end is `position`; nil without one.
    ///   - selectsLines: Whether that selection consists of whole lines.
    public mutating func object(
        _ object: TextObject, at position: ByteOffset, count: Int, around: Bool, extending anchor: ByteOffset? = nil,
        selectsLines: Bool = false
    ) -> ObjectSpan? {
        switch object {
        case .word(let big): words(at: position, count: count, around: around, big: big, anchor)
        case .sentence: sentences(at: position, count: count, around: around, anchor)
        case .paragraph: paragraphs(at: position, count: count, around: around, anchor, selectsLines: selectsLines)
        case .brackets(let opening, let closing):
            brackets(opening, closing, at: position, count: count, around: around, anchor)
        case .quotes(let quote): quotes(quote, at: position, count: count, around: around, anchor)
        }
    }

    // MARK: Words

    private mutating func words(
        at position: ByteOffset, count: Int, around: Bool, big: Bool, _ anchor: ByteOffset?
    ) -> ObjectSpan? {
        var (count, current) = (count, position)
        var start = anchor ?? position
        var takesBlank = false
        var isInclusive = true
        if anchor == nil || anchor == position {
            toRunStart(&current, big: big)
            start = current
            if (motionClass(current, big: big) == .blank) == around {
                guard toWordEnd(&current, big: big, stays: true, stopsAtEmptyLine: true) else { return nil }
            } else {
                _ = toNextWord(&current, big: big, stopsAtLineEnd: true)
                if isLineStart(current) { stepOverBack(&current) } else { current = previous(current) }
                if around { takesBlank = true }
            }
            count -= 1
        }
        for left in (0..<max(0, count)).reversed() {
            isInclusive = true
            if let anchor, current < anchor {
                if stepOverBack(&current) == .stopped { return nil }
                if around != (motionClass(current, big: big) != .blank) {
                    guard toWordStart(&current, big: big, stays: true) else { return nil }
                } else {
                    guard toPreviousWordEnd(&current, big: big, stopsAtLineStart: true) else { return nil }
                    stepOver(&current)
                }
            } else {
                if stepOver(&current) == .stopped { return nil }
                if around != (motionClass(current, big: big) == .blank) {
                    guard toNextWord(&current, big: big, stopsAtLineEnd: true) || left == 0 else { return nil }
                    if isLineStart(current) { isInclusive = false } else { current = previous(current) }
                } else {
                    guard toWordEnd(&current, big: big, stays: true, stopsAtEmptyLine: true) else { return nil }
                }
            }
        }
        if takesBlank, motionClass(current, big: big) != .blank || isLineStart(current) && !isInclusive {
            start = blankBefore(start, big: big)
        }
        return ObjectSpan(start: start, end: current, kind: isInclusive ? .inclusive : .exclusive)
    }

    /// The start of the blanks before a position, unless they are the line's indent.
    private mutating func blankBefore(_ start: ByteOffset, big: Bool) -> ByteOffset {
        guard !isLineStart(start) else { return start }
        var current = previous(start)
        toRunStart(&current, big: big)
        return motionClass(current, big: big) == .blank && !isLineStart(current) ? current : start
    }

    /// Moves back to the start of the word or of the blanks, within the line.
    private mutating func toRunStart(_ position: inout ByteOffset, big: Bool) {
        let run = motionClass(position, big: big)
        while !isLineStart(position) {
            let before = previous(position)
            if motionClass(before, big: big) != run { return }
            position = before
        }
    }

    // MARK: Sentences

    private mutating func sentences(
        at position: ByteOffset, count: Int, around: Bool, _ anchor: ByteOffset?
    ) -> ObjectSpan? {
        var cursor = position
        var (count, start) = (count, position)
        if let anchor, anchor != position {
            return extendedBySentences(from: anchor, to: position, count: around ? count * 2 : count, around: around)
        }
        _ = toNextSentence(&cursor)
        var probe = position
        while isBlank(probe) { stepOver(&probe) }
        let startsBlank = probe == cursor
        if startsBlank {
            start = firstBlank(before: start)
        } else {
            _ = toPreviousSentence(&cursor)
            start = cursor
        }
        count = around ? count * 2 : startsBlank ? count - 1 : count
        if count > 0 { forward(&cursor, sentences: count, fromStart: true) } else { stepOverBack(&cursor) }
        if around {
            if startsBlank {
                cursor = firstBlank(before: cursor)
                if isBlank(cursor) { stepOverBack(&cursor) }
            } else if !isBlank(cursor) {
                start = firstBlank(before: start)
            }
        }
        if let anchor {
            if start == cursor {
                return extendedBySentences(
                    from: anchor, to: position, count: around ? count * 2 : count, around: around)
            }
            return ObjectSpan(start: start, end: cursor, kind: .inclusive)
        }
        let isLast = stepOver(&cursor) == .stopped
        return ObjectSpan(start: start, end: cursor, kind: isLast ? .inclusive : .exclusive)
    }

    private mutating func extendedBySentences(
        from anchor: ByteOffset, to position: ByteOffset, count: Int, around: Bool
    ) -> ObjectSpan {
        var cursor = position
        var probe = position
        if position < anchor {
            var isAtStart = true
            stepOverBack(&probe)
            while probe < position {
                if !isBlank(probe) {
                    isAtStart = false
                    break
                }
                stepOver(&probe)
            }
            if !isAtStart {
                _ = toPreviousSentence(&cursor)
                if cursor == position { isAtStart = true } else { _ = toNextSentence(&cursor) }
            }
            for _ in 0..<count {
                if isAtStart { cursor = firstBlank(before: cursor) }
                if !isAtStart || !around && !isBlank(cursor) { _ = toPreviousSentence(&cursor) }
                isAtStart.toggle()
            }
        } else {
            _ = toNextSentence(&cursor)
            stepOver(&probe)
            var isAtStart = true
            if probe != cursor {
                isAtStart = false
                while probe < cursor {
                    if !isBlank(probe) {
                        isAtStart = true
                        break
                    }
                    stepOver(&probe)
                }
                if isAtStart { _ = toPreviousSentence(&cursor) } else { cursor = position }
            }
            forward(&cursor, sentences: count, fromStart: isAtStart)
        }
        return ObjectSpan(start: anchor, end: cursor, kind: .inclusive)
    }

    /// Moves over sentences and the blanks between them, alternately.
    private mutating func forward(_ cursor: inout ByteOffset, sentences count: Int, fromStart: Bool) {
        var isAtStart = fromStart
        for left in (0..<count).reversed() {
            _ = toNextSentence(&cursor)
            if isAtStart { cursor = firstBlank(before: cursor) }
            if left == 0 || isAtStart { stepOverBack(&cursor) }
            isAtStart.toggle()
        }
    }

    private mutating func firstBlank(before position: ByteOffset) -> ByteOffset {
        var current = position
        while stepOverBack(&current) != .stopped {
            if !isBlank(current) {
                stepOver(&current)
                break
            }
        }
        return current
    }

    // MARK: Paragraphs

    private mutating func paragraphs(
        at position: ByteOffset, count: Int, around: Bool, _ anchor: ByteOffset?, selectsLines: Bool
    ) -> ObjectSpan? {
        let here = text.lineNumber(at: position)
        let last = LineNumber(text.lineCount - 1)
        if let anchor, text.lineNumber(at: anchor) != here {
            return extendedByParagraphs(from: anchor, line: here, count: count, around: around)
        }
        var start = here
        let startsBlank = text.isBlank(start)
        while start > 0 {
            let blankBefore = text.isBlank(start - 1)
            if startsBlank ? !blankBefore : blankBefore || text.lineRange(start).isEmpty { break }
            start -= 1
        }
        var end = start
        while end <= last, text.isBlank(end) { end += 1 }
        end -= 1
        var left = !around && startsBlank ? count - 1 : count
        while left > 0 {
            left -= 1
            if end == last { return nil }
            let takesBlank = !around && text.isBlank(end + 1)
            if around || !takesBlank {
                end += 1
                while end < last, !text.isBlank(end + 1) { end += 1 }
            }
            if left == 0, startsBlank, around { break }
            if around || takesBlank {
                while end < last, text.isBlank(end + 1) { end += 1 }
            }
        }
        if !startsBlank, !text.isBlank(end), around {
            while start > 0, text.isBlank(start - 1) { start -= 1 }
        }
        if let anchor, selectsLines, start == here, end == here {
            return extendedByParagraphs(from: anchor, line: here, count: count, around: around)
        }
        return ObjectSpan(start: text.lineStart(start), end: text.lineStart(end), kind: .lines)
    }

    private func extendedByParagraphs(
        from anchor: ByteOffset, line: LineNumber, count: Int, around: Bool
    ) -> ObjectSpan? {
        var line = line
        let step = line < text.lineNumber(at: anchor) ? -1 : 1
        let limit = LineNumber(step < 0 ? 0 : text.lineCount - 1)
        for _ in 0..<count {
            if line == limit { return nil }
            var previous: Bool?
            for _ in 0..<2 {
                line += step
                let isBlank = text.isBlank(line)
                if previous == isBlank {
                    line -= step
                    break
                }
                while line != limit, text.isBlank(line + step) == isBlank { line += step }
                if !around || line == limit { break }
                previous = isBlank
            }
        }
        return ObjectSpan(start: anchor, end: text.lineStart(line), kind: .lines)
    }

    // MARK: Brackets

    private mutating func brackets(
        _ opening: UInt8, _ closing: UInt8, at position: ByteOffset, count: Int, around: Bool, _ anchor: ByteOffset?
    ) -> ObjectSpan? {
        var cursor = position
        var (oldStart, oldEnd) = (position, position)
        if let anchor, anchor != position {
            oldStart = min(anchor, position)
            oldEnd = max(anchor, position)
            if anchor < position { cursor = anchor }
        } else {
            if opening == 0x7B { skipIndent(&cursor) }
            if byte(at: cursor) == opening { cursor = next(cursor) }
        }
        var found = unmatched(opening: opening, closing: closing, from: cursor, forward: false)
        if found != nil {
            found = unmatched(opening: opening, closing: closing, from: cursor, count: count, forward: false)
        } else {
            // No brackets are around the position: use the next ones.
            found = cursor
            for _ in 0..<count { found = found.flatMap { nextOpening(opening, closing, from: $0) } }
        }
        guard var start = found,
            var end = unmatched(opening: opening, closing: closing, from: start, forward: true)
        else { return nil }
        var endsLine = false
        while !around {
            var inner = start
            stepOver(&inner)
            cursor = end
            endsLine = isLineStart(cursor)
            stepOverBack(&cursor)
            if opening == 0x7B {
                while isInIndent(cursor), !isLineEnd(cursor) || isLineStart(cursor) {
                    endsLine = true
                    if stepOverBack(&cursor) != .character { break }
                }
            }
            if anchor != nil, inner >= oldStart, oldEnd >= cursor, inner != cursor {
                guard let outer = unmatched(opening: opening, closing: closing, from: start, forward: false),
                    let outerEnd = unmatched(opening: opening, closing: closing, from: outer, forward: true)
                else { return nil }
                (start, end) = (outer, outerEnd)
                continue
            }
            start = inner
            end = cursor
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

    /// Whether only blanks are before a position in its line.
    private mutating func isInIndent(_ position: ByteOffset) -> Bool {
        text.indentEnd(of: text.lineNumber(at: position)) >= position
    }

    private mutating func skipIndent(_ position: inout ByteOffset) {
        while text.indentEnd(of: text.lineNumber(at: position)) > position {
            if step(&position) != .character { return }
        }
    }

    // MARK: Quotes

    private mutating func quotes(
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
