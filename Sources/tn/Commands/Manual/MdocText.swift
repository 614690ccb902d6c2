import Foundation

/// A text in mdoc(7), the language of manual pages.
struct MdocText {
    private(set) var text = ""

    /// Adds lines that are already in mdoc.
    mutating func add(_ lines: String) {
        text += lines + "\n"
    }

    /// Adds plain text: paragraphs, and examples, whose lines are indented.
    mutating func add(prose: String) {
        var isExample = false
        var needsParagraph = false
        for line in prose.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) {
                needsParagraph = true
                continue
            }
            if line.hasPrefix("  ") != isExample {
                isExample.toggle()
                add(isExample ? ".Bd -literal -offset indent" : ".Ed\n.Pp")
                needsParagraph = false
            }
            if needsParagraph { add(isExample ? "" : ".Pp") }
            needsParagraph = false
            // Formatters expect each sentence on a separate line.
            let lines = isExample ? [String(line.dropFirst(2))] : Self.sentences(String(line))
            lines.forEach { add(Self.escaped($0)) }
        }
        if isExample { add(".Ed") }
    }

    private static func sentences(_ text: String) -> [String] {
        text.replacing(/([.:;?!]\)?) +(?=[A-Z“"(])/) { "\($0.1)\n" }.components(separatedBy: "\n")
    }

    /// Text that is not a request: backslashes, and a dot or quote at a line's start, mean themselves.
    static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("“", with: "\\(lq")
            .replacing("”", with: "\\(rq").replacing("…", with: "...")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&" + plain : plain
    }

    static func quoted(_ text: String) -> String {
        // Punctuation alone would not count as a word.
        "\"\\&" + escaped(text).replacing("\"", with: "\\(dq") + "\""
    }
}
