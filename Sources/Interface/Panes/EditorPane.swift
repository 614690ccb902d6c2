import Markdown
import Terminal
import TextEditing
import ViewModel

/// Draws the open text: its wrapped rows with Markdown styles, the selection, and the caret.
@MainActor
struct EditorPane {
    let look: Look
    let preview: PreviewPane
    let drawn: DrawnRows
    /// The host that shows pictures, if it can.
    weak var host: (any InterfaceHost)?

    /// The observed state that the pane reads besides the text.
    ///
    /// It is a class, since every key passes it on.
    @MainActor
    final class Look {
        let session: EditorSession?
        let theme: Theme
        let styles: MarkdownStyles
        let isZoomed: Bool
        let isPreviewing: Bool
        /// Whether the pane has the keyboard focus.
        let hasKeys: Bool
        let findBar: FindBar?
        /// The links to the note, if there are any and they are shown.
        let backlinks: BacklinksPanel?
        /// The spelling checker for the visible words; nil if they are not checked.
        let spelling: Spelling?
        /// The text shown when no note is open.
        let emptyText: String

        init(_ model: TakeNoteVM, _ state: WindowState) {
            session = model.session
            theme = state.theme
            styles = state.markdownStyles
            isZoomed = state.isZoomed
            isPreviewing = state.isPreviewing
            hasKeys = state.focus == .editor
            findBar = state.findBar
            let showsBacklinks = state.showsBacklinks && !state.theme.glyphs.isWords
            backlinks = showsBacklinks ? BacklinksPanel(links: model.backlinks, theme: state.theme) : nil
            spelling = model.spelling.isOn ? model.spelling : nil
            let canBeOpened = session == nil && model.selectedContainer != nil && model.noteList.count > 0
            emptyText = canBeOpened ? Texts.noNoteOpenYet : ""
        }
    }

    /// The columns of the text in a pane: an empty column at either side, and lines no wider than is readable.
    ///
    /// For a screen reader the text begins at the left edge, where a braille display begins, too.
    struct Frame {
        /// The column of the text's first cell; marks are drawn in the column before it.
        let left: Int
        let columns: Int
        /// The columns of the line numbers and the empty column before them; 0 if there are no numbers.
        let numbers: Int

        @MainActor
        init(_ session: EditorSession, in size: Size, isZoomed: Bool, isRead: Bool) {
            let settings = session.settings
            let digits = settings.lineNumbers ? max(2, String(session.lineCount).count) : 0
            numbers = digits > 0 && size.columns - digits - 3 >= Self.minimumColumns ? digits + 1 : 0
            let available = max(1, size.columns - 2 - numbers)
            columns = settings.wrap ? min(available, settings.readableWidth ?? available) : available
            left = numbers + (isRead ? 0 : isZoomed ? 1 + (available - columns) / 2 : 1)
        }

        /// The smallest number of columns that line numbers must leave for the text; chosen by eye.
        private static let minimumColumns = 12
    }

    /// The size of the text in the pane, without the find bar and the backlinks.
    func textSize(in size: Size) -> Size {
        let bar = look.findBar?.rows(columns: size.columns, isRead: look.theme.glyphs.isWords) ?? 0
        let panel = bar > 0 ? 0 : look.backlinks?.rows(in: size) ?? 0
        return Size(columns: size.columns, rows: max(1, size.rows - bar - panel))
    }

    func draw(into screen: inout Screen) {
        guard let session = look.session else {
            screen.write(look.emptyText, at: Position(column: 1, row: 0), style: look.theme.dim)
            screen.cursor = .hidden(at: Position(column: 1, row: 0))
            return
        }
        _ = look.spelling?.revision
        let frame = Frame(session, in: screen.size, isZoomed: look.isZoomed, isRead: look.theme.glyphs.isWords)
        if look.isPreviewing {
            if look.findBar == nil { look.backlinks?.draw(into: &screen) }
            let rows = textSize(in: screen.size).rows
            screen.cursor = .hidden(
                at: Position(column: frame.left + preview.currentColumn, row: preview.currentRow))
            preview.draw(into: &screen, left: frame.left, rows: rows, theme: look.theme, styles: look.styles)
            if let stage = PictureStage(host) {
                preview.drawPictures(into: &screen, left: frame.left, rows: rows, on: stage)
            }
            look.findBar?.draw(
                summary: preview.search?.summary ?? "", replaces: false, into: &screen, theme: look.theme)
            return
        }
        let pen = RowPen(
            theme: look.theme, styles: look.styles, tabWidth: session.settings.tabWidth, left: frame.left,
            columns: frame.columns, leftColumn: session.leftColumn)
        let visible = session.visibleRows()
        draw(visible, of: session, frame, with: pen, into: &screen)
        if let caret = session.caretCell(in: visible) {
            screen.cursor = Cursor(Position(column: frame.left + caret.column, row: caret.row), shape: .bar)
        }
        if let bar = look.findBar {
            bar.draw(summary: bar.summary(of: session), into: &screen, theme: look.theme)
        } else {
            look.backlinks?.draw(into: &screen)
        }
    }

    /// The line whose rows are being built.
    private struct Line {
        var number = LineNumber(-1)
        /// The visible range of the line, in bytes of the line.
        var seen = 0..<0
        /// The stamp of its text and highlight; nil if it has none, as a very long line.
        var stamp: Int?
        /// Its highlight and range, once a row of it had to be built.
        var highlight: LineHighlight?
        var range: Range<ByteOffset>?
        /// The bytes of the visible part, once a row of it had to be built.
        var text: [UInt8]?
        /// The misspelt words of the visible part, in bytes of the line; nil until they are looked up.
        var misspelt: [Range<Int>]?
    }

    /// Draws the visible rows that are not as they were last drawn.
    private func draw(
        _ visible: [Viewport.Row], of session: EditorSession, _ frame: Frame, with pen: RowPen,
        into screen: inout Screen
    ) {
        let selection = session.selection
        let caretLine = session.buffer.lineNumber(at: selection.head)
        let hasMarks = !selection.isEmpty || session.isFinding || session.hasOtherCarets
        let focused = session.focusedLines
        let hasFolds = session.hasFolds
        // If only the caret's line can have marks or a margin, an unmarked row of another line is still right as it was
        // drawn.
        let isPlain =
            !hasMarks && look.spelling == nil && focused == nil && !hasFolds && frame.numbers == 0
            && session.settings.wrap
        var line = Line()
        drawn.begin(session, in: screen.size, with: pen)
        if let last = visible.last { session.settle(through: last.line) }
        let stamps = session.stamps(of: visible)
        // This loop uses no closures, since each call of one would check which thread it runs on.
        for index in visible.indices {
            let shown = visible[index]
            if shown.line != line.number {
                line = Line(number: shown.line, seen: Self.seen(of: visible, from: index))
                line.stamp = stamps[index]
                // After an edit of its paragraph, a line that looks the same as before has its stamp again.
                if line.stamp == nil { read(&line, of: session) }
            }
            let source = DrawnRows.Source(stamp: line.stamp, row: shown.visual)
            if isPlain, shown.line != caretLine, drawn.showsUnmarked(source, at: index) { continue }
            let known = drawn.row(at: index, from: source)
            let drawing = known ?? RowDrawing(make(shown, of: &line, in: session))
            let isFolded = hasFolds && session.foldedLines(under: shown.line) != nil
            var marks = RowMarks()
            if hasMarks { mark(&marks, at: shown, of: &line, in: session) }
            if let spelling = look.spelling {
                marks.misspelt = misspelt(in: &line, of: session, by: spelling).compactMap { shown.visual.cut($0) }
            }
            if let focused { marks.isDim = !focused.contains(shown.line.rawValue) }
            marks.margin = margin(
                of: shown, isFolded: isFolded, isEnd: isFolded && isEnd(shown.visual, of: &line, in: session),
                drawing.content.block, in: session, frame, hasCaret: shown.line == caretLine)
            drawn.draw(drawing.marked(marks), from: source, at: index, with: pen)
        }
        drawn.end(count: visible.count, into: &screen)
    }

    /// Returns the visible range of a line, from its first visible row on.
    private static func seen(of visible: [Viewport.Row], from first: Int) -> Range<Int> {
        var last = first
        while last + 1 < visible.count, visible[last + 1].line == visible[first].line { last += 1 }
        let start = visible[first].visual.range.lowerBound
        return start..<max(visible[first].visual.range.upperBound, visible[last].visual.range.upperBound)
    }

    /// Builds a row from the visible part of its line; only that part is copied, since a line may be megabytes long.
    private func make(_ shown: Viewport.Row, of line: inout Line, in session: EditorSession) -> RowContent {
        let row = shown.visual
        let highlight = read(&line, of: session)
        let start = range(of: &line, in: session).lowerBound
        let text = line.text ?? session.buffer.bytes(in: start + line.seen.lowerBound..<start + line.seen.upperBound)
        line.text = text
        let part = row.range.lowerBound - line.seen.lowerBound..<row.range.upperBound - line.seen.lowerBound
        return RowContent(text: text[part], row: row, highlight: highlight)
    }

    /// Reads the highlight and the stamp of a line, unless they are known.
    ///
    /// One highlight serves all rows of a line; in a line of megabytes, it covers only the visible part.
    @discardableResult
    private func read(_ line: inout Line, of session: EditorSession) -> LineHighlight {
        if let known = line.highlight { return known }
        let highlight = session.highlight(of: line.number, bytes: line.seen)
        (line.highlight, line.stamp) = (highlight, session.stamp(of: line.number))
        return highlight
    }

    /// The largest number of bytes of a line that are checked: more than a screen shows.
    private static let maximumChecked = 20_000

    /// Returns the misspelt words in the visible part of a line, in bytes of the line.
    private func misspelt(in line: inout Line, of session: EditorSession, by spelling: Spelling) -> [Range<Int>] {
        if let known = line.misspelt { return known }
        line.misspelt = []
        guard line.seen.count <= Self.maximumChecked else { return [] }
        let highlight = read(&line, of: session)
        let start = range(of: &line, in: session).lowerBound
        let text = session.buffer.string(in: start + line.seen.lowerBound..<start + line.seen.upperBound)
        let found = session.misspelt(
            in: text, from: line.seen.lowerBound, of: line.number, highlight: highlight, by: spelling)
        line.misspelt = found
        return found
    }

    private func range(of line: inout Line, in session: EditorSession) -> Range<ByteOffset> {
        let range = line.range ?? session.buffer.lineRange(line.number)
        line.range = range
        return range
    }

    private func isEnd(_ row: VisualRow, of line: inout Line, in session: EditorSession) -> Bool {
        row.range.upperBound == range(of: &line, in: session).length
    }

    /// Marks the selection and the matches of a search.
    private func mark(
        _ marks: inout RowMarks, at shown: Viewport.Row, of line: inout Line, in session: EditorSession
    ) {
        let row = shown.visual
        let whole = range(of: &line, in: session)
        let start = whole.lowerBound
        let selection = session.selectedRange(in: whole)
        let extra = isEnd(row, of: &line, in: session) ? 1 : 0
        marks.selected = row.cut(selection.lowerBound - start..<selection.upperBound - start, extra: extra) ?? 0..<0
        let bytes = start + row.range.lowerBound..<start + row.range.upperBound
        if session.hasOtherCarets {
            for other in session.otherSelections(touching: bytes) {
                let part = other.range.lowerBound - start..<other.range.upperBound - start
                if let part = row.cut(part, extra: extra) { marks.otherSelected.append(part) }
                let caret = other.head - start - row.range.lowerBound
                if caret >= 0, caret < row.range.count + extra { marks.carets.append(caret) }
            }
        }
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
        of shown: Viewport.Row, isFolded: Bool, isEnd: Bool, _ block: BlockKind, in session: EditorSession,
        _ frame: Frame, hasCaret: Bool
    ) -> RowMargin {
        var margin = RowMargin()
        if frame.numbers > 0, shown.index == 0 {
            margin.number = shown.line.rawValue + 1
            margin.hasCaret = hasCaret
        }
        (margin.isCutLeft, margin.isCutRight) = session.isCut(shown)
        if isFolded, let lines = session.foldedLines(under: shown.line) {
            if shown.index == 0 { margin.fold = .folded }
            if isEnd { margin.foldedLines = lines }
        } else if hasCaret, look.hasKeys, shown.index == 0, case .heading = block,
            session.endsHeading(shown.line)
        {
            // At the caret's heading, the mark shows where a click folds; at every heading it would distract.
            margin.fold = .open
        }
        return margin
    }
}
