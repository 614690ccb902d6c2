extension MarkdownDocument {
    /// The text of the inline node `first`, its following siblings and all their descendants, without markers.
    ///
    /// - Parameter limit: The most nodes to read; the others are left out.
    func plainText(of first: Int32, _ content: Bytes, breaks: String = " ", limit: Int = .max) -> String {
        var result: [UInt8] = []
        appendPlainText(of: first, content, breaks: breaks, limit: limit, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    func appendPlainText(
        of first: Int32, _ content: Bytes, breaks: String = " ", limit: Int = .max, to result: inout [UInt8]
    ) {
        var pending: [(next: Int32, image: Int?)] = []
        var index = first
        var left = limit
        while left > 0 {
            left -= 1
            while index < 0 {
                guard let outer = pending.popLast() else { return }
                if let start = outer.image { result.removeLast(ImageSize.length(endingIn: result[start...])) }
                index = outer.next
            }
            let node = inlines[Int(index)]
            appendPlainText(of: node, content, breaks, to: &result)
            if node.firstChild >= 0 {
                pending.append((node.next, node.kind == .image ? result.count : nil))
                index = node.firstChild
            } else {
                index = node.next
            }
        }
    }

    private func appendPlainText(of node: InlineNode, _ content: Bytes, _ breaks: String, to result: inout [UInt8]) {
        let (start, end, mark) = (Int(node.start), Int(node.end), Int(node.mark))
        switch node.kind {
        case .text, .tag, .bareLink, .bareWebLink, .bareEmail, .html:
            if node.kind != .html { result.append(contentsOf: content[start..<end]) }
        case .softBreak, .hardBreak: result.append(contentsOf: breaks.utf8)
        case .escape: result.append(content[end - 1])
        case .entity: result.append(contentsOf: Entities.text(content, start, end).utf8)
        case .code:
            let range = content.codeSpanContent(start + mark, end - mark)
            for byte in content[range] { result.append(byte == Byte.newline ? Byte.space : byte) }
        case .math: result.append(contentsOf: content[start + mark..<end - mark])
        case .autolink, .emailAutolink: result.append(contentsOf: content[start + 1..<end - 1])
        case .wikilink:
            // The mark before an embedded note does not belong to the text.
            if content.isEmbed(start), result.last == Byte.bang { result.removeLast() }
            result.append(contentsOf: content[WikilinkParts(content, start, end).label])
        case .emphasis, .strong, .strikethrough, .highlight, .link, .image, .footnoteReference: break
        }
    }
}
