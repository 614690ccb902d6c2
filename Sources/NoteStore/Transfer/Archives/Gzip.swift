import SystemPackage

/// A file in the format gzip (RFC 1952), such as the `.tgz` that Google Takeout offers.
enum Gzip {
    /// Whether a file is a packed tar by its name and its first bytes; a packed text is not an archive.
    static func isTar(_ path: FilePath, _ head: [UInt8]) -> Bool {
        let name = path.lastComponent?.string.lowercased() ?? ""
        return head.starts(with: [0x1F, 0x8B, 0x08]) && (name.hasSuffix(".tgz") || name.hasSuffix(".tar.gz"))
    }

    /// Unpacks a whole file: one packed file after the other, as they are when files were joined.
    ///
    /// - Parameters:
    ///   - limit: the maximum size of everything, in bytes.
    ///   - write: takes the unpacked bytes, piece by piece.
    /// - Returns: whether that was all; false if bytes follow that are not packed, which gzip ignores too.
    /// - Throws: `Inflate.Problem`.
    static func unpack(
        _ source: ByteSource, limit: Int, write: @escaping (ArraySlice<UInt8>) throws -> Void
    ) throws -> Bool {
        var (checksum, size) = (CRC32(), 0)
        var inflate = Inflate(source, limit: limit) { bytes in
            checksum.add(bytes)
            size += bytes.count
            try write(bytes)
        }
        var head = try inflate.bytes(2)
        repeat {
            (checksum, size) = (CRC32(), 0)
            try skipHead(of: &inflate, after: head)
            try inflate.run()
            let trailer = LittleEndian(bytes: try inflate.bytes(8))
            // The size is stored without its higher bits.
            guard try trailer.number(0, 4) == Int(checksum.value), try trailer.number(4, 4) == size & 0xFFFF_FFFF else {
                throw Inflate.Problem.damaged
            }
            if try inflate.isAtEnd() { return true }
            head = try inflate.bytes(1)
            if head == [magic[0]], try !inflate.isAtEnd() { head += try inflate.bytes(1) }
        } while head == magic
        // Zeros may follow, with which a tape is filled up.
        return head == [0]
    }

    /// The first bytes of each packed file.
    private static let magic: [UInt8] = [0x1F, 0x8B]

    /// Reads what comes before the packed data, such as the name of the packed file.
    ///
    /// - Parameter first: the first two bytes, which were read already.
    private static func skipHead(of inflate: inout Inflate, after first: [UInt8]) throws {
        let head = first + (try inflate.bytes(8))
        guard head.starts(with: magic + [0x08]) else { throw Inflate.Problem.damaged }
        let flags = head[3]
        if flags & 4 != 0 { _ = try inflate.bytes(LittleEndian(bytes: inflate.bytes(2)).number(0, 2)) }
        // The name and a comment end in a zero.
        for flag in [8, 16] as [UInt8] where flags & flag != 0 { while try inflate.bytes(1) != [0] {} }
        if flags & 2 != 0 { _ = try inflate.bytes(2) }
    }
}
