import Terminal
import TextEditing
import ViewModel

/// A model's text about a text of the note, shown beside that text as it arrives.
///
/// A question by the work takes all keys until it is answered, and its safe answer is the default. The result gets into
/// the note only by a key.
@MainActor
final class MagicOverlay: Overlay {
    /// The actions on the complete result.
    struct Choice {
        /// The name of Enter's action: `replace`.
        var accept: String
        /// Performs Enter's action; returns the reason if that fails.
        var take: @MainActor () -> String?
        /// Inserts the result below the text; nil if it cannot be inserted there.
        var insert: (@MainActor () -> String?)?
    }

    let context = KeyContext.dialog

    private let title: String
    private let work: MagicWork
    private let choice: Choice
    private unowned let window: NotebookInterface
    private var refusal: String?
    /// Whether the text still arrived at the last layout.
    private var wasRunning = false
    /// Whether the next layout shows the refusal, which is at the end.
    private var showsRefusal = false
    private var box = OverlayBox()
    private var scroller = Scroller()
    /// A line of the box, or a paragraph before it is wrapped.
    private typealias Part = (text: String, isRemark: Bool)
    private var lines: [Part] = []

    init(_ title: String, _ work: MagicWork, _ choice: Choice, in window: NotebookInterface) {
        (self.title, self.work, self.choice) = (title, work, choice)
        self.window = window
        work.changed = { [weak window] in window?.overlayChanged() }
    }

    var hints: [KeyHint] {
        switch work.phase {
        case .asking: Texts.Hints.consent
        case .working: Texts.Hints.stops
        case .done: resultHints
        case .stopped, .failed: (work.text.isEmpty ? [] : [Texts.Hints.copy]) + Texts.Hints.closes
        }
    }

    /// The hints for the complete result; a narrow box drops the first ones it has no room for.
    private var resultHints: [KeyHint] {
        var hints = lines.count > scroller.room ? [Texts.Hints.scrolls] : []
        hints.append(Texts.Hints.copy)
        if choice.insert != nil { hints.append(Texts.Hints.insertBelow) }
        hints.append(KeyHint("overlay.accept", choice.accept))
        return hints + Texts.Hints.cancel
    }

    // MARK: Keys

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        if action != .cancel, work.takesAnswer(action, in: window) { return }
        switch action {
        case .cancel, .no: leave(window)
        case .accept where work.phase == .done: finish(choice.take, in: window)
        case .insertBelow where work.phase == .done:
            if let insert = choice.insert { finish(insert, in: window) }
        case .yes: copy(window)
        default: _ = scroller.perform(action, byLine: window.state.theme.glyphs.isWords)
        }
    }

    /// Stops running work at the first press, so that the received text can be read; otherwise closes the overlay.
    private func leave(_ window: NotebookInterface) {
        let wasRunning = work.isRunning && !work.text.isEmpty
        work.stop()
        if !wasRunning { window.dismiss(self) }
    }

    private func finish(_ act: @MainActor () -> String?, in window: NotebookInterface) {
        refusal = act()
        showsRefusal = refusal != nil
        if refusal == nil { window.dismiss(self) }
    }

    private func copy(_ window: NotebookInterface) {
        guard !work.isRunning, !work.text.isEmpty else { return }
        window.dismiss(self)
        window.keep(Clipping(text: work.text), called: Texts.answer)
    }

    func wheel(at position: Position, rows: Int, in window: NotebookInterface) { scroller.scroll(by: rows * 3) }

    // MARK: Drawing

    func arrange(in area: OverlayArea) {
        let size = area.size
        let pane = window.layout.panes[.editor] ?? Rect(column: 0, row: 0, columns: size.columns, rows: size.rows)
        let half = OverlayArea(size: Size(columns: pane.columns, rows: size.rows), isRead: area.isRead)
        let columns = area.isRead ? size.columns : max(16, min(84, pane.columns - 6))
        lines = []
        for part in said {
            for paragraph in part.text.split(separator: "\n", omittingEmptySubsequences: false) {
                let rows = String(paragraph).wholeLines(fitting: columns)
                for row in rows.isEmpty ? [""] : rows { lines.append((text: row, isRemark: part.isRemark)) }
            }
        }
        let most = max(1, size.rows / 2 - 3)
        let content = Size(columns: columns, rows: min(max(lines.count, 3), most))
        box = OverlayBox(content: content, on: half).moved(
            columns: pane.column, rows: (isTextAbove(size) ? 1 : -1) * ((size.rows - content.rows) / 2 - 2),
            within: size)
        scroller.arrange(count: lines.count, room: box.inside.rows)
        // While text arrives, its end is shown; the complete result is read from its beginning.
        if work.isRunning || showsRefusal {
            scroller.scroll(by: lines.count)
        } else if wasRunning, work.phase == .done {
            scroller.scrollToTop()
        }
        (wasRunning, showsRefusal) = (work.isRunning, false)
    }

    /// Whether the caret is in the upper half of the screen, so that the box is put below it.
    private func isTextAbove(_ size: Size) -> Bool {
        guard let session = window.model.session else { return false }
        return session.caretCell(in: session.visibleRows()).map { $0.row < size.rows / 2 } ?? false
    }

    /// Whether the arriving text is shown only once it is whole: a screen reader speaks each row that changes, so it
    /// would begin again with every piece.
    private var isHeldBack: Bool { work.isRunning && window.state.theme.glyphs.isWords }

    private var said: [Part] {
        let text = isHeldBack ? "" : work.isRunning ? work.text.tail : work.text
        var parts: [Part] = text.isEmpty ? [] : [(text: text, isRemark: false)]
        func remark(_ text: String) { parts.append((text: text, isRemark: true)) }
        switch work.phase {
        case .asking(let sentence): remark(sentence)
        case .working where isHeldBack || work.text.isEmpty:
            if !isHeldBack, !work.thought.isEmpty { remark(work.thought) }
            remark(Texts.Magic.working)
        case .working, .done: break
        case .stopped: remark(Texts.Chat.stopped)
        case .failed(let sentence): remark(sentence)
        }
        work.remarks.forEach(remark)
        if let refusal { remark(refusal) }
        return parts
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        box.draw(title: title, hint: keys.line(hints), into: &screen, theme: theme)
        for (offset, line) in lines.dropFirst(scroller.top).prefix(box.inside.rows).enumerated() {
            screen.write(
                line.text, at: box.row(offset).origin,
                style: (line.isRemark ? theme.dim : theme.text).on(theme.overlay),
                fitting: box.inside.columns, glyphs: theme.glyphs)
        }
        box.draw(scroller.mark, into: &screen, theme: theme)
        screen.cursor = .hidden(at: box.row(scroller.readRow).origin)
    }
}

extension NotebookInterface {
    /// Shows a request as it would be sent, to its last character.
    func showRequest(_ text: String) {
        show(AnswerOverlay(title: Texts.Chat.toBeSent, text: text, wraps: true))
    }
}

extension MagicWork {
    /// Answers the work's question about sending the text: only y sends it; Enter does not.
    ///
    /// - Returns: whether the work is asking; then the action has no other effect.
    func takesAnswer(_ action: OverlayAction, in window: NotebookInterface) -> Bool {
        guard case .asking = phase else { return false }
        switch action {
        case .yes: decide(.once)
        case .toggleAll: decide(.always)
        case .showSent: window.showRequest(requests)
        case .accept, .no: decide(.refused)
        default: break
        }
        return true
    }
}
