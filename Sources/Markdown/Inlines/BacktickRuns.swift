/// The last position of a run of backticks of each length, so that each run is read only once.
struct BacktickRuns {
    /// The longest run that can delimit code; the reference implementation has such a limit too.
    static let maximumLength = 1000

    /// Whether the text has been read to its end.
    var isKnown = false
    private var lastStart: ContiguousArray<Int32> = []

    /// The end of the run of `length` backticks that closes a code span whose content starts at `start`.
    mutating func closing(_ length: Int, _ bytes: Bytes, from start: Int, to end: Int) -> Int? {
        guard length <= Self.maximumLength else { return nil }
        if isKnown, lastStart[length] < start { return nil }
        var offset = start
        while let tick = bytes.firstOffset(of: Byte.backtick, from: offset, to: end) {
            offset = tick
            while offset < end, bytes[offset] == Byte.backtick { offset += 1 }
            if offset - tick == length { return offset }
        }
        rememberAll(bytes, from: start, to: end)
        return nil
    }

    /// Records the last position of the runs of each length, after a search has failed.
    private mutating func rememberAll(_ bytes: Bytes, from start: Int, to end: Int) {
        guard !isKnown else { return }
        isKnown = true
        lastStart = ContiguousArray(repeating: -1, count: Self.maximumLength + 1)
        var offset = start
        while let tick = bytes.firstOffset(of: Byte.backtick, from: offset, to: end) {
            offset = tick
            while offset < end, bytes[offset] == Byte.backtick { offset += 1 }
            if offset - tick <= Self.maximumLength { lastStart[offset - tick] = Int32(tick) }
        }
    }
}
