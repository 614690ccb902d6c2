import TextPrimitives

/// HTML character references: `&copy;`, `&#169;`, `&#xA9;`.
enum Entities {
    /// The end of the reference whose `&` is at `start`, or nil if it is not a reference.
    static func end(_ bytes: Bytes, from start: Int, to limit: Int) -> Int? {
        guard start + 2 < limit else { return nil }
        if bytes[start + 1] == Byte.hash { return numberEnd(bytes, from: start + 2, to: limit) }
        var offset = start + 1
        // The longest name, CounterClockwiseContourIntegral, has 31 letters.
        let last = min(limit, start + 33)
        while offset < last, bytes[offset].isAlphanumeric { offset += 1 }
        guard offset < limit, bytes[offset] == Byte.semicolon, offset > start + 1 else { return nil }
        return named(bytes, start + 1, offset) == nil ? nil : offset + 1
    }

    private static func numberEnd(_ bytes: Bytes, from start: Int, to limit: Int) -> Int? {
        let isHex = bytes[start] | 0x20 == Byte.lowerX
        let first = isHex ? start + 1 : start
        var offset = first
        while offset < limit, isHex ? bytes[offset].isHexDigit : bytes[offset].isDigit { offset += 1 }
        let length = offset - first
        guard length > 0, length <= (isHex ? 6 : 7), offset < limit, bytes[offset] == Byte.semicolon else { return nil }
        return offset + 1
    }

    /// The text that the reference `start..<end` (with `&` and `;`) denotes.
    static func text(_ bytes: Bytes, _ start: Int, _ end: Int) -> String {
        guard bytes[start + 1] == Byte.hash else { return named(bytes, start + 1, end - 1) ?? "\u{FFFD}" }
        let isHex = bytes[start + 2] | 0x20 == Byte.lowerX
        let digits = String(decoding: bytes[(isHex ? start + 3 : start + 2)..<end - 1], as: UTF8.self)
        let value = UInt32(digits, radix: isHex ? 16 : 10) ?? 0
        return value == 0 ? "\u{FFFD}" : Unicode.Scalar(value).map { String($0) } ?? "\u{FFFD}"
    }

    private static func named(_ bytes: Bytes, _ start: Int, _ end: Int) -> String? {
        table[String(decoding: bytes[start..<end], as: UTF8.self)]
    }

    private static let table: [String: String] = {
        var table: [String: String] = [:]
        table.reserveCapacity(2125)
        var name = ""
        for word in EntityTable.text.description.split(separator: " ") {
            if name.isEmpty {
                name = String(word)
                continue
            }
            var text = String.UnicodeScalarView()
            for number in word.split(separator: "+") {
                text.append(UInt32(number, radix: 16).flatMap(Unicode.Scalar.init) ?? "\u{FFFD}")
            }
            table[name] = String(text)
            name = ""
        }
        return table
    }()
}
