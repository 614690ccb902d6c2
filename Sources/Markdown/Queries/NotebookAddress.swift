import TextPrimitives

/// The addresses `takenote://note/UUID`, and the same with `image` or `file`, written without Markdown syntax.
enum NotebookAddress {
    static let uuidLength = 36

    /// The end of the address whose scheme begins at `start` and whose `://` is at `colon`; nil if there is none.
    ///
    /// If a letter, a digit or a hyphen follows the UUID, it is not an address.
    static func end(_ bytes: Bytes, from start: Int, colon: Int, to upper: Int) -> Int? {
        guard colon - start == 8, bytes.hasCaseless("takenote://", at: start) else { return nil }
        let part = colon + 3
        let uuid: Int
        if bytes.hasCaseless("note/", at: part) {
            uuid = part + 5
        } else if bytes.hasCaseless("image/", at: part) {
            uuid = part + 6
        } else if bytes.hasCaseless("file/", at: part) {
            uuid = part + 5
        } else {
            return nil
        }
        let end = uuid + uuidLength
        guard end <= upper, isUUID(bytes, at: uuid) else { return nil }
        if end < upper, bytes[end].isAlphanumeric || bytes[end] == Byte.hyphen { return nil }
        return end
    }

    /// Whether eight, four, four, four and twelve hexadecimal digits with hyphens between begin at `start`.
    static func isUUID(_ bytes: Bytes, at start: Int) -> Bool {
        guard start >= 0, start + uuidLength <= bytes.count else { return false }
        return (0..<uuidLength).allSatisfy { offset in
            let isHyphen = offset == 8 || offset == 13 || offset == 18 || offset == 23
            return isHyphen ? bytes[start + offset] == Byte.hyphen : bytes[start + offset].isHexDigit
        }
    }
}

extension MarkdownDocument {
    /// The `takenote://` addresses in tags of raw HTML: `<a href="takenote://note/UUID">`, `<img src=…>`.
    ///
    /// Text between tags and in comments yields no links.
    func tagLinks(_ content: Bytes, _ range: Range<Int>) -> [MarkdownLink] {
        var links: [MarkdownLink] = []
        var offset = range.lowerBound
        while let open = content.firstOffset(of: Byte.less, from: offset, to: range.upperBound) {
            offset = open + 1
            if content.has("<!--", at: open) {
                let end = HTMLBlockKind.find("-->", in: Bytes(rebasing: content[..<range.upperBound]), from: open + 4)
                guard let end else { break }
                offset = end + 3
            } else if let end = HTMLTags.tagEnd(content, from: open, to: range.upperBound) {
                if let link = tagLink(content, open..<end) { links.append(link) }
                offset = end
            }
        }
        return links
    }

    /// The link of one tag: the first notebook address in it.
    private func tagLink(_ content: Bytes, _ tag: Range<Int>) -> MarkdownLink? {
        var offset = tag.lowerBound
        while let colon = content.firstOffset(of: Byte.colon, from: offset, to: tag.upperBound) {
            offset = colon + 1
            let start = colon - 8
            guard start > tag.lowerBound,
                let end = NotebookAddress.end(content, from: start, colon: colon, to: tag.upperBound)
            else { continue }
            let address = String(decoding: content[start..<end], as: UTF8.self)
            let source = sourceOffset(tag.lowerBound)..<sourceOffset(tag.upperBound - 1) + 1
            return MarkdownLink(address: address, label: "", isEmbedded: isImage(content, tag), range: source)
        }
        return nil
    }

    private func isImage(_ content: Bytes, _ tag: Range<Int>) -> Bool {
        content.hasCaseless("<img", at: tag.lowerBound)
            && HTMLTags.nameEnd(content, from: tag.lowerBound + 1, to: tag.upperBound) == tag.lowerBound + 4
    }
}
