import TextPrimitives

/// Renders a document as HTML, in the form of the CommonMark specification's examples.
struct HTMLRenderer {
    let document: MarkdownDocument
    let content: Bytes
    var output: HTMLOutput
    /// The blocks of footnotes, by index, in the order in which they are first referenced.
    var footnoteOrder: [Int32] = []
    var footnoteNumbers: [Int32: Int] = [:]
    /// The number of references to each footnote.
    var footnoteUses: [Int32: Int] = [:]
    /// The number of links that are open; on a page the outer one wins, since HTML has no link inside a link.
    var openLinks = 0
    /// The head of the last callout, which its first paragraph does not show again.
    private var calloutHead: CalloutHead?
    /// The page whose addresses are safe to open; nil renders as the specifications do.
    let page: HTMLPage?
    /// The identities of headings so far, each with the number of headings that would have it.
    private var headings: [String: Int] = [:]
    /// The open containers, by index.
    private var open: [Int32] = []
    /// The block that has an open definition list; -1 for none.
    private var definitionList: Int32 = -1

    static func html(_ document: MarkdownDocument, for page: HTMLPage? = nil) -> String {
        document.content.withUnsafeBufferPointer { content in
            var renderer = HTMLRenderer(document, content, page)
            renderer.renderAll()
            return String(decoding: renderer.output.bytes, as: UTF8.self)
        }
    }

    private init(_ document: MarkdownDocument, _ content: Bytes, _ page: HTMLPage?) {
        self.document = document
        self.page = page
        self.content = content
        output = HTMLOutput(capacity: content.count + content.count / 2 + 64)
    }

    private mutating func renderAll() {
        render(1..<document.blocks.count, under: 0)
        guard !document.footnotes.isEmpty else { return }
        renderFootnotes()
    }

    /// Renders the blocks of `range`, which are descendants of `root`.
    private mutating func render(_ range: Range<Int>, under root: Int32) {
        let base = open.count
        open.append(root)
        var index = range.lowerBound
        while index < range.upperBound {
            let block = document.blocks[index]
            while open.last != block.parent { close(open.removeLast()) }
            if !block.isEntry { closeDefinitionList(of: block.parent) }
            if block.kind == .footnote {
                index = document.subtreeEnd(index)
                continue
            }
            if renderLeaf(block) {
                index += 1
                continue
            }
            openContainer(block, index)
            open.append(Int32(index))
            index += 1
        }
        while open.count > base + 1 { close(open.removeLast()) }
        closeDefinitionList(of: open.removeLast())
    }

    // MARK: Blocks

    private mutating func renderLeaf(_ block: BlockNode) -> Bool {
        switch block.kind {
        case .paragraph: renderParagraph(block)
        case .heading:
            output.endLine()
            renderHeading(block)
        case .code: renderCode(block)
        case .html:
            output.endLine()
            appendHTML(Int(block.start), Int(block.end))
            output.endLine()
        case .thematicBreak:
            output.endLine()
            output.append("<hr />\n")
        case .definitions, .frontMatter: break
        case .tableCell: renderCell(block)
        case .document, .quote, .list, .item, .footnote, .table, .tableRow: return false
        }
        return true
    }

    private mutating func renderHeading(_ block: BlockNode) {
        let level = min(block.detail + UInt8(clamping: page?.headingShift ?? 0), 6)
        output.append("<h")
        output.append(byte: Byte.zero + level)
        if let page, page.isStandalone {
            let slug = Markdown.slug(document.plainText(of: block.firstInline, content, breaks: " "))
            output.append(" id=\"")
            output.appendEscaped(page.identityPrefix + Markdown.unique(slug, &headings))
            output.append("\"")
        }
        output.append(byte: Byte.greater)
        renderInlines(block.firstInline)
        output.append("</h")
        output.append(byte: Byte.zero + level)
        output.append(">\n")
    }

    /// Renders a term or a definition; the first one opens a definition list.
    private mutating func renderEntry(_ block: BlockNode) {
        output.endLine()
        if definitionList != block.parent { output.append("<dl>\n") }
        definitionList = block.parent
        let isTerm = block.detail == BlockNode.Entry.term
        output.append(isTerm ? "<dt>" : "<dd>")
        renderInlines(block.firstInline)
        output.append(isTerm ? "</dt>\n" : "</dd>\n")
    }

    private mutating func closeDefinitionList(of parent: Int32) {
        guard definitionList == parent else { return }
        definitionList = -1
        output.append("</dl>\n")
    }

    private mutating func renderParagraph(_ block: BlockNode) {
        if block.isEntry { return renderEntry(block) }
        let parent = document.blocks[Int(block.parent)]
        if parent.kind == .item, !document.blocks[Int(parent.parent)].flag {
            return renderInlines(block.firstInline)
        }
        var first = block.firstInline
        if let head = calloutHead, head.first == first {
            if head.end < 0 { return }
            first = document.inlines[Int(head.end)].next
        }
        output.endLine()
        output.append("<p>")
        renderInlines(first)
        output.append("</p>\n")
    }

    private mutating func renderCode(_ block: BlockNode) {
        output.endLine()
        var infoEnd = Int(block.infoStart)
        while infoEnd < Int(block.infoEnd), !content[infoEnd].isSpace { infoEnd += 1 }
        if infoEnd > Int(block.infoStart) {
            output.append("<pre><code class=\"language-")
            appendUnescaped(Int(block.infoStart), infoEnd)
            output.append("\">")
        } else {
            output.append("<pre><code>")
        }
        output.appendEscaped(content, Int(block.start), Int(block.end))
        output.append("</code></pre>\n")
    }

    private mutating func renderCell(_ block: BlockNode) {
        output.endLine()
        output.append(block.flag ? "<th" : "<td")
        let side: StaticString? =
            switch TableAlignment(rawValue: block.detail) ?? .none {
            case .none: nil
            case .left: "left"
            case .center: "center"
            case .right: "right"
            }
        if let side {
            // HTML 5 no longer has this attribute, but the specification's examples do.
            output.append(page == nil ? " align=\"" : " style=\"text-align: ")
            output.append(side)
            output.append("\"")
        }
        output.append(">")
        renderInlines(block.firstInline)
        output.append(block.flag ? "</th>\n" : "</td>\n")
    }

    private mutating func openContainer(_ block: BlockNode, _ index: Int) {
        switch block.kind {
        case .quote:
            output.endLine()
            guard let head = calloutHead(ofQuote: index) else { return output.append("<blockquote>\n") }
            openCallout(head)
            calloutHead = head
        case .list:
            output.endLine()
            output.append(block.isOrdered ? "<ol" : "<ul")
            if block.isOrdered, block.number != 1 { output.append(" start=\"\(block.number)\"") }
            output.append(">\n")
        case .item:
            output.endLine()
            output.append("<li>")
            if block.detail == BlockNode.Task.open { output.append("<input type=\"checkbox\" disabled=\"\" /> ") }
            if block.detail == BlockNode.Task.done {
                output.append("<input type=\"checkbox\" checked=\"\" disabled=\"\" /> ")
            }
        case .table:
            output.endLine()
            output.append("<table>\n")
        case .tableRow:
            output.endLine()
            if block.flag {
                output.append("<thead>\n")
            } else if document.blocks[Int(block.parent)].firstLine + 2 == block.firstLine {
                output.append("<tbody>\n")
            }
            output.append("<tr>\n")
        default: break
        }
    }

    private mutating func close(_ index: Int32) {
        closeDefinitionList(of: index)
        let block = document.blocks[Int(index)]
        switch block.kind {
        case .quote:
            output.endLine()
            output.append("</blockquote>\n")
        case .list: output.append(block.isOrdered ? "</ol>\n" : "</ul>\n")
        case .item: output.append("</li>\n")
        case .tableRow: output.append(block.flag ? "</tr>\n</thead>\n" : "</tr>\n")
        case .table:
            let hasBody = document.blocks[Int(block.lastChild)].flag == false
            output.append(hasBody ? "</tbody>\n</table>\n" : "</table>\n")
        default: break
        }
    }

    // MARK: Footnotes

    private mutating func renderFootnotes() {
        guard !footnoteOrder.isEmpty else { return }
        output.endLine()
        output.append("<section class=\"footnotes\" data-footnotes>\n<ol>\n")
        var next = 0
        // Footnotes may refer to further footnotes.
        while next < footnoteOrder.count {
            let index = Int(footnoteOrder[next])
            let label = footnoteLabel(footnoteOrder[next])
            output.append("<li id=\"")
            appendIdentityPrefix()
            output.append("fn-")
            appendHref(label)
            output.append("\">\n")
            render(index + 1..<document.subtreeEnd(index), under: Int32(index))
            appendBackReferences(Int32(index), label)
            output.append("</li>\n")
            next += 1
        }
        output.append("</ol>\n</section>\n")
    }

    private func footnoteLabel(_ index: Int32) -> Range<Int> {
        let block = document.blocks[Int(index)]
        return Int(block.infoStart)..<Int(block.infoEnd)
    }

    private mutating func appendBackReferences(_ index: Int32, _ label: Range<Int>) {
        let number = footnoteNumbers[index] ?? 0
        let isInParagraph = output.removeLast("</p>\n")
        for use in 1...max(footnoteUses[index] ?? 1, 1) {
            if use > 1 || isInParagraph { output.append(" ") }
            output.append("<a href=\"#")
            appendIdentityPrefix()
            output.append("fnref-")
            appendHref(label)
            if use > 1 { output.append("-\(use)") }
            output.append("\" class=\"footnote-backref\" data-footnote-backref data-footnote-backref-idx=\"\(number)")
            if use > 1 { output.append("-\(use)") }
            output.append("\" aria-label=\"Back to reference \(number)")
            if use > 1 { output.append("-\(use)") }
            output.append("\">↩")
            if use > 1 { output.append("<sup class=\"footnote-ref\">\(use)</sup>") }
            output.append("</a>")
        }
        output.append(isInParagraph ? "</p>\n" : "\n")
    }

    mutating func appendIdentityPrefix() { if let page { output.append(page.identityPrefix) } }

    mutating func appendHref(_ range: Range<Int>) {
        output.appendAddress(content, range.lowerBound, range.upperBound)
    }

    // MARK: Raw HTML

    private static let disallowed: [StaticString] = [
        "title", "textarea", "style", "xmp", "iframe", "noembed", "noframes", "script", "plaintext",
    ]

    /// Appends raw HTML; with the option `disallowedHTML`, escapes the `<` of the tags in GFM's list.
    mutating func appendHTML(_ start: Int, _ end: Int) {
        if let page { return output.appendHarmless(content, start, end, page) }
        guard document.options.contains(.disallowedHTML) else { return output.appendRaw(content, start, end) }
        var run = start
        var from = start
        while let less = content.firstOffset(of: Byte.less, from: from, to: end) {
            from = less + 1
            guard isDisallowed(at: less, end) else { continue }
            output.appendRaw(content, run, less)
            output.append("&lt;")
            run = from
        }
        output.appendRaw(content, run, end)
    }

    private func isDisallowed(at less: Int, _ end: Int) -> Bool {
        let name = less + 1 < end && content[less + 1] == Byte.slash ? less + 2 : less + 1
        for tag in Self.disallowed where content.hasCaseless(tag, at: name) {
            let next = name + tag.utf8CodeUnitCount
            guard next < end else { return false }
            return content[next].isSpace || content[next] == Byte.greater
                || content[next] == Byte.slash && next + 1 < end && content[next + 1] == Byte.greater
        }
        return false
    }

    /// Appends text that contains backslash escapes and entities, decoded and then escaped for HTML.
    mutating func appendUnescaped(_ start: Int, _ end: Int) {
        var output = HTMLOutput(capacity: 0)
        swap(&output, &self.output)
        let content = content
        EscapedText.forEachPiece(
            content, start, end,
            plain: { output.appendEscaped(content, $0, $1) },
            entity: { output.appendEscaped($0) })
        swap(&output, &self.output)
    }
}
