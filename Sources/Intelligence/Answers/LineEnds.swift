extension String {
    /// Returns the text with the line ends of another one, because models write line feeds only.
    public func withLineEnds(of text: String) -> String {
        guard text.utf8.contains(13), !utf8.contains(13) else { return self }
        return split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
    }
}
