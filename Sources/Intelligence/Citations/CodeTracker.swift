/// Follows a text to tell whether it is inside code: a fence, or a span between equal runs of backticks in a paragraph.
struct CodeTracker {
    /// The run of backticks or tildes at which the code ends, or `nil` outside of code.
    private var fence: (mark: Character, count: Int)?
    private var span: Int?
    private var run: (mark: Character, count: Int)?
    /// Whether only blanks precede the run on its line.
    private var isAtStart = true
    private var runIsAtStart = false

    /// Whether a character that follows is in code.
    func isInCode(before next: Character) -> Bool {
        var state = self
        if run?.mark != next { state.endRun() }
        return state.fence != nil || state.span != nil || state.run?.mark == "`"
    }

    mutating func read(_ character: Character) {
        if character == "`" || character == "~" {
            if let run, run.mark == character {
                self.run = (character, run.count + 1)
            } else {
                endRun()
                (run, runIsAtStart) = ((character, 1), isAtStart)
            }
            isAtStart = false
            return
        }
        endRun()
        if character.isNewline {
            // An empty line ends a paragraph, and with it a span that nothing has closed.
            if isAtStart { span = nil }
            isAtStart = true
        } else if !character.isWhitespace, character != ">" {
            isAtStart = false
        }
    }

    private mutating func endRun() {
        guard let run else { return }
        self.run = nil
        if let fence {
            if runIsAtStart, fence.mark == run.mark, run.count >= fence.count { self.fence = nil }
        } else if run.mark == "`", run.count == span {
            span = nil
        } else if runIsAtStart, run.count >= 3 {
            (fence, span) = (run, nil)
        } else if run.mark == "`", span == nil {
            span = run.count
        }
    }
}
