import Foundation

/// The form in which names and titles are compared: trimmed, composed, without case.
public enum Folding {
    /// The form in which equal names are equal bytes.
    ///
    ///     key("  Straße ") == key("STRASSE")
    public static func key(_ text: String) -> String {
        var text = text
        if let plain = text.withUTF8(asciiKey) { return plain }
        // Upper-casing first unifies what lower-casing alone keeps apart: ß and ss, ς and σ.
        let folded = trimmed(text).uppercased().lowercased()
        return folded.precomposedStringWithCanonicalMapping
    }

    /// The text without white space and line ends at both ends.
    ///
    /// These are the characters of `CharacterSet.whitespacesAndNewlines`, whose own trimming takes a hundred times as
    /// long: it converts the text to UTF-16 and back, and a save trims a line for every link.
    static func trimmed(_ text: String) -> String {
        var rest = text.unicodeScalars[...]
        while let first = rest.first, isSpace(first) { rest.removeFirst() }
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return String(rest)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x80 ? isSpace(UInt8(scalar.value)) : scalar.properties.isWhitespace || scalar == "\u{200B}"
    }

    private static func asciiKey(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var start = 0
        var end = bytes.count
        for byte in bytes where byte >= 0x80 { return nil }
        while start < end, isSpace(bytes[start]) { start += 1 }
        while end > start, isSpace(bytes[end - 1]) { end -= 1 }
        return String(unsafeUninitializedCapacity: end - start) { target in
            for index in start..<end {
                let byte = bytes[index]
                target.initializeElement(at: index - start, to: byte &- 0x41 < 26 ? byte | 0x20 : byte)
            }
            return end - start
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}
