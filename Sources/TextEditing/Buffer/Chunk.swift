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

// MARK: - Line feeds

extension Chunk {
    /// The number of line feeds in the first `count` bytes, counted from the nearer end.
    func lineFeeds(before count: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            count <= bytes.count / 2
                ? bytes.lineFeeds(in: 0..<count) : summary.newlines - bytes.lineFeeds(in: count..<bytes.count)
        }
    }

    /// The offset just after the `number`-th line feed, counted from 1, which is looked for from the nearer end.
    ///
    /// It is 0 for number 0, and the end of the chunk if there are fewer line feeds.
    func offset(afterLineFeed number: Int) -> Int {
        bytes.withUnsafeBufferPointer { bytes in
            let below = summary.newlines - number
            if below < 0 { return bytes.count }
            return below < number ? bytes.offset(afterLineFeedWith: below) : bytes.offset(afterLineFeed: number)
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The number of line feeds in a range; the compiler makes it count 16 bytes at a time.
    fileprivate func lineFeeds(in range: Range<Int>) -> Int {
        guard let base = baseAddress else { return 0 }
        var (start, sum) = (range.lowerBound, 0)
        while start < range.upperBound {
            // Sums of at most 240 ones fit in a byte, and 240 is a multiple of 16.
            let end = Swift.min(start + 240, range.upperBound)
            var feeds: UInt8 = 0
            while start < end {
                feeds &+= base[start] == 0x0A ? 1 : 0
                start &+= 1
            }
            sum += Int(feeds)
        }
        return sum
    }

    /// The offset just after the `number`-th line feed, counted from 1; there must be as many.
    fileprivate func offset(afterLineFeed number: Int) -> Int {
        var position = 0
        for _ in 0..<number {
            guard let next = lineFeed(from: position) else { preconditionFailure("a chunk miscounts its line feeds") }
            position = next + 1
        }
        return position
    }

    /// The offset just after the line feed that has `below` more line feeds below it; there must be as many.
    fileprivate func offset(afterLineFeedWith below: Int) -> Int {
        var end = count
        for _ in 0...below {
            guard let next = lastLineFeed(before: end) else {
                preconditionFailure("a chunk miscounts its line feeds")
            }
            end = next
        }
        return end + 1
    }

    /// The offset of the first line feed at or after `start`.
    func lineFeed(from start: Int) -> Int? {
        guard let base = baseAddress, start < count, let found = memchr(base + start, 0x0A, count - start) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// The offset of the last line feed before `end`; eight bytes at a time are passed over.
    private func lastLineFeed(before end: Int) -> Int? {
        guard let base = baseAddress else { return nil }
        var end = end
        while end >= 8 {
            let bytes = UnsafeRawPointer(base + end - 8).loadUnaligned(as: UInt64.self) ^ 0x0A0A_0A0A_0A0A_0A0A
            // A byte of zero is a line feed; the subtraction borrows into its highest bit.
            guard (bytes &- 0x0101_0101_0101_0101) & ~bytes & 0x8080_8080_8080_8080 == 0 else { break }
            end -= 8
        }
        while end > 0, base[end - 1] != 0x0A { end -= 1 }
        return end > 0 ? end - 1 : nil
    }
}
