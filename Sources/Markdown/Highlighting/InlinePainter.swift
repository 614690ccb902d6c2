/// Collects the runs of one line in order, and merges adjacent runs of the same kinds.
struct LinePainter {
    private(set) var runs: [HighlightRun] = []

    mutating func add(_ start: Int, _ end: Int, _ kind: SpanKind) {
        guard start < end, !kind.isEmpty else { return }
        if let last = runs.last, last.range.upperBound == start, last.kind == kind {
            runs[runs.count - 1].range = last.range.lowerBound..<end
        } else {
            runs.append(HighlightRun(range: start..<end, kind: kind))
        }
    }
}

/// Turns the inlines of a text into runs, line by line.
struct InlinePainter {
    private let bytes: Bytes
    private let nodes: ContiguousArray<InlineNode>
    private let pieces: [ParagraphText.Piece]
    private(set) var lines: [LinePainter]
    /// The end of the text, excluding a final line end.
    private let textEnd: Int
    /// The piece that was painted last.
    private var current = 0

    /// - Parameter lines: The runs already painted for each piece.
    init(_ bytes: Bytes, _ nodes: ContiguousArray<InlineNode>, _ pieces: [ParagraphText.Piece], _ lines: [LinePainter])
    {
        self.bytes = bytes
        self.nodes = nodes
        self.pieces = pieces
        self.lines = lines
        textEnd = bytes.last == Byte.newline ? bytes.count - 1 : bytes.count
    }

    /// Paints a range of the text, which may span lines; each call must be for a later range than the one before.
    mutating func add(_ start: Int, _ end: Int, _ kind: SpanKind) {
        var start = start
        while start < end {
            while current + 1 < pieces.count, pieces[current + 1].start <= start { current += 1 }
            let lineEnd = current + 1 < pieces.count ? pieces[current + 1].start - 1 : textEnd
            let shift = pieces[current].column - pieces[current].start
            lines[current].add(start + shift, min(end, lineEnd) + shift, kind)
            start = max(lineEnd + 1, start + 1)
        }
    }

    /// Paints the node `first`, its following siblings and all their descendants, adding the kind `base` to each.
    mutating func paint(_ first: Int32, base: SpanKind) {
        var pending: [(node: Int32, base: SpanKind)] = []
        var index = first
        var kind = base
        while true {
            while index < 0 {
                guard let parent = pending.popLast() else { return }
                let node = nodes[Int(parent.node)]
                kind = parent.base
                paintEnd(node, kind)
                index = node.next
            }
            let node = nodes[Int(index)]
            if let inner = paintStart(node, kind) {
                pending.append((index, kind))
                kind = inner
                index = node.firstChild
            } else {
                index = node.next
            }
        }
    }

    /// Paints what comes before the children; returns the children's kind, or nil if there are none to paint.
    private mutating func paintStart(_ node: InlineNode, _ kind: SpanKind) -> SpanKind? {
        let (start, end, mark) = (Int(node.start), Int(node.end), Int(node.mark))
        switch node.kind {
        case .text, .softBreak: add(start, end, kind)
        case .hardBreak: add(start, end - 1, kind.union([.marker, .escape]))
        case .escape:
            add(start, start + 1, kind.union([.marker, .escape]))
            add(start + 1, end, kind.union(.escape))
        case .entity: add(start, end, kind.union(.entity))
        case .code: paintFramed(start, end, mark, kind.union(.code))
        case .math: paintFramed(start, end, mark, kind.union(.math))
        case .html: add(start, end, kind.union(.html))
        case .autolink, .emailAutolink: paintFramed(start, end, 1, kind.union(.link))
        case .bareLink, .bareWebLink, .bareEmail: add(start, end, kind.union(.link))
        case .tag: add(start, end, kind.union(.tag))
        case .footnoteReference: paintFramed(start, end, 1, kind.union(.footnote))
        case .wikilink: paintWikilink(start, end, kind)
        case .emphasis, .strong, .strikethrough, .highlight, .link, .image: return paintOpening(node, kind)
        }
        return nil
    }

    private mutating func paintFramed(_ start: Int, _ end: Int, _ mark: Int, _ kind: SpanKind) {
        add(start, start + mark, kind.union(.marker))
        add(start + mark, end - mark, kind)
        add(end - mark, end, kind.union(.marker))
    }

    private mutating func paintWikilink(_ start: Int, _ end: Int, _ kind: SpanKind) {
        let kind = kind.union([.link, .wikilink])
        add(start, start + 2, kind.union(.marker))
        if let bar = bytes.firstOffset(of: Byte.pipe, from: start + 2, to: end - 2) {
            add(start + 2, bar, kind.union(.linkTarget))
            add(bar, bar + 1, kind.union(.marker))
            add(bar + 1, end - 2, kind)
        } else {
            add(start + 2, end - 2, kind)
        }
        add(end - 2, end, kind.union(.marker))
    }

    private mutating func paintOpening(_ node: InlineNode, _ kind: SpanKind) -> SpanKind? {
        let inner = kind.union(node.kind.spanKind)
        let isLink = node.kind == .link || node.kind == .image
        let length = isLink ? (node.kind == .image ? 2 : 1) : Int(node.mark)
        add(Int(node.start), Int(node.start) + length, inner.union(.marker))
        guard node.firstChild >= 0 else {
            paintEnd(node, kind)
            return nil
        }
        return inner
    }

    private mutating func paintEnd(_ node: InlineNode, _ kind: SpanKind) {
        let inner = kind.union(node.kind.spanKind)
        let (end, mark) = (Int(node.end), Int(node.mark))
        guard node.kind == .link || node.kind == .image else {
            return add(end - mark, end, inner.union(.marker))
        }
        add(mark, mark + 1, inner.union(.marker))
        guard mark + 1 < end else { return }
        add(mark + 1, mark + 2, inner.union(.marker))
        add(mark + 2, end - 1, inner.union(.linkTarget))
        add(end - 1, end, inner.union(.marker))
    }
}

extension InlineNode.Kind {
    /// The kind of span that a node is drawn as.
    var spanKind: SpanKind {
        switch self {
        case .emphasis: .emphasis
        case .strong: .strong
        case .strikethrough: .strikethrough
        case .highlight: .highlight
        case .code: .code
        case .math: .math
        case .html: .html
        case .tag: .tag
        case .link, .autolink, .emailAutolink, .bareLink, .bareWebLink, .bareEmail: .link
        case .wikilink: [.link, .wikilink]
        case .image: [.link, .image]
        case .footnoteReference: .footnote
        case .text, .softBreak, .hardBreak, .escape, .entity: []
        }
    }
}
