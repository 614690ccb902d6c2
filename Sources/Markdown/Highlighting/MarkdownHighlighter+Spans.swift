import TextPrimitives

/// Highlights lines.
extension MarkdownHighlighter {
    /// The longest paragraph that is read completely, in bytes; of a longer one, an excerpt of half of this on both
    /// sides of the line is read.
    static let maximumParagraphLength = 65_536

    /// The highlighting of line `number` of `source`.
    ///
    /// Reads only the text from the last line with a known state on, and the line's paragraph. `bytes` limits the
    /// request to that range of the line: in a line longer than 64 KB, text more than 32 KB away is not read and has no
    /// runs.
    public mutating func spans(
        ofLine number: Int, in source: some LineSource, bytes: Range<Int>? = nil
    ) -> LineHighlight {
        settle(through: number, source)
        if let known = cache[number] { return known }
        read(number, source)
        switch scanner.line.kind {
        case .paragraph, .continuation:
            if let bytes, let part = readExcerpt(of: number, source, bytes) { return part }
            let entry = readParagraph(around: number, source)
            cache.insert(entry)
            return entry.lines[number - entry.first]
        case .blank:
            // Only the markers of the line need to be highlighted.
            var (result, painter) = frame(scanner.line, .blank, depth: quoteDepth(scanner.state))
            result.runs = painter.runs
            cache.insert(HighlightCache.Entry(first: number, lines: [result], ignoresNeighbours: true))
            return result
        case .fencedCode, .indentedCode:
            if let bytes, let part = readCode(of: number, source, bytes) { return part }
            if scanner.line.kind == .indentedCode, isBlank(number, source) {
                return readBlanksInCode(from: number, source)
            }
            fallthrough
        default:
            let (result, isWhole) = source.withLine(number) { line -> (LineHighlight, Bool) in
                let excerpt = Self.excerpt(bytes, length: line.count)
                return (highlight(scanner.line, line, number, excerpt), excerpt == nil)
            }
            if isWhole { cache.insert(HighlightCache.Entry(first: number, lines: [result])) }
            return result
        }
    }

    /// Determines the states of edited lines down to `number`, or guesses them if that would take long.
    public mutating func settle(through number: Int, in source: some LineSource) {
        settle(through: number, source)
    }

    /// Whether a line is code or front matter, in which Markdown has no meaning.
    ///
    /// Only the line is read and not its paragraph, so that calls for each line break of a long paragraph are cheap.
    public mutating func isCode(line number: Int, in source: some LineSource) -> Bool {
        settle(through: number, source)
        read(number, source)
        switch scanner.line.kind {
        case .fencedCode, .indentedCode, .fenceOpening, .fenceClosing, .frontMatter, .frontMatterFence: return true
        default: return false
        }
    }

    /// A number that identifies the text and the highlight of a line: as long as it is the same, so are they.
    ///
    /// It is nil for a line whose highlight is not cached, such as a very long one. It is valid after a call of `spans`
    /// for the line, or after settling.
    public mutating func stamp(ofLine number: Int) -> Int? { cache.stamp(of: number) }

    /// The stamps of several lines, of which consecutive ones are found fastest.
    public mutating func stamps(ofLines numbers: [Int]) -> [Int?] { numbers.map { cache.stamp(of: $0) } }

    /// The range of a long line to read for the range `wanted`; nil to read the whole line.
    private static func excerpt(_ wanted: Range<Int>?, length: Int) -> Range<Int>? {
        guard let wanted, length > maximumParagraphLength else { return nil }
        let start = max(wanted.lowerBound - maximumParagraphLength / 2, 0)
        return start..<max(start, min(wanted.upperBound + maximumParagraphLength / 2, length))
    }

    /// Highlights an excerpt of a long line of a paragraph, parsed as if it were the whole paragraph; nil if the line
    /// is short enough to be read completely.
    private func readExcerpt(of line: Int, _ source: some LineSource, _ wanted: Range<Int>) -> LineHighlight? {
        let scanned = scanner.line
        guard scanned.end > Self.maximumParagraphLength, let excerpt = Self.excerpt(wanted, length: scanned.end) else {
            return nil
        }
        let part = max(excerpt.lowerBound, scanned.start)..<max(excerpt.upperBound, scanned.start)
        var text = ParagraphText(firstLine: line)
        source.withPart(of: line, part) { bytes in
            let whole = bytes.wholeScalars
            text.append(
                part: bytes.slice(whole.lowerBound, whole.upperBound), column: part.lowerBound + whole.lowerBound)
        }
        let frame = frame(scanned, .paragraph, depth: quoteDepth(scanner.state))
        return paint(text, [frame], .blank, 0).lines[0]
    }

    /// Highlights an excerpt of a long line of code; nil if the line is short enough to be read completely.
    private func readCode(of line: Int, _ source: some LineSource, _ wanted: Range<Int>) -> LineHighlight? {
        let scanned = scanner.line
        guard let excerpt = Self.excerpt(wanted, length: scanned.end) else { return nil }
        let part = max(excerpt.lowerBound, scanned.start)..<max(excerpt.upperBound, scanned.start)
        var (result, painter) = frame(scanned, .code, depth: quoteDepth(scanner.state))
        let leaf = states[lines[line].state].leaf
        source.withPart(of: line, part) { bytes in
            CodeLexer.paint(bytes, from: 0, leaf.language, leaf.lexing) {
                painter.add(part.lowerBound + $0, part.lowerBound + $1, $2.union(.codeBlock))
            }
        }
        result.runs = painter.runs
        return result
    }

    /// The quotes, markers and block of a line, without the highlights of its content.
    func frame(_ scanned: ScannedLine, _ block: BlockKind, depth: Int) -> (LineHighlight, LinePainter) {
        var highlight = LineHighlight()
        highlight.block = block
        highlight.quoteDepth = depth
        highlight.contentStart = scanned.start
        var painter = LinePainter()
        for marker in scanned.markers {
            switch marker.kind {
            case .quote: painter.add(marker.start, marker.end, [.quote, .marker])
            case .item: painter.add(marker.start, marker.end, [.listMarker, .marker])
            case .footnote: painter.add(marker.start, marker.end, [.footnote, .marker])
            }
        }
        return (highlight, painter)
    }

    private func isBlank(_ line: Int, _ source: some LineSource) -> Bool {
        source.withLine(line) { LinkParts.skipSpace($0, from: scanner.line.start, to: $0.count) == $0.count }
    }

    /// Highlights blank lines after indented code, which belong to the code if it continues after them.
    private mutating func readBlanksInCode(from first: Int, _ source: some LineSource) -> LineHighlight {
        var scanned: [(line: ScannedLine, depth: Int)] = []
        var current = first
        var goesOn = false
        while current < source.lineCount, current - first < Self.maximumBlanks {
            if current > first {
                settle(through: current, source)
                read(current, source)
            }
            guard scanner.line.kind == .indentedCode, isBlank(current, source) else {
                goesOn = scanner.line.kind == .indentedCode && scanner.line.continuesLeaf
                break
            }
            scanned.append((scanner.line, quoteDepth(scanner.state)))
            current += 1
        }
        let lines = scanned.map { blank in
            var (highlight, painter) = frame(blank.line, goesOn ? .code : .blank, depth: blank.depth)
            if goesOn { painter.add(blank.line.start, blank.line.end, .codeBlock) }
            highlight.runs = painter.runs
            return highlight
        }
        // The search stops after `maximumBlanks` lines, so its result may not hold for the later blank lines.
        if scanned.count < Self.maximumBlanks { cache.insert(HighlightCache.Entry(first: first, lines: lines)) }
        return lines[0]
    }

    /// The most blank lines after which continuing code is searched for; chosen to exceed any gap that people leave in
    /// code.
    private static let maximumBlanks = 100

    /// The most containers that are examined: each line of a paragraph needs it, and a text can open tens of thousands.
    ///
    /// This many quote markers fill a line of any screen.
    private static let maximumQuoteDepth = 200

    /// The number of open quotes, counted in the outermost containers only.
    func quoteDepth(_ state: BlockState) -> Int {
        var depth = 0
        for container in state.containers.prefix(Self.maximumQuoteDepth) where container.kind == .quote { depth += 1 }
        return depth
    }

    // MARK: Other lines

    private func highlight(
        _ scanned: ScannedLine, _ bytes: Bytes, _ line: Int, _ excerpt: Range<Int>?
    ) -> LineHighlight {
        // The line has just been read; the stored state after it may be from before an edit.
        let depth = quoteDepth(scanner.state)
        var (highlight, painter) = frame(scanned, Self.block(of: scanned), depth: depth)
        let markersEnd = scanned.markers.last?.end ?? 0
        let contentStart = LinkParts.skipBlanks(bytes, from: markersEnd, to: bytes.count)
        switch scanned.kind {
        case .atxHeading:
            highlight.contentStart = contentStart
            let kind = SpanKind.heading(scanned.level)
            painter.add(contentStart, max(scanned.start, contentStart + scanned.level), kind.union(.marker))
            let content = scanned.start..<scanned.end
            paintInlines(&painter, bytes, excerpt.map(content.clamped) ?? content, kind)
            painter.add(scanned.end, bytes.count, kind.union(.marker))
        case .setextUnderline:
            painter.add(scanned.start, scanned.end, [.heading(scanned.level), .marker])
        case .thematicBreak: painter.add(scanned.start, scanned.end, [.rule, .marker])
        case .fenceOpening:
            highlight.contentStart = contentStart
            painter.add(contentStart, scanned.start, [.codeBlock, .marker])
            painter.add(scanned.start, scanned.end, [.codeBlock, .fenceInfo])
        case .fenceClosing: painter.add(scanned.start, bytes.count, [.codeBlock, .marker])
        case .fencedCode:
            let leaf = states[lines[line].state].leaf
            CodeLexer.paint(bytes, from: scanned.start, leaf.language, leaf.lexing) {
                painter.add($0, $1, $2.union(.codeBlock))
            }
        case .indentedCode: painter.add(scanned.start, scanned.end, .codeBlock)
        case .html, .htmlOpening: painter.add(scanned.start, scanned.end, .html)
        case .tableDelimiter: painter.add(scanned.start, scanned.end, [.table, .marker])
        case .tableRow: paintRow(&painter, bytes, scanned.start)
        case .frontMatterFence: painter.add(0, bytes.count, [.frontMatter, .marker])
        case .frontMatter: paintFrontMatter(&painter, bytes)
        case .blank, .paragraph, .continuation: break
        }
        highlight.runs = painter.runs
        return highlight
    }

    private static func block(of scanned: ScannedLine) -> BlockKind {
        switch scanned.kind {
        case .blank: .blank
        case .paragraph, .continuation: .paragraph
        case .atxHeading, .setextUnderline: .heading(level: scanned.level)
        case .thematicBreak: .thematicBreak
        case .fenceOpening, .fenceClosing: .codeFence
        case .fencedCode, .indentedCode: .code
        case .html, .htmlOpening: .html
        case .tableDelimiter: .tableDelimiter
        case .tableRow: .tableRow
        case .frontMatterFence, .frontMatter: .frontMatter
        }
    }

    private func paintInlines(_ line: inout LinePainter, _ bytes: Bytes, _ range: Range<Int>, _ base: SpanKind) {
        var parser = InlineParser(bytes, options, references: definitions.links, footnotes: definitions.footnotes)
        let first = parser.parse(from: range.lowerBound, to: range.upperBound)
        var painter = InlinePainter(bytes, parser.nodes, [ParagraphText.Piece(start: 0, column: 0)], [line])
        painter.paint(first, base: base)
        line = painter.lines[0]
    }

    private func paintRow(_ line: inout LinePainter, _ bytes: Bytes, _ start: Int) {
        var parser = InlineParser(bytes, options, references: definitions.links, footnotes: definitions.footnotes)
        var cells: [Int32] = []
        TableRows.forEachCell(bytes, from: start, to: bytes.count) {
            cells.append(parser.parse(from: $0.lowerBound, to: $0.upperBound))
        }
        var painter = InlinePainter(bytes, parser.nodes, [ParagraphText.Piece(start: 0, column: 0)], [line])
        Self.paintCells(&painter, bytes, start, cells, .table)
        line = painter.lines[0]
    }

    /// Paints the cells of a row, whose inlines are `cells`, and the pipes between them.
    static func paintCells(
        _ painter: inout InlinePainter, _ bytes: Bytes, _ start: Int, _ cells: [Int32], _ base: SpanKind
    ) {
        var ranges: [Range<Int>] = []
        TableRows.forEachCell(bytes, from: start, to: bytes.count) { ranges.append($0) }
        var offset = start
        func paintPipes(to end: Int) {
            while let pipe = bytes.firstOffset(of: Byte.pipe, from: offset, to: end) {
                painter.add(pipe, pipe + 1, [.table, .marker])
                offset = pipe + 1
            }
        }
        for (range, cell) in zip(ranges, cells) {
            paintPipes(to: range.lowerBound)
            painter.paint(cell, base: base)
            offset = range.upperBound
        }
        paintPipes(to: bytes.count)
    }

    private func paintFrontMatter(_ painter: inout LinePainter, _ bytes: Bytes) {
        guard let colon = bytes.firstOffset(of: Byte.colon, from: 0, to: bytes.count), !bytes[0].isBlank else {
            return painter.add(0, bytes.count, .frontMatter)
        }
        painter.add(0, colon, [.frontMatter, .codeName])
        painter.add(colon, colon + 1, [.frontMatter, .marker])
        painter.add(colon + 1, bytes.count, .frontMatter)
    }
}

extension Bytes {
    /// The range of the bytes without scalars that are cut off at either end.
    fileprivate var wholeScalars: Range<Int> {
        var (start, end) = (0, count)
        while start < end, self[start] & 0xC0 == 0x80 { start += 1 }
        var last = end
        while last > start, self[last - 1] & 0xC0 == 0x80 { last -= 1 }
        if last > start, self[last - 1] >= 0xC0, end - last + 1 < self[last - 1].scalarLength { end = last - 1 }
        return start..<end
    }
}

extension UInt8 {
    /// The length in bytes of the scalar that begins with this byte.
    fileprivate var scalarLength: Int { self < 0x80 ? 1 : self < 0xE0 ? 2 : self < 0xF0 ? 3 : 4 }
}
