/// What is looked for in a text.
public struct FindQuery: Hashable, Codable, Sendable {
    /// A text or a regular expression.
    public var pattern: String
    /// Whether capital and small letters differ.
    public var isCaseSensitive: Bool
    /// Whether a match may not begin or end inside of a word.
    public var isWholeWord: Bool
    /// Whether `pattern` is a regular expression (ICU's kind; `^` and `$` match at lines).
    public var isRegularExpression: Bool

    /// Looks for a plain text in any case unless told otherwise.
    public init(
        _ pattern: String, isCaseSensitive: Bool = false, isWholeWord: Bool = false, isRegularExpression: Bool = false
    ) {
        self.pattern = pattern
        self.isCaseSensitive = isCaseSensitive
        self.isWholeWord = isWholeWord
        self.isRegularExpression = isRegularExpression
    }
}

/// Why a query cannot be looked for.
public enum FindError: Error, Hashable, Sendable {
    /// There is nothing to look for.
    case emptyPattern
    /// The pattern is no regular expression.
    case invalidExpression(pattern: String)
}
