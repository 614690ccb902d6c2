import ModalEditing
import TextEditing

/// What vim's keys keep beside the text that they are pressed in.
struct VimSide {
    /// Told of each change that the machine did not make, and whether it was made here, other than by undo or redo.
    let changed: @MainActor (Edit, _ isTyped: Bool) -> Void
    /// The character that the caret is drawn on, where that is not the selection's end.
    var shownCaret: ByteOffset?
    /// The part of each line that is selected as a block.
    var block: [Range<ByteOffset>]?
    /// What undo or redo did last, and where the caret was before that was done at first.
    var retraced: (edit: Edit, caret: ByteOffset)?
    /// The column that motions by rows aim for, and the position that the last one came to.
    var column: (position: ByteOffset, column: CellColumn)?
    /// The pattern whose matches are shown.
    var shownPattern: VimPattern?
    /// Whether the change that is being made is the machine's, which has followed it already.
    var isOfMachine = false
    var isRetracing = false

    /// Tells of a change that was made here.
    @MainActor
    func follow(_ edit: Edit) {
        if !isOfMachine { changed(edit, !isRetracing) }
    }
}

/// The text as vim's keys see it, and what they do to it.
extension EditorSession {
    /// Has vim's keys told of each change that is not theirs.
    public func beginVim(_ changed: @escaping @MainActor (Edit, _ isTyped: Bool) -> Void) {
        vim = VimSide(changed: changed)
    }

    /// Has the keys be the editor's own again; a step of undo that vim's held open is closed.
    public func endVim() {
        guard vim != nil else { return }
        vimSearch.cancel()
        editor.endUndoGroup()
        show(nil)
        vim = nil
        revision += 1
    }

    /// The lines in sight.
    public var linesInSight: ClosedRange<LineNumber> {
        let rows = visibleRows()
        let first = rows.first?.line ?? 0
        return first...max(first, rows.last?.line ?? 0)
    }

    /// What the machine reads when a key comes.
    public func vimView(lines: ClosedRange<LineNumber>, clipboard: String?) -> VimView {
        VimView(
            text: editor.buffer, selection: editor.selection, lines: lines, clipboard: clipboard,
            retraced: vim?.retraced,
            // The machine asks for rows and Markdown only in the keys that it handles at once.
            stepByRows: { position, rows in MainActor.assumeIsolated { self.position(from: position, rows: rows) } },
            markdown: { object, position, around in
                MainActor.assumeIsolated { self.range(of: object, at: position, around: around) }
            })
    }

    /// Does a step of the machine that may take long on another thread, with the text as it is now.
    ///
    /// - Parameter done: called with the machine after the step and its effects, and with whether the text is still the
    ///   same; not called if `stopVim()` came before.
    public func runVim(
        _ step: VimMachine.Step, of machine: VimMachine, in view: VimView,
        done: @escaping @MainActor @Sendable (VimMachine, [VimEffect], _ isCurrent: Bool) -> Void
    ) {
        var view = view
        (view.stepByRows, view.markdown) = (nil, nil)
        let snapshot = view
        vimSearch.run { budget, _ -> (machine: VimMachine, effects: [VimEffect]?) in
            var machine = machine
            let effects = machine.perform(step, in: snapshot, isStopped: { !budget.isWanted() })
            return (machine, effects)
        } deliver: { [weak self] (found: (machine: VimMachine, effects: [VimEffect]?), _) in
            guard let self, let effects = found.effects else { return }
            done(found.machine, effects, editor.buffer.isIdentical(to: snapshot.text))
        }
    }

    /// Stops the step that runs on another thread.
    public func stopVim() { vimSearch.cancel() }

    /// Where a position comes to by rows of the screen, in the same column.
    private func position(from position: ByteOffset, rows: Int) -> ByteOffset {
        let here = layout.location(of: position, in: editor.buffer)
        let next = layout.step(from: (here.line, here.row), by: rows, in: editor.buffer)
        if next == (here.line, here.row) { return position }
        let column = vim?.column.flatMap { $0.position == position ? $0.column : nil } ?? here.column
        let target = layout.offset(atRow: next.row, of: next.line, column: column, in: editor.buffer)
        vim?.column = (target, column)
        return target
    }

    /// Does what the machine wants done to the text; what is none of the text's is left to the caller.
    public func perform(_ effects: [VimEffect]) {
        for effect in effects {
            switch effect {
            case .beginGroup: editor.beginUndoGroup()
            case .endGroup: editor.endUndoGroup()
            case .touch: editor.touchUndoGroup()
            case .edit(let edit, let caret): apply(edit, caret: caret)
            case .type(let text): type(text)
            case .perform(let action): perform(action, pageRows: max(1, viewport.rows - 1))
            case .select(let selection): editor.select(selection)
            case .undo(let count): retrace(count) { $0.undo() }
            case .redo(let count): retrace(count) { $0.redo() }
            case .scroll(let lines): viewport.scroll(by: lines, in: editor.buffer, layout: &layout)
            case .reveal(let position): reveal(position)
            case .highlight(let pattern): show(pattern)
            case .copy, .command, .request, .message, .refused: break
            }
        }
    }

    /// What is selected of a line: of a block, its part of that line.
    public func selectedRange(in line: Range<ByteOffset>) -> Range<ByteOffset> {
        guard let block = vim?.block else { return editor.selection.range }
        return block.first { $0.lowerBound >= line.lowerBound && $0.upperBound <= line.upperBound }
            ?? line.lowerBound..<line.lowerBound
    }

    /// Whether the last undo or redo of vim's keys found anything to do.
    public var hasRetraced: Bool { vim?.retraced != nil }

    /// Whether the matches of a search of vim's are shown.
    public var showsVimMatches: Bool { vim?.shownPattern != nil && isFinding }

    /// Draws the caret where a key has put it, once all is done.
    ///
    /// - Parameters:
    ///   - shown: the character that the caret is drawn on, where that is not the selection's end.
    ///   - block: the part of each line that is selected, where that is a block.
    ///   - following: whether the text scrolls to have the caret in sight.
    public func showVimCaret(at shown: ByteOffset?, block: [Range<ByteOffset>]?, following: Bool) {
        vim?.shownCaret = shown
        vim?.block = block
        if following { revealCaret() } else { revision += 1 }
    }

    private func apply(_ edit: Edit, caret: ByteOffset) {
        // Another program's text may have come in between; what was meant for the old one is not done.
        guard edit.fits(editor.buffer) else { return }
        vim?.isOfMachine = true
        defer { vim?.isOfMachine = false }
        change { $0.apply(edit, selection: Selection(caret)) }
    }

    private func retrace(_ count: Int, _ body: (inout TextEditor) -> Edit?) {
        vim?.retraced = nil
        vim?.isRetracing = true
        defer { vim?.isRetracing = false }
        for _ in 0..<count {
            var done: (edit: Edit, caret: ByteOffset)?
            change(isRetracing: true) { editor in
                guard let edit = body(&editor) else { return nil }
                done = (edit, editor.caretOfRetraced)
                return edit
            }
            guard let done else { return }
            vim?.retraced = done
        }
    }

    /// Shows where a pattern is found; nil shows it no longer.
    private func show(_ pattern: VimPattern?) {
        let isShown = showsVimMatches
        if isShown, vim?.shownPattern == pattern { return }
        vim?.shownPattern = pattern
        if let pattern {
            showMatches(
                of: FindQuery(pattern.expression, isCaseSensitive: pattern.isCaseSensitive, isRegularExpression: true))
        } else if isShown {
            endFind(puttingBack: false)
        }
    }

    /// Puts the caret's row to the top, the middle or the bottom of the pane.
    private func reveal(_ position: VimScreenPosition) {
        guard let row = caretCell(in: visibleRows())?.row else { return }
        let wanted =
            switch position {
            case .top: settings.scrollMargin
            case .middle: viewport.rows / 2
            case .bottom: viewport.rows - 1 - settings.scrollMargin
            }
        viewport.scroll(by: row - wanted, in: editor.buffer, layout: &layout)
    }
}
