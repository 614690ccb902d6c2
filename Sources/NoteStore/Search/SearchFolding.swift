import Foundation

/// The treatment of a character beyond ASCII in the index.
enum ScalarTreatment {
    case letter
    /// A word by itself.
    case word
    case ignored, separator

    init(_ scalar: Unicode.Scalar) {
        let value = scalar.value
        switch value {
        case 0xC0...0x24F where value != 0xD7 && value != 0xF7: self = .letter
        case 0x2000...0x200A, 0x2010...0x205F, 0x3000...0x3004, 0x80...0xA1: self = .separator
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x30FF, 0x3105...0x312F, 0x3400...0x9FFF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            self = scalar.properties.generalCategory == .nonspacingMark ? .ignored : .word
        default: self = Self.byCategory(scalar)
        }
    }

    private static func byCategory(_ scalar: Unicode.Scalar) -> ScalarTreatment {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .spacingMark, .privateUse:
            .letter
        case .otherSymbol, .mathSymbol, .currencySymbol: .word
        case .nonspacingMark, .enclosingMark, .format, .modifierSymbol: .ignored
        default: .separator
        }
    }
}

/// The folded forms of letters that a text has had: it has few different ones, and folding one takes a microsecond.
struct FoldedLetters {
    /// One letter for each value of the low bits, since the letters of a script lie side by side; empty before the first
    /// letter.
    private var letters: [(scalar: Unicode.Scalar, bytes: [UInt8])] = []

    /// A power of two that holds the letters of most scripts.
    private static let count = 128

    mutating func bytes(of scalar: Unicode.Scalar) -> [UInt8] {
        // No letter is U+0000.
        if letters.isEmpty { letters = Array(repeating: ("\0", []), count: Self.count) }
        let slot = Int(scalar.value) & (Self.count - 1)
        if letters[slot].scalar != scalar { letters[slot] = (scalar, SearchFolding.bytes(of: scalar)) }
        return letters[slot].bytes
    }
}

/// Removes case and diacritics from letters.
enum SearchFolding {
    /// Returns the UTF-8 of the folded letter, often one ASCII letter.
    static func bytes(of scalar: Unicode.Scalar) -> [UInt8] {
        let lower = scalar.properties.lowercaseMapping
        switch lower {
        case "ß": return [0x73, 0x73]
        case "ø": return [0x6F]
        case "ł": return [0x6C]
        case "đ": return [0x64]
        case "ı": return [0x69]
        case "æ": return [0x61, 0x65]
        case "œ": return [0x6F, 0x65]
        case "ς": return Array("σ".utf8)
        default: break
        }
        var result = String.UnicodeScalarView()
        for part in lower.decomposedStringWithCompatibilityMapping.unicodeScalars
        where part.properties.generalCategory != .nonspacingMark {
            result.append(part)
        }
        return Array(String(result).utf8)
    }
}
