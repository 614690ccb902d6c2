import Foundation
import Markdown
import TextEditing

/// Changes that follow from typing: a table is aligned when the caret leaves a changed row.
extension EditorSession {
    /// Remembers a changed row of a table, to align the table when the caret leaves the row.
    func rememberTableRow(changedBy change: LineChange?) {
        changedTableRow = nil
        guard let change, change.oldLines.count == 1 else { return }
        let line = LineNumber(change.oldLines.lowerBound)
        // A row that Enter has split is not complete; a row at whose end Enter was pressed is.
        guard change.newCount == 1 || editor.buffer.lineRange(line + 1).isEmpty else { return }
        // Only a line with a bar can be in a table; finding its block may require reading the whole paragraph.
        guard lines.withStart(of: line.rawValue, upTo: Self.maximumRowLength, { bytes, _ in bytes.hasBar })
        else { return }
        // Any position in the line gives its block, and the line may be megabytes long.
        switch highlight(of: line, bytes: 0..<1).block {
        case .tableRow, .tableHeader, .tableDelimiter: changedTableRow = line.rawValue
        default: break
        }
    }

    /// The number of bytes of a line that are searched for the bar of a table.
    private static let maximumRowLength = 4_096

    /// Aligns the table of the changed row once the caret has left that row; undo reverts both changes together.
    func alignTableLeftBehind() {
        guard let line = changedTableRow, !editor.hasSeveralCarets, editor.selection.isEmpty, caret.line != line else {
            return
        }
        changedTableRow = nil
        let assistance = MarkdownAssistant.alignTable(
            at: line, in: lines, caret: caret, cellWidth: configuration.cellWidth)
        if let assistance { amend(assistance) }
    }

    /// Makes an automatic change that follows from the last one.
    ///
    /// Only the differing text is replaced, so that the caret stays in its text.
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
        report(edit)
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether there is a `|`; the C library's search takes a fraction of the time.
    fileprivate var hasBar: Bool { baseAddress.map { memchr($0, 0x7C, count) != nil } ?? false }
}
