import TextPrimitives

/// Whether a run of delimiters can open and close emphasis, which depends on the characters on both sides.
struct Flanking {
    enum Neighbour { case space, punctuation, other }

    let canOpen: Bool
    let canClose: Bool

    /// Examines the run `start..<end` of `mark` in the text `lower..<upper`.
    @inline(__always)
    init(_ bytes: Bytes, run start: Int, _ end: Int, in lower: Int, _ upper: Int, mark: UInt8) {
        let before = start > lower ? Self.neighbour(before: start, bytes, lower) : .space
        let after = end < upper ? Self.neighbour(at: end, bytes, upper) : .space
        let isLeft = after != .space && (after != .punctuation || before != .other)
        let isRight = before != .space && (before != .punctuation || after != .other)
        if mark == Byte.underscore {
            canOpen = isLeft && (!isRight || before == .punctuation)
            canClose = isRight && (!isLeft || after == .punctuation)
        } else {
            canOpen = isLeft
            canClose = isRight
        }
    }

    @inline(__always)
    static func neighbour(before offset: Int, _ bytes: Bytes, _ lower: Int) -> Neighbour {
        let byte = bytes[offset - 1]
        if byte < 0x80 { return ascii(byte) }
        var start = offset - 1
        while start > lower, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return unicode(scalar(bytes, from: start, to: offset))
    }

    @inline(__always)
    static func neighbour(at offset: Int, _ bytes: Bytes, _ upper: Int) -> Neighbour {
        let byte = bytes[offset]
        if byte < 0x80 { return ascii(byte) }
        var end = offset + 1
        while end < upper, bytes[end] & 0xC0 == 0x80 { end += 1 }
        return unicode(scalar(bytes, from: offset, to: end))
    }

    @inline(__always)
    private static func ascii(_ byte: UInt8) -> Neighbour {
        byte.isSpace ? .space : byte.isPunctuation ? .punctuation : .other
    }

    private static func scalar(_ bytes: Bytes, from start: Int, to end: Int) -> Unicode.Scalar {
        var value = UInt32(bytes[start])
        switch end - start {
        case 2: value &= 0x1F
        case 3: value &= 0x0F
        default: value &= 0x07
        }
        for offset in start + 1..<max(end, start + 1) { value = value << 6 | UInt32(bytes[offset] & 0x3F) }
        return Unicode.Scalar(value) ?? "\u{FFFD}"
    }

    /// White space is category Zs, punctuation is P and S (CommonMark 2.1).
    private static func unicode(_ scalar: Unicode.Scalar) -> Neighbour {
        switch scalar.properties.generalCategory {
        case .spaceSeparator: .space
        case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
            .finalPunctuation, .otherPunctuation, .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
            .punctuation
        default: .other
        }
    }
}
