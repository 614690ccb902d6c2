import Load
import SeededRandom
import Testing

@testable import Terminal

/// Tests that pasted input is text or nothing, and never keys, whatever its pauses and contents.
@Suite(.underLoad)
struct PasteTests {
    private let start = "\u{1B}[200~"
    private let end = "\u{1B}[201~"

    private func timed(_ pieces: (Int, String)...) -> [InputEvent] { InputDecoderTests().timed(pieces) }

    // MARK: Pauses

    @Test func `a paste that pauses for a minute goes on, and the pause is reported`() {
        #expect(
            timed((0, start + "one\r"), (60_000, "dd"), (60_000, "d" + end), (1000, "x"))
                == [.pasteStatus(.stalled(bytes: 4)), .pasteStatus(.ended), .paste("one\nddd")] + typed("x"))
    }

    @Test func `a paste whose end never comes keeps waiting`() {
        #expect(timed((0, start + "abc")) == [.pasteStatus(.stalled(bytes: 3))])
    }

    @Test(arguments: ["\u{03}", "\u{1B}[99;5u", "\u{1B}[1089::99;5u", "\u{1B}[27;5;99~"])
    func `Ctrl-C alone after a pause gives up: what came is text, the rest is nothing, and keys follow the end`(
        controlC: String
    ) {
        #expect(
            timed((0, start + "abc"), (2000, controlC), (500, "d"), (500, "d\r\u{1B}[A" + end), (500, "x"))
                == [
                    .pasteStatus(.stalled(bytes: 3)), .paste("abc"), .pasteStatus(.abandoned), .pasteStatus(.ended),
                ] + typed("x"))
    }

    @Test func `a second Ctrl-C gives the keys back without an end, and an end that comes later is none`() {
        #expect(
            timed((0, start + "abc"), (2000, "\u{03}"), (500, "d"), (500, "\u{03}"), (500, "d"), (500, end), (0, "x"))
                == [
                    .pasteStatus(.stalled(bytes: 3)), .paste("abc"), .pasteStatus(.abandoned), .pasteStatus(.ended),
                ] + typed("dx"))
    }

    @Test func `Ctrl-C in the text, before a pause or together with other bytes, is text`() {
        #expect(timed((0, start + "a"), (500, "\u{03}"), (0, "b" + end)) == [.paste("a\u{03}b")])
        #expect(
            timed((0, start + "a"), (2000, "\u{03}b" + end))
                == [.pasteStatus(.stalled(bytes: 1)), .pasteStatus(.ended), .paste("a\u{03}b")])
    }

    // MARK: False ends

    @Test(arguments: ["dd\r", "\u{1B}[A\u{1B}[Bd", "\u{03}\u{03}", "\u{1B}d", "\u{1B}[<0;5;5M\u{1B}[<0;5;5m"])
    func `what follows an end without a pause is neither a key nor a click`(rest: String) {
        for chunks in Decoding().splittings(Array((start + "text" + end + rest).utf8)) {
            for event in Decoding().events(chunks) {
                switch event {
                case .paste: break
                default: Issue.record("\(event) came out of \(chunks)")
                }
            }
        }
    }

    @Test func `what follows an end at once goes on the text, and what the terminal reports is reported`() {
        #expect(Decoding.all(start + "世界" + end + "q\r\tz") == [.paste("世界q\n\tz")])
        #expect(
            Decoding.all(start + "a" + end + "\u{1B}[I\u{1B}[?1;2c")
                == [.paste("a"), .focus(true), .reply(.attributes([1, 2]))])
    }

    @Test func `after a forged end the true one may be a slow line away`() {
        #expect(
            timed((0, start + "a" + end + "rm"), (200, " -rf"), (200, "\r" + end), (500, "x"))
                == [.paste("a" + end + "rm -rf\n")] + typed("x"))
    }

    @Test func `a single control key behind the end is a key, if no other end comes`() {
        #expect(timed((0, start + "a" + end + "\u{13}"), (500, "")) == [.paste("a"), key(.character("s"), .control)])
        #expect(timed((0, start + "a" + end + "\u{1B}"), (500, "")) == [.paste("a"), key(.escape)])
        #expect(timed((0, start + "a" + end + "\u{13}"), (200, "b" + end)) == [.paste("a" + end + "\u{13}b")])
        #expect(timed((0, start + "a" + end + "\u{13}b"), (500, "")) == [.paste("ab")])
    }

    @Test func `a key after a pause is a key`() {
        #expect(timed((0, start + "a" + end), (40, "\r")) == [.paste("a"), key(.enter)])
    }

    @Test func `a paste that begins right after another is a paste, even if it takes longer`() {
        #expect(
            timed((0, start + "a" + end + start + "b"), (5000, "c" + end))
                == [.paste("a"), .pasteStatus(.stalled(bytes: 1)), .pasteStatus(.ended), .paste("bc")])
        #expect(
            timed((0, start + "a" + end + "k" + start + "b"), (5000, "c" + end))
                == [.paste("ak"), .pasteStatus(.stalled(bytes: 1)), .pasteStatus(.ended), .paste("bc")])
    }

    // MARK: Size

    @Test func `a paste that is refused can be given up too, and takes no memory`() {
        var configuration = InputDecoder.Configuration()
        configuration.pasteLimit = 1000
        var decoder = InputDecoder(configuration: configuration)
        var events: [InputEvent] = []
        let now = Timestamp(nanoseconds: 0)
        decoder.decode(Array(start.utf8), at: now, into: &events)
        let piece = Array(String(repeating: "世", count: 333).utf8)
        for _ in 0..<100 { decoder.decode(piece, at: now, into: &events) }
        #expect(decoder.paste.bytes.count < 10 && events.isEmpty)
        decoder.expire(at: now + .seconds(2), into: &events)
        decoder.decode([0x03], at: now + .seconds(2), into: &events)
        decoder.decode([0x78], at: now + .seconds(3), into: &events)
        #expect(
            events == [
                .pasteStatus(.stalled(bytes: 99_900)), .pasteStatus(.refused(bytes: 99_900, limit: 1000)),
            ] + typed("x"))
    }

    // MARK: Everything

    @Test func `no bytes of a paste ever come out as a key, wherever it pauses`() {
        var random = SeededGenerator(seed: 7)
        let parts = ["d", "dd\r", "\u{03}", "\u{1B}", "[201~", "\u{1B}[A", "é", "x\u{1B}[200~", "\u{1B}[20", "1~", "世"]
        for _ in 0..<3000 {
            var decoder = InputDecoder()
            var events: [InputEvent] = []
            var now = Timestamp(nanoseconds: 0)
            decoder.decode(Array(start.utf8), at: now, into: &events)
            for _ in 0..<1 + random.below(8) {
                // Long enough for a stall to be reported, but for nothing else.
                if random.chance(40) {
                    now = now + .seconds(3)
                    decoder.expire(at: now, into: &events)
                }
                // A Ctrl-C alone would be a key, and an end sequence followed by a pause is an end.
                let part = random.pick(parts) + "."
                decoder.decode(Array(part.utf8), at: now, into: &events)
            }
            decoder.decode(Array(end.utf8), at: now, into: &events)
            while let deadline = decoder.deadline { decoder.expire(at: deadline, into: &events) }
            let isText = events.allSatisfy {
                switch $0 {
                case .paste, .pasteStatus: true
                default: false
                }
            }
            #expect(isText, "\(events)")
        }
    }
}
