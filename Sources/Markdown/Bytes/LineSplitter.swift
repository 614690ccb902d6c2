/// Walks through a text line by line.
struct LineSplitter {
    let bytes: Bytes
    /// Where the next line starts.
    private(set) var position: Int
    /// Whether the last line ended at a CR without an LF: a line of Markdown ends there, one of a text buffer does not.
    private(set) var endedAtReturn = false

    init(_ bytes: Bytes) {
        self.bytes = bytes
        // A byte order mark is no text.
        position = bytes.startsWithMark ? Bytes.markLength : 0
    }

    /// The next line without its terminator (LF, CRLF or CR), and nil after the last.
    mutating func next() -> Range<Int>? {
        guard position < bytes.count else { return nil }
        let start = position
        let end = lineEnd(from: start)
        position = end
        endedAtReturn = false
        if position < bytes.count {
            position += 1
            if bytes[end] == Byte.carriageReturn, position < bytes.count, bytes[position] == Byte.newline {
                position += 1
            } else {
                endedAtReturn = bytes[end] == Byte.carriageReturn
            }
        }
        return start..<end
    }

    /// Eight bytes at a time: a byte of `word ^ pattern` is zero where the pattern's byte stands.
    private func lineEnd(from start: Int) -> Int {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return start }
        var offset = start
        while offset + 8 <= bytes.count {
            let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let newlines = word ^ 0x0A0A_0A0A_0A0A_0A0A
            let returns = word ^ 0x0D0D_0D0D_0D0D_0D0D
            let ones: UInt64 = 0x0101_0101_0101_0101
            let hits = ((newlines &- ones) & ~newlines | (returns &- ones) & ~returns) & 0x8080_8080_8080_8080
            if hits != 0 { return offset + UInt64(littleEndian: hits).trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < bytes.count, bytes[offset] != Byte.newline, bytes[offset] != Byte.carriageReturn { offset += 1 }
        return offset
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Bytes of a byte order mark.
    static var markLength: Int { 3 }

    var startsWithMark: Bool { has("\u{FEFF}", at: 0) }
}
