import Markdown
import Terminal
import TextEditing
import ViewModel

/// Draws the open text: its rows as wrapped, its Markdown styled, the selection, the caret.
@MainActor
struct EditorPane {
    let look: Look
    let preview: PreviewPane
    let drawn: DrawnRows

    /// What the pane shows besides the text: all that it reads of observed state.
    struct Look {
        let session: EditorSession?
        let theme: Theme
        let styles: MarkdownStyles
        let isZoomed: Bool
        let isPreviewing: Bool
        /// Whether the pane has the keys.
        let hasKeys: Bool
        let findBar: FindBar?
        let backlinks: BacklinksPanel
        /// What is said where no note is open.
        let emptyText: String

        @MainActor
        init(_ model: TakeNoteVM, _ state: WindowState) {
            session = model.session
            theme = state.theme
            styles = state.markdownStyles
            isZoomed = state.isZoomed
            isPreviewing = state.isPreviewing
            hasKeys = state.focus == .editor
            findBar = state.findBar
            backlinks = BacklinksPanel(links: model.backlinks, isShown: state.showsBacklinks, theme: state.theme)
            let canBeOpened = session == nil && model.selectedContainer != nil && model.noteList.count > 0
            emptyText = canBeOpened ? Texts.noNoteOpenYet : ""
        }
    }

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
        let bar = look.findBar == nil ? 0 : FindBar.rows
        let panel = bar > 0 ? 0 : look.backlinks.rows(in: size)
        return Size(columns: size.columns, rows: max(1, size.rows - bar - panel))
    }

    func draw(into screen: inout Screen) {
        guard let session = look.session else {
            screen.write(look.emptyText, at: Position(column: 1, row: 0), style: look.theme.dim)
            return
        }
        _ = session.revision
        let frame = Frame(session, in: screen.size, isZoomed: look.isZoomed)
        if look.isPreviewing {
            if look.findBar == nil { look.backlinks.draw(into: &screen) }
            let rows = textSize(in: screen.size).rows
            preview.draw(into: &screen, left: frame.left, rows: rows, theme: look.theme, styles: look.styles)
            look.findBar?.draw(summary: preview.search?.summary ?? "", into: &screen, theme: look.theme)
            return
        }
        let pen = RowPen(
            theme: look.theme, styles: look.styles, tabWidth: session.settings.tabWidth, left: frame.left,
            columns: frame.columns, leftColumn: session.leftColumn)
        let places = session.visibleRows()
        drawn.draw(rows(places, of: session, frame), with: pen, into: &screen)
        if let caret = session.caretCell(in: places) {
            screen.cursor = Cursor(Position(column: frame.left + caret.column, row: caret.row), shape: .bar)
        }
        if let bar = look.findBar {
            bar.draw(summary: bar.summary(of: session), into: &screen, theme: look.theme)
        } else {
            look.backlinks.draw(into: &screen)
        }
    }

    /// The line whose rows are being made.
    private struct Line {
        var number = LineNumber(-1)
        /// The part of it that is in sight, in bytes of the line.
        var seen = 0..<0
        /// What stands for its text and highlight, as long as that is known without reading it.
        var stamp: Int?
        /// How it is highlighted, and where it is, once a row had to be made of it.
        var highlight: LineHighlight?
        var range: Range<ByteOffset>?
        /// The text of the part in sight, likewise.
        var text: [UInt8]?
    }

    /// What the rows in sight show.
    private func rows(_ places: [Viewport.Row], of session: EditorSession, _ frame: Frame) -> [DrawnRows.Row] {
        let selection = session.selection
        let caretLine = session.buffer.lineNumber(at: selection.head)
        let hasMarks = !selection.isEmpty || session.isFinding
        var line = Line()
        var rows: [DrawnRows.Row] = []
        rows.reserveCapacity(places.count)
        drawn.begin(session)
        if let last = places.last { session.settle(through: last.line) }
        // A loop, since each closure here would ask anew which thread it is on.
        for index in places.indices {
            let place = places[index]
            if place.line != line.number {
                line = Line(number: place.line, seen: Self.seen(of: places, from: index))
                line.stamp = session.stamp(of: place.line)
            }
            var source = line.stamp.map { DrawnRows.Source(stamp: $0, row: place.visual) }
            let known = drawn.row(at: index, from: source)
            let drawing = known ?? RowDrawing(make(place, of: &line, in: session))
            if known == nil { source = line.stamp.map { DrawnRows.Source(stamp: $0, row: place.visual) } }
            let isFolded = session.foldedLines(under: place.line) != nil
            var marks = RowMarks()
            if hasMarks { mark(&marks, at: place, of: &line, in: session) }
            marks.margin = margin(
                of: place, isEnd: isFolded && isEnd(place.visual, of: &line, in: session), drawing.content.block,
                in: session, frame, hasCaret: place.line == caretLine)
            rows.append(DrawnRows.Row(source: source, drawing: drawing.marked(marks)))
        }
        return rows
    }

    /// The part of a line that is in sight, from the first of its rows on.
    private static func seen(of places: [Viewport.Row], from first: Int) -> Range<Int> {
        var last = first
        while last + 1 < places.count, places[last + 1].line == places[first].line { last += 1 }
        let start = places[first].visual.range.lowerBound
        return start..<max(places[first].visual.range.upperBound, places[last].visual.range.upperBound)
    }

    /// Cuts a row from what is in sight of its line: only that is copied, a line may be megabytes long.
    private func make(_ place: Viewport.Row, of line: inout Line, in session: EditorSession) -> RowContent {
        let row = place.visual
        // One highlight serves all rows of a line: of one of megabytes, all of it that is in sight.
        let highlight = line.highlight ?? session.highlight(of: place.line, bytes: line.seen)
        if line.highlight == nil { (line.highlight, line.stamp) = (highlight, session.stamp(of: place.line)) }
        let start = range(of: &line, in: session).lowerBound
        let text = line.text ?? session.buffer.bytes(in: start + line.seen.lowerBound..<start + line.seen.upperBound)
        line.text = text
        let part = row.range.lowerBound - line.seen.lowerBound..<row.range.upperBound - line.seen.lowerBound
        return RowContent(text: text[part], row: row, highlight: highlight)
    }

    private func range(of line: inout Line, in session: EditorSession) -> Range<ByteOffset> {
        let range = line.range ?? session.buffer.lineRange(line.number)
        line.range = range
        return range
    }

    private func isEnd(_ row: VisualRow, of line: inout Line, in session: EditorSession) -> Bool {
        row.range.upperBound == range(of: &line, in: session).length
    }

    /// Marks what is selected and what a search has found.
    private func mark(
        _ marks: inout RowMarks, at place: Viewport.Row, of line: inout Line, in session: EditorSession
    ) {
        let row = place.visual
        let start = range(of: &line, in: session).lowerBound
        let selection = session.selection.range
        let extra = isEnd(row, of: &line, in: session) ? 1 : 0
        marks.selected = row.cut(selection.lowerBound - start..<selection.upperBound - start, extra: extra) ?? 0..<0
        let bytes = start + row.range.lowerBound..<start + row.range.upperBound
        let matches = session.matches(in: bytes)
        marks.matches = Self.parts(of: matches, from: start, in: row)
        marks.isMatchSelected = !selection.isEmpty && matches.contains(selection)
    }

    private static func parts(
        of matches: ArraySlice<Range<ByteOffset>>, from start: ByteOffset, in row: VisualRow
    ) -> [Range<Int>] {
        matches.isEmpty ? [] : matches.compactMap { row.cut($0.lowerBound - start..<$0.upperBound - start) }
    }

    private func margin(
        of place: Viewport.Row, isEnd: Bool, _ block: BlockKind, in session: EditorSession, _ frame: Frame,
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
        } else if hasCaret, look.hasKeys, place.index == 0, case .heading = block,
            session.endsHeading(place.line)
        {
            // At the caret's own heading the mark shows where a click folds; at all of them it would be noise.
            margin.fold = .open
        }
        return margin
    }
}
