/// The line numbers of the keys of a TOML file, which its reader does not report.
///
/// It recognises tables in brackets, and bare, quoted and dotted keys before an equals sign; inside a value in braces
/// it recognises only the key before the braces.
struct TOMLLines {
    private var lines: [[String]: Int] = [:]

    init(_ text: String) {
        var table: [String] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = line.drop { $0 == " " || $0 == "\t" }
            if line.first == "[" {
                table = Self.path(line.drop { $0 == "[" })?.path ?? table
            } else if let (path, rest) = Self.path(line), rest.first == "=", lines[table + path] == nil {
                lines[table + path] = index + 1
            }
        }
    }

    /// The line number of a key, or of the value in braces that contains it; counted from 1.
    subscript(path: [String]) -> Int? {
        var path = path[...]
        while !path.isEmpty {
            if let line = lines[Array(path)] { return line }
            path.removeLast()
        }
        return nil
    }

    /// Parses the key that a line begins with; returns it with the rest of the line.
    private static func path(_ line: Substring) -> (path: [String], rest: Substring)? {
        var path: [String] = []
        var rest = line
        while let (part, after) = component(rest) {
            path.append(part)
            rest = after.drop { $0 == " " || $0 == "\t" }
            guard rest.first == "." else { return (path, rest) }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
        }
        return nil
    }

    private static func component(_ text: Substring) -> (part: String, rest: Substring)? {
        if let quote = text.first, quote == "\"" || quote == "'" {
            let inside = text.dropFirst()
            guard let end = inside.firstIndex(of: quote) else { return nil }
            return (String(inside[..<end]), inside[inside.index(after: end)...])
        }
        let bare = text.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
        return bare.isEmpty ? nil : (String(bare), text[bare.endIndex...])
    }
}
