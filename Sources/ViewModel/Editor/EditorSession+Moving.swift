import Markdown
import TextEditing

/// Moving lines up and down, and sorting them.
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

    /// Sorts the selected lines or, unless several are selected, all below the title.
    ///
    /// - Returns: false if they are sorted already.
    public func sortLines() -> Bool {
        guard allowsChange() else { return true }
        let before = textRevision
        let first = lineBelowTitle
        change { $0.sortLines(from: first) }
        return textRevision != before
    }

    /// The first line after front matter, blank lines and the title.
    private var lineBelowTitle: LineNumber {
        var line = LineNumber(0)
        while line.rawValue < buffer.lineCount, buffer.isBlank(line) || isFrontMatter(line) { line += 1 }
        // An underlined heading ends with its underline.
        while line.rawValue + 1 < buffer.lineCount, case .heading = highlight(of: line, bytes: 0..<1).block,
            !endsHeading(line)
        {
            line += 1
        }
        return line + 1
    }

    private func isFrontMatter(_ line: LineNumber) -> Bool {
        highlight(of: line, bytes: 0..<1).block == .frontMatter
    }

    /// The last line folded under a line, or the line itself if there is no fold.
    private func lastLine(under line: LineNumber) -> LineNumber {
        layout.folds.hidden(around: line + 1).map { LineNumber($0.upperBound - 1) } ?? line
    }
}
