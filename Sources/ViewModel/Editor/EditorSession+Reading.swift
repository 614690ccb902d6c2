import TextEditing

/// What reading a text needs to know of it.
extension EditorSession {
    /// Lines around a line that can be read for themselves, and hold some screens above and below it.
    public func readablePart(around line: Int) -> Range<Int> {
        let place = buffer.lineStart(LineNumber(line))
        var first = buffer.lineNumber(at: place - Self.reach.above).rawValue
        while first < line, !highlighter.beginsBlock(first, in: BufferLines(buffer: buffer)) { first += 1 }
        let last = buffer.lineNumber(at: place + Self.reach.below).rawValue
        return first..<last + 1
    }

    /// Bytes that are read above and below a line: a few milliseconds' work.
    private static let reach = (above: 24_000, below: 48_000)

    /// The text of some lines, with their line breaks.
    public func text(ofLines lines: Range<Int>) -> String {
        buffer.string(
            in: buffer.lineStart(LineNumber(lines.lowerBound))..<buffer.lineStart(LineNumber(lines.upperBound)))
    }

    /// The characters of the text; nil until they are counted.
    public var characterCount: Int? {
        _ = revision
        return statistics?.characters
    }

    /// The minutes that reading the text takes, rounded up, at least one.
    public var readingMinutes: Int {
        _ = revision
        // Until the text is counted, as a text of words between spaces is read.
        let seconds = statistics?.readingTime.components.seconds ?? Int64(storedWordCount) / 4
        return max(1, Int((seconds + 59) / 60))
    }

    /// Words, characters and reading time of the selection, or without one of the text.
    ///
    /// Costs what is selected.
    public var countSummary: String {
        let isSelection = !selection.isEmpty
        let counts = isSelection ? TextStatistics(selectedText) : statistics ?? TextStatistics(buffer)
        let minutes = Int((counts.readingTime.components.seconds + 59) / 60)
        let parts = [
            counts.words == 1 ? "1 word" : "\(counts.words) words",
            counts.characters == 1 ? "1 character" : "\(counts.characters) characters",
            counts.lines == 1 ? "1 line" : "\(counts.lines) lines",
            minutes <= 1 ? "1 minute to read" : "\(minutes) minutes to read",
        ]
        return (isSelection ? "Selected: " : "") + parts.joined(separator: " · ")
    }
}
