import TextPrimitives

/// A colour as a terminal specifies it: its default, one of 16, one of 256, or red, green and blue.
///
/// It is packed into 32 bits, so that two colours compare as integers.
public struct Color: Hashable, Sendable {
    /// The kind in the top byte (0 default, 1 ansi, 2 palette, 3 rgb), the value below.
    let packed: UInt32

    /// The terminal's own foreground or background.
    public static let `default` = Color(packed: 0)

    /// One of the sixteen colours that the user's terminal theme defines; the index is taken modulo 16.
    public static func ansi(_ index: UInt8) -> Color { Color(packed: 1 << 24 | UInt32(index & 15)) }

    /// One of xterm's 256 colours.
    public static func palette(_ index: UInt8) -> Color { Color(packed: 2 << 24 | UInt32(index)) }

    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Color {
        Color(packed: 3 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// A colour written as one number: `.rgb(0xFF26B9)`.
    public static func rgb(_ value: UInt32) -> Color { Color(packed: 3 << 24 | value & 0xFF_FFFF) }

    /// Reads `#RRGGBB`, `RRGGBB` or `#RGB`; nil for anything else.
    public init?(hex text: String) {
        guard let value = RGBText.value(text) else { return nil }
        self = .rgb(value)
    }

    init(packed: UInt32) {
        self.packed = packed
    }

    /// The kind and value of a colour.
    enum Kind {
        case `default`
        case ansi(UInt8)
        case palette(UInt8)
        case rgb(UInt8, UInt8, UInt8)
    }

    var kind: Kind {
        switch packed >> 24 {
        case 1: .ansi(UInt8(truncatingIfNeeded: packed))
        case 2: .palette(UInt8(truncatingIfNeeded: packed))
        case 3:
            .rgb(
                UInt8(truncatingIfNeeded: packed >> 16), UInt8(truncatingIfNeeded: packed >> 8),
                UInt8(truncatingIfNeeded: packed))
        default: .default
        }
    }
}

/// The number of colours that a terminal can show.
public enum ColorDepth: Int, Comparable, Sendable {
    /// No colours, only attributes: bold, underline, reverse.
    case none
    case ansi16
    case palette256
    case truecolor

    public static func < (left: ColorDepth, right: ColorDepth) -> Bool { left.rawValue < right.rawValue }
}
