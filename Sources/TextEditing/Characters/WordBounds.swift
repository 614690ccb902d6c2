/// Words in a text.
///
/// Motions read as little of the text as possible; they pass a word longer than `maximumWordLength` in several steps.
extension TextBuffer {
    /// The most bytes that are read to find the end of one word.
    private static let maximumWordLength = 256 << 10
    /// The number of bytes that are read first; nearly always enough.
    private static let firstSpan = 256

    /// The start of the word before `offset`, skipping spaces and punctuation; the start of the text if there is none.
    func wordStart(before offset: ByteOffset) -> ByteOffset {
        var span = TextBuffer.firstSpan
        while true {
            let start = scalarStart(atOrBefore: max(0, offset - span))
            let found = lastWord(in: start..<offset)
            // A word that starts at the span's start may begin before it.
            if let found, found > start { return found }
            if start == 0 || span >= TextBuffer.maximumWordLength { return found ?? start }
            span *= 4
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

    /// The end of the word after `offset`, skipping spaces and punctuation; the end of the text if there is none.
    func wordEnd(after offset: ByteOffset) -> ByteOffset {
        var span = TextBuffer.firstSpan
        while true {
            let stop = scalarStart(atOrBefore: min(end, offset + span))
            let found = firstWord(in: offset..<stop)
            // A word that ends near the span's end may continue after it, for example after a joiner.
            if let found, found + 8 < stop || stop == end { return found }
            if stop == end || span >= TextBuffer.maximumWordLength { return found ?? stop }
            span *= 4
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

    /// The word, run of spaces or run of punctuation around `offset`.
    ///
    /// At the end of a line it is the segment before `offset`; on an empty line it is empty.
    public func wordRange(at offset: ByteOffset) -> Range<ByteOffset> {
        let line = lineRange(lineNumber(at: offset))
        guard !line.isEmpty else { return offset..<offset }
        let target = offset < line.upperBound ? offset : characterStart(before: line.upperBound)
        var span = TextBuffer.firstSpan
        while true {
            let start = max(line.lowerBound, scalarStart(atOrBefore: max(0, target - span)))
            let stop = min(line.upperBound, scalarStart(atOrBefore: min(end, target + span)))
            let found = segment(around: target, in: start..<stop)
            let isWhole =
                (found.lowerBound > start || start == line.lowerBound)
                && (found.upperBound + 8 < stop || stop == line.upperBound)
            if isWhole || span >= TextBuffer.maximumWordLength { return found }
            span *= 4
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
