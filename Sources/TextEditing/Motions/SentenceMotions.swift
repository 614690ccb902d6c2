/// Sentences and paragraphs as in vi.
///
/// A sentence ends at `.`, `!` or `?`, any closing marks, and a blank or the end of the line. A paragraph ends at an
/// empty line.
extension TextReader {
    private static let stops: Set<UInt8> = Set(".!?".utf8)
    private static let closers: Set<UInt8> = Set(")]\"'".utf8)

    private mutating func isStop(_ position: ByteOffset) -> Bool { TextReader.stops.contains(byte(at: position)) }
    private mutating func isCloser(_ position: ByteOffset) -> Bool { TextReader.closers.contains(byte(at: position)) }

    /// Moves to the start of the next sentence; true if there is one.
    public mutating func toNextSentence(_ position: inout ByteOffset, count: Int = 1) -> Bool {
        for left in (0..<count).reversed() where !toSentence(&position, forward: true, left: left) { return false }
        return true
    }

    /// Moves to the start of this sentence or the previous one; true if there is one.
    public mutating func toPreviousSentence(_ position: inout ByteOffset, count: Int = 1) -> Bool {
        for left in (0..<count).reversed() where !toSentence(&position, forward: false, left: left) { return false }
        return true
    }

    private mutating func toSentence(_ position: inout ByteOffset, forward: Bool, left: Int) -> Bool {
        while true {
            let start = position
            guard seekSentence(&position, forward: forward, left: left) else { return false }
            if position != start { return true }
            // A sentence that begins with a closing mark is found from its own start, so the search goes on after it.
            if (forward ? stepOver(&position) : stepOverBack(&position)) == .stopped { return left == 0 }
        }
    }

    private mutating func seekSentence(_ position: inout ByteOffset, forward: Bool, left: Int) -> Bool {
        var current = position
        if isLineEnd(current) {
            repeat {
                if (forward ? stepOver(&current) : stepOverBack(&current)) == .stopped {
                    if forward, left > 0 { return false }
                    break
                }
            } while isLineEnd(current)
            if forward { return arrive(&position, at: current) }
        } else if !forward {
            stepOverBack(&current)
        }
        backToText(&current, forward: forward)
        let firstLine = lineStart(current)
        while true {
            if isLineEnd(current) {
                if !forward, lineStart(current) != firstLine { current = min(end, next(lineEnd(current))) }
                break
            }
            if isStop(current), let behind = endOfStop(current) {
                current = behind
                break
            }
            if (forward ? stepOver(&current) : stepOverBack(&current)) == .stopped {
                if left > 0 { return false }
                position = current
                return true
            }
        }
        return arrive(&position, at: current)
    }

    /// Sets the position to `current`, or to the end of the blanks there.
    private mutating func arrive(_ position: inout ByteOffset, at current: ByteOffset) -> Bool {
        position = current
        while isBlank(position) {
            if stepOver(&position) == .stopped { break }
        }
        return true
    }

    /// Moves back over blanks and the marks at the end of a sentence.
    private mutating func backToText(_ current: inout ByteOffset, forward: Bool) {
        var foundStop = false
        while isBlank(current) || isStop(current) || isCloser(current) {
            var before = current
            if stepOverBack(&before) == .stopped || isEmptyLine(before) && forward { break }
            if foundStop { break }
            if isStop(current) { foundStop = true }
            if isCloser(current), !(isStop(before) || isCloser(before)) { break }
            stepOverBack(&current)
        }
    }

    /// The position after a stop, if the stop ends a sentence; nil if it does not.
    private mutating func endOfStop(_ stop: ByteOffset) -> ByteOffset? {
        var position = stop
        var stopped = false
        repeat {
            if step(&position) == .stopped {
                stopped = true
                break
            }
        } while isCloser(position)
        guard stopped || isBlank(position) || isLineEnd(position) else { return nil }
        if isLineEnd(position) { _ = step(&position) }
        return position
    }

    /// The next empty line after a paragraph; nil if the text ends before the last of several paragraphs.
    func paragraphLine(from line: LineNumber, count: Int, forward: Bool) -> LineNumber? {
        var line = line
        for left in (0..<count).reversed() {
            var passedText = false
            var isFirst = true
            while true {
                let isEmpty = text.lineRange(line).isEmpty
                if !isEmpty { passedText = true }
                if !isFirst, passedText, isEmpty { break }
                let next = forward ? line + 1 : line - 1
                if next < 0 || next > lastLine {
                    if left > 0 { return nil }
                    break
                }
                line = next
                isFirst = false
            }
        }
        return line
    }

    /// Moves to the next or previous empty line outside the paragraph; false if there are too few paragraphs.
    ///
    /// In the last line it moves to the last character, and the motion then includes that character.
    public mutating func toParagraph(
        _ position: inout ByteOffset, count: Int, forward: Bool, takesLast: inout Bool
    ) -> Bool {
        guard let line = paragraphLine(from: text.lineNumber(at: position), count: count, forward: forward) else {
            return false
        }
        position = text.lineStart(line)
        if forward, line == lastLine {
            let lineEnd = text.lineEnd(line)
            if lineEnd > position {
                position = previous(lineEnd)
                takesLast = true
            }
        }
        return true
    }
}
