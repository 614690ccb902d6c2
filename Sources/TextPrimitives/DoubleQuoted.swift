/// Texts in double quotation marks, as both JSON and YAML read them.
public enum DoubleQuoted {
    /// The text in quotation marks, on one line.
    ///
    /// What would end the text or the line is escaped, and so is every character that a YAML file may not hold as it is
    /// (YAML 1.2.2, 5.1), which includes the controls that JSON forbids (RFC 8259, section 7).
    public static func text(_ text: some StringProtocol) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if isPrintable(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u" + Hexadecimal.text(scalar.value, digits: 4)
                }
            }
        }
        return result + "\""
    }

    /// Whether YAML allows a character unescaped, except for line ends and the byte order mark.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
