import TextPrimitives

/// Finds the block structure line by line: classifies a line, given the blocks that the lines before it left open.
///
/// The algorithm is that of the specification's appendix. (1) Go through the open containers as long as the line
/// continues them. (2) Look for starts of new blocks in the remainder of the line. (3) What then remains is text, which
/// a paragraph may claim lazily even if not all its containers were continued. The state between two lines is a small
/// value, so reading can start at any line and stop where states agree.
struct BlockScanner {
    /// The nesting depth below which items and footnotes can be opened, a limit chosen here; cmark-gfm opens at most
    /// 100 in a line.
    ///
    /// A blank line goes through all open containers. Without a limit, a text with many of them and many blank lines
    /// would cost more than linear time.
    static let maximumItemDepth = 255

    let options: MarkdownOptions
    var state = BlockState()
    var line = ScannedLine()

    /// Whether the line is the first of its text, where a byte order mark is not part of the text.
    var startsText = false

    // The position in the line.
    var position = 0
    var column = 0
    var isInsideTab = false
    var nonspace = 0
    var nonspaceColumn = 0
    var isNonspaceKnown = false
    /// Whether this line opened a container.
    var hasOpened = false
    /// The offset before which no thematic break can start; keeps `- - - - x` linear.
    var breakFailure = 0

    init(_ options: MarkdownOptions) {
        self.options = options
    }

    var indent: Int { nonspaceColumn - column }

    /// Scans `bytes`, a line without its terminator; sets `line` to the result and `state` to the state after it.
    mutating func scan<Context: ParagraphContext>(_ bytes: Bytes, _ context: inout Context) {
        start()
        if startsText, bytes.startsWithMark { position = Bytes.markLength }
        if state.leaf.kind == .frontMatter { return scanFrontMatter(bytes) }
        matchContainers(bytes)
        findNonspace(bytes)
        let allMatched = line.matched == state.containers.count
        if allMatched, continueLeaf(bytes) { return }
        openBlocks(bytes, allMatched: allMatched, &context)
    }

    mutating func start() {
        position = 0
        column = 0
        isInsideTab = false
        isNonspaceKnown = false
        hasOpened = false
        breakFailure = 0
        line.markers.removeAll(keepingCapacity: true)
        line.matched = 0
        line.isLazy = false
        line.padding = 0
        line.level = 0
        line.endsBlock = false
        line.continuesLeaf = false
        line.isDefinition = false
    }

    mutating func scanFrontMatter(_ bytes: Bytes) {
        let isFence = FrontMatter.isClosingFence(bytes)
        finish(isFence ? .frontMatterFence : .frontMatter, 0, bytes.count)
        if isFence { state.leaf = .none }
    }

    /// Reads the first line of a text as the opening fence of front matter.
    mutating func openFrontMatter(_ bytes: Bytes) {
        start()
        state.leaf = Leaf(kind: .frontMatter)
        finish(.frontMatterFence, 0, bytes.count)
    }

    mutating func finish(_ kind: LineKind, _ start: Int, _ end: Int) {
        line.kind = kind
        line.start = start
        line.end = end
    }

    // MARK: Position in the line

    mutating func findNonspace(_ bytes: Bytes) {
        if isNonspaceKnown, nonspace >= position { return }
        nonspace = position
        nonspaceColumn = column
        while nonspace < bytes.count {
            if bytes[nonspace] == Byte.space {
                nonspaceColumn += 1
            } else if bytes[nonspace] == Byte.tab {
                nonspaceColumn += 4 - nonspaceColumn & 3
            } else {
                break
            }
            nonspace += 1
        }
        isNonspaceKnown = true
    }

    func isBlank(_ bytes: Bytes) -> Bool { nonspace >= bytes.count }

    mutating func advance(_ bytes: Bytes, columns: Int) {
        var left = columns
        while left > 0, position < bytes.count {
            guard bytes[position] == Byte.tab else {
                position += 1
                column += 1
                left -= 1
                continue
            }
            let width = 4 - column & 3
            column += min(width, left)
            isInsideTab = width > left
            if !isInsideTab { position += 1 }
            left -= width
        }
    }

    mutating func advanceToNonspace() {
        position = nonspace
        column = nonspaceColumn
        isInsideTab = false
    }

    // MARK: 1. Open containers

    mutating func matchContainers(_ bytes: Bytes) {
        let count = state.containers.count
        while line.matched < count {
            let container = state.containers[line.matched]
            findNonspace(bytes)
            if container.kind == .quote {
                guard indent < 4, !isBlank(bytes), bytes[nonspace] == Byte.greater else { return }
                consumeQuoteMarker(bytes, opens: false)
            } else if indent >= Int(container.indent) {
                advance(bytes, columns: Int(container.indent))
            } else if isBlank(bytes), container.hasContent {
                advanceToNonspace()
            } else {
                return
            }
            line.matched += 1
        }
    }

    mutating func consumeQuoteMarker(_ bytes: Bytes, opens: Bool) {
        advanceToNonspace()
        let start = position
        position += 1
        column += 1
        if position < bytes.count, bytes[position].isBlank { advance(bytes, columns: 1) }
        line.markers.append(ContainerMarker(kind: .quote, start: start, end: start + 1, opens: opens))
    }
}
