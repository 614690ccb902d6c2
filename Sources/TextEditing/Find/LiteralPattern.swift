/// A plain text to search for in bytes, case-sensitive or not.
///
/// Composed and decomposed forms of a character match each other.
struct LiteralPattern: Sendable {
    private let bytes: [UInt8]
    /// The folded pattern, compared with folded text; nil if comparing bytes is enough.
    private let folded: [UInt32]?
    private let folding: TextFolding
    /// The distance to advance for each byte under the pattern's last one (Horspool's algorithm), when comparing bytes.
    private let skips: [Int]
    /// Whether a match can begin with each byte, when comparing scalars.
    private let begins: [Bool]

    /// The length of the longest match in bytes: each scalar of the pattern may match four bytes, and an `i` also a dot
    /// above.
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
    /// - Parameter isWanted: Whether a match counts; the text of a match that does not may be part of the next one.
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
                var position = start
                while position < limit, position + last < text.count {
                    let byte = text[position + last]
                    var index = byte == pattern[last] ? 0 : pattern.count
                    while index < last, text[position + index] == pattern[index] { index += 1 }
                    if index == last {
                        let match = position..<position + pattern.count
                        guard isWanted(match) else {
                            position += 1
                            continue
                        }
                        guard body(match) else { return }
                        position = match.upperBound
                    } else {
                        position += skips[Int(byte)]
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
            var position = start
            while position < limit {
                guard begins[Int(text[position])], reader.first(text, at: position) == first,
                    let end = Self.matchEnd(folded, in: text, at: position, &reader), isWanted(position..<end)
                else {
                    position += 1
                    continue
                }
                guard body(position..<end) else { return }
                position = end
            }
        }
    }

    private static func matchEnd(
        _ folded: [UInt32], in text: UnsafeBufferPointer<UInt8>, at start: Int, _ reader: inout FoldingReader
    ) -> Int? {
        reader.forget()
        var position = start
        var compared = 0
        while compared < folded.count {
            guard position < text.count else { return nil }
            position = reader.read(text, at: position)
            guard reader.units.count <= folded.count else { return nil }
            while compared < reader.units.count {
                guard reader.units[compared] == folded[compared] else { return nil }
                compared += 1
            }
        }
        return position
    }
}
