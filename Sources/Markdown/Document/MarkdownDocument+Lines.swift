extension MarkdownDocument {
    /// Calls `body` with each line of text of the leaf blocks, without markers and in source order.
    ///
    /// Lines of white space only are left out. `body` returns false to stop.
    func forEachTextLine(_ body: (Substring) -> Bool) {
        content.withUnsafeBufferPointer { content in
            for index in blocks.indices {
                guard let text = text(ofBlock: index, content) else { continue }
                // One line after the other, since most callers stop after the first words of a long paragraph.
                var rest = text[...]
                while !rest.isEmpty {
                    let length = rest.withUTF8 { $0.firstIndex(of: Byte.newline) ?? $0.count }
                    let end = rest.utf8.index(rest.startIndex, offsetBy: length)
                    let line = rest[..<end]
                    guard line.allSatisfy(\.isWhitespace) || body(line) else { return }
                    rest = Substring(rest.utf8[end...].dropFirst())
                }
            }
        }
    }

    /// The text of a leaf block, with its lines separated by LF; a table row is one line.
    func text(ofBlock index: Int, _ content: Bytes) -> String? {
        let block = blocks[index]
        switch block.kind {
        case .paragraph where index > 0 && blocks[index - 1].kind == .quote:
            let text = plainText(of: block.firstInline, content, breaks: "\n")
            let head = text.prefix { $0 != "\n" }
            return Callout.words(ofHead: String(head)).map { $0 + text[head.endIndex...] } ?? text
        case .paragraph, .heading: return plainText(of: block.firstInline, content, breaks: "\n")
        case .code: return String(decoding: content[Int(block.start)..<Int(block.end)], as: UTF8.self)
        case .tableRow:
            var cells: [String] = []
            for cell in index + 1..<subtreeEnd(index) {
                cells.append(plainText(of: blocks[cell].firstInline, content))
            }
            return cells.joined(separator: " ")
        case .html: return Self.withoutTags(content, Int(block.start), Int(block.end))
        default: return nil
        }
    }

    /// HTML without its tags and comments.
    private static func withoutTags(_ bytes: Bytes, _ start: Int, _ end: Int) -> String {
        var result: [UInt8] = []
        var offset = start
        while offset < end {
            guard bytes[offset] == Byte.less else {
                result.append(bytes[offset])
                offset += 1
                continue
            }
            if bytes.has("<!--", at: offset) {
                offset = HTMLBlockKind.find("-->", in: bytes, from: offset + 2).map { min($0 + 3, end) } ?? end
            } else {
                offset = bytes.firstOffset(of: Byte.greater, from: offset, to: end).map { $0 + 1 } ?? end
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
