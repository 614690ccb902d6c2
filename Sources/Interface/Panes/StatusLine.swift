import NoteStore
import Terminal
import ViewModel

/// The line at the bottom: the open note's path, facts about the open note, and keys.
@MainActor
struct StatusLine {
    let look: Look
    /// How much of the note has been read, in per cent; nil if all of it is in sight, or while it is not read.
    let percentRead: Int?

    /// The content of the line besides the facts about the text.
    struct Look {
        let session: EditorSession?
        /// Whether the text is saved; this is shown at once.
        let saveState: EditorSession.SaveState?
        /// Whether a text that is not saved is in the journal.
        let isJournaled: Bool
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
        /// Its end alone, for where the whole path has no room: `Reading list`.
        let shortPath: String
        /// Whether the editor pane has the keys.
        let isWriting: Bool
        /// Whether a note is read there, so that the caret is not in sight.
        let isReading: Bool
        let reducesMotion: Bool
        /// How far the notebook is mirrored and synchronised; empty if it is not at all.
        let syncSign: String
        /// Which command of the user's own is running; empty for none.
        let runningSign: String
        /// The keys shown at the right, as many as fit.
        let hints: [Hint]
        /// The key that stops the running task.
        let stopKey: String?

        @MainActor
        init(_ model: TakeNoteVM, _ state: WindowState, hints: [Hint], stopKey: () -> String?) {
            session = model.session
            saveState = session?.saveState
            isJournaled = model.keepsUnsavedTexts
            theme = state.theme
            progress = model.progress
            notice = model.notice
            pasteSign = state.pasteSign
            isWriting = state.focus == .editor
            isReading = isWriting && state.isPreviewing
            // While a note is read, its keys are the same with vim's keys as without them.
            vim = isWriting && !isReading ? state.vim : nil
            reducesMotion = state.reducesMotion
            syncSign = [model.mirror.status.sign, model.sync.status.sign].filter { !$0.isEmpty }.joined(separator: " ")
            runningSign = state.runningScript.map { Texts.Custom.runs($0.title) } ?? ""
            self.hints = hints
            self.stopKey = progress == nil ? nil : stopKey()
            var names = model.openNote.flatMap { $0.folder.map(model.path(of:)) } ?? [model.navigationTitle]
            // Where cut notes are is hidden; that there are some is said before the path.
            if model.openNote?.place == .buffer { names = [] }
            if let note = model.openNote { names.append(note.title) }
            names.removeAll(where: \.isEmpty)
            let cut = model.cutNotesCount == 0 ? "" : "\(Texts.cut(model.cutNotesCount)) · "
            path = cut + names.joined(separator: state.theme.glyphs.separator)
            shortPath = cut + (names.last ?? "")
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
        look.pasteSign == nil && look.progress == nil && shownNotice.map { $0.kind != .trouble } ?? false
    }

    /// The number of columns from which there is room for hints and facts beside each other, chosen by eye.
    ///
    /// In a narrower row messages and facts come first, and the hints get what is left.
    private static let roomForBoth = 60

    /// The whole text of the message shown; nil for none.
    var messageText: String? { message.map { look.theme.glyphs.plain($0.text) } }

    /// The message that the line shows in place of all else, as it is said, with its style; nil for none.
    private var message: (text: String, style: Style)? {
        let theme = look.theme
        if let sign = look.pasteSign { return (sign, theme.trouble) }
        guard look.vim?.line == nil, look.progress == nil, let notice = shownNotice else { return nil }
        return (notice.text, notice.kind == .done ? theme.notice : theme.trouble)
    }

    /// The notice, unless a text is not saved: that comes before any other problem that persists, and before news.
    private var shownNotice: Notice? {
        look.notice.flatMap { isFailing && ($0.kind == .trouble || $0.isNews) ? nil : $0 }
    }

    /// A message in the rows that it takes where the line has no room for it; the last one is the line itself.
    struct LongMessage {
        let rows: [String]
        let style: Style

        /// Draws it over the last rows of the window.
        func draw(into screen: inout Screen, theme: Theme) {
            let top = screen.size.rows - rows.count
            let area = Rect(column: 0, row: top, columns: screen.size.columns, rows: rows.count)
            screen.fill(area, style: theme.overlay)
            for (offset, row) in rows.enumerated() {
                screen.write(
                    row, at: Position(column: 1, row: top + offset), style: style.on(theme.overlay),
                    fitting: screen.size.columns - 2, glyphs: theme.glyphs)
            }
        }
    }

    /// The message in rows, if the line has no room for it; nil otherwise.
    ///
    /// Each row but the last ends with a whole word, so that a screen reader speaks no half words, unless a word such as a
    /// path is longer than the row. The end of a quoted title is cut before the words about the note are.
    ///
    /// A message that the next key removes may take the whole window.
    ///
    /// - Parameter size: the size of the window; any other message leaves at least two of its rows as they are.
    func longMessage(in size: Size) -> LongMessage? {
        let columns = size.columns - 2
        guard let message, TextWidth.shared.width(of: message.text) > columns else { return nil }
        var most = max(1, min(Self.maximumMessageRows, size.rows - 2))
        let text = message.text.shorteningQuotation { $0.wholeLines(fitting: columns).count <= most }
        let rows = look.theme.glyphs.plain(text).wholeLines(fitting: columns)
        if rows.count > most, showsPassingNotice { most = size.rows }
        guard rows.count > most else { return LongMessage(rows: rows, style: message.style) }
        let rest = rows[(most - 1)...].joined(separator: " ")
        return LongMessage(rows: rows.prefix(most - 1) + [rest], style: message.style)
    }

    /// The most rows of a message, so that the text above it stays in sight: chosen by eye.
    private static let maximumMessageRows = 4

    func draw(into screen: inout Screen) {
        let theme = look.theme
        let columns = screen.size.columns
        if let message {
            screen.write(
                theme.glyphs.plain(message.text), at: Position(column: 1, row: 0), style: message.style,
                fitting: columns - 2, glyphs: theme.glyphs)
            return
        }
        if let vim = look.vim, vim.line != nil {
            let text = theme.glyphs.plain(vim.lineView(columns: columns).text)
            screen.write(text, at: Position(column: 1, row: 0), style: theme.status, maxColumns: columns - 1)
            return
        }
        if let progress = look.progress { return draw(progress, into: &screen) }
        if theme.glyphs.isWords { return isFailing ? drawTrouble(upTo: columns + 2, into: &screen) : () }
        let hintStart = drawHints(into: &screen) ?? columns + 2
        if isFailing { return drawTrouble(upTo: hintStart, into: &screen) }
        var left = 1
        if let mode = look.vim?.text {
            let room = min(hintStart, columns) - 2
            left +=
                2
                + screen.write(
                    mode, at: Position(column: left, row: 0), style: theme.key, fitting: room, glyphs: theme.glyphs)
        }
        let facts = look.vim == nil || hintStart - 3 - left >= Self.minimumFactsColumns ? facts(columns: columns) : ""
        let width = min(TextWidth.shared.width(of: facts), columns - 2)
        let start = max(left, hintStart - 3 - width)
        screen.write(
            facts, at: Position(column: start, row: 0), style: theme.status,
            fitting: max(0, min(columns, hintStart - 1) - start - 1),
            glyphs: theme.glyphs)
        let room = max(0, start - left + 1 - (width > 0 ? 3 : 1))
        // One letter and an ellipsis do not tell which note it is.
        let path = TextWidth.shared.width(of: look.path) <= room ? look.path : look.shortPath
        guard room >= min(Self.minimumPathColumns, TextWidth.shared.width(of: path)) else { return }
        screen.write(
            path, at: Position(column: left, row: 0), style: theme.status, fitting: room, glyphs: theme.glyphs)
    }

    /// The fewest columns of facts that are cut beside vim's mode: chosen by eye.
    private static let minimumFactsColumns = 8
    /// The fewest columns of a path that is cut: chosen by eye.
    private static let minimumPathColumns = 8

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
            look.theme.glyphs.plain(trouble), at: Position(column: 1, row: 0), style: look.theme.trouble,
            fitting: max(0, end - 3), glyphs: look.theme.glyphs)
    }

    private var trouble: String {
        guard !look.isJournaled, case .failing(let reason) = look.saveState else { return look.saveState?.label ?? "" }
        return Texts.keptNowhere(reason)
    }

    /// The facts about the notebook and the open note: `✓ · saved · “Sort” runs · 48 words · 1 min read · 3:12`.
    ///
    /// They are the save state, the running command, the length, the reading time, and the caret's line and column, or
    /// how far the note has been read; the less important ones are shown only if there is room.
    private func noteFacts(columns: Int) -> [String] {
        let running = look.runningSign.shorteningQuotation {
            TextWidth.shared.width(of: $0) <= Self.maximumRunningColumns
        }
        guard let session = look.session, let saveState = stateFact(columns: columns) else {
            return [look.syncSign, running].filter { !$0.isEmpty }
        }
        let words = session.wordCount
        let goal = session.settings.wordGoal
        var facts = [
            look.syncSign, saveState, running,
            goal.map { Texts.words(words, of: $0) } ?? Question.count(words, "word"),
        ]
        if columns >= Self.roomForCharacters, let characters = session.characterCount {
            facts.append(Question.count(characters, "character"))
        }
        if columns >= Self.roomForMinutes, words > 0 { facts.append(Texts.toRead(minutes: session.readingMinutes)) }
        if look.isReading {
            if columns >= Self.roomForBoth { facts.append(placeRead ?? "") }
        } else if look.isWriting {
            facts.append(session.caretLabel)
            if columns >= Self.roomForMinutes { facts.append(session.percentBeforeCaret.map(Texts.percent) ?? "") }
        }
        return facts.filter { !$0.isEmpty }
    }

    /// The most columns of the fact which command runs, so that the others are seen beside it: chosen by eye.
    private static let maximumRunningColumns = 24

    /// How far the note has been read: `55%`.
    private var placeRead: String? { look.isReading ? percentRead.map(Texts.percent) : nil }

    /// The save state; in a short row, how far a saved note has been read stands in its place.
    private func stateFact(columns: Int) -> String? {
        guard columns < Self.roomForBoth, look.saveState == .saved, let placeRead else { return look.saveState?.label }
        return placeRead
    }

    /// The number of columns from which the reading time is shown; `roomForCharacters` is for the characters.
    ///
    /// They were chosen by eye, so that the path of the note is not cut for them.
    private static let roomForMinutes = 100
    private static let roomForCharacters = 140

    /// The facts that a row of so many columns shows: a short one has them while the user writes, and the path otherwise.
    ///
    /// In a short row the last ones give way to the key that leaves the text, if the save state fits beside it.
    private func facts(columns: Int) -> String {
        guard columns >= Self.roomForBoth || look.isWriting else { return "" }
        let facts = noteFacts(columns: columns)
        let line = { (facts: ArraySlice<String>) in look.theme.glyphs.plain(facts.joined(separator: " · ")) }
        guard columns < Self.roomForBoth, look.vim == nil, !look.theme.glyphs.isWords,
            let saveState = stateFact(columns: columns), let leaving = look.hints.first(where: { $0.rank == 0 })
        else { return line(facts[...]) }
        let room = columns - Self.hintMargin - leaving.width
        let shorter = (1...facts.count).reversed().map { facts.prefix($0) }.filter { $0.contains(saveState) }
        return (shorter + [[saveState]]).map(line).first { TextWidth.shared.width(of: $0) <= room } ?? line(facts[...])
    }

    /// The columns of a short row that neither facts nor hints take: its ends, and the space between them.
    private static let hintMargin = 5

    /// Draws the hints, and returns the column where they begin; nil without any.
    private func drawHints(into screen: inout Screen) -> Int? {
        let theme = look.theme
        let hints = placedHints(columns: screen.size.columns)
        for (hint, columns) in hints {
            let key = theme.glyphs.plain(hint.key)
            screen.write(key, at: Position(column: columns.lowerBound, row: 0), style: theme.key)
            screen.write(
                " \(theme.glyphs.plain(hint.title))", endingAt: columns.upperBound, row: 0, style: theme.status)
        }
        return hints.first?.columns.lowerBound
    }

    /// The columns that the hints may take.
    private func roomForHints(columns: Int) -> Int {
        let mode = look.vim.map { TextWidth.shared.width(of: $0.text) + 2 } ?? 0
        let rest = columns - Self.hintMargin - TextWidth.shared.width(of: facts(columns: columns)) - mode
        guard columns < Self.roomForBoth else { return look.vim == nil ? columns / 2 : min(columns / 2, rest) }
        if isFailing { return 0 }
        return look.isWriting ? rest : columns / 2
    }

    /// The hints that fit, each with its columns; the last one ends at the right edge.
    ///
    /// A wide line always has those of rank 0.
    private func placedHints(columns: Int) -> [(hint: Hint, columns: Range<Int>)] {
        var hints = look.hints
        let room = roomForHints(columns: columns)
        let least = columns >= Self.roomForBoth ? 0 : -1
        func width() -> Int { hints.reduce(0) { $0 + $1.width + 2 } - 2 }
        while width() > room, let last = hints.map(\.rank).max(), last > least {
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
        placedHints(columns: columns).first { $0.columns.contains(column) }?.hint
    }
}
