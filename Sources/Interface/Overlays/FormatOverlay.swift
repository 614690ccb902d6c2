import Terminal
import TextEditing
import ViewModel

/// The changes proposed by Magic Format, one by one; Enter applies the ticked ones.
@MainActor
final class FormatOverlay: Overlay {
    /// A row of the list: the head of a change, or a line of its text or context.
    private enum Row {
        case head(Int)
        case line(ChangedRow)
    }

    let context = KeyContext.dialog

    private let work: MagicWork
    private let base: String
    private let take: @MainActor (String) -> Void
    private var changes: ReviewedChanges?
    private var unticked: Set<Int> = []
    private var rows: [Row] = []
    /// The columns that `rows` are wrapped to.
    private var columns = 0
    /// The change under the cursor.
    private var current = 0
    private var box = OverlayBox()
    private var scroller = Scroller()

    /// - Parameters:
    ///   - base: the text that the work formats.
    ///   - take: receives the text with the ticked changes.
    init(_ work: MagicWork, of base: String, in window: NotebookInterface, take: @escaping @MainActor (String) -> Void)
    {
        (self.work, self.base, self.take) = (work, base, take)
        work.changed = { [weak self, weak window] in
            self?.compare()
            window?.overlayChanged()
        }
    }

    /// Compares the texts once the result is complete.
    private func compare() {
        guard work.phase == .done, changes == nil else { return }
        let changes = ReviewedChanges(from: base, to: work.text)
        self.changes = changes
        wrap()
    }

    /// Makes the rows of each change: its head, and its lines with one before and one after them.
    private func wrap() {
        guard let changes else { return }
        rows = changes.changes.enumerated().flatMap { index, range -> [Row] in
            let before = max(range.lowerBound - 1, changes.changes[safe: index - 1]?.upperBound ?? 0)
            let after = min(
                range.upperBound + 1, changes.changes[safe: index + 1]?.lowerBound ?? changes.diff.lines.count)
            let lines = changes.diff.lines[before..<after]
            return [Row.head(index)] + lines.flatMap { ChangedRow.rows(of: $0, fitting: columns).map(Row.line) }
        }
    }

    private var count: Int { changes?.changes.count ?? 0 }

    var hints: [KeyHint] {
        switch work.phase {
        case .asking: Texts.Hints.consent
        case .working: Texts.Hints.stops
        case .done where count > 0: Texts.Hints.proposals
        case .done, .stopped, .failed: Texts.Hints.closes
        }
    }

    // MARK: Keys

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        if action != .cancel, work.takesAnswer(action, in: window) { return }
        switch action {
        case .cancel, .no: leave(window)
        case .down, .nextPart: move(to: current + 1)
        case .up, .previousPart: move(to: current - 1)
        case .first: move(to: 0)
        case .last: move(to: count - 1)
        case .toggle where count > 0: unticked.formSymmetricDifference([current])
        case .toggleAll where count > 0: unticked = unticked.isEmpty ? Set(0..<count) : []
        case .accept where !work.isRunning:
            window.dismiss(self)
            if let changes, count > 0 { take(changes.text(taking: Set(0..<count).subtracting(unticked))) }
        default: _ = scroller.perform(action)
        }
    }

    private func leave(_ window: NotebookInterface) {
        work.stop()
        window.dismiss(self)
    }

    private func move(to index: Int) {
        guard count > 0 else { return }
        current = min(max(index, 0), count - 1)
        showCurrent()
    }

    /// Scrolls so that the head of the current change is the first row, if possible.
    private func showCurrent() {
        let row = rows.firstIndex { row in if case .head(let index) = row { index == current } else { false } } ?? 0
        scroller.scroll(by: row - scroller.top)
    }

    func press(at position: Position, in window: NotebookInterface) {
        let offset = position.row - box.inside.row - 1 + scroller.top
        guard box.inside.contains(position), case .head(let index)? = rows[safe: offset] else { return }
        current = index
        unticked.formSymmetricDifference([index])
    }

    func wheel(at position: Position, rows: Int, in window: NotebookInterface) { scroller.scroll(by: rows * 3) }

    // MARK: Drawing

    func arrange(in area: OverlayArea) {
        let room = area.size.rows - area.margin
        let wide = area.columns(upTo: 100)
        if columns != wide {
            columns = wide
            wrap()
        }
        let wanted = count > 0 ? rows.count + 1 : 3
        box = OverlayBox(content: Size(columns: wide, rows: min(wanted, room)), on: area)
        scroller.arrange(count: rows.count, room: max(0, box.inside.rows - 1))
    }

    private var headline: String {
        switch work.phase {
        case .asking(let sentence): return sentence
        case .working: return work.text.isEmpty ? Texts.Magic.working : Texts.Magic.comparing
        case .stopped: return Texts.Magic.stopped
        case .failed(let sentence): return sentence
        case .done:
            guard count > 0 else { return Texts.Magic.unchanged }
            return ([Texts.Magic.taken(count - unticked.count, of: count)] + work.remarks).joined(separator: "; ")
        }
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: Texts.Magic.format, hint: keys.line(hints), into: &screen, theme: theme)
        guard box.inside.rows > 0 else { return }
        if count == 0 {
            for (offset, line) in headline.lines(fitting: box.inside.columns).prefix(box.inside.rows).enumerated() {
                screen.write(
                    line, at: box.row(offset).origin, style: theme.text.on(theme.overlay), fitting: box.inside.columns,
                    glyphs: theme.glyphs)
            }
            return
        }
        screen.write(
            headline, at: box.row(0).origin, style: theme.dim.on(theme.overlay), fitting: box.inside.columns,
            glyphs: theme.glyphs)
        box.draw(scroller.mark, fromRow: 1, into: &screen, theme: theme)
        for (offset, row) in rows.dropFirst(scroller.top).prefix(box.inside.rows - 1).enumerated() {
            let rect = box.row(offset + 1)
            switch row {
            case .line(let line): line.draw(in: rect, into: &screen, theme: theme)
            case .head(let index): drawHead(index, in: rect, into: &screen, theme: theme)
            }
        }
    }

    private func drawHead(_ index: Int, in rect: Rect, into screen: inout Screen, theme: Theme) {
        guard let changes else { return }
        let ground = index == current ? theme.selection : theme.overlay
        screen.fill(rect, style: ground)
        if index == current { screen.cursor = .hidden(at: rect.origin) }
        let used = screen.write(
            theme.glyphs.tick(unticked.contains(index) ? .none : .all) + " ", at: rect.origin,
            style: theme.key.on(ground))
        let first = changes.diff.lines[changes.changes[index].lowerBound]
        let line = (first.oldLine ?? first.newLine)?.rawValue ?? 0
        screen.write(
            Texts.Magic.change(index + 1, of: count, line: line + 1),
            at: Position(column: rect.column + used, row: rect.row), style: theme.title.on(ground),
            fitting: rect.columns - used, glyphs: theme.glyphs)
    }
}
