import TextPrimitives

/// Parses the inline structure of one paragraph, heading or table cell.
///
/// A single pass over the bytes makes a list of nodes, jumping from one byte with a possible meaning to the next. Runs
/// of `*`, `_`, `~` and `=` and opening brackets are text at first and are pushed on two stacks. For a closing bracket,
/// the opener is searched backwards. At the end (or at the end of a link) the runs are paired by the specification's
/// rules. Failed searches are recorded, so that no input takes more than linear time.
struct InlineParser {
    /// A run of delimiters that may still open or close an element.
    struct Delimiter {
        var node: Int32
        let mark: UInt8
        let canOpen: Bool
        let canClose: Bool
        /// The number of characters that the run had at first; the range of its node is what is left of it.
        let originalLength: Int
        var previous: Int
        var next: Int
    }

    struct Bracket {
        let node: Int32
        /// The offset after the bracket.
        let position: Int
        let isImage: Bool
        /// Whether another bracket follows before this one is closed; its text then cannot be a label.
        var hasInner = false
        /// The index of the last delimiter before it, or -1.
        let delimiter: Int
    }

    let options: MarkdownOptions
    let bytes: Bytes
    let stops: ASCIISet
    let references: ReferenceTable
    let footnotes: ReferenceTable

    var nodes: ContiguousArray<InlineNode> = []
    var targets: ContiguousArray<LinkTarget> = []

    /// The range being parsed, and the position in it.
    var lower = 0
    var upper = 0
    var position = 0
    var textStart = 0
    var head: Int32 = -1
    var tail: Int32 = -1
    var delimiters: ContiguousArray<Delimiter> = []
    var lastDelimiter = -1
    var brackets: ContiguousArray<Bracket> = []
    /// Brackets on the stack below this index can no longer become links.
    var inactiveBelow = 0
    /// The number of brackets on the stack inside which bare addresses are text: those of links, and those of images
    /// that were opened after the last link.
    var openLinks = 0
    var openImages = 0
    var failures = FailedSearches()
    var backticks = BacktickRuns()
    var sawAt = false
    /// The number of bytes that references may still add to the output; the limit keeps many references to one long
    /// link linear.
    var referenceBudget: Int

    /// The kinds of searches that have failed up to the end of the text, so that they are not repeated.
    struct FailedSearches {
        var comment = false, instruction = false, declaration = false, cdata = false
        var dollar = false, doubleDollar = false
    }

    init(
        _ bytes: Bytes, _ options: MarkdownOptions, references: ReferenceTable, footnotes: ReferenceTable
    ) {
        self.bytes = bytes
        self.options = options
        self.references = references
        self.footnotes = footnotes
        // The reference implementation's limit: the length of the input, but at least 100,000 bytes.
        referenceBudget = max(bytes.count, 100_000)
        var stops = ASCIISet("\n\\`&<[]!*_")
        if options.contains(.strikethrough) { stops.insert("~") }
        if options.contains(.highlight) { stops.insert("=") }
        if options.contains(.tags) { stops.insert("#") }
        if options.contains(.math) { stops.insert("$") }
        if options.contains(.autolinks) { stops.insert(":w@") }
        self.stops = stops
    }

    /// Parses `start..<end`; returns its first node, or -1 if there is none.
    mutating func parse(from start: Int, to end: Int) -> Int32 {
        begin(start, end)
        let stops = stops
        while true {
            while position < upper, !stops.contains(bytes[position]) { position &+= 1 }
            if position >= upper { break }
            readStop(bytes[position])
        }
        flushText(to: upper)
        pairDelimiters(above: -1)
        if sawAt { linkAddresses() }
        return head
    }

    private mutating func begin(_ start: Int, _ end: Int) {
        lower = start
        upper = end
        position = start
        textStart = start
        head = -1
        tail = -1
        delimiters.removeAll(keepingCapacity: true)
        lastDelimiter = -1
        brackets.removeAll(keepingCapacity: true)
        inactiveBelow = 0
        openLinks = 0
        openImages = 0
        failures = FailedSearches()
        backticks.isKnown = false
        sawAt = false
    }

    private mutating func readStop(_ byte: UInt8) {
        switch byte {
        case Byte.newline: readLineEnd()
        case Byte.backslash: readBackslash()
        case Byte.backtick: readBackticks()
        case Byte.ampersand: readEntity()
        case Byte.less: readAngle()
        case Byte.star, Byte.underscore: readDelimiters(byte, maximum: .max)
        case Byte.tilde: readDelimiters(byte, maximum: 2)
        case Byte.equals: readHighlight()
        case Byte.openBracket: readOpenBracket()
        case Byte.closeBracket: readCloseBracket()
        case Byte.bang: readBang()
        case Byte.hash: readTag()
        case Byte.dollar: readMath()
        case Byte.colon: readBareLink()
        case Byte.lowerW: readBareWebLink()
        case Byte.at:
            sawAt = true
            position += 1
        default: position += 1
        }
    }

    // MARK: Node list

    /// Adds a node for the pending text up to `end`.
    @inline(__always)
    mutating func flushText(to end: Int) {
        if end > textStart { append(InlineNode(kind: .text, start: Int32(textStart), end: Int32(end))) }
    }

    @discardableResult
    mutating func append(_ node: InlineNode) -> Int32 {
        let index = Int32(nodes.count)
        nodes.append(node)
        nodes[Int(index)].previous = tail
        if tail >= 0 { nodes[Int(tail)].next = index } else { head = index }
        tail = index
        return index
    }

    /// Adds a node for `start..<end`, after the text before it, and continues after it.
    @discardableResult
    mutating func add(_ kind: InlineNode.Kind, _ start: Int, _ end: Int, mark: Int = 0, target: Int32 = -1) -> Int32 {
        flushText(to: start)
        position = end
        textStart = end
        return append(
            InlineNode(kind: kind, start: Int32(start), end: Int32(end), mark: Int32(mark), target: target))
    }

    // MARK: Line ends, escapes, entities

    private mutating func readLineEnd() {
        let newline = position
        var end = newline
        while end > textStart, bytes[end - 1].isBlank { end -= 1 }
        let isHard = newline - lower >= 2 && bytes[newline - 1] == Byte.space && bytes[newline - 2] == Byte.space
        flushText(to: end)
        textStart = newline
        add(isHard ? .hardBreak : .softBreak, newline, newline + 1)
        skipBlanks()
    }

    private mutating func skipBlanks() {
        while position < upper, bytes[position].isBlank { position += 1 }
        textStart = position
    }

    private mutating func readBackslash() {
        let next = position + 1
        guard next < upper else {
            position = next
            return
        }
        if bytes[next].isPunctuation {
            if readTeXMath() { return }
            add(.escape, position, next + 1)
        } else if bytes[next] == Byte.newline {
            add(.hardBreak, position, next + 1)
            skipBlanks()
        } else {
            position = next
        }
    }

    private mutating func readEntity() {
        if let end = Entities.end(bytes, from: position, to: upper) {
            add(.entity, position, end)
        } else {
            position += 1
        }
    }

    // MARK: Code

    private mutating func readBackticks() {
        let start = position
        while position < upper, bytes[position] == Byte.backtick { position += 1 }
        let length = position - start
        if let end = backticks.closing(length, bytes, from: position, to: upper) {
            add(.code, start, end, mark: length)
        }
    }

    // MARK: Tags

    private mutating func readTag() {
        let start = position
        position += 1
        guard Tags.canStart(bytes, at: start, from: lower) else { return }
        if let end = Tags.end(bytes, from: start, to: upper) { add(.tag, start, end) }
    }
}
