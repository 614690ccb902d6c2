import TextPrimitives

/// Replies and reports: a sequence that is not understood is dropped and never becomes a key.
extension InputDecoder {
    /// Emits an event that is not a key, after the Escape key if an ESC came before it.
    mutating func emitReport(_ event: InputEvent, _ events: inout [InputEvent]) {
        if isAlt { events.append(.key(KeyPress(.escape))) }
        isAlt = false
        events.append(event)
    }

    mutating func finishReply(_ sequence: ControlSequence, _ events: inout [InputEvent]) {
        if isAlt { events.append(.key(KeyPress(.escape))) }
        isAlt = false
        if let event = InputDecoder.report(sequence) { events.append(event) }
    }

    private static func report(_ sequence: ControlSequence) -> InputEvent? {
        let final = Character(Unicode.Scalar(sequence.final))
        let prefix: Character = sequence.prefix == 0 ? " " : Character(Unicode.Scalar(sequence.prefix))
        let numbers = sequence.parameters.map { $0.first.flatMap { $0 } ?? 0 }
        switch (prefix, final) {
        case ("?", "c"): return .reply(.attributes(numbers))
        case ("?", "u"): return .reply(.keyboard(flags: sequence.value(0, or: 0)))
        case ("?", "y"): return .reply(.mode(sequence.value(0, or: 0), state: sequence.value(1, or: 0)))
        case ("?", "n"):
            guard sequence.value(0, or: 0) == 997 else { return nil }
            switch sequence.value(1, or: 0) {
            case 1: return .colorScheme(.dark)
            case 2: return .colorScheme(.light)
            default: return nil
            }
        case ("?", "R"), (" ", "R"): return .reply(.cursor(position(column: sequence.value(1), row: sequence.value(0))))
        case (" ", "t"): return windowReport(sequence)
        default: return nil
        }
    }

    /// Reads a window report: 48 is the resize that mode 2048 reports, 6 the reply with the size of a cell.
    private static func windowReport(_ sequence: ControlSequence) -> InputEvent? {
        let height = min(sequence.value(1, or: 0), 65_535)
        let width = min(sequence.value(2, or: 0), 65_535)
        guard height > 0, width > 0 else { return nil }
        switch sequence.value(0, or: 0) {
        case 48: return .resized(Size(columns: width, rows: height).drawable)
        case 6: return .reply(.cellSize(width: width, height: height))
        default: return nil
        }
    }

    static func position(column: Int, row: Int) -> Position {
        Position(column: max(0, min(column, 65_536) - 1), row: max(0, min(row, 65_536) - 1))
    }

    // MARK: - Strings

    mutating func finishString(_ kind: StringKind, _ events: inout [InputEvent]) {
        let text = String(decoding: collected, as: UTF8.self)
        let reply: TerminalReply? =
            switch kind {
            case .osc: InputDecoder.clipboardReply(collected) ?? InputDecoder.colorReply(text)
            case .dcs: InputDecoder.deviceReply(text)
            case .apc: nil
            }
        if let reply { events.append(.reply(reply)) }
    }

    /// Reads `52;c;` and the clipboard's text in base64; a terminal that refuses sends none.
    private static func clipboardReply(_ bytes: [UInt8]) -> TerminalReply? {
        let parts = bytes.split(separator: UInt8(ascii: ";"), maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("52".utf8) else { return nil }
        return Base64.decoded(parts[2]).map { .clipboard($0) }
    }

    /// Reads `10;rgb:ffff/ffff/ffff`, and the same after `11`.
    private static func colorReply(_ text: String) -> TerminalReply? {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        guard parts.count == 2, let color = color(parts[1]) else { return nil }
        switch parts[0] {
        case "10": return .color(.foreground, color)
        case "11": return .color(.background, color)
        default: return nil
        }
    }

    /// Reads `rgb:R/G/B` with 1 to 4 hexadecimal digits each, `rgba:R/G/B/A` or `#RRGGBB`.
    private static func color(_ text: Substring) -> Color? {
        if text.hasPrefix("#") { return Color(hex: String(text)) }
        guard let colon = text.firstIndex(of: ":"), ["rgb", "rgba"].contains(text[..<colon]) else { return nil }
        let parts = text[text.index(after: colon)...].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == (text.hasPrefix("rgba") ? 4 : 3) else { return nil }
        var channels: [UInt8] = []
        for part in parts {
            guard part.utf8.count <= 4, let value = Hexadecimal.number(part) else { return nil }
            let largest = UInt64(1) << (4 * part.utf8.count) - 1
            channels.append(UInt8((value * 255 + largest / 2) / largest))
        }
        return .rgb(channels[0], channels[1], channels[2])
    }

    /// Reads `>|name version` or `1$r setting`.
    private static func deviceReply(_ text: String) -> TerminalReply? {
        if text.hasPrefix(">|") { return .version(String(text.dropFirst(2))) }
        let isKnown = text.hasPrefix("1")
        switch text.dropFirst().prefix(2) {
        case "$r": return .setting(isKnown ? String(text.dropFirst(3)) : nil)
        default: return nil
        }
    }
}
