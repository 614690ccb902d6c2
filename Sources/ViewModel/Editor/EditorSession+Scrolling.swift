import ModalEditing
import TextEditing

/// Keys that scroll the text and take the caret along.
extension EditorSession {
    /// Moves the caret by a page, and the view by as much, so that the caret keeps its row on the screen.
    ///
    /// Where the text ends, only the caret goes on.
    func movePage(_ motion: Motion, extending: Bool) {
        let motion = motion.paged(by: viewport.pageRows)
        var rows = motion.rows ?? 0
        viewport.scroll(by: 0, in: editor.buffer, layout: &layout)
        if rows > 0 {
            rows = viewport.rowsBelow(atMost: rows, lastLine: lastLine, in: editor.buffer, layout: &layout)
        }
        viewport.scroll(by: rows, in: editor.buffer, layout: &layout)
        move(motion, extending: extending)
    }

    /// Returns what a scroll by vim's keys does to the view and to a position, which aims for a column in its row.
    func scrolled(_ scroll: VimScroll, from position: ByteOffset, column: CellColumn?) -> VimScrolled {
        scroll.result(
            from: position, column: column, lastLine: lastLine, viewport: viewport, in: editor.buffer, layout: &layout)
    }

    /// Scrolls as vim's keys do, which end where a caret on the last line keeps its margin to the top.
    func scrollVim(by rows: Int) {
        viewport.scroll(by: rows, lastLine: lastLine, in: editor.buffer, layout: &layout)
    }

    /// The last line that a caret is taken to; for vim, the empty one after the last line feed does not count.
    private var lastLine: LineNumber {
        let last = LineNumber(editor.buffer.lineCount - 1)
        return vim != nil && last > 0 && editor.buffer.lineRange(last).isEmpty ? last - 1 : last
    }
}
