/// Line breaking classes of Unicode (UAX #14), which decide where a row may end; dictionaries are not used.
@frozen public enum LineBreakClass: UInt8, Sendable {
    case other, number, space, ideographic
    /// No break after it.
    case opening
    /// No break before it.
    case closing, nonstarter
    /// No break before it. After it, `breakAfter` allows one always, and `exclamation` before letters, digits and
    /// ideographs.
    case exclamation, breakAfter
    /// No break before it, and after it only before letters and ideographs, since `-` and `/` may be part of numbers.
    case hyphen, slash
    /// A `dash` allows breaks on both sides, and a `zeroWidthSpace` allows one after it.
    case dash, zeroWidthSpace
    /// No break on either side.
    case glue, quote

    /// Creates the class of a cluster from its first scalar.
    ///
    /// The ranges follow LineBreak.txt of Unicode 17, simplified to whole blocks.
    @inlinable public init(_ scalar: UInt32) {
        if scalar < 0x80 {
            self.init(ascii: UInt8(scalar))
        } else if scalar < 0x2000 {
            switch scalar {
            case 0xA0: self = .glue
            case 0xAB: self = .opening
            case 0xBB: self = .closing
            default: self = .other
            }
        } else {
            self = LineBreakClass.wide(scalar)
        }
    }

    /// Creates the class of an ASCII character.
    @inlinable @inline(__always) public init(ascii byte: UInt8) {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"): self = .space
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
        case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): self = .opening
        case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: "."),
            UInt8(ascii: ":"), UInt8(ascii: ";"):
            self = .closing
        case UInt8(ascii: "!"), UInt8(ascii: "?"): self = .exclamation
        case UInt8(ascii: "|"): self = .breakAfter
        case UInt8(ascii: "\""), UInt8(ascii: "'"): self = .quote
        case UInt8(ascii: "-"): self = .hyphen
        case UInt8(ascii: "/"): self = .slash
        default: self = .other
        }
    }

    @usableFromInline static func wide(_ scalar: UInt32) -> LineBreakClass {
        switch scalar {
        case 0x2000...0x2006, 0x2008...0x200A, 0x3000: .space
        case 0x200B: .zeroWidthSpace
        case 0x2007, 0x200D, 0x2011, 0x202F, 0x2060, 0xFEFF: .glue
        case 0x2010, 0x2012, 0x2013: .breakAfter
        case 0x2014: .dash
        case 0x2018, 0x201A, 0x201C, 0x201E, 0x2039: .opening
        case 0x2019, 0x201D, 0x203A, 0x2026, 0x203C: .closing
        case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0x301D: .opening
        case 0xFF08, 0xFF3B, 0xFF5B, 0xFF5F, 0xFF62: .opening
        case 0x3001, 0x3002, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B, 0x301E, 0x301F:
            .closing
        case 0xFF01, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D, 0xFF60, 0xFF61, 0xFF63, 0xFF64:
            .closing
        // Kinsoku rules: iteration marks, length marks and small kana do not start a row.
        case 0x3005, 0x301C, 0x303B, 0x309B...0x309E, 0x30A0, 0x30FB...0x30FE, 0xFF65, 0xFF70: .nonstarter
        case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E, 0x3095, 0x3096: .nonstarter
        case 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6: .nonstarter
        case 0x31F0...0x31FF, 0xFF67...0xFF6F: .nonstarter
        case 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF01...0xFF60: .ideographic
        case 0x1F000...0x1FAFF, 0x20000...0x3FFFD: .ideographic
        default: .other
        }
    }

    /// Returns whether a row may end between `before` and `after`, where `earlier` is the class before `before`.
    @inlinable @inline(__always) public static func allowsBreak(
        _ earlier: LineBreakClass?, _ before: LineBreakClass, _ after: LineBreakClass
    ) -> Bool {
        if after == .space || after == .zeroWidthSpace { return false }
        if before == .space || before == .zeroWidthSpace { return true }
        if before.holdsNext || after.holdsPrevious { return false }
        switch before {
        case .exclamation: return after == .other || after == .number || after == .ideographic
        case .breakAfter: return true
        case .hyphen: return after == .other && (earlier == .other || earlier == .number) || after == .ideographic
        // Behind `https://` a row would end in what says nothing, so it ends before it, or behind a later slash.
        case .slash: return earlier != .slash && (after == .other || after == .ideographic)
        case .dash: return after != .dash
        case .ideographic, .nonstarter: return true
        default: return after == .dash || after == .ideographic
        }
    }

    /// Returns whether a row may end there if it can end nowhere else: behind the `//` of an address.
    @inlinable @inline(__always) public static func allowsBreakInNeed(
        _ earlier: LineBreakClass?, _ before: LineBreakClass, _ after: LineBreakClass
    ) -> Bool {
        earlier == .slash && before == .slash && (after == .other || after == .ideographic)
    }

    @inlinable var holdsNext: Bool { self == .glue || self == .quote || self == .opening }

    @inlinable var holdsPrevious: Bool {
        switch self {
        case .glue, .quote, .closing, .nonstarter, .exclamation, .breakAfter, .hyphen, .slash: true
        default: false
        }
    }
}
