import Foundation
import TextEditing

/// Support for writing prose: quotation marks, the writing mode, snippets.
extension EditorSession {
    /// Returns the quotation mark that a typed `"` or `'` becomes at each caret; nil for any other text.
    func quotes(for text: String) -> [String]? {
        guard settings.quotes != .straight, let key = text.first, text.count == 1, key == "\"" || key == "'" else {
            return nil
        }
        return editor.selections.map { $0.isEmpty ? quote(key, at: $0.head) : text }
    }

    /// Returns the quotation mark for a key at a caret; the straight one in code, links and tags.
    private func quote(_ key: Character, at caret: ByteOffset) -> String {
        let line = buffer.lineNumber(at: caret)
        guard !highlighter.isCode(line: line.rawValue, in: lines) else { return String(key) }
        // The text near the caret decides, and a line may be megabytes long.
        let near = max(buffer.lineStart(line), caret - Self.quoteContext)
        let before = buffer.string(in: buffer.characterBoundary(atOrBefore: near)..<caret)
        guard before.count(where: { $0 == "`" }).isMultiple(of: 2), !before.isInsideTag, !before.isInsideLink
        else { return String(key) }
        return settings.quotes.text(of: key, after: before)
    }

    /// The number of bytes before the caret that are examined to choose a quotation mark.
    private static let quoteContext = 4_096

    /// The caret's paragraph, which is the only one not dimmed in the writing mode; nil in other modes.
    public var focusedLines: ClosedRange<Int>? {
        guard settings.isWritingMode else { return nil }
        let line = caret.line
        guard !buffer.isBlank(LineNumber(line)) else { return line...line }
        var (first, last) = (line, line)
        while first > 0, line - first < Self.maximumFocused, !buffer.isBlank(LineNumber(first - 1)) { first -= 1 }
        while last + 1 < lineCount, last - line < Self.maximumFocused, !buffer.isBlank(LineNumber(last + 1)) {
            last += 1
        }
        return first...last
    }

    /// More lines than any screen has rows.
    private static let maximumFocused = 500

    /// Inserts a snippet and fills in its placeholders as in a template; the caret goes to `{{cursor}}`.
    ///
    /// The snippet's later lines get the indentation of the caret's line.
    public func insertSnippet(_ snippet: String, title: String, date: Date) {
        let line = LineNumber(caret.line)
        let start = selection.range.lowerBound
        let indent = buffer.string(in: buffer.lineStart(line)..<min(buffer.indentEnd(of: line), start))
        let lines = snippet.split(separator: "\n", omittingEmptySubsequences: false)
        let template = NoteTemplate(lines.joined(separator: buffer.lineBreak(near: line) + indent))
        let filled = template.filled(title: title, date: date)
        change { editor in
            if editor.hasSeveralCarets { return editor.insert(filled.text, as: .command) }
            let edit = Edit(replacing: editor.selection.range, of: editor.buffer, with: filled.text)
            return edit.isEmpty ? nil : editor.apply(edit, selection: Selection(start + filled.caret))
        }
    }
}

extension EditorSettings {
    /// The number of rows to keep above and below the caret; in the writing mode as many as possible.
    var rowsAroundCaret: Int { isWritingMode ? .max : scrollMargin }
}

extension String {
    /// Whether the text ends in the destination or the title of a link, where only straight quotes are quotes.
    fileprivate var isInsideLink: Bool {
        if let destination = ranges(of: "](").last.map({ self[$0.upperBound...] }) {
            // The bracket that ends the link counts, not those in the text behind it.
            var depth = 1
            for character in destination where depth > 0 {
                depth += character == "(" ? 1 : character == ")" ? -1 : 0
            }
            if depth > 0 { return true }
        }
        // The definition of a reference, but not that of a footnote, whose text is prose.
        let line = drop { $0 == " " }
        guard line.hasPrefix("["), !line.hasPrefix("[^"), let end = line.firstIndex(of: "]") else { return false }
        return line[end...].hasPrefix("]:")
    }

    /// Whether the text ends in an HTML tag that is not closed.
    fileprivate var isInsideTag: Bool {
        guard let opening = lastIndex(of: "<"), index(after: opening) < endIndex else { return false }
        let next = self[index(after: opening)]
        return (next.isLetter || next == "/") && !self[opening...].contains(">")
    }
}
