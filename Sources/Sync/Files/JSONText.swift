import Foundation
import TextPrimitives

/// Values as JSON on one line, which is valid YAML too.
indirect enum JSONText: Equatable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case none
    case list([JSONText])
    case map([(String, JSONText)])

    static func == (one: Self, other: Self) -> Bool { one.line == other.line }

    var line: String {
        switch self {
        case .text(let text): DoubleQuoted.text(text)
        case .number(let number): "\(number)"
        case .flag(let flag): flag ? "true" : "false"
        case .none: "null"
        case .list(let values): "[" + values.map(\.line).joined(separator: ", ") + "]"
        case .map(let pairs):
            "{" + pairs.map { "\(DoubleQuoted.text($0.0)): \($0.1.line)" }.joined(separator: ", ") + "}"
        }
    }

    /// Reads a text that consists of one value, or returns `nil` for any other text.
    init?(reading text: some StringProtocol) {
        var reader = Reader(bytes: Array(text.utf8))
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipSpaces()
        guard reader.offset == reader.bytes.count else { return nil }
        self = value
    }

    var asText: String? { if case .text(let text) = self { text } else { nil } }
    var asNumber: Int64? { if case .number(let number) = self { number } else { nil } }
    /// The value as a time in milliseconds, or `nil` if a notebook cannot hold it.
    var asTime: Int64? { asNumber.flatMap { TimeText.range.contains($0) ? $0 : nil } }
    /// The value as a place in an order, or `nil` if the difference of two such numbers may not be a number.
    var asOrder: Int64? { asNumber.flatMap { (-1 << 61...1 << 61).contains($0) ? $0 : nil } }
    var asFlag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var asList: [JSONText]? { if case .list(let list) = self { list } else { nil } }
    var asMap: [(String, JSONText)]? { if case .map(let map) = self { map } else { nil } }

    /// The value of the last pair with this key in a map.
    subscript(key: String) -> JSONText? { asMap?.last { $0.0 == key }?.1 }
}

/// A parser of JSON from untrusted bytes.
private struct Reader {
    let bytes: [UInt8]
    var offset = 0

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { offset += 1 }
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard offset + count <= bytes.count else { return false }
        for index in 0..<count where bytes[offset + index] != word.utf8Start[index] { return false }
        offset += count
        return true
    }

    mutating func value(depth: Int) -> JSONText? {
        guard depth < 32 else { return nil }
        skipSpaces()
        switch next {
        case UInt8(ascii: "\""): return text().map { .text($0) }
        case UInt8(ascii: "["):
            return items(until: UInt8(ascii: "]")) { $0.value(depth: depth + 1) }.map { .list($0) }
        case UInt8(ascii: "{"):
            return items(until: UInt8(ascii: "}")) { $0.pair(depth) }.map { .map($0) }
        case UInt8(ascii: "t"): return take("true") ? .flag(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .flag(false) : nil
        case UInt8(ascii: "n"): return take("null") ? JSONText.none : nil
        default: return number()
        }
    }

    private mutating func pair(_ depth: Int) -> (String, JSONText)? {
        skipSpaces()
        guard let key = text() else { return nil }
        skipSpaces()
        guard take(":"), let value = value(depth: depth + 1) else { return nil }
        return (key, value)
    }

    private mutating func items<Item>(until end: UInt8, _ read: (inout Self) -> Item?) -> [Item]? {
        offset += 1
        var items: [Item] = []
        skipSpaces()
        if next == end {
            offset += 1
            return []
        }
        while let item = read(&self) {
            items.append(item)
            skipSpaces()
            let byte = next
            offset += 1
            if byte == end { return items }
            guard byte == UInt8(ascii: ",") else { return nil }
        }
        return nil
    }

    private mutating func number() -> JSONText? {
        let start = offset
        while let byte = next, byte == UInt8(ascii: "-") || byte.isDigit { offset += 1 }
        return Int64(String(decoding: bytes[start..<offset], as: UTF8.self)).map { .number($0) }
    }

    private mutating func text() -> String? {
        guard take("\"") else { return nil }
        var found: [UInt8] = []
        while let byte = next {
            offset += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: found, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                found.append(byte)
                continue
            }
            guard let escaped = next else { return nil }
            offset += 1
            switch escaped {
            case UInt8(ascii: "n"): found.append(0x0A)
            case UInt8(ascii: "t"): found.append(0x09)
            case UInt8(ascii: "r"): found.append(0x0D)
            case UInt8(ascii: "b"): found.append(0x08)
            case UInt8(ascii: "f"): found.append(0x0C)
            case UInt8(ascii: "u"):
                guard let scalar = scalar() else { return nil }
                found += Array(String(Character(scalar)).utf8)
            default: found.append(escaped)
            }
        }
        return nil
    }

    private mutating func scalar() -> Unicode.Scalar? {
        guard let first = unit() else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard take("\\u"), let second = unit(), UTF16.isTrailSurrogate(second) else { return nil }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func unit() -> UInt16? {
        guard offset + 4 <= bytes.count else { return nil }
        defer { offset += 4 }
        return UInt16(String(decoding: bytes[offset..<offset + 4], as: UTF8.self), radix: 16)
    }
}
