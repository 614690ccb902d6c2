import Foundation
import Testing
import TextPrimitives

struct DoubleQuotedTests {
    @Test func `what would end the text or the line is escaped`() {
        #expect(DoubleQuoted.text("say \"a\\b\"\r\n\t世界 👍🏽") == #""say \"a\\b\"\r\n\t世界 👍🏽""#)
        #expect(DoubleQuoted.text("\0\u{1B}\u{7F}\u{85}\u{2028}\u{FEFF}") == #""\u0000\u001b\u007f\u0085\u2028\ufeff""#)
    }

    /// The characters are tested one by one, since a decoder may stop at the first one that it rejects.
    @Test func `a reader of JSON gets every character back`() throws {
        for value in Array(0...0x2FFF as ClosedRange<UInt32>) + Array(0xD7F0...0xE00F) + Array(0xFDD0...0x1_0010) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a" + String(scalar) + "b"
            let read = try JSONDecoder().decode([String].self, from: Data("[\(DoubleQuoted.text(text))]".utf8))
            #expect(Array(read[0].unicodeScalars) == Array(text.unicodeScalars), "U+\(String(value, radix: 16))")
        }
    }
}
