/// Base64 with padding, as RFC 4648 defines it in section 4.
public enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let pad = UInt8(ascii: "=")

    /// The value of each digit; 255 for any other byte.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 255, count: 256)
        for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt8(value) }
        return values
    }()

    /// Returns four digits for each three bytes, the last four padded with `=`.
    public static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var digits: [UInt8] = []
        digits.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let count = min(3, bytes.count - start)
            var bits = UInt32(bytes[start]) << 16
            if count > 1 { bits |= UInt32(bytes[start + 1]) << 8 }
            if count > 2 { bits |= UInt32(bytes[start + 2]) }
            for index in 0..<4 {
                digits.append(index <= count ? alphabet[Int(bits >> (18 - 6 * UInt32(index)) & 63)] : pad)
            }
        }
        return digits
    }

    /// Returns the bytes that the digits stand for, or `nil` if a byte is not a digit or the last digit is alone.
    ///
    /// The padding may be missing.
    public static func decoded(_ digits: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3)
        var (bits, count, pads): (UInt32, Int, Int) = (0, 0, 0)
        for digit in digits {
            if digit == pad {
                pads += 1
                continue
            }
            let value = values[Int(digit)]
            guard value != 255, pads == 0 else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 1
            guard count == 4 else { continue }
            for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: bits >> shift)) }
            (bits, count) = (0, 0)
        }
        switch count {
        case 0: return pads == 0 ? bytes : nil
        case 2 where pads == 0 || pads == 2: return bytes + [UInt8(truncatingIfNeeded: bits >> 4)]
        case 3 where pads < 2:
            return bytes + [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
        default: return nil
        }
    }
}
