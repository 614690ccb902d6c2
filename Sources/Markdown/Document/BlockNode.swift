/// A block of a document, as the parser stores it.
///
/// Nodes are in the order of the text, parents before children.
struct BlockNode: Sendable {
    enum Kind: UInt8, Sendable {
        case document, quote, list, item, footnote
        case paragraph, heading, code, html, thematicBreak, table, tableRow, tableCell, frontMatter
        /// Link reference definitions: a paragraph with no other text to show.
        case definitions
    }

    var kind: Kind
    /// The level 1...6 of a heading, the `Task` of an item, the `TableAlignment` of a cell, or a paragraph's `Entry`.
    var detail: UInt8 = 0
    /// The bullet, or the delimiter after the number.
    var mark: UInt8 = 0
    var isOrdered = false
    /// Whether a list is loose (has blank lines between its parts), a row or cell is in the header, or code is fenced.
    var flag = false
    var parent: Int32
    var lastChild: Int32 = -1
    var firstInline: Int32 = -1
    /// The first number of an ordered list.
    var number: Int32 = 0
    /// The text's byte offsets in the document's content.
    var start: Int32 = 0
    var end: Int32 = 0
    /// The info string of fenced code or the label of a footnote, as byte offsets into the content.
    var infoStart: Int32 = 0
    var infoEnd: Int32 = 0
    /// The first and the last line, counted from 0; both inclusive.
    var firstLine: Int32
    var lastLine: Int32

    /// Whether it is a term or a definition.
    var isEntry: Bool { kind == .paragraph && detail != Entry.none }

    init(_ kind: Kind, parent: Int32, line: Int32) {
        self.kind = kind
        self.parent = parent
        firstLine = line
        lastLine = line
    }

    /// The role of a paragraph in a definition list.
    enum Entry { static let none: UInt8 = 0, term: UInt8 = 1, definition: UInt8 = 2 }

    enum Task { static let none: UInt8 = 0, open: UInt8 = 1, done: UInt8 = 2 }
}
