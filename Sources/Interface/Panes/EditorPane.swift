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

    /// Where the text stands in a pane: a column of air at either side, and prose no wider than can be read.
    @MainActor
    struct Frame {
        let left: Int
        let columns: Int

        init(_ session: EditorSession, in size: Size, isZoomed: Bool) {
            let available = max(1, size.columns - 2)
            columns = min(available, session.settings.readableWidth ?? available)
            left = isZoomed ? 1 + (available - columns) / 2 : 1
        }
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
            return preview.draw(into: &screen, left: frame.left, rows: rows, state: state)
        }
        let selection = session.selection.range
        for (row, place) in session.visibleRows().enumerated() {
            let line = session.buffer.lineRange(place.line)
            let start = line.lowerBound
            let bytes = start + place.visual.range.lowerBound..<start + place.visual.range.upperBound
            // Only the row's bytes are lent: a line may be megabytes long.
            session.buffer.withUTF8(in: bytes) { text in
                let drawing = RowDrawing(
                    text: text, row: place.visual, endsLine: bytes.upperBound == line.upperBound,
                    highlight: session.highlight(of: place.line, bytes: place.visual.range),
                    selected: selection.lowerBound - start..<selection.upperBound - start,
                    matches: session.matches(in: bytes).map { $0.lowerBound - start..<$0.upperBound - start },
                    theme: state.theme, styles: state.markdownStyles, tabWidth: session.settings.tabWidth)
                drawing.draw(at: Position(column: frame.left, row: row), into: &screen)
            }
        }
        if let caret = session.caretCell {
            screen.cursor = Cursor(Position(column: frame.left + caret.column, row: caret.row), shape: .bar)
        }
        state.findBar?.draw(summary: session.findSummary, into: &screen, theme: state.theme)
    }

    private func drawEmptyPlace(into screen: inout Screen) {
        guard model.selectedContainer != nil else { return }
        let text = model.noteList.count == 0 ? "" : "No note is open."
        screen.write(text, at: Position(column: 1, row: 0), style: state.theme.dim)
    }
}

/// Draws one row of a line.
///
/// Offsets are bytes of the line.
@MainActor
struct RowDrawing {
    /// The bytes of the row.
    let text: UnsafeBufferPointer<UInt8>
    let row: VisualRow
    /// Whether the row is the last of its line.
    let endsLine: Bool
    let highlight: LineHighlight
    /// What is selected; may reach beyond the line at both ends.
    let selected: Range<Int>
    /// Where a search matched, sorted.
    let matches: [Range<Int>]
    let theme: Theme
    let styles: MarkdownStyles
    let tabWidth: Int

    func draw(at start: Position, into screen: inout Screen) {
        let ground = styles.ground(of: highlight.block)
        if ground.background != .default {
            let columns = screen.size.columns - start.column - 1
            screen.fill(Rect(column: start.column, row: start.row, columns: columns, rows: 1), style: ground)
        }
        var column = start.column + row.indent
        var offset = row.range.lowerBound
        var index = firstRun(endingAfter: offset)
        while offset < row.range.upperBound {
            var (style, end) = (ground, row.range.upperBound)
            if index < highlight.runs.count {
                let run = highlight.runs[index]
                let isInside = run.range.lowerBound <= offset
                end = min(end, isInside ? run.range.upperBound : run.range.lowerBound)
                if isInside { style = styles.style(of: run.kind).on(ground) }
            }
            (style, end) = withMatch(style, from: offset, to: end)
            (style, end) = withSelection(style, from: offset, to: end)
            column += write(
                offset..<end, at: Position(column: column, row: start.row), rowStart: start.column, style: style,
                into: &screen)
            offset = end
            while index < highlight.runs.count, highlight.runs[index].range.upperBound <= offset { index += 1 }
        }
        drawSelectedLineEnd(at: Position(column: column, row: start.row), into: &screen)
    }

    /// The index of the first run that ends after an offset.
    private func firstRun(endingAfter offset: Int) -> Int {
        var (low, high) = (0, highlight.runs.count)
        while low < high {
            let middle = (low + high) / 2
            if highlight.runs[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Cuts a run at the ends of a match, and gives the match its style.
    private func withMatch(_ style: Style, from start: Int, to end: Int) -> (Style, Int) {
        guard let match = matches.first(where: { $0.upperBound > start }), match.lowerBound < end else {
            return (style, end)
        }
        if match.lowerBound > start { return (style, match.lowerBound) }
        return (theme.match, min(end, match.upperBound))
    }

    /// Cuts a run at the selection's ends, and gives the selected part its ground.
    private func withSelection(_ style: Style, from start: Int, to end: Int) -> (Style, Int) {
        guard !selected.isEmpty, selected.lowerBound < end, selected.upperBound > start else { return (style, end) }
        if selected.lowerBound > start { return (style, selected.lowerBound) }
        var style = style
        style.background = theme.selectedText.background
        style.attributes.formUnion(theme.selectedText.attributes)
        return (style, min(end, selected.upperBound))
    }

    /// Writes a run, its tabs as far as the next tab stop, and returns the cells used.
    private func write(
        _ range: Range<Int>, at start: Position, rowStart: Int, style: Style, into screen: inout Screen
    ) -> Int {
        var position = start
        var offset = range.lowerBound - row.range.lowerBound
        let end = range.upperBound - row.range.lowerBound
        while offset < end {
            let tab = text[offset..<end].firstIndex(of: UInt8(ascii: "\t")) ?? end
            if tab > offset {
                position.column += screen.write(
                    utf8: UnsafeBufferPointer(rebasing: text[offset..<tab]), at: position, style: style)
            }
            if tab < end {
                let width = tabWidth - (position.column - rowStart) % tabWidth
                screen.fill(Rect(column: position.column, row: position.row, columns: width, rows: 1), style: style)
                position.column += width
            }
            offset = tab + 1
        }
        return position.column - start.column
    }

    /// A selected line end shows as one selected cell.
    private func drawSelectedLineEnd(at position: Position, into screen: inout Screen) {
        guard endsLine, selected.contains(row.range.upperBound) else { return }
        screen.fill(Rect(column: position.column, row: position.row, columns: 1, rows: 1), style: theme.selectedText)
    }
}
