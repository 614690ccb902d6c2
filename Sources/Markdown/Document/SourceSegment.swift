import TextPrimitives

/// The start of a piece of a document's content and its origin in the source; both are byte offsets.
struct SourceSegment: Sendable {
    var content: Int32
    var source: Int32

    /// The byte offset in the source of byte `offset` of the content.
    static func source(of offset: Int, in segments: ContiguousArray<SourceSegment>) -> Int {
        let next = segments.partitioningIndex { Int($0.content) > offset }
        guard next > 0 else { return 0 }
        return Int(segments[next - 1].source) + offset - Int(segments[next - 1].content)
    }
}
