import Testing

@testable import Terminal

/// Tests the input of real terminals, whole and cut at every byte.
struct InputDecoderTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let bytes: [UInt8]
        let events: [InputEvent]

        init(_ text: String, _ events: InputEvent...) { self.init(Array(text.utf8), events) }
        init(_ text: String, _ events: [InputEvent]) { self.init(Array(text.utf8), events) }
        init(_ bytes: [UInt8], _ events: [InputEvent]) { (self.bytes, self.events) = (bytes, events) }

        var testDescription: String { Sanitizer.visible(String(decoding: bytes, as: UTF8.self)) }
    }

    private func check(_ rows: [Row], _ configuration: InputDecoder.Configuration = .init()) {
        let decoding = Decoding(configuration: configuration)
        for row in rows {
            for chunks in decoding.splittings(row.bytes) {
                #expect(decoding.events(chunks) == row.events, "\(row.testDescription) as \(chunks)")
            }
        }
    }

    @Test func `text arrives character by character`() {
        check([
            Row("a", typed("a")), Row("ab c", typed("ab c")), Row("é", typed("é")), Row("世界", typed("世界")),
            Row("👩‍🚀", typed("👩‍🚀")), Row("🇺🇸", typed("🇺🇸")), Row("👍🏽x", typed("👍🏽x")), Row("❤️", typed("❤️")),
            Row([0xFF], typed("\u{FFFD}")), Row([0xC3, 0x28], typed("\u{FFFD}(")),
            Row([0xF0, 0x9F, 0x41], typed("\u{FFFD}A")), Row([0xE4, 0xB8], typed("\u{FFFD}")),
            Row([0xC0, 0x80], typed("\u{FFFD}\u{FFFD}")), Row([0xED, 0xA0, 0x80], typed("\u{FFFD}\u{FFFD}\u{FFFD}")),
            Row([0xF4, 0x90, 0x80, 0x80], typed("\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")),
            Row([0x80], typed("\u{FFFD}")), Row([0xC3, 0xC3, 0xA9], typed("\u{FFFD}é")),
        ])
    }

    @Test func `accents that arrive in one read join their letter`() {
        #expect(Decoding.all("e\u{301}x") == typed("e\u{301}x"))
    }

    @Test func `control characters are keys`() {
        check([
            Row("\r", key(.enter)), Row("\n", key("j", .control)), Row("\t", key(.tab)),
            Row("\u{7F}", key(.backspace)), Row("\u{08}", key(.backspace, .control)),
            Row("\u{00}", key(" ", .control)), Row("\u{01}", key("a", .control)), Row("\u{1A}", key("z", .control)),
            Row("\u{1C}", key("\\", .control)), Row("\u{1D}", key("]", .control)), Row("\u{1E}", key("^", .control)),
            Row("\u{1F}", key("_", .control)),
        ])
    }

    @Test func `backspace follows the terminal's erase character`() {
        var configuration = InputDecoder.Configuration()
        configuration.backspaceIsControlH = true
        check([Row("\u{08}", key(.backspace)), Row("\u{7F}", key(.backspace, .control))], configuration)
    }

    @Test func `ESC alone is Escape and ESC before a key is Alt`() {
        check([
            Row("\u{1B}", key(.escape)), Row("\u{1B}\u{1B}", key(.escape, .alt)),
            Row("\u{1B}x", key("x", .alt)), Row("\u{1B}X", key("X", .alt)), Row("\u{1B}é", key("é", .alt)),
            Row("\u{1B}\u{01}", key("a", [.control, .alt])), Row("\u{1B}\u{7F}", key(.backspace, .alt)),
            Row("\u{1B}\r", key(.enter, .alt)), Row("\u{1B}[", key("[", .alt)), Row("\u{1B}O", key("O", .alt)),
            Row("\u{1B}P", key("P", .alt)), Row("\u{1B}]", key("]", .alt)), Row("\u{1B}_", key("_", .alt)),
            Row("\u{1B}\u{1B}[D", key(.left, .alt)), Row("\u{1B}\u{1B}OP", key(.function(1), .alt)),
            Row("\u{1B}\u{1B}\u{1B}", key(.escape, .alt), key(.escape)),
        ])
        #expect(Decoding.all("\u{1B}]x") == [key("]", .alt)] + typed("x"))
        #expect(Decoding.all("\u{1B}Px") == [key("P", .alt)] + typed("x"))
    }

    @Test func `arrows come in every dialect`() {
        check([
            Row("\u{1B}[A", key(.up)), Row("\u{1B}OA", key(.up)), Row("\u{1B}[B", key(.down)),
            Row("\u{1B}[C", key(.right)),
            Row("\u{1B}[D", key(.left)), Row("\u{1B}[1;2A", key(.up, .shift)), Row("\u{1B}[1;3B", key(.down, .alt)),
            Row("\u{1B}[1;5C", key(.right, .control)), Row("\u{1B}[1;6D", key(.left, [.control, .shift])),
            Row("\u{1B}[1;3D", key(.left, .alt)), Row("\u{1B}[a", key(.up, .shift)),
            Row("\u{1B}Oa", key(.up, .control)),
            Row("\u{1B}O5A", key(.up, .control)), Row("\u{1B}[1;1:2A", .key(KeyPress(.up, phase: .repeat))),
            Row("\u{1B}[1;1:3A"),
        ])
    }

    @Test func `editing keys come in every dialect`() {
        check([
            Row("\u{1B}[3~", key(.delete)), Row("\u{1B}[3;5~", key(.delete, .control)),
            Row("\u{1B}[3$", key(.delete, .shift)), Row("\u{1B}[3^", key(.delete, .control)),
            Row("\u{1B}[3@", key(.delete, [.control, .shift])),
            Row("\u{1B}[H", key(.home)), Row("\u{1B}OH", key(.home)), Row("\u{1B}[1~", key(.home)),
            Row("\u{1B}[7~", key(.home)), Row("\u{1B}[F", key(.end)), Row("\u{1B}OF", key(.end)),
            Row("\u{1B}[4~", key(.end)), Row("\u{1B}[8~", key(.end)), Row("\u{1B}[2~", key(.insert)),
            Row("\u{1B}[5~", key(.pageUp)), Row("\u{1B}[6~", key(.pageDown)), Row("\u{1B}[Z", key(.tab, .shift)),
            Row("\u{1B}[1;5H", key(.home, .control)),
        ])
    }

    @Test func `function keys come in every dialect`() {
        check([
            Row("\u{1B}OP", key(.function(1))), Row("\u{1B}[P", key(.function(1))),
            Row("\u{1B}[11~", key(.function(1))),
            Row("\u{1B}[[A", key(.function(1))), Row("\u{1B}[[E", key(.function(5))),
            Row("\u{1B}OR", key(.function(3))),
            Row("\u{1B}[13~", key(.function(3))), Row("\u{1B}[15~", key(.function(5))),
            Row("\u{1B}[17~", key(.function(6))),
            Row("\u{1B}[18~", key(.function(7))), Row("\u{1B}[19~", key(.function(8))),
            Row("\u{1B}[20~", key(.function(9))),
            Row("\u{1B}[21~", key(.function(10))), Row("\u{1B}[23~", key(.function(11))),
            Row("\u{1B}[24~", key(.function(12))), Row("\u{1B}[15;2~", key(.function(5), .shift)),
            Row("\u{1B}[1;5P", key(.function(1), .control)), Row("\u{1B}[1;2R", key(.function(3), .shift)),
            Row("\u{1B}[23$", key(.function(11), .shift)), Row("\u{1B}[34~", key(.function(20))),
        ])
    }

    @Test func `the keypad has keys of its own`() {
        check([
            Row("\u{1B}OM", key(.keypad(.enter))), Row("\u{1B}Oj", key(.keypad(.character("*")), text: "*")),
            Row("\u{1B}Oy", key(.keypad(.character("9")), text: "9")),
            Row("\u{1B}[57399u", key(.keypad(.character("0")), text: "0")),
            Row("\u{1B}[57414u", key(.keypad(.enter))), Row("\u{1B}[57427u", key(.keypad(.begin))),
            Row("\u{1B}[57427~", key(.keypad(.begin))), Row("\u{1B}[57419u", key(.up)), Row("\u{1B}[57441u"),
            Row("\u{1B}[57454;5u"),
        ])
    }

    @Test func `the kitty protocol's keys are understood`() {
        check([
            Row("\u{1B}[27u", key(.escape)), Row("\u{1B}[97;5u", key("a", .control)),
            Row("\u{1B}[97;6u", key("a", [.control, .shift])),
            Row("\u{1B}[97:65;2u", .key(KeyPress(.character("a"), .shift, text: "A", shiftedKey: "A"))),
            Row("\u{1B}[1089::99;5u", .key(KeyPress(.character("с"), .control, baseLayoutKey: "c"))),
            Row("\u{1B}[13;2u", key(.enter, .shift)), Row("\u{1B}[13;5u", key(.enter, .control)),
            Row("\u{1B}[9;5u", key(.tab, .control)), Row("\u{1B}[127;3u", key(.backspace, .alt)),
            Row("\u{1B}[97;1:2u", .key(KeyPress(.character("a"), text: "a", phase: .repeat))), Row("\u{1B}[97;1:3u"),
            Row("\u{1B}[0;;229u", key(.none, text: "å")), Row("\u{1B}[97;2;65u", key("a", .shift, text: "A")),
            Row("\u{1B}[97;65u", key("a", [], text: "a")), Row("\u{1B}[97;;97:98u", key("a", [], text: "ab")),
            Row("\u{1B}[97;9u", key("a", .super)), Row("\u{1B}[27;5;13~", key(.enter, .control)),
            Row("\u{1B}[u"), Row("\u{1B}[999999999999u"), Row("\u{1B}[55296u"),
            Row("\u{1B}[97;2;27u", key("a", .shift, text: "A")),
        ])
    }

    @Test func `released keys are reported when asked for`() {
        var configuration = InputDecoder.Configuration()
        configuration.reportsReleases = true
        check([Row("\u{1B}[97;1:3u", .key(KeyPress(.character("a"), text: "a", phase: .release)))], configuration)
    }

    @Test func `a paste is one event whatever it holds`() {
        check([
            Row("\u{1B}[200~a\r\nb\u{1B}[201~", .paste("a\nb")), Row("\u{1B}[200~\u{1B}[201~", .paste("")),
            Row("\u{1B}[200~x\u{1B}[201~", .paste("x")), Row("\u{1B}[200~a\rb\u{1B}[201~", .paste("a\nb")),
            Row("\u{1B}[200~a\u{1B}[200~b\u{1B}[201~", .paste("a\u{1B}[200~b")), Row("\u{1B}[201~"),
            Row("\u{1B}[200~s\u{1B}[201~\rEVIL\u{1B}[201~", .paste("s\u{1B}[201~\nEVIL")),
            Row("\u{1B}[200~a\u{1B}[A\u{03}\u{1B}[201~", .paste("a\u{1B}[A\u{03}")),
            Row("\u{1B}[200~a\u{1B}[201~\u{1B}[200~b\u{1B}[201~", .paste("a"), .paste("b")),
            Row(Array("\u{1B}[200~".utf8) + [0xFF] + Array("\u{1B}[201~".utf8), [.paste("\u{FFFD}")]),
        ])
    }

    @Test func `a large paste arrives whole, and beyond the limit is refused whole`() {
        let text = String(repeating: "0123456789abcde\n", count: 20_000)
        let bytes = Array("\u{1B}[200~\(text)\u{1B}[201~".utf8)
        let chunks = stride(from: 0, to: bytes.count, by: 4095).map { Array(bytes[$0..<min($0 + 4095, bytes.count)]) }
        #expect(Decoding().events(chunks) == [.paste(text)])
        var configuration = InputDecoder.Configuration()
        configuration.pasteLimit = 10_000
        #expect(
            Decoding(configuration: configuration).events(chunks)
                == [.pasteStatus(.refused(bytes: text.utf8.count, limit: 10_000))])
    }

    @Test func `a burst is a paste where the terminal marks none`() {
        var configuration = InputDecoder.Configuration()
        configuration.burstIsPaste = true
        let decoding = Decoding(configuration: configuration)
        #expect(decoding.events([Array("one\rtwo\r".utf8)]) == [.paste("one\ntwo\n")])
        #expect(decoding.events([Array("a\r".utf8)]) == typed("a") + [key(.enter)])
    }

    @Test func `the mouse is understood in both encodings`() {
        check([
            Row("\u{1B}[<0;10;5M", mouse(.press, .left, 9, 4)), Row("\u{1B}[<0;10;5m", mouse(.release, .left, 9, 4)),
            Row("\u{1B}[<2;1;1M", mouse(.press, .right, 0, 0)), Row("\u{1B}[<1;1;1M", mouse(.press, .middle, 0, 0)),
            Row("\u{1B}[<32;3;4M", mouse(.drag, .left, 2, 3)), Row("\u{1B}[<35;3;4M", mouse(.move, .none, 2, 3)),
            Row("\u{1B}[<64;1;1M", mouse(.wheel(columns: 0, rows: -1), .none, 0, 0)),
            Row("\u{1B}[<65;1;1M", mouse(.wheel(columns: 0, rows: 1), .none, 0, 0)),
            Row("\u{1B}[<66;1;1M", mouse(.wheel(columns: -1, rows: 0), .none, 0, 0)),
            Row("\u{1B}[<67;1;1M", mouse(.wheel(columns: 1, rows: 0), .none, 0, 0)),
            Row("\u{1B}[<4;1;1M", mouse(.press, .left, 0, 0, .shift)),
            Row("\u{1B}[<8;1;1M", mouse(.press, .left, 0, 0, .alt)),
            Row("\u{1B}[<16;1;1M", mouse(.press, .left, 0, 0, .control)),
            Row("\u{1B}[<128;1;1M", mouse(.press, .back, 0, 0)), Row("\u{1B}[<129;1;1M", mouse(.press, .forward, 0, 0)),
            Row("\u{1B}[M !!", mouse(.press, .left, 0, 0)), Row("\u{1B}[M#!!", mouse(.release, .none, 0, 0)),
            Row("\u{1B}[<0;-3;2M"), Row("\u{1B}[<0;99999;1M", mouse(.press, .left, 65_535, 0)),
            Row("\u{1B}[<9999;1;1M"),
        ])
    }

    @Test func `drags and wheel ticks that arrive together are one event`() {
        #expect(Decoding.all("\u{1B}[<32;1;1M\u{1B}[<32;5;2M") == [mouse(.drag, .left, 4, 1)])
        #expect(
            Decoding.all("\u{1B}[<65;1;1M\u{1B}[<65;1;1M\u{1B}[<64;2;1M")
                == [mouse(.wheel(columns: 0, rows: 1), .none, 1, 0)])
        #expect(Decoding.all("\u{1B}[<0;1;1M\u{1B}[<0;1;1m").count == 2)
    }

    @Test func `reports of the terminal are events`() {
        check([
            Row("\u{1B}[I", .focus(true)), Row("\u{1B}[O", .focus(false)), Row("\u{1B}[?997;2n", .colorScheme(.light)),
            Row("\u{1B}[?997;1n", .colorScheme(.dark)),
            Row("\u{1B}[48;40;120;800;1200t", .resized(Size(columns: 120, rows: 40))),
            Row("\u{1B}[48;40:1;120:2t", .resized(Size(columns: 120, rows: 40))), Row("\u{1B}[48;0;0t"),
        ])
    }

    @Test func `answers are replies and never keys`() {
        check([
            Row("\u{1B}[?2026;2$y", .reply(.mode(2026, state: 2))), Row("\u{1B}[?5u", .reply(.keyboard(flags: 5))),
            Row("\u{1B}[?62;22;52c", .reply(.attributes([62, 22, 52]))),
            Row("\u{1B}[12;40R", .reply(.cursor(Position(column: 39, row: 11)))),
            Row("\u{1B}]11;rgb:ffff/0/80\u{1B}\\", .reply(.color(.background, .rgb(255, 0, 128)))),
            Row("\u{1B}]10;rgb:ff/80/0\u{07}", .reply(.color(.foreground, .rgb(255, 128, 0)))),
            Row("\u{1B}]11;#102030\u{07}", .reply(.color(.background, .rgb(0x102030)))),
            Row(
                "\u{1B}]11;rgb:0/0/0\u{07}\u{1B}[?1;2c", .reply(.color(.background, .rgb(0))),
                .reply(.attributes([1, 2]))),
            Row("\u{1B}P>|foot(1.20)\u{1B}\\", .reply(.version("foot(1.20)"))),
            Row("\u{1B}P1$r0;48:2::59:34:76m\u{1B}\\", .reply(.setting("0;48:2::59:34:76m"))),
            Row("\u{1B}[6;20;10t", .reply(.cellSize(width: 10, height: 20))),
            Row("\u{1B}]52;c;aGk=\u{07}", .reply(.clipboard(Array("hi".utf8)))),
            Row("\u{1B}]52;c;?\u{07}"), Row("\u{1B}]11;nonsense\u{07}"), Row("\u{1B}[>84;0;0c"),
            Row("\u{1B}P1+r524742=38\u{1B}\\"), Row("\u{1B}_Gi=31;OK\u{1B}\\"), Row("\u{1B}[0n"),
            Row("\u{1B}[8;40;120t"), Row("\u{1B}]4;7;#102030\u{07}"), Row("\u{1B}]12;#102030\u{07}"),
            Row("\u{1B}P0$r\u{1B}\\", .reply(.setting(nil))),
        ])
    }

    @Test func `Escape just before an answer stays a key`() {
        check([
            Row("\u{1B}\u{1B}[?1;2c", key(.escape), .reply(.attributes([1, 2]))),
            Row("\u{1B}\u{1B}]11;rgb:0/0/0\u{07}", key(.escape), .reply(.color(.background, .rgb(0)))),
            Row("\u{1B}\u{1B}[I", key(.escape), .focus(true)),
        ])
    }

    @Test func `what is broken is dropped and what follows is not`() {
        check([
            Row("\u{1B}]0;t\u{1B}[A", key(.up)), Row("\u{1B}]0;t\u{18}a", typed("a")),
            Row("\u{1B}[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31z"),
            Row("\u{1B}[12\u{1B}[A", key(.up)), Row("\u{1B}[12\ra", [key(.enter)] + typed("a")),
            Row("\u{1B}[12é", typed("é")), Row("\u{1B}]11;rgb\rx", [key(.enter)] + typed("x")),
            Row("\u{1B}[12\u{18}a", typed("a")),
            Row("\u{1B}[=5c"), Row("\u{1B}[5n"), Row("\u{1B}[>1;2;3m"),
        ])
        let endless =
            "\u{1B}[" + String(repeating: "1;", count: 5000) + "u\u{1B}]0;" + String(repeating: "x", count: 9000)
        #expect(Decoding.all(endless + "\u{07}ab") == typed("ab"))
    }

    @Test func `under the kitty protocol a slow sequence is still one key`() {
        var configuration = InputDecoder.Configuration()
        configuration.hasKeyboardProtocol = true
        var decoder = InputDecoder(configuration: configuration)
        var events: [InputEvent] = []
        decoder.decode([0x1B], at: Timestamp(nanoseconds: 0), into: &events)
        decoder.expire(at: Timestamp(nanoseconds: 100_000_000), into: &events)
        decoder.decode(Array("[A".utf8), at: Timestamp(nanoseconds: 100_000_000), into: &events)
        #expect(events == [key(.up)])
    }

    @Test func `a key is looked up by what it types, by itself, and by its place`() {
        let cyrillic = KeyPress(.character("с"), .control, baseLayoutKey: "c")
        #expect(cyrillic.bindings == [.init(.character("с"), .control), .init(.character("c"), .control)])
        let shifted = KeyPress(.character("a"), .shift, text: "A", shiftedKey: "A")
        #expect(shifted.bindings == [.init(.character("A")), .init(.character("a"), .shift)])
        let french = KeyPress(.character("&"), .alt, baseLayoutKey: "1")
        #expect(french.bindings == [.init(.character("&"), .alt), .init(.character("1"), .alt)])
    }

    @Test func `a key of Dvorak is not the letter that a US keyboard has in its place`() {
        let quote = KeyPress(.character("'"), .control, baseLayoutKey: "q")
        #expect(quote.bindings == [.init(.character("'"), .control)])
        let letter = KeyPress(.character("b"), .control, baseLayoutKey: "n")
        #expect(letter.bindings == [.init(.character("b"), .control)])
    }

    // MARK: - Time

    /// Feeds pieces after the given milliseconds of silence, and lets time pass at the end.
    func timed(_ pieces: [(Int, String)], awaitsReplies: Bool = false) -> [InputEvent] {
        var configuration = InputDecoder.Configuration()
        configuration.awaitsReplies = awaitsReplies
        var decoder = InputDecoder(configuration: configuration)
        var events: [InputEvent] = []
        var now = Timestamp(nanoseconds: 0)
        func wait(until end: Timestamp) {
            while let deadline = decoder.deadline, deadline <= end { decoder.expire(at: deadline, into: &events) }
            now = end
        }
        for (silence, text) in pieces {
            wait(until: now + .milliseconds(Int64(silence)))
            decoder.decode(Array(text.utf8), at: now, into: &events)
        }
        wait(until: now + .seconds(60))
        return events
    }

    private static let slowAnswers = [
        "\u{1B}[?62;52c", "\u{1B}[?2026;2$y", "\u{1B}[?5u", "\u{1B}[?997;2n", "\u{1B}[12;40R", "\u{1B}[<0;10;5M",
        "\u{1B}]11;rgb:ffff/0000/8080\u{1B}\\", "\u{1B}]10;rgb:ff/ff/ff\u{07}", "\u{1B}P>|foot(1.20)\u{1B}\\",
        "\u{1B}P1$r0;48:2::59:34:76m\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[1;5A", "\u{1B}[3~",
    ]

    @Test(arguments: slowAnswers)
    func `an answer that pauses for seconds anywhere inside is still none of the keys`(_ answer: String) {
        let scalars = Array(answer.unicodeScalars)
        let whole = Decoding.all(answer)
        // Before the third byte, it could be Escape, or Alt with a key; after it, it cannot.
        for cut in 3..<scalars.count {
            let parts = [scalars[..<cut], scalars[cut...]].map { String(String.UnicodeScalarView($0)) }
            #expect(timed([(0, "a" + parts[0]), (2000, parts[1] + "b")]) == typed("a") + whole + typed("b"))
        }
        let bytes = scalars.enumerated().map { ($0.offset > 2 ? 400 : 0, String($0.element)) }
        #expect(timed(bytes) == whole)
        // While answers are expected, even the first bytes may arrive separately.
        #expect(timed(scalars.map { (400, String($0)) }, awaitsReplies: true) == whole)
    }

    @Test func `what is typed after an answer that was cut off for good is kept`() {
        #expect(timed([(0, "\u{1B}[?62"), (2000, "plain 2026 text")]) == typed("plain 2026 text"))
        #expect(timed([(0, "\u{1B}[?62"), (2000, "12"), (100, " of them")]) == typed("12 of them"))
        #expect(timed([(0, "\u{1B}[?62"), (2000, "7"), (900, "x")]) == typed("7x"))
        #expect(timed([(0, "\u{1B}]11;rgb:ff"), (2000, "added"), (50, " by hand")]) == typed("added by hand"))
        #expect(timed([(0, "\u{1B}]11;rgb:ff"), (2000, "fa"), (50, "\u{1B}[A")]) == typed("fa") + [key(.up)])
        #expect(timed([(0, "\u{1B}]11;rgb:ff"), (9000, "x")]) == typed("x"))
        #expect(timed([(0, "\u{1B}]11;rgb:ff\u{1B}"), (2000, "x")]) == [key(.escape)] + typed("x"))
        #expect(timed([(0, "\u{1B}[1;"), (2000, "\u{1B}[A")]) == [key(.up)])
    }

    @Test func `half a character waits a tenth of a second, and a lone ESC less`() {
        var decoder = InputDecoder()
        var events: [InputEvent] = []
        let start = Timestamp(nanoseconds: 0)
        decoder.decode([0xC3], at: start, into: &events)
        #expect(decoder.deadline == start + .milliseconds(100))
        decoder.decode([0xA9, 0x1B], at: start, into: &events)
        #expect(decoder.deadline == start + .milliseconds(25) && events == typed("é"))
        decoder.configuration.awaitsReplies = true
        decoder.decode([0x1B], at: start, into: &events)
        #expect(decoder.deadline == start + .milliseconds(500))
    }

    @Test func `a lone ESC under the keyboard protocol tells that it is off`() {
        var configuration = InputDecoder.Configuration()
        configuration.hasKeyboardProtocol = true
        var decoder = InputDecoder(configuration: configuration)
        var events: [InputEvent] = []
        decoder.decode(Array("\u{1B}[27u".utf8), at: Timestamp(nanoseconds: 0), into: &events)
        #expect(events == [key(.escape)] && !decoder.hasSeenBareEscape)
        decoder.decode([0x1B], at: Timestamp(nanoseconds: 0), into: &events)
        decoder.expire(at: Timestamp(nanoseconds: 1_000_000_000), into: &events)
        #expect(events == [key(.escape), key(.escape)] && decoder.hasSeenBareEscape)
    }
}
