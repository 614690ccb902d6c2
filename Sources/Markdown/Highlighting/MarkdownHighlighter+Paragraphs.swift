import TextPrimitives

/// Highlights paragraphs, whose lines are parsed as one text.
extension MarkdownHighlighter {
    /// Reads the paragraph that contains a line, up to about `maximumParagraphLength` bytes around it.
    mutating func readParagraph(around line: Int, _ source: some LineSource) -> HighlightCache.Entry {
        var text =
            scanner.line.kind == .paragraph
            ? ParagraphText(firstLine: line)
            : paragraph(endingBefore: line, source, limit: Self.maximumParagraphLength / 2)
        var frames: [(LineHighlight, LinePainter)] = []
        for index in text.firstLine..<line {
            read(index, source)
            frames.append(frame(scanner.line, .paragraph, depth: quoteDepth(scanner.state)))
        }
        var current = line
        var ending = LineKind.blank
        var level = 0
        let limit = text.text.count + Self.maximumParagraphLength / 2
        while current < source.lineCount, text.text.count < limit {
            if current > line { settle(through: current, source) }
            // This line was read last, unless lines above it had to be read.
            if current > line || text.firstLine < line { read(current, source) }
            let scanned = scanner.line
            guard current == line || scanned.kind == .continuation else {
                ending = scanned.kind
                level = scanned.level
                break
            }
            source.withLine(current) { text.append($0, scanned.start, scanned.end) }
            frames.append(frame(scanned, .paragraph, depth: quoteDepth(scanner.state)))
            current += 1
        }
        return paint(text, frames, ending, level)
    }

    func paint(
        _ text: ParagraphText, _ frames: [(LineHighlight, LinePainter)], _ ending: LineKind, _ level: Int
    ) -> HighlightCache.Entry {
        var frames = frames
        let heading: SpanKind = ending == .setextUnderline ? .heading(level) : []
        let headerStart = ending == .tableDelimiter ? text.pieces[text.pieces.count - 1].start : text.text.count
        text.text.withUnsafeBufferPointer { bytes in
            let contentStart = min(text.definitionsEnd, headerStart)
            let taskEnd = contentStart == 0 ? taskEnd(bytes, frames[0]) : 0
            let start = max(contentStart, taskEnd)
            var parser = InlineParser(bytes, options, references: definitions.links, footnotes: definitions.footnotes)
            let first = parser.parse(from: start, to: Self.trimmedEnd(bytes, start, headerStart))
            var rows: [Int32] = []
            TableRows.forEachCell(bytes, from: headerStart, to: bytes.count) {
                rows.append(parser.parse(from: $0.lowerBound, to: $0.upperBound))
            }
            var painter = InlinePainter(bytes, parser.nodes, text.pieces, frames.map(\.1))
            paintDefinitions(&painter, bytes, to: contentStart)
            if taskEnd > 0 { paintTask(&painter, bytes) }
            painter.paint(first, base: heading)
            if headerStart < bytes.count { Self.paintCells(&painter, bytes, headerStart, rows, .table) }
            for index in frames.indices {
                frames[index].0.runs = painter.lines[index].runs
                let pieceStart = text.pieces[index].start
                if pieceStart >= headerStart {
                    frames[index].0.block = .tableHeader
                } else if pieceStart < contentStart {
                    frames[index].0.block = .definition
                } else if level > 0, ending == .setextUnderline {
                    frames[index].0.block = .heading(level: level)
                }
            }
        }
        return HighlightCache.Entry(first: text.firstLine, lines: frames.map(\.0))
    }

    private static func trimmedEnd(_ bytes: Bytes, _ start: Int, _ end: Int) -> Int {
        var end = end
        while end > start, bytes[end - 1].isSpace { end -= 1 }
        return max(start, end)
    }

    /// The end of a task's box in the text of an item's first paragraph; 0 without a box.
    private func taskEnd(_ bytes: Bytes, _ frame: (LineHighlight, LinePainter)) -> Int {
        guard options.contains(.taskItems), let marker = frame.1.runs.last, marker.kind.contains(.listMarker),
            let lineEnd = bytes.firstOffset(of: Byte.newline, from: 0, to: bytes.count),
            let box = TaskBox(bytes.slice(0, lineEnd), at: 0)
        else { return 0 }
        return box.end
    }

    private func paintTask(_ painter: inout InlinePainter, _ bytes: Bytes) {
        painter.add(0, 3, bytes[1] == Byte.space ? [.task, .marker] : [.task, .done, .marker])
    }

    private func paintDefinitions(_ painter: inout InlinePainter, _ bytes: Bytes, to end: Int) {
        var start = 0
        while start < end, let definition = LinkDefinition(bytes, from: start, to: end) {
            painter.add(start, start + 1, [.definition, .marker])
            painter.add(start + 1, definition.label.upperBound, .definition)
            painter.add(definition.label.upperBound, definition.label.upperBound + 2, [.definition, .marker])
            painter.add(definition.destination.lowerBound, definition.destination.upperBound, .linkTarget)
            painter.add(definition.destination.upperBound, definition.end, .linkTarget)
            start = definition.end
        }
    }
}
