import Terminal
import ViewModel

/// The output of a program, line by line as it was printed, or a text that is shown to its last character.
@MainActor
final class AnswerOverlay: PagerOverlay {
    var hints: [KeyHint] { search.field == nil ? Texts.Hints.help : Texts.Hints.finding }

    private let title: String
    /// The lines of the text.
    private let text: [String]
    /// Whether long lines go on in the next row; otherwise the edge of the box cuts them.
    private let wraps: Bool
    /// The rows that are shown, and the width for which they were made; nil until they are wrapped.
    private var lines: [String]
    private var wrappedColumns: Int?
    private var box = OverlayBox()
    var scroller = Scroller()
    var search = PagerSearch()
    var rowTexts: [String] { lines }

    /// The largest number of lines kept: more than anybody reads in an overlay.
    private static let maximumLines = 100_000

    init(title: String, text: String, wraps: Bool = false) {
        (self.title, self.wraps) = (title, wraps)
        var lines = text.split(
            maxSplits: Self.maximumLines, omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).map { String($0.replacing("\t", with: "    ")) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        (self.text, self.lines) = (lines, lines)
    }

    func arrange(in area: OverlayArea) {
        let columns = area.columns(upTo: 96)
        if wraps, wrappedColumns != columns {
            wrappedColumns = columns
            lines = text.flatMap { $0.rows(of: columns) }
        }
        let rows = max(1, min(lines.count, area.size.rows - area.margin))
        box = OverlayBox(content: Size(columns: columns, rows: rows), on: area)
        scroller.arrange(count: lines.count, room: box.inside.rows)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: title, hint: keys.line(hints), into: &screen, theme: theme)
        drawRows(in: box, into: &screen, theme: theme) { _ in theme.text }
    }
}
