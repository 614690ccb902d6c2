/// The appearance of a cell: colours, attributes, underline, link target.
///
/// It is two 64-bit words, laid out like a cell's, so that styles compare as integers and a cell needs no style table.
public struct Style: Hashable, Sendable {
    /// The foreground in the low half, the background in the high half.
    var colors: UInt64
    /// The underline colour (bits 0-31), attributes (32-39), underline (40-42) and link (48-63).
    var details: UInt64

    public static let `default` = Style()

    public init(
        foreground: Color = .default, background: Color = .default, attributes: Attributes = [],
        underline: Underline = .none, underlineColor: Color = .default, link: LinkID = .none
    ) {
        colors = UInt64(foreground.packed) | UInt64(background.packed) << 32
        details =
            UInt64(underlineColor.packed) | UInt64(attributes.rawValue) << 32 | UInt64(underline.rawValue) << 40
            | UInt64(link.rawValue) << 48
    }

    init(colors: UInt64, details: UInt64) {
        self.colors = colors
        self.details = details
    }

    public var foreground: Color {
        get { Color(packed: UInt32(truncatingIfNeeded: colors)) }
        set { colors = colors & ~0xFFFF_FFFF | UInt64(newValue.packed) }
    }

    public var background: Color {
        get { Color(packed: UInt32(truncatingIfNeeded: colors >> 32)) }
        set { colors = colors & 0xFFFF_FFFF | UInt64(newValue.packed) << 32 }
    }

    public var underlineColor: Color {
        get { Color(packed: UInt32(truncatingIfNeeded: details)) }
        set { details = details & ~0xFFFF_FFFF | UInt64(newValue.packed) }
    }

    public var attributes: Attributes {
        get { Attributes(rawValue: UInt8(truncatingIfNeeded: details >> 32)) }
        set { details = details & ~(0xFF << 32) | UInt64(newValue.rawValue) << 32 }
    }

    public var underline: Underline {
        get { Underline(rawValue: UInt8(truncatingIfNeeded: details >> 40) & 7) ?? .none }
        set { details = details & ~(7 << 40) | UInt64(newValue.rawValue) << 40 }
    }

    public var link: LinkID {
        get { LinkID(rawValue: UInt16(truncatingIfNeeded: details >> 48)) }
        set { details = details & ~(0xFFFF << 48) | UInt64(newValue.rawValue) << 48 }
    }
}

extension Style {
    public struct Attributes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        public static let bold = Attributes(rawValue: 1)
        public static let dim = Attributes(rawValue: 2)
        public static let italic = Attributes(rawValue: 4)
        public static let reverse = Attributes(rawValue: 8)
        public static let strikethrough = Attributes(rawValue: 16)
        public static let blink = Attributes(rawValue: 32)
    }

    /// The shapes of an underline; a terminal that has only one shape draws it for all of them.
    public enum Underline: UInt8, Hashable, Sendable {
        case none, single, double, curly, dotted, dashed
    }
}

/// A link target registered by `Screen.link(_:)`; comparable across screens.
public struct LinkID: Hashable, Sendable {
    let rawValue: UInt16

    public static let none = LinkID(rawValue: 0)
}
