import Markdown
import Terminal
import TextEditing
import ViewModel

/// Draws the open text: its rows as wrapped, its Markdown styled, the selection, the caret.
@MainActor
struct EditorPane {
    let model: TakeNoteVM
    let state: WindowState
    let preview: PreviewPane
    let drawn: DrawnRows

    /// Where the text stands in a pane: a column of air at either side, and prose no wider than can be read.
    struct Frame {
        /// The column of the text's first cell; marks stand in the column before it.
        let left: Int
        let columns: Int
        /// Columns of the line numbers and the air before them; 0 where there are none.
        let numbers: Int

        @MainActor
        init(_ session: EditorSession, in size: Size, isZoomed: Bool) {
            let settings = session.settings
            let digits = max(2, String(session.lineCount).count)
            numbers = settings.lineNumbers && size.columns - digits - 3 >= Self.leastColumns ? digits + 1 : 0
            let available = max(1, size.columns - 2 - numbers)
            columns = settings.wrap ? min(available, settings.readableWidth ?? available) : available
            left = 1 + numbers + (isZoomed ? (available - columns) / 2 : 0)
        }

        /// Text that line numbers must leave room for: chosen by eye.
        private static let leastColumns = 12
    }

    /// What of the pane is the text's: the rest is the find bar's and the backlinks'.
    func textSize(in size: Size) -> Size {
        let bar = state.findBar == nil ? 0 : FindBar.rows
        let panel = bar > 0 ? 0 : BacklinksPanel.rows(for: model.backlinks, in: size, state: state)
        return Size(columns: size.columns, rows: max(1, size.rows - bar - panel))
    }

    func draw(into screen: inout Screen) {
        guard let session = model.session else { return drawEmptyPlace(into: &screen) }
        _ = session.revision
        let frame = Frame(session, in: screen.size, isZoomed: state.isZoomed)
        if state.findBar == nil { BacklinksPanel(links: model.backlinks, state: state).draw(into: &screen) }
        if state.isPreviewing {
            let rows = textSize(in: screen.size).rows
            preview.draw(into: &screen, left: frame.left, rows: rows, state: state)
            state.findBar?.draw(summary: preview.search?.summary ?? "", into: &screen, theme: state.theme)
            return
        }
        let pen = RowPen(
            theme: state.theme, styles: state.markdownStyles, tabWidth: session.settings.tabWidth, left: frame.left,
            columns: frame.columns, leftColumn: session.leftColumn)
        drawn.draw(rows(of: session, frame), with: pen, into: &screen)
        if let caret = session.caretCell {
            screen.cursor = Cursor(Position(column: frame.left + caret.column, row: caret.row), shape: .bar)
        }
        state.findBar?.draw(summary: session.findSummary, into: &screen, theme: state.theme)
    }

    /// The rows in sight, and what each shows.
    private func rows(of session: EditorSession, _ frame: Frame) -> [DrawnRows.Row] {
        let buffer = session.buffer
        let selection = session.selection.range
        let caretLine = buffer.lineNumber(at: session.selection.head)
        var line = (number: LineNumber(-1), range: ByteOffset(0)..<0)
        var (highlight, stamp) = (LineHighlight(), Int?.none)
        drawn.begin(session)
        let places = session.visibleRows()
        return places.enumerated().map { index, place in
            let isNext = place.line != line.number
            if isNext { line = (place.line, buffer.lineRange(place.line)) }
            let start = line.range.lowerBound
            let row = place.visual
            let bytes = start + row.range.lowerBound..<start + row.range.upperBound
            let isEnd = bytes.upperBound == line.range.upperBound
            if isNext {
                // One highlight serves all rows of a line: of one of megabytes, all of it that is in sight.
                let last = places[index...].prefix { $0.line == place.line }.last ?? place
                let seen = row.range.lowerBound..<max(row.range.upperBound, last.visual.range.upperBound)
                highlight = session.highlight(of: place.line, bytes: seen)
                stamp = session.stamp(of: place.line)
            }
            let source = stamp.map { DrawnRows.Source(stamp: $0, row: row) }
            // Only the row's bytes are copied: a line may be megabytes long.
            var drawing =
                drawn.row(at: index, from: source)
                ?? RowDrawing(text: buffer.withUTF8(in: bytes) { Array($0) }, row: row, highlight: highlight)
            drawing.selected =
                row.cut(selection.lowerBound - start..<selection.upperBound - start, extra: isEnd ? 1 : 0) ?? 0..<0
            drawing.matches = session.matches(in: bytes).compactMap {
                row.cut($0.lowerBound - start..<$0.upperBound - start)
            }
            drawing.margin = margin(
                of: place, isEnd: isEnd, highlight, in: session, frame, hasCaret: place.line == caretLine)
            return DrawnRows.Row(source: source, drawing: drawing)
        }
    }

    private func margin(
        of place: Viewport.Row, isEnd: Bool, _ highlight: LineHighlight, in session: EditorSession, _ frame: Frame,
        hasCaret: Bool
    ) -> RowMargin {
        var margin = RowMargin()
        if frame.numbers > 0, place.index == 0 {
            margin.number = place.line.rawValue + 1
            margin.hasCaret = hasCaret
        }
        (margin.isCutLeft, margin.isCutRight) = session.isCut(place)
        if let lines = session.foldedLines(under: place.line) {
            if place.index == 0 { margin.fold = .folded }
            if isEnd { margin.foldedLines = lines }
        } else if hasCaret, state.focus == .editor, place.index == 0, case .heading = highlight.block,
            session.endsHeading(place.line)
        {
            // At the caret's own heading the mark shows where a click folds; at all of them it would be noise.
            margin.fold = .open
        }
        return margin
    }

    private func drawEmptyPlace(into screen: inout Screen) {
        guard model.selectedContainer != nil else { return }
        let text = model.noteList.count == 0 ? "" : "No note is open."
        screen.write(text, at: Position(column: 1, row: 0), style: state.theme.dim)
    }
}
