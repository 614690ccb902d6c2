import Terminal
import ViewModel

/// Takes the keyboard focus during a task that allows no other action; Esc stops the task.
@MainActor
final class ProgressOverlay: Overlay {
    let context = KeyContext.dialog

    private let model: TakeNoteVM
    private let showsBar: Bool
    private var isStopping = false
    private var box = OverlayBox()

    /// - Parameter showsBar: whether a progress bar is drawn above the numbers.
    init(_ model: TakeNoteVM, showsBar: Bool = true) {
        self.model = model
        self.showsBar = showsBar
    }

    var hints: [KeyHint] { isStopping ? [] : Texts.Hints.stops }

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        if action == .cancel { stop() }
    }

    /// Stops the task at its next step.
    func stop() {
        isStopping = true
        model.stopTask()
    }

    func arrange(in area: OverlayArea) {
        box = OverlayBox(content: Size(columns: area.columns(upTo: 48), rows: 2), on: area)
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        guard let progress = model.progress else { return }
        let hint = isStopping ? Texts.stopping : keys.line(hints)
        box.draw(title: progress.title, hint: hint, into: &screen, theme: theme)
        let inside = box.inside
        let bar = !showsBar ? "" : progress.bar(columns: inside.columns, glyphs: theme.glyphs)
        screen.write(bar, at: inside.origin, style: theme.accent.on(theme.overlay), maxColumns: inside.columns)
        guard inside.rows > 1 else { return }
        screen.write(
            progress.counts, at: box.row(1).origin, style: theme.dim.on(theme.overlay), maxColumns: inside.columns)
    }
}

extension TaskProgress {
    /// Returns `120 of 400`; empty while the total is unknown.
    var counts: String { all == 0 ? "" : Texts.count(done, of: all) }

    /// Returns a progress bar that fills from the left: `━━━━────`; the ASCII one is `####----`.
    func bar(columns: Int, glyphs: Glyphs) -> String {
        let full = all == 0 ? 0 : min(columns, columns * done / all)
        let mark: Character = glyphs == .ascii || glyphs.isWords ? "#" : "━"
        return String(repeating: mark, count: max(0, full))
            + String(repeating: glyphs.horizontal, count: max(0, columns - full))
    }
}
