import TextPrimitives

extension Markdown {
    /// The greatest number of characters of a derived title (the limit of the TakeNote app).
    public static let maximumTitleLength = 200

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
        if let given, !given.trimmed.isEmpty { return clipped(given.trimmed[...]) }
        var text = text
        return text.withUTF8 { bytes in
            var title: String?
            readStart(of: bytes) { document in
                document.forEachTextLine { line in
                    title = clipped(line)
                    return title?.isEmpty ?? true
                }
                return title != nil
            }
            return title ?? firstRawLine(bytes) ?? titleOfEmptyText
        }
    }

    /// One line of plain text of at most `limit` characters, taken from after the title line.
    ///
    /// A first line that is not `title` is part of the preview. The text is read only as far as the preview.
    public static func preview(of text: String, title: String, limit: Int = 200) -> String {
        var text = text
        return text.withUTF8 { bytes in
            var preview = ""
            readStart(of: bytes) { document in
                preview = ""
                var count = 0
                var isFirst = true
                document.forEachTextLine { line in
                    if isFirst {
                        isFirst = false
                        if clipped(line) == title { return true }
                    }
                    append(line, to: &preview, &count, limit)
                    return count < limit
                }
                return count >= limit
            }
            return preview
        }
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

    /// Parses the start of a text, and longer starts while `body` returns false.
    private static func readStart(of bytes: Bytes, _ body: (MarkdownDocument) -> Bool) {
        let start = startOfText(bytes)
        // This is enough for a title and 200 characters in most notes; each further attempt reads eight times as much.
        var length = 2048
        while true {
            let end = min(bytes.count, start + length)
            let isAll = end == bytes.count
            // The front matter was skipped, so a rule at the start is not a fence.
            let document = MarkdownDocument(
                utf8: Bytes(rebasing: bytes[start..<lineEnd(bytes, end)]), .extended.subtracting(.frontMatter))
            if body(document) || isAll { return }
            length *= 8
        }
    }

    /// Moves `end` back to the end of a line or, if no line ends nearby, of a character, so that neither is cut.
    private static func lineEnd(_ bytes: Bytes, _ end: Int) -> Int {
        guard end < bytes.count else { return end }
        var offset = end
        while offset > 0, bytes[offset - 1] != Byte.newline, end - offset < 1024 { offset -= 1 }
        if offset > 0, bytes[offset - 1] == Byte.newline { return offset }
        offset = end
        while offset > 0, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
        return offset
    }

    /// The start of the first line after the front matter that is not blank.
    private static func startOfText(_ bytes: Bytes) -> Int {
        var lines = LineSplitter(bytes)
        for _ in 0..<FrontMatter.lineCount(bytes) { _ = lines.next() }
        var start = lines.position
        while let range = lines.next() {
            if bytes[range].contains(where: { !$0.isSpace }) { break }
            start = lines.position
        }
        return start
    }

    private static func firstRawLine(_ bytes: Bytes) -> String? {
        var lines = LineSplitter(bytes)
        while let range = lines.next() {
            let line = clipped(Substring(decoding: bytes[range], as: UTF8.self))
            if !line.isEmpty { return line }
        }
        return nil
    }

    /// The line with white space collapsed, cut to the maximum length of a title.
    private static func clipped(_ line: Substring) -> String {
        var result = ""
        var count = 0
        append(line, to: &result, &count, maximumTitleLength)
        return result
    }

    /// Adds the words of `line` while `text` has fewer than `limit` characters.
    private static func append(_ line: Substring, to text: inout String, _ count: inout Int, _ limit: Int) {
        var line = line
        let isPlain = line.withUTF8 { bytes in
            // In ASCII text, bytes are characters, so most texts can be cut without finding the starts of characters.
            guard bytes.prefix(while: { $0 < 0x80 }).count == bytes.count else { return false }
            appendPlain(bytes, to: &text, &count, limit)
            return true
        }
        if isPlain { return }
        for word in line.split(whereSeparator: \.isWhitespace) {
            if count > 0 {
                guard count + 1 < limit else {
                    count = limit
                    return
                }
                text += " "
                count += 1
            }
            let piece = word.prefix(limit - count)
            text += piece
            count += piece.count
            if count >= limit { return }
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
