import TextPrimitives

extension TextBuffer {
    /// The end of the character (grapheme cluster) that starts at `offset`; the end of the text at its end.
    ///
    /// CRLF is one character. Reads only the character, not the line.
    public func characterEnd(after offset: ByteOffset) -> ByteOffset {
        guard offset < end else { return end }
        var span = 16
        while true {
            let stop = scalarStart(atOrBefore: min(offset + span, end))
            let length = withUTF8(in: offset..<stop) { $0.isEmpty ? 0 : Clusters.end(from: 0, in: $0) }
            if length > 0, offset + length < stop || stop == end { return offset + length }
            span *= 4
        }
    }

    /// The start of the character that ends at `offset`; the start of the text at its start.
    public func characterStart(before offset: ByteOffset) -> ByteOffset {
        guard offset > 0 else { return 0 }
        var span = 32
        while true {
            let start = scalarStart(atOrBefore: max(offset - span, 0))
            let found = withUTF8(in: start..<offset) { Clusters.startOfLast(in: $0) }
            // A cluster that starts at the span's start may begin before it.
            if found.start > 0 && found.isSure || start == 0 || span > TextBuffer.maximumRunLength {
                return start + found.start
            }
            span *= 4
        }
    }

    /// The most bytes to read backwards for the start of a run of marks, which decides how the run is divided into
    /// characters.
    private static let maximumRunLength = 8192

    /// `offset` if a character starts there, else the start of the character around it.
    public func characterBoundary(atOrBefore offset: ByteOffset) -> ByteOffset {
        let offset = min(max(offset, 0), end)
        if offset == 0 || offset == end || isBetweenASCII(offset) { return offset }
        let start = characterStart(before: scalarEnd(after: scalarStart(atOrBefore: offset)))
        return characterEnd(after: start) <= offset ? offset : start
    }

    /// Whether an offset within the text is between two ASCII characters, and not within CRLF.
    private func isBetweenASCII(_ offset: ByteOffset) -> Bool {
        withUTF8(in: offset - 1..<offset + 1) { bytes in
            bytes[0] < 0x80 && bytes[1] < 0x80 && !(bytes[0] == 0x0D && bytes[1] == 0x0A)
        }
    }

    /// The start of the scalar around `offset`.
    func scalarStart(atOrBefore offset: ByteOffset) -> ByteOffset {
        var offset = offset
        while offset > 0, let byte = byte(at: offset), byte & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }

    /// The end of the scalar that starts at `offset`.
    func scalarEnd(after offset: ByteOffset) -> ByteOffset {
        guard let byte = byte(at: offset) else { return end }
        return offset + Clusters.scalarLength(byte)
    }

    /// The number of characters between the start of the line and `offset`.
    ///
    /// O(log size) where all of them are ASCII, else O(distance).
    public func characterColumn(at offset: ByteOffset) -> CharacterColumn {
        let start = lineStart(lineNumber(at: offset))
        if isASCII(start..<offset) { return CharacterColumn(offset - start) }
        return withUTF8(in: start..<offset) { bytes in
            var (position, count) = (0, 0)
            while position < bytes.count {
                position = Clusters.end(from: position, in: bytes)
                count += 1
            }
            return CharacterColumn(count)
        }
    }

    /// The position `column` characters into a line, at most its end.
    ///
    /// O(log size) where the line is ASCII, else O(line).
    public func offset(of column: CharacterColumn, in line: LineNumber) -> ByteOffset {
        let range = lineRange(line)
        if isASCII(range) { return min(range.lowerBound + column.rawValue, range.upperBound) }
        return withUTF8(in: range) { bytes in
            var (position, left) = (0, column.rawValue)
            while position < bytes.count, left > 0 {
                position = Clusters.end(from: position, in: bytes)
                left -= 1
            }
            return range.lowerBound + position
        }
    }

    /// Whether a range has as many scalars as bytes.
    ///
    /// O(log size).
    func isASCII(_ range: Range<ByteOffset>) -> Bool {
        scalarOffset(at: range.upperBound) - scalarOffset(at: range.lowerBound) == range.length
    }
}
