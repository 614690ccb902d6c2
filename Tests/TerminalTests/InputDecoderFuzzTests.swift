import SeededRandom
import Testing

@testable import Terminal

/// Tests random and mutated input; `TN_DECODER_INPUTS` is the number of inputs: 50,000, half a second in a debug build.
struct InputDecoderFuzzTests {
    private static let dictionary: [[UInt8]] =
        [
            "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}_G", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}\\",
            "\u{07}",
            ";", ":", "u", "~", "M", "m", "R", "A", "$", "$y", "?", "<", ">", "[", "1", "27", "999999999999", "11;rgb:",
            "ffff/",
            "e\u{301}", "👩‍🚀", "🇺🇸", "世", "é", "\u{18}", "\u{1A}", "\r", "\n", "\u{7F}", "\u{00}", "48;40;120t", "c",
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0xE4, 0xB8], [0xF0, 0x9F], [0x80], [0x9B]]

    private func input(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<1 + random.below(8) {
            if random.chance(75) {
                bytes += random.pick(InputDecoderFuzzTests.dictionary)
            } else {
                bytes.append(UInt8(truncatingIfNeeded: random.next()))
            }
        }
        if random.chance(20), !bytes.isEmpty {
            bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
        }
        return bytes
    }

    @Test func `nothing that comes in traps, stays, or keeps what follows from being read`() {
        let count = setting("TN_DECODER_INPUTS", or: 50_000)
        var random = SeededGenerator(seed: 1)
        var decoder = InputDecoder()
        var events: [InputEvent] = []
        var now = Timestamp(nanoseconds: 0)
        for number in 0..<count {
            events.removeAll(keepingCapacity: true)
            let bytes = input(&random)
            let cut = random.below(bytes.count + 1)
            decoder.decode(bytes[..<cut], at: now, into: &events)
            decoder.decode(bytes[cut...], at: now, into: &events)
            // Silence ends all partial input except a paste, which only its end sequence ends.
            for _ in 0..<2 {
                for _ in 0..<5 where decoder.deadline != nil {
                    now = decoder.deadline ?? now
                    decoder.expire(at: now, into: &events)
                }
                if case .paste = decoder.state { decoder.decode(Array("\u{1B}[201~".utf8), at: now, into: &events) }
            }
            guard decoder.deadline == nil, decoder.isAtRest else {
                Issue.record("input \(number), \(bytes), is not at rest")
                return
            }
            events.removeAll(keepingCapacity: true)
            decoder.decode([0x78], at: now, into: &events)
            guard events == [.key(KeyPress(typed: "x"))] else {
                Issue.record("input \(number), \(bytes), swallowed a key: \(events)")
                return
            }
        }
    }

    @Test func `memory is bounded whatever never ends`() {
        let starts = ["\u{1B}[", "\u{1B}]0;", "\u{1B}P1+r", "\u{1B}_G", "a\u{301}", "\u{1B}O", "\u{1B}[<", "👩\u{200D}"]
        for start in starts {
            for filler in ["1", "1;", "\u{301}", "🇺", "👩\u{200D}", "x"] {
                var decoder = InputDecoder()
                var events: [InputEvent] = []
                decoder.decode(Array(start.utf8), at: Timestamp(nanoseconds: 0), into: &events)
                let chunk = Array(String(repeating: filler, count: 1000).utf8)
                for _ in 0..<20 {
                    decoder.decode(chunk, at: Timestamp(nanoseconds: 0), into: &events)
                    #expect(decoder.heldBytes <= 5000)
                }
            }
        }
    }

    @Test func `text between sequences is never lost`() {
        var random = SeededGenerator(seed: 2)
        let sequences = [
            "\u{1B}[A", "\u{1B}[1;5C", "\u{1B}[?1;2c", "\u{1B}]11;rgb:0/0/0\u{07}", "\u{1B}[I", "\u{1B}[<0;1;1M",
        ]
        for _ in 0..<2000 {
            var bytes: [UInt8] = []
            var expected = ""
            for _ in 0..<10 {
                let word = random.pick(["a", "word ", "世界", "é", "x"])
                expected += word
                bytes += Array(word.utf8) + Array(random.pick(sequences).utf8)
            }
            let cut = random.below(bytes.count)
            let events = Decoding().events([Array(bytes[..<cut]), Array(bytes[cut...])])
            let text = events.map { if case .key(let press) = $0 { press.text ?? "" } else { "" } }.joined()
            #expect(text == expected)
        }
    }
}
