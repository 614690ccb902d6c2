import Terminal
import ViewModel

/// The result of a long task, with all its failures.
@MainActor
final class ReportOverlay: PagerOverlay {
    var hints: [KeyHint] { search.field == nil ? Texts.Hints.closes : Texts.Hints.finding }

    private let report: TaskReport
    private let title: String
    private var box = OverlayBox()
    var scroller = Scroller()
    var search = PagerSearch()
    var rowTexts: [String] { lines }
    private var lines: [String] = []
    /// The number of lines about the result; the problems follow them.
    private var headCount = 0

    init(_ report: TaskReport, title: String = Texts.report) {
        self.report = report
        self.title = title
    }

    func arrange(in area: OverlayArea) {
        let columns = area.columns(upTo: 76)
        let head = report.sentence.wholeLines(fitting: columns)
        // A hanging indent shows where one problem ends and the next begins.
        let problems = report.problems.flatMap { problem in
            problem.wholeLines(fitting: columns - 2).enumerated().map {
                $0.offset == 0 ? $0.element : "  \($0.element)"
            }
        }
        lines = head + (problems.isEmpty ? [] : [""]) + problems
        headCount = head.count
        let rows = min(lines.count, area.size.rows - area.margin)
        box = OverlayBox(content: Size(columns: columns, rows: rows), on: area)
        scroller.arrange(count: lines.count, room: box.inside.rows)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: title, hint: keys.line(hints), into: &screen, theme: theme)
        drawRows(in: box, into: &screen, theme: theme) { $0 < headCount ? theme.title : theme.text }
    }
}
