import Foundation
import Testing

@testable import Markdown

/// Compares the results for texts with those of the reference implementations.
@Suite struct AgreementTests {
    static let documents: [String] = {
        var generator = DocumentGenerator(seed: 1)
        return [corpus] + (0..<300).map { _ in generator.document() }
    }()

    @Test func `HTML equals that of cmark on real documents`() throws {
        guard let cmark = ReferenceTool.cmark else { return }
        for (text, html) in zip(Self.documents, try cmark.output(for: Self.documents)) {
            #expect(Markdown.html(text, .commonMark) == html, "of \(text)")
        }
    }

    @Test func `HTML equals that of cmark-gfm on real documents`() throws {
        guard let cmark = ReferenceTool.cmarkGFM else { return }
        for (text, html) in zip(Self.documents, try cmark.output(for: Self.documents)) {
            #expect(Self.ignoringLooseness(Markdown.html(text, .gfm)) == Self.ignoringLooseness(html), "of \(text)")
        }
    }

    /// cmark-gfm follows an older specification, in which blank lines at the end of nested blocks do not make a list
    /// loose.
    static func ignoringLooseness(_ html: String) -> String {
        html.replacingOccurrences(of: "<p>", with: "").replacingOccurrences(of: "</p>", with: "")
            .split(separator: "\n").joined(separator: "\n")
            .replacingOccurrences(of: "<li>\n", with: "<li>").replacingOccurrences(of: "\n</li>", with: "</li>")
    }

    /// Compares the visible text byte by byte, each byte with its styles.
    @Test func `highlighting agrees with cmark-gfm`() throws {
        guard let cmark = ReferenceTool.cmarkGFM else { return }
        var same = 0
        var all = 0
        for (text, html) in zip(Self.documents, try cmark.output(for: Self.documents)) {
            let ours = Self.styledBytes(highlighting: text)
            let theirs = StyledHTML.bytes(of: html)
            all += max(ours.count, theirs.count)
            let agreeing = ours.count == theirs.count ? zip(ours, theirs).reduce(0) { $0 + ($1.0 == $1.1 ? 1 : 0) } : 0
            same += agreeing
            if agreeing < theirs.count {
                print("DIFFERS:\n\(text)\n--- \(ours.count) and \(theirs.count) bytes\n\(html)")
            }
        }
        let share = Double(same) / Double(max(all, 1))
        print("highlighting agrees with cmark-gfm on \(share * 100) % of \(all) bytes")
        #expect(share >= 0.9999)
    }

    struct StyledByte: Equatable {
        var byte: UInt8
        var styles: SpanKind
    }

    static let compared: SpanKind = [
        .emphasis, .strong, .strikethrough, .code, .codeBlock, .link, .heading(1), .heading(2), .heading(3),
        .heading(4),
        .heading(5), .heading(6),
    ]

    static func styledBytes(highlighting text: String) -> [StyledByte] {
        let lines = StringLines(text)
        var highlighter = MarkdownHighlighter(.gfm)
        highlighter.reset(lines)
        _ = highlighter.advance(lines, byteBudget: .max)
        var result: [StyledByte] = []
        for index in 0..<lines.lineCount {
            let highlight = highlighter.spans(ofLine: index, in: lines)
            if highlight.block == .definition { continue }
            lines.withLine(index) { bytes in
                for offset in bytes.indices where !bytes[offset].isSpace {
                    let kind = highlight.runs.first { $0.range.contains(offset) }?.kind ?? []
                    if kind.isDisjoint(with: [.marker, .linkTarget, .fenceInfo]) {
                        result.append(StyledByte(byte: bytes[offset], styles: kind.intersection(compared)))
                    }
                }
            }
        }
        return result
    }
}

/// Extracts the text of HTML with the styles of its tags; supports only the HTML that the renderers write.
enum StyledHTML {
    static func bytes(of html: String) -> [AgreementTests.StyledByte] {
        var result: [AgreementTests.StyledByte] = []
        var open: [(name: Substring, style: SpanKind)] = []
        var rest = html[...]
        while let first = rest.first {
            if first == "<", let end = rest.firstIndex(of: ">") {
                let tag = rest[rest.index(after: rest.startIndex)..<end]
                rest = rest[rest.index(after: end)...]
                let name = tag.drop { $0 == "/" }.prefix { $0.isLetter || $0.isNumber }
                if tag.first == "/" {
                    if let last = open.lastIndex(where: { $0.name == name }) { open.remove(at: last) }
                } else if !tag.hasSuffix("/") {
                    open.append((name, style(of: name, in: open.map(\.name))))
                }
                continue
            }
            var text = String(first)
            rest = rest.dropFirst()
            if first == "&", let end = rest.firstIndex(of: ";") {
                text = ["amp": "&", "lt": "<", "gt": ">", "quot": "\""][String(rest[..<end])] ?? "?"
                rest = rest[rest.index(after: end)...]
            }
            let styles = open.reduce(into: SpanKind()) { $0.formUnion($1.style) }
            for byte in text.utf8 where !byte.isSpace { result.append(.init(byte: byte, styles: styles)) }
        }
        return result
    }

    private static func style(of name: Substring, in open: [Substring]) -> SpanKind {
        switch name {
        case "em": .emphasis
        case "strong": .strong
        case "del": .strikethrough
        case "a": .link
        case "pre": .codeBlock
        case "code": open.last == "pre" ? .codeBlock : .code
        case "h1", "h2", "h3", "h4", "h5", "h6": .heading(name.last?.wholeNumberValue ?? 1)
        default: []
        }
    }
}

extension AgreementTests {
    /// A typical note.
    static let corpus = """
        # Reading list, winter

        Started with **Piranesi**; next is the *Borges* one. A labyrinth is a house built to confuse men, says the
        translator, and then he adds: _"its architecture, prodigal in **symmetries**, is made to serve that aim"_.

        ## To read

        - [x] Piranesi
        - [ ] Ficciones, the edition with [notes](https://example.org/ficciones "by the translator")
          - "The Library of Babel" -- read *twice*
          - "The Garden of Forking Paths"

            The second paragraph of an item, which makes this list loose.
        - [ ] The Dispossessed

        1. Shelf by the window
        2. Shelf behind the door
           > What is kept here is *kept*.
           > Nobody moves it.

           ```swift
           let shelf = books.filter { $0.isUnread }   // all of them
           ```
        3. The floor

        Notes
        -----

        | Book          | Pages | Begun      |
        |:--------------|------:|:----------:|
        | Piranesi      |   272 | *January*  |
        | Ficciones     |   174 | `2026-02`  |
        | a \\| b        |       | ~~never~~  |

        > A quote that
        goes on lazily, with `code` and a line that ends hard  \\
        and one more.

            indented code, four spaces
                deeper still

        ***

        Links: <https://example.org/a?b=c&d=e>, www.example.org/path_(with)_parens, and ana@example.org. A [reference],
        a [second one][Reference] and [none at all]. Two stars: ** and 2 * 3 * 4; snake_case_words stay whole, \\*so do
        these\\*. ***Both*** and **bold *inside* bold**, *a **b***.

        [reference]: <https://example.org/ref> 'Its title'
        """
}
