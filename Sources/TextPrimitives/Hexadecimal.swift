/// Numbers and bytes in base 16.
public enum Hexadecimal {
    /// Returns bytes as two digits each, in lower case by default: `[0x0F, 0xA0]` is `0fa0`.
    public static func text(_ bytes: some Sequence<UInt8>, uppercase: Bool = false) -> String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * bytes.underestimatedCount)
        for byte in bytes { append(byte, to: &digits, uppercase: uppercase) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Returns a number padded with zeros to at least `digits` digits, in lower case by default.
    public static func text(_ number: some BinaryInteger, digits: Int, uppercase: Bool = false) -> String {
        let text = String(number, radix: 16, uppercase: uppercase)
        return String(repeating: "0", count: max(digits - text.utf8.count, 0)) + text
    }

    /// Appends the two digits of a byte.
    public static func append(_ byte: UInt8, to digits: inout [UInt8], uppercase: Bool = false) {
        for value in [byte >> 4, byte & 15] {
            digits.append(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: uppercase ? "A" : "a") + value - 10)
        }
    }

    /// Parses a number of 1 to 16 digits in either case, without a sign, or returns `nil` for any other text.
    public static func number(_ text: some StringProtocol) -> UInt64? {
        guard (1...16).contains(text.utf8.count), text.utf8.allSatisfy(\.isHexDigit) else { return nil }
        return text.utf8.reduce(0) { $0 << 4 | UInt64($1.hexDigitValue ?? 0) }
    }
}

/// RGB colours, as a text such as `#FF26B9` and as a number, 0xFF26B9.
public enum RGBText {
    /// Parses `#RRGGBB` or `#RGB`, with or without the `#`, or returns `nil` for any other text.
    public static func value(_ text: some StringProtocol) -> UInt32? {
        let digits = text.utf8.first == UInt8(ascii: "#") ? text.dropFirst() : text[...]
        guard let value = Hexadecimal.number(digits).map(UInt32.init(truncatingIfNeeded:)) else { return nil }
        switch digits.utf8.count {
        case 6: return value
        case 3: return (value >> 8) * 0x11_0000 | (value >> 4 & 15) * 0x1100 | (value & 15) * 0x11
        default: return nil
        }
    }

    /// Returns `#` and six digits in upper case, ignoring bits above 0xFFFFFF.
    public static func text(_ value: UInt32) -> String {
        "#" + Hexadecimal.text(value & 0xFF_FFFF, digits: 6, uppercase: true)
    }
}
