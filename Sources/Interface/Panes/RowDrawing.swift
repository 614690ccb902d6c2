import Markdown
import Terminal
import TextEditing
import TextPrimitives

/// The parameters for drawing the rows of a text.
struct RowPen {
    let theme: Theme
    /// Derived from the theme; every theme has its own object.
    let styles: MarkdownStyles
    let tabWidth: Int
    /// The column at which rows start.
    let left: Int
    /// The number of columns that a row may fill.
    var columns = 0
    /// The cell of an unwrapped line that is drawn at `left`; 0 if lines are wrapped.
    var leftColumn = 0

    func draws(like other: DrawnRows.Ground) -> Bool {
        styles === other.styles && tabWidth == other.tabWidth && left == other.left && columns == other.columns
            && leftColumn == other.leftColumn
    }
}

/// The text and the highlighting of a row, which stay the same as long as its line does.
///
/// All offsets are bytes of the row.
final class RowContent: Equatable, Sendable {
    /// The bytes of the row, a slice of its line's.
    let text: ArraySlice<UInt8>
    /// Empty cells before the text.
    let indent: Int
    let block: BlockKind
    let runs: [HighlightRun]

    /// Cuts the text and highlight of a line down to one row.
    ///
    /// - Parameters:
    ///   - text: the bytes of the row.
    ///   - highlight: the highlight of the line; its offsets are bytes of the line.
    init(text: ArraySlice<UInt8>, row: VisualRow, highlight: LineHighlight) {
        var runs: [HighlightRun] = []
        let first = highlight.runs.partitioningIndex { $0.range.upperBound > row.range.lowerBound }
        runs.reserveCapacity(min(highlight.runs.count - first, row.range.count))
        for run in highlight.runs[first...] {
            guard let part = row.cut(run.range) else { break }
            runs.append(HighlightRun(range: part, kind: run.kind))
        }
        (self.text, indent, block, self.runs) = (text, row.indent, highlight.block, runs)
    }

    static func == (a: RowContent, b: RowContent) -> Bool {
        a === b || (a.indent == b.indent && a.block == b.block && a.text == b.text && a.runs == b.runs)
    }
}

/// The marks in a row, and its margin.
struct RowMarks: Equatable {
    /// The selected bytes; one byte beyond the text if the line's end is selected, which shows as a cell.
    var selected = 0..<0
    /// The selections of the other carets, in ascending order, and these carets; one at the text's end shows as a cell.
    var otherSelected: [Range<Int>] = []
    var carets: [Int] = []
    /// Whether the row is outside the paragraph being written.
    var isDim = false
    /// Whether the selection is a match.
    var isMatchSelected = false
    /// The misspelt words, sorted.
    var misspelt: [Range<Int>] = []
    /// The matches of a search, sorted.
    var matches: [Range<Int>] = []
    var margin = RowMargin()
}

/// The drawing of one row of a line, regardless of its position on the screen: equal drawings look the same.
///
/// It is a class, so that an unchanged row is recognised at once by its identity.
final class RowDrawing: Equatable {
    let content: RowContent
    let marks: RowMarks
    /// Whether there are no marks, and nothing in the margin.
    let isUnmarked: Bool

    init(_ content: RowContent, _ marks: RowMarks = RowMarks()) {
        (self.content, self.marks) = (content, marks)
        isUnmarked = marks == RowMarks()
    }

    static func == (a: RowDrawing, b: RowDrawing) -> Bool {
        a === b || (a.content == b.content && a.marks == b.marks)
    }

    /// Returns this drawing with other marks.
    func marked(_ marks: RowMarks) -> RowDrawing {
        marks == self.marks ? self : RowDrawing(content, marks)
    }

    @MainActor
    func draw(row index: Int, with pen: RowPen, into screen: inout Screen) {
        let start = Position(column: pen.left, row: index)
        let text = content.text
        let ground = pen.styles.ground(of: content.block)
        if ground.background != .default {
            let columns = screen.size.columns - start.column - 1
            screen.fill(Rect(column: start.column, row: start.row, columns: columns, rows: 1), style: ground)
        }
        var column = start.column + content.indent
        var offset = 0
        var runs = content.runs[...]
        while offset < text.count {
            var (style, end) = (ground, text.count)
            if let run = runs.first {
                let isInside = run.range.lowerBound <= offset
                end = isInside ? run.range.upperBound : run.range.lowerBound
                if isInside { style = pen.styles.style(of: run.kind).on(ground) }
            }
            if marks.isDim { style = pen.theme.dim.on(ground) }
            (style, end) = marked(pen.theme, style, from: offset, to: end)
            // A Markdown marker and a combining character after it form one cluster, which is drawn in one piece.
            end = clusterBoundary(atOrAfter: end)
            column += write(
                offset..<end, at: Position(column: column, row: start.row), style: style, with: pen, into: &screen)
            offset = end
            while let run = runs.first, run.range.upperBound <= offset { runs.removeFirst() }
        }
        // The end of an unwrapped line may lie left of the visible columns.
        if column >= start.column {
            drawLineEnd(pen.theme, at: Position(column: column, row: start.row), into: &screen)
        }
        marks.margin.draw(row: index, textEnd: column, with: pen, into: &screen)
    }

    private func clusterBoundary(atOrAfter offset: Int) -> Int {
        content.text.withUnsafeBufferPointer { Clusters.boundary(atOrAfter: offset, in: $0) }
    }

    /// Cuts a run where a mark begins or ends, and gives it the style of the marks there.
    private func marked(_ theme: Theme, _ text: Style, from offset: Int, to limit: Int) -> (Style, Int) {
        var (style, end) = (text, limit)
        if !marks.misspelt.isEmpty { (style, end) = withMisspelt(theme, style, from: offset, to: end) }
        let plain = style
        (style, end) = withMatch(theme, style, from: offset, to: end)
        if marks.isMatchSelected, marks.selected.contains(offset) {
            style = theme.matchAtHand
        } else {
            // A match inside a selection is drawn as selected text: match colours suit another background.
            if marks.isSelected(offset) { style = plain }
            (style, end) = withSelection(theme, style, from: offset, to: end)
        }
        if !marks.carets.isEmpty { (style, end) = withCaret(style, from: offset, to: end) }
        return (style, end)
    }

    /// Cuts a run at the ends of misspelt words, and underlines them.
    private func withMisspelt(_ theme: Theme, _ style: Style, from start: Int, to end: Int) -> (Style, Int) {
        guard let word = marks.misspelt.first(where: { $0.upperBound > start }), word.lowerBound < end else {
            return (style, end)
        }
        if word.lowerBound > start { return (style, word.lowerBound) }
        var style = style
        style.underline = .curly
        style.underlineColor = theme.trouble.foreground
        return (style, min(end, word.upperBound))
    }

    /// Cuts a run at the start or end of a match, and applies the style of the match.
    private func withMatch(_ theme: Theme, _ style: Style, from start: Int, to end: Int) -> (Style, Int) {
        guard let match = marks.matches.first(where: { $0.upperBound > start }), match.lowerBound < end else {
            return (style, end)
        }
        if match.lowerBound > start { return (style, match.lowerBound) }
        return (theme.match, min(end, match.upperBound))
    }

    /// Cuts a run at the ends of the selection, and applies the selection's style.
    private func withSelection(_ theme: Theme, _ style: Style, from start: Int, to end: Int) -> (Style, Int) {
        let selected = marks.selected(from: start)
        guard !selected.isEmpty, selected.lowerBound < end, selected.upperBound > start else { return (style, end) }
        if selected.lowerBound > start { return (style, selected.lowerBound) }
        var style = style
        // In reverse, a colour of the text would be a patch of background.
        let isReversed = theme.selectedText.attributes.contains(.reverse)
        if style.foreground == .default || isReversed { style.foreground = theme.selectedText.foreground }
        style.background = theme.selectedText.background
        style.attributes.formUnion(theme.selectedText.attributes)
        return (style, min(end, selected.upperBound))
    }

    /// Cuts a run at a caret, and applies the style of the cell that shows it.
    private func withCaret(_ style: Style, from start: Int, to end: Int) -> (Style, Int) {
        guard let caret = marks.carets.first(where: { $0 >= start }), caret < end else { return (style, end) }
        if caret > start { return (style, caret) }
        return (style.ofCaret, content.text.withUnsafeBufferPointer { Clusters.end(from: start, in: $0) })
    }

    /// Writes a run, expanding tabs to the next tab stop, and returns the number of cells used.
    private func write(
        _ range: Range<Int>, at start: Position, style: Style, with pen: RowPen, into screen: inout Screen
    ) -> Int {
        content.text.withUnsafeBufferPointer { write($0, range, at: start, style: style, with: pen, into: &screen) }
    }

    private func write(
        _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, at start: Position, style: Style, with pen: RowPen,
        into screen: inout Screen
    ) -> Int {
        var position = start
        var offset = range.lowerBound
        while offset < range.upperBound {
            let tab = text[offset..<range.upperBound].firstIndex(of: UInt8(ascii: "\t")) ?? range.upperBound
            if tab > offset {
                position.column += screen.write(
                    utf8: UnsafeBufferPointer(rebasing: text[offset..<tab]), at: position, style: style)
            }
            if tab < range.upperBound {
                let width = pen.tabWidth - (position.column - pen.left + pen.leftColumn) % pen.tabWidth
                screen.fill(Rect(column: position.column, row: position.row, columns: width, rows: 1), style: style)
                position.column += width
            }
            offset = tab + 1
        }
        return position.column - start.column
    }

    /// Draws a selected line end, or a caret at the line's end, as one cell.
    private func drawLineEnd(_ theme: Theme, at position: Position, into screen: inout Screen) {
        let isSelected = marks.isSelected(content.text.count)
        let hasCaret = marks.carets.contains(content.text.count)
        guard isSelected || hasCaret else { return }
        let style = isSelected ? theme.selectedText : .default
        screen.fill(
            Rect(column: position.column, row: position.row, columns: 1, rows: 1),
            style: hasCaret ? style.ofCaret : style)
    }
}

extension RowMarks {
    fileprivate func isSelected(_ offset: Int) -> Bool {
        selected.contains(offset) || otherSelected.contains { $0.contains(offset) }
    }

    /// Returns the selection at an offset, or the first one after it; empty if there is none.
    fileprivate func selected(from offset: Int) -> Range<Int> {
        guard let other = otherSelected.first(where: { $0.upperBound > offset }) else { return selected }
        return selected.upperBound > offset && selected.lowerBound < other.lowerBound ? selected : other
    }
}

extension Style {
    /// The style of a cell that shows one of several carets, with and without colours.
    ///
    /// In reversed text, such as a selection without colours, the cell is not reversed but underlined.
    fileprivate var ofCaret: Style {
        var style = self
        if attributes.contains(.reverse) {
            style.attributes.remove(.reverse)
            style.underline = .single
        } else {
            style.attributes.insert(.reverse)
        }
        return style
    }
}

extension VisualRow {
    /// Returns the part of a range of the line's bytes that lies in the row, in bytes of the row; nil if it is empty.
    ///
    /// - Parameter extra: the number of bytes after the row that count as part of it.
    func cut(_ part: Range<Int>, extra: Int = 0) -> Range<Int>? {
        let inside = part.clamped(to: range.lowerBound..<range.upperBound + extra)
        return inside.isEmpty ? nil : inside.lowerBound - range.lowerBound..<inside.upperBound - range.lowerBound
    }
}
