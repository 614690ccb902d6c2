/// A case and its result as a line of text: fields separated by tabs; line breaks and tabs are `\n`, `\t`.
public struct VimRecord: Equatable, Sendable {
    public var entry: VimCase
    public var result: VimResult

    public init(_ entry: VimCase, _ result: VimResult) {
        self.entry = entry
        self.result = result
    }

    public var line: String {
        let fields = [
            entry.lines.joined(separator: "\n"), "\(entry.line):\(entry.column)",
            entry.commands.joined(separator: "\n"),
            result.lines == entry.lines ? "=" : ">" + result.lines.joined(separator: "\n"),
            "\(result.line):\(result.column)", result.shape, result.register,
        ]
        return fields.map(\.escaped).joined(separator: "\t")
    }

    /// Parses a line; nil if it is not a record.
    public init?(line: String) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0).unescaped }
        guard fields.count == 7, let start = Self.position(fields[1]), let end = Self.position(fields[4]) else {
            return nil
        }
        let lines = Self.lines(fields[0])
        entry = VimCase(lines: lines, line: start.0, column: start.1, commands: Self.lines(fields[2]))
        result = VimResult(
            number: 0, lines: fields[3] == "=" ? lines : Self.lines(String(fields[3].dropFirst())), line: end.0,
            column: end.1, register: fields[6], shape: fields[5])
    }

    private static func position(_ text: String) -> (Int, Int)? {
        let parts = text.split(separator: ":").compactMap { Int($0) }
        return parts.count == 2 ? (parts[0], parts[1]) : nil
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

extension String {
    fileprivate var escaped: String {
        reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            default: result.append(character)
            }
        }
    }

    fileprivate var unescaped: String {
        var result = ""
        var rest = self[...]
        while let next = rest.popFirst() {
            guard next == "\\", let escaped = rest.popFirst() else {
                result.append(next)
                continue
            }
            result.append(escaped == "n" ? "\n" : escaped == "t" ? "\t" : escaped)
        }
        return result
    }
}
