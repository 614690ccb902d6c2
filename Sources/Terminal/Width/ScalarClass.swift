import TextPrimitives

/// A classification of scalars by how the scanner treats them; the cheapest tests come first.
enum ScalarClass {
    /// A scalar of one or of two cells in every terminal; only `complex` scalars join it.
    case narrow, wide
    /// A scalar that may join, be joined, be invisible, or be counted differently.
    case complex

    /// Classifies a scalar by ranges in which all are letters, signs or ideographs that stand alone.
    ///
    /// A range that is missing here costs only time.
    @inline(__always)
    static func of(_ value: UInt32) -> ScalarClass {
        if value < 0x300 { return value > 0xA0 && value != 0xAD || value < 0x7F && value >= 0x20 ? .narrow : .complex }
        if value >= 0x4E00, value <= 0x9FFF { return .wide }
        return ofRest(value)
    }

    private static func ofRest(_ value: UInt32) -> ScalarClass {
        switch value {
        case 0x3400...0x4DBF, 0xAC00...0xD7A3, 0x3041...0x3096, 0x30A1...0x30FF, 0x3000...0x3029, 0xFF01...0xFF60,
            0x2_0000...0x2_A6DF:
            .wide
        case 0x370...0x377, 0x37A...0x37F, 0x384...0x38A, 0x38E...0x3A1, 0x3A3...0x482, 0x48A...0x52F, 0x5D0...0x5EA,
            0x1E00...0x1EFF, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20C0, 0x2190...0x2319, 0x2500...0x25FC,
            0xE000...0xF8FF:
            .narrow
        default:
            .complex
        }
    }
}

extension Unicode.Scalar {
    /// Whether the scalar would be invisible or misleading, so that a symbol is shown instead.
    ///
    /// These are controls, format characters (bidirectional ones among them), line and paragraph separators, scalars
    /// that Unicode ignores by default, and noncharacters. Arabic number signs are format characters that are visible.
    /// The picture placeholder is included because a note could use it to show another program's picture.
    var isInvisible: Bool {
        if value < 0x300 { return value < 0x20 || value >= 0x7F && value < 0xA0 || value == 0xAD }
        if value == Self.picturePlaceholder { return true }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: return true
        case .format: return !isVisibleFormat
        default: return properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint
        }
    }

    /// The character in whose place kitty draws a part of a picture, chosen by the marks after it and the cell's
    /// colour.
    private static let picturePlaceholder: UInt32 = 0x10_EEEE

    private var isVisibleFormat: Bool {
        switch value {
        case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD, 0x13430...0x1343F: true
        default: false
        }
    }

    /// Whether the scalar is drawn on top of the one before it.
    var isMark: Bool {
        switch value {
        case ..<0x300: return false
        // Medial vowels and final consonants of conjoining Hangul.
        case 0x1160...0x11FF, 0xD7B0...0xD7FF: return true
        case 0x1F3FB...0x1F3FF: return false
        default:
            switch properties.generalCategory {
            case .nonspacingMark, .enclosingMark: return true
            default: return false
            }
        }
    }

    var isVariationSelector: Bool { (0xFE00...0xFE0F).contains(value) || (0xE0100...0xE01EF).contains(value) }
    var isEmojiModifier: Bool { (0x1F3FB...0x1F3FF).contains(value) }
    var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }
    var isTag: Bool { (0xE0020...0xE007F).contains(value) }

    /// Whether the scalar can be shown as an emoji; digits, `#` and `*` can, with U+FE0F and U+20E3.
    var isEmoji: Bool { properties.isEmoji }

    /// Whether U+200C and U+200D change the form of letters in the scalar's script (Arabic to Mongolian).
    var isOfJoiningScript: Bool {
        switch value {
        case 0x600...0x8FF, 0x900...0x109F, 0x1780...0x18AF, 0x1900...0x1CFF, 0xA800...0xA8FF, 0xA930...0xAAFF,
            0xABC0...0xABFF, 0xFB50...0xFDFF, 0xFE70...0xFEFC, 0x10A00...0x11FFF:
            true
        default: false
        }
    }

    /// The number of cells that the scalar takes by itself, 1 or 2.
    func baseColumns(_ model: WidthModel) -> Int {
        if isRegionalIndicator { return model.contains(.joinsConjuncts) ? 2 : 1 }
        if EastAsianWidth.contains(value, in: EastAsianWidth.wide) { return 2 }
        if model.contains(.ambiguousIsWide), EastAsianWidth.contains(value, in: EastAsianWidth.ambiguous) { return 2 }
        return 1
    }
}
