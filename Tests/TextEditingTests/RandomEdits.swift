import SeededRandom
import TextEditing

/// Generates random edits of any text, for tests of the laws of edits.
struct RandomEdits {
    var random: SeededGenerator
    static let pieces = ["a", "bc", "\n", "\r\n", "漢字", "e\u{301}", "👩‍👧", "some words ", ""]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func next(of buffer: TextBuffer, most: Int = 4) -> Edit {
        var parts: [(range: Range<ByteOffset>, text: String)] = []
        var position = 0
        for _ in 0..<Int.random(in: 1...most, using: &random) where position <= buffer.scalarCount {
            let start = Int.random(in: position...buffer.scalarCount, using: &random)
            let end = min(buffer.scalarCount, start + Int.random(in: 0...5, using: &random))
            let range = buffer.offset(ofScalar: start)..<buffer.offset(ofScalar: end)
            parts.append((range, random.pick(RandomEdits.pieces)))
            position = end
        }
        return Edit(replacing: parts, of: buffer)
    }
}
