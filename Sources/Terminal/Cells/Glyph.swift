import Synchronization

/// A grapheme cluster as a number: clusters are equal exactly if their numbers are.
///
/// Up to 8 bytes of UTF-8 are the number itself, first byte lowest. For a longer cluster the lowest byte is 0xFF, which
/// never occurs in UTF-8, and the bits above are its index in `GlyphTable`.
struct Glyph: Hashable, Sendable {
    let packed: UInt64

    static let none = Glyph(packed: 0)
    static let space = Glyph(packed: 0x20)

    init(packed: UInt64) {
        self.packed = packed
    }

    /// Packs a cluster of any length; only one of more than 8 bytes needs a table lookup.
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.count == 1 {
            packed = UInt64(bytes[0])
            return
        }
        guard bytes.count > 8 else {
            var value: UInt64 = 0
            for (index, byte) in bytes.enumerated() {
                value |= UInt64(byte) << UInt64(8 * index)
            }
            packed = value
            return
        }
        packed = GlyphTable.shared.withLock { $0.number(of: bytes) }
    }

    var isInterned: Bool { packed & 0xFF == 0xFF }

    /// Appends the UTF-8 of the cluster.
    @inline(__always)
    func append(to output: inout [UInt8]) {
        if packed < 0x80 {
            output.append(UInt8(truncatingIfNeeded: packed))
        } else {
            appendLong(to: &output)
        }
    }

    private func appendLong(to output: inout [UInt8]) {
        if isInterned {
            GlyphTable.shared.withLock { output += $0.clusters[Int(packed >> 8)] }
            return
        }
        var rest = packed
        while rest != 0 {
            output.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Whether the cluster is one scalar; one of more than 8 bytes never is.
    var isSingleScalar: Bool {
        switch UInt8(truncatingIfNeeded: packed) {
        case ..<0x80: packed < 0x100
        case ..<0xE0: packed >> 16 == 0
        case ..<0xF0: packed >> 24 == 0
        case ..<0xF8: packed >> 32 == 0
        default: false
        }
    }

    /// The number of UTF-8 bytes.
    var byteCount: Int {
        if isInterned { return GlyphTable.shared.withLock { $0.clusters[Int(packed >> 8)].count } }
        return (64 - packed.leadingZeroBitCount + 7) / 8
    }

    var text: String {
        var bytes: [UInt8] = []
        if packed != 0 { append(to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The clusters that are too long to be packed into a number, shared by all screens of the process.
struct GlyphTable: Sendable {
    static let shared = Mutex(GlyphTable())

    /// The most clusters that the table holds, more than any notebook shows.
    ///
    /// Later ones are drawn as U+FFFD, so that memory is bounded.
    static let limit = 65_536

    fileprivate(set) var clusters: [[UInt8]] = []
    private var numbers: [UInt64: Int] = [:]

    /// Finds or adds `bytes` and returns the packed glyph.
    mutating func number(of bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        // FNV-1a; if two clusters have the same hash, the second takes the next free key.
        var key = bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        while let found = numbers[key] {
            if clusters[found].elementsEqual(bytes) { return UInt64(found) << 8 | 0xFF }
            key &+= 1
        }
        guard clusters.count < GlyphTable.limit else { return 0xBD_BFEF }
        numbers[key] = clusters.count
        clusters.append(Array(bytes))
        return UInt64(clusters.count - 1) << 8 | 0xFF
    }
}
