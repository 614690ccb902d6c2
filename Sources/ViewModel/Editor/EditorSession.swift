import Markdown
import NoteStore
import Observation
import TextEditing
import TextPrimitives

/// The open text of a note: rope, undo history, selection, highlighting and rows, all kept in step by `Edit` values.
///
/// Everyone else sees it by its `revision`, which moves whenever something that is drawn has changed; the text
/// itself is not observed. All offsets are UTF-8 bytes.
@MainActor
@Observable
public final class EditorSession {
    /// What a face tells about how text is laid out.
    public struct Configuration: Sendable {
        /// How wide a character is when it is drawn.
        public var cellWidth: CellWidth
        /// Where tastes differ.
        public var settings: EditorSettings

        public init(cellWidth: CellWidth = .unicode, settings: EditorSettings = EditorSettings()) {
            self.cellWidth = cellWidth
            self.settings = settings
        }
    }

    /// Whether the text is safe.
    public enum SaveState: Equatable, Sendable {
        case saved
        case unsaved
        case saving
        /// Typing goes on and so does trying to save; the reason is a sentence.
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
    /// Moves with every change of what is drawn: text, selection, scrolling.
    public internal(set) var revision = 0
    public internal(set) var saveState = SaveState.saved

    @ObservationIgnored var configuration: Configuration
    @ObservationIgnored var editor: TextEditor
    @ObservationIgnored var layout: TextLayout
    @ObservationIgnored var viewport: Viewport
    /// The search in the text, while there is one.
    @ObservationIgnored var find: NoteFind?
    /// Searches that are too long for a key.
    @ObservationIgnored let textSearch: TextSearch
    /// Searches for what is to be replaced, which no other search and no key ends: each of them tells what came of it.
    @ObservationIgnored let replaceSearch: TextSearch
    /// The row of a table that was changed last, while the caret is in it.
    @ObservationIgnored var changedTableRow: Int?
    /// The counts of the text, once it is counted, and the counting until then.
    @ObservationIgnored private(set) var statistics: TextStatistics?
    @ObservationIgnored private var counting = TextCounting()
    @ObservationIgnored var storedWordCount: Int
    @ObservationIgnored var highlighter = MarkdownHighlighter(.extended)
    /// What the notebook holds of the note: the text that unsaved edits are made on.
    @ObservationIgnored var stored: EditJournal.Base
    /// The revision of the text that is saved or being saved.
    @ObservationIgnored var savedText: Int
    /// What was typed since the text was taken that is being saved; nil while none is.
    @ObservationIgnored var typedSinceSnapshot: [Edit]?
    /// Whether the text is being compared with one that another program saved.
    @ObservationIgnored var isComparing = false
    @ObservationIgnored private let textChanged: @MainActor (EditorSession, Edit) -> Void
    /// Called when there is work for idle moments again, without a change of the text.
    @ObservationIgnored let hasMoreToRead: @MainActor () -> Void

    /// Opens a text.
    ///
    /// - Parameters:
    ///   - history: the undo history that was kept for this text.
    ///   - scheduler: takes what other threads have found to the main actor.
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
        editor = TextEditor(text: text, configuration: configuration.editing, history: history)
        stored = EditJournal.Base(revision: note.revision, buffer: editor.buffer)
        layout = TextLayout(configuration: configuration.layout(columns: configuration.settings.readableWidth ?? 80))
        viewport = Viewport(rows: 1, scrollMargin: configuration.settings.scrollMargin)
        highlighter.reset(BufferLines(buffer: editor.buffer))
        storedWordCount = note.wordCount
        savedText = editor.revision
    }

    // MARK: What is seen

    /// The whole text; costs its length.
    public var text: String { editor.buffer.string() }
    public var buffer: TextBuffer { editor.buffer }
    /// Moves with every change of the text alone.
    public var textRevision: Int {
        _ = revision
        return editor.revision
    }
    public var selection: Selection { editor.selection }
    /// The words of the text, kept by its edits; before they are counted, those of the text as it was saved.
    public var wordCount: Int {
        _ = revision
        return statistics?.words ?? storedWordCount
    }

    /// Line and column of the caret, counted from 1, as `3:12`.
    public var caretLabel: String {
        _ = revision
        let line = editor.buffer.lineNumber(at: editor.selection.head)
        let column = editor.buffer.characterColumn(at: editor.selection.head)
        return "\(line.rawValue + 1):\(column.rawValue + 1)"
    }

    public var selectedText: String { editor.selectedText }

    /// The rows in sight, from the top; where lines are not wrapped, only the part of them that is in sight.
    public func visibleRows() -> [Viewport.Row] {
        let rows = viewport.visibleRows(in: editor.buffer, layout: &layout)
        return configuration.settings.wrap ? rows : rows.map(cutToSight)
    }

    /// The part of an unwrapped row that is in sight, its indent counted from the first cell in sight.
    private func cutToSight(_ row: Viewport.Row) -> Viewport.Row {
        let (left, columns) = (viewport.leftColumn, layout.configuration.columns)
        var (range, column) = layout.clip(
            row: row.index, of: row.line, from: left, columns: columns, in: editor.buffer)
        if column < left, !range.isEmpty {
            // Of a wide character or tab at the edge, the half in sight is left blank.
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

    /// How a line is highlighted, or the part of it that `bytes` tell.
    public func highlight(of line: LineNumber, bytes: Range<Int>? = nil) -> LineHighlight {
        highlighter.spans(ofLine: line.rawValue, in: BufferLines(buffer: editor.buffer), bytes: bytes)
    }

    /// Finds out what earlier edits have made of the lines down to one, so that `stamp(of:)` can be relied on.
    public func settle(through line: LineNumber) {
        highlighter.settle(through: line.rawValue, in: BufferLines(buffer: editor.buffer))
    }

    /// A number that stays the same as long as text and highlight of a line do, nil where that is not known.
    ///
    /// To be asked after `settle(through:)`, or after `highlight(of:)` for the line that it was asked for.
    public func stamp(of line: LineNumber) -> Int? { highlighter.stamp(ofLine: line.rawValue) }

    /// Reads on where the highlighter has not been yet, for an idle moment.
    ///
    /// - Returns: whether there is more to read.
    func readAhead() -> Bool {
        if isSearching {
            searchOn()
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

    /// Bytes read in one idle moment: under a millisecond's worth, so that no key waits.
    private static let readAheadBudget = 200_000

    /// The cell of the caret in the pane, counted from its top left; nil when it is scrolled out of sight.
    ///
    /// - Parameter rows: those in sight.
    public func caretCell(in rows: [Viewport.Row]) -> (column: Int, row: Int)? {
        let place = layout.location(of: editor.selection.head, in: editor.buffer)
        for row in rows.indices where rows[row].line == place.line && rows[row].index == place.row {
            return (place.column.rawValue - viewport.leftColumn.rawValue, row)
        }
        return nil
    }

    // MARK: Changing

    /// Types what a key types.
    public func type(_ text: String) {
        change { $0.type(text) }
    }

    /// Inserts a text that was pasted, as it is and as one step of undo.
    public func paste(_ text: String) {
        change { $0.insert(text, as: .paste) }
    }

    /// The selection, or without one the caret's line.
    public func copy() -> Clipping? {
        editor.copy()
    }

    /// Takes out what `copy()` gives.
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

    public func selectAll() {
        editor.selectAll()
        revision += 1
    }

    /// Selects a word, a line, a paragraph at a cell of the pane.
    public func select(_ unit: SelectionUnit, column: Int, row: Int) {
        guard let offset = offset(column: column, row: row) else { return }
        editor.select(unit, at: offset)
        revision += 1
    }

    /// Whether there is anything to undo in the text.
    public var canUndo: Bool { editor.history.canUndo }

    public func undo() { change(isRetracing: true) { $0.undo() } }
    public func redo() { change(isRetracing: true) { $0.redo() } }

    /// Moves the caret, or with `extending` its end of the selection.
    public func move(_ motion: Motion, extending: Bool = false) {
        editor.move(motion, extending: extending, layout: &layout)
        revealCaret()
    }

    /// Does something to the text, and brings everything that depends on it in line.
    ///
    /// - Parameter isRetracing: whether it is undo or redo, which nothing may be done on top of.
    public func change(isRetracing: Bool = false, _ body: (inout TextEditor) -> Edit?) {
        if let edit = body(&editor), !edit.isEmpty {
            follow(edit)
            noteTableRow(changedBy: isRetracing ? nil : edit)
            tell(edit)
        }
        revealCaret()
    }

    /// Has a change of ours journalled and saved.
    func tell(_ edit: Edit) {
        if saveState == .saved { saveState = .unsaved }
        typedSinceSnapshot?.append(edit)
        textChanged(self, edit)
    }

    /// Brings layout, highlighting, counts and matches in line with the text.
    func follow(_ edit: Edit) {
        guard let lines = edit.lineChange(in: editor.buffer) else { return }
        layout.update(edit, in: editor.buffer)
        if edit.replacements.count == 1 {
            follow(lines)
        } else {
            // From the last to the first, so that each is told in lines that are still where they were.
            for lines in edit.lineChanges(in: editor.buffer).reversed() { follow(lines) }
        }
        unfoldLostHeadings(in: lines.newLines)
        viewport.update(edit, in: editor.buffer)
        if statistics == nil {
            counting.update(edit, in: editor.buffer)
        } else {
            statistics?.update(edit, in: editor.buffer)
        }
        followFind(edit)
    }

    private func follow(_ lines: LineChange) {
        highlighter.replace(lines: lines.oldLines, withCount: lines.newCount)
        if let row = changedTableRow, row >= lines.oldLines.lowerBound {
            changedTableRow = row < lines.oldLines.upperBound ? nil : row + lines.growth
        }
    }

    // MARK: The part that is seen

    /// Fits the text to a pane of this many cells; the caret stays in sight.
    public func resize(columns: Int, rows: Int) {
        guard columns != layout.configuration.columns || rows != viewport.rows else { return }
        let wasUnseen = viewport.rows == 1
        viewport.rows = rows
        if columns != layout.configuration.columns {
            var changed = layout.configuration
            changed.columns = columns
            viewport.configure(changed, in: editor.buffer, layout: &layout)
        }
        // Where the text stood in no pane, or in one row, is no place to keep with rows left empty below it.
        if wasUnseen { viewport.scroll(by: visibleRows().count - rows, in: editor.buffer, layout: &layout) }
        revealCaret()
    }

    /// Scrolls without moving the caret.
    public func scroll(by rows: Int) {
        viewport.scroll(by: rows, in: editor.buffer, layout: &layout)
        revision += 1
    }

    /// Scrolls sideways without moving the caret; nothing where lines are wrapped.
    public func scroll(columns: Int) {
        viewport.scroll(columns: columns, layout: layout)
        revision += 1
    }

    /// Whether a row goes on beyond the left or the right edge of the pane.
    public func isCut(_ row: Viewport.Row) -> (left: Bool, right: Bool) {
        guard !configuration.settings.wrap else { return (false, false) }
        let end = editor.buffer.lineRange(row.line).length
        return (viewport.leftColumn > 0 && end > 0, row.visual.range.upperBound < end)
    }

    /// Extends the selection to a cell of the pane, by whole words or lines.
    public func extendSelection(by unit: SelectionUnit, column: Int, row: Int) {
        guard let offset = offset(column: column, row: row) else { return }
        editor.extend(by: unit, to: offset)
        revealCaret(margin: 0)
    }

    /// Puts the caret at a cell of the pane, counted from its top left.
    public func place(column: Int, row: Int, extending: Bool) {
        guard let offset = offset(column: column, row: row) else { return }
        editor.select(Selection(anchor: extending ? editor.selection.anchor : offset, head: offset))
        revealCaret(margin: 0)
    }

    /// The position drawn at a cell of the pane; rows above and below the text are its ends.
    func offsetOfCell(column: Int, row: Int) -> ByteOffset {
        offset(column: column, row: row) ?? editor.selection.head
    }

    /// The same, nil in a pane without rows.
    private func offset(column: Int, row: Int) -> ByteOffset? {
        let rows = visibleRows()
        guard let target = row < rows.count ? rows[max(row, 0)] : rows.last else { return nil }
        return layout.offset(
            atRow: target.index, of: target.line, column: viewport.leftColumn + max(column, 0), in: editor.buffer)
    }

    /// Has the caret in sight and everything drawn anew.
    ///
    /// - Parameter margin: the rows to keep above and below it, those of the settings unless told. Where the mouse is,
    ///   none: what is pointed at stays under the pointer, so that a second click or a drag means the same text.
    func revealCaret(margin: Int? = nil) {
        alignTableLeftBehind()
        unfoldAroundCaret()
        viewport.reveal(editor.selection.head, margin: margin, in: editor.buffer, layout: &layout)
        revision += 1
    }
}
