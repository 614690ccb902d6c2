extension String {
    /// The text with line feeds in place of the line ends of Windows, each of which is one `Character`.
    var withLineFeeds: String { utf8.contains(13) ? replacing("\r\n", with: "\n") : self }

    /// Returns the text with the line ends of another one, because models write line feeds only.
    ///
    /// A text whose lines end differently gets line feeds.
    public func withLineEnds(of text: String) -> String {
        guard text.utf8.contains(13), !utf8.contains(13), !text.contains("\n" as Character) else { return self }
        guard text.contains("\r\n" as Character) else { return self }
        return split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    }
}
