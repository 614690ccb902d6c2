/// Unpacks data in the format DEFLATE (RFC 1951), up to a size limit.
///
/// It is implemented here because the system's zlib has no module on Linux, and the limit matters more than speed: an
/// archive may come from a stranger.
struct Inflate {
    enum Problem: Error {
        /// The data contradict the format, or end too early.
        case damaged
        case tooLarge
    }

    private let input: UnsafeBufferPointer<UInt8>
    private let limit: Int
    private var position = 0
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    /// - Parameters:
    ///   - expected: the expected size in bytes, as far as it is known; it only saves copying.
    ///   - limit: the maximum size in bytes.
    static func unpack(_ packed: [UInt8], expecting expected: Int, limit: Int) throws(Problem) -> [UInt8] {
        let result: Result<[UInt8], Problem> = packed.withUnsafeBufferPointer { input in
            var inflate = Inflate(input: input, limit: limit)
            // The expected size comes from the stranger too.
            inflate.output.reserveCapacity(min(expected, limit, packed.count * 8 + 1024))
            return Result { () throws(Problem) in
                try inflate.run()
                return inflate.output
            }
        }
        return try result.get()
    }

    private mutating func run() throws(Problem) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try copyStored()
            case 1: try unpackBlock(Self.fixedLiterals, Self.fixedDistances)
            case 2:
                let (literals, distances) = try readTables()
                try unpackBlock(literals, distances)
            default: throw .damaged
            }
        }
    }

    // MARK: - Bits

    private mutating func fill() {
        while bitCount <= 56, position < input.count {
            bits |= UInt64(input[position]) << UInt64(bitCount)
            position += 1
            bitCount += 8
        }
    }

    private mutating func take(_ count: Int) throws(Problem) -> Int {
        if bitCount < count { fill() }
        guard bitCount >= count else { throw .damaged }
        let value = Int(bits & (1 << UInt64(count) - 1))
        bits >>= UInt64(count)
        bitCount -= count
        return value
    }

    /// Copies a block that is not packed: its length, the length's complement, its bytes.
    private mutating func copyStored() throws(Problem) {
        _ = try take(bitCount % 8)
        let length = try take(16)
        guard try take(16) == length ^ 0xFFFF else { throw .damaged }
        for _ in 0..<length {
            let byte = try take(8)
            guard output.count < limit else { throw .tooLarge }
            output.append(UInt8(byte))
        }
    }

    // MARK: - Codes

    /// A Huffman code as a table of all 15-bit prefixes: the symbol and, in the low four bits, its length.
    private struct Code {
        var table: [UInt16]

        /// Makes the canonical code with these lengths; `nil` if there is none.
        init?(_ lengths: [UInt8]) {
            var counts = [Int](repeating: 0, count: 16)
            for length in lengths { counts[Int(length)] += 1 }
            counts[0] = 0
            var next = [Int](repeating: 0, count: 17)
            for length in 1...15 { next[length + 1] = (next[length] + counts[length]) << 1 }
            guard (1...15).allSatisfy({ next[$0] + counts[$0] <= 1 << $0 }) else { return nil }
            table = [UInt16](repeating: 0, count: 1 << 15)
            for (symbol, length) in lengths.enumerated() where length > 0 {
                let length = Int(length)
                let code = next[length]
                next[length] += 1
                // The first bit of a code is its lowest one in the data.
                var reversed = 0
                for bit in 0..<length where code >> bit & 1 == 1 { reversed |= 1 << (length - 1 - bit) }
                for start in stride(from: reversed, to: 1 << 15, by: 1 << length) {
                    table[start] = UInt16(symbol) << 4 | UInt16(length)
                }
            }
        }
    }

    private mutating func symbol(_ code: Code) throws(Problem) -> Int {
        if bitCount < 15 { fill() }
        let entry = code.table[Int(bits & 0x7FFF)]
        let length = Int(entry & 15)
        guard length > 0, length <= bitCount else { throw .damaged }
        bits >>= UInt64(length)
        bitCount -= length
        return Int(entry >> 4)
    }

    private static let fixedLiterals = Code(
        (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    private static let fixedDistances = Code([UInt8](repeating: 5, count: 30))

    /// The order of the lengths of the code for lengths (RFC 1951, 3.2.7).
    private static let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private mutating func readTables() throws(Problem) -> (Code?, Code?) {
        let literalCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let lengthCount = try take(4) + 4
        var lengths = [UInt8](repeating: 0, count: 19)
        for index in 0..<lengthCount { lengths[Self.order[index]] = UInt8(try take(3)) }
        guard let code = Code(lengths) else { throw .damaged }
        var all: [UInt8] = []
        while all.count < literalCount + distanceCount {
            switch try symbol(code) {
            case let length where length < 16: all.append(UInt8(length))
            case 16:
                guard let last = all.last else { throw .damaged }
                all += [UInt8](repeating: last, count: try take(2) + 3)
            case 17: all += [UInt8](repeating: 0, count: try take(3) + 3)
            default: all += [UInt8](repeating: 0, count: try take(7) + 11)
            }
        }
        guard all.count == literalCount + distanceCount else { throw .damaged }
        return (Code(Array(all[..<literalCount])), Code(Array(all[literalCount...])))
    }

    /// The smallest length or distance of each symbol, and the number of its extra bits (RFC 1951, 3.2.5).
    private static let lengths = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227,
        258,
    ]
    private static let lengthBits = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    private static let distances = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
        6145, 8193, 12289, 16385, 24577,
    ]
    private static let distanceBits = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
    ]

    private mutating func unpackBlock(_ literals: Code?, _ distances: Code?) throws(Problem) {
        guard let literals, let distances else { throw .damaged }
        while true {
            let symbol = try symbol(literals)
            if symbol < 256 {
                guard output.count < limit else { throw .tooLarge }
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < Self.lengths.count else { throw .damaged }
            let length = Self.lengths[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
            let far = try self.symbol(distances)
            guard far < Self.distances.count else { throw .damaged }
            let distance = Self.distances[far] + (try take(Self.distanceBits[far]))
            guard distance <= output.count else { throw .damaged }
            guard output.count + length <= limit else { throw .tooLarge }
            let start = output.count - distance
            for offset in 0..<length { output.append(output[start + offset]) }
        }
    }
}
