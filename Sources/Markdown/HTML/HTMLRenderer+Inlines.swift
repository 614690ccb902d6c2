import TextPrimitives

extension HTMLRenderer {
    /// Renders the node `first`, its following siblings before `end` and all their descendants.
    mutating func renderInlines(_ first: Int32, until end: Int32 = -1) {
        var pending: [Int32] = []
        var index = first
        while true {
            while index < 0 || index == end {
                guard let parent = pending.popLast() else { return }
                closeInline(document.inlines[Int(parent)])
                index = document.inlines[Int(parent)].next
            }
            let node = document.inlines[Int(index)]
            if openInline(node), node.firstChild >= 0 {
                pending.append(index)
                index = node.firstChild
            } else {
                closeInline(node)
                index = node.next
            }
        }
    }

    /// Renders what comes before the children of a node; returns false if the children must not be rendered.
    private mutating func openInline(_ node: InlineNode) -> Bool {
        let (start, end) = (Int(node.start), Int(node.end))
        let mark = Int(node.mark)
        switch node.kind {
        case .text: output.appendEscaped(content, start, end)
        case .softBreak: output.append(byte: Byte.newline)
        case .hardBreak: output.append("<br />\n")
        case .escape: output.appendEscaped(content, start + 1, end)
        case .entity: output.appendEscaped(Entities.text(content, start, end))
        case .code:
            output.append("<code>")
            renderCode(start + mark, end - mark)
            output.append("</code>")
        case .math:
            // Two dollars or `\[` set a formula off; `\(` does not.
            let isDisplay = mark == 2 && content[start + 1] != Byte.openParen
            output.append(isDisplay ? "<span class=\"math display\">" : "<span class=\"math inline\">")
            output.appendEscaped(content, start + mark, end - mark)
            output.append("</span>")
        case .html: appendHTML(start, end)
        case .emphasis: output.append("<em>")
        case .strong: output.append("<strong>")
        case .strikethrough: output.append("<del>")
        case .highlight: output.append("<mark>")
        case .autolink, .emailAutolink, .bareLink, .bareWebLink, .bareEmail: renderAutolink(node)
        case .link:
            openLink(document.targets[Int(node.target)])
            openLinks += 1
        case .image:
            renderImage(node)
            return false
        case .wikilink: renderWikilink(start, end)
        case .tag:
            output.append("<span class=\"tag\">")
            output.appendEscaped(content, start, end)
            output.append("</span>")
        case .footnoteReference: renderFootnoteReference(node.target)
        }
        return true
    }

    private mutating func closeInline(_ node: InlineNode) {
        switch node.kind {
        case .emphasis: output.append("</em>")
        case .strong: output.append("</strong>")
        case .strikethrough: output.append("</del>")
        case .highlight: output.append("</mark>")
        case .link:
            output.append("</a>")
            openLinks -= 1
        default: break
        }
    }

    /// Renders the content of a code span: line ends become spaces, and one space is removed on both sides if text
    /// remains.
    private mutating func renderCode(_ start: Int, _ end: Int) {
        let range = content.codeSpanContent(start, end)
        var run = range.lowerBound
        while let newline = content.firstOffset(of: Byte.newline, from: run, to: range.upperBound) {
            output.appendEscaped(content, run, newline)
            output.append(byte: Byte.space)
            run = newline + 1
        }
        output.appendEscaped(content, run, range.upperBound)
    }

    /// The address of a link or an image on a standalone page, where an empty one makes it plain text; nil on other
    /// pages.
    private func standaloneAddress(_ target: LinkTarget, isImage: Bool) -> String? {
        guard let page, page.isStandalone else { return nil }
        let address = written(target)
        return page.address(isImage ? .image(address) : .link(address))
    }

    /// The address of a link or an image as the text has it.
    private func written(_ target: LinkTarget) -> String {
        EscapedText.string(content, Int(target.destination.lowerBound), Int(target.destination.upperBound))
    }

    private mutating func openLink(_ target: LinkTarget) {
        if standaloneAddress(target, isImage: false)?.isEmpty == true { return output.append("<a class=\"missing\">") }
        output.append("<a href=\"")
        appendDestination(target, isImage: false)
        appendTitle(target)
        output.append(page?.tagEnd(ofLink: written(target)) ?? "\">")
    }

    private mutating func appendDestination(_ target: LinkTarget, isImage: Bool) {
        if let page {
            let address = written(target)
            return output.appendAddress(page.address(isImage ? .image(address) : .link(address)))
        }
        var output = HTMLOutput(capacity: 0)
        swap(&output, &self.output)
        let content = content
        EscapedText.forEachPiece(
            content, Int(target.destination.lowerBound), Int(target.destination.upperBound),
            plain: { output.appendAddress(content, $0, $1) },
            entity: { for byte in $0.utf8 { output.appendAddress(byte: byte) } })
        swap(&output, &self.output)
    }

    private mutating func appendTitle(_ target: LinkTarget) {
        guard !target.title.isEmpty else { return }
        output.append("\" title=\"")
        appendUnescaped(Int(target.title.lowerBound), Int(target.title.upperBound))
    }

    /// Whether a link here would stand inside another one; the examples of the specification have such links.
    private var isInsideLink: Bool { page != nil && openLinks > 0 }

    private mutating func renderAutolink(_ node: InlineNode) {
        let isAngled = node.kind == .autolink || node.kind == .emailAutolink
        let start = Int(node.start) + (isAngled ? 1 : 0)
        let end = Int(node.end) - (isAngled ? 1 : 0)
        guard !isInsideLink else { return output.appendEscaped(content, start, end) }
        output.append("<a href=\"")
        switch node.kind {
        case .emailAutolink, .bareEmail: output.append("mailto:")
        case .bareWebLink: output.append("http://")
        default: break
        }
        if let page, node.kind == .autolink || node.kind == .bareLink {
            let address = String(decoding: content[start..<max(start, end)], as: UTF8.self)
            output.appendAddress(page.address(.link(address)))
            output.append(page.tagEnd(ofLink: address))
        } else {
            output.appendAddress(content, start, end)
            output.append("\">")
        }
        output.appendEscaped(content, start, end)
        output.append("</a>")
    }

    private mutating func renderImage(_ node: InlineNode) {
        let target = document.targets[Int(node.target)]
        let written = document.plainText(of: node.firstChild, content, breaks: " ")
        // CommonMark knows no sizes.
        let size = page == nil ? nil : ImageSize(in: written)
        let alternative = size?.alternative ?? written
        if standaloneAddress(target, isImage: true)?.isEmpty == true {
            output.append("<span class=\"missing\">")
            output.appendEscaped(alternative)
            return output.append("</span>")
        }
        output.append("<img src=\"")
        appendDestination(target, isImage: true)
        output.append("\" alt=\"")
        output.appendEscaped(alternative)
        appendTitle(target)
        if let size {
            output.append("\" width=\"\(size.width)")
            if let height = size.height { output.append("\" height=\"\(height)") }
        }
        output.append("\" />")
    }

    private mutating func renderWikilink(_ start: Int, _ end: Int) {
        // The mark before an embedded note does not belong to the text.
        if content.isEmbed(start) { _ = output.removeLast("!") }
        let parts = WikilinkParts(content, start, end)
        guard !isInsideLink else {
            return output.appendEscaped(content, parts.label.lowerBound, parts.label.upperBound)
        }
        let target = String(decoding: content[parts.target], as: UTF8.self)
        let address = page?.wikilinkAddress(target)
        if page != nil, address == nil {
            output.append("<a class=\"missing\">")
            output.appendEscaped(content, parts.label.lowerBound, parts.label.upperBound)
            return output.append("</a>")
        }
        output.append("<a href=\"")
        if let address {
            output.appendAddress(address)
        } else {
            appendHref(parts.target)
        }
        output.append("\" class=\"wikilink\">")
        output.appendEscaped(content, parts.label.lowerBound, parts.label.upperBound)
        output.append("</a>")
    }

    private mutating func renderFootnoteReference(_ block: Int32) {
        if footnoteNumbers[block] == nil {
            footnoteOrder.append(block)
            footnoteNumbers[block] = footnoteOrder.count
        }
        let number = footnoteNumbers[block] ?? 0
        let use = footnoteUses[block, default: 0] + 1
        footnoteUses[block] = use
        let info = document.blocks[Int(block)]
        let label = Int(info.infoStart)..<Int(info.infoEnd)
        output.append("<sup class=\"footnote-ref\"")
        if isInsideLink {
            output.append(" id=\"")
        } else {
            output.append("><a href=\"#")
            appendIdentityPrefix()
            output.append("fn-")
            appendHref(label)
            output.append("\" id=\"")
        }
        appendIdentityPrefix()
        output.append("fnref-")
        appendHref(label)
        if use > 1 { output.append("-\(use)") }
        output.append(isInsideLink ? "\">\(number)</sup>" : "\" data-footnote-ref>\(number)</a></sup>")
    }
}

/// The parts of `[[target|label]]`; the target may contain a `#heading`.
struct WikilinkParts {
    let target: Range<Int>
    /// The label as written; the target if there is none.
    let written: Range<Int>
    /// The text that is shown: the label, unless it is the size of an embed.
    let label: Range<Int>

    init(_ bytes: Bytes, _ start: Int, _ end: Int) {
        let inner = start + 2..<end - 2
        let bar = bytes.firstOffset(of: Byte.pipe, from: inner.lowerBound, to: inner.upperBound)
        // Some programs escape the bar outside of tables too; no name of a file ends with a backslash.
        let isEscaped = bar.map { $0 > inner.lowerBound && bytes[$0 - 1] == Byte.backslash } ?? false
        target = Self.trim(bytes, inner.lowerBound..<(bar.map { isEscaped ? $0 - 1 : $0 } ?? inner.upperBound))
        let alias = bar.map { Self.trim(bytes, $0 + 1..<inner.upperBound) } ?? target
        let isSize = bytes.isEmbed(start) && ImageSize.isSize(String(decoding: bytes[alias], as: UTF8.self))
        written = alias.isEmpty ? target : alias
        label = isSize ? target : written
    }

    private static func trim(_ bytes: Bytes, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start].isBlank { start += 1 }
        while end > start, bytes[end - 1].isBlank { end -= 1 }
        return start..<end
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the wikilink at an offset is an embedded note: a `!` that is not escaped stands before it.
    func isEmbed(_ start: Int) -> Bool {
        start > 0 && self[start - 1] == Byte.bang && (start < 2 || self[start - 2] != Byte.backslash)
    }

    /// The content of a code span, given the range between its backticks.
    ///
    /// One space (or line end) is removed on both sides if both are there and not all bytes are spaces.
    func codeSpanContent(_ start: Int, _ end: Int) -> Range<Int> {
        func isSpace(_ byte: UInt8) -> Bool { byte == Byte.space || byte == Byte.newline }
        guard end - start >= 2, isSpace(self[start]), isSpace(self[end - 1]),
            self[start..<end].contains(where: { !isSpace($0) })
        else { return start..<end }
        return start + 1..<end - 1
    }
}
