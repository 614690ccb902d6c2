/// Checks of the stored line states, for tests.
extension MarkdownHighlighter {
    /// Traps if an invariant is broken.
    ///
    /// The whole text is read if nothing is stale, so this is unsuitable for long texts.
    ///
    /// - Parameter source: The current text.
    func checkInvariants(_ source: some LineSource) {
        precondition(lines.count == source.lineCount + 1, "the number of states is not that of the lines and the end")
        precondition(lines[0].state == StateTable.root, "a block is open before the text begins")
        checkStaleRanges()
        var groups: Set<UInt32> = []
        for line in 0..<lines.count {
            precondition(states.contains(lines[line].state), "a line has a state that is not in the table")
            let group = lines[line].definitions
            precondition(group == 0 || groups.insert(group).inserted, "two lines own the same definitions")
        }
        definitions.checkInvariants(owned: groups)
        cache.checkInvariants(lineCount: source.lineCount)
        if stale.isEmpty, !checksFrontMatter { checkStates(source) }
    }

    /// Checks that stale ranges are ascending, disjoint and not empty, and do not contain line 0.
    private func checkStaleRanges() {
        var end = 1
        for range in stale {
            precondition(!range.isEmpty, "a stale range is empty")
            precondition(range.lowerBound >= end, "stale ranges overlap, are not sorted, or contain line 0")
            precondition(range.upperBound <= lines.count, "a stale range exceeds the text")
            end = range.upperBound
        }
    }

    /// Checks that the state before each line is the result of reading the line above it; only valid if nothing is
    /// stale.
    private func checkStates(_ source: some LineSource) {
        var reader = copied()
        for line in 1..<lines.count {
            reader.scannerLine = -1
            reader.read(line - 1, source)
            precondition(
                reader.scanner.state == states[lines[line].state],
                "the state before line \(line) is not what the line above gives")
        }
    }

    /// Another highlighter of the same text, which reads it without a change of this one.
    private func copied() -> MarkdownHighlighter {
        var copy = MarkdownHighlighter(options)
        (copy.lines, copy.states, copy.stale) = (lines, states, stale)
        (copy.frontMatterLines, copy.checksFrontMatter) = (frontMatterLines, checksFrontMatter)
        (copy.definitions, copy.scanner) = (definitions, scanner)
        return copy
    }
}
