/// A text as lines of UTF-8 bytes, wherever it is kept.
public protocol LineSource {
    /// At least 1: an empty text is one empty line.
    var lineCount: Int { get }

    /// Calls `body` with the bytes of line `index` (0-based), without its terminator. Calls may nest.
    func withLine<R>(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) throws -> R) rethrows -> R

    /// Calls `body` with line `index`, or with its first `limit` bytes when it is longer, and with its length.
    func withStart<R>(
        of index: Int, upTo limit: Int, _ body: (UnsafeBufferPointer<UInt8>, Int) throws -> R
    ) rethrows -> R

    /// Bytes of line `index`, without its terminator.
    func length(of index: Int) -> Int

    /// Calls `body` with a part of line `index`, in bytes of it; of a line of megabytes, that is all that is touched.
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
