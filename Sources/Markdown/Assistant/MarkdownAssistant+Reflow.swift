import TextPrimitives

/// Rewraps paragraphs.
extension MarkdownAssistant {
    /// The replacements of the gaps between words by which the rows of paragraphs become at most `columns` cells wide.
    ///
    /// Items and quotes keep their indentation. A line that ends in a hard break keeps its break. No row begins with a
    /// word that would open a block, and a link between `[[` and `]]` is not broken.
    ///
    /// - Parameters:
    ///   - range: Lines of the paragraphs; each paragraph is reflowed as a whole.
    ///   - isText: Whether a line belongs to a paragraph, rather than to code, a table or a heading.
    public static func reflow(
        _ range: ClosedRange<Int>, columns: Int, in lines: some LineSource, cellWidth: CellWidth,
        lineBreak: String = "\n",
        isText: (Int) -> Bool
    ) -> [AssistantEdit.Replacement] {
        var result: [AssistantEdit.Replacement] = []
        var line = range.lowerBound
        while line <= range.upperBound {
            guard isText(line) else {
                line += 1
                continue
            }
            var (first, last) = (line, line)
            while first > 0, !begins(first, in: lines), isText(first - 1), joins(first - 1, first, in: lines) {
                first -= 1
            }
            while last + 1 < lines.lineCount, isText(last + 1), !begins(last + 1, in: lines),
                joins(last, last + 1, in: lines)
            {
                last += 1
            }
            // A paragraph that begins before the range was reflowed already, unless this is the range's first line.
            if first >= range.lowerBound || line == range.lowerBound {
                var paragraph = Reflow(columns: columns, cellWidth: cellWidth, lineBreak: lineBreak)
                result += paragraph.breaks(of: first...last, in: lines)
            }
            line = last + 1
        }
        return result
    }

    /// Whether a line begins a paragraph of its own, as an item does.
    private static func begins(_ line: Int, in lines: some LineSource) -> Bool { lines.prefix(of: line).marker != nil }

    /// Whether two lines are in the same number of quotes.
    private static func joins(_ line: Int, _ next: Int, in lines: some LineSource) -> Bool {
        func quotes(_ line: Int) -> Int {
            lines.withLine(line) { $0[..<LinePrefix($0).quoteEnd].count { $0 == Byte.greater } }
        }
        return quotes(line) == quotes(next)
    }
}

/// Rewraps one paragraph.
private struct Reflow {
    let columns: Int
    let cellWidth: CellWidth
    let lineBreak: String

    private struct Word {
        var line: Int
        var range: Range<Int>
        var text: String
        /// Whether a hard break follows the word.
        var endsHard = false
    }

    init(columns: Int, cellWidth: CellWidth, lineBreak: String) {
        (self.columns, self.cellWidth, self.lineBreak) = (columns, cellWidth, lineBreak)
    }

    mutating func breaks(of range: ClosedRange<Int>, in lines: some LineSource) -> [AssistantEdit.Replacement] {
        let words = words(of: range, in: lines)
        guard let first = words.first else { return [] }
        let prefix = lines.prefix(of: range.lowerBound)
        let opening = lines.text(of: range.lowerBound, 0..<prefix.contentStart)
        // The other rows of an item are indented to its text, after its quotes.
        let quotes = lines.text(of: range.lowerBound, 0..<prefix.quoteEnd)
        let behind = lines.text(of: range.lowerBound, prefix.quoteEnd..<prefix.contentStart)
        let next =
            prefix.marker == nil
            ? opening : quotes + String(repeating: " ", count: cellWidth.cells(of: itemIndent(behind, prefix)))
        var result: [AssistantEdit.Replacement] = []
        var column = cellWidth.cells(of: opening) + cellWidth.cells(of: first.text)
        for (word, following) in zip(words, words.dropFirst()) {
            let width = cellWidth.cells(of: following.text)
            let mustBreak = word.endsHard
            let breaks = mustBreak || (column + 1 + width > columns && !opensBlock(following.text))
            let start = LinePosition(line: word.line, byte: word.range.upperBound)
            let end = LinePosition(line: following.line, byte: following.range.lowerBound)
            if !mustBreak {
                let isSame = lines.gap(from: start, to: end, lineBreak) == (breaks ? lineBreak + next : " ")
                if !isSame {
                    result.append(
                        AssistantEdit.Replacement(start: start, end: end, text: breaks ? lineBreak + next : " "))
                }
            }
            column = breaks ? cellWidth.cells(of: next) + width : column + 1 + width
        }
        return result
    }

    /// The text of an item's marker, without its task's box: the rows below are indented by its width.
    private func itemIndent(_ behind: String, _ prefix: LinePrefix) -> String {
        guard let task = prefix.task else { return behind }
        return String(decoding: behind.utf8.prefix(task.lowerBound - prefix.quoteEnd), as: UTF8.self)
    }

    private func words(of range: ClosedRange<Int>, in lines: some LineSource) -> [Word] {
        var words: [Word] = []
        for line in range {
            lines.withLine(line) { bytes in
                let prefix = LinePrefix(bytes)
                var offset = line == range.lowerBound ? prefix.contentStart : prefix.indentEnd
                var end = bytes.count
                while end > offset, bytes[end - 1].isBlank { end -= 1 }
                let endsHard =
                    line < range.upperBound && end > offset
                    && (bytes.count - end >= 2 || bytes[end - 1] == Byte.backslash)
                while offset < end {
                    var stop = offset
                    var isLink = false
                    while stop < end, isLink || !bytes[stop].isBlank {
                        if bytes.has("[[", at: stop), hasEnd(of: stop, in: bytes, end) { isLink = true }
                        if bytes.has("]]", at: stop) { isLink = false }
                        stop += 1
                    }
                    words.append(
                        Word(
                            line: line, range: offset..<stop,
                            text: String(decoding: bytes[offset..<stop], as: UTF8.self)))
                    offset = LinkParts.skipBlanks(bytes, from: stop, to: end)
                }
                if endsHard, !words.isEmpty { words[words.count - 1].endsHard = true }
            }
        }
        return words
    }

    private func hasEnd(of link: Int, in bytes: Bytes, _ end: Int) -> Bool {
        var offset = link
        while offset < end {
            if bytes.has("]]", at: offset) { return true }
            offset += 1
        }
        return false
    }

    /// Whether a row that begins with this word might begin a block, or make the text above it a heading.
    private func opensBlock(_ word: String) -> Bool {
        guard let first = word.utf8.first else { return false }
        if "#>-+*=|~`:".utf8.contains(first) { return true }
        return first.isDigit && (word.hasSuffix(".") || word.hasSuffix(")"))
    }
}

extension LineSource {
    /// The text between two positions, the first of which is in the same line as the second or in the line before.
    fileprivate func gap(from start: LinePosition, to end: LinePosition, _ lineBreak: String) -> String {
        if start.line == end.line { return text(of: start.line, start.byte..<end.byte) }
        return text(of: start.line, start.byte..<length(of: start.line)) + lineBreak + text(of: end.line, 0..<end.byte)
    }
}
