import Foundation
import GRDB
import GRDBSQLite
import TextPrimitives

/// One line of a note around the first match.
struct Snippet: Equatable {
    var text = ""
    /// The matches as UTF-8 offsets in `text`, end exclusive.
    var matches: [Range<Int>] = []
    /// The byte offset of the first match in the note.
    var position = 0

    /// The number of bytes at a note's start that are searched for a match; beyond them the preview is used.
    static let searchLimit = 256 * 1024
    /// The number of bytes that are read at a time; for most notes one read is enough.
    static let window = 32 * 1024
    /// The numbers of bytes of text before the first match, and in all; a list row shows fewer.
    private static let before = 32
    private static let length = 240

    /// Makes the line around the first match in a section of a text; `nil` if there is none.
    ///
    /// - Parameter inside: whether words that only have a term inside them, or are other forms of it, are enough.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, _ terms: [SearchQuery.Term], inside: Bool = false) {
        guard let found = Self.firstMatches(bytes, terms, inside: inside), let first = found.first else { return nil }
        var start = Self.boundary(
            bytes, first.lowerBound - Self.before, lowest: Self.lineStart(bytes, first.lowerBound))
        let isCut = start > 0 && bytes[start - 1] != 0x0A
        // The indentation of a nested item would move the row away from the others.
        while !isCut, start < first.lowerBound, bytes[start].isBlank { start += 1 }
        let end = Self.boundary(bytes, start + Self.length, lowest: start)
        if isCut { text = "…" }
        position = first.lowerBound
        copy(bytes, start..<end, found)
        if end < bytes.count { text += "…" }
    }

    // MARK: - Matches

    /// Returns the ranges of the terms around the position with most of them, among the first positions that have any.
    ///
    /// ASCII words are searched byte by byte, so that only their surroundings are prepared like a text for the index;
    /// any other word, and one that occurs in the text in another form, costs preparing the whole text.
    private static func firstMatches(
        _ bytes: UnsafeBufferPointer<UInt8>, _ terms: [SearchQuery.Term], inside: Bool
    ) -> [Range<Int>]? {
        let marker = SearchMarker(terms)
        func isEnough(_ marks: [SearchMarker.Mark]) -> Bool { inside || marks.contains { $0.fit != .inside } }
        let starts = marker.starts(forms: inside)
        if starts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isAlphanumeric) }) {
            var best: (ranges: [Range<Int>], worth: Int)?
            var from = 0
            var tries = 0
            while tries < maximumTries, let position = nextWord(bytes, from, starts, inside: inside) {
                tries += 1
                // For a single word, only a place where it stands by itself is better than the first one.
                if best != nil, !inside, starts.count == 1, !isWhole(bytes, position, starts[0]) {
                    from = position + 1
                    continue
                }
                let slice = surroundings(of: position, bytes)
                let found = marker.marks(in: UnsafeBufferPointer(rebasing: bytes[slice]))
                let worth = isEnough(found) ? marker.worth(of: found) : 0
                if worth > best?.worth ?? 0 {
                    let ranges = marker.best(found).map {
                        $0.range.lowerBound + slice.lowerBound..<$0.range.upperBound + slice.lowerBound
                    }
                    best = (ranges, worth)
                    if worth == marker.maximumWorth { break }
                }
                from = max(position + 1, (found.last?.range.upperBound ?? 0) + slice.lowerBound)
            }
            if let best { return best.ranges }
            if !bytes.contains(where: { $0 >= 0x80 }) { return nil }
        }
        let all = marker.marks(in: bytes, limit: 200)
        guard isEnough(all) else { return nil }
        let spans = all.indices.map { first in
            all[first...].prefix { $0.range.lowerBound < all[first].range.lowerBound + length - before }
        }
        return spans.max { marker.worth(of: $0) < marker.worth(of: $1) }.map { marker.best($0).map(\.range) }
    }

    /// The maximum number of positions whose surroundings are examined.
    private static let maximumTries = 24

    /// Returns the range from the start of a word shortly before an offset to the latest possible end of the snippet.
    private static func surroundings(of position: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var start = position
        while start > 0, position - start < 4 * before, bytes[start - 1] != 0x0A { start -= 1 }
        while start < position, start > 0, bytes[start - 1] > 0x20 { start += 1 }
        return start..<boundary(bytes, position + length + before, lowest: position)
    }

    /// Returns the next word at or after an offset that begins with one of `starts`, which are in lower case.
    ///
    /// - Parameter inside: whether one of `starts` inside a word is looked for too.
    private static func nextWord(
        _ bytes: UnsafeBufferPointer<UInt8>, _ from: Int, _ starts: [[UInt8]], inside: Bool
    ) -> Int? {
        var isInWord = from > 0 && bytes[from - 1].isAlphanumeric
        for index in from..<max(from, bytes.count) {
            let byte = bytes[index]
            guard byte.isAlphanumeric else {
                isInWord = false
                continue
            }
            if !isInWord || inside, starts.contains(where: { begins(bytes, index, with: $0) }) { return index }
            isInWord = true
        }
        return nil
    }

    /// Whether the word that begins at an offset ends with `start`, as far as ASCII shows.
    private static func isWhole(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, _ start: [UInt8]) -> Bool {
        let end = index + start.count
        return end >= bytes.count || !bytes[end].isAlphanumeric
    }

    private static func begins(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int, with word: [UInt8]) -> Bool {
        guard index + word.count <= bytes.count else { return false }
        for (offset, letter) in word.enumerated() {
            let byte = bytes[index + offset]
            // Digits already have the bit that makes letters lower-case.
            guard byte | 0x20 == letter, byte.isAlphanumeric else { return false }
        }
        return true
    }

    /// Copies a range with white space collapsed, and converts the matches to offsets in the copy.
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

    private static func lineStart(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        var index = index
        while index > 0, bytes[index - 1] != 0x0A { index -= 1 }
        return index
    }

    /// Returns the next offset at or after `offset` where a character begins, preferably a word.
    private static func boundary(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int, lowest: Int) -> Int {
        var index = min(max(offset, lowest), bytes.count)
        if index == lowest { return index }
        let spaces = min(index + 12, bytes.count)
        for candidate in index..<spaces where bytes[candidate] == 0x20 { return candidate + 1 }
        while index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
        return index
    }
}

/// Reads snippets of stored notes in sections, so that a long text is never loaded whole.
///
/// It must not outlive the transaction.
struct SnippetReader: ~Copyable {
    private let db: Database
    private let terms: [SearchQuery.Term]
    private var blob: OpaquePointer?
    private var buffer: [UInt8]

    init(_ db: Database, _ terms: [SearchQuery.Term]) {
        self.db = db
        self.terms = terms
        buffer = [UInt8](repeating: 0, count: Snippet.window)
    }

    deinit { sqlite3_blob_close(blob) }

    /// Returns the snippet of a note; `nil` if the beginning of its text has no match.
    mutating func snippet(of note: Int64) -> Snippet? {
        guard seek(note) else { return nil }
        if let snippet = snippet(inside: false) { return snippet }
        return terms.contains(where: \.mayBeInside) ? snippet(inside: true) : nil
    }

    /// Reads the text section by section up to the first match.
    private mutating func snippet(inside: Bool) -> Snippet? {
        let total = min(Int(sqlite3_blob_bytes(blob)), Snippet.searchLimit)
        for start in stride(from: 0, to: total, by: Snippet.window) {
            let count = min(Snippet.window, total - start)
            let status = buffer.withUnsafeMutableBytes { target in
                sqlite3_blob_read(blob, target.baseAddress, Int32(count), Int32(start))
            }
            guard status == SQLITE_OK else { return nil }
            let found = buffer.withUnsafeBufferPointer { bytes -> Snippet? in
                let window = Snippet.trimmed(UnsafeBufferPointer(rebasing: bytes[..<count]))
                guard var snippet = Snippet(window, terms, inside: inside), let base = window.baseAddress else {
                    return nil
                }
                snippet.position += start + (bytes.baseAddress.map { base - $0 } ?? 0)
                return snippet
            }
            if let found { return found }
        }
        return nil
    }

    /// Moves to the text of a note; moving to another row is far cheaper than opening again.
    private mutating func seek(_ note: Int64) -> Bool {
        if blob != nil {
            if sqlite3_blob_reopen(blob, note) == SQLITE_OK { return true }
            sqlite3_blob_close(blob)
            blob = nil
        }
        return sqlite3_blob_open(db.sqliteConnection, "main", "note_text", "text", note, 0, &blob) == SQLITE_OK
    }
}

extension Snippet {
    /// Returns the bytes without the incomplete characters at both ends of a section.
    fileprivate static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
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
