import Terminal
import ViewModel

/// Has the keys while something runs that nothing else can be done beside; Esc stops it.
@MainActor
final class ProgressOverlay: Overlay {
    private let model: TakeNoteVM
    private let showsBar: Bool
    private var isStopping = false

    /// - Parameter showsBar: whether a bar grows above the numbers.
    init(_ model: TakeNoteVM, showsBar: Bool = true) {
        self.model = model
        self.showsBar = showsBar
    }

    func handle(_ event: InputEvent, in interface: NotebookInterface) {
        guard case .key(let press) = event, ["Esc", "Ctrl-C"].contains(press.fixedChord?.description) else { return }
        isStopping = true
        model.stopTask()
    }

    func draw(into screen: inout Screen, theme: Theme) {
        guard let progress = model.progress else { return }
        let content = Size(columns: min(48, screen.size.columns - 4), rows: 2)
        let hint = isStopping ? "stopping" : "Esc stops it"
        let inside = screen.drawBox(content: content, title: progress.title, hint: hint, theme: theme)
        let bar = !showsBar ? "" : progress.bar(columns: inside.columns, glyphs: theme.glyphs)
        screen.write(bar, at: inside.origin, style: theme.accent.on(theme.overlay), maxColumns: inside.columns)
        guard inside.rows > 1 else { return }
        screen.write(
            progress.counts, at: Position(column: inside.column, row: inside.row + 1),
            style: theme.dim.on(theme.overlay), maxColumns: inside.columns)
    }
}

extension TaskProgress {
    /// `120 of 400`; nothing while it is not known how much there is.
    var counts: String { all == 0 ? "" : "\(done) of \(all)" }

    /// A bar that fills from the left: `━━━━────`; the ASCII one is `####----`.
    func bar(columns: Int, glyphs: Glyphs) -> String {
        let full = all == 0 ? 0 : min(columns, columns * done / all)
        let mark: Character = glyphs == .ascii ? "#" : "━"
        return String(repeating: mark, count: max(0, full))
            + String(repeating: glyphs.horizontal, count: max(0, columns - full))
    }
}
