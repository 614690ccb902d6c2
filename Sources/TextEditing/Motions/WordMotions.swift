/// The class of a character for vi's word motions: runs of one class are words, separated by blanks.
public struct MotionClass: Hashable, Sendable {
    private let value: UInt32

    public static let blank = MotionClass(value: 0)
    public static let punctuation = MotionClass(value: 1)
    public static let word = MotionClass(value: 2)
    public static let picture = MotionClass(value: 3)

    /// Finds the class of a scalar; letters of all alphabets are one class, and each script without spaces is another.
    public init(_ scalar: UInt32) {
        if scalar < 0x80 {
            self =
                scalar == 0x20 || scalar == 0x09 || scalar == 0x0A || scalar == 0
                ? .blank : UInt8(scalar).isWordCharacter ? .word : .punctuation
            return
        }
        switch scalar {
        case 0xA0, 0x3000, 0x2000...0x200B, 0x202F, 0x205F, 0x1680: self = .blank
        case 0xAA, 0xB5, 0xBA, 0xC0...0xFF: self = .word
        case 0x80...0xBF: self = .punctuation
        case 0x2070...0x207F: self = MotionClass(value: 0x2070)
        case 0x2080...0x2094: self = MotionClass(value: 0x2080)
        case 0x2800...0x28FF: self = MotionClass(value: 0x2800)
        case 0x3040...0x309F: self = MotionClass(value: 0x3040)
        case 0x30A0...0x30FF: self = MotionClass(value: 0x30A0)
        case 0x3300...0x9FFF, 0xF900...0xFAFF, 0x20000...0x2FA1F: self = MotionClass(value: 0x4E00)
        case 0xAC00...0xD7A3: self = MotionClass(value: 0xAC00)
        case 0x037E, 0x0387, 0x055A...0x055F, 0x0589, 0x05BE, 0x05C0, 0x05C3, 0x05F3...0x05F4, 0x060C, 0x061B, 0x061F,
            0x066A...0x066D, 0x06D4, 0x0964...0x0965, 0x0E4F, 0x0E5A...0x0E5B, 0x2010...0x202E, 0x2030...0x205E,
            0x2060...0x206F, 0x20A0...0x27FF, 0x2900...0x2E7F, 0x3001...0x3020, 0x3030, 0x303D, 0xFD3E...0xFD3F,
            0xFE30...0xFE6B, 0xFF00...0xFF0F, 0xFF1A...0xFF20, 0xFF3B...0xFF40, 0xFF5B...0xFF65:
            self = MotionClass.isPicture(scalar) ? .picture : .punctuation
        default: self = MotionClass.isPicture(scalar) ? .picture : .word
        }
    }

    private init(value: UInt32) { self.value = value }

    private static func isPicture(_ scalar: UInt32) -> Bool {
        guard scalar >= 0x2300, let scalar = Unicode.Scalar(scalar) else { return false }
        return scalar.properties.isEmojiPresentation || scalar.value >= 0x1F000 && scalar.properties.isEmoji
    }
}

/// The word motions of vi over positions, one word at a time; a `big` word is all text between blanks.
///
/// Each returns whether it found its target; if it did not, the position has moved as far as the text allows.
extension TextReader {
    /// The class of the character at a position; the end of a line is a blank.
    public mutating func motionClass(_ position: ByteOffset, big: Bool) -> MotionClass {
        let found = MotionClass(scalar(at: position))
        return big && found != .blank ? .punctuation : found
    }

    /// Moves to the start of the next word; an empty line is a word.
    ///
    /// - Parameter stopsAtLineEnd: Whether the last of several words ends with its line, as operators require.
    public mutating func toNextWord(
        _ position: inout ByteOffset, count: Int = 1, big: Bool, stopsAtLineEnd: Bool
    ) -> Bool {
        for left in (0..<count).reversed() {
            let first = motionClass(position, big: big)
            let isLastLine = lineEnd(position) == end
            var step = step(&position)
            let stops = stopsAtLineEnd && left == 0
            func leftLine() -> Bool { step == .line || step == .lineEnd }
            if step == .stopped || leftLine() && isLastLine { return false }
            if leftLine(), stops { return true }
            if first != .blank {
                while motionClass(position, big: big) == first {
                    step = self.step(&position)
                    if step == .stopped || leftLine() && stops { return true }
                }
            }
            while motionClass(position, big: big) == .blank {
                if isEmptyLine(position) { break }
                let wasLastLine = lineEnd(position) == end
                step = self.step(&position)
                if step == .stopped || leftLine() && (wasLastLine || stops) { return true }
            }
        }
        return true
    }

    /// Moves to the start of this word or the previous one.
    ///
    /// - Parameter stays: Whether the first step may stay at the start of a word.
    public mutating func toWordStart(
        _ position: inout ByteOffset, count: Int = 1, big: Bool, stays: Bool = false
    ) -> Bool {
        var stays = stays
        words: for _ in 0..<count {
            let first = motionClass(position, big: big)
            if stepBack(&position) == .stopped { return false }
            defer { stays = false }
            if !stays || first == motionClass(position, big: big) || first == .blank {
                while motionClass(position, big: big) == .blank {
                    if isEmptyLine(position) { continue words }
                    if stepBack(&position) == .stopped { return true }
                }
                if skip(motionClass(position, big: big), &position, big: big, forward: false) { return true }
            }
            _ = step(&position)
        }
        return true
    }

    /// Moves to the end of this word or the next one.
    ///
    /// - Parameters:
    ///   - stays: Whether the first step may stay at the end of a word.
    ///   - stopsAtEmptyLine: Whether an empty line ends the search.
    public mutating func toWordEnd(
        _ position: inout ByteOffset, count: Int = 1, big: Bool, stays: Bool = false, stopsAtEmptyLine: Bool = false
    ) -> Bool {
        var stays = stays
        words: for _ in 0..<count {
            let first = motionClass(position, big: big)
            if step(&position) == .stopped { return false }
            defer { stays = false }
            if motionClass(position, big: big) == first, first != .blank {
                if skip(first, &position, big: big, forward: true) { return false }
            } else if !stays || first == .blank {
                while motionClass(position, big: big) == .blank {
                    if stopsAtEmptyLine, isEmptyLine(position) { continue words }
                    if step(&position) == .stopped { return false }
                }
                if skip(motionClass(position, big: big), &position, big: big, forward: true) { return false }
            }
            _ = stepBack(&position)
        }
        return true
    }

    /// Moves to the end of the previous word.
    ///
    /// - Parameter stopsAtLineStart: Whether to stop on reaching the previous line.
    public mutating func toPreviousWordEnd(
        _ position: inout ByteOffset, count: Int = 1, big: Bool, stopsAtLineStart: Bool = false
    ) -> Bool {
        for _ in 0..<count {
            let first = motionClass(position, big: big)
            var step = stepBack(&position)
            if step == .stopped { return false }
            if stopsAtLineStart, step == .line { return true }
            if first != .blank {
                while motionClass(position, big: big) == first {
                    step = stepBack(&position)
                    if step == .stopped || stopsAtLineStart && step == .line { return true }
                }
            }
            while motionClass(position, big: big) == .blank {
                if isEmptyLine(position) { break }
                step = stepBack(&position)
                if step == .stopped || stopsAtLineStart && step == .line { return true }
            }
        }
        return true
    }

    /// Skips a run of one class; true if the text ended.
    private mutating func skip(
        _ run: MotionClass, _ position: inout ByteOffset, big: Bool, forward: Bool
    ) -> Bool {
        while motionClass(position, big: big) == run {
            if (forward ? step(&position) : stepBack(&position)) == .stopped { return true }
        }
        return false
    }
}
