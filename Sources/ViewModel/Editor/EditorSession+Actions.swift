import Markdown
import TextEditing

/// Editing actions by name.
extension EditorSession {
    /// Performs the action of a key, with its meaning in Markdown.
    public func perform(_ action: EditingAction) {
        switch action {
        case .move(let motion) where motion.isPage: movePage(motion, extending: false)
        case .select(let motion) where motion.isPage: movePage(motion, extending: true)
        case .move(let motion): move(motion)
        case .select(let motion): move(motion, extending: true)
        case .selectAll: selectAll()
        case .delete(.backward): deleteBackward()
        case .delete(let deletion): change { $0.delete(deletion) }
        case .newLine: newLine()
        case .tab: tab(backwards: false)
        case .outdent: tab(backwards: true)
        case .undo: undo()
        case .redo: redo()
        }
    }

    /// Deletes the character before the caret, or the marker of an item without text at once.
    ///
    /// With several carets, markers are deleted only if every caret is in such an item.
    private func deleteBackward() {
        if editor.selection.isEmpty, !editor.hasSeveralCarets, !isInCode,
            let edit = MarkdownAssistant.backspace(in: lines, at: caret)
        {
            apply(edit)
        } else if !assistAtEachCaret(
            renumbers: true, atAll: true, { MarkdownAssistant.backspace(in: $0, at: $1, renumbers: false) },
            otherwise: { _ in nil })
        {
            change { $0.delete(.backward) }
        }
    }
}
