#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The counts of a piece of text; the rope keeps their sums in its nodes.
struct TextSummary: Equatable, Sendable {
    /// The number of UTF-8 bytes.
    var bytes = 0
    /// The number of line feeds (0x0A).
    var newlines = 0
    /// The number of Unicode scalars; equal to `bytes` if the text is ASCII.
    var scalars = 0

    init() {}

    /// Counts `text`.
    ///
    /// O(bytes), about a tenth of a nanosecond each.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        guard let base = text.baseAddress else { return }
        bytes = text.count
        var start = 0
        while start < text.count {
            // Sums of at most 255 ones fit in a byte each, which lets the compiler count 16 bytes at a time.
            let end = min(start + 255, text.count)
            var (feeds, heads): (UInt8, UInt8) = (0, 0)
            while start < end {
                feeds &+= base[start] == 0x0A ? 1 : 0
                heads &+= Int8(bitPattern: base[start]) >= -64 ? 1 : 0
                start &+= 1
            }
            newlines += Int(feeds)
            scalars += Int(heads)
        }
    }

    mutating func add(_ other: Self) {
        bytes += other.bytes
        newlines += other.newlines
        scalars += other.scalars
    }

    mutating func subtract(_ other: Self) {
        bytes -= other.bytes
        newlines -= other.newlines
        scalars -= other.scalars
    }
}

/// A leaf of the rope: about a kilobyte of text, cut between scalars.
struct Chunk: Sendable {
    private(set) var bytes: ContiguousArray<UInt8>
    private(set) var summary: TextSummary

    /// The number of bytes in a chunk of a newly built rope; it can grow and shrink before the tree must change.
    static let builtSize = 1024
    /// The largest number of bytes in a chunk.
    ///
    /// Moving 1.5 KB on a keystroke costs about 30 ns, less than finding the chunk.
    static let maximumSize = 1536
    /// The number of bytes below which a chunk is joined with its neighbour.
    ///
    /// Two joined chunks that overflow are cut into halves of at least 768 bytes, less at most three bytes to reach the
    /// start of a scalar, so halves are never too small.
    static let minimumSize = 512

    init(_ text: UnsafeBufferPointer<UInt8>) {
        bytes = ContiguousArray(text)
        summary = TextSummary(text)
    }

    private init(bytes: ContiguousArray<UInt8>) {
        self.bytes = bytes
        summary = bytes.withUnsafeBufferPointer { TextSummary($0) }
    }

    /// Whether every byte is ASCII.
    var isASCII: Bool { summary.scalars == summary.bytes }

    /// Replaces a range of bytes in place; the result must stay within `maximumSize`.
    mutating func replace(_ range: Range<Int>, with text: UnsafeBufferPointer<UInt8>) {
        bytes.withUnsafeBufferPointer { old in
            summary.subtract(TextSummary(UnsafeBufferPointer(rebasing: old[range])))
        }
        summary.add(TextSummary(text))
        bytes.reserveCapacity(Chunk.maximumSize)
        bytes.replaceSubrange(range, with: text)
    }

    /// Keeps the bytes before `offset` and returns the rest.
    mutating func split(at offset: Int) -> Chunk {
        let tail = Chunk(bytes: ContiguousArray(bytes[offset...]))
        bytes.removeSubrange(offset...)
        summary.subtract(tail.summary)
        return tail
    }

    /// Appends all of `next`, or evens out both if they do not fit in one chunk; true if `next` is now empty.
    mutating func joinOrEven(with next: inout Chunk) -> Bool {
        let total = bytes.count + next.bytes.count
        guard total > Chunk.maximumSize else {
            bytes.append(contentsOf: next.bytes)
            summary.add(next.summary)
            next = Chunk(bytes: [])
            return true
        }
        var all = Chunk(bytes: bytes + next.bytes)
        next = all.split(at: all.scalarStart(atOrBefore: total / 2))
        self = all
        return false
    }

    /// The start of the scalar around `offset`.
    func scalarStart(atOrBefore offset: Int) -> Int {
        var offset = offset
        while offset > 0, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }

    /// Cuts a text into chunks of about `builtSize`, each of at least `minimumSize` unless the text is shorter.
    static func chunks(of text: UnsafeBufferPointer<UInt8>) -> [Chunk] {
        var result: [Chunk] = []
        result.reserveCapacity(text.count / builtSize + 1)
        var start = 0
        while start < text.count {
            var end = start + builtSize
            if end + minimumSize > text.count { end = text.count }
            while end < text.count, text[end] & 0xC0 == 0x80 { end -= 1 }
            result.append(Chunk(UnsafeBufferPointer(rebasing: text[start..<end])))
            start = end
        }
        return result
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The number of line feeds in the first `count` bytes; the compiler makes it count 16 bytes at a time.
    func lineFeeds(before count: Int) -> Int {
        guard let base = baseAddress else { return 0 }
        var (start, sum) = (0, 0)
        while start < count {
            let end = Swift.min(start + 255, count)
            var feeds: UInt8 = 0
            while start < end {
                feeds &+= base[start] == 0x0A ? 1 : 0
                start &+= 1
            }
            sum += Int(feeds)
        }
        return sum
    }

    /// The offset just after the `number`-th line feed, counted from 1; the end if there are fewer.
    func offset(afterLineFeed number: Int) -> Int {
        var left = number
        var position = 0
        while left > 0 {
            guard let next = lineFeed(from: position) else { return count }
            position = next + 1
            left -= 1
        }
        return position
    }

    /// The offset of the first line feed at or after `start`.
    func lineFeed(from start: Int) -> Int? {
        guard let base = baseAddress, start < count, let found = memchr(base + start, 0x0A, count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
