import Foundation
import Testing

@testable import Markdown

/// Tests the examples of the CommonMark specification and of GFM's extensions.
///
/// Their text is not part of the project: `Resources/test.sh` fetches it with `Resources/specifications.sh`. If
/// `TN_SPECIFICATIONS` (`required`, as set by `test.sh`) or `CI` is set, missing text is a failure.
@Suite struct CommonMarkSpecTests {
    struct Example {
        let number: Int
        let section: String
        /// The words after `example`: the extension that it belongs to.
        let label: String
        let markdown: String
        let html: String
    }

    private static let environment = ProcessInfo.processInfo.environment
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../.build/specifications").standardizedFileURL

    /// Whether the examples can be read or are required.
    private static var isAvailable: Bool {
        environment["CI"] != nil || environment["TN_SPECIFICATIONS"] != nil
            || FileManager.default.fileExists(atPath: folder.path)
    }

    /// Returns the specification's text; if it is missing, throws an error that says how to get it.
    private static func text(of name: String) throws -> String {
        let file = folder.appending(path: name)
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {  // Reported below, whatever the reason.
            throw Missing(file: file.path)
        }
        return text
    }

    private struct Missing: Error, CustomStringConvertible {
        let file: String
        var description: String {
            "\(file) cannot be read: run `sh Resources/specifications.sh`, which fetches it; without it the examples of the specification are not tested"
        }
    }

    /// Returns the examples of a specification's source: fences of 32 backticks, `.` between Markdown and HTML, `→` for
    /// tabs.
    static func examples(in spec: String) -> [Example] {
        let fence = String(repeating: "`", count: 32)
        var examples: [Example] = []
        var section = ""
        var label = ""
        var markdown: [Substring]?
        var html: [Substring]?
        for line in spec.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix(fence + " example") {
                markdown = []
                label = line.dropFirst(fence.count + " example".count).trimmingCharacters(in: .whitespaces)
            } else if line == fence, let source = markdown, let result = html {
                examples.append(
                    Example(
                        number: examples.count + 1, section: section, label: label, markdown: text(source),
                        html: text(result)))
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

    /// Checks that the examples are the expected ones: all of them, none altered.
    private static func verify(_ examples: [Example], _ hashes: [UInt64]) {
        #expect(examples.count == hashes.count)
        for (example, hash) in zip(examples, hashes) {
            #expect(
                ExampleHashes.hash(example.markdown, example.html) == hash, "example \(example.number) is another one")
        }
    }

    @Test(.enabled(if: isAvailable, "the specification's text has not been fetched: run Resources/specifications.sh"))
    func `every example of CommonMark comes out byte for byte`() throws {
        let examples = Self.examples(in: try Self.text(of: "commonmark.txt"))
        Self.verify(examples, ExampleHashes.commonMark)
        for example in examples {
            let html = Markdown.html(example.markdown, .commonMark)
            #expect(html == example.html, "example \(example.number), \(example.section): \(example.markdown)")
        }
    }

    @Test(.enabled(if: isAvailable, "the specification's text has not been fetched: run Resources/specifications.sh"))
    func `every example of GFM's extensions comes out as the specification has it`() throws {
        let examples = Self.examples(in: try Self.text(of: "gfm.txt")).filter { !$0.label.isEmpty }
        Self.verify(examples, ExampleHashes.extensions)
        for example in examples {
            let html = Self.sortingBoxes(Markdown.html(example.markdown, .gfm))
            #expect(
                html == Self.sortingBoxes(example.html),
                "example \(example.number), \(example.section): \(example.markdown)")
        }
    }

    /// Sorts the attributes of a task's box as cmark-gfm and this renderer do: the specification has another order.
    private static func sortingBoxes(_ html: String) -> String {
        html.replacing(#/<input (checked="" )?disabled="" type="checkbox">/#) {
            "<input type=\"checkbox\" \($0.output.1 ?? "")disabled=\"\" />"
        }
    }

    @Test func `the hashes are of as many examples as the specifications have`() {
        #expect(ExampleHashes.commonMark.count == 652)
        #expect(ExampleHashes.extensions.count == 24)
        #expect(Set(ExampleHashes.commonMark).count == 652)
    }
}
