import TextPrimitives

/// Lays out a document block by block.
///
/// The open containers form a stack. Each provides the prefix of the lines in it: first its marker (a bullet), and then
/// its continuation (a quote's bar, spaces).
struct PreviewBuilder {
    /// An open container.
    struct Frame {
        let block: Int32
        var marker: [PreviewLayout.Run]?
        let rest: [PreviewLayout.Run]
        /// The width in cells of its marker and of the markers of all containers around it.
        let indentation: Int
        /// Whether blank lines separate the blocks in it.
        let isLoose: Bool
        var hasContent = false
        /// Whether the current block is the first in it.
        var isFirst = false
        /// For a list, the number of items opened so far.
        var itemCount = 0
    }

    /// The width, the characters and the pictures that the layout is made for.
    struct Look {
        let columns: Int
        let glyphs: PreviewGlyphs
        let cellWidth: CellWidth
        /// Whether a table or a block of code may be wider than `columns`.
        let scrolls: Bool
        let room: PreviewLayout.PictureRoom?
        let image: (String) -> PreviewLayout.ImageDescription?
    }

    let document: MarkdownDocument
    let look: Look
    private(set) var pictures: [PreviewLayout.Picture] = []
    var lines = PreviewLayout.Lines()
    /// The index of the first footnote line.
    private(set) var footnoteStart = 0
    let links: [MarkdownLink]
    /// The byte offset at which each line of the source starts.
    private let lineStarts: ContiguousArray<Int32>
    /// Whether the next line with words is the first of a block, so that its source offset is the start of its source
    /// line.
    private var isAtBlockStart = false
    /// Whether the last line is the rule under a heading, which sets its text apart as a blank line would.
    private var endsWithRule = false
    /// The width in cells of the widest line of a wide table or block of code.
    private(set) var widest = 0
    /// The index of the next of `links`, which are in the order of the text.
    var nextLink = 0
    /// The numbers of footnotes by block, in the order in which they are first referenced.
    private(set) var footnoteNumbers: [Int32: Int] = [:]
    var footnoteOrder: [Int32] = []
    var frames: [Frame] = []
    /// The indices of the `frames` that show a prefix: no more than fit, however deeply a text nests.
    var shownFrames: [Int] = []
    private var listDepth = 0

    init(_ document: MarkdownDocument, source: String, for look: Look) {
        self.document = document
        self.look = look
        links = document.links(in: source)
        lineStarts = Self.lineStarts(of: source)
    }

    private static func lineStarts(of source: String) -> ContiguousArray<Int32> {
        var source = source
        return source.withUTF8 { bytes in
            var starts: ContiguousArray<Int32> = []
            var lines = LineSplitter(bytes)
            while let line = lines.next() { starts.append(Int32(line.lowerBound)) }
            return starts
        }
    }

    mutating func build() {
        numberFootnotes()
        document.content.withUnsafeBufferPointer { content in
            build(1..<document.blocks.count, under: 0, content)
            footnoteStart = lines.count
            buildFootnotes(content)
        }
    }

    private mutating func numberFootnotes() {
        document.forEachInline { node in
            if node.kind == .footnoteReference, footnoteNumbers[node.target] == nil {
                footnoteOrder.append(node.target)
                footnoteNumbers[node.target] = footnoteOrder.count
            }
        }
    }

    mutating func build(_ range: Range<Int>, under root: Int32, _ content: Bytes) {
        let base = frames.count
        frames.append(Frame(block: root, marker: nil, rest: [], indentation: indentation, isLoose: true))
        var index = range.lowerBound
        while index < range.upperBound {
            let block = document.blocks[index]
            while frames.count > base + 1, frames[frames.count - 1].block != block.parent { close() }
            switch block.kind {
            case .footnote: index = document.subtreeEnd(index)
            case .quote, .list, .item:
                open(block, index)
                index += 1
            case .table:
                separate(block)
                buildTable(index, content)
                index = document.subtreeEnd(index)
            default:
                buildLeaf(block, content)
                index += 1
            }
        }
        while frames.count > base { close() }
    }

    // MARK: Containers

    private mutating func open(_ block: BlockNode, _ index: Int) {
        if block.kind == .list { listDepth += 1 }
        // There is no blank line before an item that follows another in a tight list.
        separate(block)
        let marker = block.kind == .item ? itemMarker(block) : nil
        if block.kind == .item { frames[frames.count - 1].itemCount += 1 }
        let width =
            marker.map { $0.reduce(0) { $0 + look.cellWidth.cells(of: $1.text) } } ?? (block.kind == .quote ? 2 : 0)
        // If nesting leaves less than half of the width, deeper containers are not indented further.
        let fits = indentation + width <= look.columns / 2
        let rest: [PreviewLayout.Run] =
            block.kind == .quote
            ? [PreviewLayout.Run(look.glyphs.quoteBar + " ", [.quote, .marker])]
            : width > 0 ? [PreviewLayout.Run(String(repeating: " ", count: width), [])] : []
        let isLoose = block.kind == .list ? block.flag : block.kind == .item ? isLooseItem(block) : true
        if fits, width > 0 { shownFrames.append(frames.count) }
        frames.append(
            Frame(
                block: Int32(index), marker: fits ? marker : nil, rest: fits ? rest : [],
                indentation: indentation + (fits ? width : 0),
                isLoose: isLoose))
    }

    private func isLooseItem(_ block: BlockNode) -> Bool { document.blocks[Int(block.parent)].flag }

    private mutating func close() {
        let frame = frames.removeLast()
        if shownFrames.last == frames.count { shownFrames.removeLast() }
        if document.blocks[Int(frame.block)].kind == .list { listDepth -= 1 }
        // An item without content still needs a line for its marker.
        if let marker = frame.marker {
            var line = PreviewLayout.Line(sourceLine: Int(document.blocks[Int(frame.block)].firstLine))
            line.runs = shownFrames.flatMap { frames[$0].rest } + marker
            line.sourceOffset = lineStart(line.sourceLine)
            lines.append(line)
        }
    }

    private func itemMarker(_ block: BlockNode) -> [PreviewLayout.Run] {
        let list = document.blocks[Int(block.parent)]
        if block.detail == BlockNode.Task.open {
            return [PreviewLayout.Run(look.glyphs.openTask + " ", [.task, .listMarker])]
        }
        if block.detail == BlockNode.Task.done {
            return [PreviewLayout.Run(look.glyphs.doneTask + " ", [.task, .listMarker])]
        }
        guard list.isOrdered else {
            let bullet = look.glyphs.bullets[min(listDepth - 1, look.glyphs.bullets.count - 1)]
            return [PreviewLayout.Run(bullet + " ", .listMarker)]
        }
        let mark = list.mark == Byte.closeParen ? ")" : "."
        // Items count up from the list's first number, whatever numbers they have in the source.
        let ordinal = Int(list.number) + frames[frames.count - 1].itemCount
        return [PreviewLayout.Run("\(ordinal)\(mark) ", .listMarker)]
    }

    /// Emits a blank line before a block that is not the first of its container.
    private mutating func separate(_ block: BlockNode) {
        let last = frames.count - 1
        let parent = document.blocks[Int(block.parent)]
        let isApart = endsWithRule && block.kind != .heading || block.isEntry && block.detail != BlockNode.Entry.term
        endsWithRule = false
        if frames[last].hasContent, !isApart, frames[last].isLoose || (parent.kind == .item && block.kind == .code) {
            emit(PreviewLayout.Line(sourceLine: Int(block.firstLine)))
        }
        frames[last].isFirst = !frames[last].hasContent
        frames[last].hasContent = true
        isAtBlockStart = true
    }

    /// The byte offset at which a line of the source starts.
    func lineStart(_ line: Int) -> Int { line < lineStarts.count ? Int(lineStarts[line]) : 0 }

    // MARK: Lines

    /// The number of cells left beside the markers of the open containers.
    var availableColumns: Int { max(look.columns - indentation, 1) }

    private var indentation: Int { frames.last?.indentation ?? 0 }

    /// Adds a picture that starts at the last `labelRows` lines, which hold its label, and emits empty lines for the
    /// rest of its height.
    ///
    /// - Parameter link: The index of the link that its lines open.
    mutating func addPicture(
        for destination: String, cells: (columns: Int, rows: Int), labelRows: Int, link: Int?, source: Int
    ) {
        pictures.append(
            PreviewLayout.Picture(
                destination: destination, line: lines.count - labelRows, rows: cells.rows, column: indentation,
                columns: cells.columns, labelRows: labelRows, link: link))
        for _ in min(labelRows, cells.rows)..<cells.rows {
            var line = PreviewLayout.Line(sourceLine: source)
            line.runs = [PreviewLayout.Run(String(repeating: " ", count: cells.columns), [], link: link)]
            emit(line)
        }
    }

    /// Adds a line with the prefixes of the open containers.
    mutating func emit(_ line: PreviewLayout.Line) {
        var line = line
        if line.isWide {
            widest = max(widest, indentation + line.runs.reduce(0) { $0 + look.cellWidth.cells(of: $1.text) })
        }
        var prefix: [PreviewLayout.Run] = []
        let isBlank = line.runs.isEmpty
        for index in shownFrames {
            if !isBlank, let marker = frames[index].marker {
                prefix += marker
                frames[index].marker = nil
            } else {
                prefix += frames[index].rest
            }
        }
        line.runs = prefix + line.runs
        if isAtBlockStart, line.sourceOffset != nil {
            line.sourceOffset = lineStart(line.sourceLine)
            isAtBlockStart = false
        }
        lines.append(line)
    }

    // MARK: Leaves

    private mutating func buildLeaf(_ block: BlockNode, _ content: Bytes) {
        switch block.kind {
        case .paragraph:
            separate(block)
            buildParagraph(block, content)
        case .heading:
            separate(block)
            buildHeading(block, content)
        case .code:
            separate(block)
            buildCode(block, content)
        case .html:
            separate(block)
            buildLiteral(block, content, .html)
        case .thematicBreak:
            separate(block)
            var line = PreviewLayout.Line(sourceLine: Int(block.firstLine))
            line.runs = [PreviewLayout.Run(String(repeating: look.glyphs.horizontal, count: availableColumns), .rule)]
            line.sourceOffset = lineStart(line.sourceLine)
            emit(line)
        default: break
        }
    }

    /// Builds a heading so that its level is visible without colours: by the rule under it, or by the mark before it.
    private mutating func buildHeading(_ block: BlockNode, _ content: Bytes) {
        let level = min(max(Int(block.detail), 1), 6)
        let mark = look.glyphs.headingMarks[level - 1]
        let markWidth = look.cellWidth.cells(of: mark)
        let margin = markWidth * 2 > availableColumns ? 0 : markWidth
        var (widest, source, isFirst) = (0, Int(block.firstLine), true)
        WordWrapper(atoms(of: block, content, base: .heading(level)), look.cellWidth)
            .forEachLine(columns: availableColumns - margin) { line in
                var line = line
                line.background = .heading(level)
                widest = max(widest, look.cellWidth.cells(of: line.text))
                source = line.sourceLine
                if margin > 0 {
                    let text = isFirst ? mark : String(repeating: " ", count: margin)
                    line.runs.insert(PreviewLayout.Run(text, [.heading(level), .marker]), at: 0)
                }
                isFirst = false
                emit(line)
            }
        guard !isFirst, level <= look.glyphs.headingRules.count else { return }
        // Its source line is after the heading's, because lines are searched for by their order in the source.
        var rule = PreviewLayout.Line(sourceLine: source + 1)
        let columns = min(max(widest, 3), availableColumns)
        rule.runs = [PreviewLayout.Run(String(repeating: look.glyphs.headingRules[level - 1], count: columns), .rule)]
        emit(rule)
        endsWithRule = true
    }

    /// Builds a term, which is highlighted, or a definition, which is indented under it.
    private mutating func buildEntry(_ block: BlockNode, _ content: Bytes) {
        let isTerm = block.detail == BlockNode.Entry.term
        let indent = isTerm ? 0 : min(2, availableColumns - 1)
        let atoms = atoms(of: block, content, base: isTerm ? .strong : [])
        WordWrapper(atoms, look.cellWidth).forEachLine(columns: availableColumns - indent) { line in
            var line = line
            if indent > 0 { line.runs.insert(PreviewLayout.Run(String(repeating: " ", count: indent), []), at: 0) }
            emit(line)
        }
    }

    private mutating func buildParagraph(_ block: BlockNode, _ content: Bytes) {
        if block.isEntry { return buildEntry(block, content) }
        let parts = parts(of: block)
        // The first line of a callout names its kind.
        let mayBeCallout = document.blocks[Int(block.parent)].kind == .quote && frames.last?.isFirst == true
        guard parts.contains(where: { $0.image != nil }), parts.count == 1 || !mayBeCallout else {
            return buildText(block, content)
        }
        for part in parts {
            if let image = part.image {
                buildImage(image, line: part.line, content)
            } else {
                let atoms = atoms(in: part, content, base: base(of: block))
                WordWrapper(atoms, look.cellWidth).forEachLine(columns: availableColumns) { emit($0) }
            }
        }
    }

    /// The kind that all text of a paragraph has: the text of a done task is set apart, and its box is not.
    private func base(of block: BlockNode) -> SpanKind {
        let item = document.blocks[Int(block.parent)]
        return item.kind == .item && item.detail == BlockNode.Task.done ? .done : []
    }

    private mutating func buildText(_ block: BlockNode, _ content: Bytes) {
        var atoms = atoms(of: block, content, base: base(of: block))
        if document.blocks[Int(block.parent)].kind == .quote, frames.last?.isFirst == true,
            let callout = Callout(takingHeadFrom: &atoms, firstLine: Int(block.firstLine))
        {
            WordWrapper(callout.head, look.cellWidth).forEachLine(columns: availableColumns) { emit($0) }
            guard !atoms.isEmpty else { return }
        }
        WordWrapper(atoms, look.cellWidth).forEachLine(columns: availableColumns) { emit($0) }
    }

    private mutating func buildLiteral(_ block: BlockNode, _ content: Bytes, _ kind: SpanKind) {
        var source = Int(block.firstLine)
        var start = Int(block.start)
        while start < Int(block.end) {
            let end = content.firstOffset(of: Byte.newline, from: start, to: Int(block.end)) ?? Int(block.end)
            let text = Self.expandingTabs(String(decoding: content[start..<end], as: UTF8.self))
            let position = document.sourceOffset(start)
            let atom = PreviewAtom(
                text: text, kind: kind, sourceLine: source, source: position..<position + end - start)
            emitLiteral(WordWrapper([atom], look.cellWidth), source, kind)
            start = end + 1
            source += 1
        }
    }

    /// Adds a line of code, broken at the available width unless it is wide.
    mutating func emitLiteral(_ wrapper: WordWrapper, _ source: Int, _ background: SpanKind, isWide: Bool = false) {
        isAtBlockStart = true
        if wrapper.isEmpty {
            let empty = PreviewLayout.Line(sourceLine: source, sourceOffset: lineStart(source))
            emit(literal: empty, background, isWide: isWide)
        }
        let columns = isWide ? max(availableColumns, wrapper.naturalWidth) : availableColumns
        wrapper.forEachLine(columns: columns) { emit(literal: $0, background, isWide: isWide) }
    }

    private mutating func emit(literal piece: PreviewLayout.Line, _ background: SpanKind, isWide: Bool) {
        var piece = piece
        piece.isWide = isWide
        piece.background = background
        if piece.runs.isEmpty { piece.runs = [PreviewLayout.Run("", background)] }
        emit(piece)
    }

    static func expandingTabs(_ text: String) -> String {
        text.contains("\t")
            ? text.split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ") : text
    }
}
