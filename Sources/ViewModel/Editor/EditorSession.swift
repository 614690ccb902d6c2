import Markdown
import NoteStore
import Observation
import TextEditing
import TextPrimitives

/// The open text of a note: rope, undo history, selection, highlighting and rows, all kept consistent by `Edit` values.
///
/// Others observe its `revision`, which changes whenever something that is drawn has changed, or are told of it by
/// `revisionChanged`; the text itself is not observed. All offsets are UTF-8 bytes.
@MainActor
@Observable
public final class EditorSession {
    /// The settings of an interface for the layout of text.
    public struct Configuration: Sendable {
        /// The widths of drawn characters.
        public var cellWidth: CellWidth
        /// The user's settings.
        public var settings: EditorSettings
        /// The time, for detecting a pause in typing; any steady clock.
        public var now: @Sendable () -> Duration

        public init(
            cellWidth: CellWidth = .unicode, settings: EditorSettings = EditorSettings(),
            now: @escaping @Sendable () -> Duration = EditorConfiguration.steadyClock
        ) {
            self.cellWidth = cellWidth
            self.settings = settings
            self.now = now
        }
    }

    /// Whether the text is saved.
    public enum SaveState: Equatable, Sendable {
        case saved
        case unsaved
        case saving
        /// Saving failed, and is tried again while typing continues; the reason is a sentence.
        case failing(String)

        /// A word or two for a status line.
        public var label: String {
            switch self {
            case .saved: Texts.saved
            case .unsaved, .saving: Texts.saving
            case .failing(let reason): Texts.notSaving(reason)
            }
        }
    }

    public let noteID: NoteID
    /// Changes with everything that is drawn: text, selection, scrolling.
    public internal(set) var revision = 0 { didSet { revisionChanged?() } }
    /// Called after each change of the revision, for the pane that is drawn with every key.
    ///
    /// Observation ends with the first change, and beginning it anew for each frame costs as much as drawing two rows.
    @ObservationIgnored public var revisionChanged: (@MainActor () -> Void)?
    public internal(set) var saveState = SaveState.saved
    /// Whether the text has more than one caret.
    public internal(set) var hasSeveralCarets = false

    @ObservationIgnored var configuration: Configuration
    @ObservationIgnored var editor: TextEditor
    @ObservationIgnored var layout: TextLayout
    @ObservationIgnored var viewport: Viewport
    /// The number of times that the user has gone to a line of the text: to a heading, a task, the end of a link.
    @ObservationIgnored public internal(set) var jumps = 0
    /// The current search in the text; nil if there is none.
    @ObservationIgnored var find: NoteFind?
    /// Runs the searches that take too long for a key.
    @ObservationIgnored let textSearch: TextSearch
    /// Runs the searches for replacing, which no other search and no key cancels: each of them reports its result.
    @ObservationIgnored let replaceSearch: TextSearch
    /// Runs the steps of vim keys that take too long for a key.
    @ObservationIgnored let vimSearch: TextSearch
    /// The row of a table that was changed last, while the caret is in it.
    @ObservationIgnored var changedTableRow: Int?
    /// The counts of the text, once it is counted; `counting` is the progress until then.
    @ObservationIgnored private(set) var statistics: TextStatistics?
    @ObservationIgnored private var counting = TextCounting()
    @ObservationIgnored var storedWordCount: Int
    @ObservationIgnored var highlighter = MarkdownHighlighter(.extended)
    /// The note's text in the notebook, on which unsaved edits are based.
    @ObservationIgnored var stored: EditJournal.Base
    /// The revision of the text that is saved or being saved.
    @ObservationIgnored var savedText: Int
    /// The texts of the last saves that failed, one of which the notebook may have all the same.
    @ObservationIgnored var failedTexts: [TextBuffer] = []
    /// The edits since the text of the running save was taken; nil if no save is running.
    @ObservationIgnored var typedSinceSnapshot: [Edit]?
    /// Whether the text is being compared with one that another program saved.
    @ObservationIgnored var isComparing = false
    /// The pasted texts that may still be replaced, by their numbers.
    @ObservationIgnored var awaitedPastes: [Int: AwaitedPaste] = [:]
    /// The state for vim keys; nil while they are off.
    @ObservationIgnored var vim: VimState?
    /// Returns whether the user may change the text; says why not if it returns false.
    @ObservationIgnored var allowsChange: @MainActor () -> Bool = { true }
    @ObservationIgnored private let textChanged: @MainActor (EditorSession, Edit) -> Void
    /// The number of lines that were read to number lists at several carets, for tests.
    @ObservationIgnored var renumberedLines = 0
    /// Called when `readAhead()` has work again, without a change of the text.
    @ObservationIgnored let hasMoreToRead: @MainActor () -> Void

    /// Opens a text.
    ///
    /// - Parameters:
    ///   - history: the undo history stored for this text.
    ///   - scheduler: brings the results of other threads to the main actor.
    ///   - hasMoreToRead: called when `readAhead()` has work again, without a change of the text.
    ///   - textChanged: called after every change of the text that is not saved yet.
    init(
        note: NoteRow, text: String, history: UndoHistory = UndoHistory(), configuration: Configuration,
        scheduler: any MainScheduler, hasMoreToRead: @escaping @MainActor () -> Void,
        textChanged: @escaping @MainActor (EditorSession, Edit) -> Void
    ) {
        noteID = note.id
        self.configuration = configuration
        self.textChanged = textChanged
        self.hasMoreToRead = hasMoreToRead
        textSearch = TextSearch(scheduler: scheduler)
        replaceSearch = TextSearch(scheduler: scheduler)
        vimSearch = TextSearch(scheduler: scheduler)
        editor = TextEditor(text: text, configuration: configuration.editing, history: history)
        stored = EditJournal.Base(revision: note.revision, buffer: editor.buffer)
        layout = TextLayout(configuration: configuration.layout(columns: configuration.settings.readableWidth ?? 80))
        viewport = Viewport(rows: 1, scrollMargin: configuration.settings.rowsAroundCaret)
        highlighter.reset(BufferLines(buffer: editor.buffer))
        storedWordCount = note.wordCount
        savedText = editor.revision
    }

    // MARK: State

    /// The whole text; takes time in proportion to its length.
    public var text: String { editor.buffer.string() }
    public var buffer: TextBuffer { editor.buffer }
    /// Changes with every change of the text, and with nothing else.
    public var textRevision: Int {
        _ = revision
        return editor.revision
    }
    public var selection: Selection { editor.selection }
    /// The number of words, updated with every edit; until they are counted, that of the saved text.
    public var wordCount: Int {
        _ = revision
        return statistics?.words ?? storedWordCount
    }

    /// Line and column of the caret, counted from 1, as `3:12`.
    public var caretLabel: String {
        _ = revision
        if editor.hasSeveralCarets { return Texts.carets(editor.otherSelections.count + 1) }
        let line = editor.buffer.lineNumber(at: editor.selection.head)
        let column = editor.buffer.characterColumn(at: editor.selection.head)
        return "\(line.rawValue + 1):\(column.rawValue + 1)"
    }

    public var selectedText: String { editor.selectedText }

    /// The visible rows from the top; of unwrapped lines, only the visible part.
    public func visibleRows() -> [Viewport.Row] {
        let rows = viewport.visibleRows(in: editor.buffer, layout: &layout)
        return configuration.settings.wrap ? rows : rows.map(clippedToView)
    }

    /// The visible part of an unwrapped row; its indent is counted from the first visible column.
    private func clippedToView(_ row: Viewport.Row) -> Viewport.Row {
        let (left, columns) = (viewport.leftColumn, layout.configuration.columns)
        var (range, column) = layout.clip(
            row: row.index, of: row.line, from: left, columns: columns, in: editor.buffer)
        if column < left, !range.isEmpty {
            // If only half of a wide character or tab is visible at the edge, that half is left blank.
            let start = editor.buffer.lineStart(row.line)
            let second = editor.buffer.characterEnd(after: start + range.lowerBound)
            column = layout.location(of: second, in: editor.buffer).column
            range = min(second - start, range.upperBound)..<range.upperBound
        }
        var row = row
        row.visual.range = range
        row.visual.indent = column - left
        return row
    }

    /// Highlights a line, or the part of it in `bytes`.
    public func highlight(of line: LineNumber, bytes: Range<Int>? = nil) -> LineHighlight {
        highlighter.spans(ofLine: line.rawValue, in: BufferLines(buffer: editor.buffer), bytes: bytes)
    }

    /// Processes earlier edits down to a line, so that `stamp(of:)` is reliable up to there.
    public func settle(through line: LineNumber) {
        highlighter.settle(through: line.rawValue, in: BufferLines(buffer: editor.buffer))
    }

    /// A number that stays the same as long as text and highlight of a line do; nil if that is not known.
    ///
    /// Call it after `settle(through:)`, or for a line for which `highlight(of:)` was just called.
    public func stamp(of line: LineNumber) -> Int? { highlighter.stamp(ofLine: line.rawValue) }

    /// The stamp of each row's line, in one call for all that a frame shows.
    public func stamps(of rows: [Viewport.Row]) -> [Int?] {
        highlighter.stamps(ofLines: rows.map(\.line.rawValue))
    }

    /// Continues searching, counting and highlighting, in an idle moment.
    ///
    /// - Returns: whether there is more to do.
    func readAhead() -> Bool {
        if isSearching {
            continueSearch()
            revision += 1
            return true
        }
        if statistics == nil {
            statistics = counting.advance(in: editor.buffer)
            if statistics != nil { revision += 1 }
            return true
        }
        let before = highlighter.revision
        let isDone = highlighter.advance(BufferLines(buffer: editor.buffer), byteBudget: Self.readAheadBudget)
        if highlighter.revision != before { revision += 1 }
        return !isDone
    }

    /// The number of bytes highlighted in one idle moment: under a millisecond's work, so that no key waits.
    private static let readAheadBudget = 200_000

    /// The cell of the caret relative to the pane; nil if it is scrolled out of view.
    ///
    /// - Parameter rows: the visible rows.
    public func caretCell(in rows: [Viewport.Row]) -> (column: Int, row: Int)? {
        let caret = min(vim?.shownCaret ?? editor.selection.head, editor.buffer.end)
        let position = layout.location(of: caret, in: editor.buffer)
        for row in rows.indices where rows[row].line == position.line && rows[row].index == position.row {
            return (position.column.rawValue - viewport.leftColumn.rawValue, row)
        }
        return nil
    }

    // MARK: Changing

    /// Inserts the text of a key.
    public func type(_ text: String) {
        let quotes = quotes(for: text)
        change { editor in
            if let quotes { return editor.type(atCarets: quotes) }
            return editor.type(text)
        }
    }

    /// Inserts a text that was typed into a box at the caret: key by key, since a bracket steps over one typed in a pair.
    ///
    /// A long text was pasted into the box, and is inserted at once.
    public func typeKeys(of text: String) {
        guard text.utf8.count <= Self.maximumTyping else { return paste(text) }
        for character in text { type(String(character)) }
    }

    /// The largest number of bytes that are typed key by key: more than anybody types before a box is closed.
    private static let maximumTyping = 1_000

    /// Inserts a pasted text unchanged, as one undo step.
    ///
    /// If there are several carets and the text has as many lines, each caret gets one line.
    public func paste(_ text: String) {
        change { $0.hasSeveralCarets ? $0.paste(Clipping(text: text)) : $0.insert(text, as: .paste) }
    }

    /// Copies the selection; without one, copies the caret's line.
    public func copy() -> Clipping? {
        editor.copy()
    }

    /// Removes what `copy()` would copy, and returns it.
    public func cut() -> Clipping? {
        var clipping: Clipping?
        change { editor in
            let taken = editor.cut()
            clipping = taken?.clipping
            return taken?.edit
        }
        return clipping
    }

    public func paste(_ clipping: Clipping) {
        change { $0.paste(clipping) }
    }

    /// Replaces a range, as one undo step; the caret goes after the new text.
    public func replace(_ range: Range<ByteOffset>, with text: String) {
        change { $0.replace(range, with: text, kind: .command) }
    }

    public func selectAll() {
        editor.selectAll()
        updateSeveralCarets()
        revision += 1
    }

    /// Whether there is anything to undo in the text.
    public var canUndo: Bool { editor.history.canUndo }

    public func undo() { change(isRetracing: true) { $0.undo() } }
    public func redo() { change(isRetracing: true) { $0.redo() } }

    /// Moves the caret; with `extending`, moves the caret's end of the selection.
    public func move(_ motion: Motion, extending: Bool = false) {
        editor.move(motion, extending: extending, layout: &layout)
        revealCaret()
    }

    /// Changes the text if the user may, and updates everything that depends on it.
    ///
    /// - Parameter isRetracing: whether the change is an undo or redo, which must not cause further changes.
    public func change(isRetracing: Bool = false, _ body: (inout TextEditor) -> Edit?) {
        if allowsChange(), let edit = body(&editor), !edit.isEmpty {
            let lines = follow(edit)
            rememberTableRow(changedBy: isRetracing ? nil : lines)
            report(edit)
        }
        revealCaret()
    }

    /// Reports an edit of the user, so that it is journalled and saved.
    func report(_ edit: Edit) {
        if saveState == .saved { saveState = .unsaved }
        typedSinceSnapshot?.append(edit)
        vim?.follow(edit)
        textChanged(self, edit)
    }

    /// Updates layout, highlighting, counts and matches after an edit.
    ///
    /// - Returns: the lines that it changed, from the first to the last.
    @discardableResult
    func follow(_ edit: Edit) -> LineChange? {
        guard let lines = edit.lineChange(in: editor.buffer) else { return nil }
        layout.update(edit, in: editor.buffer, changing: lines)
        if edit.replacements.count == 1 {
            follow(lines)
        } else {
            // From last to first, so that the line numbers of each change are still valid.
            for lines in edit.lineChanges(in: editor.buffer).reversed() { follow(lines) }
        }
        unfoldLostHeadings(in: lines.newLines)
        viewport.update(edit, in: editor.buffer, changing: lines)
        if !awaitedPastes.isEmpty { followPastes(edit) }
        if statistics == nil {
            counting.update(edit, in: editor.buffer)
        } else {
            statistics?.update(edit, in: editor.buffer)
        }
        followFind(edit)
        return lines
    }

    private func follow(_ lines: LineChange) {
        highlighter.replace(lines: lines.oldLines, withCount: lines.newCount)
        if let row = changedTableRow, row >= lines.oldLines.lowerBound {
            changedTableRow = row < lines.oldLines.upperBound ? nil : row + lines.growth
        }
    }
}
