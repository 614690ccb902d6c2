import Terminal
import ViewModel

/// What came of something long, with all that could not be done.
@MainActor
final class ReportOverlay: Overlay {
    private let report: TaskReport
    private var top = 0
    private var visibleRows = 1
    private var lineCount = 0

    init(_ report: TaskReport) {
        self.report = report
    }

    func handle(_ event: InputEvent, in interface: NotebookInterface) {
        switch event {
        case .key(let press):
            switch press.fixedChord?.description {
            case "Down", "j": scroll(by: 1)
            case "Up", "k": scroll(by: -1)
            case "PgDn", "Space": scroll(by: visibleRows)
            case "PgUp": scroll(by: -visibleRows)
            case "Home", "g": top = 0
            case "End", "G": scroll(by: lineCount)
            case "Esc", "Enter", "q", "Ctrl-Q": interface.dismiss(self)
            default: break
            }
        case .mouse(let mouse):
            if case .wheel(columns: _, let rows) = mouse.kind { scroll(by: rows * 3) }
            if case .press = mouse.kind { interface.dismiss(self) }
        default: break
        }
    }

    private func scroll(by rows: Int) {
        top = min(max(0, top + rows), max(0, lineCount - visibleRows))
    }

    func draw(into screen: inout Screen, theme: Theme) {
        let columns = min(76, screen.size.columns - 4)
        let head = report.sentence.lines(fitting: columns)
        // Where one problem ends and the next begins is seen by what hangs.
        let problems = report.problems.flatMap { problem in
            problem.lines(fitting: columns - 2).enumerated().map { $0.offset == 0 ? $0.element : "  \($0.element)" }
        }
        let lines = head + (problems.isEmpty ? [] : [""]) + problems
        lineCount = lines.count
        let content = Size(columns: columns, rows: min(lines.count, screen.size.rows - (screen.size.rows < 16 ? 2 : 4)))
        let inside = screen.drawBox(content: content, title: "Report", hint: "Esc closes", theme: theme)
        visibleRows = max(1, inside.rows)
        scroll(by: 0)
        for (offset, line) in lines.dropFirst(top).prefix(inside.rows).enumerated() {
            let place = Position(column: inside.column, row: inside.row + offset)
            let style = top + offset < head.count ? theme.title : theme.text
            screen.write(
                line, at: place, style: style.on(theme.overlay), fitting: inside.columns, glyphs: theme.glyphs)
        }
    }
}
