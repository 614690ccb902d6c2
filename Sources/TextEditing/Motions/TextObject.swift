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

/// The start, the end and the kind of an object's text.
public struct ObjectSpan: Hashable, Sendable {
    public var start: ByteOffset
    /// The position of the last character or, if `kind` is exclusive, the position after it.
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
    ///   - anchor: The start of a selection that the object extends, whose other end is `position`; nil if there is
    ///     none.
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
            if let anchor, current < anchor {
                guard extendBack(&current, around: around, big: big) else { return nil }
                isInclusive = true
            } else {
                guard let kind = extend(&current, around: around, big: big, isLast: left == 0) else { return nil }
                isInclusive = kind == .inclusive
            }
        }
        if takesBlank, motionClass(current, big: big) != .blank || isLineStart(current) && !isInclusive {
            start = blankBefore(start, big: big)
        }
        return ObjectSpan(start: start, end: current, kind: isInclusive ? .inclusive : .exclusive)
    }

    /// Extends a selection of words backwards by a word or a run of blanks, and returns false if there is none.
    private mutating func extendBack(_ current: inout ByteOffset, around: Bool, big: Bool) -> Bool {
        if stepOverBack(&current) == .stopped { return false }
        if around != (motionClass(current, big: big) != .blank) {
            return toWordStart(&current, big: big, stays: true)
        }
        guard toPreviousWordEnd(&current, big: big, stopsAtLineStart: true) else { return false }
        stepOver(&current)
        return true
    }

    /// Extends a selection of words forwards by a word or a run of blanks; `nil` if there is none.
    private mutating func extend(_ current: inout ByteOffset, around: Bool, big: Bool, isLast: Bool) -> SpanKind? {
        if stepOver(&current) == .stopped { return nil }
        guard around != (motionClass(current, big: big) == .blank) else {
            return toWordEnd(&current, big: big, stays: true, stopsAtEmptyLine: true) ? .inclusive : nil
        }
        guard toNextWord(&current, big: big, stopsAtLineEnd: true) || isLast else { return nil }
        if isLineStart(current) { return .exclusive }
        current = previous(current)
        return .inclusive
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
        var current = position
        _ = toNextSentence(&current)
        if let anchor, anchor != position {
            return extendedBySentences(
                from: anchor, at: (position, position, current), count: count, around: around)
        }
        var start = position
        var probe = position
        while isBlank(probe) { stepOver(&probe) }
        let startsBlank = probe == current
        if startsBlank {
            start = firstBlank(before: start)
        } else {
            _ = toPreviousSentence(&current)
            start = current
        }
        let steps = around ? count * 2 : startsBlank ? count - 1 : count
        if steps > 0 { forward(&current, sentences: steps, fromStart: true) } else { stepOverBack(&current) }
        if around {
            if startsBlank {
                current = firstBlank(before: current)
                if isBlank(current) { stepOverBack(&current) }
            } else if !isBlank(current) {
                start = firstBlank(before: start)
            }
        }
        if let anchor {
            // An empty line is a sentence of its own, and would be selected again and again.
            if start == current {
                return extendedBySentences(from: anchor, at: (start, probe, current), count: count, around: around)
            }
            return ObjectSpan(start: start, end: current, kind: .inclusive)
        }
        let isLast = stepOver(&current) == .stopped
        return ObjectSpan(start: start, end: current, kind: isLast ? .inclusive : .exclusive)
    }

    /// Extends a selection by sentences.
    ///
    /// - Parameter place: The end of the selection, the first character after the blanks there, and the position from
    ///   which to search, at first that of the next sentence.
    private mutating func extendedBySentences(
        from anchor: ByteOffset, at place: (start: ByteOffset, text: ByteOffset, current: ByteOffset), count: Int,
        around: Bool
    ) -> ObjectSpan {
        let count = around ? count * 2 : count
        var (probe, current) = (place.text, place.current)
        if place.start < anchor {
            stepOverBack(&probe)
            var isAtStart = isBlank(from: probe, to: current)
            if !isAtStart {
                _ = toPreviousSentence(&current)
                if current == place.start { isAtStart = true } else { _ = toNextSentence(&current) }
            }
            backward(&current, sentences: count, fromStart: isAtStart, around: around)
        } else {
            stepOver(&probe)
            var isAtStart = true
            if probe != current {
                isAtStart = !isBlank(from: probe, to: current)
                if isAtStart { _ = toPreviousSentence(&current) } else { current = place.start }
            }
            forward(&current, sentences: count, fromStart: isAtStart)
        }
        return ObjectSpan(start: anchor, end: current, kind: .inclusive)
    }

    /// Moves back over sentences and the blanks between them, alternately.
    private mutating func backward(_ current: inout ByteOffset, sentences count: Int, fromStart: Bool, around: Bool) {
        var isAtStart = fromStart
        for _ in 0..<count {
            if isAtStart { current = firstBlank(before: current) }
            if !isAtStart || !around && !isBlank(current) { _ = toPreviousSentence(&current) }
            isAtStart.toggle()
        }
    }

    /// Whether there are only blanks between two positions.
    private mutating func isBlank(from start: ByteOffset, to end: ByteOffset) -> Bool {
        var probe = start
        while probe < end {
            if !isBlank(probe) { return false }
            stepOver(&probe)
        }
        return true
    }

    /// Moves over sentences and the blanks between them, alternately.
    private mutating func forward(_ current: inout ByteOffset, sentences count: Int, fromStart: Bool) {
        var isAtStart = fromStart
        for left in (0..<count).reversed() {
            _ = toNextSentence(&current)
            if isAtStart { current = firstBlank(before: current) }
            if left == 0 || isAtStart { stepOverBack(&current) }
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
        let last = lastLine
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
        var end = start - 1
        while end < last, text.isBlank(end + 1) { end += 1 }
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
        // A line with which the object begins is extended like several lines.
        if let anchor, selectsLines, start == here {
            return extendedByParagraphs(from: anchor, line: here, count: count, around: around)
        }
        return ObjectSpan(start: text.lineStart(start), end: text.lineStart(end), kind: .lines)
    }

    private func extendedByParagraphs(
        from anchor: ByteOffset, line: LineNumber, count: Int, around: Bool
    ) -> ObjectSpan? {
        var line = line
        let step = line < text.lineNumber(at: anchor) ? -1 : 1
        let limit = step < 0 ? 0 : lastLine
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
}
