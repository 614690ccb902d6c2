import TextEditing

/// A generator with a seed, so that a failing test fails again.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Array {
    /// One of the elements; the array must not be empty.
    func pick(using random: inout SeededGenerator) -> Element { self[Int.random(in: indices, using: &random)] }
}

/// Random edits of any text, for the laws that edits must keep.
struct RandomEdits {
    var random: SeededGenerator
    static let pieces = ["a", "bc", "\n", "\r\n", "漢字", "e\u{301}", "👩‍👧", "some words ", ""]

    init(seed: UInt64) { random = SeededGenerator(seed) }

    mutating func next(of buffer: TextBuffer, most: Int = 4) -> Edit {
        var parts: [(range: Range<ByteOffset>, text: String)] = []
        var place = 0
        for _ in 0..<Int.random(in: 1...most, using: &random) where place <= buffer.scalarCount {
            let start = Int.random(in: place...buffer.scalarCount, using: &random)
            let end = min(buffer.scalarCount, start + Int.random(in: 0...5, using: &random))
            let range = buffer.offset(ofScalar: start)..<buffer.offset(ofScalar: end)
            parts.append((range, RandomEdits.pieces.pick(using: &random)))
            place = end
        }
        return Edit(replacing: parts, of: buffer)
    }
}
