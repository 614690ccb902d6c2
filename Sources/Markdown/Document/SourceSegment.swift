/// The start of a piece of a document's content and its origin in the source; both are byte offsets.
struct SourceSegment: Sendable {
    var content: Int32
    var source: Int32

    /// The byte offset in the source of byte `offset` of the content.
    static func source(of offset: Int, in segments: ContiguousArray<SourceSegment>) -> Int {
        var (low, high) = (0, segments.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(segments[middle].content) <= offset { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        return Int(segments[low - 1].source) + offset - Int(segments[low - 1].content)
    }
}
