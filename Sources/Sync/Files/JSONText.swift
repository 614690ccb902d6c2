import Foundation

/// Values as JSON on one line, which YAML reads alike.
indirect enum JSONText: Equatable {
    case text(String)
    case number(Int64)
    case flag(Bool)
    case none
    case list([JSONText])
    case map([(String, JSONText)])

    static func == (one: Self, other: Self) -> Bool { one.line == other.line }

    /// A text in quotation marks; what would end or hide a line is escaped.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}", "\u{FFFF}":
                let hex = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    var line: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): "\(number)"
        case .flag(let flag): flag ? "true" : "false"
        case .none: "null"
        case .list(let values): "[" + values.map(\.line).joined(separator: ", ") + "]"
        case .map(let pairs): "{" + pairs.map { "\(Self.quoted($0.0)): \($0.1.line)" }.joined(separator: ", ") + "}"
        }
    }

    /// Reads one value that is the whole text; nil for anything else.
    init?(reading text: some StringProtocol) {
        var reader = Reader(bytes: Array(text.utf8))
        guard let value = reader.value(depth: 0) else { return nil }
        reader.skipSpaces()
        guard reader.place == reader.bytes.count else { return nil }
        self = value
    }

    var asText: String? { if case .text(let text) = self { text } else { nil } }
    var asNumber: Int64? { if case .number(let number) = self { number } else { nil } }
    var asFlag: Bool? { if case .flag(let flag) = self { flag } else { nil } }
    var asList: [JSONText]? { if case .list(let list) = self { list } else { nil } }
    var asMap: [(String, JSONText)]? { if case .map(let map) = self { map } else { nil } }

    /// The value of a map's last pair with this key.
    subscript(key: String) -> JSONText? { asMap?.last { $0.0 == key }?.1 }
}

/// Reads JSON from bytes that a stranger may have written.
private struct Reader {
    let bytes: [UInt8]
    var place = 0

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    mutating func skipSpaces() {
        while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[place + offset] != word.utf8Start[offset] { return false }
        place += count
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
        place += 1
        var items: [Item] = []
        skipSpaces()
        if next == end {
            place += 1
            return []
        }
        while let item = read(&self) {
            items.append(item)
            skipSpaces()
            let byte = next
            place += 1
            if byte == end { return items }
            guard byte == UInt8(ascii: ",") else { return nil }
        }
        return nil
    }

    private mutating func number() -> JSONText? {
        let start = place
        while let byte = next, byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) { place += 1 }
        return Int64(String(decoding: bytes[start..<place], as: UTF8.self)).map { .number($0) }
    }

    private mutating func text() -> String? {
        guard take("\"") else { return nil }
        var found: [UInt8] = []
        while let byte = next {
            place += 1
            if byte == UInt8(ascii: "\"") { return String(decoding: found, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                found.append(byte)
                continue
            }
            guard let escaped = next else { return nil }
            place += 1
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
        guard place + 4 <= bytes.count else { return nil }
        defer { place += 4 }
        return UInt16(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16)
    }
}

/// Times as people read them, exact to the millisecond.
enum TimeText {
    /// ISO 8601 in UTC: `2026-03-01T09:30:00.000Z`.
    static func text(_ milliseconds: Int64) -> String {
        let days = Int((Double(milliseconds) / 86_400_000).rounded(.down))
        guard (-700_000...2_900_000).contains(days) else { return "\(milliseconds)" }
        let rest = Int(milliseconds) - days * 86_400_000
        let (year, month, day) = date(days)
        return pad(year, 4) + "-" + pad(month, 2) + "-" + pad(day, 2) + "T" + pad(rest / 3_600_000, 2) + ":"
            + pad(rest / 60_000 % 60, 2) + ":" + pad(rest / 1000 % 60, 2) + "." + pad(rest % 1000, 3) + "Z"
    }

    /// Milliseconds since 1970; nil for what is no time.
    static func milliseconds(_ text: String) -> Int64? {
        if let number = Int64(text) { return number }
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int? { Int(String(decoding: bytes[range], as: UTF8.self)) }
        if bytes.count == 24, bytes[23] == UInt8(ascii: "Z"), bytes[10] == UInt8(ascii: "T"),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), let part = number(20..<23),
            (1...12).contains(month), (1...31).contains(day)
        {
            let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
            return Int64(seconds * 1000 + part)
        }
        for candidate in [text, text + "Z", text + "T00:00:00Z"] {
            if let date = try? Date.ISO8601FormatStyle().parse(candidate) {  // the next form may fit
                return Int64((date.timeIntervalSince1970 * 1000).rounded())
            }
        }
        return nil
    }

    private static func pad(_ number: Int, _ width: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    // Days since 1970 and dates of the Gregorian calendar, by eras of 400 years (Howard Hinnant, "chrono-Compatible
    // Low-Level Date Algorithms").

    private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        return (
            yearOfEra + era * 400 + (isNextYear ? 1 : 0), isNextYear ? month - 9 : month + 3,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
