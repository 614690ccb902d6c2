/// The kinds of a range of a line; several apply at once if constructs nest.
public struct SpanKind: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    private init(bit: UInt64) {
        rawValue = 1 << bit
    }

    /// Punctuation that is Markdown syntax: `**`, `#`, backticks, brackets.
    public static let marker = SpanKind(bit: 0)
    public static let emphasis = SpanKind(bit: 1)
    public static let strong = SpanKind(bit: 2)
    public static let strikethrough = SpanKind(bit: 3)
    /// `==marked==`.
    public static let highlight = SpanKind(bit: 4)
    /// A code span.
    public static let code = SpanKind(bit: 5)
    /// A line of a code block.
    public static let codeBlock = SpanKind(bit: 6)
    /// The text of a link, or an address written without link syntax.
    public static let link = SpanKind(bit: 7)
    /// The destination, title or label of a link.
    public static let linkTarget = SpanKind(bit: 8)
    public static let image = SpanKind(bit: 9)
    public static let quote = SpanKind(bit: 10)
    public static let listMarker = SpanKind(bit: 11)
    /// `[ ]` or `[x]`.
    public static let task = SpanKind(bit: 12)
    /// Together with `task`: the task is done.
    ///
    /// In the reading view it is the text of such a task that has this kind, not its box.
    public static let done = SpanKind(bit: 13)
    public static let tag = SpanKind(bit: 14)
    public static let wikilink = SpanKind(bit: 15)
    public static let math = SpanKind(bit: 16)
    public static let html = SpanKind(bit: 17)
    public static let frontMatter = SpanKind(bit: 18)
    public static let footnote = SpanKind(bit: 19)
    public static let table = SpanKind(bit: 20)
    /// A backslash and the character that it makes literal.
    public static let escape = SpanKind(bit: 21)
    public static let entity = SpanKind(bit: 22)
    /// `---` as a thematic break.
    public static let rule = SpanKind(bit: 23)
    /// The info string of a fence.
    public static let fenceInfo = SpanKind(bit: 24)
    /// The label of a link reference definition.
    public static let definition = SpanKind(bit: 25)

    public static let codeKeyword = SpanKind(bit: 32)
    public static let codeType = SpanKind(bit: 33)
    public static let codeString = SpanKind(bit: 34)
    public static let codeComment = SpanKind(bit: 35)
    public static let codeNumber = SpanKind(bit: 36)
    /// A key, attribute, property or variable.
    public static let codeName = SpanKind(bit: 37)
    /// A line that a diff adds or removes.
    public static let codeAdded = SpanKind(bit: 38)
    public static let codeRemoved = SpanKind(bit: 39)

    /// A heading of `level` 1...6.
    public static func heading(_ level: Int) -> SpanKind { SpanKind(bit: UInt64(48 + level)) }

    /// The level of the heading, 1...6; nil outside headings.
    public var headingLevel: Int? { (1...6).first { contains(.heading($0)) } }
}

/// A range of a line with one set of kinds.
public struct HighlightRun: Hashable, Sendable {
    /// The range in bytes of the line.
    public var range: Range<Int>
    public var kind: SpanKind

    public init(range: Range<Int>, kind: SpanKind) {
        self.range = range
        self.kind = kind
    }
}

/// The kind of block that a line belongs to.
public enum BlockKind: Hashable, Sendable {
    case blank, paragraph
    /// A line of a heading's text, or its underline.
    case heading(level: Int)
    case thematicBreak
    /// The line that opens or closes fenced code.
    case codeFence
    case code
    case html
    case tableHeader, tableDelimiter, tableRow
    case frontMatter
    /// A line of a link reference definition.
    case definition
}

/// The highlighting of one line.
public struct LineHighlight: Hashable, Sendable {
    public var block = BlockKind.blank
    /// The runs, sorted and not overlapping; text without a kind has no run.
    public var runs: [HighlightRun] = []
    /// The number of block quotes that the line is in.
    public var quoteDepth = 0
    /// The offset at which the line's content starts, after indentation and the markers of quotes and items.
    public var contentStart = 0

    public init() {}
}
