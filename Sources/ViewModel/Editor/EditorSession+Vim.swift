import ModalEditing
import TextEditing

/// The session's state for vim keys, beside the text itself.
struct VimState {
    /// Receives each change not made by the vim machine, and whether the session made it other than by undo or redo.
    let changed: @MainActor (Edit, _ isTyped: Bool) -> Void
    /// The character on which the caret is drawn, if that is not the end of the selection.
    var shownCaret: ByteOffset?
    /// The selected range of each line in a block selection; nil if the selection is not a block.
    var block: [Range<ByteOffset>]?
    /// The edit of the last undo or redo, and the caret's position before that edit was first made.
    var retraced: (edit: Edit, caret: ByteOffset)?
    /// The pattern whose matches are shown.
    var shownPattern: VimPattern?
    /// Whether the current change was made by the machine, which knows of it already.
    var isMachineChange = false
    var isRetracing = false

    /// Reports a change, unless the machine made it.
    @MainActor
    func follow(_ edit: Edit) {
        if !isMachineChange { changed(edit, !isRetracing) }
    }
}

/// The text as vim's machine sees it, and the machine's effects on the text.
extension EditorSession {
    /// Turns on vim keys, and reports each change that the machine did not make to `changed`.
    public func beginVim(_ changed: @escaping @MainActor (Edit, _ isTyped: Bool) -> Void) {
        vim = VimState(changed: changed)
    }

    /// Turns off vim keys, and closes an undo step that they held open.
    public func endVim() {
        guard vim != nil else { return }
        vimSearch.cancel()
        editor.endUndoGroup()
        show(nil)
        vim = nil
        revision += 1
    }

    /// The visible lines.
    public var linesInSight: ClosedRange<LineNumber> {
        let rows = visibleRows()
        let first = rows.first?.line ?? 0
        return first...max(first, rows.last?.line ?? 0)
    }

    /// Returns what the machine may read while it handles a key.
    public func vimView(lines: ClosedRange<LineNumber>, clipboard: String?) -> VimView {
        VimView(
            text: editor.buffer, selection: editor.selection, lines: lines, clipboard: clipboard,
            retraced: vim?.retraced,
            // The machine asks for rows and Markdown only in the keys that it handles at once.
            stepByRows: { position, rows, column in
                MainActor.assumeIsolated { self.step(from: position, rows: rows, column: column) }
            },
            scrolled: { scroll, position, column in
                MainActor.assumeIsolated { self.scrolled(scroll, from: position, column: column) }
            },
            rowBounds: { position in MainActor.assumeIsolated { self.row(around: position) } },
            markdown: { object, position, around in
                MainActor.assumeIsolated { self.range(of: object, at: position, around: around) }
            },
            reflow: { lines in
                MainActor.assumeIsolated { self.reflowed(lines.lowerBound.rawValue...lines.upperBound.rawValue) }
            })
    }

    /// Performs a step of the machine that may take long on another thread, on a snapshot of the text.
    ///
    /// - Parameter done: receives the machine after the step, its effects, and whether the text is still the same; not
    ///   called if `stopVim()` was called first.
    public func runVim(
        _ step: VimMachine.Step, of machine: VimMachine, in view: VimView,
        done: @escaping @MainActor @Sendable (VimMachine, [VimEffect], _ isCurrent: Bool) -> Void
    ) {
        var view = view
        (view.stepByRows, view.scrolled, view.rowBounds, view.markdown, view.reflow) = (nil, nil, nil, nil, nil)
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

    /// Returns the position that many screen rows away, in a column of the row or in the same one, and that column.
    private func step(
        from position: ByteOffset, rows: Int, column: CellColumn?
    ) -> (position: ByteOffset, column: CellColumn) {
        let here = layout.location(of: position, in: editor.buffer)
        let column = column ?? here.column
        let next = layout.step(from: (here.line, here.row), by: rows, in: editor.buffer)
        if next == (here.line, here.row) { return (position, column) }
        return (layout.offset(atRow: next.row, of: next.line, column: column, in: editor.buffer), column)
    }

    /// Returns the first and the last position of the screen row around a position.
    private func row(around position: ByteOffset) -> ClosedRange<ByteOffset> {
        let here = layout.location(of: position, in: editor.buffer)
        func offset(_ column: CellColumn) -> ByteOffset {
            layout.offset(atRow: here.row, of: here.line, column: column, in: editor.buffer)
        }
        let first = offset(0)
        return first...max(first, offset(CellColumn(.max)))
    }

    /// Performs the machine's effects on the text; effects that don't concern the text are left to the caller.
    public func perform(_ effects: [VimEffect]) {
        for effect in effects {
            switch effect {
            case .beginGroup: editor.beginUndoGroup()
            case .endGroup: editor.endUndoGroup()
            case .touch: editor.touchUndoGroup()
            case .edit(let edit, let caret): apply(edit, caret: caret)
            case .type(let text): type(text)
            case .perform(let action): perform(action)
            case .select(let selection): editor.select(selection)
            case .undo(let count): retrace(count) { $0.undo() }
            case .redo(let count): retrace(count) { $0.redo() }
            case .scroll(let rows): scrollVim(by: rows)
            case .reveal(let position): reveal(position)
            case .highlight(let pattern): show(pattern)
            case .copy, .command, .filter, .request, .message, .refused: break
            }
        }
    }

    /// Replaces whole lines with the output of a command, as one undo step; the caret goes to its first non-blank.
    ///
    /// If the lines end in CRLF, those of the output do too.
    ///
    /// - Parameters:
    ///   - range: the lines without their last line break.
    ///   - keepsThem: whether the lines stay, with the output after them.
    public func replaceLines(_ range: Range<ByteOffset>, with output: String, keepsThem: Bool) {
        let buffer = editor.buffer
        let lineBreak = buffer.lineBreak(near: buffer.lineNumber(at: range.upperBound))
        let lines = (output.utf8.last == 0x0A ? String(output.dropLast()) : output).withLineBreaks(lineBreak)
        var range = keepsThem ? range.upperBound..<range.upperBound : range
        var new = lines
        if output.isEmpty {
            guard !keepsThem else { return }
            // The output is empty, so a line break is removed with the lines.
            let last = buffer.lineNumber(at: range.upperBound)
            range = range.lowerBound..<buffer.lineEndIncludingTerminator(last)
            if range.upperBound == buffer.end, range.lowerBound > 0 {
                range = buffer.lineEnd(buffer.lineNumber(at: range.lowerBound) - 1)..<range.upperBound
            }
        } else if keepsThem {
            new = lineBreak + lines
        }
        let start = range.lowerBound + (keepsThem ? lineBreak.utf8.count : 0)
        let indent = lines.prefix { $0 == " " || $0 == "\t" }.utf8.count
        let edit = Edit(replacing: [(range, new)], of: buffer)
        change { edit.isEmpty ? nil : $0.apply(edit, selection: Selection(start + indent)) }
    }

    /// Returns the selected range of a line; for a block selection, the block's range in that line.
    public func selectedRange(in line: Range<ByteOffset>) -> Range<ByteOffset> {
        guard let block = vim?.block else { return editor.selection.range }
        return block.first { $0.lowerBound >= line.lowerBound && $0.upperBound <= line.upperBound }
            ?? line.lowerBound..<line.lowerBound
    }

    /// Whether the last undo or redo by vim keys changed anything.
    public var hasRetraced: Bool { vim?.retraced != nil }

    /// Whether the matches of a vim search are shown.
    public var showsVimMatches: Bool { vim?.shownPattern != nil && isFinding }

    /// Draws the caret and the selection after all effects of a key.
    ///
    /// - Parameters:
    ///   - shown: the character on which the caret is drawn, if that is not the end of the selection.
    ///   - block: the selected range of each line, if the selection is a block.
    ///   - following: whether to scroll the text so that the caret is visible.
    public func showVimCaret(at shown: ByteOffset?, block: [Range<ByteOffset>]?, following: Bool) {
        vim?.shownCaret = shown
        vim?.block = block
        if following { revealCaret() } else { revision += 1 }
    }

    private func apply(_ edit: Edit, caret: ByteOffset) {
        // The text may have been changed by another program in between; an edit made for the old text is dropped.
        guard edit.fits(editor.buffer) else { return }
        vim?.isMachineChange = true
        defer { vim?.isMachineChange = false }
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
                done = (edit, editor.caretBeforeRetracedStep)
                return edit
            }
            guard let done else { return }
            vim?.retraced = done
        }
    }

    /// Highlights the matches of a pattern; nil removes the highlighting.
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

    /// Scrolls so that the caret's row is at the top, the middle or the bottom of the pane.
    private func reveal(_ position: VimScreenPosition) {
        viewport.reveal(editor.selection.head, in: editor.buffer, layout: &layout)
        guard let row = caretCell(in: visibleRows())?.row else { return }
        let wanted =
            switch position {
            case .top: viewport.margin
            case .middle: viewport.rows / 2
            case .bottom: viewport.rows - 1 - viewport.margin
            }
        viewport.scroll(by: row - wanted, in: editor.buffer, layout: &layout)
    }
}
