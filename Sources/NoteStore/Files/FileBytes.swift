import Foundation

/// Functions to read the bytes of an SQLite file.
extension Data {
    /// Whether these are the first bytes of a database: sqlite.org/fileformat2.html#the_database_header.
    var startsAsSQLite: Bool { starts(with: "SQLite format 3\u{0}".utf8) }

    /// Returns `count` bytes from `offset`, all of which must exist.
    func slice(_ offset: Int, _ count: Int) -> Data { self[startIndex + offset..<startIndex + offset + count] }

    /// Returns the two bytes at an offset as a number, or 0 beyond the end.
    func bigEndian16(at offset: Int) -> Int {
        guard offset >= 0, offset + 2 <= count else { return 0 }
        return Int(self[startIndex + offset]) << 8 | Int(self[startIndex + offset + 1])
    }

    /// Returns the four bytes at an offset as a number, or 0 beyond the end.
    func bigEndian32(at offset: Int) -> Int { bigEndian16(at: offset) << 16 | bigEndian16(at: offset + 2) }

    /// Returns the index after the first occurrence of `bytes`, which must not be empty.
    ///
    /// Each start of the program searches a few pages. `Data.range(of:)` took 1.1 of the 17.2 million instructions of
    /// `tn --new` for it (callgrind, 2026-11).
    func end(of bytes: [UInt8]) -> Index? {
        withUnsafeBytes { page in
            var start = 0
            while let first = page[start...].firstIndex(of: bytes[0]), first + bytes.count <= page.count {
                if page[first..<first + bytes.count].elementsEqual(bytes) {
                    return startIndex + first + bytes.count
                }
                start = first + 1
            }
            return nil
        }
    }
}
