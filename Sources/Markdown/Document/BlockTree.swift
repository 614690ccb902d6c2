import TextPrimitives

/// Builds a tree of blocks from the lines that the scanner has read.
struct BlockTree: Sendable {
    var blocks: ContiguousArray<BlockNode> = [BlockNode(.document, parent: -1, line: 0)]
    /// The text of all leaf blocks, one after another, without the markers of their containers.
    var content: ContiguousArray<UInt8> = []
    /// The source offsets of the pieces of `content`, in ascending order.
    var segments: ContiguousArray<SourceSegment> = []
    var targets: ContiguousArray<LinkTarget> = []
    var references = ReferenceTable()
    /// The labels of footnotes, each with the index of its block.
    var footnotes = ReferenceTable()

    let options: MarkdownOptions
    /// The nodes of the open containers (a list and its item count as one), starting with the document.
    var open: ContiguousArray<Int32> = [0]
    /// The index of the open leaf, or -1.
    var leaf: Int32 = -1
    /// The numbers of the lines that end at a CR without an LF, in ascending order.
    var returns: ContiguousArray<Int32> = []
    /// The line being read and its byte offset in the source.
    var lineNumber: Int32 = 0
    var lineStart = 0
    var alignments: [TableAlignment] = []
    /// The number of cells missing in rows, compared with the header: in the open table and in all tables.
    var missingCells = 0
    var allMissingCells = 0
    /// The size of the text in bytes.
    var byteCount = 0

    /// The most cells that the rows of a table may lack: the limit of cmark-gfm.
    ///
    /// Without a limit, a text of 18 KB could make millions of cells.
    static let maximumMissingCells = 0x80000

    init(_ options: MarkdownOptions) {
        self.options = options
    }

    static func read(_ text: Bytes, _ options: MarkdownOptions) -> BlockTree {
        var tree = BlockTree(options)
        var scanner = BlockScanner(options)
        tree.content.reserveCapacity(text.count + 1024)
        tree.byteCount = text.count
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
            if lines.endedAtReturn { tree.returns.append(tree.lineNumber) }
            tree.lineNumber += 1
        }
        tree.closeLeaf()
        tree.closeContainers(to: 1)
        return tree
    }

    // MARK: Lines

    mutating func take(_ line: ScannedLine, _ bytes: Bytes) {
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

    /// Extends the innermost open quote to a line that consists only of `>`.
    mutating func extendQuote() {
        guard let quote = open.last(where: { blocks[Int($0)].kind == .quote }) else { return }
        blocks[Int(quote)].lastLine = lineNumber
    }

    mutating func addLeafLine(_ line: ScannedLine, _ bytes: Bytes) {
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

    /// Appends the line's content and a line end to the open leaf.
    mutating func appendLine(_ line: ScannedLine, _ bytes: Bytes) {
        for _ in 0..<line.padding { appendSource([Byte.space], at: line.start) }
        appendContent(bytes, line.start..<line.end)
        content.append(Byte.newline)
        blocks[Int(leaf)].end = Int32(content.count)
        blocks[Int(leaf)].lastLine = lineNumber
    }

    mutating func appendSource(_ bytes: [UInt8], at offset: Int) {
        segments.append(SourceSegment(content: Int32(content.count), source: Int32(lineStart + offset)))
        content.append(contentsOf: bytes)
    }

    mutating func appendContent(_ bytes: Bytes, _ range: Range<Int>) {
        segments.append(SourceSegment(content: Int32(content.count), source: Int32(lineStart + range.lowerBound)))
        content.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[range]))
    }

    // MARK: Nodes

    @discardableResult
    mutating func addBlock(_ kind: BlockNode.Kind) -> Int32 {
        let parent = open[open.count - 1]
        let index = Int32(blocks.count)
        noteGap(before: blocks[Int(parent)].lastChild, in: parent)
        blocks.append(BlockNode(kind, parent: parent, line: lineNumber))
        blocks[Int(index)].start = Int32(content.count)
        blocks[Int(index)].end = Int32(content.count)
        blocks[Int(parent)].lastChild = index
        return index
    }

    /// Makes a list loose if there are blank lines between two parts of its item.
    mutating func noteGap(before sibling: Int32, in parent: Int32) {
        guard sibling >= 0, blocks[Int(parent)].kind == .item, lineNumber > blocks[Int(sibling)].lastLine + 1 else {
            return
        }
        blocks[Int(blocks[Int(parent)].parent)].flag = true
    }

    mutating func openLeaf(_ kind: BlockNode.Kind) {
        leaf = addBlock(kind)
    }

    mutating func closeContainers(to count: Int) {
        while open.count > count {
            let index = Int(open.removeLast())
            closeSpan(index)
            if blocks[index].kind == .item { closeSpan(Int(blocks[index].parent)) }
        }
    }

    /// Extends a container to the end of its last child.
    mutating func closeSpan(_ index: Int) {
        let last = blocks[index].lastChild
        if last >= 0 { blocks[index].lastLine = max(blocks[index].lastLine, blocks[Int(last)].lastLine) }
    }

    mutating func openContainer(_ marker: ContainerMarker, _ bytes: Bytes) {
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

    mutating func setInfo(of index: Int32, _ bytes: Bytes, _ range: Range<Int>) {
        blocks[Int(index)].infoStart = Int32(content.count)
        appendContent(bytes, range)
        blocks[Int(index)].infoEnd = Int32(content.count)
        blocks[Int(index)].start = Int32(content.count)
        blocks[Int(index)].end = Int32(content.count)
    }

    mutating func openItem(_ marker: ContainerMarker) {
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
}
