/// Writes a zip of uncompressed files (PKWARE APPNOTE 6.3, 4.3).
///
/// All files get the earliest date that a zip can have, so that equal files make equal zips.
struct ZipWriter {
    private(set) var bytes: [UInt8] = []
    private var list: [UInt8] = []
    private var count = 0

    /// The maximum size of a zip without the larger (Zip64) records.
    static let limit = Int(UInt32.max) - 65_536

    /// Adds a file.
    ///
    /// - Parameter name: the path in ASCII characters, with `/` between folders.
    mutating func add(_ name: String, _ content: [UInt8]) throws(StoreError) {
        guard bytes.count + content.count < Self.limit, count < Int(UInt16.max) else {
            throw .tooLarge(name: name, bytes: bytes.count + content.count, limit: Self.limit)
        }
        var head: [UInt8] = []
        // Version, flags, method, time, date (1 January 1980), checksum, both sizes, lengths of name and extra field.
        for (value, width) in [
            (10, 2), (0, 2), (0, 2), (0, 2), (1 << 5 | 1, 2), (Int(CRC32.of(content)), 4), (content.count, 4),
            (content.count, 4), (name.utf8.count, 2), (0, 2),
        ] { head += Self.number(value, width) }
        list += Self.number(0x0201_4B50, 4) + Self.number(10, 2) + head
        // Length of the comment, disk, internal and external attributes.
        list += Self.number(0, 10) + Self.number(bytes.count, 4) + Array(name.utf8)
        bytes += Self.number(0x0403_4B50, 4) + head + Array(name.utf8) + content
        count += 1
    }

    /// Returns the whole zip.
    func finished() -> [UInt8] {
        let end =
            Self.number(0x0605_4B50, 4) + Self.number(0, 4) + Self.number(count, 2) + Self.number(count, 2)
            + Self.number(list.count, 4) + Self.number(bytes.count, 4) + Self.number(0, 2)
        return bytes + list + end
    }

    private static func number(_ value: Int, _ width: Int) -> [UInt8] {
        (0..<width).map { UInt8(truncatingIfNeeded: $0 < 8 ? value >> (8 * $0) : 0) }
    }
}
