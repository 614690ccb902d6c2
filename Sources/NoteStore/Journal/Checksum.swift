/// CRC-32C (Castagnoli), the checksum of iSCSI and of many journals: it detects every error burst of up to 32 bits.
///
/// Bytes can be added in pieces.
struct Checksum {
    private var state: UInt32 = 0xFFFF_FFFF

    /// Eight tables, so that eight bytes are processed at a time ("slicing by eight").
    private static let tables: [UInt32] = {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var value = UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0x82F6_3B78 : value >> 1 }
            tables[byte] = value
        }
        for index in 256..<tables.count {
            let before = tables[index - 256]
            tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }()

    /// The checksum of all bytes so far.
    var value: UInt32 { ~state }

    /// Adds more bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var crc = state
        Self.tables.withUnsafeBufferPointer { table in
            var index = 0
            while index + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                let low = UInt32(truncatingIfNeeded: word) ^ crc
                let high = UInt32(truncatingIfNeeded: word >> 32)
                let first = table[1792 + Int(low & 0xFF)] ^ table[1536 + Int(low >> 8 & 0xFF)]
                let second = table[1280 + Int(low >> 16 & 0xFF)] ^ table[1024 + Int(low >> 24)]
                let third = table[768 + Int(high & 0xFF)] ^ table[512 + Int(high >> 8 & 0xFF)]
                let fourth = table[256 + Int(high >> 16 & 0xFF)] ^ table[Int(high >> 24)]
                crc = first ^ second ^ third ^ fourth
                index += 8
            }
            while index < bytes.count {
                crc = crc >> 8 ^ table[Int((crc ^ UInt32(bytes[index])) & 0xFF)]
                index += 1
            }
        }
        state = crc
    }

    /// Returns the checksum of some bytes.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var sum = Checksum()
        sum.update(bytes)
        return sum.value
    }
}
