import Foundation
import TextPrimitives

/// A JSON value in a request or a response.
indirect enum JSONValue: Equatable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Parses a text, or returns `nil` if it is not JSON or is nested deeper than Foundation allows.
    ///
    /// Half of a character, as a server sends that cuts its answer between two surrogates, becomes U+FFFD.
    init?(parsing text: String) {
        guard let value = Self.object(in: text) ?? Self.withoutHalves(text).flatMap(Self.object) else { return nil }
        self.init(value)
    }

    private static func object(in text: String) -> Any? {
        // An error means that the text is not JSON.
        try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
    }

    /// Returns a text with `\ufffd` for each escape of a surrogate that has no other half, or `nil` if there is none.
    private static func withoutHalves(_ text: String) -> String? {
        var (bytes, index, isChanged) = (Array(text.utf8), 0, false)
        /// Returns the number in an escape such as `\ud83d` at an offset.
        func unit(_ start: Int) -> UInt16? {
            guard start + 6 <= bytes.count, bytes[start] == UInt8(ascii: "\\"), bytes[start + 1] == UInt8(ascii: "u")
            else { return nil }
            return UInt16(String(decoding: bytes[start + 2..<start + 6], as: UTF8.self), radix: 16)
        }
        while index < bytes.count {
            guard bytes[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            guard let first = unit(index) else {
                index += 2
                continue
            }
            if UTF16.isLeadSurrogate(first), let next = unit(index + 6), UTF16.isTrailSurrogate(next) {
                index += 12
                continue
            }
            if UTF16.isLeadSurrogate(first) || UTF16.isTrailSurrogate(first) {
                bytes.replaceSubrange(index + 2..<index + 6, with: "fffd".utf8)
                isChanged = true
            }
            index += 6
        }
        return isChanged ? String(decoding: bytes, as: UTF8.self) : nil
    }

    private init(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let list as [Any]: self = .list(list.map(JSONValue.init))
        case let object as [String: Any]: self = .object(object.mapValues(JSONValue.init))
        case let number as NSNumber:
            // Numbers and Booleans are both NSNumber; only a Boolean is encoded as a char or Bool.
            self =
                CFBooleanLike.isFlag(number) ? .flag(number.boolValue) : .number(number.doubleValue)
        default: self = .null
        }
    }

    subscript(_ key: String) -> JSONValue? {
        if case .object(let object) = self { return object[key] }
        return nil
    }

    var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    var list: [JSONValue]? {
        if case .list(let list) = self { return list }
        return nil
    }

    /// The number, if it is an integer in range.
    var integer: Int? {
        if case .number(let number) = self { return Int(exactly: number) }
        return nil
    }

    var isNull: Bool { self == .null }

    /// The value as one line of JSON with sorted keys.
    var line: String {
        switch self {
        case .null: return "null"
        case .flag(let flag): return String(flag)
        case .number(let number): return Int(exactly: number).map(String.init) ?? String(number)
        case .text(let text): return DoubleQuoted.text(text)
        case .list(let list): return "[" + list.map(\.line).joined(separator: ",") + "]"
        case .object(let object):
            let members = object.sorted { $0.key < $1.key }.map { DoubleQuoted.text($0.key) + ":" + $0.value.line }
            return "{" + members.joined(separator: ",") + "}"
        }
    }
}

private enum CFBooleanLike {
    /// Returns whether a number was created from `true` or `false`.
    static func isFlag(_ number: NSNumber) -> Bool {
        #if canImport(Darwin)
        CFGetTypeID(number) == CFBooleanGetTypeID()
        #else
        String(cString: number.objCType) == "c"
        #endif
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .number(Double(value)) }
    init(booleanLiteral value: Bool) { self = .flag(value) }
    init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
