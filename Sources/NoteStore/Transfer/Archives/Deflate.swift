/// Packs bytes as DEFLATE (RFC 1951) with the fixed codes.
///
/// Equal bytes give equal results, and a usual text becomes half as long.
struct Deflate {
    private let input: [UInt8]
    private var output: [UInt8] = []
    private var bits: UInt64 = 0
    private var bitCount = 0

    static func pack(_ bytes: [UInt8]) -> [UInt8] {
        var deflate = Deflate(input: bytes)
        return deflate.run()
    }

    // MARK: - Repetitions

    private static let (minimumLength, maximumLength, maximumDistance) = (3, 258, 32_768)
    /// The maximum number of earlier positions with the same beginning that are compared.
    private static let maximumTries = 24

    private mutating func run() -> [UInt8] {
        // The header of a last block with fixed codes.
        put(0b011, 3)
        var heads = [Int32](repeating: -1, count: 1 << 14)
        var previous = [Int32](repeating: -1, count: input.count)
        func slot(_ offset: Int) -> Int {
            let three = UInt32(input[offset]) << 16 | UInt32(input[offset + 1]) << 8 | UInt32(input[offset + 2])
            return Int((three &* 2_654_435_761) >> 18)
        }
        var offset = 0
        while offset < input.count {
            var (length, distance) = (0, 0)
            if offset + Self.minimumLength <= input.count {
                var candidate = Int(heads[slot(offset)])
                var tries = Self.maximumTries
                while candidate >= 0, offset - candidate <= Self.maximumDistance, tries > 0 {
                    let common = commonLength(candidate, offset)
                    if common > length { (length, distance) = (common, offset - candidate) }
                    (candidate, tries) = (Int(previous[candidate]), tries - 1)
                }
            }
            if length >= Self.minimumLength { putRepetition(length, distance) } else { putLiteral(Int(input[offset])) }
            for step in offset..<(offset + max(length >= Self.minimumLength ? length : 1, 1))
            where step + Self.minimumLength <= input.count {
                let slot = slot(step)
                (previous[step], heads[slot]) = (heads[slot], Int32(step))
            }
            offset += length >= Self.minimumLength ? length : 1
        }
        putLiteral(256)
        if bitCount > 0 { put(0, 8 - bitCount) }
        return output
    }

    private func commonLength(_ one: Int, _ other: Int) -> Int {
        var length = 0
        while length < Self.maximumLength, other + length < input.count, input[one + length] == input[other + length] {
            length += 1
        }
        return length
    }

    // MARK: - Codes

    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let distances = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145,
        8193, 12_289, 16_385, 24_577,
    ]

    private mutating func putRepetition(_ length: Int, _ distance: Int) {
        let code = (Self.lengths.lastIndex { $0 <= length }) ?? 0
        putLiteral(257 + code)
        put(length - Self.lengths[code], code < 8 || code == 28 ? 0 : (code - 4) / 4)
        let far = (Self.distances.lastIndex { $0 <= distance }) ?? 0
        putReversed(far, 5)
        put(distance - Self.distances[far], far < 4 ? 0 : (far - 2) / 2)
    }

    /// Writes a byte, the end (256), or the code of a length.
    private mutating func putLiteral(_ symbol: Int) {
        switch symbol {
        case ..<144: putReversed(0x30 + symbol, 8)
        case ..<256: putReversed(0x190 + symbol - 144, 9)
        case ..<280: putReversed(symbol - 256, 7)
        default: putReversed(0xC0 + symbol - 280, 8)
        }
    }

    /// Writes a code; codes begin with their highest bit, all other numbers with the lowest.
    private mutating func putReversed(_ code: Int, _ count: Int) {
        var (rest, reversed) = (code, 0)
        for _ in 0..<count { (reversed, rest) = (reversed << 1 | rest & 1, rest >> 1) }
        put(reversed, count)
    }

    private mutating func put(_ value: Int, _ count: Int) {
        bits |= UInt64(value) << UInt64(bitCount)
        bitCount += count
        while bitCount >= 8 {
            output.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            bitCount -= 8
        }
    }
}

extension Notebook.Sync {
    /// Returns the bytes compressed; equal bytes give equal results.
    public static func packed(_ bytes: [UInt8]) -> [UInt8] { Deflate.pack(bytes) }

    /// Returns the bytes that were given to `packed`; nil for damaged data, or if they are longer than `limit`.
    public static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        try? Inflate.unpack(bytes, expecting: limit, limit: limit)  // the one reason is damage
    }
}
