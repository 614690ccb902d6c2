import Terminal
import ViewModel

/// The output of a program, line by line as it was printed.
@MainActor
final class AnswerOverlay: PagerOverlay {
    var hints: [KeyHint] { search.field == nil ? Texts.Hints.help : Texts.Hints.finding }

    private let title: String
    private let lines: [String]
    private var box = OverlayBox()
    var scroller = Scroller()
    var search = PagerSearch()
    var rowTexts: [String] { lines }

    /// The largest number of lines kept: more than anybody reads in an overlay.
    private static let maximumLines = 100_000

    init(title: String, text: String) {
        self.title = title
        var lines = text.split(
            maxSplits: Self.maximumLines, omittingEmptySubsequences: false, whereSeparator: \.isNewline
        ).map { String($0.replacing("\t", with: "    ")) }
        if lines.last?.isEmpty == true { lines.removeLast() }
        self.lines = lines
    }

    func arrange(in area: OverlayArea) {
        let rows = max(1, min(lines.count, area.size.rows - area.margin))
        box = OverlayBox(content: Size(columns: area.columns(upTo: 96), rows: rows), on: area)
        scroller.arrange(count: lines.count, room: box.inside.rows)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: title, hint: keys.line(hints), into: &screen, theme: theme)
        screen.cursor = .hidden(at: box.row(scroller.readRow).origin)
        for (offset, line) in lines.dropFirst(scroller.top).prefix(box.inside.rows).enumerated() {
            let ground = ground(ofRow: scroller.top + offset, theme: theme)
            screen.fill(box.row(offset), style: ground)
            screen.write(
                line, at: box.row(offset).origin, style: theme.text.on(ground), fitting: box.inside.columns,
                glyphs: theme.glyphs)
        }
        drawSearchField(in: box, into: &screen, theme: theme)
    }
}
