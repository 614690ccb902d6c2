import Markdown
import NoteStore
import TextEditing

/// Days of tasks, which stand behind `@`.
extension EditorSession {
    /// Whether the caret is behind an `@` that begins a word of a task, so that a day can follow.
    public var takesDay: Bool {
        guard editor.selection.isEmpty, !editor.hasSeveralCarets, !isInCode else { return false }
        return MarkdownAssistant.takesDay(in: lines, at: caret)
    }

    /// Types a day at the caret.
    public func complete(_ day: Day) { change { $0.insert(day.description, as: .typing) } }
}
