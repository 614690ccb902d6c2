/// A block that holds other blocks and is open before a line.
struct Container: Hashable, Sendable {
    enum Kind: UInt8, Sendable { case quote, item, footnote }

    var kind: Kind
    /// Whether something stands in it yet; an item that began with a blank line ends at a second one.
    var hasContent = false
    /// Columns that a line must be indented by to belong to it.
    var indent: Int32 = 0
}

/// The block without children that is open before a line.
struct Leaf: Hashable, Sendable {
    enum Kind: UInt8, Sendable { case none, paragraph, indentedCode, fencedCode, html, table, frontMatter }

    var kind = Kind.none
    /// The fence's character, or the `HTMLBlockKind`.
    var mark: UInt8 = 0
    /// Columns that the opening fence was indented by, which its lines may lose too.
    var indent: UInt8 = 0
    /// Length of the fence in characters.
    var length: Int32 = 0
    /// A paragraph that began with `[` and so may be link reference definitions.
    var mayDefine = false
    /// Of such a paragraph, whether all before the line that was read last is definitions, and a further one may begin
    /// with it.
    ///
    /// The highlighter keeps it, so that a paragraph of very many definitions is taken in one by one.
    var beginsDefinition = false
    /// What the keyword colouring of a fence has to know from the lines before; zero where nobody colours.
    var language: UInt8 = 0
    var lexing: UInt8 = 0

    static let none = Leaf()
    static let paragraph = Leaf(kind: .paragraph)
}

/// All that the lines before a line mean to it.
struct BlockState: Hashable, Sendable {
    var containers: ContiguousArray<Container> = []
    var leaf = Leaf.none
}

/// What a line is to its innermost block.
enum LineKind: UInt8, Sendable {
    case blank
    case paragraph
    /// Belongs to the paragraph before it.
    case continuation
    case atxHeading
    /// Makes a heading of the paragraph before it.
    case setextUnderline
    case thematicBreak
    case fenceOpening, fencedCode, fenceClosing
    case indentedCode
    case htmlOpening, html
    /// Makes a table of the paragraph's last line.
    case tableDelimiter
    case tableRow
    case frontMatterFence, frontMatter
}

/// A container marker as it stands in a line: bytes `start..<end`.
struct ContainerMarker: Equatable, Sendable {
    var kind: Container.Kind
    var start: Int
    var end: Int
    /// Whether the container starts here; otherwise it is the `>` of one that goes on.
    var opens: Bool
    /// The marker's byte for bullets, the delimiter after the number for ordered items.
    var mark: UInt8 = 0
    var number = 0
    var isOrdered = false
}

/// What one line turned out to be.
struct ScannedLine {
    var kind = LineKind.blank
    /// How many of the containers that were open go on; on a lazy line, the others go on too.
    var matched = 0
    var isLazy = false
    /// Bytes of the line that are content, without container markers and what the kind has for itself.
    var start = 0
    var end = 0
    /// Spaces to put before the content: what is left of a tab that was half used for indentation.
    var padding = 0
    /// Of a heading.
    var level = 0
    /// Whether the HTML block ends with this line.
    var endsBlock = false
    /// Whether the line belongs to the leaf that was open before it.
    var continuesLeaf = false
    /// Markers, outermost first; those that open containers are the last ones.
    var markers: ContiguousArray<ContainerMarker> = []
}

/// What the scanner must know of the paragraph before a line, asked only where a line might change its meaning.
protocol ParagraphContext {
    /// Whether the open paragraph is link reference definitions and nothing else.
    mutating func paragraphOnlyDefines() -> Bool
    /// How many table cells the last line of the open paragraph would be.
    mutating func lastLineCellCount() -> Int
    /// Whether the open table may have another row.
    mutating func mayAddRow() -> Bool
}
