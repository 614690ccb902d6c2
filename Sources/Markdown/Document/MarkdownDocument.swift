/// A text, read: the tree of its blocks and of the inlines in them, with their places in the source.
///
/// Costs time and memory in proportion to the text. The tree is flat (arrays of nodes that refer to each other by
/// index), so that no depth of nesting can overflow a stack.
public struct MarkdownDocument: Sendable {
    public let options: MarkdownOptions
    var blocks: ContiguousArray<BlockNode>
    var content: ContiguousArray<UInt8>
    var segments: ContiguousArray<SourceSegment>
    var inlines: ContiguousArray<InlineNode>
    var targets: ContiguousArray<LinkTarget>
    let footnotes: ReferenceTable
    /// Lines, as blocks count them, that end at a CR without an LF; nearly always none.
    private let returns: ContiguousArray<Int32>
    /// Of each block, the index after the last block below it.
    private let subtreeEnds: ContiguousArray<Int32>

    /// Reads `text`.
    public init(_ text: String, _ options: MarkdownOptions = .extended) {
        var text = text
        self = text.withUTF8 { MarkdownDocument(utf8: $0, options) }
    }

    /// Reads UTF-8 bytes.
    public init(utf8 text: UnsafeBufferPointer<UInt8>, _ options: MarkdownOptions = .extended) {
        self.options = options
        var tree = BlockTree.read(text, options)
        let content = tree.content
        var inlines: ContiguousArray<InlineNode> = []
        content.withUnsafeBufferPointer { bytes in
            var parser = InlineParser(bytes, options, references: tree.references, footnotes: tree.footnotes)
            swap(&parser.targets, &tree.targets)
            parser.nodes.reserveCapacity(text.count / 24)
            for index in tree.blocks.indices where tree.blocks[index].hasInlines {
                let block = tree.blocks[index]
                tree.blocks[index].firstInline = parser.parse(from: Int(block.start), to: Int(block.end))
            }
            swap(&parser.targets, &tree.targets)
            inlines = parser.nodes
        }
        blocks = tree.blocks
        subtreeEnds = Self.subtreeEnds(tree.blocks)
        self.content = content
        segments = tree.segments
        targets = tree.targets
        footnotes = tree.footnotes
        returns = tree.returns
        self.inlines = inlines
    }

    /// The index after the last block below `index`.
    func subtreeEnd(_ index: Int) -> Int { Int(subtreeEnds[index]) }

    /// Kept, since footnotes in footnotes that each looked for their end would go through all that are in them.
    private static func subtreeEnds(_ blocks: ContiguousArray<BlockNode>) -> ContiguousArray<Int32> {
        var ends = ContiguousArray((1...Int32(blocks.count)))
        for index in blocks.indices.dropFirst().reversed() {
            let parent = Int(blocks[index].parent)
            ends[parent] = max(ends[parent], ends[index])
        }
        return ends
    }

    /// The line of a text buffer, whose lines end at LF, that a line of Markdown is in, which ends at CR too.
    func sourceLine(_ line: Int32) -> Int {
        guard !returns.isEmpty else { return Int(line) }
        var (low, high) = (0, returns.count)
        while low < high {
            let middle = (low + high) / 2
            if returns[middle] < line { low = middle + 1 } else { high = middle }
        }
        return Int(line) - low
    }

    /// Whether lines are counted otherwise than a text buffer does.
    var hasReturns: Bool { !returns.isEmpty }

    /// The byte of the source that byte `offset` of the content comes from.
    func sourceOffset(_ offset: Int) -> Int {
        SourceSegment.source(of: offset, in: segments)
    }
}

extension BlockNode {
    var hasInlines: Bool { kind == .paragraph || kind == .heading || kind == .tableCell }
}
