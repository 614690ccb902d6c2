/// The tree as values, for callers that traverse it.
extension MarkdownDocument {
    /// A block and its index in the document.
    public struct Block: Sendable {
        public enum Kind: Hashable, Sendable {
            case quote
            /// `start` is the first number of an ordered list; nil for bullets.
            case list(start: Int?, isLoose: Bool)
            /// `isDone` is whether the task's box is checked; nil without a box.
            case item(isDone: Bool?)
            case footnote(label: String)
            case paragraph
            case heading(level: Int)
            /// `info` is the text after the opening fence; nil for indented code.
            case code(info: String?)
            case html
            case thematicBreak
            case table
            case tableRow(isHeader: Bool)
            case tableCell(alignment: TableAlignment, isHeader: Bool)
            case frontMatter
            /// Link reference definitions.
            case definitions
        }

        public let kind: Kind
        /// The lines of the source, counted from 0.
        public let lines: ClosedRange<Int>
        /// The text of code, HTML and front matter; empty for other blocks.
        public let literal: String
        let index: Int
    }

    /// An inline element.
    public struct Inline: Sendable {
        public enum Kind: Hashable, Sendable {
            case text(String)
            case softBreak, hardBreak
            case code(String), math(String), html(String)
            case emphasis, strong, strikethrough, highlight
            case link(destination: String, title: String), image(destination: String, title: String)
            case wikilink(target: String, label: String)
            case tag(String)
            case footnoteReference(label: String)
        }

        public let kind: Kind
        /// The range of the source, markers included.
        public let range: Range<Int>
        let index: Int32
    }

    /// The blocks that are not inside another block.
    public var topBlocks: [Block] { children(ofNode: 0) }

    /// The direct children of `block`.
    public func blocks(in block: Block) -> [Block] { children(ofNode: block.index) }

    /// The direct inlines of `block`, which is a paragraph, heading or table cell.
    public func inlines(in block: Block) -> [Inline] { siblings(from: blocks[block.index].firstInline) }

    /// The direct children of `inline`, which may be emphasis, a link and the like.
    public func inlines(in inline: Inline) -> [Inline] { siblings(from: inlines[Int(inline.index)].firstChild) }

    private func children(ofNode parent: Int) -> [Block] {
        var children: [Block] = []
        var index = parent + 1
        while index < subtreeEnd(parent) {
            children.append(block(index))
            index = subtreeEnd(index)
        }
        return children
    }

    private func block(_ index: Int) -> Block {
        let node = blocks[index]
        let hasLiteral = node.kind == .code || node.kind == .html || node.kind == .frontMatter
        return Block(
            kind: kind(of: node), lines: sourceLine(node.firstLine)...sourceLine(max(node.firstLine, node.lastLine)),
            literal: hasLiteral ? string(Int(node.start), Int(node.end)) : "", index: index)
    }

    private func kind(of node: BlockNode) -> Block.Kind {
        switch node.kind {
        case .document, .quote: .quote
        case .list: .list(start: node.isOrdered ? Int(node.number) : nil, isLoose: node.flag)
        case .item: .item(isDone: node.detail == BlockNode.Task.none ? nil : node.detail == BlockNode.Task.done)
        case .footnote: .footnote(label: string(Int(node.infoStart), Int(node.infoEnd)))
        case .paragraph: .paragraph
        case .heading: .heading(level: Int(node.detail))
        case .code: .code(info: node.flag ? escaped(Int(node.infoStart), Int(node.infoEnd)) : nil)
        case .html: .html
        case .thematicBreak: .thematicBreak
        case .table: .table
        case .tableRow: .tableRow(isHeader: node.flag)
        case .tableCell:
            .tableCell(alignment: TableAlignment(rawValue: node.detail) ?? .none, isHeader: node.flag)
        case .frontMatter: .frontMatter
        case .definitions: .definitions
        }
    }

    private func siblings(from first: Int32) -> [Inline] {
        var result: [Inline] = []
        var index = first
        while index >= 0 {
            let node = inlines[Int(index)]
            if node.kind != .text || node.start < node.end {
                let start = sourceOffset(Int(node.start))
                let end = node.end > node.start ? sourceOffset(Int(node.end) - 1) + 1 : start
                result.append(Inline(kind: kind(of: node), range: start..<max(start, end), index: index))
            }
            index = node.next
        }
        return result
    }

    private func kind(of node: InlineNode) -> Inline.Kind {
        let (start, end, mark) = (Int(node.start), Int(node.end), Int(node.mark))
        switch node.kind {
        case .text: return .text(string(start, end))
        case .escape: return .text(string(start + 1, end))
        case .entity: return .text(content.withUnsafeBufferPointer { Entities.text($0, start, end) })
        case .softBreak: return .softBreak
        case .hardBreak: return .hardBreak
        case .code:
            let range = content.withUnsafeBufferPointer { $0.codeSpanContent(start + mark, end - mark) }
            return .code(string(range.lowerBound, range.upperBound))
        case .math: return .math(string(start + mark, end - mark))
        case .html: return .html(string(start, end))
        case .emphasis: return .emphasis
        case .strong: return .strong
        case .strikethrough: return .strikethrough
        case .highlight: return .highlight
        case .autolink, .emailAutolink: return addressKind(string(start + 1, end - 1), node.kind)
        case .bareLink, .bareWebLink, .bareEmail: return addressKind(string(start, end), node.kind)
        case .link, .image:
            let target = targets[Int(node.target)]
            let destination = escaped(Int(target.destination.lowerBound), Int(target.destination.upperBound))
            let title = escaped(Int(target.title.lowerBound), Int(target.title.upperBound))
            return node.kind == .link
                ? .link(destination: destination, title: title) : .image(destination: destination, title: title)
        case .wikilink:
            let parts = content.withUnsafeBufferPointer { WikilinkParts($0, start, end) }
            return .wikilink(
                target: string(parts.target.lowerBound, parts.target.upperBound),
                label: string(parts.label.lowerBound, parts.label.upperBound))
        case .tag: return .tag(string(start + 1, end))
        case .footnoteReference: return .footnoteReference(label: string(start + 2, end - 1))
        }
    }

    private func addressKind(_ text: String, _ kind: InlineNode.Kind) -> Inline.Kind {
        switch kind {
        case .emailAutolink, .bareEmail: .link(destination: "mailto:" + text, title: "")
        case .bareWebLink: .link(destination: "http://" + text, title: "")
        default: .link(destination: text, title: "")
        }
    }

    private func string(_ start: Int, _ end: Int) -> String { String(decoding: content[start..<end], as: UTF8.self) }

    private func escaped(_ start: Int, _ end: Int) -> String {
        content.withUnsafeBufferPointer { EscapedText.string($0, start, end) }
    }
}
