extension MarkdownAssistant {
    /// The text being typed after `[[`.
    public struct Completion: Hashable, Sendable {
        /// The bytes of the line from the `[[` to the caret, including a `]]` that follows the caret.
        public var range: Range<Int>
        public var query: String
    }

    /// The completion of a note's title at the caret, if there is an open `[[` before it.
    public static func completion(in lines: some LineSource, at caret: LinePosition) -> Completion? {
        lines.withLine(caret.line) { bytes in
            var start = min(caret.byte, bytes.count)
            while start >= 2, !(bytes[start - 1] == Byte.openBracket && bytes[start - 2] == Byte.openBracket) {
                if bytes[start - 1] == Byte.closeBracket || caret.byte - start > 300 { return nil }
                start -= 1
            }
            guard start >= 2 else { return nil }
            let end = bytes.has("]]", at: caret.byte) ? caret.byte + 2 : caret.byte
            return Completion(
                range: start - 2..<end, query: String(decoding: bytes[start..<caret.byte], as: UTF8.self))
        }
    }

    /// Replaces the text typed for a completion by `[title](takenote://note/UUID)`.
    public static func complete(_ completion: Completion, title: String, uuid: String, line: Int) -> AssistantEdit {
        let text = link(title, uuid: uuid)
        var edit = AssistantEdit(
            caret: LinePosition(line: line, byte: completion.range.lowerBound + text.utf8.count))
        edit.replace(line, completion.range, with: text)
        return edit
    }

    /// The Markdown source of a link to a note.
    public static func link(_ title: String, uuid: String) -> String {
        "[\(escaped(title))](takenote://note/\(uuid))"
    }

    /// Escapes a title for use as the text of a link: brackets, and the characters that bind tighter than brackets.
    private static func escaped(_ title: String) -> String {
        var result = ""
        for character in title {
            if "[]\\`<".contains(character) { result.append("\\") }
            result.append(character == "\n" ? " " : character)
        }
        return result
    }

    /// Turns a selection within one line into a link when an address is pasted over it.
    public static func paste(
        _ text: String, over selection: Range<LinePosition>, in lines: some LineSource
    ) -> AssistantEdit? {
        let (start, end) = (selection.lowerBound, selection.upperBound)
        let address = text.trimmed
        guard start.line == end.line, start.byte < end.byte, isAddress(address) else { return nil }
        let label = lines.text(of: start.line, start.byte..<end.byte)
        guard !isAddress(label.trimmed) else { return nil }
        let hasParentheses = address.contains("(") || address.contains(")")
        let link = "[\(label)](" + (hasParentheses ? "<\(address)>" : address) + ")"
        var edit = AssistantEdit(caret: LinePosition(line: start.line, byte: start.byte + link.utf8.count))
        edit.replace(start.line, start.byte..<end.byte, with: link)
        return edit
    }

    /// Whether `text` is a single word that consists of a known scheme and at least one more character.
    static func isAddress(_ text: String) -> Bool {
        let lowered = text.lowercased()
        return ["http://", "https://", "takenote://", "mailto:"].contains {
            lowered.hasPrefix($0) && lowered.utf8.count > $0.utf8.count
        } && !text.contains(where: { $0.isWhitespace || $0 == "<" || $0 == ">" })
    }
}
