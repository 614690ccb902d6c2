import Markdown
import TextEditing

/// Actions by name.
extension EditorSession {
    /// Does what a key stands for, as Markdown has it.
    ///
    /// - Parameter pageRows: the rows of a page, which a motion by pages moves by.
    public func perform(_ action: EditingAction, pageRows: Int) {
        switch action {
        case .move(let motion): move(motion.paged(by: pageRows))
        case .select(let motion): move(motion.paged(by: pageRows), extending: true)
        case .selectAll: selectAll()
        case .delete(let deletion): change { $0.delete(deletion) }
        case .newLine: newLine()
        case .tab: tab(backwards: false)
        case .outdent: tab(backwards: true)
        case .undo: undo()
        case .redo: redo()
        }
    }
}

/// Lines that change places.
extension EditorSession {
    /// Moves the selected lines past the next ones that are seen, up or down; what is folded under them goes along, and
    /// numbered items take the numbers of their places.
    public func moveLines(down: Bool) {
        let selected = editor.selectedLines
        let group = selected.lowerBound...lastLine(under: selected.upperBound)
        let next = down ? group.upperBound + 1 : layout.folds.seenLine(at: group.lowerBound - 1)
        guard next >= 0, next.rawValue < editor.buffer.lineCount else { return }
        let others = down ? next...lastLine(under: next) : next...group.lowerBound - 1
        let (first, second) = down ? (group, others) : (others, group)
        let whole = first.lowerBound.rawValue...second.upperBound.rawValue
        let folds = layout.folds.all.filter { whole.contains($0.lowerBound - 1) }
        let firstNumber = MarkdownAssistant.firstNumber(of: whole, in: lines)
        let isCode = isInCode
        change { $0.move(group, past: others) }
        let shift = (
            first: second.upperBound - second.lowerBound + 1, second: first.lowerBound - first.upperBound - 1
        )
        layout.folds.add(
            folds.map { fold in
                let by = fold.lowerBound <= first.upperBound.rawValue ? shift.first : shift.second
                return fold.lowerBound + by..<fold.upperBound + by
            })
        if !isCode, let numbers = MarkdownAssistant.renumber(whole, firstNumber: firstNumber, in: lines) {
            amend(numbers)
        }
        revealCaret()
    }

    /// The line itself, or the last one that is folded away under it.
    private func lastLine(under line: LineNumber) -> LineNumber {
        layout.folds.hidden(around: line + 1).map { LineNumber($0.upperBound - 1) } ?? line
    }
}
