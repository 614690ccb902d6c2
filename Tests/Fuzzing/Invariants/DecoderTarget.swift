import Terminal

extension FuzzTarget {
    /// The input decoder: it comes to rest, hands on no control character as typed, reads the same however the bytes are
    /// cut, and then reads the next key.
    ///
    /// The first byte says how the input is cut in two and what the decoder is told of the terminal.
    public static let decoder = FuzzTarget("decoder") { input in
        guard let first = input.first else { return nil }
        var decoder = InputDecoder(configuration: configuration(first))
        let cut = 1 + Int(first) % input.count
        var events: [InputEvent] = []
        var now = Timestamp.now
        for part in [input[1..<cut], input[cut...]] {
            decoder.decode(part, at: now, into: &events)
            // In one case of four, silence long enough for all that is half read but one pause.
            if first & 0x30 == 0, let deadline = decoder.deadline {
                now = deadline
                decoder.expire(at: now, into: &events)
            }
        }
        // Only its end ends a paste; to anything else an end is nothing.
        for _ in 0..<2 {
            guard comeToRest(&decoder, &now, patience: input.count, &events) else {
                return "the decoder waits for ever"
            }
            decoder.decode(Array("\u{1B}[201~".utf8), at: now, into: &events)
        }
        guard comeToRest(&decoder, &now, patience: input.count, &events) else { return "the decoder waits for ever" }
        if events.count > input.count + 3 { return "\(events.count) events of \(input.count) bytes" }
        for case .key(let press) in events {
            let isControl = press.text?.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ?? false
            if isControl { return "typed is a control character: \(press)" }
        }
        events.removeAll()
        decoder.decode([0x78], at: now, into: &events)
        guard events == [.key(KeyPress(typed: "x"))] else { return "the next key came out as \(events)" }
        return cuttingFault(configuration(first), Array(input[1...]))
    }

    private static func configuration(_ first: UInt8) -> InputDecoder.Configuration {
        var configuration = InputDecoder.Configuration()
        configuration.hasKeyboardProtocol = first & 1 != 0
        configuration.awaitsReplies = first & 2 != 0
        configuration.burstIsPaste = first & 4 != 0
        configuration.reportsReleases = first & 8 != 0
        configuration.pasteLimit = 64
        return configuration
    }

    /// Lets silence end what is half read; whether it does.
    private static func comeToRest(
        _ decoder: inout InputDecoder, _ now: inout Timestamp, patience: Int, _ events: inout [InputEvent]
    ) -> Bool {
        for _ in 0..<patience + 8 {
            guard let deadline = decoder.deadline else { return true }
            now = deadline
            decoder.expire(at: now, into: &events)
        }
        return decoder.deadline == nil
    }

    /// Bytes that come one by one without a pause are read as those that come at once.
    private static func cuttingFault(_ configuration: InputDecoder.Configuration, _ input: [UInt8]) -> String? {
        // What is told by arriving at once is another thing when it does not.
        if configuration.burstIsPaste { return nil }
        func read(_ pieces: [ArraySlice<UInt8>]) -> [InputEvent] {
            var decoder = InputDecoder(configuration: configuration)
            var events: [InputEvent] = []
            var now = Timestamp.now
            for piece in pieces { decoder.decode(piece, at: now, into: &events) }
            _ = comeToRest(&decoder, &now, patience: input.count, &events)
            return joined(events)
        }
        let (whole, cut) = (read([input[...]]), read(input.indices.map { input[$0...$0] }))
        return whole == cut ? nil : "at once \(whole), byte by byte \(cut)"
    }

    /// Typed text and pastes as they are in sum: a cut may come between the parts of a character of several scalars.
    private static func joined(_ events: [InputEvent]) -> [InputEvent] {
        var result: [InputEvent] = []
        for event in events {
            switch (result.last, event) {
            case (.key(var last), .key(let press)) where isTyped(last) && isTyped(press):
                last.text = (last.text ?? "") + (press.text ?? "")
                last.key = .none
                result[result.count - 1] = .key(last)
            case (.paste(let last), .paste(let text)): result[result.count - 1] = .paste(last + text)
            case (_, .key(var press)) where isTyped(press):
                press.key = .none
                result.append(.key(press))
            default: result.append(event)
            }
        }
        return result
    }

    /// Whether it is nothing but text.
    private static func isTyped(_ press: KeyPress) -> Bool {
        press.text != nil && press == KeyPress(press.key, text: press.text)
    }
}
