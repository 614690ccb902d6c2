import SystemPackage

/// A file in the format gzip (RFC 1952), such as the `.tgz` that Google Takeout offers.
enum Gzip {
    /// Whether a file is a packed tar by its name and its first bytes; a packed text is not an archive.
    static func isTar(_ path: FilePath, _ head: [UInt8]) -> Bool {
        let name = path.lastComponent?.string.lowercased() ?? ""
        return head.starts(with: [0x1F, 0x8B, 0x08]) && (name.hasSuffix(".tgz") || name.hasSuffix(".tar.gz"))
    }

    /// Unpacks a whole file.
    ///
    /// - Throws: `Inflate.Problem.tooLarge` above `limit` bytes; `DamagedArchive`.
    static func unpack(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
        let start = try dataOffset(bytes)
        let end = bytes.count - 8
        guard start <= end else { throw DamagedArchive() }
        let trailer = LittleEndian(bytes: Array(bytes[end...]))
        let (checksum, size) = (try trailer.number(0, 4), try trailer.number(4, 4))
        let unpacked = try Inflate.unpack(Array(bytes[start..<end]), expecting: size, limit: limit)
        // The size is stored without its higher bits.
        guard unpacked.count & 0xFFFF_FFFF == size, Int(CRC32.of(unpacked)) == checksum else { throw DamagedArchive() }
        return unpacked
    }

    /// Returns the offset of the packed data: what comes before is the name of the packed file and the like.
    private static func dataOffset(_ bytes: [UInt8]) throws -> Int {
        guard bytes.count > 10 else { throw DamagedArchive() }
        let flags = bytes[3]
        var offset = 10
        if flags & 4 != 0 { offset += 2 + (try LittleEndian(bytes: Array(bytes.prefix(12))).number(10, 2)) }
        // The name and a comment end in a zero.
        for flag in [8, 16] as [UInt8] where flags & flag != 0 {
            guard offset < bytes.count, let zero = bytes[offset...].firstIndex(of: 0) else { throw DamagedArchive() }
            offset = zero + 1
        }
        return offset + (flags & 2 != 0 ? 2 : 0)
    }
}
