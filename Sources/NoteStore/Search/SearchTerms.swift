/// The distinct words of a prepared text: the first position of each, by its hash.
///
/// Hashes represent words: if two words have the same hash, once in 10^9 notebooks, the only effect is that one of them
/// is not found by its beginning, middle or stem.
struct SearchTerms {
    private let text: String
    /// The words in the order of their first occurrences.
    private var words: [(hash: UInt64, range: Range<Int32>)] = []

    /// The lengths in bytes of words that are worth finding by their beginning, middle or stem.
    static let lengths = 2...32

    init(of text: String) {
        self.text = text
        var text = text
        text.withUTF8 { bytes in
            var hashes = HashSet()
            var start = 0
            while start < bytes.count {
                var hash: UInt64 = 0xCBF2_9CE4_8422_2325
                var end = start
                // FNV-1a (Fowler, Noll, Vo).
                while end < bytes.count, bytes[end] != 0x20 {
                    hash = (hash ^ UInt64(bytes[end])) &* 0x100_0000_01B3
                    end += 1
                }
                if Self.lengths.contains(end - start), hashes.insert(hash) {
                    words.append((hash, Int32(start)..<Int32(end)))
                }
                start = end + 1
            }
        }
    }

    /// Removes the words that the cache has.
    mutating func remove(knownTo cache: TermCache) {
        let unknown = cache.indices(unknownOf: words.map(\.hash))
        if unknown.count < words.count { words = unknown.map { words[$0] } }
    }

    /// Calls `body` with each word.
    func forEach(_ body: (SearchTerm) throws -> Void) rethrows {
        for (hash, range) in words { try body(SearchTerm(hash: hash, text: text, range: range)) }
    }
}

/// A word of a prepared text, which is copied only where it is stored: many notes that are prepared at the same time
/// have the same new words.
struct SearchTerm {
    let hash: UInt64
    fileprivate let text: String
    fileprivate let range: Range<Int32>

    var word: String {
        let start = text.utf8.index(text.utf8.startIndex, offsetBy: Int(range.lowerBound))
        return String(text[start..<text.utf8.index(start, offsetBy: range.count)])
    }
}

/// A set of hashes; as they are as good as random, their own bits choose the slot.
struct HashSet {
    /// The hashes; 0 is a free slot, and the hash 0 is stored as 1.
    private var slots = [UInt64](repeating: 0, count: 64)
    private(set) var count = 0

    func contains(_ hash: UInt64) -> Bool { slots[slot(of: max(hash, 1))] != 0 }

    /// Inserts a hash; returns whether it was new.
    mutating func insert(_ hash: UInt64) -> Bool {
        let hash = max(hash, 1)
        let slot = slot(of: hash)
        if slots[slot] != 0 { return false }
        slots[slot] = hash
        count += 1
        // The table is at most half full, so that the next free slot is near.
        if count * 2 > slots.count { grow() }
        return true
    }

    func forEach(_ body: (UInt64) -> Void) {
        for hash in slots where hash != 0 { body(hash) }
    }

    /// Returns the slot of the hash, or the free slot where it belongs.
    private func slot(of hash: UInt64) -> Int {
        let mask = slots.count - 1
        // The high bits of FNV-1a depend on all bytes, the low ones mostly on the last.
        var slot = Int(truncatingIfNeeded: hash ^ (hash >> 32)) & mask
        while slots[slot] != 0, slots[slot] != hash { slot = (slot + 1) & mask }
        return slot
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt64](repeating: 0, count: old.count * 2)
        for hash in old where hash != 0 { slots[slot(of: hash)] = hash }
    }
}
