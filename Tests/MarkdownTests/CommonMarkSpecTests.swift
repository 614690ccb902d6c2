import Foundation
import Testing

@testable import Markdown

/// The examples of the CommonMark specification, whose text `COMMONMARK_SPEC` names.
@Suite struct CommonMarkSpecTests {
    struct Example {
        let number: Int
        let section: String
        let markdown: String
        let html: String
    }

    /// The examples of the specification's source: fences of 32 backticks, `.` between Markdown and HTML, `→` for tabs.
    static func examples(in spec: String) -> [Example] {
        let fence = String(repeating: "`", count: 32)
        var examples: [Example] = []
        var section = ""
        var markdown: [Substring]?
        var html: [Substring]?
        for line in spec.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == fence + " example" {
                markdown = []
            } else if line == fence, let source = markdown, let result = html {
                examples.append(
                    Example(number: examples.count + 1, section: section, markdown: text(source), html: text(result)))
                (markdown, html) = (nil, nil)
            } else if line == ".", markdown != nil, html == nil {
                html = []
            } else if html != nil {
                html?.append(line)
            } else if markdown != nil {
                markdown?.append(line)
            } else if line.hasPrefix("#") {
                section = String(line)
            }
        }
        return examples
    }

    private static func text(_ lines: [Substring]) -> String {
        lines.map { $0.replacingOccurrences(of: "→", with: "\t") + "\n" }.joined()
    }

    @Test func `every example of the specification comes out byte for byte`() throws {
        guard let path = ProcessInfo.processInfo.environment["COMMONMARK_SPEC"] else {
            print("COMMONMARK_SPEC NOT SET: THE EXAMPLES OF THE COMMONMARK SPECIFICATION WERE NOT TESTED")
            return
        }
        let examples = Self.examples(in: try String(contentsOfFile: path, encoding: .utf8))
        #expect(examples.count >= 652)
        for example in examples {
            let html = Markdown.html(example.markdown, .commonMark)
            #expect(html == example.html, "example \(example.number), \(example.section): \(example.markdown)")
        }
    }
}
