extension Glyphs {
    /// Returns one of the program's own sentences in characters that this glyph set can show.
    ///
    /// With the ASCII set, typographic signs become ASCII characters; every other set returns the sentence unchanged.
    /// Only the program's own sentences pass through here, including those that quote a title. A note's text, a title
    /// in a list and a name are shown unchanged.
    public func plain(_ sentence: String) -> String {
        guard self == .ascii, !sentence.utf8.allSatisfy({ $0 < 0x80 }) else { return sentence }
        return String(sentence.map { Self.plainSigns[$0] ?? $0 })
    }

    private static let plainSigns: [Character: Character] = [
        "“": "\"", "”": "\"", "‘": "'", "’": "'", "·": "-", "–": "-", "—": "-", "…": "~", "›": ">", "•": "*", "×": "x",
        "→": ">", "←": "<", "↑": "^", "↓": "v", "↵": "<",
        "✓": "=", "✗": "x", "⇅": "~",
    ]
}
