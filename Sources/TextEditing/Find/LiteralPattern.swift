/// A plain text to search for in bytes, case-sensitive or not.
///
/// Composed and decomposed forms of a character match each other.
struct LiteralPattern: Sendable {
    private let bytes: [UInt8]
    /// The folded pattern, compared with folded text; nil if comparing bytes is enough.
    private let folded: [UInt32]?
    private let folding: TextFolding
    /// How far to advance for each byte under the pattern's last one (Horspool's algorithm), when comparing bytes.
    private let skips: [Int]
    /// Whether a match can begin with each byte, when comparing scalars.
    private let begins: [Bool]

    /// The longest match in bytes: each scalar of the pattern may match four bytes, and an `i` also a dot above.
    let maximumMatchLength: Int

    init(_ pattern: String, isCaseSensitive: Bool) {
        let utf8 = Array(pattern.utf8)
        bytes = utf8
        folding = isCaseSensitive ? .keepingCase : .ignoringCase
        // ASCII is its own canonical form, and no other character has it as its canonical form.
        let isPlain = isCaseSensitive && utf8.allSatisfy { $0 < 0x80 }
        let units = isPlain ? nil : folding.fold(pattern)
        folded = units
        maximumMatchLength = max(utf8.count, (units?.count ?? 0) * 6)
        var skips = Array(repeating: utf8.count, count: 256)
        for (index, byte) in utf8.dropLast().enumerated() { skips[Int(byte)] = utf8.count - 1 - index }
        self.skips = skips
        let first = units?.first ?? 0
        let isSmallLetter = first >= 0x61 && first <= 0x7A
        begins = (0..<256).map { byte in
            // A scalar beyond ASCII may fold to any other scalar.
            byte >= 0xC2 || byte == first || !isCaseSensitive && isSmallLetter && byte | 0x20 == first && byte >= 0x41
        }
    }

    /// Passes the matches that start before `limit` to `body`, in order and not overlapping, until it returns false.
    ///
    /// - Parameter isWanted: Whether a match counts; the text of one that does not may belong to the next.
    func forEachMatch(
        in text: UnsafeBufferPointer<UInt8>, from start: Int, limit: Int, where isWanted: (Range<Int>) -> Bool,
        _ body: (Range<Int>) -> Bool
    ) {
        if let folded {
            forEachFolded(folded, in: text, from: start, limit: limit, where: isWanted, body)
        } else {
            forEachExact(in: text, from: start, limit: limit, where: isWanted, body)
        }
    }

    private func forEachExact(
        in text: UnsafeBufferPointer<UInt8>, from start: Int, limit: Int, where isWanted: (Range<Int>) -> Bool,
        _ body: (Range<Int>) -> Bool
    ) {
        bytes.withUnsafeBufferPointer { pattern in
            skips.withUnsafeBufferPointer { skips in
                let last = pattern.count - 1
                var place = start
                while place < limit, place + last < text.count {
                    let byte = text[place + last]
                    var index = byte == pattern[last] ? 0 : pattern.count
                    while index < last, text[place + index] == pattern[index] { index += 1 }
                    if index == last {
                        let match = place..<place + pattern.count
                        guard isWanted(match) else {
                            place += 1
                            continue
                        }
                        guard body(match) else { return }
                        place = match.upperBound
                    } else {
                        place += skips[Int(byte)]
                    }
                }
            }
        }
    }

    private func forEachFolded(
        _ folded: [UInt32], in text: UnsafeBufferPointer<UInt8>, from start: Int, limit: Int,
        where isWanted: (Range<Int>) -> Bool, _ body: (Range<Int>) -> Bool
    ) {
        guard let first = folded.first else { return }
        var reader = FoldingReader(folding)
        begins.withUnsafeBufferPointer { begins in
            var place = start
            while place < limit {
                guard begins[Int(text[place])], reader.first(text, at: place) == first,
                    let end = Self.matchEnd(folded, in: text, at: place, &reader), isWanted(place..<end)
                else {
                    place += 1
                    continue
                }
                guard body(place..<end) else { return }
                place = end
            }
        }
    }

    private static func matchEnd(
        _ folded: [UInt32], in text: UnsafeBufferPointer<UInt8>, at start: Int, _ reader: inout FoldingReader
    ) -> Int? {
        reader.forget()
        var place = start
        var compared = 0
        while compared < folded.count {
            guard place < text.count else { return nil }
            place = reader.read(text, at: place)
            guard reader.units.count <= folded.count else { return nil }
            while compared < reader.units.count {
                guard reader.units[compared] == folded[compared] else { return nil }
                compared += 1
            }
        }
        return place
    }
}
