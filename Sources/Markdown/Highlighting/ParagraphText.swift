/// The lines of a paragraph put together, and where each comes from.
struct ParagraphText {
    struct Piece {
        /// Where the line starts in the text.
        var start: Int
        /// The byte of the line that `start` stands for.
        var column: Int
    }

    var firstLine: Int
    /// Lines without indentation and container markers, each with an LF.
    var text: ContiguousArray<UInt8> = []
    var pieces: [Piece] = []
    /// Whether it begins where the paragraph does, or where one of its definitions does.
    var isWhole = true

    mutating func append(_ bytes: Bytes, _ start: Int, _ end: Int) {
        append(part: UnsafeBufferPointer(rebasing: bytes[start..<end]), column: start)
    }

    /// Appends a part of a line, which begins at byte `column` of it.
    mutating func append(part: Bytes, column: Int) {
        pieces.append(Piece(start: text.count, column: column))
        text.append(contentsOf: part)
        text.append(Byte.newline)
    }

    mutating func removeLastLine() {
        guard let last = pieces.popLast() else { return }
        text.removeSubrange(last.start...)
    }

    /// The labels that link reference definitions at its start define, and where what follows these starts.
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

    /// Where what is no definition starts.
    var definitionsEnd: Int { text.first == Byte.openBracket ? leadingDefinitions.end : 0 }

    var onlyDefines: Bool { definitionsEnd == text.count }

    var lastLineCellCount: Int {
        guard let last = pieces.last else { return 0 }
        return text.withUnsafeBufferPointer { TableRows.cellCount($0, from: last.start, to: $0.count - 1) }
    }
}

extension MarkdownHighlighter {
    /// The lines of the paragraph that is open before `line`, from where it or the last of its definitions begins; with
    /// a `limit` in bytes or in `lines`, only the last ones.
    ///
    /// - Parameter last: the state behind them, where it is not kept yet.
    func paragraph(
        endingBefore line: Int, _ source: some LineSource, limit: Int, lines mostLines: Int = .max,
        last: BlockState? = nil
    ) -> ParagraphText {
        var parts: [(line: Int, start: Int, end: Int)] = []
        var probe = BlockScanner(options)
        var current = line - 1
        var size = 0
        var isWhole = false
        while current >= 0, size < limit, parts.count < mostLines {
            probe.state = states[lines[current].state]
            // The paragraph went on after this line, so what looked like an underline was none.
            var answers = Answers(onlyDefines: true)
            probe.startsText = current == 0
            source.withLine(current) { probe.scan($0, &answers) }
            let kind = probe.line.kind
            guard kind == .continuation || kind == .paragraph else { break }
            parts.append((current, probe.line.start, probe.line.end))
            size += probe.line.end - probe.line.start + 1
            let after = current == line - 1 ? last : nil
            isWhole = kind == .paragraph || (after ?? states[lines[current + 1].state]).leaf.beginsDefinition
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
