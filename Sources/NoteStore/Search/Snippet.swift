import Foundation
import GRDB
import GRDBSQLite

/// One line of a note around the first match.
struct Snippet: Equatable {
    var text = ""
    /// UTF-8 offsets in `text`, end exclusive.
    var matches: [Range<Int>] = []

    /// Bytes of a note's start that are looked through for a match; beyond it the preview serves.
    static let searchLimit = 256 * 1024
    /// Bytes read at a time: most notes are one window.
    static let window = 32 * 1024
    /// Bytes of text before the first match, and in all; a list row shows fewer.
    private static let before = 32
    private static let length = 240

    /// The line around the first match of a text's window, `nil` if there is none.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ terms: [SearchQuery.Term]) {
        var prepared = SearchText(recordingRanges: true)
        prepared.append(bytes)
        let found = Self.ranges(of: terms, in: prepared)
        guard let first = found.first else { return nil }
        let start = Self.boundary(
            bytes, first.lowerBound - Self.before, lowest: Self.lineStart(bytes, first.lowerBound))
        let end = Self.boundary(bytes, start + Self.length, lowest: start)
        if start > 0, bytes[start - 1] != 0x0A { text = "…" }
        copy(bytes, start..<end, found)
    }

    /// Copies with white space folded, and moves the matches along.
    private mutating func copy(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ found: [Range<Int>]) {
        var result = Array(text.utf8)
        var open = found.drop { $0.upperBound <= range.lowerBound }
        var start: Int?
        for index in range {
            if let match = open.first, index == match.lowerBound { start = result.count }
            let byte = bytes[index]
            if byte <= 0x20 {
                if result.last != 0x20 { result.append(0x20) }
            } else {
                result.append(byte)
            }
            if let match = open.first, index + 1 == match.upperBound {
                if let start { matches.append(start..<result.count) }
                start = nil
                open = open.dropFirst()
            }
        }
        while result.last == 0x20 { result.removeLast() }
        text = String(decoding: result, as: UTF8.self)
        matches.removeAll { $0.upperBound > result.count }
    }

    /// Where the terms stand, in ascending order without overlap.
    private static func ranges(of terms: [SearchQuery.Term], in prepared: SearchText) -> [Range<Int>] {
        let words = prepared.bytes.split(separator: 0x20)
        var result: [Range<Int>] = []
        let wanted = terms.map { term in (words: term.words.map { Array($0.utf8) }, isPrefix: term.isPrefix, term) }
        var index = 0
        while index < words.count, result.count < 20 {
            let hit = wanted.first { matches($0.words, isPrefix: $0.isPrefix || !$0.2.isPhrase, words, index) }
            if let hit {
                let last = prepared.ranges[index + hit.words.count - 1]
                result.append(prepared.ranges[index].lowerBound..<last.upperBound)
                index += hit.words.count
            } else {
                index += 1
            }
        }
        return result
    }

    private static func matches(
        _ wanted: [[UInt8]], isPrefix: Bool, _ words: [ArraySlice<UInt8>], _ index: Int
    ) -> Bool {
        guard index + wanted.count <= words.count else { return false }
        for (offset, word) in wanted.enumerated() {
            let isLast = offset == wanted.count - 1
            let found = words[index + offset]
            guard isLast && isPrefix ? found.starts(with: word) : found.elementsEqual(word) else { return false }
        }
        return true
    }

    private static func lineStart(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        var index = index
        while index > 0, bytes[index - 1] != 0x0A { index -= 1 }
        return index
    }

    /// The next place at or after an offset where a character, better a word, begins.
    private static func boundary(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, lowest: Int) -> Int {
        var index = min(max(offset, lowest), bytes.count)
        if index == lowest { return index }
        let spaces = min(index + 12, bytes.count)
        for candidate in index..<spaces where bytes[candidate] == 0x20 { return candidate + 1 }
        while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
        return index
    }
}

extension Snippet {
    /// The snippet of a stored note, read by windows so that a long text is never loaded.
    static func of(_ note: Int64, _ terms: [SearchQuery.Term], _ db: Database) throws -> Snippet? {
        var blob: OpaquePointer?
        let code = sqlite3_blob_open(db.sqliteConnection, "main", "note_text", "text", note, 0, &blob)
        guard code == SQLITE_OK, let blob else { return nil }
        defer { sqlite3_blob_close(blob) }
        let total = min(Int(sqlite3_blob_bytes(blob)), searchLimit)
        var start = 0
        var buffer = [UInt8](repeating: 0, count: min(total, window))
        while start < total {
            let count = min(window, total - start)
            let status = buffer.withUnsafeMutableBytes { target in
                sqlite3_blob_read(blob, target.baseAddress, Int32(count), Int32(start))
            }
            guard status == SQLITE_OK else { return nil }
            let found = buffer.withUnsafeBufferPointer { bytes in
                Snippet(trimmed(UnsafeBufferPointer(rebasing: bytes[..<count])), terms)
            }
            if let found { return found }
            start += window
        }
        return nil
    }

    /// Without the parts of characters at both ends that a window cuts.
    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var start = 0
        while start < bytes.count, start < 3, bytes[start] & 0xC0 == 0x80 { start += 1 }
        var end = bytes.count
        var back = 1
        while back <= 3, end - back >= start {
            let byte = bytes[end - back]
            if byte & 0xC0 == 0xC0 {
                let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                if length > back { end -= back }
                break
            }
            if byte < 0x80 { break }
            back += 1
        }
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }
}
