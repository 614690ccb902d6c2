import Foundation
import TextEditing

/// What serves writing prose: quotation marks, the writing mode, snippets.
extension EditorSession {
    /// The quotation mark for a typed `"` or `'`; in code, links and tags what was typed.
    func typographic(_ text: String) -> String {
        guard let key = text.first, text.count == 1, key == "\"" || key == "'", selection.isEmpty, !isInCode else {
            return text
        }
        let start = buffer.lineStart(LineNumber(caret.line))
        // Only what is near matters, and a line may be megabytes long.
        let near = buffer.characterBoundary(atOrBefore: max(start, selection.head - Self.quoteContext))
        let before = buffer.string(in: near..<selection.head)
        guard before.count(where: { $0 == "`" }).isMultiple(of: 2), !before.isInsideTag else { return text }
        return settings.quotes.text(of: key, after: before)
    }

    /// The bytes of a line before the caret that decide about a quotation mark.
    private static let quoteContext = 4_096

    /// The lines of the caret's paragraph, the only ones that are not dim in the writing mode; nil outside of it.
    public var focusedLines: ClosedRange<Int>? {
        guard settings.isWritingMode else { return nil }
        let line = caret.line
        guard !buffer.isBlank(LineNumber(line)) else { return line...line }
        var (first, last) = (line, line)
        while first > 0, line - first < Self.mostFocused, !buffer.isBlank(LineNumber(first - 1)) { first -= 1 }
        while last + 1 < lineCount, last - line < Self.mostFocused, !buffer.isBlank(LineNumber(last + 1)) { last += 1 }
        return first...last
    }

    /// More lines than any screen has rows.
    private static let mostFocused = 500

    /// Inserts a snippet, with its placeholders filled in as in a template; `{{cursor}}` tells where the caret comes to.
    ///
    /// Its later lines get the indentation of the caret's line.
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
    /// The rows kept above and below the caret: in the writing mode as many as there are.
    var rowsAroundCaret: Int { isWritingMode ? .max : scrollMargin }
}

extension String {
    /// Whether the text ends in an HTML tag that is not closed.
    fileprivate var isInsideTag: Bool {
        guard let opening = lastIndex(of: "<"), index(after: opening) < endIndex else { return false }
        let next = self[index(after: opening)]
        return (next.isLetter || next == "/") && !self[opening...].contains(">")
    }
}
