import TextPrimitives

extension Markdown {
    /// Returns the text with a hard break wherever a paragraph continues on the next line; every other byte stays.
    ///
    /// The lines then stay separate when the text is rendered, as those of a poem must.
    public static func hardeningLineBreaks(of text: String) -> String {
        let document = MarkdownDocument(text)
        var ends: [Int] = []
        document.forEachInline { node in
            if node.kind == .softBreak, node.start > 0 { ends.append(document.sourceOffset(Int(node.start) - 1) + 1) }
        }
        guard !ends.isEmpty else { return text }
        let source = Array(text.utf8)
        var result: [UInt8] = []
        var start = 0
        for end in ends.sorted() where end >= start && end <= source.count {
            result += source[start..<end] + [UInt8(ascii: "\\")]
            start = end
        }
        return String(decoding: result + source[start...], as: UTF8.self)
    }

    /// Returns the section of the heading in a line (counted from 0); nil if the line has no heading.
    public static func section(of text: String, fromHeadingIn line: Int) -> String? {
        let headings = outline(of: text)
        guard let index = headings.firstIndex(where: { $0.line == line }) else { return nil }
        let next = headings[(index + 1)...].first { $0.level <= headings[index].level }
        return lines(of: text, from: line, to: next?.line)
    }

    /// Returns the block with the mark `^name` in a line (counted from 0), without the mark; nil if there is none.
    ///
    /// A mark in a line of its own belongs to the block above it. A list item includes the items nested in it.
    public static func block(of text: String, markedIn line: Int) -> String? {
        let document = MarkdownDocument(text)
        func range(_ block: BlockNode) -> ClosedRange<Int> {
            let first = document.sourceLine(block.firstLine)
            return first...max(first, document.sourceLine(max(block.firstLine, block.lastLine)))
        }
        let kinds: Set<BlockNode.Kind> = [.paragraph, .heading, .quote, .table, .item, .list, .code]
        let blocks = document.blocks.filter { kinds.contains($0.kind) }
        guard var found = blocks.last(where: { range($0).contains(line) && $0.kind != .list }) else { return nil }
        let alone = lines(of: text, from: line, to: line + 1).drop { $0.isWhitespace }.hasPrefix("^")
        if alone, range(found).lowerBound == line {
            let above = blocks.filter { range($0).upperBound < line && $0.parent == found.parent }
            guard let last = above.last else { return nil }
            return lines(of: text, from: range(last).lowerBound, to: range(last).upperBound + 1)
        }
        if found.kind == .paragraph, document.blocks[Int(found.parent)].kind == .item {
            found = document.blocks[Int(found.parent)]
        }
        let whole = lines(of: text, from: range(found).lowerBound, to: range(found).upperBound + 1)
        return withoutIndent(whole, markedIn: line - range(found).lowerBound)
    }

    /// Returns a block without the indent of its first line, and without the mark at the end of a line.
    private static func withoutIndent(_ block: String, markedIn line: Int) -> String {
        var lines = block.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        let indent = lines.first?.prefix { $0 == " " || $0 == "\t" }.count ?? 0
        for index in lines.indices {
            let own = lines[index].prefix { $0 == " " || $0 == "\t" }.count
            lines[index] = lines[index].dropFirst(min(indent, own))
        }
        if lines.indices.contains(line), let mark = lines[line].lastIndex(of: "^") {
            lines[line] = lines[line][..<mark]
            while lines[line].last?.isWhitespace == true { lines[line].removeLast() }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the lines from `first` up to, but not including, `end`; nil stands for the end of the text.
    private static func lines(of text: String, from first: Int, to end: Int?) -> String {
        let newline = UInt8(ascii: "\n")
        let lines = text.utf8.split(separator: newline, omittingEmptySubsequences: false)
        let last = min(end ?? lines.count, lines.count)
        guard first < last else { return "" }
        return String(decoding: Array(lines[first..<last].joined(separator: [newline])), as: UTF8.self)
    }
}
