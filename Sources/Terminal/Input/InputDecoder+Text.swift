/// A UTF-8 sequence that is not complete yet.
struct PartialScalar: Sendable {
    var value: UInt32 = 0
    var missing = 0
    var smallestNext: UInt8 = 0x80
    var largestNext: UInt8 = 0xBF
    /// Whether an ESC came before it.
    var isAlt = false
}

/// Typed text: UTF-8 split anywhere, one event per grapheme cluster.
extension InputDecoder {
    /// The most scalars of a cluster; a longer one is emitted in pieces.
    private static let maximumClusterLength = 64

    /// Reads one byte of UTF-8; each maximal ill-formed sequence becomes one U+FFFD, as Unicode recommends.
    mutating func stepUTF8(_ byte: UInt8, _ events: inout [InputEvent]) -> Bool {
        if partialScalar.missing == 0 {
            beginScalar(byte, &events)
            return true
        }
        guard byte >= partialScalar.smallestNext, byte <= partialScalar.largestNext else {
            finishScalar("\u{FFFD}", &events)
            return false
        }
        partialScalar.value = partialScalar.value << 6 | UInt32(byte & 0x3F)
        partialScalar.missing -= 1
        (partialScalar.smallestNext, partialScalar.largestNext) = (0x80, 0xBF)
        if partialScalar.missing == 0 {
            finishScalar(Unicode.Scalar(partialScalar.value) ?? "\u{FFFD}", &events)
        }
        return true
    }

    /// Starts a scalar by the table of well-formed UTF-8 (Unicode, table 3-7).
    ///
    /// Overlong forms and surrogates fail at their second byte.
    private mutating func beginScalar(_ byte: UInt8, _ events: inout [InputEvent]) {
        let isAlt = partialScalar.isAlt
        switch byte {
        case 0xC2...0xDF: partialScalar = PartialScalar(value: UInt32(byte & 0x1F), missing: 1)
        case 0xE0: partialScalar = PartialScalar(value: 0, missing: 2, smallestNext: 0xA0)
        case 0xED: partialScalar = PartialScalar(value: 0xD, missing: 2, largestNext: 0x9F)
        case 0xE1...0xEF: partialScalar = PartialScalar(value: UInt32(byte & 0xF), missing: 2)
        case 0xF0: partialScalar = PartialScalar(value: 0, missing: 3, smallestNext: 0x90)
        case 0xF4: partialScalar = PartialScalar(value: 4, missing: 3, largestNext: 0x8F)
        case 0xF1...0xF3: partialScalar = PartialScalar(value: UInt32(byte & 7), missing: 3)
        default:
            finishScalar("\u{FFFD}", &events)
            return
        }
        partialScalar.isAlt = isAlt
    }

    private mutating func finishScalar(_ scalar: Unicode.Scalar, _ events: inout [InputEvent]) {
        let isAlt = partialScalar.isAlt
        partialScalar = PartialScalar()
        state = .ground
        if isAlt {
            if self.isAlt { events.append(.key(KeyPress(.escape))) }
            self.isAlt = false
            events.append(.key(KeyPress(.character(Character(scalar)), .alt)))
        } else {
            take(scalar, &events)
        }
    }

    /// Adds a scalar to the cluster being typed, or emits that cluster and begins another.
    mutating func take(_ scalar: Unicode.Scalar, _ events: inout [InputEvent]) {
        if !cluster.isEmpty, recognizer.hasBreak(before: scalar) || clusterLength == InputDecoder.maximumClusterLength {
            flushText(&events)
        }
        if cluster.isEmpty {
            recognizer = Unicode._CharacterRecognizer()
            _ = recognizer.hasBreak(before: scalar)
        }
        cluster.unicodeScalars.append(scalar)
        clusterLength += 1
        lastScalar = scalar
    }

    mutating func flushText(_ events: inout [InputEvent]) {
        guard !cluster.isEmpty else { return }
        let text = cluster
        cluster = ""
        clusterLength = 0
        // The flushed scalars may form more than one character: joining is decided from the start of this text only.
        for character in text {
            events.append(.key(KeyPress(typed: character)))
        }
    }

    /// Emits text that is unlikely to continue in the next read; an emoji waits briefly for a joiner.
    mutating func flushSettledText(_ events: inout [InputEvent]) {
        guard !cluster.isEmpty, case .ground = state else { return }
        let mayGoOn = lastScalar.value == 0x200D || lastScalar.value > 0x2000 && lastScalar.properties.isEmoji
        if !mayGoOn { flushText(&events) }
    }
}
