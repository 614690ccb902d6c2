/// A plain text to look for in bytes, with or without regard to case.
struct LiteralPattern: Sendable {
    private let bytes: [UInt8]
    /// The pattern's scalars without case; nil where case counts.
    private let folded: [UInt32]?
    /// How far the search may go on when a byte stands under the pattern's last one (Horspool), where bytes are compared.
    private let skips: [Int]
    /// Whether a match can begin with a byte, where scalars are compared.
    private let begins: [Bool]

    /// The longest match in bytes: a letter of the other case may have more bytes.
    let longestMatch: Int

    init(_ pattern: String, isCaseSensitive: Bool) {
        let utf8 = Array(pattern.utf8)
        let scalars = pattern.unicodeScalars.map { CaseFolding.fold($0.value) }
        bytes = utf8
        folded = isCaseSensitive ? nil : scalars
        longestMatch = isCaseSensitive ? utf8.count : scalars.count * 4
        var skips = Array(repeating: utf8.count, count: 256)
        for (index, byte) in utf8.dropLast().enumerated() { skips[Int(byte)] = utf8.count - 1 - index }
        self.skips = skips
        let firsts = scalars.first.map { CaseFolding.firstBytes(like: $0) } ?? []
        begins = (0..<256).map { firsts.contains(UInt8($0)) }
    }

    /// Hands out the matches that start before `limit`, in order, none overlapping, until `body` returns false.
    ///
    /// - Parameter isWanted: whether a match counts; one that does not leaves its text to the next.
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
        folded.withUnsafeBufferPointer { folded in
            begins.withUnsafeBufferPointer { begins in
                var place = start
                while place < limit {
                    guard begins[Int(text[place])], let end = LiteralPattern.matchEnd(folded, in: text, at: place),
                        isWanted(place..<end)
                    else {
                        place += 1
                        continue
                    }
                    guard body(place..<end) else { return }
                    place = end
                }
            }
        }
    }

    private static func matchEnd(
        _ folded: UnsafeBufferPointer<UInt32>, in text: UnsafeBufferPointer<UInt8>, at start: Int
    ) -> Int? {
        var place = start
        for scalar in folded {
            guard place < text.count else { return nil }
            let first = text[place]
            guard first & 0xC0 != 0x80, CaseFolding.fold(Clusters.scalar(at: place, in: text)) == scalar else {
                return nil
            }
            place += Clusters.scalarLength(first)
        }
        return place
    }
}
