/// A piece of a document's content and where in the source it comes from; both offsets in bytes.
struct SourceSegment: Sendable {
    var content: Int32
    var source: Int32

    /// The byte of the source that byte `offset` of the content comes from.
    static func source(of offset: Int, in segments: ContiguousArray<SourceSegment>) -> Int {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(segments[middle].content) <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        return Int(segments[low - 1].source) + offset - Int(segments[low - 1].content)
    }
}

/// Puts lines that the scanner read together to a tree of blocks.
struct BlockTree: Sendable {
    var blocks: ContiguousArray<BlockNode> = [BlockNode(.document, parent: -1, line: 0)]
    /// The text of all leaf blocks, one after another, without the markers of their containers.
    var content: ContiguousArray<UInt8> = []
    /// Where the pieces of `content` come from, in ascending order.
    var segments: ContiguousArray<SourceSegment> = []
    var targets: ContiguousArray<LinkTarget> = []
    var references = ReferenceTable()
    /// Labels of footnotes; the value is the index of the block.
    var footnotes = ReferenceTable()

    let options: MarkdownOptions
    /// The open containers' nodes (a list and its item are one container), below them the document.
    private var open: ContiguousArray<Int32> = [0]
    /// The open leaf, or -1.
    private var leaf: Int32 = -1
    /// The line that is being read, and where in the source it starts.
    private var lineNumber: Int32 = 0
    private var lineStart = 0
    private var alignments: [TableAlignment] = []

    init(_ options: MarkdownOptions) {
        self.options = options
    }

    static func read(_ text: Bytes, _ options: MarkdownOptions) -> BlockTree {
        var tree = BlockTree(options)
        var scanner = BlockScanner(options)
        tree.content.reserveCapacity(text.count + 1024)
        var lines = LineSplitter(text)
        var isFrontMatter = options.contains(.frontMatter) && FrontMatter.lineCount(text) > 0
        while let range = lines.next() {
            let bytes = Bytes(rebasing: text[range])
            tree.lineStart = range.lowerBound
            if isFrontMatter {
                scanner.openFrontMatter(bytes)
                isFrontMatter = false
            } else {
                scanner.scan(bytes, &tree)
            }
            tree.take(scanner.line, bytes)
            tree.lineNumber += 1
        }
        tree.closeLeaf()
        tree.closeContainers(to: 1)
        return tree
    }

    // MARK: A line

    private mutating func take(_ line: ScannedLine, _ bytes: Bytes) {
        switch line.kind {
        case .continuation: return appendLine(line, bytes)
        case .fencedCode, .html, .tableRow, .frontMatter: break
        case .setextUnderline: return closeAsHeading(level: line.level)
        case .tableDelimiter: return openTable(bytes, from: line.start)
        case .fenceClosing: return closeLeafAtLine()
        case .frontMatterFence where leaf >= 0: return closeLeafAtLine()
        case .indentedCode where line.continuesLeaf: break
        default:
            closeLeaf()
            closeContainers(to: line.matched + 1)
            for marker in line.markers where marker.opens { openContainer(marker, bytes) }
            if line.kind == .blank, !line.markers.isEmpty { extendQuote() }
        }
        addLeafLine(line, bytes)
    }

    /// A line with nothing but `>` belongs to its quote.
    private mutating func extendQuote() {
        guard let quote = open.last(where: { blocks[Int($0)].kind == .quote }) else { return }
        blocks[Int(quote)].lastLine = lineNumber
    }

    private mutating func addLeafLine(_ line: ScannedLine, _ bytes: Bytes) {
        switch line.kind {
        case .paragraph: openParagraph(line, bytes)
        case .atxHeading: addHeading(line, bytes)
        case .thematicBreak: addBlock(.thematicBreak)
        case .fenceOpening: openFence(line, bytes)
        case .indentedCode:
            if leaf < 0 { openLeaf(.code) }
            appendLine(line, bytes)
        case .htmlOpening:
            openLeaf(.html)
            appendLine(line, bytes)
        case .frontMatterFence: openLeaf(.frontMatter)
        case .tableRow: addRow(bytes, line.start..<line.end, isHeader: false)
        case .fencedCode, .html, .frontMatter: appendLine(line, bytes)
        default: break
        }
        if line.endsBlock { closeLeafAtLine() }
    }

    /// Adds the line's content, and its end, to the open leaf.
    private mutating func appendLine(_ line: ScannedLine, _ bytes: Bytes) {
        for _ in 0..<line.padding { appendSource([Byte.space], at: line.start) }
        appendContent(bytes, line.start..<line.end)
        content.append(Byte.newline)
        blocks[Int(leaf)].end = Int32(content.count)
        blocks[Int(leaf)].lastLine = lineNumber
    }

    private mutating func appendSource(_ bytes: [UInt8], at offset: Int) {
        segments.append(SourceSegment(content: Int32(content.count), source: Int32(lineStart + offset)))
        content.append(contentsOf: bytes)
    }

    private mutating func appendContent(_ bytes: Bytes, _ range: Range<Int>) {
        segments.append(SourceSegment(content: Int32(content.count), source: Int32(lineStart + range.lowerBound)))
        content.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[range]))
    }

    // MARK: Nodes

    @discardableResult
    private mutating func addBlock(_ kind: BlockNode.Kind) -> Int32 {
        let parent = open[open.count - 1]
        let index = Int32(blocks.count)
        noteGap(before: blocks[Int(parent)].lastChild, in: parent)
        blocks.append(BlockNode(kind, parent: parent, line: lineNumber))
        blocks[Int(index)].start = Int32(content.count)
        blocks[Int(index)].end = Int32(content.count)
        blocks[Int(parent)].lastChild = index
        return index
    }

    /// Blank lines between two parts of an item make its list loose.
    private mutating func noteGap(before sibling: Int32, in parent: Int32) {
        guard sibling >= 0, blocks[Int(parent)].kind == .item, lineNumber > blocks[Int(sibling)].lastLine + 1 else {
            return
        }
        blocks[Int(blocks[Int(parent)].parent)].flag = true
    }

    private mutating func openLeaf(_ kind: BlockNode.Kind) {
        leaf = addBlock(kind)
    }

    private mutating func closeContainers(to count: Int) {
        while open.count > count {
            let index = Int(open.removeLast())
            closeSpan(index)
            if blocks[index].kind == .item { closeSpan(Int(blocks[index].parent)) }
        }
    }

    /// A container ends where its last child ends.
    private mutating func closeSpan(_ index: Int) {
        let last = blocks[index].lastChild
        if last >= 0 { blocks[index].lastLine = max(blocks[index].lastLine, blocks[Int(last)].lastLine) }
    }

    private mutating func openContainer(_ marker: ContainerMarker, _ bytes: Bytes) {
        switch marker.kind {
        case .quote: open.append(addBlock(.quote))
        case .footnote:
            let index = addBlock(.footnote)
            let label = marker.start + 2..<marker.end - 2
            setInfo(of: index, bytes, label)
            footnotes.define(bytes.slice(label.lowerBound, label.upperBound), as: index)
            open.append(index)
        case .item: openItem(marker)
        }
    }

    private mutating func setInfo(of index: Int32, _ bytes: Bytes, _ range: Range<Int>) {
        blocks[Int(index)].infoStart = Int32(content.count)
        appendContent(bytes, range)
        blocks[Int(index)].infoEnd = Int32(content.count)
        blocks[Int(index)].start = Int32(content.count)
        blocks[Int(index)].end = Int32(content.count)
    }

    private mutating func openItem(_ marker: ContainerMarker) {
        let parent = open[open.count - 1]
        let previous = blocks[Int(parent)].lastChild
        let list: Int32
        if previous >= 0, blocks[Int(previous)].kind == .list, blocks[Int(previous)].mark == marker.mark,
            blocks[Int(previous)].isOrdered == marker.isOrdered
        {
            list = previous
            if lineNumber > blocks[Int(list)].lastLine + 1 { blocks[Int(list)].flag = true }
        } else {
            list = addBlock(.list)
            blocks[Int(list)].mark = marker.mark
            blocks[Int(list)].isOrdered = marker.isOrdered
            blocks[Int(list)].number = Int32(marker.number)
        }
        open.append(list)
        let item = addBlock(.item)
        blocks[Int(item)].number = Int32(marker.number)
        open[open.count - 1] = item
    }

    // MARK: Leaves

    private mutating func openParagraph(_ line: ScannedLine, _ bytes: Bytes) {
        var line = line
        let parent = Int(open[open.count - 1])
        if options.contains(.taskItems), blocks[parent].kind == .item, blocks[parent].lastChild < 0,
            blocks[parent].firstLine == lineNumber,
            let task = TaskBox(bytes, at: line.start)
        {
            blocks[parent].detail = task.isDone ? BlockNode.Task.done : BlockNode.Task.open
            line.start = LinkParts.skipBlanks(bytes, from: task.end, to: bytes.count)
        }
        openLeaf(.paragraph)
        appendLine(line, bytes)
    }

    private mutating func addHeading(_ line: ScannedLine, _ bytes: Bytes) {
        openLeaf(.heading)
        blocks[Int(leaf)].detail = UInt8(line.level)
        appendLine(line, bytes)
        blocks[Int(leaf)].end -= 1
        leaf = -1
    }

    private mutating func openFence(_ line: ScannedLine, _ bytes: Bytes) {
        openLeaf(.code)
        blocks[Int(leaf)].flag = true
        setInfo(of: leaf, bytes, line.start..<line.end)
    }

    private mutating func closeAsHeading(level: Int) {
        let index = Int(leaf)
        closeLeaf()
        blocks[index].kind = .heading
        blocks[index].detail = UInt8(level)
        blocks[index].lastLine = lineNumber
    }

    private mutating func closeLeafAtLine() {
        guard leaf >= 0 else { return }
        blocks[Int(leaf)].lastLine = lineNumber
        closeLeaf()
    }

    private mutating func closeLeaf() {
        guard leaf >= 0 else { return }
        let index = Int(leaf)
        leaf = -1
        switch blocks[index].kind {
        case .paragraph: closeParagraph(index)
        case .code where !blocks[index].flag: trimIndentedCode(index)
        default: break
        }
    }

    private mutating func closeParagraph(_ index: Int) {
        if content[Int(blocks[index].start)] == Byte.openBracket { takeDefinitions(index) }
        var end = Int(blocks[index].end)
        while end > Int(blocks[index].start), content[end - 1].isSpace { end -= 1 }
        blocks[index].end = Int32(end)
    }

    /// Takes link reference definitions off the start of a paragraph.
    private mutating func takeDefinitions(_ index: Int) {
        var start = Int(blocks[index].start)
        let end = Int(blocks[index].end)
        content.withUnsafeBufferPointer { bytes in
            while let definition = LinkDefinition(bytes, from: start, to: end) {
                references.define(
                    bytes.slice(definition.label.lowerBound, definition.label.upperBound), as: Int32(targets.count))
                targets.append(LinkTarget(destination: definition.destination, title: definition.title))
                start = definition.end
            }
        }
        blocks[index].start = Int32(start)
        if start == end { blocks[index].kind = .definitions }
    }

    /// Blank lines at the end do not belong to indented code.
    private mutating func trimIndentedCode(_ index: Int) {
        var end = Int(blocks[index].end)
        var blankLines = -1
        while end > Int(blocks[index].start), content[end - 1].isSpace {
            if content[end - 1] == Byte.newline { blankLines += 1 }
            end -= 1
        }
        while end < Int(blocks[index].end), content[end] != Byte.newline { end += 1 }
        blocks[index].end = Int32(min(end + 1, Int(blocks[index].end)))
        blocks[index].lastLine -= Int32(max(blankLines, 0))
    }

    // MARK: Tables

    private mutating func openTable(_ delimiters: Bytes, from start: Int) {
        alignments = TableRows.alignments(delimiters, from: start) ?? []
        let paragraph = Int(leaf)
        let range = lastParagraphLine
        if range.lowerBound == Int(blocks[paragraph].start) {
            blocks[paragraph].kind = .table
        } else {
            // The lines before the header stay a paragraph.
            blocks[paragraph].end = Int32(range.lowerBound)
            blocks[paragraph].lastLine = lineNumber - 2
            closeLeaf()
            leaf = addBlock(.table)
            blocks[Int(leaf)].firstLine = lineNumber - 1
        }
        addCells(range, isHeader: true)
        blocks[Int(leaf)].lastLine = lineNumber
    }

    private mutating func addRow(_ bytes: Bytes, _ range: Range<Int>, isHeader: Bool) {
        let start = content.count
        appendContent(bytes, range)
        content.append(Byte.newline)
        addCells(start..<content.count - 1, isHeader: isHeader)
        blocks[Int(leaf)].lastLine = lineNumber
    }

    /// Adds a row whose text is already content: as many cells as the header has.
    private mutating func addCells(_ range: Range<Int>, isHeader: Bool) {
        open.append(leaf)
        let row = addBlock(.tableRow)
        open[open.count - 1] = row
        blocks[Int(row)].flag = isHeader
        var cells: [Range<Int>] = []
        content.withUnsafeBufferPointer {
            TableRows.forEachCell($0, from: range.lowerBound, to: range.upperBound) { cells.append($0) }
        }
        for column in alignments.indices {
            let cell = Int(addBlock(.tableCell))
            let text = column < cells.count ? unescapingPipes(cells[column]) : range.upperBound..<range.upperBound
            blocks[cell].start = Int32(text.lowerBound)
            blocks[cell].end = Int32(text.upperBound)
            blocks[cell].detail = alignments[column].rawValue
            blocks[cell].flag = isHeader
        }
        open.removeLast()
    }

    /// The cell's text with `\\|` as `|`, which holds inside code too; a copy at the end of the content, if need be.
    private mutating func unescapingPipes(_ range: Range<Int>) -> Range<Int> {
        var escapes: [Int] = []
        for offset in range.dropLast() where content[offset] == Byte.backslash && content[offset + 1] == Byte.pipe {
            escapes.append(offset)
        }
        guard !escapes.isEmpty else { return range }
        let start = content.count
        var from = range.lowerBound
        for end in escapes + [range.upperBound] {
            let source = SourceSegment.source(of: from, in: segments)
            segments.append(SourceSegment(content: Int32(content.count), source: Int32(source)))
            content.append(contentsOf: content[from..<end])
            from = end + 1
        }
        return start..<content.count
    }

    private var lastParagraphLine: Range<Int> {
        let start = Int(blocks[Int(leaf)].start)
        let end = Int(blocks[Int(leaf)].end) - 1
        var lineStart = end
        while lineStart > start, content[lineStart - 1] != Byte.newline { lineStart -= 1 }
        return lineStart..<end
    }
}

extension BlockTree: ParagraphContext {
    mutating func paragraphOnlyDefines() -> Bool {
        var start = Int(blocks[Int(leaf)].start)
        let end = Int(blocks[Int(leaf)].end)
        return content.withUnsafeBufferPointer { bytes in
            while let definition = LinkDefinition(bytes, from: start, to: end) { start = definition.end }
            return start == end
        }
    }

    mutating func lastLineCellCount() -> Int {
        let line = lastParagraphLine
        return content.withUnsafeBufferPointer { TableRows.cellCount($0, from: line.lowerBound, to: line.upperBound) }
    }
}

/// `[ ]` or `[x]` at the start of an item.
struct TaskBox {
    let isDone: Bool
    /// Just after the `]`.
    let end: Int

    init?(_ bytes: Bytes, at start: Int) {
        guard start + 2 < bytes.count, bytes[start] == Byte.openBracket, bytes[start + 2] == Byte.closeBracket,
            start + 3 < bytes.count, bytes[start + 3].isBlank
        else { return nil }
        switch bytes[start + 1] {
        case Byte.space: isDone = false
        case Byte.lowerX, Byte.upperX: isDone = true
        default: return nil
        }
        end = start + 3
    }
}
