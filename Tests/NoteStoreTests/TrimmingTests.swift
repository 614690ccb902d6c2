import Foundation
import Testing

@testable import NoteStore

/// Tests the trimming of names against Foundation's, by which stored keys were made.
@Suite struct TrimmingTests {
    @Test func `every character is trimmed as Foundation trims it`() {
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isSpace = CharacterSet.whitespacesAndNewlines.contains(scalar)
            let text = "\(scalar)a\(scalar)b\(scalar)"
            let expected = isSpace ? "a\(scalar)b" : text
            // Compared by bytes, since equal strings may differ in their scalars.
            #expect(Array(Folding.trimmed(text).utf8) == Array(expected.utf8), "U+\(String(value, radix: 16))")
        }
    }

    @Test(arguments: ["", " ", " \n\t\u{3000}", "a", " a\u{301} ", "\u{301} a", "\r\n a b \r\n"])
    func `short texts are trimmed as Foundation trims them`(_ text: String) {
        #expect(Folding.trimmed(text) == text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
