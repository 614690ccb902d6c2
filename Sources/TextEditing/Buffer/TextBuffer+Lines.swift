extension TextBuffer {
    /// The line that contains `offset`; an offset between CR and LF is before the line's end.
    ///
    /// O(log size).
    public func lineNumber(at offset: ByteOffset) -> LineNumber {
        LineNumber(rope.newlines(before: min(max(offset, 0), end).rawValue))
    }

    /// The start of a line; the end of the text if `line` is the number of lines.
    ///
    /// O(log size).
    public func lineStart(_ line: LineNumber) -> ByteOffset {
        if line <= 0 { return 0 }
        if line.rawValue >= lineCount { return end }
        return ByteOffset(rope.offset(afterNewline: line.rawValue))
    }

    /// The start of the next line, or the end of the text.
    ///
    /// O(log size).
    public func lineEndIncludingTerminator(_ line: LineNumber) -> ByteOffset { lineStart(line + 1) }

    /// The end of the line's text, before its LF or CRLF.
    ///
    /// O(log size).
    public func lineEnd(_ line: LineNumber) -> ByteOffset { lineRange(line).upperBound }

    /// The bytes of a line without its terminator.
    ///
    /// O(log size).
    public func lineRange(_ line: LineNumber) -> Range<ByteOffset> {
        if line >= 0, line.rawValue < lineCount, let range = rope.line(afterNewline: line.rawValue) {
            return ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound)
        }
        let start = lineStart(line)
        let next = lineStart(line + 1)
        guard line.rawValue + 1 < lineCount else { return start..<next }
        return start..<(next - start >= 2 && byte(at: next - 2) == 0x0D ? next - 2 : next - 1)
    }

    /// Calls `body` with the bytes of a line without its terminator.
    ///
    /// O(log size), plus a copy when it spans chunks.
    public func withUTF8<R>(
        of line: LineNumber, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R {
        try withStart(of: line, upTo: .max) { bytes, _ in try body(bytes) }
    }

    /// Calls `body` with at most `limit` bytes from the start of a line, and with the length of the whole line.
    ///
    /// O(log size), plus a copy of these bytes when the line spans chunks.
    public func withStart<R>(
        of line: LineNumber, upTo limit: Int, _ body: (UnsafeBufferPointer<UInt8>, _ length: Int) throws -> R
    ) rethrows -> R {
        // Most lines lie in one chunk, which then is looked up only once.
        if line >= 0, line.rawValue < lineCount, let (chunk, own) = rope.chunk(withLineAfterNewline: line.rawValue) {
            return try chunk.bytes.withUnsafeBufferPointer { bytes in
                let end = own.lowerBound + min(own.count, limit)
                return try body(UnsafeBufferPointer(rebasing: bytes[own.lowerBound..<end]), own.count)
            }
        }
        let range = lineRange(line)
        let end = range.lowerBound + min(range.length, limit)
        return try withUTF8(in: range.lowerBound..<end) { try body($0, range.length) }
    }

    /// The text of a line without its terminator.
    public func string(of line: LineNumber) -> String { string(in: lineRange(line)) }

    /// The number of scalars before `offset`.
    ///
    /// O(log size).
    public func scalarOffset(at offset: ByteOffset) -> Int { rope.scalars(before: offset.rawValue) }

    /// The start of the `scalar`-th scalar (from 0); the end if there are fewer.
    ///
    /// O(log size).
    public func offset(ofScalar scalar: Int) -> ByteOffset { ByteOffset(rope.offset(ofScalar: scalar)) }
}
