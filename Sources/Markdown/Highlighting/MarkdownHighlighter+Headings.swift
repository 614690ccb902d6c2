/// The level and the lines of a heading in a text.
public struct HeadingLines: Hashable, Sendable {
    /// The level, from 1 to 6.
    public var level: Int
    /// The lines of the heading, including an underline, counted from 0.
    public var lines: ClosedRange<Int>
}

/// Finds headings one by one.
extension MarkdownHighlighter {
    /// The heading that ends in the given line: a line like `# this`, or the underline of a paragraph; nil if there is
    /// none.
    ///
    /// Headings in quotes and lists are ignored, because they do not begin a section of the text.
    public mutating func heading(endingAt number: Int, in source: some LineSource) -> HeadingLines? {
        settle(through: number, source)
        read(number, source)
        let level = scanner.line.level
        guard scanner.line.matched == 0, scanner.line.markers.isEmpty else { return nil }
        switch scanner.line.kind {
        case .atxHeading: return HeadingLines(level: level, lines: number...number)
        case .setextUnderline: return HeadingLines(level: level, lines: paragraphStart(before: number, source)...number)
        default: return nil
        }
    }

    /// Whether no block is open before a line, so that the text can be parsed from there.
    public mutating func beginsBlock(_ number: Int, in source: some LineSource) -> Bool {
        settle(through: number, source)
        return lines[number].state == StateTable.root
    }

    /// The first line of the paragraph that ends before `number`.
    private mutating func paragraphStart(before number: Int, _ source: some LineSource) -> Int {
        var line = number - 1
        while line > 0 {
            read(line, source)
            guard scanner.line.kind == .continuation else { break }
            line -= 1
        }
        return line
    }
}
