import Terminal
import TextEditing

/// The lines in which two texts differ, with the differing words underlined.
@MainActor
struct ChangesView {
    enum Line {
        case text(TextDiff.Line)
        case gap
    }

    let lines: [Line]
    var scroller = Scroller()

    init(_ diff: TextDiff? = nil) {
        lines = Array((diff?.hunks() ?? []).map { $0.map(Line.text) }.joined(separator: [.gap]))
    }

    /// - Parameter empty: the text to show if there are no lines.
    func draw(in rect: Rect, into screen: inout Screen, theme: Theme, empty: String) {
        if lines.isEmpty, rect.rows > 0 {
            screen.write(
                empty, at: rect.origin, style: theme.dim.on(theme.overlay), fitting: rect.columns, glyphs: theme.glyphs)
        }
        for (offset, line) in lines.dropFirst(scroller.top).prefix(rect.rows).enumerated() {
            let row = Rect(column: rect.column, row: rect.row + offset, columns: rect.columns, rows: 1)
            switch line {
            case .gap: screen.fill(row, with: theme.glyphs.horizontal, style: theme.overlayFrame)
            case .text(let line): Self.draw(line, in: row, into: &screen, theme: theme)
            }
        }
    }

    /// Draws a line with its sign; in a changed line, underlines the words that differ.
    static func draw(_ line: TextDiff.Line, in rect: Rect, into screen: inout Screen, theme: Theme) {
        let (sign, style): (String, Style) =
            switch line.kind {
            case .same: ("  ", theme.dim)
            case .removed: ("- ", theme.removed)
            case .added: ("+ ", theme.added)
            }
        let plain = style.on(theme.overlay)
        var changed = plain
        changed.underline = .single
        let column = rect.column + screen.write(sign, at: rect.origin, style: plain)
        let pieces = line.text.parts(marking: line.changedWords).map { part in
            (text: part.text, style: part.isMarked ? changed : plain)
        }
        screen.write(
            pieces, at: Position(column: column, row: rect.row), style: theme.dim.on(theme.overlay),
            fitting: rect.maxColumn - column, glyphs: theme.glyphs)
    }
}
