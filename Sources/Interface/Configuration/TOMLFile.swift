// Foundation has no reader for TOML. TOMLKit wraps toml++, which passes the format's own tests; it stays behind this
// file, so that another reader could take its place.
import TOMLKit

/// What a TOML file says: its values by their paths, each with the line where it stands.
struct TOMLFile {
    /// One `key = value`.
    struct Entry: Equatable, Sendable {
        /// From the outermost table inwards: `["keys", "list", "note.new"]`.
        let path: [String]
        let value: ConfigurationValue
        /// Counted from 1; nil where the key is written in a way that only TOML itself understands.
        let line: Int?

        /// `keys.list.note.new`.
        var name: String { path.joined(separator: ".") }
    }

    /// In the order of the file.
    let entries: [Entry]

    /// Why a text is no TOML.
    struct Malformation: Error, Equatable {
        let line: Int
        let reason: String
    }

    /// Reads a file's text.
    ///
    /// - Throws: `Malformation` where it is no TOML.
    init(_ text: String) throws(Malformation) {
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
        // The reader sorts keys; people read lines.
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

    /// `Error while parsing key: expected bare keys, saw '='` without what every message says.
    private static func sentence(_ description: String) -> String {
        let line = description.split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.hasPrefix("Error while parsing ") ? "in the " + line.dropFirst(20) : line
    }
}

/// A value of a configuration file.
public enum ConfigurationValue: Equatable, Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([ConfigurationValue])
    /// What no setting is: a date, a number with a point; as it is written.
    case other(String)

    /// The value as a file has it.
    public var toml: String {
        switch self {
        case .text(let text): Self.quoted(text)
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .list(let values): "[" + values.map(\.toml).joined(separator: ", ") + "]"
        case .other(let text): text
        }
    }

    static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
