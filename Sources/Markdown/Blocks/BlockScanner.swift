/// Block structure by line: what a line is, given what the lines before it left open.
///
/// The algorithm is the one of the specification's appendix. (1) Go through the open containers while the line
/// continues them. (2) Look for starts of new blocks in what is left. (3) What is left after that is text, which a
/// paragraph may claim lazily even if its containers were not all continued. The state between two lines is a small
/// value, so reading can start at any line and stop where states agree.
struct BlockScanner {
    /// Items nest no deeper than this, by choice: a blank line goes through all of them, so that without a limit a text
    /// of many items and many blank lines would cost more than linear time.
    static let deepestItem = 255

    let options: MarkdownOptions
    var state = BlockState()
    private(set) var line = ScannedLine()

    // The place in the line.
    private var position = 0
    private var column = 0
    private var isInsideTab = false
    private var nonspace = 0
    private var nonspaceColumn = 0
    private var isNonspaceKnown = false
    /// Whether this line opened a container.
    private var hasOpened = false
    /// A byte before which no thematic break can start; keeps `- - - - x` linear.
    private var breakFailure = 0

    init(_ options: MarkdownOptions) {
        self.options = options
    }

    private var indent: Int { nonspaceColumn - column }

    /// Reads `bytes`, the line without its terminator; the result is `line`, and `state` becomes what is after it.
    mutating func scan<Context: ParagraphContext>(_ bytes: Bytes, _ context: inout Context) {
        start()
        if state.leaf.kind == .frontMatter { return scanFrontMatter(bytes) }
        matchContainers(bytes)
        findNonspace(bytes)
        let allMatched = line.matched == state.containers.count
        if allMatched, continueLeaf(bytes) { return }
        openBlocks(bytes, allMatched: allMatched, &context)
    }

    private mutating func start() {
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
    }

    private mutating func scanFrontMatter(_ bytes: Bytes) {
        let isFence = FrontMatter.isClosingFence(bytes)
        finish(isFence ? .frontMatterFence : .frontMatter, 0, bytes.count)
        if isFence { state.leaf = .none }
    }

    /// Takes the first line of a text as the opening fence of front matter.
    mutating func openFrontMatter(_ bytes: Bytes) {
        start()
        state.leaf = Leaf(kind: .frontMatter)
        finish(.frontMatterFence, 0, bytes.count)
    }

    private mutating func finish(_ kind: LineKind, _ start: Int, _ end: Int) {
        line.kind = kind
        line.start = start
        line.end = end
    }

    // MARK: Place in the line

    private mutating func findNonspace(_ bytes: Bytes) {
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

    private func isBlank(_ bytes: Bytes) -> Bool { nonspace >= bytes.count }

    private mutating func advance(_ bytes: Bytes, columns: Int) {
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

    private mutating func advanceToNonspace() {
        position = nonspace
        column = nonspaceColumn
        isInsideTab = false
    }

    // MARK: 1. Containers that go on

    private mutating func matchContainers(_ bytes: Bytes) {
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

    private mutating func consumeQuoteMarker(_ bytes: Bytes, opens: Bool) {
        advanceToNonspace()
        let start = position
        position += 1
        column += 1
        if position < bytes.count, bytes[position].isBlank { advance(bytes, columns: 1) }
        line.markers.append(ContainerMarker(kind: .quote, start: start, end: start + 1, opens: opens))
    }

    // MARK: Code, HTML and tables that go on

    /// True if the open leaf block took the line as it is.
    private mutating func continueLeaf(_ bytes: Bytes) -> Bool {
        switch state.leaf.kind {
        case .fencedCode: continueFence(bytes)
        case .indentedCode: continueIndentedCode(bytes)
        case .html: line.continuesLeaf = continueHTML(bytes)
        case .none, .paragraph, .table, .frontMatter: return false
        }
        return line.continuesLeaf
    }

    private mutating func continueFence(_ bytes: Bytes) {
        line.continuesLeaf = true
        let leaf = state.leaf
        if indent < 4, !isBlank(bytes), bytes[nonspace] == leaf.mark {
            var end = nonspace
            while end < bytes.count, bytes[end] == leaf.mark { end += 1 }
            let length = end - nonspace
            while end < bytes.count, bytes[end].isBlank { end += 1 }
            if length >= Int(leaf.length), end == bytes.count {
                finish(.fenceClosing, nonspace, nonspace + length)
                state.leaf = .none
                return
            }
        }
        advance(bytes, columns: min(Int(leaf.indent), indent))
        finishCode(.fencedCode, bytes)
    }

    private mutating func finishCode(_ kind: LineKind, _ bytes: Bytes) {
        if isInsideTab {
            line.padding = 4 - column & 3
            position += 1
        }
        finish(kind, position, bytes.count)
    }

    private mutating func continueIndentedCode(_ bytes: Bytes) {
        guard indent >= 4 || isBlank(bytes) else { return }
        line.continuesLeaf = true
        advance(bytes, columns: min(4, indent))
        finishCode(.indentedCode, bytes)
    }

    private mutating func continueHTML(_ bytes: Bytes) -> Bool {
        let kind = HTMLBlockKind(rawValue: state.leaf.mark) ?? .none
        if kind.endsBeforeBlankLine, isBlank(bytes) { return false }
        finishHTML(.html, kind, bytes)
        return true
    }

    private mutating func finishHTML(_ lineKind: LineKind, _ kind: HTMLBlockKind, _ bytes: Bytes) {
        finishCode(lineKind, bytes)
        line.endsBlock = kind.isEnd(in: bytes, from: min(nonspace, bytes.count))
        state.leaf = line.endsBlock ? .none : Leaf(kind: .html, mark: kind.rawValue)
    }

    // MARK: 2. Blocks that start

    private mutating func openBlocks<Context: ParagraphContext>(
        _ bytes: Bytes, allMatched: Bool, _ context: inout Context
    ) {
        let leaf = state.leaf
        let hadParagraph = leaf.kind == .paragraph
        var inParagraph = hadParagraph && allMatched
        var mayBeLazy = hadParagraph
        while !isBlank(bytes) {
            if indent >= 4 {
                if mayBeLazy { break }
                closeUnmatched()
                advance(bytes, columns: 4)
                state.leaf = Leaf(kind: .indentedCode)
                return finishCode(.indentedCode, bytes)
            }
            let first = bytes[nonspace]
            if openContainer(bytes, first, interrupting: inParagraph) {
                inParagraph = false
                mayBeLazy = false
                findNonspace(bytes)
                continue
            }
            if openLeaf(bytes, first, inParagraph: inParagraph, mayBeLazy: mayBeLazy, &context) { return }
            break
        }
        scanText(bytes, leaf: leaf, inParagraph: inParagraph, mayBeLazy: mayBeLazy, allMatched, &context)
    }

    /// Forgets the containers that did not go on (with the leaf in them), keeping those that this line opened.
    private mutating func closeUnmatched() {
        if !hasOpened, line.matched < state.containers.count { state.containers.removeSubrange(line.matched...) }
        state.leaf = .none
        markContent()
    }

    private mutating func markContent() {
        let last = state.containers.count - 1
        if last >= 0, !state.containers[last].hasContent { state.containers[last].hasContent = true }
    }

    private mutating func open(_ container: Container) {
        closeUnmatched()
        state.containers.append(container)
        hasOpened = true
    }

    private mutating func openContainer(_ bytes: Bytes, _ first: UInt8, interrupting: Bool) -> Bool {
        switch first {
        case Byte.greater:
            open(Container(kind: .quote))
            consumeQuoteMarker(bytes, opens: true)
            return true
        case Byte.star, Byte.hyphen:
            return !isThematicBreak(bytes) && !(interrupting && isSetextUnderline(bytes))
                && openItem(bytes, interrupting: interrupting)
        case Byte.plus, Byte.zero...0x39:
            return openItem(bytes, interrupting: interrupting)
        case Byte.openBracket where options.contains(.footnotes):
            return openFootnote(bytes)
        default:
            return false
        }
    }

    private mutating func openItem(_ bytes: Bytes, interrupting: Bool) -> Bool {
        guard state.containers.count < Self.deepestItem,
            let marker = ListMarker(bytes, at: nonspace, interrupting: interrupting)
        else { return false }
        let markerIndent = indent
        open(Container(kind: .item))
        advanceToNonspace()
        let start = position
        position = marker.end
        column += marker.end - start
        let width = marker.end - start
        findNonspace(bytes)
        let gap = indent
        let isEmpty = isBlank(bytes)
        let padding = gap >= 5 || gap < 1 || isEmpty ? 1 : gap
        if gap > 0 { advance(bytes, columns: padding) }
        state.containers[state.containers.count - 1].indent = Int32(markerIndent + width + padding)
        line.markers.append(
            ContainerMarker(
                kind: .item, start: start, end: marker.end, opens: true, mark: marker.mark, number: marker.number,
                isOrdered: marker.isOrdered))
        return true
    }

    private mutating func openFootnote(_ bytes: Bytes) -> Bool {
        guard let labelEnd = Footnotes.labelEnd(bytes, at: nonspace), labelEnd + 1 < bytes.count,
            bytes[labelEnd + 1] == Byte.colon
        else { return false }
        open(Container(kind: .footnote, indent: 4))
        advanceToNonspace()
        let start = position
        position = labelEnd + 2
        column += position - start
        line.markers.append(ContainerMarker(kind: .footnote, start: start, end: position, opens: true))
        findNonspace(bytes)
        advanceToNonspace()
        return true
    }

    private mutating func isThematicBreak(_ bytes: Bytes) -> Bool {
        guard nonspace >= breakFailure else { return false }
        let mark = bytes[nonspace]
        var count = 0
        for offset in nonspace..<bytes.count where !bytes[offset].isBlank {
            guard bytes[offset] == mark else {
                breakFailure = offset
                return false
            }
            count += 1
        }
        return count >= 3
    }

    private func isSetextUnderline(_ bytes: Bytes) -> Bool {
        let mark = bytes[nonspace]
        var offset = nonspace
        while offset < bytes.count, bytes[offset] == mark { offset += 1 }
        while offset < bytes.count, bytes[offset].isBlank { offset += 1 }
        return offset == bytes.count
    }

    private mutating func openLeaf<Context: ParagraphContext>(
        _ bytes: Bytes, _ first: UInt8, inParagraph: Bool, mayBeLazy: Bool, _ context: inout Context
    ) -> Bool {
        switch first {
        case Byte.hash: return openHeading(bytes)
        case Byte.backtick, Byte.tilde: return openFence(bytes)
        case Byte.less:
            let kind = HTMLBlockKind(opening: bytes, at: nonspace)
            guard kind != .none, kind != .otherTag || !mayBeLazy else { return false }
            closeUnmatched()
            finishHTML(.htmlOpening, kind, bytes)
            return true
        case Byte.equals, Byte.hyphen:
            if inParagraph, isSetextUnderline(bytes), !(state.leaf.mayDefine && context.paragraphOnlyDefines()) {
                finish(.setextUnderline, nonspace, bytes.count)
                line.level = first == Byte.equals ? 1 : 2
                state.leaf = .none
                return true
            }
            return first == Byte.hyphen && openThematicBreak(bytes)
        case Byte.star, Byte.underscore: return openThematicBreak(bytes)
        default: return false
        }
    }

    private mutating func openThematicBreak(_ bytes: Bytes) -> Bool {
        guard isThematicBreak(bytes) else { return false }
        closeUnmatched()
        finish(.thematicBreak, nonspace, bytes.count)
        return true
    }

    private mutating func openHeading(_ bytes: Bytes) -> Bool {
        var offset = nonspace
        while offset < bytes.count, bytes[offset] == Byte.hash { offset += 1 }
        let level = offset - nonspace
        guard level <= 6, offset == bytes.count || bytes[offset].isBlank else { return false }
        closeUnmatched()
        while offset < bytes.count, bytes[offset].isBlank { offset += 1 }
        finish(.atxHeading, offset, ATXHeading.contentEnd(bytes, from: offset))
        line.level = level
        return true
    }

    private mutating func openFence(_ bytes: Bytes) -> Bool {
        let mark = bytes[nonspace]
        var offset = nonspace
        while offset < bytes.count, bytes[offset] == mark { offset += 1 }
        let length = offset - nonspace
        guard length >= 3 else { return false }
        if mark == Byte.backtick, bytes.firstOffset(of: mark, from: offset, to: bytes.count) != nil { return false }
        let fenceIndent = UInt8(indent)
        closeUnmatched()
        state.leaf = Leaf(kind: .fencedCode, mark: mark, indent: fenceIndent, length: Int32(length))
        while offset < bytes.count, bytes[offset].isBlank { offset += 1 }
        var end = bytes.count
        while end > offset, bytes[end - 1].isSpace { end -= 1 }
        finish(.fenceOpening, offset, end)
        return true
    }

    // MARK: 3. Text

    private mutating func scanText<Context: ParagraphContext>(
        _ bytes: Bytes, leaf: Leaf, inParagraph: Bool, mayBeLazy: Bool, _ allMatched: Bool, _ context: inout Context
    ) {
        if isBlank(bytes) {
            if !hasOpened { closeBlank() }
            return finish(.blank, bytes.count, bytes.count)
        }
        if mayBeLazy {
            line.isLazy = !allMatched
            if inParagraph, options.contains(.tables), isTableDelimiter(bytes, &context) {
                state.leaf = Leaf(kind: .table)
                return finish(.tableDelimiter, nonspace, bytes.count)
            }
            return finish(.continuation, nonspace, bytes.count)
        }
        if leaf.kind == .table, allMatched, !hasOpened { return finish(.tableRow, nonspace, bytes.count) }
        closeUnmatched()
        state.leaf = Leaf(kind: .paragraph, mayDefine: bytes[nonspace] == Byte.openBracket)
        finish(.paragraph, nonspace, bytes.count)
    }

    private mutating func closeBlank() {
        if line.matched < state.containers.count { state.containers.removeSubrange(line.matched...) }
        state.leaf = .none
    }

    private func isTableDelimiter<Context: ParagraphContext>(_ bytes: Bytes, _ context: inout Context) -> Bool {
        let first = bytes[nonspace]
        guard indent < 4, first == Byte.pipe || first == Byte.hyphen || first == Byte.colon,
            let columns = TableRows.delimiterColumns(bytes, from: nonspace)
        else { return false }
        return context.lastLineCellCount() == columns
    }
}
