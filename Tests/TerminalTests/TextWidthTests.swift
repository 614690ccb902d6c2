import SeededRandom
import Testing

@testable import Terminal

struct TextWidthTests {
    @Test(arguments: [
        ("a", 1), ("é", 1), ("e\u{301}", 1), ("世", 2), ("한", 2), ("한", 2), ("Ａ", 2), ("👨‍👩‍👧", 2), ("❤️", 2), ("❤", 1),
        ("🇺🇸", 2),
        ("👍🏽", 2), ("1️⃣", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("±", 1), ("\u{E0B0}", 1), ("\u{0}", 1), ("\u{7F}", 1), ("\u{9B}", 4),
        ("\u{202E}", 6),
        ("\u{200B}", 6), ("\u{FEFF}", 6), ("\u{301}", 1), ("a\u{200D}", 7), ("م\u{200D}", 1), ("\u{1FAE9}", 2),
        ("\r\n", 2), ("\u{E0041}", 7),
        ("❤\u{FE0F}\u{FE0F}", 8), ("\u{10FFFF}", 8),
    ])
    func `text is as wide as it is drawn`(_ text: String, _ columns: Int) {
        #expect(TextWidth(model: .unicode).width(of: text) == columns, "\(Sanitizer.visible(text))")
    }

    @Test func `terminals that count scalars get clusters in pieces`() {
        let legacy = TextWidth(model: .legacy)
        #expect(legacy.width(of: "👨‍👩‍👧") == 6)
        #expect(legacy.width(of: "👍🏽") == 4)
        #expect(legacy.width(of: "❤️") == 1)
        #expect(legacy.width(of: "🇺🇸") == 2)
        #expect(legacy.width(of: "क्षि") == 3)
        #expect(TextWidth(model: .tmux).width(of: "👨‍👩‍👧") == 2)
        #expect(TextWidth(model: [.unicode, .ambiguousIsWide]).width(of: "±…α") == 6)
        #expect(TextWidth(model: [.unicode, .narrowsByVS15]).width(of: "⚡︎") == 1)
    }

    @Test func `the width of text is the columns that writing it takes`() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<1 + random.below(6) { text += random.pick(RandomFrames.words) }
            let models: [WidthModel] = [
                .unicode, .legacy, .tmux, [.unicode, .ambiguousIsWide], [.unicode, .spellsControls],
            ]
            for model in models {
                var screen = Screen(size: Size(columns: 400, rows: 1))
                screen.fixedModel = model
                let used = screen.write(text, at: Position(column: 0, row: 0), style: .default)
                #expect(used == TextWidth(model: model).width(of: text))
                #expect(used == text.reduce(0) { $0 + TextWidth(model: model).width(of: $1) }, "\(text)")
            }
        }
    }

    @Test func `the fast classes are what the tables say`() {
        for value in UInt32(0x20)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let kind = ScalarClass.of(value)
            guard kind != .complex else { continue }
            #expect(!scalar.isInvisible && !scalar.isMark, "U+\(String(value, radix: 16))")
            #expect((kind == .wide) == (scalar.baseColumns(.unicode) == 2), "U+\(String(value, radix: 16))")
        }
    }

    @Test func `nothing that commands a terminal gets through`() {
        var text = String.UnicodeScalarView()
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), scalar.isInvisible else { continue }
            text.append(scalar)
        }
        let visible = Sanitizer.visible(String(text))
        #expect(visible.unicodeScalars.allSatisfy { !$0.isInvisible })
        #expect(Sanitizer.visible("a\u{1B}[31mb\u{202E}c") == "a␛[31mb<202E>c")
        #expect(Sanitizer.visible("👨‍👩‍👧 मन\u{94D}\u{200D} ok") == "👨‍👩‍👧 मन\u{94D}\u{200D} ok")
    }

    @Test func `control characters are spelled where the terminal shows only ASCII`() {
        var screen = Screen(size: Size(columns: 24, rows: 1))
        screen.fixedModel = [.unicode, .spellsControls]
        let used = screen.write("a\u{1B}[m\t\u{7F}b", at: Position(column: 0, row: 0), style: .default)
        #expect(screen.text(row: 0).hasPrefix("a<1B>[m<09><7F>b "))
        #expect(used == 16)
    }

    @Test func `bytes that are not text are shown as such`() {
        let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0x28, 0xE4, 0xB8]
        #expect(bytes.withUnsafeBufferPointer { TextWidth(model: .unicode).width(utf8: $0) } == 6)
    }
}
