import Foundation

/// Reads the list of files at the end of a zip (PKWARE APPNOTE 6.3, 4.3).
enum ZipList {
    /// The files of an archive, the names of those that cannot be read, and the names of links.
    typealias List = (entries: [ArchiveFiles.Entry], locked: [String], links: [String])

    static func read(_ source: ByteSource) throws -> List {
        let (count, length, offset) = try end(source)
        guard count <= ArchiveFiles.maximumFiles, length <= ArchiveFiles.maximumListSize else {
            throw StoreError.tooLarge(name: Texts.listOfZip, bytes: length, limit: ArchiveFiles.maximumListSize)
        }
        let list = LittleEndian(bytes: try source.bytes(at: offset, count: length))
        var result: List = ([], [], [])
        var position = 0
        for _ in 0..<count {
            guard try list.number(position, 4) == 0x0201_4B50 else { throw DamagedArchive() }
            let flags = try list.number(position + 8, 2)
            let nameLength = try list.number(position + 28, 2)
            let extraLength = try list.number(position + 30, 2)
            let commentLength = try list.number(position + 32, 2)
            let nameStart = position + 46
            guard nameStart + nameLength + extraLength <= list.bytes.count else { throw DamagedArchive() }
            let name = Self.name(Array(list.bytes[nameStart..<nameStart + nameLength]))
            var sizes = [try list.number(position + 24, 4), try list.number(position + 20, 4)]
            var header = try list.number(position + 42, 4)
            try readLarge(list, nameStart + nameLength, extraLength, &sizes, &header)
            let method = try list.number(position + 10, 2)
            defer { position = nameStart + nameLength + extraLength + commentLength }
            if name.hasSuffix("/") { continue }
            if try isLink(list, position) {
                result.links.append(name)
                continue
            }
            if flags & 1 != 0 || method != 0 && method != 8 {
                result.locked.append(name)
                continue
            }
            result.entries.append(
                ArchiveFiles.Entry(
                    names: .init(inArchive: name), size: sizes[0],
                    modified: try date(list.number(position + 14, 2), list.number(position + 12, 2)), offset: header,
                    packedSize: sizes[1], method: method,
                    checksum: UInt32(truncatingIfNeeded: try list.number(position + 16, 4))))
        }
        return result
    }

    /// Whether the entry at a position of the list is a symbolic link, whose content is the path to which it leads.
    private static func isLink(_ list: LittleEndian, _ position: Int) throws -> Bool {
        // The attributes are those of Unix if such a system has made the entry; 19 is macOS.
        let system = try list.number(position + 5, 1)
        return try (system == 3 || system == 19) && list.number(position + 38, 4) >> 28 == 0o12
    }

    /// Returns the offset of a file's bytes, which follow its own header.
    static func dataOffset(_ source: ByteSource, headerAt offset: Int) throws -> Int {
        let header = LittleEndian(bytes: try source.bytes(at: offset, count: 30))
        guard try header.number(0, 4) == 0x0403_4B50 else { throw DamagedArchive() }
        return offset + 30 + (try header.number(26, 2)) + (try header.number(28, 2))
    }

    /// Returns the number of files in the list, and the list's length and offset.
    private static func end(_ source: ByteSource) throws -> (Int, Int, Int) {
        let size = source.count
        let count = min(size, 22 + 65_535)
        let tail = LittleEndian(bytes: try source.bytes(at: size - count, count: count))
        // A number that cannot be read is beyond the end, and so it is not a signature.
        guard count >= 22,
            let end = (0...count - 22).reversed().first(where: { (try? tail.number($0, 4)) == 0x0605_4B50 })
        else { throw DamagedArchive() }
        var found = (
            try tail.number(end + 10, 2), try tail.number(end + 12, 4), try tail.number(end + 16, 4)
        )
        // A large archive has a larger record, whose locator precedes this one.
        if end >= 20, try tail.number(end - 20, 4) == 0x0706_4B50 {
            let record = LittleEndian(bytes: try source.bytes(at: tail.number(end - 20 + 8, 8), count: 56))
            guard try record.number(0, 4) == 0x0606_4B50 else { throw DamagedArchive() }
            found = (try record.number(32, 8), try record.number(40, 8), try record.number(48, 8))
        }
        return found
    }

    /// Reads the sizes that do not fit into four bytes from the extra field with the number 1.
    private static func readLarge(
        _ list: LittleEndian, _ start: Int, _ length: Int, _ sizes: inout [Int], _ header: inout Int
    ) throws {
        var position = start
        while position + 4 <= start + length {
            let size = try list.number(position + 2, 2)
            if try list.number(position, 2) == 1 {
                var field = position + 4
                for index in 0..<2 where sizes[index] == 0xFFFF_FFFF {
                    sizes[index] = try list.number(field, 8)
                    field += 8
                }
                if header == 0xFFFF_FFFF { header = try list.number(field, 8) }
            }
            position += 4 + size
        }
    }

    /// Returns a name in UTF-8, or in the encoding of MS-DOS, in which Windows writes names (APPNOTE, appendix D).
    private static func name(_ bytes: [UInt8]) -> String {
        let name = String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(scalar)))
        return name.replacing("\0", with: "")
    }

    /// Returns the character of a byte in code page 437.
    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        byte < 0x80 ? Unicode.Scalar(byte) : upperHalf[Int(byte) - 0x80]
    }

    /// The characters of the bytes from 0x80 on in code page 437.
    private static let upperHalf = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
            + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)

    /// Returns the moment of an MS-DOS date and time, taken as UTC.
    private static func date(_ date: Int, _ time: Int) -> Date {
        let civil = CivilTime(
            year: 1980 + (date >> 9), month: (date >> 5) & 15, day: date & 31, hour: time >> 11,
            minute: (time >> 5) & 63, second: min((time % 32) * 2, 59))
        return civil.map(Zone.utc.date) ?? Date(timeIntervalSince1970: 0)
    }
}
