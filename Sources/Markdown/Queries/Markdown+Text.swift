import TextPrimitives

extension Markdown {
    /// The greatest number of characters of a derived title (the limit of the TakeNote app).
    static let maximumTitleLength = 200

    /// The title of a note whose text is empty (that of the TakeNote app).
    public static let titleOfEmptyText = "New Note"

    /// Derives the title of a note without its own title; `titleOfEmptyText` for an empty text.
    ///
    /// The title is that of the front matter, or else the first line with text, without its markers. The text is read
    /// only as far as the title.
    public static func derivedTitle(of text: String) -> String {
        derivedTitle(of: text, titled: frontMatter(of: text)?.title)
    }

    /// Derives the title of a note without its own title.
    ///
    /// - Parameter given: The title in its front matter, as a YAML parser reads it; if it is nil or blank, the text
    ///   decides.
    public static func derivedTitle(of text: String, titled given: String?) -> String {
        if let given = title(given: given) { return given }
        return TextStart(of: text).derivedTitle
    }

    /// The title that front matter gives; nil if it is missing or blank.
    static func title(given: String?) -> String? {
        given.flatMap { $0.trimmed.isEmpty ? nil : clipped($0.trimmed[...]) }
    }

    /// One line of plain text of at most `limit` characters, taken from after the title line.
    ///
    /// A first line that is not `title` is part of the preview. The text is read only as far as the preview.
    public static func preview(of text: String, title: String, limit: Int = 200) -> String {
        TextStart(of: text).preview(title: title, limit: limit)
    }

    /// The text without any Markdown: a line for each line of a block, separated by LF.
    public static func plainText(of text: String) -> String {
        var result = ""
        MarkdownDocument(text).forEachTextLine { line in
            if !result.isEmpty { result += "\n" }
            result += line
            return true
        }
        return result
    }

    /// The line with white space collapsed, cut to the maximum length of a title.
    static func clipped(_ line: Substring) -> String {
        var result = ""
        var count = 0
        append(line, to: &result, &count, maximumTitleLength)
        return result
    }

    /// Adds the words of `line` while `text` has fewer than `limit` characters.
    static func append(_ line: Substring, to text: inout String, _ count: inout Int, _ limit: Int) {
        var line = line
        let isPlain = line.withUTF8 { bytes in
            // In ASCII text, bytes are characters, so most texts can be cut without finding the starts of characters.
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
            appendPlain(bytes, to: &text, &count, limit)
            return true
        }
        if isPlain { return }
        var rest = line.drop(while: \.isWhitespace)
        while !rest.isEmpty {
            if count > 0 {
                guard count + 1 < limit else {
                    count = limit
                    return
                }
                text += " "
                count += 1
            }
            // In a script without spaces a word can be as long as the line.
            let piece = rest.prefix(limit - count).prefix { !$0.isWhitespace }
            text += piece
            count += piece.count
            if count >= limit { return }
            rest = rest[piece.endIndex...].drop(while: \.isWhitespace)
        }
    }

    private static func appendPlain(_ line: Bytes, to text: inout String, _ count: inout Int, _ limit: Int) {
        var added: [UInt8] = []
        var offset = 0
        while count + added.count < limit {
            while offset < line.count, line[offset].isSpace { offset += 1 }
            if offset == line.count { break }
            if count + added.count > 0 {
                guard count + added.count + 1 < limit else {
                    // A space at the very end is omitted but counted, so that nothing more is added.
                    count = limit - added.count
                    break
                }
                added.append(Byte.space)
            }
            while offset < line.count, !line[offset].isSpace, count + added.count < limit {
                added.append(line[offset])
                offset += 1
            }
        }
        count += added.count
        text += String(decoding: added, as: UTF8.self)
    }
}
