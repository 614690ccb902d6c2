// Foundation has no reader for TOML. TOMLKit wraps toml++, which passes the format's own tests; only this file uses it,
// so that another reader could replace it.
import TOMLKit

/// The contents of a TOML file: its values by path, each with its line.
struct TOMLFile {
    /// One `key = value`.
    struct Entry: Equatable, Sendable {
        /// The names from the outermost table inwards: `["keys", "list", "note.new"]`.
        let path: [String]
        let value: ConfigurationValue
        /// The line number, counted from 1; nil if the key is written in a way that only a TOML parser understands.
        let line: Int?

        /// `keys.list.note.new`.
        var name: String { path.joined(separator: ".") }
    }

    /// The entries in the order of the file.
    let entries: [Entry]

    /// The reason why a text is not TOML.
    struct Malformation: Error, Equatable {
        let line: Int
        let reason: String
    }

    /// Reads a file's text.
    ///
    /// - Throws: `Malformation` if it is not TOML.
    init(_ text: String) throws(Malformation) {
        if let line = TOMLDepth.tooDeepLine(in: text) {
            throw Malformation(line: line, reason: Texts.Problem.nestedTooDeeply(TOMLDepth.limit))
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw Malformation(line: error.source.begin.line, reason: Self.sentence(error.description))
        } catch {
            // The reader throws nothing else.
            throw Malformation(line: 1, reason: "\(error)")
        }
        let lines = TOMLLines(text)
        let found = Self.values(in: table, path: []).map { path, value in
            Entry(path: path, value: value, line: lines[path])
        }
        // The TOML reader sorts keys, but problems should come in the order of lines.
        entries = found.enumerated().sorted { left, right in
            (left.element.line ?? .max, left.offset) < (right.element.line ?? .max, right.offset)
        }.map(\.element)
    }

    private static func values(in table: TOMLTable, path: [String]) -> [([String], ConfigurationValue)] {
        table.keys.flatMap { key -> [([String], ConfigurationValue)] in
            guard let value = table[key]?.tomlValue else { return [] }
            if let inner = value.table { return values(in: inner, path: path + [key]) }
            return [(path + [key], self.value(value))]
        }
    }

    private static func value(_ value: TOMLValue) -> ConfigurationValue {
        switch value.type {
        case .string: .text(value.string ?? "")
        case .int: .number(value.int ?? 0)
        case .bool: .flag(value.bool ?? false)
        case .array: .list(value.array.map { array in array.map { self.value($0.tomlValue) } } ?? [])
        default: .other(value.debugDescription)
        }
    }

    /// Removes the words with which every message begins, as in `Error while parsing key: expected bare keys, saw '='`.
    private static func sentence(_ description: String) -> String {
        let line = description.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.hasPrefix("Error while parsing ") ? "in the " + line.dropFirst(20) : line
    }
}

/// A value of a configuration file.
enum ConfigurationValue: Equatable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([ConfigurationValue])
    /// A value of a type that no setting has, as written in the file: a date, a decimal number.
    case other(String)

    /// The value in TOML syntax.
    var toml: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .list(let values): "[" + values.map(\.toml).joined(separator: ", ") + "]"
        case .other(let text): text
        }
    }

    static func quoted(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar in
                switch scalar {
                case "\\": "\\\\"
                case "\"": "\\\""
                case "\n": "\\n"
                case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                    "\\u" + String(repeating: "0", count: scalar.value < 0x10 ? 3 : 2)
                        + String(scalar.value, radix: 16, uppercase: true)
                default: String(scalar)
                }
            }.joined() + "\""
    }
}
