import Foundation

/// A character of a script without spaces that is not in its composed form.
///
/// That is Hangul in single letters, kana with a mark after it, or a compatibility ideograph.
struct ComposedScalar {
    let scalar: Unicode.Scalar
    /// The length in bytes of the source characters.
    var length: Int

    /// Nil for any other character, which for most takes a few comparisons.
    init?(_ source: UnsafeBufferPointer<UInt8>, at index: Int) {
        let lead = source[index]
        guard lead == 0xE1 || lead == 0xE3 || lead == 0xEF || lead == 0xF0,
            let (first, length) = source.scalar(at: index)
        else { return nil }
        self.length = length
        switch first.value {
        case 0x1100...0x1112:
            guard let (vowel, vowelLength) = Self.next(source, index + length), 0x1161...0x1175 ~= vowel.value else {
                return nil
            }
            self.length += vowelLength
            var value = 0xAC00 + ((first.value - 0x1100) * 21 + (vowel.value - 0x1161)) * 28
            if let (final, finalLength) = Self.next(source, index + self.length), 0x11A8...0x11C2 ~= final.value {
                value += final.value - 0x11A7
                self.length += finalLength
            }
            guard let scalar = Unicode.Scalar(value) else { return nil }
            self.scalar = scalar
        case 0x3041...0x30FF, 0x1025:
            guard let (mark, markLength) = Self.next(source, index + length),
                mark == "\u{3099}" || mark == "\u{309A}" || mark == "\u{102E}"
            else { return nil }
            var pair = String.UnicodeScalarView()
            pair.append(first)
            pair.append(mark)
            let composed = String(pair).precomposedStringWithCanonicalMapping.unicodeScalars
            guard composed.count == 1, let scalar = composed.first else { return nil }
            self.scalar = scalar
            self.length += markLength
        case 0xF900...0xFAFF, 0x2F800...0x2FA1F:
            let composed = String(first).precomposedStringWithCanonicalMapping.unicodeScalars
            guard composed.count == 1, let scalar = composed.first, scalar != first else { return nil }
            self.scalar = scalar
        default: return nil
        }
    }

    private static func next(
        _ source: UnsafeBufferPointer<UInt8>, _ index: Int
    ) -> (Unicode.Scalar, length: Int)? {
        index < source.count && source[index] >= 0xE0 ? source.scalar(at: index) : nil
    }
}

extension SearchText {
    /// Whether the words of a text may depend on `composing`; also true for some texts whose words do not.
    static func mayCompose(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var index = 0
        while index < bytes.count {
            let lead = bytes[index]
            if lead == 0xE1 || lead == 0xE3 || lead == 0xEF || lead == 0xF0, ComposedScalar(bytes, at: index) != nil {
                return true
            }
            index += 1
        }
        return false
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the non-ASCII scalar that begins at an index, and its length in bytes; nil if none begins there.
    ///
    /// The UTF-8 of a String is always valid; bytes that another tool has stored may not be.
    func scalar(at index: Int) -> (Unicode.Scalar, length: Int)? {
        let lead = self[index]
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard lead >= 0xC0, index + length <= count else { return nil }
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for offset in 1..<length { value = value << 6 | UInt32(self[index + offset] & 0x3F) }
        return Unicode.Scalar(value).map { ($0, length) }
    }
}
