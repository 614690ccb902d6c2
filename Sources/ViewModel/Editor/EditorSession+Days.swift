import Markdown
import NoteStore
import TextEditing

/// Due days of tasks, which are written after `@`.
extension EditorSession {
    /// Whether the caret is after an `@` that is a separate word of a task, so that a day can follow.
    public var takesDay: Bool {
        guard editor.selection.isEmpty, !editor.hasSeveralCarets, !isInCode else { return false }
        return MarkdownAssistant.takesDay(in: lines, at: caret)
    }

    /// Types a day at the caret.
    public func complete(_ day: Day) { change { $0.insert(day.description, as: .typing) } }
}
