import Foundation
import TextPrimitives

/// A JSON value in a request or a response.
public indirect enum JSONValue: Equatable, Sendable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Parses a text, or returns `nil` if it is not JSON or is nested deeper than Foundation allows.
    public init?(parsing text: String) {
        // An error means that the text is not JSON.
        let value = try? JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        guard let value else { return nil }
        self.init(value)
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

    public subscript(_ key: String) -> JSONValue? {
        if case .object(let object) = self { return object[key] }
        return nil
    }

    public var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    public var list: [JSONValue]? {
        if case .list(let list) = self { return list }
        return nil
    }

    /// The number, if it is an integer in range.
    public var integer: Int? {
        if case .number(let number) = self { return Int(exactly: number) }
        return nil
    }

    public var isNull: Bool { self == .null }

    /// The value as one line of JSON with sorted keys.
    public var line: String {
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
    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }
    public init(booleanLiteral value: Bool) { self = .flag(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .list(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { $1 })
    }
}
