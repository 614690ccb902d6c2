import TextPrimitives

/// Reads the bytes of control sequences and strings, which continue, end or break them.
extension InputDecoder {
    mutating func stepControlSequence(_ byte: UInt8, _ events: inout [InputEvent]) -> Bool {
        switch byte {
        case 0x20...0x3F:
            collected.append(byte)
            if byte == UInt8(ascii: "$"), isRxvtShift {
                state = .ground
                finishControlSequence(final: byte, &events)
            } else if collected.count > InputDecoder.maximumSequenceLength {
                state = .controlSequenceIgnored
            }
        case UInt8(ascii: "[") where collected.isEmpty: state = .linuxFunction
        case UInt8(ascii: "M") where collected.isEmpty: begin(.x10Mouse)
        case 0x40...0x7E:
            state = .ground
            finishControlSequence(final: byte, &events)
        default:
            if collected.isEmpty { emit(.character("["), .alt, &events) }
            return leave(for: byte)
        }
        return true
    }

    /// Whether the sequence is `ESC [ 3 $`: only digits before the dollar.
    ///
    /// A mode report has a question mark or a semicolon there.
    private var isRxvtShift: Bool {
        (2...3).contains(collected.count) && collected.dropLast().allSatisfy(\.isDigit)
    }

    mutating func stepString(_ byte: UInt8, _ kind: StringKind, _ events: inout [InputEvent]) -> Bool {
        if byte == 0x1B {
            if collected.isEmpty { return abandonString(kind, for: byte, &events) }
            state = .stringEscape(kind)
        } else if byte == 0x07 {
            state = .ground
            finishString(kind, &events)
        } else if byte < 0x20 || collected.isEmpty && !InputDecoder.canBegin(kind, byte) {
            return abandonString(kind, for: byte, &events)
        } else if collected.count >= InputDecoder.maximumStringLength, !isAwaitedClipboard(kind) {
            state = .stringIgnored
        } else {
            collected.append(byte)
        }
        return true
    }

    /// Whether the string is the awaited clipboard and may still grow: it is longer than other replies.
    private func isAwaitedClipboard(_ kind: StringKind) -> Bool {
        guard case .osc = kind, collected.count < configuration.clipboardLimit else { return false }
        return collected.starts(with: InputDecoder.clipboardStart)
    }

    /// Whether a reply with the awaited clipboard has begun and not ended.
    var isReceivingClipboard: Bool {
        guard configuration.clipboardLimit > 0 else { return false }
        switch state {
        case .string(.osc), .stringEscape(.osc), .lateStringEscape(.osc):
            return collected.starts(with: InputDecoder.clipboardStart)
        default: return false
        }
    }

    /// The bytes with which a reply with the terminal's clipboard begins.
    private static let clipboardStart = Array("52;".utf8)

    /// Gives up a string that `byte` cannot continue; if it has no bytes after the introducer, it was an Alt key.
    private mutating func abandonString(_ kind: StringKind, for byte: UInt8, _ events: inout [InputEvent]) -> Bool {
        if collected.isEmpty { emit(.character(InputDecoder.introducer(kind)), .alt, &events) }
        return leave(for: byte)
    }

    /// Whether a reply of this kind can begin with the byte: OSC with a number, DCS with parameters, APC with kitty's
    /// `G`.
    private static func canBegin(_ kind: StringKind, _ byte: UInt8) -> Bool {
        switch kind {
        case .osc: byte.isDigit
        case .dcs: (0x30...0x3F).contains(byte)
        case .apc: byte == UInt8(ascii: "G")
        }
    }

    private static func introducer(_ kind: StringKind) -> Character {
        switch kind {
        case .osc: "]"
        case .dcs: "P"
        case .apc: "_"
        }
    }

    /// Handles a timeout inside a sequence: a bare introducer was an Alt key, anything else is dropped.
    mutating func abandon(_ events: inout [InputEvent]) {
        if stalledAt != nil { return giveUp(&events) }
        let left = state
        state = .ground
        defer { isAlt = false }
        guard collected.isEmpty else { return }
        switch left {
        case .controlSequence: emit(.character("["), .alt, &events)
        case .ss3: emit(.character("O"), .alt, &events)
        case .string(let kind): emit(.character(InputDecoder.introducer(kind)), .alt, &events)
        default: break
        }
    }
}
