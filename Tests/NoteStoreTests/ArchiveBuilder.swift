import Foundation

@testable import NoteStore

/// Builds archives for tests.
enum ArchiveBuilder {
    struct File {
        var name: String
        var data: Data
        /// The data compressed with DEFLATE; nil stores the data uncompressed.
        var packed: Data?
        /// The size in the list, if it is not the real one.
        var claimed: Int?
        var flags = 0
        /// The name in another encoding than UTF-8.
        var nameBytes: Data?
        /// The kind of file and its permissions, as Unix has them.
        var mode: Int?

        init(_ name: String, _ text: String) { (self.name, data) = (name, Data(text.utf8)) }
        init(_ name: String, _ data: Data) { (self.name, self.data) = (name, data) }
    }

    /// Returns a zip of 4 March 2024, 05:06:08.
    static func zip(_ files: [File]) -> Data {
        var result = Data()
        var list = Data()
        for file in files {
            let name = file.nameBytes ?? Data(file.name.utf8)
            let packed = file.packed ?? file.data
            var head = Data()
            for (value, count) in [
                (20, 2), (0x800 | file.flags, 2), (file.packed == nil ? 0 : 8, 2), (5 << 11 | 6 << 5 | 4, 2),
                (44 << 9 | 3 << 5 | 4, 2), (Int(CRC32.of(Array(file.data))), 4), (packed.count, 4),
                (file.claimed ?? file.data.count, 4), (name.count, 2), (0, 2),
            ] { head.append(number(value, count)) }
            let version = file.mode == nil ? 20 : 3 << 8 | 20
            list.append(number(0x0201_4B50, 4) + number(version, 2) + head + Data(count: 6))
            list.append(number((file.mode ?? 0) << 16, 4) + number(result.count, 4) + name)
            result.append(number(0x0403_4B50, 4) + head + name + packed)
        }
        let end = number(0x0605_4B50, 4) + Data(count: 4) + number(files.count, 2) + number(files.count, 2)
        return result + list + end + number(list.count, 4) + number(result.count, 4) + Data(count: 2)
    }

    /// Returns a tar of 4 March 2024.
    static func tar(_ files: [File]) -> Data {
        var result = Data()
        for file in files {
            var header = [UInt8](repeating: 0, count: 512)
            func put(_ text: String, at offset: Int) {
                for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
            }
            put(file.name, at: 0)
            put("0000644\0", at: 100)
            put(
                String(String(file.data.count, radix: 8).reversed()).padding(toLength: 11, withPad: "0", startingAt: 0)
                    .reversed().map { String($0) }.joined() + "\0", at: 124)
            put("14571252000\0", at: 136)
            put("        ", at: 148)
            put("0", at: 156)
            put("ustar\u{0}00", at: 257)
            let sum = header.reduce(0) { $0 + Int($1) }
            let octal = String(sum, radix: 8)
            put(String(repeating: "0", count: 6 - octal.count) + octal + "\0 ", at: 148)
            result.append(Data(header) + file.data + Data(count: (512 - file.data.count % 512) % 512))
        }
        return result + Data(count: 1024)
    }

    private static func number(_ value: Int, _ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
