#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Fits help texts to a narrow terminal.
enum HelpText {
    /// The number of columns that the parser needs; its descriptions begin in the 27th.
    private static let minimumColumns = 40

    /// Gives the parser enough columns for its descriptions; `fitted` breaks its texts for narrower terminals.
    ///
    /// The parser takes its width from `COLUMNS`, or else from the terminal, and omits descriptions that have no room.
    static func widen() {
        let told = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        if (told ?? StandardOutput.columns) < minimumColumns { setenv("COLUMNS", "\(minimumColumns)", 1) }
    }

    /// Returns the text with no line longer than `columns` characters, unless a word is longer.
    ///
    /// The parser wraps help in a column that is too narrow for some words, and leaves usage lines long.
    static func fitted(_ text: String, columns: Int) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { $0.count > columns ? wrapped($0, columns) : [String($0)] }
            .joined(separator: "\n")
    }

    /// Breaks a line into several, indented like the line, or less if a word needs the room.
    private static func wrapped(_ line: Substring, _ columns: Int) -> [String] {
        let words = line.split(separator: " ")
        let widestWord = words.map(\.count).max() ?? 0
        let indent = max(0, min(line.prefix { $0 == " " }.count, columns - widestWord))
        var lines: [String] = []
        for word in words {
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(repeating: " ", count: indent) + word)
            }
        }
        return lines
    }
}
