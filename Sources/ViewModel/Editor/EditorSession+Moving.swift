import Markdown
import TextEditing

/// Moving lines up and down.
extension EditorSession {
    /// Moves the selected lines past the next visible ones, up or down.
    ///
    /// Lines folded under them move along, and numbered items are renumbered.
    public func moveLines(down: Bool) {
        guard allowsChange() else { return }
        let selected = editor.selectedLines
        let group = selected.lowerBound...lastLine(under: selected.upperBound)
        let next = down ? group.upperBound + 1 : layout.folds.visibleLine(at: group.lowerBound - 1)
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

    /// The last line folded under a line, or the line itself if there is no fold.
    private func lastLine(under line: LineNumber) -> LineNumber {
        layout.folds.hidden(around: line + 1).map { LineNumber($0.upperBound - 1) } ?? line
    }
}
