import Foundation

/// Reads the headers of a tar (POSIX ustar, with the long names of GNU and pax).
enum TarList {
    private static let block = 512

    /// Whether 512 bytes are a header, by their checksum.
    static func isHeader(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= block, let stored = octal(bytes[148..<156]), stored > 0 else { return false }
        let sum = bytes[..<block].enumerated().reduce(0) {
            $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element))
        }
        return sum == stored
    }

    /// - Throws: `DamagedArchive` also for one without an end, since a file that was cut between two entries lacks it.
    static func read(_ source: ByteSource) throws -> ZipList.List {
        let size = source.count
        var result: ZipList.List = ([], [], [])
        var offset = 0
        var longName: String?
        while offset + block <= size, result.entries.count <= ArchiveFiles.maximumFiles {
            let header = try source.bytes(at: offset, count: block)
            // Two empty blocks end the archive.
            if header.allSatisfy({ $0 == 0 }) { return result }
            guard isHeader(header), let length = octal(header[124..<136]), length >= 0, length <= size else {
                throw DamagedArchive()
            }
            let data = offset + block
            guard data + length <= size else { throw DamagedArchive() }
            switch header[156] {
            case UInt8(ascii: "0"), 0:
                let prefix = header[257..<262].elementsEqual("ustar".utf8) ? text(header[345..<500]) : ""
                let name = longName ?? (prefix.isEmpty ? "" : prefix + "/") + text(header[0..<100])
                result.entries.append(
                    ArchiveFiles.Entry(
                        names: .init(inArchive: name), size: length,
                        modified: Date(timeIntervalSince1970: Double(octal(header[136..<148]) ?? 0)), offset: data,
                        packedSize: length, method: 0, checksum: nil))
                longName = nil
            case UInt8(ascii: "1"), UInt8(ascii: "2"):
                result.links.append(longName ?? text(header[0..<100]))
                longName = nil
            case UInt8(ascii: "L"): longName = text(try source.bytes(at: data, count: min(length, 65_536))[...])
            case UInt8(ascii: "x"):
                longName = paxName(try source.bytes(at: data, count: min(length, 65_536))) ?? longName
            default: longName = nil
            }
            offset = data + (length + block - 1) / block * block
        }
        if result.entries.count <= ArchiveFiles.maximumFiles { throw DamagedArchive() }
        return result
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }

    private static func octal(_ bytes: ArraySlice<UInt8>) -> Int? {
        let digits = text(bytes).trimmingCharacters(in: .whitespaces)
        return digits.isEmpty ? 0 : Int(digits, radix: 8)
    }

    /// Returns the value of `path` among lines of `length key=value`.
    private static func paxName(_ bytes: [UInt8]) -> String? {
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            if let key = line.range(of: " path=") { return String(line[key.upperBound...]) }
        }
        return nil
    }
}
