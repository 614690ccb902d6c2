/// Unpacks data in the format DEFLATE (RFC 1951), up to a size limit.
///
/// It is implemented here because the system's zlib has no module on Linux, and the limit matters more than speed: an
/// archive may come from a stranger.
struct Inflate {
    enum Problem: Error {
        /// The data contradict the format, or end too early.
        case damaged
        case tooLarge
        /// The data cannot be read, or the unpacked bytes cannot be written.
        case failed(any Error)
    }

    /// The source of the data, and the offset of what has not been read of it.
    private let source: ByteSource
    private var offset: Int
    /// The piece of the data that was read last, and the position in it.
    private var input: [UInt8] = []
    private var position = 0
    private let limit: Int
    private var bits: UInt64 = 0
    private var bitCount = 0
    private var output: [UInt8] = []
    /// Takes unpacked bytes while there are more to come; nil if all of them are kept.
    private let write: ((ArraySlice<UInt8>) throws -> Void)?
    /// The number of bytes that were given to `write`.
    private var written = 0

    /// The number of bytes that are read at once.
    private static let piece = 65_536
    /// The maximum distance of a repetition (RFC 1951, 3.2.5), and the number of unpacked bytes above which they are
    /// written.
    private static let (window, bufferSize) = (32_768, 1 << 20)

    /// - Parameters:
    ///   - limit: the maximum size of everything that is unpacked, in bytes.
    ///   - write: takes the unpacked bytes, piece by piece.
    init(_ source: ByteSource, limit: Int, write: ((ArraySlice<UInt8>) throws -> Void)? = nil) {
        (self.source, self.limit, self.write) = (source, limit, write)
        offset = 0
    }

    /// - Parameters:
    ///   - expected: the expected size in bytes, as far as it is known; it only saves copying.
    ///   - limit: the maximum size in bytes.
    static func unpack(_ packed: [UInt8], expecting expected: Int, limit: Int) throws(Problem) -> [UInt8] {
        var inflate = Inflate(.memory(packed), limit: limit)
        // The expected size comes from the stranger too.
        inflate.output.reserveCapacity(min(expected, limit, packed.count * 8 + 1024))
        try inflate.run()
        return inflate.output
    }

    /// Unpacks what comes next, to its end.
    mutating func run() throws(Problem) {
        try unpackBlocks()
        try writeOutput(keeping: 0)
    }

    /// Returns the next bytes of the data themselves, from a whole byte on.
    mutating func bytes(_ count: Int) throws(Problem) -> [UInt8] {
        _ = try take(bitCount % 8)
        var bytes: [UInt8] = []
        for _ in 0..<count { bytes.append(UInt8(try take(8))) }
        return bytes
    }

    /// Whether no bytes are left.
    mutating func isAtEnd() throws(Problem) -> Bool {
        try fill()
        return bitCount < 8
    }

    /// Gives the unpacked bytes away, except those that the following ones may repeat.
    private mutating func writeOutput(keeping kept: Int) throws(Problem) {
        guard let write, output.count > kept else { return }
        do {
            try write(output[..<(output.count - kept)])
        } catch {
            throw .failed(error)
        }
        written += output.count - kept
        output.removeFirst(output.count - kept)
    }

    private mutating func unpackBlocks() throws(Problem) {
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

    private mutating func fill() throws(Problem) {
        while bitCount <= 56 {
            if position == input.count, try !readPiece() { return }
            bits |= UInt64(input[position]) << UInt64(bitCount)
            position += 1
            bitCount += 8
        }
    }

    /// Reads the next piece of the data; returns false at the end.
    private mutating func readPiece() throws(Problem) -> Bool {
        do {
            // Bytes in memory need not be copied.
            if case .memory(let bytes) = source, offset == 0 {
                input = bytes
            } else {
                input = try source.bytes(at: offset, count: min(Self.piece, source.count - offset))
            }
        } catch {
            throw .failed(error)
        }
        offset += input.count
        position = 0
        return !input.isEmpty
    }

    private mutating func take(_ count: Int) throws(Problem) -> Int {
        if bitCount < count { try fill() }
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
            guard written + output.count < limit else { throw .tooLarge }
            output.append(UInt8(byte))
        }
        if output.count > Self.bufferSize { try writeOutput(keeping: Self.window) }
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
        if bitCount < 15 { try fill() }
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
            if output.count > Self.bufferSize { try writeOutput(keeping: Self.window) }
            let symbol = try symbol(literals)
            if symbol < 256 {
                guard written + output.count < limit else { throw .tooLarge }
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
            guard written + output.count + length <= limit else { throw .tooLarge }
            let start = output.count - distance
            for offset in 0..<length { output.append(output[start + offset]) }
        }
    }
}
