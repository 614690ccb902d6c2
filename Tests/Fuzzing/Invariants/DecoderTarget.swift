import Terminal

extension FuzzTarget {
    /// The input decoder: it comes to rest, and reads the next key.
    ///
    /// The first byte says how the input is cut in two and what the decoder is told of the terminal.
    public static let decoder = FuzzTarget("decoder") { input in
        guard let first = input.first else { return nil }
        var configuration = InputDecoder.Configuration()
        configuration.hasKeyboardProtocol = first & 1 != 0
        configuration.awaitsReplies = first & 2 != 0
        configuration.burstIsPaste = first & 4 != 0
        configuration.reportsReleases = first & 8 != 0
        configuration.pasteLimit = 64
        let cut = 1 + Int(first) % input.count
        var decoder = InputDecoder(configuration: configuration)
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
        var patience = input.count + 8
        while let deadline = decoder.deadline, patience > 0 {
            now = deadline
            decoder.expire(at: now, into: &events)
            patience -= 1
        }
        if decoder.deadline != nil { return "the decoder waits for ever" }
        if events.count > input.count + 1 { return "\(events.count) events of \(input.count) bytes" }
        events.removeAll()
        decoder.decode([0x78], at: now, into: &events)
        return events == [.key(KeyPress(typed: "x"))] ? nil : "the next key came out as \(events)"
    }
}
