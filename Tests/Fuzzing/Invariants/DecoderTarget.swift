import Terminal

extension FuzzTarget {
    /// The input decoder finishes, types no control character, ignores how bytes are cut, and reads the next key.
    ///
    /// The first byte selects how the input is cut in two and the decoder's configuration.
    public static let decoder = FuzzTarget("decoder") { input in
        guard let first = input.first else { return nil }
        var decoder = InputDecoder(configuration: configuration(first))
        let cut = 1 + Int(first) % input.count
        var events: [InputEvent] = []
        var now = Timestamp.now
        for part in [input[1..<cut], input[cut...]] {
            decoder.decode(part, at: now, into: &events)
            // In one case of four, the first pause is long enough to end a partial sequence.
            if first & 0x30 == 0, let deadline = decoder.deadline {
                now = deadline
                decoder.expire(at: now, into: &events)
            }
        }
        // A paste ends only with its end sequence, which has no effect elsewhere.
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

    /// Lets silence end partial input; returns whether the decoder then waits for nothing.
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

    /// Compares bytes that arrive one by one without a pause with bytes that arrive at once.
    private static func cuttingFault(_ configuration: InputDecoder.Configuration, _ input: [UInt8]) -> String? {
        // If simultaneous arrival has a meaning, the results may differ.
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

    /// Merges adjacent typed text and pastes: a cut may fall between the scalars of a character.
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

    /// Whether the event is plain text.
    private static func isTyped(_ press: KeyPress) -> Bool {
        press.text != nil && press == KeyPress(press.key, text: press.text)
    }
}
