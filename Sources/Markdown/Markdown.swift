/// What Markdown means: pure functions from a text to what is wanted of it.
///
/// All of them read the text once, by the same parser (`MarkdownDocument`), at a cost in proportion to its length
/// unless they say otherwise.
public enum Markdown {
    /// The text as HTML; with `.commonMark` byte for byte as the specification's examples have it.
    public static func html(_ text: String, _ options: MarkdownOptions = .extended) -> String {
        HTMLRenderer.html(MarkdownDocument(text, options))
    }

    /// The text as HTML that is safe to open: it runs nothing, whatever the text holds.
    ///
    /// Of raw HTML the tags and attributes remain that only lay out text; addresses that run something are left out,
    /// as cmark's safe mode does.
    public static func html(_ text: String, for page: HTMLPage) -> String {
        HTMLRenderer.html(MarkdownDocument(text, .extended), for: page)
    }
}
