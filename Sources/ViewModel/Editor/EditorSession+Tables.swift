import Markdown
import TextEditing

/// Changes that follow from what was typed: tables that align when one has done with a row.
extension EditorSession {
    /// Remembers that a row of a table was changed, to align the table when the caret leaves the row.
    func noteTableRow(changedBy edit: Edit?) {
        changedTableRow = nil
        guard let change = edit?.lineChange(in: editor.buffer), change.oldLines.count == 1 else { return }
        let line = LineNumber(change.oldLines.lowerBound)
        // A row that Enter has cut in two is not ready; one that Enter was pressed behind is.
        guard change.newCount == 1 || editor.buffer.lineRange(line + 1).isEmpty else { return }
        // To tell what a line of a paragraph is takes reading the paragraph, and nearly no line is a table's.
        guard lines.withStart(of: line.rawValue, upTo: Self.longestRowLooked, { bytes, _ in bytes.contains(0x7C) })
        else { return }
        // What the line is, every part of it tells; it may be megabytes long.
        switch highlight(of: line, bytes: 0..<1).block {
        case .tableRow, .tableHeader, .tableDelimiter: changedTableRow = line.rawValue
        default: break
        }
    }

    /// Bytes of a line that are searched for the bar of a table.
    private static let longestRowLooked = 4_096

    /// Aligns the columns of the table whose row was changed, once the caret has left that row; undone with the change.
    func alignTableLeftBehind() {
        guard let line = changedTableRow, editor.selection.isEmpty, caret.line != line else { return }
        changedTableRow = nil
        let assistance = MarkdownAssistant.alignTable(
            at: line, in: lines, caret: caret, cellWidth: configuration.cellWidth)
        if let assistance { amend(assistance) }
    }

    /// Makes a change that follows from the last one by itself.
    ///
    /// Only what differs is replaced, so that the caret stays at the text that it is in.
    func amend(_ assistance: AssistantEdit) {
        var parts: [(range: Range<ByteOffset>, text: String)] = []
        for replacement in assistance.replacements {
            let start = offset(of: replacement.start)
            let old = editor.buffer.string(in: start..<offset(of: replacement.end))
            for piece in Edit(from: old, to: replacement.text).replacements {
                parts.append((start + piece.start.rawValue..<start + piece.range.upperBound.rawValue, piece.inserted))
            }
        }
        let edit = Edit(replacing: parts, of: editor.buffer)
        guard !edit.isEmpty else { return }
        editor.amend(edit)
        follow(edit)
        tell(edit)
    }
}
