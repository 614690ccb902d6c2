import TextPrimitives

/// The start of a text, parsed once for its title and for its preview.
///
/// A longer start is parsed only if the first two kilobytes hold neither.
public struct TextStart: Sendable {
    private let text: String
    /// The offset of the first line after the front matter that is not blank.
    private let offset: Int
    /// The first lines from there on.
    private let document: MarkdownDocument
    /// Whether these lines are all that follows.
    private let isAll: Bool

    /// The number of bytes that is enough for a title and 200 characters in most notes; each further attempt reads eight
    /// times as much.
    private static let length = 2048

    public init(of text: String) {
        var text = text
        (offset, document, isAll) = text.withUTF8 { bytes in
            let offset = Self.offset(in: bytes)
            let (document, isAll) = Self.parse(bytes, from: offset, Self.length)
            return (offset, document, isAll)
        }
        self.text = text
    }

    /// The document of the whole text, if it is so short that the start is all of it.
    public var wholeDocument: MarkdownDocument? { offset == 0 && isAll ? document : nil }

    /// The title that the text gives, whatever its front matter says; see `Markdown.derivedTitle(of:titled:)`.
    public var derivedTitle: String {
        var title: String?
        forEachStart { document in
            document.forEachTextLine { line in
                title = Markdown.clipped(line)
                return title?.isEmpty ?? true
            }
            return title != nil
        }
        return title ?? firstRawLine ?? Markdown.titleOfEmptyText
    }

    /// Derives the title; one that front matter gives wins.
    public func derivedTitle(titled given: String?) -> String { Markdown.title(given: given) ?? derivedTitle }

    /// One line of plain text from after the title line; see `Markdown.preview(of:title:limit:)`.
    public func preview(title: String, limit: Int = 200) -> String {
        var preview = ""
        forEachStart { document in
            preview = ""
            var count = 0
            var isFirst = true
            document.forEachTextLine { line in
                if isFirst {
                    isFirst = false
                    if Markdown.clipped(line) == title { return true }
                }
                Markdown.append(line, to: &preview, &count, limit)
                return count < limit
            }
            return count >= limit
        }
        return preview
    }

    /// Calls `body` with the start, and with longer starts while it returns false.
    private func forEachStart(_ body: (MarkdownDocument) -> Bool) {
        if body(document) || isAll { return }
        var text = text
        text.withUTF8 { bytes in
            var length = Self.length
            while true {
                length *= 8
                let (document, isAll) = Self.parse(bytes, from: offset, length)
                if body(document) || isAll { return }
            }
        }
    }

    /// The first line after the front matter as it is written, for a text of marks alone, such as `***`.
    private var firstRawLine: String? {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = Bytes(rebasing: bytes[offset...])
            var lines = LineSplitter(bytes)
            while let range = lines.next() {
                let line = Markdown.clipped(Substring(decoding: bytes[range], as: UTF8.self))
                if !line.isEmpty { return line }
            }
            return nil
        }
    }

    private static func parse(
        _ bytes: Bytes, from offset: Int, _ length: Int
    ) -> (document: MarkdownDocument, isAll: Bool) {
        let end = min(bytes.count, offset + length)
        // The front matter was skipped, so a rule at the start is not a fence.
        let document = MarkdownDocument(
            utf8: Bytes(rebasing: bytes[offset..<lineEnd(bytes, end)]), .extended.subtracting(.frontMatter))
        return (document, end == bytes.count)
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
    private static func offset(in bytes: Bytes) -> Int {
        var lines = LineSplitter(bytes)
        for _ in 0..<FrontMatter.lineCount(bytes) { _ = lines.next() }
        var start = lines.position
        while let range = lines.next() {
            if bytes[range].contains(where: { !$0.isSpace }) { break }
            start = lines.position
        }
        return start
    }
}
