/// Counts a long text in small steps, in idle moments, while it is being edited.
public struct TextCounting: Sendable {
    private var counter = TextCounter()
    /// The offset up to which the text is counted.
    private var counted: ByteOffset = 0
    /// The changes that edits before `counted` made to the counts.
    private var changes = TextStatistics()

    /// Creates a count that has not begun.
    public init() {}

    /// Counts `bytes` further (a quarter of a million take about a millisecond); returns the counts once they are
    /// complete.
    public mutating func advance(in buffer: TextBuffer, bytes: Int = 256 << 10) -> TextStatistics? {
        let stop = buffer.scalarStart(atOrBefore: min(buffer.end, counted + max(bytes, 4)))
        buffer.forEachPiece(in: counted..<stop) { piece in
            counter.count(piece)
            return true
        }
        counted = stop
        guard counted == buffer.end else { return nil }
        return TextStatistics(counter.finish(), changes: changes, lines: buffer.lineCount)
    }

    /// Updates the counts for an edit; `buffer` is the text after it.
    ///
    /// If the surroundings of the edit extend to the counted offset, counting starts again.
    public mutating func update(_ edit: Edit, in buffer: TextBuffer) {
        guard let range = edit.oldRange, range.lowerBound < counted else { return }
        guard range.upperBound < counted else { return self = TextCounting() }
        let end = changes.follow(edit, in: buffer)
        counted += edit.growth
        if end > counted { self = TextCounting() }
    }
}
