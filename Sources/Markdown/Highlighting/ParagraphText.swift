/// The joined lines of a paragraph, and the origin of each.
struct ParagraphText {
    struct Piece {
        /// The offset in the text at which the line starts.
        var start: Int
        /// The offset in the line of the byte at `start`.
        var column: Int
    }

    var firstLine: Int
    /// The lines without indentation and container markers, each with an LF.
    var text: ContiguousArray<UInt8> = []
    var pieces: [Piece] = []
    /// Whether the text begins at the start of the paragraph or of one of its definitions.
    var isWhole = true

    mutating func append(_ bytes: Bytes, _ start: Int, _ end: Int) {
        append(part: UnsafeBufferPointer(rebasing: bytes[start..<end]), column: start)
    }

    /// Appends a part of a line; `column` is the offset of the part in the line.
    mutating func append(part: Bytes, column: Int) {
        pieces.append(Piece(start: text.count, column: column))
        text.append(contentsOf: part)
        text.append(Byte.newline)
    }

    mutating func removeLastLine() {
        guard let last = pieces.popLast() else { return }
        text.removeSubrange(last.start...)
    }

    /// The labels of the link reference definitions at the start, and the offset after these definitions.
    private var leadingDefinitions: (labels: [DefinedLabel], end: Int) {
        text.withUnsafeBufferPointer { bytes in
            var labels: [DefinedLabel] = []
            var start = 0
            while let definition = LinkDefinition(bytes, from: start, to: bytes.count) {
                let label = bytes.slice(definition.label.lowerBound, definition.label.upperBound)
                labels.append(DefinedLabel(key: ReferenceTable.key(label), isFootnote: false))
                start = definition.end
            }
            return (labels, start)
        }
    }

    var definedLabels: [DefinedLabel] { leadingDefinitions.labels }

    /// The offset after the definitions at the start.
    var definitionsEnd: Int { text.first == Byte.openBracket ? leadingDefinitions.end : 0 }

    var onlyDefines: Bool { definitionsEnd == text.count }

    var lastLineCellCount: Int {
        guard let last = pieces.last else { return 0 }
        return text.withUnsafeBufferPointer { TableRows.cellCount($0, from: last.start, to: $0.count - 1) }
    }
}

extension MarkdownHighlighter {
    /// The lines of the open paragraph before `line`, from the start of the paragraph or of its last definition.
    ///
    /// A `limit` in bytes or in `lines` restricts the result to the last lines.
    ///
    /// - Parameter last: The state after these lines, if it is not stored yet.
    func paragraph(
        endingBefore line: Int, _ source: some LineSource, limit: Int, lines maximumLines: Int = .max,
        last: BlockState? = nil
    ) -> ParagraphText {
        var parts: [(line: Int, start: Int, end: Int)] = []
        var probe = BlockScanner(options)
        var current = line - 1
        var size = 0
        var isWhole = false
        while current >= 0, size < limit, parts.count < maximumLines {
            probe.state = states[lines[current].state]
            // The paragraph continued after this line. So if the line looks like an underline, the text before it
            // consisted of link definitions only, which cannot be a heading. But if the line opened a definition (`:
            // text`), the text before it was a term.
            let after = (current == line - 1 ? last : nil) ?? states[lines[current + 1].state]
            var answers = Answers(onlyDefines: after.leaf.entry != .opened)
            probe.startsText = current == 0
            source.withLine(current) { probe.scan($0, &answers) }
            let kind = probe.line.kind
            guard kind == .continuation || kind == .paragraph else { break }
            parts.append((current, probe.line.start, probe.line.end))
            size += probe.line.end - probe.line.start + 1
            isWhole = kind == .paragraph || after.leaf.beginsDefinition
            if isWhole { break }
            current -= 1
        }
        var result = ParagraphText(firstLine: parts.last?.line ?? line)
        result.isWhole = isWhole
        for part in parts.reversed() {
            source.withLine(part.line) { result.append($0, part.start, part.end) }
        }
        return result
    }
}
