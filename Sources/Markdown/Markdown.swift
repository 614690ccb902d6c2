/// What Markdown means: pure functions from a text to what is wanted of it.
///
/// All of them read the text once, by the same parser (`MarkdownDocument`), at a cost in proportion to its length
/// unless they say otherwise.
public enum Markdown {
    /// The text as HTML; with `.commonMark` byte for byte as the specification's examples have it.
    public static func html(_ text: String, _ options: MarkdownOptions = .extended) -> String {
        HTMLRenderer.html(MarkdownDocument(text, options))
    }
}
