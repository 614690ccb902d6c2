import Terminal

/// A style as written in a theme file: `#FF26B9 on #1E1C22 bold underline`.
///
/// It holds a colour, `on` and a background colour, and attributes, in any order. Properties that it omits come from
/// the style below.
struct StyleText {
    /// The attribute words of a style, each with the attribute that it sets.
    private static let attributes: [(word: String, attribute: Style.Attributes)] = [
        ("bold", .bold), ("dim", .dim), ("italic", .italic), ("reverse", .reverse),
        ("strikethrough", .strikethrough), ("blink", .blink),
    ]
    private static let underlines: [(word: String, underline: Style.Underline)] = [
        ("underline", .single), ("double-underline", .double), ("curly-underline", .curly),
        ("dotted-underline", .dotted), ("dashed-underline", .dashed),
    ]

    /// The colours that the file names, by name.
    let palette: [String: Color]

    init(palette: [String: Color] = [:]) {
        self.palette = palette
    }

    /// A word of a style that is neither a colour nor an attribute.
    struct Misspelling: Error, Equatable {
        let word: String
    }

    /// Reads a style.
    ///
    /// - Throws: `Misspelling` with the first word that is unknown.
    func style(_ text: String) throws(Misspelling) -> Style {
        var style = Style.default
        var isGround = false
        for word in text.split(separator: " ").map(String.init) {
            if word == "on" {
                isGround = true
            } else if let known = Self.attributes.first(where: { $0.word == word }) {
                style.attributes.insert(known.attribute)
            } else if let known = Self.underlines.first(where: { $0.word == word }) {
                style.underline = known.underline
            } else if let color = palette[word] ?? Color(text: word) {
                if isGround { style.background = color } else { style.foreground = color }
                isGround = false
            } else {
                throw Misspelling(word: word)
            }
        }
        return style
    }

    /// Writes a style as text; the default style is an empty text.
    static func text(of style: Style) -> String {
        var words: [String] = []
        if style.foreground != .default { words.append(style.foreground.description) }
        if style.background != .default { words += ["on", style.background.description] }
        words += attributes.filter { style.attributes.contains($0.attribute) }.map(\.word)
        words += underlines.filter { $0.underline == style.underline }.map(\.word)
        return words.joined(separator: " ")
    }
}
