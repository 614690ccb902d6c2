import SeededRandom
import Testing

@testable import TextPrimitives

@Suite struct ClusterTests {
    /// Returns the ends of a text's clusters in bytes, as found by `Clusters`.
    private func ends(_ text: String) -> [Int] {
        var text = text
        return text.withUTF8 { bytes in
            var (position, result) = (0, [Int]())
            while position < bytes.count {
                position = Clusters.end(from: position, in: bytes)
                result.append(position)
            }
            return result
        }
    }

    private static let pictures: [Character] =
        [0x2600...0x27BF, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF]
        .flatMap { (range: ClosedRange<UInt32>) in range.compactMap { Unicode.Scalar($0).map(Character.init) } }

    private static let controls: [Character] =
        [0x80...0x9F, 0xAD...0xAD, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF]
        .flatMap { (range: ClosedRange<UInt32>) in range.compactMap { Unicode.Scalar($0).map(Character.init) } }

    @Test func `pictures, halves of flags and controls end beside each neighbour where the standard library ends them`()
    {
        let neighbours = [
            "", "a", "é", "一", "👧", "🇸", "\u{200D}", "\u{FE0F}", "\u{1F3FD}", "\u{301}", "a\u{200D}", "🇸🇺",
        ]
        for picture in Self.pictures + Self.controls {
            let texts = neighbours.flatMap { ["\($0)\(picture)x", "\(picture)\($0)x", "🇸\(picture)\($0)🇺"] }
            for text in texts where ends(text) != endsByStandardLibrary(text) {
                Issue.record("\(text.unicodeScalars.map { String($0.value, radix: 16) }) at \(ends(text))")
            }
        }
    }

    @Test func `pictures, flags, controls and what joins them end in any order where the standard library ends them`() {
        let parts = (Self.pictures + Self.controls).map { String($0) }
        let joints = ["\u{200D}", "\u{FE0F}", "\u{1F3FD}", "\u{301}", "🇸", "🇺", "🇫", "a", " ", "é", "\n"]
        var random = SeededGenerator(seed: 23)
        for _ in 0..<2000 {
            let text = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                (Bool.random(using: &random) ? parts : joints).randomElement(using: &random) ?? ""
            }.joined()
            #expect(
                ends(text) == endsByStandardLibrary(text), "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
        }
    }

    private func endsByStandardLibrary(_ text: String) -> [Int] {
        var sum = 0
        return text.map { character in
            sum += character.utf8.count
            return sum
        }
    }

    private let hard: [String] = [
        "a", "\r", "\n", " ", "e", "\u{301}", "\u{200D}", "👩", "👧", "🏽", "🇫", "🇷", "한", "\u{1112}", "\u{1161}",
        "\u{11AB}",
        "漢", "か", "\u{3099}", "\u{0600}", "1", "\u{FE0F}", "❤", "न", "\u{94D}", "म", "\u{AD}", "é", "ﾊ", "\u{FF9F}",
        "©",
        "\u{20E3}", "ก", "\u{0E33}",
    ]

    @Test func `clusters are those of the standard library`() {
        var random = SeededGenerator(seed: 41)
        for _ in 0..<3000 {
            let text = (0..<12).map { _ in random.pick(hard) }.joined()
            #expect(ends(text) == endsByStandardLibrary(text), "\(text.debugDescription)")
        }
    }

    @Test func `scalars that are taken for clusters of their own are`() {
        for value in UInt32(0x80)..<0x40000 where Clusters.isSimple(value) {
            // Every 64th of the many thousand rarer Han characters is enough.
            if value > 0x20000, value % 64 != 0 { continue }
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(scalar)\(scalar)a漢\(scalar)é"
            if text.count != 7 { Issue.record("U+\(String(value, radix: 16))") }
        }
    }

    @Test func `clusters that people write are whole, and what is cut is cut between scalars`() {
        let heaped = "Z" + String(repeating: "\u{336}\u{35C}", count: 50)
        for text in [heaped, "👨🏽‍❤️‍💋‍👨🏿", "👩‍👩‍👧‍👦", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "क्ष्म्य"] { #expect(ends(text) == [text.utf8.count]) }
        let long = String(repeating: "👩\u{200D}", count: 100)
        for end in ends(long) { #expect(Array(long.utf8).dropFirst(end).first.map { $0 & 0xC0 != 0x80 } ?? true) }
        #expect(ends(long).count > 1)
    }

    @Test(arguments: ["plain", "e\u{301}a", "a👍🏽b", "🇺🇸🇩🇪", "世界é", "👨‍👩‍👧 x", "क्षि", "#\u{FE0F}\u{20E3}1", "a\r\nb"])
    func `the boundary at or after a position is where the next character begins`(_ text: String) {
        var copy = text
        copy.withUTF8 { bytes in
            for position in 0...bytes.count {
                var expected = 0
                for character in text where expected < position { expected += character.utf8.count }
                #expect(Clusters.boundary(atOrAfter: position, in: bytes) == expected, "at \(position)")
            }
        }
    }
}
