/// The quotation marks of a language, typed for `"` and `'`.
public enum QuoteStyle: String, CaseIterable, Sendable {
    /// The typed marks themselves.
    case straight
    case english, german, french, swiss, swedish

    /// The marks: opening and closing, double and single.
    private var marks: (open: String, close: String, innerOpen: String, innerClose: String) {
        switch self {
        case .straight: ("\"", "\"", "'", "'")
        case .english: ("“", "”", "‘", "’")
        case .german: ("„", "“", "‚", "‘")
        // French quotation marks are set off by a narrow no-break space.
        case .french: ("«\u{202F}", "\u{202F}»", "‹\u{202F}", "\u{202F}›")
        case .swiss: ("«", "»", "‹", "›")
        case .swedish: ("”", "”", "’", "’")
        }
    }

    /// Returns the text that a key types after a line's text before the caret; the key itself if it is not a quote.
    public func text(of key: Character, after line: some StringProtocol) -> String {
        guard self != .straight, key == "\"" || key == "'" else { return String(key) }
        let before = line.last
        let opens = before.map { $0.isWhitespace || "([{-–—/„“‚‘«‹".contains($0) } ?? true
        if key == "\"" { return opens ? marks.open : marks.close }
        // Between letters it is an apostrophe in every language, unless it closes a quotation opened in the same line.
        if opens { return marks.innerOpen }
        guard marks.innerOpen != marks.innerClose, let opened = line.ranges(of: marks.innerOpen).last else {
            return "’"
        }
        let closed = line.ranges(of: marks.innerClose).last
        return closed.map { $0.lowerBound > opened.lowerBound } == true ? "’" : marks.innerClose
    }
}
