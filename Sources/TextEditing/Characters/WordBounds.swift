/// Words in a text.
///
/// Looks at as little of it as it can; a word longer than `longestWord` is passed in several steps.
extension TextBuffer {
    /// Bytes of text that are looked at for the end of one word.
    private static let longestWord = 256 << 10
    /// Bytes that are looked at first: nearly always enough.
    private static let firstWindow = 256

    /// The start of the word before `offset`, past what is no word; the start of the text when there is none.
    public func wordStart(before offset: ByteOffset) -> ByteOffset {
        var window = TextBuffer.firstWindow
        while true {
            let start = scalarStart(atOrBefore: max(0, offset - window))
            let found = lastWord(in: start..<offset)
            // A word that begins where the window does may begin before it.
            if let found, found > start { return found }
            if start == 0 || window >= TextBuffer.longestWord { return found ?? start }
            window *= 4
        }
    }

    private func lastWord(in range: Range<ByteOffset>) -> ByteOffset? {
        withUTF8(in: range) { bytes in
            var scanner = WordScanner(bytes)
            var last: Int?
            while let segment = scanner.next() {
                if segment.kind == .word { last = segment.range.lowerBound }
            }
            return last.map { range.lowerBound + $0 }
        }
    }

    /// The end of the word after `offset`, past what is no word; the end of the text when there is none.
    public func wordEnd(after offset: ByteOffset) -> ByteOffset {
        var window = TextBuffer.firstWindow
        while true {
            let stop = scalarStart(atOrBefore: min(end, offset + window))
            let found = firstWord(in: offset..<stop)
            // A word that ends where the window does may end behind it, and a joiner needs to be looked behind.
            if let found, found + 8 < stop || stop == end { return found }
            if stop == end || window >= TextBuffer.longestWord { return found ?? stop }
            window *= 4
        }
    }

    private func firstWord(in range: Range<ByteOffset>) -> ByteOffset? {
        withUTF8(in: range) { bytes in
            var scanner = WordScanner(bytes)
            while let segment = scanner.next() {
                if segment.kind == .word { return range.lowerBound + segment.range.upperBound }
            }
            return nil
        }
    }

    /// The word, the run of spaces, the run of punctuation or the line break around `offset`; at the end of a line what
    /// stands before it.
    public func wordRange(at offset: ByteOffset) -> Range<ByteOffset> {
        let line = lineRange(lineNumber(at: offset))
        guard !line.isEmpty else { return offset..<offset }
        let target = offset < line.upperBound ? offset : characterStart(before: line.upperBound)
        var window = TextBuffer.firstWindow
        while true {
            let start = max(line.lowerBound, scalarStart(atOrBefore: max(0, target - window)))
            let stop = min(line.upperBound, scalarStart(atOrBefore: min(end, target + window)))
            let found = segment(around: target, in: start..<stop)
            let isWhole =
                (found.lowerBound > start || start == line.lowerBound)
                && (found.upperBound + 8 < stop || stop == line.upperBound)
            if isWhole || window >= TextBuffer.longestWord { return found }
            window *= 4
        }
    }

    private func segment(around offset: ByteOffset, in range: Range<ByteOffset>) -> Range<ByteOffset> {
        withUTF8(in: range) { bytes in
            var scanner = WordScanner(bytes)
            while let segment = scanner.next() {
                if range.lowerBound + segment.range.upperBound > offset {
                    return range.lowerBound + segment.range.lowerBound..<range.lowerBound + segment.range.upperBound
                }
            }
            return offset..<offset
        }
    }
}
