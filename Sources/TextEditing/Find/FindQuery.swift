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

/// Why a query cannot be looked for, or not to the end of the text, or why nothing can be put in its place.
public enum FindError: Error, Hashable, Sendable {
    /// There is nothing to look for.
    case emptyPattern
    /// The pattern is no regular expression.
    case invalidExpression(pattern: String)
    /// A replacement names a group that the expression does not have.
    case noSuchGroup(Int, groups: Int)
    /// A replacement has a backslash before a letter that means nothing, or at its end.
    case unknownEscape(String)
    /// The search has used the processor for as long as it may.
    case tooSlow(Duration)
    /// The expression needs more memory to go back and try again than it may have.
    case tooComplex
    /// Whoever asked does not want to know any more.
    case cancelled
}

/// How long a search may go on.
public struct SearchBudget: Sendable {
    /// Time that the processor may work on it, however busy the machine is.
    public var computing: Duration
    /// Asked again and again, on the searching thread, whether to go on.
    public var isWanted: @Sendable () -> Bool

    public init(computing: Duration = .seconds(10), isWanted: @escaping @Sendable () -> Bool = { true }) {
        self.computing = computing
        self.isWanted = isWanted
    }

    /// As much as a key may wait for: what needs more goes on behind the main actor.
    public static let key = SearchBudget(computing: .milliseconds(6))
}
