import NoteStore
import Terminal
import ViewModel

/// The line at the bottom: the open note's path, facts about the open note, and keys.
@MainActor
struct StatusLine {
    let look: Look

    /// What the line shows besides the facts about the text.
    struct Look {
        let session: EditorSession?
        /// Whether the text is saved; this is shown at once.
        let saveState: EditorSession.SaveState?
        let theme: Theme
        let progress: TaskProgress?
        let notice: Notice?
        /// The message about a paste whose end is missing.
        ///
        /// It is shown before all else, since keys mean nothing until the end arrives.
        let pasteSign: String?
        /// The state of vim's keys while the editor has them.
        let vim: VimStatus?
        /// The path to the open note from the top: `Inbox › Reading list`.
        let path: String
        let isWriting: Bool
        let reducesMotion: Bool
        /// How far the notebook is mirrored and synchronised; empty if it is not at all.
        let syncSign: String
        /// The keys shown at the right, as many as fit.
        let hints: [Hint]
        /// The key that stops the running task.
        let stopKey: String?

        @MainActor
        init(_ model: TakeNoteVM, _ state: WindowState, hints: [Hint], stopKey: () -> String?) {
            session = model.session
            saveState = session?.saveState
            theme = state.theme
            progress = model.progress
            notice = model.notice
            pasteSign = state.pasteSign
            isWriting = state.focus == .editor
            vim = isWriting ? state.vim : nil
            reducesMotion = state.reducesMotion
            syncSign = [model.mirror.status.sign, model.sync.status.sign].filter { !$0.isEmpty }.joined(separator: " ")
            self.hints = hints
            self.stopKey = progress == nil ? nil : stopKey()
            var names = model.openNote.flatMap { $0.folder.map(model.path(of:)) } ?? [model.navigationTitle]
            if let note = model.openNote { names.append(note.title) }
            let path = names.filter { !$0.isEmpty }.joined(separator: state.theme.glyphs.separator)
            self.path = model.cutNotesCount == 0 ? path : "\(Texts.cut(model.cutNotesCount)) · \(path)"
        }
    }

    /// A command available here, with its key and a short title.
    struct Hint: Equatable {
        let command: CommandName
        let key: String
        let title: String
        /// The rank of the hint: where there is no room for all, the one of the highest rank is dropped first.
        let rank: Int

        @MainActor
        var width: Int { TextWidth.shared.width(of: key) + 1 + TextWidth.shared.width(of: title) }
    }

    /// Whether a notice is shown that the next key dismisses.
    var showsPassingNotice: Bool {
        look.pasteSign == nil && look.progress == nil && look.notice.map { $0.kind != .trouble } ?? false
    }

    /// The number of columns from which hints are shown; a narrower row is left to the messages.
    private static let hintColumns = 60

    func draw(into screen: inout Screen) {
        let theme = look.theme
        let columns = screen.size.columns
        func say(_ text: String, _ style: Style) {
            screen.write(
                theme.glyphs.plain(text), at: Position(column: 1, row: 0), style: style, fitting: columns - 2,
                glyphs: theme.glyphs)
        }
        if let sign = look.pasteSign { return say(sign, theme.trouble) }
        if let vim = look.vim, vim.line != nil {
            let text = theme.glyphs.plain(vim.lineView(columns: columns).text)
            screen.write(text, at: Position(column: 1, row: 0), style: theme.status, maxColumns: columns - 1)
            return
        }
        if let progress = look.progress { return draw(progress, into: &screen) }
        // A text that is not saved comes before any other problem that persists.
        if let notice = look.notice, !isFailing || notice.kind != .trouble {
            return say(notice.text, notice.kind == .done ? theme.notice : theme.trouble)
        }
        if theme.glyphs.isWords { return isFailing ? drawTrouble(upTo: columns + 2, into: &screen) : () }
        let hintStart = columns >= Self.hintColumns ? drawHints(into: &screen) : columns + 2
        if isFailing { return drawTrouble(upTo: hintStart, into: &screen) }
        // A short row shows the facts about the text while the user writes, and the path otherwise.
        let facts =
            columns >= Self.hintColumns || look.isWriting ? theme.glyphs.plain(noteFacts(columns: columns)) : ""
        let width = min(TextWidth.shared.width(of: facts), columns - 2)
        let start = max(1, hintStart - 3 - width)
        screen.write(
            facts, at: Position(column: start, row: 0), style: theme.status,
            fitting: max(0, min(columns, hintStart - 1) - start - 1),
            glyphs: theme.glyphs)
        var left = 1
        if let mode = look.vim?.text {
            left +=
                2
                + screen.write(
                    mode, at: Position(column: left, row: 0), style: theme.key, fitting: start - 2, glyphs: theme.glyphs
                )
        }
        screen.write(
            look.path, at: Position(column: left, row: 0), style: theme.status,
            fitting: max(0, start - left + 1 - (width > 0 ? 3 : 1)), glyphs: theme.glyphs)
    }

    /// `Exporting  120 of 400 ━━━━━━────  ^C stops`.
    private func draw(_ progress: TaskProgress, into screen: inout Screen) {
        let theme = look.theme
        let columns = screen.size.columns
        var column = 1
        func write(_ text: String, _ style: Style) {
            column += screen.write(
                theme.glyphs.plain(text), at: Position(column: column, row: 0), style: style,
                fitting: columns - column - 1,
                glyphs: theme.glyphs)
        }
        write("\(progress.title)  \(progress.counts) ", theme.status)
        let bar = min(24, columns - column - 14)
        if bar > 3, !look.reducesMotion { write(progress.bar(columns: bar, glyphs: theme.glyphs) + " ", theme.accent) }
        write(" ", theme.status)
        guard let stopKey = look.stopKey else { return }
        write("\(stopKey) ", theme.key)
        write(Texts.stops, theme.status)
    }

    /// Draws the state of an unsaved text, which replaces everything but the hints, and is cut rather than omitted.
    private var isFailing: Bool { if case .failing = look.saveState { true } else { false } }

    private func drawTrouble(upTo end: Int, into screen: inout Screen) {
        screen.write(
            look.theme.glyphs.plain(look.saveState?.label ?? ""), at: Position(column: 1, row: 0),
            style: look.theme.trouble,
            fitting: max(0, end - 3), glyphs: look.theme.glyphs)
    }

    /// The facts about the notebook and the open note: `✓ · saved · 48 words · 1 min read · 3:12`.
    ///
    /// They are the save state, the length, the reading time, and the caret's line and column; the less important ones
    /// are shown only if there is room.
    private func noteFacts(columns: Int) -> String {
        guard let session = look.session, let saveState = look.saveState else { return look.syncSign }
        let words = session.wordCount
        let goal = session.settings.wordGoal
        var facts = [
            look.syncSign, saveState.label, goal.map { Texts.words(words, of: $0) } ?? Question.count(words, "word"),
        ]
        if columns >= Self.roomForCharacters, let characters = session.characterCount {
            facts.append(Question.count(characters, "character"))
        }
        if columns >= Self.roomForMinutes, words > 0 { facts.append(Texts.toRead(minutes: session.readingMinutes)) }
        if look.isWriting { facts.append(session.caretLabel) }
        return facts.filter { !$0.isEmpty }.joined(separator: " · ")
    }

    /// The number of columns from which the reading time is shown; `roomForCharacters` is for the characters.
    ///
    /// They were chosen by eye, so that the path of the note is not cut for them.
    private static let roomForMinutes = 100
    private static let roomForCharacters = 140

    private func drawHints(into screen: inout Screen) -> Int {
        let theme = look.theme
        let hints = placedHints(columns: screen.size.columns)
        for (hint, columns) in hints {
            let key = theme.glyphs.plain(hint.key)
            screen.write(key, at: Position(column: columns.lowerBound, row: 0), style: theme.key)
            screen.write(
                " \(theme.glyphs.plain(hint.title))", endingAt: columns.upperBound, row: 0, style: theme.status)
        }
        return hints.first?.columns.lowerBound ?? screen.size.columns + 1
    }

    /// The hints that fit in half of the line, each with its columns; the last one ends at the right edge.
    private func placedHints(columns: Int) -> [(hint: Hint, columns: Range<Int>)] {
        var hints = look.hints
        func width() -> Int { hints.reduce(0) { $0 + $1.width + 2 } - 2 }
        while width() > columns / 2, let last = hints.map(\.rank).max(), last > 0 {
            guard let index = hints.lastIndex(where: { $0.rank == last }) else { break }
            hints.remove(at: index)
        }
        var end = columns - 1
        let placed = hints.reversed().map { hint in
            let start = end - hint.width
            defer { end = start - 2 }
            return (hint, start..<end)
        }
        return placed.reversed()
    }

    /// The hint at a column of the line.
    func hint(at column: Int, columns: Int) -> Hint? {
        guard columns >= Self.hintColumns else { return nil }
        return placedHints(columns: columns).first { $0.columns.contains(column) }?.hint
    }
}
