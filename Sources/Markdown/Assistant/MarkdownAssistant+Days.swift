import TextPrimitives

extension MarkdownAssistant {
    /// Returns whether the caret is after an `@` that is a separate word of a task, so that a day can follow.
    public static func takesDay(in lines: some LineSource, at caret: LinePosition) -> Bool {
        guard caret.byte > 1, lines.prefix(of: caret.line).task != nil else { return false }
        return lines.withLine(caret.line) { bytes in
            caret.byte <= bytes.count && bytes[caret.byte - 1] == UInt8(ascii: "@")
                && bytes[caret.byte - 2].isBlank && (caret.byte == bytes.count || bytes[caret.byte].isBlank)
        }
    }
}
