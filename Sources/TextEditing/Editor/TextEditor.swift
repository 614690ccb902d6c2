/// A text with a caret, a history and every editing command.
///
/// It depends neither on the screen nor on Markdown.
///
/// Each command that changes the text returns its `Edit`, for the layout, the highlighting and the journal; nil means
/// that nothing changed. A command's edit replaces the selection, leaves a caret, and is one undo step or part of one.
public struct TextEditor: Sendable {
    /// The text.
    public private(set) var buffer: TextBuffer
    /// The caret and the selected range; always at character boundaries.
    public internal(set) var selection: Selection
    /// The steps that can be undone and redone.
    public internal(set) var history: UndoHistory
    /// Increases with every change of the text.
    public private(set) var revision = 0
    /// The behaviour that users can choose.
    public var configuration: EditorConfiguration
    /// The carets besides `selection`, in ascending order; empty for a single caret.
    var others: [Caret] = []
    /// The selections of whole words made at the carets, whose next match is a whole word too; valid for one revision.
    var wordCarets: (selections: [Selection], revision: Int)?
    /// The column that vertical motions aim for; nil after any other motion or edit.
    var goalColumn: CellColumn?
    /// The range that a click selected, from which a drag that follows extends.
    var dragOrigin: Range<ByteOffset>?
    /// The caret before the step that was last undone or redone, as it was when the step was made.
    public private(set) var caretBeforeRetracedStep: ByteOffset = 0
    /// The positions of the closing halves that were typed automatically, the innermost last.
    var openPairs: [ByteOffset] = []

    /// Creates an editor with the caret at the start of `text`; a history must belong to this text.
    public init(
        text: String, configuration: EditorConfiguration = EditorConfiguration(), history: UndoHistory = UndoHistory()
    ) {
        self.init(buffer: TextBuffer(text), configuration: configuration, history: history)
    }

    /// Creates an editor for an existing buffer.
    public init(
        buffer: TextBuffer, configuration: EditorConfiguration = EditorConfiguration(),
        history: UndoHistory = UndoHistory()
    ) {
        self.buffer = buffer
        self.configuration = configuration
        self.history = history
        selection = Selection(0)
    }

    /// The caret.
    public var caret: ByteOffset { selection.head }
    public var selectedText: String { buffer.string(in: selection.range) }

    /// Sets the selection or the caret, moved to character boundaries within the text.
    ///
    /// Ends an undo step. Leaves one caret.
    public mutating func select(_ selection: Selection) {
        let anchor = buffer.characterBoundary(atOrBefore: selection.anchor)
        let head = selection.isEmpty ? anchor : buffer.characterBoundary(atOrBefore: selection.head)
        self.selection = Selection(anchor: anchor, head: head)
        others = []
        goalColumn = nil
        dragOrigin = nil
        openPairs = []
        history.endStep()
    }

    /// Applies an edit to the current text; the selection becomes `selection`, or by default the current one mapped.
    @discardableResult
    public mutating func apply(_ edit: Edit, selection after: Selection? = nil, kind: EditKind = .command) -> Edit {
        guard !edit.isEmpty else { return edit }
        if kind == .external { return applyExternal(edit) }
        let before = selection
        edit.apply(to: &buffer)
        selection = buffer.snapped(after ?? edit.map(before))
        if !others.isEmpty { keepOthers(edit.map(ascending: others.lazy.map(\.selection))) }
        history.record(edit, kind: kind, before: before, after: selection, at: configuration.now())
        changed()
        openPairs = kind == .typing || kind == .deleting ? openPairs.map { edit.map($0, .after) } : []
        return edit
    }

    /// Applies an edit with a caret for each of its replacements; `main` is the index of the one that the screen
    /// follows.
    mutating func apply(_ edit: Edit, carets after: [Caret], main: Int, kind: EditKind) -> Edit {
        let before = selection
        edit.apply(to: &buffer)
        put(after.map { Caret(selection: buffer.snapped($0.selection)) }, main: main)
        history.record(edit, kind: kind, before: before, after: selection, at: configuration.now())
        changed()
        openPairs = []
        return edit
    }

    /// Sets the carets besides `selection` to these positions of a changed text.
    private mutating func keepOthers(_ selections: [Selection]) {
        put(
            selections.map { Caret(selection: buffer.snapped($0)) } + [Caret(selection: selection)],
            main: selections.count)
    }

    /// Applies somebody else's edit: the caret stays at its text, and undo and redo keep the user's own steps.
    private mutating func applyExternal(_ edit: Edit) -> Edit {
        let wasAtLineStart = buffer.isLineStart(caret)
        edit.apply(to: &buffer)
        selection = buffer.snapped(selection.isEmpty ? position(after: edit, wasAtLineStart) : edit.map(selection))
        if !others.isEmpty {
            keepOthers(
                others.map(\.selection).map { $0.isEmpty ? Selection(edit.map($0.head, .before)) : edit.map($0) })
        }
        history.rebase(over: edit)
        changed()
        openPairs = openPairs.map { edit.map($0, .after) }
        return edit
    }

    /// The caret after somebody else's edit.
    ///
    /// It stays before text inserted at the caret, so that the user continues writing in place. It moves after whole
    /// lines inserted before the caret's line.
    private func position(after edit: Edit, _ wasAtLineStart: Bool) -> Selection {
        let (before, behind) = (edit.map(caret, .before), edit.map(caret, .after))
        return Selection(wasAtLineStart && buffer.isLineStart(behind) ? behind : before)
    }

    /// Applies an edit that belongs to the last one and is undone and redone with it; keeps the goal column.
    @discardableResult
    public mutating func amend(_ edit: Edit) -> Edit {
        guard !edit.isEmpty else { return edit }
        let column = goalColumn
        edit.apply(to: &buffer)
        selection = buffer.snapped(edit.map(selection))
        if !others.isEmpty { keepOthers(edit.map(ascending: others.lazy.map(\.selection))) }
        history.amend(edit, after: selection)
        changed()
        goalColumn = column
        openPairs = []
        return edit
    }

    /// Replaces a range by `text`, with the caret after it.
    public mutating func replace(_ range: Range<ByteOffset>, with text: String, kind: EditKind) -> Edit? {
        let edit = Edit(replacing: range, of: buffer, with: text)
        guard !edit.isEmpty else { return nil }
        return apply(edit, selection: Selection(range.lowerBound + text.utf8.count), kind: kind)
    }

    /// Types or pastes `text` over the selection.
    @discardableResult
    public mutating func insert(_ text: String, as kind: EditKind = .typing) -> Edit? {
        others.isEmpty ? replace(selection.range, with: text, kind: kind) : insertAll(text, as: kind)
    }

    /// Begins a group: all edits up to `endUndoGroup()` are undone together.
    public mutating func beginUndoGroup() { history.beginGroup(at: selection) }

    public mutating func endUndoGroup() { history.endGroup() }

    /// Makes the open group an undo step even if nothing changes in it.
    public mutating func touchUndoGroup() { history.touchGroup(after: selection) }

    /// Undoes the last step; returns the edit that reverts it.
    public mutating func undo() -> Edit? {
        guard let step = history.stepToUndo() else { return nil }
        caretBeforeRetracedStep = step.before.head
        return retrace(step.edit.inverse, selection: step.before)
    }

    /// Redoes the step that was undone last; returns its edit.
    public mutating func redo() -> Edit? {
        guard let step = history.stepToRedo() else { return nil }
        caretBeforeRetracedStep = step.before.head
        return retrace(step.edit, selection: step.after)
    }

    private mutating func retrace(_ edit: Edit, selection: Selection) -> Edit? {
        guard edit.fits(buffer) else {
            // The history belongs to another text, so it is dropped to protect this one.
            history = UndoHistory(budget: history.budget)
            return nil
        }
        if !edit.isEmpty { edit.apply(to: &buffer) }
        // A step with a single replacement was made with one caret, and leaves one.
        let before = edit.replacements.count > 1 ? others.map(\.selection) : []
        let ends = (min(selection.anchor, buffer.end), min(selection.head, buffer.end))
        self.selection = buffer.snapped(Selection(anchor: ends.0, head: ends.1))
        keepOthers(before.isEmpty ? [] : selections(retracedBy: edit, of: before, to: selection))
        if !edit.isEmpty { changed() }
        openPairs = []
        return edit
    }

    private mutating func changed() {
        revision += 1
        goalColumn = nil
        dragOrigin = nil
    }
}

extension TextBuffer {
    /// Whether a line starts at an offset.
    fileprivate func isLineStart(_ offset: ByteOffset) -> Bool { lineStart(lineNumber(at: offset)) == offset }

    /// The selection with each end moved after a character that it would split: an edit may have joined separate
    /// characters.
    fileprivate func snapped(_ selection: Selection) -> Selection {
        func snapped(_ offset: ByteOffset) -> ByteOffset {
            let start = characterBoundary(atOrBefore: offset)
            return start == offset ? offset : characterEnd(after: start)
        }
        let head = snapped(selection.head)
        return Selection(anchor: selection.isEmpty ? head : snapped(selection.anchor), head: head)
    }
}
