/// A node in the tree of a paragraph's inlines.
struct InlineNode: Sendable {
    enum Kind: UInt8, Sendable {
        case text, softBreak, hardBreak
        /// A backslash and the character that it makes literal.
        case escape
        case entity
        case code, math, html
        /// `<https://…>`, `<a@b.c>`.
        case autolink, emailAutolink
        /// The same without angle brackets, an extension of GFM.
        case bareLink, bareWebLink, bareEmail
        case emphasis, strong, strikethrough, highlight
        case link, image
        case wikilink, tag, footnoteReference
    }

    var kind: Kind
    /// The range in the document's content, delimiters included.
    var start: Int32
    var end: Int32
    /// The length of a delimiter of code, math and emphasis; the end of the label of a link.
    var mark: Int32 = 0
    /// The index of the link's target or of the footnote's block.
    var target: Int32 = -1
    var next: Int32 = -1
    var previous: Int32 = -1
    var firstChild: Int32 = -1
}

/// The destination and title of a link, as ranges of the content that still contain their escapes and entities.
struct LinkTarget: Sendable {
    var destination: Range<Int32>
    var title: Range<Int32>

    init(destination: Range<Int>, title: Range<Int>) {
        self.destination = Int32(destination.lowerBound)..<Int32(destination.upperBound)
        self.title = Int32(title.lowerBound)..<Int32(title.upperBound)
    }
}
