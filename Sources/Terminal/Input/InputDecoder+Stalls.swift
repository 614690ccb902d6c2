import TextPrimitives

/// Sequences that pause longer than the bytes of a key ever do, because of a lost packet or a busy terminal.
///
/// The missing bytes may still arrive seconds later, and must not be typed into a note. So the sequence is kept, and
/// new bytes are read as its rest as long as they can be. If they cannot, the sequence was cut off for good, and the
/// bytes after the pause were typed.
extension InputDecoder {
    /// Starts waiting for the rest of a sequence; false if the decoder is waiting already or has read no bytes of it.
    mutating func stall() -> Bool {
        guard stalledAt == nil, !collected.isEmpty else { return false }
        switch state {
        case .controlSequence, .string: break
        case .stringEscape(let kind): state = .lateStringEscape(kind)
        default: return false
        }
        stalledAt = collected.count
        return true
    }

    /// Whether `byte` may belong to the stalled sequence; if not, the sequence is given up.
    mutating func takes(_ byte: UInt8, _ events: inout [InputEvent]) -> Bool {
        guard stalledAt != nil, !canContinue(with: byte) else { return true }
        giveUp(&events)
        return false
    }

    /// Drops the bytes before the pause, and decodes the bytes after it again.
    mutating func giveUp(_ events: inout [InputEvent]) {
        var typed = Array(collected[(stalledAt ?? collected.count)...])
        let left = state
        if case .stringEscape = left { typed.append(0x1B) }
        begin(.ground)
        isAlt = false
        typed.withUnsafeBufferPointer { run($0, &events) }
        if case .lateStringEscape = left { emit(.escape, [], &events) }
    }

    /// Clears the pause of a sequence that has ended.
    mutating func endStall() {
        switch state {
        case .controlSequence, .string, .stringEscape, .lateStringEscape: break
        default: stalledAt = nil
        }
    }

    private func canContinue(with byte: UInt8) -> Bool {
        switch state {
        case .controlSequence: return (0x20...0x3F).contains(byte) || InputDecoder.ends(collected[0], byte)
        case .string(.osc):
            let isOfReply = isReceivingClipboard ? InputDecoder.isOfBase64(byte) : InputDecoder.isOfColor(byte)
            return byte == 0x07 || byte == 0x1B || isOfReply
        case .string: return byte == 0x1B || (0x20...0x7E).contains(byte)
        default: return byte == UInt8(ascii: "\\")
        }
    }

    /// Whether a control sequence that begins with `first` and is supported here can end with `final`.
    private static func ends(_ first: UInt8, _ final: UInt8) -> Bool {
        switch first {
        case UInt8(ascii: "?"): "cunyR".utf8.contains(final)
        case UInt8(ascii: ">"): final == UInt8(ascii: "c")
        case UInt8(ascii: "<"): "Mm".utf8.contains(final)
        default: "ABCDFHPQRSZntu~".utf8.contains(final)
        }
    }

    /// Whether a byte can occur in a reply with the clipboard.
    private static func isOfBase64(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "+/=;".utf8.contains(byte)
    }

    /// Whether a byte can occur in `rgb:ffff/0000/ffff` or in the numbers before it.
    private static func isOfColor(_ byte: UInt8) -> Bool {
        "0123456789abcdefABCDEF;:/#rg".utf8.contains(byte)
    }
}
