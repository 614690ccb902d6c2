/// The extensions of CommonMark to recognise.
public struct MarkdownOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    public static let tables = MarkdownOptions(rawValue: 1 << 0)
    /// `- [ ]` and `- [x]`.
    public static let taskItems = MarkdownOptions(rawValue: 1 << 1)
    /// `~~gone~~`.
    public static let strikethrough = MarkdownOptions(rawValue: 1 << 2)
    /// Bare `www.` and `https://` addresses and e-mail addresses.
    public static let autolinks = MarkdownOptions(rawValue: 1 << 3)
    /// Makes nine HTML tags of the GFM specification, such as `<script>`, harmless in HTML.
    public static let disallowedHTML = MarkdownOptions(rawValue: 1 << 4)
    /// The lines between `---` and `---` at the very start of a text.
    public static let frontMatter = MarkdownOptions(rawValue: 1 << 5)
    /// `==marked==`.
    public static let highlight = MarkdownOptions(rawValue: 1 << 6)
    /// `[[Title|alias]]`.
    public static let wikilinks = MarkdownOptions(rawValue: 1 << 7)
    /// `#tag`.
    public static let tags = MarkdownOptions(rawValue: 1 << 8)
    /// `[^1]` and `[^1]: text`.
    public static let footnotes = MarkdownOptions(rawValue: 1 << 9)
    /// `$literal$` and `$$literal$$`.
    public static let math = MarkdownOptions(rawValue: 1 << 10)
    /// A line with a term, and below it lines with `: definition`.
    public static let definitionLists = MarkdownOptions(rawValue: 1 << 11)
    /// A quotation that begins with `[!note] Title`; only HTML depends on it.
    public static let callouts = MarkdownOptions(rawValue: 1 << 12)

    /// CommonMark 0.31.2 without extensions.
    public static let commonMark: MarkdownOptions = []
    /// GitHub Flavored Markdown.
    public static let gfm: MarkdownOptions = [.tables, .taskItems, .strikethrough, .autolinks, .disallowedHTML]
    /// All extensions.
    public static let extended: MarkdownOptions = [
        .gfm, .frontMatter, .highlight, .wikilinks, .tags, .footnotes, .math, .definitionLists, .callouts,
    ]
}
