import Markdown

/// The heading that a text begins with, after front matter and blank lines.
struct TitleHeading {
    /// The heading's words, without markers.
    let title: String
    private let text: String
    /// The range of the heading's words as written.
    private let words: Range<String.Index>

    /// Nil if the text begins with something else, or if its front matter gives the title.
    init?(of text: String) {
        guard let (start, lineEnd) = Self.firstLine(of: text) else { return nil }
        // The following line shows whether the heading is underlined.
        let next = lineEnd == text.endIndex ? lineEnd : text.index(after: lineEnd)
        let nextEnd = text[next...].firstIndex(where: \.isNewline) ?? text.endIndex
        guard let heading = Markdown.outline(of: String(text[start..<nextEnd])).first, heading.line == 0 else {
            return nil
        }
        self.text = text
        title = heading.title
        words = Self.words(of: text[start..<lineEnd])
    }

    /// Finds a first line that is a title without a marker; returns nil if the text begins with something else.
    ///
    /// A blank line and more text must follow the line, and it must not end as a sentence or a salutation does: such a
    /// line is text, which a new title must not replace.
    init?(plainLineOf text: String) {
        guard let (start, lineEnd) = Self.firstLine(of: text), lineEnd < text.endIndex else { return nil }
        let next = text.index(after: lineEnd)
        let nextEnd = text[next...].firstIndex(where: \.isNewline) ?? text.endIndex
        let line = text[start..<lineEnd]
        guard text[next..<nextEnd].allSatisfy(\.isWhitespace), text[nextEnd...].contains(where: { !$0.isWhitespace }),
            let first = line.first, first.isLetter || first.isNumber,
            let last = Self.trimmed(line).last, !".,;:!?…".contains(last)
        else { return nil }
        self.text = text
        title = TextFacts.derivedTitle(of: text)
        words = Self.words(of: line)
        // A new title would replace any markup of the line.
        guard title == text[words] else { return nil }
    }

    /// Returns the first line after front matter that is not blank; nil if the front matter gives the title.
    private static func firstLine(of text: String) -> (start: String.Index, end: String.Index)? {
        let frontMatter = Markdown.frontMatter(of: text)
        guard frontMatter?.title == nil else { return nil }
        var start = text.utf8.index(text.startIndex, offsetBy: frontMatter?.end ?? 0)
        while let end = text[start...].firstIndex(where: \.isNewline), text[start..<end].allSatisfy(\.isWhitespace) {
            start = text.index(after: end)
        }
        return (start, text[start...].firstIndex(where: \.isNewline) ?? text.endIndex)
    }

    /// Returns the range of a heading's line without leading and trailing `#` and white space.
    private static func words(of line: Substring) -> Range<String.Index> {
        var words = trimmed(line)
        guard words.first == "#" else { return words.startIndex..<words.endIndex }
        words = trimmed(words.drop { $0 == "#" })
        var end = words.endIndex
        while end > words.startIndex, words[words.index(before: end)] == "#" { end = words.index(before: end) }
        let isClosed = end == words.startIndex || words[words.index(before: end)].isWhitespace
        if end < words.endIndex, isClosed { words = trimmed(words[..<end]) }
        return words.startIndex..<words.endIndex
    }

    /// Returns a text without white space and without the characters that escape and emphasise.
    private static func withoutMarks(_ text: Substring) -> String {
        String(text.filter { !$0.isWhitespace && !"\\`*_~=^$".contains($0) })
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let head = text.drop(while: \.isWhitespace)
        guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return head[head.endIndex...] }
        return head[...last]
    }

    /// Returns the text with another title in its heading; nil if no heading would read as that title, or if the heading
    /// has a link, a picture or HTML.
    func text(titled title: String) -> String? {
        // The title would replace the address of a link or a picture; the marks of emphasis are no loss.
        guard Self.withoutMarks(text[words]) == Self.withoutMarks(self.title[...]) else { return nil }
        for words in [title, Self.escaped(title)] {
            let changed = text.replacingCharacters(in: self.words, with: words)
            if TextFacts.derivedTitle(of: changed) == title { return changed }
        }
        return nil
    }

    /// Returns the title with a backslash before every character that Markdown could read as a marker.
    private static func escaped(_ title: String) -> String {
        var result = ""
        for character in title {
            if "\\`*_[]<>&#!|~$^=:".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
