/// An editing command as a value that can be named, bound to keys, recorded and repeated.
public enum EditingAction: Hashable, Sendable {
    /// Moves the caret.
    case move(Motion)
    /// Moves the head of the selection.
    case select(Motion)
    case selectAll
    /// Deletes the selection or, without one, the text that the deletion specifies.
    case delete(Deletion)
    case newLine
    case tab
    case outdent
    case undo
    case redo
}

/// The text to delete if nothing is selected.
public enum Deletion: Hashable, Sendable {
    /// The character before or after the caret.
    case backward, forward
    /// Back to the start of a word, or forward to its end.
    case wordBackward, wordForward
    /// To the bounds of the line.
    case toLineStart, toLineEnd

    /// The motion that spans the deleted text.
    public var motion: TextMotion {
        switch self {
        case .backward: .left
        case .forward: .right
        case .wordBackward: TextMotion.wordLeft.backToLineStart
        case .wordForward: TextMotion.wordRight.onToLineEnd
        case .toLineStart: TextMotion.lineStart.backToLineStart
        case .toLineEnd: TextMotion.lineEnd.onToLineEnd
        }
    }

    /// Single characters deleted one after another are undone together.
    var kind: EditKind { self == .backward || self == .forward ? .deleting : .command }
}

extension TextEditor {
    /// Performs an action; the caller updates its layout with the returned edit.
    @discardableResult
    public mutating func perform(_ action: EditingAction, layout: inout TextLayout) -> Edit? {
        switch action {
        case .move(let motion): move(motion, layout: &layout)
        case .select(let motion): move(motion, extending: true, layout: &layout)
        case .selectAll: selectAll()
        case .delete(let deletion): return delete(deletion)
        case .newLine: return insertNewline()
        case .tab: return insertTab()
        case .outdent: return outdentLines()
        case .undo: return undo()
        case .redo: return redo()
        }
        return nil
    }

    /// Deletes the selection or, without one, the text that `deletion` specifies.
    @discardableResult
    public mutating func delete(_ deletion: Deletion) -> Edit? {
        if !others.isEmpty { return deleteAll(deletion) }
        guard selection.isEmpty else { return replace(selection.range, with: "", kind: .command) }
        if deletion == .backward, let edit = deleteEmptyPair() { return edit }
        guard let span = deletion.motion.span(in: buffer, from: caret) else { return nil }
        return replace(span.range, with: "", kind: deletion.kind)
    }

    /// Deletes both halves of an empty pair that was typed automatically.
    private mutating func deleteEmptyPair() -> Edit? {
        guard openPairs.last == caret, isInsideEmptyPair else { return nil }
        openPairs.removeLast()
        return replace(caret - 1..<caret + 1, with: "", kind: .deleting)
    }
}
