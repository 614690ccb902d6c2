/// Renders callouts: quotations that begin with `[!note]`.
extension HTMLRenderer {
    /// The first line of a callout, `[!note] Title`.
    struct CalloutHead {
        /// The name that is shown for its kind, `Note`.
        let kind: String
        /// The first inline of the paragraph that begins with the head.
        let first: Int32
        /// The offset in the content at which the title starts.
        let title: Int
        /// The line break after the head; -1 if the paragraph has no further line.
        let end: Int32
    }

    /// Returns the head of the callout that the quotation at an index is; nil for any other quotation.
    func calloutHead(ofQuote index: Int) -> CalloutHead? {
        guard document.options.contains(.callouts), index + 1 < document.blocks.count else { return nil }
        let paragraph = document.blocks[index + 1]
        let first = paragraph.firstInline
        guard paragraph.kind == .paragraph, !paragraph.isEntry, paragraph.parent == Int32(index), first >= 0 else {
            return nil
        }
        let start = Int(document.inlines[Int(first)].start)
        let end = content.firstOffset(of: Byte.newline, from: start, to: Int(paragraph.end)) ?? Int(paragraph.end)
        guard content.has("[!", at: start),
            let mark = Callout.Mark(beginning: String(decoding: content[start..<end], as: UTF8.self))
        else { return nil }
        var node = first
        while node >= 0 {
            let inline = document.inlines[Int(node)]
            if inline.kind == .softBreak || inline.kind == .hardBreak { break }
            // `[!note](address)` is a link, and a head does not continue in the next line.
            if Int(inline.start) < start + mark.bracketLength, inline.kind != .text { return nil }
            if content[Int(inline.start)..<Int(inline.end)].contains(Byte.newline) { return nil }
            node = inline.next
        }
        return CalloutHead(kind: mark.kind, first: first, title: start + mark.length, end: node)
    }

    /// Opens a quotation as a callout with its title.
    mutating func openCallout(_ head: CalloutHead) {
        output.append("<blockquote class=\"callout\" data-callout=\"")
        output.append(head.kind.lowercased())
        output.append("\">\n<p class=\"callout-title\"><strong>")
        output.append(head.kind)
        renderTitle(of: head)
        output.append("</strong></p>\n")
    }

    private mutating func renderTitle(of head: CalloutHead) {
        var node = head.first
        while node >= 0, node != head.end, Int(document.inlines[Int(node)].end) <= head.title {
            node = document.inlines[Int(node)].next
        }
        guard node >= 0, node != head.end else { return }
        output.append(": ")
        let inline = document.inlines[Int(node)]
        if Int(inline.start) < head.title {
            output.appendEscaped(content, head.title, Int(inline.end))
            node = inline.next
        }
        renderInlines(node, until: head.end)
    }
}
