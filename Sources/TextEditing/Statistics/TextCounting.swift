/// Counts a long text a bit at a time, in idle moments, while it is being edited.
public struct TextCounting: Sendable {
    private var counter = TextCounter()
    /// How far the text is counted.
    private var counted: ByteOffset = 0
    /// What edits before `counted` have changed since.
    private var changes = TextStatistics()

    /// A count that has not begun.
    public init() {}

    /// Counts on for `bytes` (a quarter of a million take about a millisecond); the counts once all is counted.
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

    /// Follows an edit; `buffer` is the text after it.
    ///
    /// An edit whose surroundings reach to where counting stands begins it anew.
    public mutating func update(_ edit: Edit, in buffer: TextBuffer) {
        guard let range = edit.oldRange, range.lowerBound < counted else { return }
        guard range.upperBound < counted else { return self = TextCounting() }
        let end = changes.follow(edit, in: buffer)
        counted += edit.growth
        if end > counted { self = TextCounting() }
    }
}
