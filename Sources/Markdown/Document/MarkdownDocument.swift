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
        self.content = content
        segments = tree.segments
        targets = tree.targets
        footnotes = tree.footnotes
        self.inlines = inlines
    }

    /// The byte of the source that byte `offset` of the content comes from.
    func sourceOffset(_ offset: Int) -> Int {
        SourceSegment.source(of: offset, in: segments)
    }
}

extension BlockNode {
    var hasInlines: Bool { kind == .paragraph || kind == .heading || kind == .tableCell }
}
