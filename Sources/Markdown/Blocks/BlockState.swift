/// A block that contains other blocks and is open before a line.
struct Container: Hashable, Sendable {
    enum Kind: UInt8, Sendable { case quote, item, footnote }

    var kind: Kind
    /// Whether it has any content yet; an item that began with a blank line ends at a second one.
    var hasContent = false
    /// The number of columns by which a line must be indented to belong to it.
    var indent: Int32 = 0
}

/// The block without children that is open before a line.
struct Leaf: Hashable, Sendable {
    enum Kind: UInt8, Sendable { case none, paragraph, indentedCode, fencedCode, html, table, frontMatter }

    var kind = Kind.none
    /// The character of a fence, or the raw value of an `HTMLBlockKind`.
    var mark: UInt8 = 0
    /// The indentation of the opening fence in columns; at most as much is removed from the lines of code.
    var indent: UInt8 = 0
    /// The length of the fence in characters.
    var length: Int32 = 0
    /// Whether this is a paragraph that began with `[` and may therefore consist of link reference definitions.
    var mayDefine = false
    /// The paragraph's role for a line that begins with a colon, if definition lists are read.
    var entry = Entry.none
    /// Whether the paragraph's text before its last line consists of complete definitions, so that another one may
    /// begin with that line.
    ///
    /// The highlighter stores this, so that it can read a paragraph of very many definitions one definition at a time.
    var beginsDefinition = false
    /// The state of a fence's keyword colouring after the lines before; zero if nothing is coloured.
    var language: UInt8 = 0
    var lexing = CodeState.nothing

    /// A part of a definition list.
    enum Entry: UInt8, Sendable {
        case none
        /// A paragraph of one line, which becomes a term if a definition follows.
        case mayBeTerm
        /// A definition that has only one line yet.
        case opened
        case definition

        var isDefinition: Bool { self == .opened || self == .definition }
    }

    static let none = Leaf()
}

/// The state of the block scanner between two lines.
struct BlockState: Hashable, Sendable {
    var containers: ContiguousArray<Container> = []
    var leaf = Leaf.none
}

/// The role of a line in its innermost block.
enum LineKind: UInt8, Sendable {
    case blank
    case paragraph
    /// A further line of the paragraph before it.
    case continuation
    case atxHeading
    /// The line that turns the paragraph before it into a heading.
    case setextUnderline
    case thematicBreak
    case fenceOpening, fencedCode, fenceClosing
    case indentedCode
    case htmlOpening, html
    /// The line that turns the paragraph's last line into a table header.
    case tableDelimiter
    case tableRow
    case frontMatterFence, frontMatter
}

/// A container marker in a line: bytes `start..<end`.
struct ContainerMarker: Equatable, Sendable {
    var kind: Container.Kind
    var start: Int
    var end: Int
    /// Whether the container starts here; otherwise this is the `>` of a quote that continues.
    var opens: Bool
    /// The bullet, or the delimiter after the number of an ordered item.
    var mark: UInt8 = 0
    var number = 0
    var isOrdered = false
}

/// The result of scanning one line.
struct ScannedLine {
    var kind = LineKind.blank
    /// The number of open containers that the line continues; on a lazy line, the others continue too.
    var matched = 0
    var isLazy = false
    /// The range of the line that is content, without container markers and the block's own markers.
    var start = 0
    var end = 0
    /// The number of spaces to put before the content, for the remainder of a tab that is partly indentation.
    var padding = 0
    /// The level of a heading.
    var level = 0
    /// Whether the HTML block ends with this line.
    var endsBlock = false
    /// Whether the paragraph that the line begins is a definition.
    var isDefinition = false
    /// Whether the line belongs to the leaf that was open before it.
    var continuesLeaf = false
    /// The markers, outermost first; those that open containers come last.
    var markers: ContiguousArray<ContainerMarker> = []
}

/// Facts about the paragraph before a line that the scanner asks for only if they may change the line's meaning.
protocol ParagraphContext {
    /// Whether the open paragraph consists only of link reference definitions.
    mutating func paragraphOnlyDefines() -> Bool
    /// The number of table cells in the last line of the open paragraph.
    mutating func lastLineCellCount() -> Int
    /// Whether the open table may have another row.
    mutating func mayAddRow() -> Bool
}
