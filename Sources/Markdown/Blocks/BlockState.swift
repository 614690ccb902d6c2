/// A block that holds other blocks and is open before a line.
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
    /// The fence's character, or the `HTMLBlockKind`.
    var mark: UInt8 = 0
    /// The indentation of the opening fence in columns; at most as much is removed from the lines of code.
    var indent: UInt8 = 0
    /// Length of the fence in characters.
    var length: Int32 = 0
    /// Whether this is a paragraph that began with `[` and so may be link reference definitions.
    var mayDefine = false
    /// What the paragraph is to a line that begins with a colon, where definition lists are read.
    var entry = Entry.none
    /// Whether, in such a paragraph, all text before the last line read is definitions and another may begin with that
    /// line.
    ///
    /// The highlighter stores it, so that it can read a paragraph of very many definitions one definition at a time.
    var beginsDefinition = false
    /// The state of a fence's keyword colouring after the lines before; zero if nothing is coloured.
    var language: UInt8 = 0
    var lexing = CodeState.nothing

    /// A part of a definition list.
    enum Entry: UInt8, Sendable {
        case none
        /// A paragraph of one line, which a definition would make a term.
        case mayBeTerm
        /// A definition of one line so far.
        case opened
        case definition

        var isDefinition: Bool { self == .opened || self == .definition }
    }

    static let none = Leaf()
    static let paragraph = Leaf(kind: .paragraph)
}

/// The state that the lines before a line leave for it.
struct BlockState: Hashable, Sendable {
    var containers: ContiguousArray<Container> = []
    var leaf = Leaf.none
}

/// The role of a line in its innermost block.
enum LineKind: UInt8, Sendable {
    case blank
    case paragraph
    /// Belongs to the paragraph before it.
    case continuation
    case atxHeading
    /// Turns the paragraph before it into a heading.
    case setextUnderline
    case thematicBreak
    case fenceOpening, fencedCode, fenceClosing
    case indentedCode
    case htmlOpening, html
    /// Turns the paragraph's last line into a table header.
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
    /// The marker's byte for bullets, the delimiter after the number for ordered items.
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
    /// The bytes of the line that are content, without container markers and the block's own markers.
    var start = 0
    var end = 0
    /// The number of spaces to put before the content: the rest of a tab that was partly used for indentation.
    var padding = 0
    /// The level of a heading.
    var level = 0
    /// Whether the HTML block ends with this line.
    var endsBlock = false
    /// Whether the paragraph that the line begins is a definition.
    var isDefinition = false
    /// Whether the line belongs to the leaf that was open before it.
    var continuesLeaf = false
    /// Markers, outermost first; those that open containers are the last ones.
    var markers: ContiguousArray<ContainerMarker> = []
}

/// The facts about the paragraph before a line that the scanner needs; asked only if they may change the line's
/// meaning.
protocol ParagraphContext {
    /// Whether the open paragraph consists only of link reference definitions.
    mutating func paragraphOnlyDefines() -> Bool
    /// The number of table cells in the last line of the open paragraph.
    mutating func lastLineCellCount() -> Int
    /// Whether the open table may have another row.
    mutating func mayAddRow() -> Bool
}
