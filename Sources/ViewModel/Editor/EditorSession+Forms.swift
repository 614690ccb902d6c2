import Markdown
import TextEditing

/// Commands that make headings, lists, quotes, fences and tables, and that reflow paragraphs.
extension EditorSession {
    /// Turns the selected lines into what `form` says, or into plain lines if they are that already.
    public func toggle(_ form: MarkdownAssistant.LineForm) {
        let selection = editor.selection
        apply(
            MarkdownAssistant.toggle(
                form, selectedLineNumbers, in: lines, anchor: linePosition(of: selection.anchor),
                caret: linePosition(of: selection.head)))
    }

    /// Puts a fence around the selected lines; without a selection, inserts an empty one at or below the caret's line.
    public func insertFence() {
        // Vim keys have groups of their own.
        let isGroup = vim == nil
        if isGroup { editor.beginUndoGroup() }
        defer { if isGroup { editor.endUndoGroup() } }
        if editor.selection.isEmpty, !editor.buffer.isBlank(LineNumber(caret.line)) {
            let end = editor.buffer.lineEnd(LineNumber(caret.line))
            let lineBreak = editor.buffer.lineBreak(near: LineNumber(caret.line))
            editor.select(Selection(end))
            change { $0.insert(lineBreak + lineBreak, as: .command) }
        }
        apply(MarkdownAssistant.fence(selectedLineNumbers, in: lines))
    }

    /// Inserts an empty table at the caret's line, or below its text.
    public func insertTable() {
        apply(MarkdownAssistant.table(at: caret.line, headings: Texts.tableHeadings, in: lines))
    }

    /// Inserts a text at each caret.
    public func insert(_ text: String) {
        change { $0.insert(text, as: .command) }
    }

    /// Reflows the selected paragraphs, or the one at the caret, to the readable width.
    ///
    /// - Returns: whether the selection or the caret is in a paragraph at all.
    public func reflow() -> Bool {
        let range = selectedLineNumbers
        guard range.contains(where: isText) else { return false }
        let edit = Edit(replacing: reflowed(range, isText: isText), of: editor.buffer)
        change { $0.apply(edit) }
        return true
    }

    /// Returns the replacements that reflow the paragraphs among these lines, and no other lines of theirs.
    func reflowed(_ range: ClosedRange<Int>) -> [(range: Range<ByteOffset>, text: String)] {
        reflowed(range) { range.contains($0) && isText($0) }
    }

    private func reflowed(
        _ range: ClosedRange<Int>, isText: (Int) -> Bool
    ) -> [(range: Range<ByteOffset>, text: String)] {
        MarkdownAssistant.reflow(
            range, columns: configuration.settings.readableWidth ?? Self.reflowWidth, in: lines,
            cellWidth: configuration.cellWidth, lineBreak: editor.buffer.lineBreak(near: LineNumber(range.lowerBound)),
            isText: isText
        ).map { (offset(of: $0.start)..<offset(of: $0.end), $0.text) }
    }

    /// The width to reflow paragraphs to if the settings have no readable width.
    private static let reflowWidth = 80

    private func isText(_ line: Int) -> Bool {
        highlight(of: LineNumber(line), bytes: 0..<1).block == .paragraph
    }

    private var selectedLineNumbers: ClosedRange<Int> {
        let selected = editor.selectedLines
        return selected.lowerBound.rawValue...selected.upperBound.rawValue
    }
}
