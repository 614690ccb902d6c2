import TextPrimitives

/// Control sequences that are keys: xterm's, the Linux console's, rxvt's, `modifyOtherKeys`, the kitty protocol.
extension InputDecoder {
    mutating func finishControlSequence(final: UInt8, _ events: inout [InputEvent]) {
        defer { isAlt = false }
        let sequence = ControlSequence(collected, final: final)
        switch (sequence.prefix, sequence.intermediate) {
        case (0, 0): finishPlain(sequence, &events)
        case (0, UInt8(ascii: "$")) where final == UInt8(ascii: "$"):
            emitTilde(sequence.value(0), .shift, sequence, &events)
        case (UInt8(ascii: "<"), 0): finishMouse(sequence, &events)
        default: finishReply(sequence, &events)
        }
    }

    private mutating func finishPlain(_ sequence: ControlSequence, _ events: inout [InputEvent]) {
        switch sequence.final {
        case UInt8(ascii: "u"): finishReportedKey(sequence, &events)
        case UInt8(ascii: "~"): finishTilde(sequence, &events)
        case UInt8(ascii: "^"): emitTilde(sequence.value(0), .control, sequence, &events)
        case UInt8(ascii: "@"): emitTilde(sequence.value(0), [.control, .shift], sequence, &events)
        case UInt8(ascii: "Z"): emit(.tab, sequence.modifiers.union(.shift), &events)
        case UInt8(ascii: "I"): emitReport(.focus(true), &events)
        case UInt8(ascii: "O"): emitReport(.focus(false), &events)
        case UInt8(ascii: "R") where sequence.value(0) > 1: finishReply(sequence, &events)
        case UInt8(ascii: "a")...UInt8(ascii: "d"):
            let arrows: [Key] = [.up, .down, .right, .left]
            emit(arrows[Int(sequence.final) - 0x61], .shift, &events)
        default:
            if let key = InputDecoder.key(final: sequence.final) {
                emit(key, sequence, text: nil, &events)
            } else {
                finishReply(sequence, &events)
            }
        }
    }

    /// Keys that the final byte identifies, after CSI and after SS3.
    static func key(final: UInt8) -> Key? {
        switch final {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        case UInt8(ascii: "E"): .keypad(.begin)
        case UInt8(ascii: "F"): .end
        case UInt8(ascii: "H"): .home
        case UInt8(ascii: "P"): .function(1)
        case UInt8(ascii: "Q"): .function(2)
        case UInt8(ascii: "R"): .function(3)
        case UInt8(ascii: "S"): .function(4)
        default: nil
        }
    }

    // MARK: - CSI number ~

    private mutating func finishTilde(_ sequence: ControlSequence, _ events: inout [InputEvent]) {
        switch sequence.value(0, or: 0) {
        case 200: beginPaste()
        case 201: break
        case 27 where sequence.parameters.count >= 3:
            emitReported(sequence.value(2), sequence.modifiers, sequence, &events)
        default: emitTilde(sequence.value(0, or: 0), sequence.modifiers, sequence, &events)
        }
    }

    private mutating func emitTilde(
        _ number: Int, _ modifiers: Modifiers, _ sequence: ControlSequence, _ events: inout [InputEvent]
    ) {
        let key: Key
        switch number {
        case 1, 7: key = .home
        case 2: key = .insert
        case 3: key = .delete
        case 4, 8: key = .end
        case 5: key = .pageUp
        case 6: key = .pageDown
        case 11...15: key = .function(number - 10)
        case 17...21: key = .function(number - 11)
        case 23...26: key = .function(number - 12)
        case 28, 29: key = .function(number - 13)
        case 31...34: key = .function(number - 14)
        case 57427: key = .keypad(.begin)
        default: return
        }
        emit(key, modifiers, phase: InputDecoder.phase(sequence), text: nil, &events)
    }

    // MARK: - SS3

    mutating func stepSS3(_ byte: UInt8, _ events: inout [InputEvent]) -> Bool {
        if byte.isDigit, collected.count < 3 {
            collected.append(byte)
            return true
        }
        if let key = ss3Key(byte) {
            state = .ground
            let held = collected.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            let control: Modifiers = (0x61...0x64).contains(byte) ? .control : []
            let modifiers = Modifiers(parameter: held).union(control).union(isAlt ? .alt : [])
            isAlt = false
            var press = KeyPress(key, modifiers)
            if case .keypad(.character(let character)) = key, modifiers.isEmpty { press.text = String(character) }
            events.append(.key(press))
            return true
        }
        if collected.isEmpty { emit(.character("O"), .alt, &events) }
        isAlt = false
        return leave(for: byte)
    }

    private func ss3Key(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "M"): return .keypad(.enter)
        case UInt8(ascii: "X"): return .keypad(.character("="))
        case UInt8(ascii: "I"): return .tab
        // The keypad in application mode: `j` is `*`, and so on to `y`, which is 9.
        case UInt8(ascii: "j")...UInt8(ascii: "y"):
            return .keypad(.character(Character(Unicode.Scalar(byte - 0x40))))
        case UInt8(ascii: "a")...UInt8(ascii: "d"):
            return [.up, .down, .right, .left][Int(byte) - 0x61]
        default: return InputDecoder.key(final: byte)
        }
    }

    // MARK: - CSI code u

    /// Finishes `CSI code:shifted:base ; modifiers:event ; text u`.
    private mutating func finishReportedKey(_ sequence: ControlSequence, _ events: inout [InputEvent]) {
        guard !sequence.parameters.isEmpty else { return }
        emitReported(sequence.value(0), sequence.modifiers, sequence, &events)
    }

    private mutating func emitReported(
        _ code: Int, _ modifiers: Modifiers, _ sequence: ControlSequence, _ events: inout [InputEvent]
    ) {
        guard let key = InputDecoder.reportedKey(code) else { return }
        let isReport = sequence.final == UInt8(ascii: "u")
        let shifted = isReport ? InputDecoder.character(sequence.field(0, 1)) : nil
        let base = isReport ? InputDecoder.character(sequence.field(0, 2)) : nil
        let text = isReport ? InputDecoder.text(sequence) : nil
        guard key != .none || text != nil else { return }
        emit(
            key, modifiers, phase: InputDecoder.phase(sequence),
            text: text ?? InputDecoder.typed(key, modifiers, shifted), shifted: shifted, base: base, &events)
    }

    private mutating func emit(_ key: Key, _ sequence: ControlSequence, text: String?, _ events: inout [InputEvent]) {
        emit(key, sequence.modifiers, phase: InputDecoder.phase(sequence), text: text, &events)
    }

    private mutating func emit(
        _ key: Key, _ modifiers: Modifiers, phase: KeyPress.Phase, text: String?, shifted: Character? = nil,
        base: Character? = nil, _ events: inout [InputEvent]
    ) {
        if phase == .release, !configuration.reportsReleases { return }
        let held = isAlt ? modifiers.union(.alt) : modifiers
        isAlt = false
        events.append(
            .key(KeyPress(key, held, text: text, shiftedKey: shifted, baseLayoutKey: base, phase: phase)))
    }

    private static func phase(_ sequence: ControlSequence) -> KeyPress.Phase {
        switch sequence.field(1, 1) {
        case 2: .repeat
        case 3: .release
        default: .press
        }
    }

    private static func character(_ code: Int?) -> Character? {
        guard let code, code >= 0x20, let scalar = Unicode.Scalar(UInt32(clamping: code)), scalar.value != 0x7F else {
            return nil
        }
        return Character(scalar)
    }

    /// The associated text, without control characters.
    private static func text(_ sequence: ControlSequence) -> String? {
        guard sequence.parameters.count > 2 else { return nil }
        var text = ""
        for code in sequence.parameters[2] {
            guard let character = character(code), !(0x80..<0xA0).contains(code ?? 0) else { continue }
            text.append(character)
        }
        return text.isEmpty ? nil : text
    }

    /// The text that a reported character types if the terminal does not say: nil if more than Shift is held.
    private static func typed(_ key: Key, _ modifiers: Modifiers, _ shifted: Character?) -> String? {
        guard modifiers.isSubset(of: .shift) else { return nil }
        switch key {
        case .character(let character):
            return modifiers.isEmpty ? String(character) : shifted.map { String($0) } ?? character.uppercased()
        case .keypad(.character(let character)): return String(character)
        default: return nil
        }
    }

    /// The key for a code: Unicode, or a number in the private use area that the kitty protocol gives a functional key.
    private static func reportedKey(_ code: Int) -> Key? {
        switch code {
        case 0: return Key.none
        case 8, 127: return .backspace
        case 9: return .tab
        case 13: return .enter
        case 27: return .escape
        case 57344...63743: return functionalKey(code)
        default: return character(code).map { .character($0) }
        }
    }

    private static func functionalKey(_ code: Int) -> Key? {
        switch code {
        case 57361: return .printScreen
        case 57362: return .pause
        case 57363: return .menu
        case 57376...57398: return .function(code - 57376 + 13)
        case 57399...57408: return .keypad(.character(Character(Unicode.Scalar(UInt8(code - 57399 + 0x30)))))
        case 57409...57413:
            return .keypad(.character([".", "/", "*", "-", "+"][code - 57409]))
        case 57414: return .keypad(.enter)
        case 57415: return .keypad(.character("="))
        case 57416: return .keypad(.character(","))
        case 57417...57426:
            return [.left, .right, .up, .down, .pageUp, .pageDown, .home, .end, .insert, .delete][code - 57417]
        case 57427: return .keypad(.begin)
        // Locks, media keys and the modifiers themselves are ignored.
        default: return nil
        }
    }
}
