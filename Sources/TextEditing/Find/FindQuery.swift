/// A query for a search in a text.
public struct FindQuery: Hashable, Codable, Sendable {
    /// A text or a regular expression.
    public var pattern: String
    /// Whether upper and lower case differ.
    public var isCaseSensitive: Bool
    /// Whether a match may not begin or end inside a word.
    public var isWholeWord: Bool
    /// Whether `pattern` is a regular expression (ICU's syntax; `^` and `$` match at lines).
    public var isRegularExpression: Bool

    /// Makes a query; by default for a plain text in any case.
    public init(
        _ pattern: String, isCaseSensitive: Bool = false, isWholeWord: Bool = false, isRegularExpression: Bool = false
    ) {
        self.pattern = pattern
        self.isCaseSensitive = isCaseSensitive
        self.isWholeWord = isWholeWord
        self.isRegularExpression = isRegularExpression
    }
}

/// The reason why a search cannot be made or completed, or a replacement cannot be made.
public enum FindError: Error, Hashable, Sendable {
    /// The pattern is empty.
    case emptyPattern
    /// The pattern is not a valid regular expression.
    case invalidExpression(pattern: String)
    /// A replacement names a group that the expression does not have.
    case noSuchGroup(Int, groups: Int)
    /// A replacement has a backslash at its end, or before a letter where it has no meaning.
    case unknownEscape(String)
    /// The search has used its CPU time.
    case tooSlow(Duration)
    /// The expression needs more memory for backtracking than allowed.
    case tooComplex
    /// The caller no longer wants the result.
    case cancelled
}

/// The limits of a search.
public struct SearchBudget: Sendable {
    /// The CPU time that the search may use, however busy the machine is.
    public var computing: Duration
    /// Called repeatedly on the searching thread; false cancels the search.
    public var isWanted: @Sendable () -> Bool

    public init(computing: Duration = .seconds(10), isWanted: @escaping @Sendable () -> Bool = { true }) {
        self.computing = computing
        self.isWanted = isWanted
    }

    /// The limit while a key waits for the result; a longer search continues off the main actor.
    public static let key = SearchBudget(computing: .milliseconds(6))
}
