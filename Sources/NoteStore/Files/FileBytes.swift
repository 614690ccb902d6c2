import Foundation
import TextPrimitives

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

    /// Returns the page below this inner page of an index on which a key is, if the index has it; `nil` for other pages.
    ///
    /// The first column of the index is a text without a collation of its own: sqlite.org/fileformat2.html#b_tree_pages.
    func child(toward key: [UInt8]) -> Int? {
        guard first == 2 else { return nil }
        let count = Swift.max(0, Swift.min(bigEndian16(at: 3), (self.count - 12) / 2))
        let index = (0..<count).partitioningIndex { cell in
            key.lexicographicallyPrecedes(text(inRecordAt: bigEndian16(at: 12 + 2 * cell) + 4))
        }
        return bigEndian32(at: index < count ? bigEndian16(at: 12 + 2 * index) : 8)
    }

    /// Returns the first column of a record, as far as it is on the page: sqlite.org/fileformat2.html#record_format.
    private func text(inRecordAt offset: Int) -> Data {
        let header = variable(at: offset).end
        let (size, type) = variable(at: header)
        let length = Swift.max(0, variable(at: type).value - 13) / 2
        let start = Swift.min(header + size, count)
        return slice(start, Swift.min(length, count - start))
    }

    /// Returns a number of one to nine bytes and the offset after it, or 0 beyond the end.
    private func variable(at offset: Int) -> (value: Int, end: Int) {
        var value = 0
        for index in 0..<8 where offset + index < count {
            let byte = Int(self[startIndex + offset + index])
            value = value << 7 | byte & 0x7F
            if byte < 0x80 { return (value, offset + index + 1) }
        }
        // No size on a page needs the ninth byte.
        return (0, offset + 9)
    }
}
