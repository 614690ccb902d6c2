import Terminal
import TextEditing

/// The lines in which two texts differ, with the differing words underlined.
@MainActor
struct ChangesView {
    private enum Row {
        case text(ChangedRow)
        case gap
    }

    private let hunks: [ArraySlice<TextDiff.Line>]
    /// The most bytes of text that are wrapped, since wrapping takes time; of what follows, each line takes one row.
    private static let maximumWrapped = 100_000
    /// The columns that `rows` are wrapped to.
    private var columns = 0
    private var rows: [Row] = []
    var scroller = Scroller()

    init(_ diff: TextDiff? = nil) {
        hunks = diff?.hunks() ?? []
    }

    /// Wraps the lines to a rectangle in which they are drawn.
    mutating func arrange(in rect: Rect) {
        if rect.columns != columns {
            columns = rect.columns
            var left = Self.maximumWrapped
            let rowsOfHunks = hunks.map { hunk in
                hunk.flatMap { line -> [Row] in
                    left -= line.text.utf8.count
                    return ChangedRow.rows(of: line, fitting: left > 0 ? columns : .max).map(Row.text)
                }
            }
            rows = Array(rowsOfHunks.joined(separator: [.gap]))
        }
        scroller.arrange(count: rows.count, room: rect.rows)
    }

    /// - Parameter empty: the text to show if there are no lines.
    func draw(in rect: Rect, into screen: inout Screen, theme: Theme, empty: String) {
        if hunks.isEmpty, rect.rows > 0 {
            screen.write(
                empty, at: rect.origin, style: theme.dim.on(theme.overlay), fitting: rect.columns, glyphs: theme.glyphs)
        }
        for (offset, row) in rows.dropFirst(scroller.top).prefix(rect.rows).enumerated() {
            let area = Rect(column: rect.column, row: rect.row + offset, columns: rect.columns, rows: 1)
            switch row {
            case .gap: screen.fill(area, with: theme.glyphs.horizontal, style: theme.overlayFrame)
            case .text(let row): row.draw(in: area, into: &screen, theme: theme)
            }
        }
    }
}

/// A row of a line of two compared texts.
///
/// A line that was changed takes as many rows as it needs, since its changed words may be anywhere in it. A line that is
/// the same in both takes one.
struct ChangedRow {
    /// The part of the line in the row, with the words that differ in it.
    let line: TextDiff.Line
    private let beginsLine: Bool

    /// The columns of the sign before each row.
    private static let signColumns = 2

    static func rows(of line: TextDiff.Line, fitting columns: Int) -> [ChangedRow] {
        guard line.kind != .same, columns < .max else { return [ChangedRow(line: line, beginsLine: true)] }
        let bytes = Array(line.text.utf8)
        return line.text.wrapped(into: max(1, columns - signColumns)).map { range in
            var part = line
            part.text = String(decoding: bytes[range], as: UTF8.self)
            part.changedWords = line.changedWords.compactMap { word in
                let seen = word.clamped(to: range)
                return seen.isEmpty ? nil : seen.lowerBound - range.lowerBound..<seen.upperBound - range.lowerBound
            }
            return ChangedRow(line: part, beginsLine: range.lowerBound == 0)
        }
    }

    /// Draws the row, with the sign of its line before the first one; in a changed line, underlines the words that
    /// differ.
    func draw(in rect: Rect, into screen: inout Screen, theme: Theme) {
        let (sign, style): (String, Style) =
            switch line.kind {
            case .same: ("  ", theme.dim)
            case .removed: ("- ", theme.removed)
            case .added: ("+ ", theme.added)
            }
        let plain = style.on(theme.overlay)
        var changed = plain
        changed.underline = .single
        screen.write(beginsLine ? sign : "  ", at: rect.origin, style: plain)
        let column = rect.column + Self.signColumns
        let pieces = line.text.parts(marking: line.changedWords).map { part in
            (text: part.text, style: part.isMarked ? changed : plain)
        }
        screen.write(
            pieces, at: Position(column: column, row: rect.row), style: theme.dim.on(theme.overlay),
            fitting: rect.maxColumn - column, glyphs: theme.glyphs)
    }
}
