import Testing
import TextPrimitives

struct CellWidthTests {
    @Test func `one byte that is not printable ASCII is found at each place of a text`() {
        for count in [0, 1, 7, 8, 9, 20] {
            let text = [UInt8](repeating: UInt8(ascii: "~"), count: count)
            #expect(text.withUnsafeBufferPointer { $0.isPrintableASCII })
            for place in 0..<count {
                for byte in UInt8.min...UInt8.max {
                    var text = text
                    text[place] = byte
                    let isPrintable = text.withUnsafeBufferPointer { $0.isPrintableASCII }
                    #expect(isPrintable == (byte >= 0x20 && byte < 0x7F), "\(byte) at \(place) of \(count)")
                }
            }
        }
    }

    @Test func `the table agrees with the library on every scalar it knows`() {
        var disagreements: [String] = []
        for value in UInt32(0x20)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isWide = EastAsianWidth.contains(value, in: EastAsianWidth.wide)
            let properties = scalar.properties
            // Emoji with emoji presentation are wide, except halves of flags; Latin, Greek and Cyrillic letters are
            // not.
            let isFlagHalf = (0x1F1E6...0x1F1FF).contains(value)
            if properties.isEmojiPresentation, !isFlagHalf, !isWide { disagreements.append("\(value)") }
            if isWide, value < 0x1100 { disagreements.append("\(value)") }
            let isIdeograph = properties.isIdeographic && properties.generalCategory == .otherLetter
            if isIdeograph, value < 0x16FE0 || value >= 0x20000, !isWide { disagreements.append("\(value)") }
            if isWide, EastAsianWidth.contains(value, in: EastAsianWidth.ambiguous) { disagreements.append("\(value)") }
        }
        #expect(disagreements == [])
    }

    @Test func `a text is as wide as its characters are together`() {
        for text in ["", "plain", "é", "漢字 kana かな 한글", "👩‍👧 e\u{301}", "\u{1F1FA}\u{1F1F8}!"] {
            let sum = text.reduce(0) { $0 + CellWidth.unicode.cells(of: $1) }
            #expect(CellWidth.unicode.cells(of: text) == sum, "\(text)")
        }
    }
}
