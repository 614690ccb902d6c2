/// Iterates over a text line by line; lines end at LF, CRLF or CR.
public struct LineSplitter {
    /// The text.
    public let bytes: UnsafeBufferPointer<UInt8>
    /// The offset at which the next line starts.
    public private(set) var position: Int
    /// Whether the last line ended at a CR without an LF, which ends a Markdown line but not a line of a text buffer.
    public private(set) var endedAtReturn = false

    /// Starts after a byte order mark, if there is one.
    public init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        position = bytes.startsWithMark ? UnsafeBufferPointer<UInt8>.markLength : 0
    }

    /// Returns the range of the next line without its terminator, or `nil` after the last line.
    public mutating func next() -> Range<Int>? {
        guard position < bytes.count else { return nil }
        let start = position
        let end = lineEnd(from: start)
        position = end
        endedAtReturn = false
        if position < bytes.count {
            position += 1
            if bytes[end] == 0x0D, position < bytes.count, bytes[position] == 0x0A {
                position += 1
            } else {
                endedAtReturn = bytes[end] == 0x0D
            }
        }
        return start..<end
    }

    /// Finds the end of a line, eight bytes at a time: a byte of `word ^ pattern` is zero where it equals the pattern's
    /// byte.
    private func lineEnd(from start: Int) -> Int {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return start }
        var offset = start
        while offset + 8 <= bytes.count {
            let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let feeds = word ^ 0x0A0A_0A0A_0A0A_0A0A
            let returns = word ^ 0x0D0D_0D0D_0D0D_0D0D
            let ones: UInt64 = 0x0101_0101_0101_0101
            let hits = ((feeds &- ones) & ~feeds | (returns &- ones) & ~returns) & 0x8080_8080_8080_8080
            if hits != 0 { return offset + UInt64(littleEndian: hits).trailingZeroBitCount / 8 }
            offset += 8
        }
        while offset < bytes.count, bytes[offset] != 0x0A, bytes[offset] != 0x0D { offset += 1 }
        return offset
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The number of bytes in a byte order mark.
    public static var markLength: Int { 3 }

    /// Whether the text begins with a byte order mark.
    public var startsWithMark: Bool { count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF }
}
