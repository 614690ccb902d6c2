import Intelligence
import Markdown
import Terminal
import ViewModel

/// Magic Chat in the editor's rectangle: the conversation, and below it the field for the next question.
///
/// The field has the focus first. Tab moves to the newest answer and selects the citations one after the other; there Enter
/// opens a note and `n` saves the answer as a note. A question by the chat takes all keys until it is answered, and its
/// safe answer is the default.
@MainActor
final class ChatOverlay: Overlay {
    private unowned let window: NotebookInterface
    private let chat: MagicChat
    private let preview = PreviewPane()
    private var typed = LineField()
    private var isInAnswer = false
    private var frame = Rect(column: 0, row: 0, columns: 0, rows: 0)
    /// The revision of the chat at the last scroll to its end.
    private var seen = -1

    init(_ window: NotebookInterface) {
        self.window = window
        chat = window.model.magicChat
        chat.changed = { [weak window] in window?.overlayChanged() }
    }

    var context: KeyContext { chat.demand != nil || isInAnswer ? .dialog : .prompt }

    var field: LineField? {
        get { context == .prompt ? typed : nil }
        set { typed = newValue ?? LineField() }
    }

    var hints: [KeyHint] {
        switch chat.demand {
        case .consent?: Texts.Hints.consent
        case .note?: Texts.Hints.wantedNote(scrolls: scrollsDemand)
        case nil: isInAnswer ? Texts.Hints.answer : Texts.Hints.question(isAnswering: chat.isAnswering)
        }
    }

    // MARK: Keys

    func perform(_ action: OverlayAction, in window: NotebookInterface) {
        if chat.demand != nil { return answerDemand(action) }
        if isInAnswer { return performInAnswer(action) }
        switch action {
        case .accept: ask()
        case .cancel: if chat.isAnswering { chat.stop() } else { window.dismiss(self) }
        case .stop: chat.stop()
        case .nextPart: enterAnswer(1)
        case .previousPart: enterAnswer(-1)
        case .up: preview.scroll(by: -1)
        case .down: preview.scroll(by: 1)
        case .pageUp: preview.scroll(pages: -1)
        case .pageDown: preview.scroll(pages: 1)
        default: break
        }
    }

    private func ask() {
        guard !chat.isAnswering, typed.text.contains(where: { !$0.isWhitespace }) else { return }
        let question = typed.text
        typed = LineField()
        preview.link = nil
        chat.ask(question)
    }

    private func enterAnswer(_ step: Int) {
        guard !chat.entries.isEmpty else { return }
        isInAnswer = true
        preview.selectLink(after: step, fromSourceLine: Self.line(after: answered.dropLast()))
    }

    private func performInAnswer(_ action: OverlayAction) {
        switch action {
        case .nextPart: preview.selectLink(after: 1)
        case .previousPart: preview.selectLink(after: -1)
        case .accept: openSelected()
        case .no: chat.saveAsNote()
        case .cancel: if chat.isAnswering { chat.stop() } else { isInAnswer = false }
        case .up: preview.scroll(by: -1)
        case .down: preview.scroll(by: 1)
        case .pageUp: preview.scroll(pages: -1)
        case .pageDown: preview.scroll(pages: 1)
        case .first: preview.scroll(by: -1_000_000)
        case .last: preview.scroll(by: 1_000_000)
        default: break
        }
    }

    private func answerDemand(_ action: OverlayAction) {
        switch action {
        case .yes: chat.decide(.once)
        case .toggleAll:
            if case .consent? = chat.demand { chat.decide(.always) }
        case .showSent:
            if let request = chat.awaitedRequest { window.showRequest(request) }
        case .accept, .no, .cancel: chat.decide(.refused)
        case .up: preview.scroll(by: -1)
        case .down: preview.scroll(by: 1)
        case .pageUp: preview.scroll(pages: -1)
        case .pageDown: preview.scroll(pages: 1)
        case .first: showDemand()
        case .last: preview.scroll(by: 1_000_000)
        default: break
        }
    }

    private func openSelected() {
        if let link = preview.selectedLink { open(link) }
    }

    private func open(_ link: MarkdownLink) {
        // Only notes of this notebook are opened, never an address that a model has written.
        guard link.kind == .note else { return }
        window.dismiss(self)
        window.model.loadNoteFromURL("takenote://note/\(link.target)" + (link.heading.map { "#" + $0 } ?? ""))
        window.focus(.editor)
    }

    func press(at position: Position, in window: NotebookInterface) {
        guard frame.contains(position) else { return window.dismiss(self) }
        guard chat.demand == nil else { return }
        isInAnswer = false
        let (column, row) = (position.column - frame.column - inset, position.row - frame.row)
        if row == frame.rows - 1 { return typed.moveCaret(toColumn: column, columns: frame.columns - 2 * inset) }
        let text = row - conversationTop
        if (0..<conversationRows).contains(text), let link = preview.link(column: column, row: text) { open(link) }
    }

    func wheel(at position: Position, rows: Int, in window: NotebookInterface) { preview.scroll(by: rows * 3) }

    // MARK: Drawing

    /// The number of rows below which the rules give theirs to the conversation; chosen by eye.
    private static let rowsForRules = 8

    /// The number of blank columns at the sides; none for a screen reader, since a braille display begins at the left edge.
    private var inset: Int { window.state.theme.glyphs.isWords ? 0 : 1 }

    private var hasRules: Bool { frame.rows >= Self.rowsForRules }
    /// The row in which the conversation begins: below the title and its rule.
    private var conversationTop: Int { hasRules ? 2 : 1 }

    func arrange(in area: OverlayArea) {
        let whole = Rect(column: 0, row: 0, columns: area.size.columns, rows: max(1, area.size.rows - 1))
        frame = window.layout.panes[.editor] ?? whole
        preview.arrange(
            conversation, revision: chat.revision, columns: max(8, frame.columns - 2 * inset), rows: conversationRows,
            glyphs: window.state.theme.glyphs)
        guard seen != chat.revision else { return }
        seen = chat.revision
        // The newest text is at the end, and so is a question by the chat; what the chat is for is read from its start.
        guard !chat.entries.isEmpty || chat.demand != nil else { return }
        preview.scroll(by: 1_000_000)
        if chat.demand != nil { showDemand() }
    }

    /// Scrolls back to the beginning of the chat's question, since what is decided on is read from its start.
    private func showDemand() {
        preview.scrollUp(toSourceLine: demandLine)
    }

    /// The line of the conversation, counted from 0, in which the chat's question begins.
    private var demandLine: Int { Self.line(after: answered) }

    /// The line of the conversation, counted from 0, in which what follows its first entries begins.
    private static func line(after entries: some Sequence<String>) -> Int {
        let before = entries.joined(separator: gap)
        return before.isEmpty ? 0 : (before + gap).utf8.count { $0 == UInt8(ascii: "\n") }
    }

    /// Whether the chat's question is longer than the rows for it.
    private var scrollsDemand: Bool {
        chat.demand != nil && preview.lineCount(fromSourceLine: demandLine) > conversationRows
    }

    /// The number of rows between the title and the field.
    private var conversationRows: Int { max(1, frame.rows - 2 * conversationTop) }

    /// The entries; while an answer arrives, only the last ones, since each piece lays out the conversation again.
    private var shownEntries: ArraySlice<MagicChat.Entry> {
        guard chat.isAnswering else { return chat.entries[...] }
        var size = 0
        let count = chat.entries.reversed().prefix { entry in
            defer { size += entry.answer.utf8.count }
            return size < String.tailLength
        }.count
        return chat.entries.suffix(count)
    }

    /// Whether the arriving answer is shown only once it is whole: a screen reader speaks each row that changes, so it
    /// would begin again with every piece.
    private var isHeldBack: Bool { chat.isAnswering && window.state.theme.glyphs.isWords }

    /// The entries as Markdown.
    private var answered: [String] {
        let entries = shownEntries
        return entries.indices.map { index in
            let entry = entries[index]
            var lines = ["**\(Self.plain(entry.question))**"]
            if isHeldBack, index == entries.indices.last { return lines[0] }
            if !entry.answer.isEmpty { lines.append(chat.isAnswering ? entry.answer.tail : entry.answer) }
            if entry.isStopped { lines.append("*\(Texts.Chat.stopped)*") }
            if !entry.thought.isEmpty { lines.append("*\(Self.plain(entry.thought))*") }
            lines += entry.remarks.map { "*\(Self.plain($0))*" }
            return lines.joined(separator: Self.gap)
        }
    }

    /// What separates two paragraphs of the conversation.
    private static let gap = "\n\n"

    /// The conversation as Markdown.
    private var conversation: String {
        var parts = answered
        switch chat.demand {
        case .consent(let sentence)?: parts.append("**\(Self.plain(sentence))**")
        case .note(let proposal)?:
            // Laid out as Markdown, it would hide the addresses of its links.
            parts.append("**\(Texts.Chat.wantsNote)**" + Self.gap + Self.fenced(proposal.markdown))
        case nil:
            if chat.isAnswering, isHeldBack || shownEntries.last?.answer.isEmpty == true {
                let asked = shownEntries.last?.provider.map { Texts.Chat.waiting(for: $0.label) }
                parts.append("*\(Self.plain(asked ?? Texts.Chat.looking))*")
            }
        }
        if parts.isEmpty { parts = [Texts.Chat.beginning] }
        return parts.joined(separator: Self.gap)
    }

    /// Returns a text inside a fence, which shows it as it is.
    private static func fenced(_ text: String) -> String {
        var (longest, run) = (2, 0)
        for character in text {
            run = character == "`" ? run + 1 : 0
            longest = max(longest, run)
        }
        let fence = String(repeating: "`", count: longest + 1)
        return "\(fence)\n\(text)\n\(fence)"
    }

    /// Returns a text on one line, with the special characters of Markdown escaped.
    private static func plain(_ text: String) -> String {
        var result = ""
        for character in text.split(whereSeparator: \.isNewline).joined(separator: " ") {
            if "\\`*_[]<>#~=".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }

    func draw(into screen: inout Screen, theme: Theme, keys: KeyLabels) {
        var pane = Screen(size: frame.size)
        let (columns, rows) = (frame.columns, frame.rows)
        let title = Texts.Chat.title + (chat.isAnswering && chat.demand == nil ? "  " + Texts.Chat.answering : "")
        pane.write(
            title, at: Position(column: inset, row: 0), style: theme.title, fitting: columns - 2 * inset,
            glyphs: theme.glyphs)
        for row in hasRules ? [1, rows - 2] : [] {
            pane.fill(
                Rect(column: 0, row: row, columns: columns, rows: 1), with: theme.glyphs.horizontal, style: theme.rule)
        }
        var text = Screen(size: Size(columns: max(1, columns - inset), rows: conversationRows))
        preview.draw(
            into: &text, left: 0, rows: conversationRows, theme: theme, styles: window.state.markdownStyles)
        pane.draw(text, at: Position(column: inset, row: conversationTop))
        preview.mark?.draw(
            at: Position(column: columns - 1, row: conversationTop), room: conversationRows, style: theme.rule,
            into: &pane, theme: theme)
        let line = Position(column: inset, row: rows - 1)
        var cursor: Cursor?
        if context == .prompt {
            let caret = typed.draw(at: line, columns: columns - 2 * inset, style: theme.text, into: &pane)
            cursor = Cursor(
                Position(column: frame.column + caret.column, row: frame.row + caret.row), shape: .bar)
        } else {
            let (hint, room) = (keys.line(hints), columns - 2 * inset)
            // Of what a question by the chat offers, the first answer must be seen.
            let shown = chat.demand == nil ? hint.hint(fitting: room) ?? "" : hint
            pane.write(shown, at: line, style: theme.dim, fitting: room, glyphs: theme.glyphs)
        }
        pane.cursor = nil
        screen.draw(pane, at: frame.origin)
        let current = Position(
            column: frame.column + inset + preview.currentColumn,
            row: frame.row + conversationTop + preview.currentRow)
        screen.cursor = cursor ?? .hidden(at: current)
    }
}
