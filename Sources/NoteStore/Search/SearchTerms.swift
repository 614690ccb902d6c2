/// The different words of a prepared text: where each first stands, by its hash.
///
/// Hashes stand for words because two different ones of the same hash, once in 10^9 notebooks, only cost that a word is
/// not offered as the continuation of its beginning.
struct SearchTerms {
    private let text: String
    private var places: [UInt64: Range<Int32>] = [:]

    /// Words of this many bytes are worth finding by their beginning, middle or stem.
    static let lengths = 2...32

    init(of text: String) {
        self.text = text
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            while start < bytes.count {
                var hash: UInt64 = 0xCBF2_9CE4_8422_2325
                var end = start
                // FNV-1a (Fowler, Noll, Vo).
                while end < bytes.count, bytes[end] != 0x20 {
                    hash = (hash ^ UInt64(bytes[end])) &* 0x100_0000_01B3
                    end += 1
                }
                if Self.lengths.contains(end - start), places[hash] == nil { places[hash] = Int32(start)..<Int32(end) }
                start = end + 1
            }
        }
    }

    /// Calls `body` with the words that the cache does not know.
    func forEach(unknownTo cache: TermCache, _ body: (UInt64, Substring) throws -> Void) rethrows {
        let utf8 = text.utf8
        for hash in cache.unknown(places.keys) {
            guard let place = places[hash] else { continue }
            let start = utf8.index(utf8.startIndex, offsetBy: Int(place.lowerBound))
            let end = utf8.index(start, offsetBy: place.count)
            try body(hash, text[start..<end])
        }
    }
}

/// English suffixes taken off, so that "run", "runs" and "running" meet.
///
/// The first steps of Porter's algorithm (An algorithm for suffix stripping, 1980) and the commonest later ones; made
/// for words that the index holds, in lower case without diacritics. Others come back as they are.
enum Stemmer {
    static func stem(_ word: String) -> String {
        var letters = Array(word.utf8)
        guard letters.count > 2, letters.allSatisfy({ (0x61...0x7A).contains($0) }) else { return word }
        dropPlural(&letters)
        dropParticiple(&letters)
        for suffix in suffixes where letters.count > suffix.count + 2 && letters.ends(with: suffix) {
            letters.removeLast(suffix.count)
            break
        }
        if letters.count > 3, letters.last == UInt8(ascii: "e") { letters.removeLast() }
        if letters.count > 2, letters.last == UInt8(ascii: "y") { letters[letters.count - 1] = UInt8(ascii: "i") }
        return String(decoding: letters, as: UTF8.self)
    }

    private static let suffixes = ["ness", "ment", "ful", "ly"].map { Array($0.utf8) }

    private static func dropPlural(_ letters: inout [UInt8]) {
        if letters.ends(with: Array("sses".utf8)) || (letters.count > 4 && letters.ends(with: Array("ies".utf8))) {
            letters.removeLast(2)
        } else if letters.last == UInt8(ascii: "s"), letters.count > 3,
            ![UInt8(ascii: "s"), UInt8(ascii: "u"), UInt8(ascii: "i")].contains(letters[letters.count - 2])
        {
            letters.removeLast()
        }
    }

    private static func dropParticiple(_ letters: inout [UInt8]) {
        for suffix in [Array("ing".utf8), Array("ed".utf8)] where letters.ends(with: suffix) {
            let rest = letters.dropLast(suffix.count)
            guard rest.count > 1, rest.contains(where: isVowel) else { return }
            letters = Array(rest)
            if letters.count > 2, let last = letters.last, last == letters[letters.count - 2], !isVowel(last) {
                letters.removeLast()
            }
            return
        }
    }

    private static func isVowel(_ letter: UInt8) -> Bool { Array("aeiouy".utf8).contains(letter) }
}

extension [UInt8] {
    fileprivate func ends(with suffix: [UInt8]) -> Bool { self.suffix(suffix.count).elementsEqual(suffix) }
}
