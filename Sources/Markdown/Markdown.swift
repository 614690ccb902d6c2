/// Pure functions that render and query Markdown texts.
///
/// Unless they say otherwise, they all read the text once, with the same parser (`MarkdownDocument`), in time
/// proportional to its length.
public enum Markdown {
    /// Renders the text as HTML; with `.commonMark`, byte for byte as in the specification's examples.
    public static func html(_ text: String, _ options: MarkdownOptions = .extended) -> String {
        HTMLRenderer.html(MarkdownDocument(text, options))
    }

    /// Renders the text as HTML that is safe to open: it runs no code, whatever the text contains.
    ///
    /// Of raw HTML, only tags and attributes that lay out text are kept. As in cmark's safe mode, addresses that run
    /// code are omitted. Characters that no document may contain, such as those that command a terminal, become U+FFFD.
    public static func html(_ text: String, for page: HTMLPage) -> String {
        XMLText.allowed(HTMLRenderer.html(MarkdownDocument(text, .extended), for: page))
    }
}
