import Testing

@testable import Terminal

struct ClusterBoundaryTests {
    @Test(arguments: ["plain", "e\u{301}a", "a👍🏽b", "🇺🇸🇩🇪", "世界é", "👨‍👩‍👧 x", "क्षि", "#\u{FE0F}\u{20E3}1"])
    func `a boundary is where the next character begins`(_ text: String) {
        var copy = text
        copy.withUTF8 { bytes in
            for offset in 0...bytes.count {
                var expected = 0
                for character in text where expected < offset { expected += character.utf8.count }
                #expect(ClusterBoundary.next(at: offset, in: bytes) == expected, "at \(offset)")
            }
        }
    }
}
