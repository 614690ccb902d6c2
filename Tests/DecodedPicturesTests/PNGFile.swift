/// Writes a PNG of any colour type byte by byte, without compression.
struct PNGFile {
    var width: Int
    var height: Int
    var depth: UInt8 = 8
    /// 0 grey, 2 colours, 3 a palette, 4 grey with alpha, 6 colours with alpha.
    var colorType: UInt8 = 2
    var isInterlaced = false
    /// The chunks between the header and the pixels.
    var chunks: [(name: String, data: [UInt8])] = []
    /// The rows, without the bytes that name their filters.
    var rows: [[UInt8]] = []

    var bytes: [UInt8] {
        let header = Self.number(width) + Self.number(height) + [depth, colorType, 0, 0, isInterlaced ? 1 : 0]
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
        for (name, data) in chunks { file += Self.chunk(name, data) }
        return file + Self.chunk("IDAT", Self.stored(rows.flatMap { [0] + $0 })) + Self.chunk("IEND", [])
    }

    private static func number(_ value: Int) -> [UInt8] {
        stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + data
        return number(data.count) + content + number(Int(crc(content)))
    }

    /// A zlib stream of one stored block (RFC 1950 and 1951), so at most 65,535 bytes.
    private static func stored(_ data: [UInt8]) -> [UInt8] {
        let length = [UInt8(data.count & 0xFF), UInt8(data.count >> 8)]
        var (one, two) = (1, 0)
        for byte in data {
            one = (one + Int(byte)) % 65_521
            two = (two + one) % 65_521
        }
        return [0x78, 0x01, 1] + length + length.map { ~$0 } + data + number(two << 16 | one)
    }

    /// The checksum of PNG (W3C PNG, annex D).
    private static func crc(_ data: [UInt8]) -> UInt32 {
        ~data.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
    }
}
