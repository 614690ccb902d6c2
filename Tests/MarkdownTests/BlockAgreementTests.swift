import Testing

@testable import Markdown

/// Compares the block of each line with that of cmark-gfm.
@Suite struct BlockAgreementTests {
    /// The description of a line that both implementations provide.
    struct LineBlock: Equatable, CustomStringConvertible {
        var kind = "blank"
        var quoteDepth = 0

        var description: String { String(repeating: ">", count: quoteDepth) + kind }
    }

    @Test func `block kinds agree with cmark-gfm`() throws {
        guard let cmark = ReferenceTool.cmarkGFMTree else { return }
        var same = 0
        var all = 0
        for (text, tree) in zip(AgreementTests.documents, try cmark.output(for: AgreementTests.documents)) {
            let ours = Self.blocks(highlighting: text)
            let theirs = Self.blocks(ofTree: tree, lineCount: ours.count)
            all += ours.count
            for (line, pair) in zip(ours, theirs).enumerated() {
                if pair.0 == pair.1 { same += 1 } else { print("DIFFERS: \(pair), line \(line) of\n\(text)") }
            }
        }
        let share = Double(same) / Double(max(all, 1))
        print("block kinds agree with cmark-gfm on \(share * 100) % of \(all) lines")
        #expect(share >= 0.9997)
    }

    @Test func `the tree is read as cmark-gfm writes it`() {
        let tree = """
            <document sourcepos="1:1-9:3">
              <block_quote sourcepos="1:1-2:5">
                <heading sourcepos="1:3-1:5" level="2">
                  <text sourcepos="1:5-1:5" xml:space="preserve">a</text>
              <thematic_break sourcepos="3:1-4:0" />
              <table sourcepos="5:1-7:9">
                <table_header sourcepos="5:1-5:9">
                <table_row sourcepos="7:1-7:9">
              <code_block sourcepos="8:1-9:3" info="c" xml:space="preserve">
            """
        #expect(
            Self.blocks(ofTree: tree, lineCount: 10).map(\.description) == [
                ">heading 2", ">blank", "rule", "blank", "table", "table", "table", "code", "code", "blank",
            ])
    }

    static func blocks(highlighting text: String) -> [LineBlock] {
        let lines = StringLines(text)
        var highlighter = MarkdownHighlighter(.gfm)
        highlighter.reset(lines)
        _ = highlighter.advance(lines, byteBudget: .max)
        // Text after the last line break is not a line to a parser.
        return (0..<lines.lineCount - (text.hasSuffix("\n") ? 1 : 0)).map { index in
            let highlight = highlighter.spans(ofLine: index, in: lines)
            let kind =
                switch highlight.block {
                case .blank, .definition: "blank"
                case .paragraph, .frontMatter: "paragraph"
                case .heading(let level): "heading \(level)"
                case .thematicBreak: "rule"
                case .code, .codeFence: "code"
                case .html: "html"
                case .tableHeader, .tableDelimiter, .tableRow: "table"
                }
            return LineBlock(kind: kind, quoteDepth: highlight.quoteDepth)
        }
    }

    /// Returns the innermost leaf of each line; a block that ends in column 0 ends with the line before.
    static func blocks(ofTree tree: String, lineCount: Int) -> [LineBlock] {
        let kinds = [
            "paragraph": "paragraph", "thematic_break": "rule", "code_block": "code", "html_block": "html",
            "table": "table", "heading": "heading",
        ]
        var lines = Array(repeating: LineBlock(), count: lineCount)
        let pattern = #/<([a-z_]+) sourcepos="(\d+):\d+-(\d+):(\d+)"(?: level="(\d)")?/#
        let nodes = tree.matches(of: pattern).map { match in
            let last = Int(match.3) ?? 0
            let end = match.4 == "0" ? last - 1 : last
            return (
                name: String(match.1), first: Int(match.2) ?? 1, last: min(end, lineCount),
                level: match.5.map { " " + $0 } ?? ""
            )
        }
        for node in nodes where node.last >= node.first {
            for line in node.first - 1..<node.last {
                if node.name == "block_quote" { lines[line].quoteDepth += 1 }
                if let kind = kinds[node.name] { lines[line].kind = kind + node.level }
            }
            guard node.name == "table" else { continue }
            // A table's reported start is that of the paragraph whose last line is its header.
            let rows = nodes.count { $0.name == "table_row" && $0.first >= node.first && $0.last <= node.last }
            for line in node.first - 1..<max(node.last - rows - 2, node.first - 1) { lines[line].kind = "paragraph" }
        }
        return lines
    }
}
