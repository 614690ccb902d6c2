import TextPrimitives

/// A parsed text: the tree of its blocks and of their inlines, with their positions in the source.
///
/// Parsing takes time and memory proportional to the text. The tree is flat (arrays of nodes that refer to each other
/// by index), so that deep nesting cannot overflow a stack.
public struct MarkdownDocument: Sendable {
    public let options: MarkdownOptions
    var blocks: ContiguousArray<BlockNode>
    var content: ContiguousArray<UInt8>
    var segments: ContiguousArray<SourceSegment>
    var inlines: ContiguousArray<InlineNode>
    var targets: ContiguousArray<LinkTarget>
    let footnotes: ReferenceTable
    /// The numbers of the lines that end at a CR without an LF, as blocks count lines; nearly always none.
    private let returns: ContiguousArray<Int32>
    /// For each block, the index after its last descendant.
    private let subtreeEnds: ContiguousArray<Int32>

    /// Parses `text`.
    public init(_ text: String, _ options: MarkdownOptions = .extended) {
        var text = text
        self = text.withUTF8 { MarkdownDocument(utf8: $0, options) }
    }

    /// Parses UTF-8 bytes.
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

    /// The index after the last descendant of block `index`.
    func subtreeEnd(_ index: Int) -> Int { Int(subtreeEnds[index]) }

    /// Computes all subtree ends at once, because a search for each nested footnote's end would visit all blocks in it.
    private static func subtreeEnds(_ blocks: ContiguousArray<BlockNode>) -> ContiguousArray<Int32> {
        var ends = ContiguousArray(1...Int32(blocks.count))
        for index in blocks.indices.dropFirst().reversed() {
            let parent = Int(blocks[index].parent)
            ends[parent] = max(ends[parent], ends[index])
        }
        return ends
    }

    /// Converts the number of a line of Markdown, which may also end at CR, to that in a text buffer, whose lines end
    /// at LF.
    func sourceLine(_ line: Int32) -> Int {
        Int(line) - returns.partitioningIndex { $0 >= line }
    }

    /// Whether lines are counted differently from a text buffer.
    var hasReturns: Bool { !returns.isEmpty }

    /// The byte offset in the source of byte `offset` of the content.
    func sourceOffset(_ offset: Int) -> Int {
        SourceSegment.source(of: offset, in: segments)
    }
}

extension BlockNode {
    var hasInlines: Bool { kind == .paragraph || kind == .heading || kind == .tableCell }
}
