/// A text as lines of UTF-8 bytes, independent of how it is stored.
public protocol LineSource {
    /// The number of lines, at least 1: an empty text is one empty line.
    var lineCount: Int { get }

    /// Calls `body` with the bytes of line `index` (0-based), without its terminator. Calls may nest.
    func withLine<R>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R

    /// Calls `body` with line `index`, cut to its first `limit` bytes if it is longer, and with the line's full length.
    func withStart<R>(
        of index: Int, upTo limit: Int, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> R
    ) rethrows -> R

    /// The length of line `index` in bytes, without its terminator.
    func length(of index: Int) -> Int

    /// Calls `body` with the bytes `range` of line `index`; an implementation need not read the rest of a long line.
    func withPart<R>(
        of index: Int, _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R
}

extension LineSource {
    public func withStart<R>(
        of index: Int, upTo limit: Int, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> R
    ) rethrows -> R {
        try withLine(index) { try body(UnsafeBufferPointer(rebasing: $0.prefix(limit)), $0.count) }
    }

    public func length(of index: Int) -> Int { withLine(index) { $0.count } }

    public func withPart<R>(
        of index: Int, _ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) throws -> R
    ) rethrows -> R {
        try withLine(index) { try body(UnsafeBufferPointer(rebasing: $0[range])) }
    }
}

/// The lines of a string; lines end at LF or CRLF.
public struct StringLines: LineSource, Sendable {
    private let bytes: [UInt8]
    private let lines: [Range<Int>]

    public init(_ text: String) {
        let bytes = Array(text.utf8)
        var lines: [Range<Int>] = []
        var start = 0
        for offset in bytes.indices where bytes[offset] == Byte.newline {
            let end = offset > start && bytes[offset - 1] == Byte.carriageReturn ? offset - 1 : offset
            lines.append(start..<end)
            start = offset + 1
        }
        lines.append(start..<bytes.count)
        self.bytes = bytes
        self.lines = lines
    }

    public var lineCount: Int { lines.count }

    public func withLine<R>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R {
        try bytes.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[lines[index]])) }
    }
}
