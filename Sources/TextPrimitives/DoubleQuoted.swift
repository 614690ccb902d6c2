/// Strings in double quotation marks that are valid in both JSON and YAML.
public enum DoubleQuoted {
    /// Returns the text in quotation marks, as a single line.
    ///
    /// Characters that would end the string or the line are escaped, and so is every character that YAML does not allow
    /// unescaped (YAML 1.2.2, 5.1), which includes the controls that JSON forbids (RFC 8259, section 7).
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

    /// Returns whether YAML allows a character unescaped, except for line ends and the byte order mark.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}
