/// The destination of a link as written in a text, with its position.
public struct WrittenDestination: Equatable, Sendable {
    public enum Kind: Sendable {
        /// The address of `[label](address)`, of a definition that links refer to, or of a tag such as
        /// `<a href=address>` or `<audio src=address>`.
        case link
        /// The address of `![alt](address)`, or of the tag `<img src=address>`.
        case image
        /// `[[Title#heading|label]]`.
        case wikilink
        /// `![[Title]]`.
        case embed
    }

    public var kind: Kind
    /// The address without backslash escapes and entities; for a wikilink, the text before `|`.
    public var target: String
    /// The label of a wikilink as written, its target if there is none; in front matter that of any link.
    public var label: String
    /// The range of the source: that of the address without `<>`, or of the whole wikilink.
    public var range: Range<Int>
    /// Whether it is in a cell of a table, where a bar in a wikilink is written `\|`.
    public var isInTable = false
    /// Its place in front matter; nil for a link in the text itself.
    public var property: Property?

    public enum Property: Sendable {
        /// Inside a value.
        case inside
        /// At the start of a value without quotation marks, which YAML takes for a list.
        case unquoted
    }
}

extension Markdown {
    /// The destinations of a text's links in order, each once; code contains none.
    ///
    /// Replacing these ranges by other addresses changes only the links.
    ///
    /// - Parameter withProperties: whether to include the links in front matter.
    public static func destinations(in text: String, withProperties: Bool = false) -> [WrittenDestination] {
        // Links of all kinds contain brackets or angle brackets.
        guard text.utf8.contains(where: { $0 == Byte.openBracket || $0 == Byte.less }) else { return [] }
        var text = text
        return text.withUTF8 { source in
            MarkdownDocument(utf8: source).destinations(in: source, withProperties: withProperties)
        }
    }
}

extension MarkdownDocument {
    fileprivate func destinations(in source: Bytes, withProperties: Bool) -> [WrittenDestination] {
        content.withUnsafeBufferPointer { content in
            var found: [WrittenDestination] = []
            // Reference links share the address of their definition.
            var seen: Set<Int> = []
            for block in blocks {
                if withProperties, block.kind == .frontMatter {
                    let links = frontMatterLinks(content, Int(block.start)..<Int(block.end))
                    found += links.map { property($0, content, in: source) }
                }
                let isInTable = block.kind == .tableCell
                forEachInline(of: block) { node in
                    switch node.kind {
                    case .link, .image:
                        let range = targets[Int(node.target)].destination
                        let (start, end) = (Int(range.lowerBound), Int(range.upperBound))
                        guard end > start, seen.insert(start).inserted else { return }
                        found.append(
                            WrittenDestination(
                                kind: node.kind == .image ? .image : .link,
                                target: EscapedText.string(content, start, end),
                                label: "", range: sourceOffset(start)..<sourceOffset(end - 1) + 1, isInTable: isInTable)
                        )
                    case .wikilink:
                        var link = wikilink(content, Int(node.start)..<Int(node.end), in: source)
                        link.isInTable = isInTable
                        found.append(link)
                    case .html: found += tagDestinations(content, Int(node.start)..<Int(node.end))
                    default: break
                    }
                }
            }
            for block in blocks where block.kind == .html {
                found += tagDestinations(content, Int(block.start)..<Int(block.end))
            }
            return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
        }
    }

    private func property(_ link: FrontMatterLink, _ content: Bytes, in source: Bytes) -> WrittenDestination {
        var found: WrittenDestination
        if let address = link.address {
            found = WrittenDestination(
                kind: link.isEmbedded ? .image : .link, target: String(decoding: content[address], as: UTF8.self),
                label: String(decoding: content[link.label], as: UTF8.self),
                range: sourceOffset(address.lowerBound)..<sourceOffset(address.upperBound - 1) + 1)
        } else {
            found = wikilink(content, link.range, in: source)
        }
        found.property = link.isUnquoted ? .unquoted : .inside
        return found
    }

    private func wikilink(_ content: Bytes, _ range: Range<Int>, in source: Bytes) -> WrittenDestination {
        let start = sourceOffset(range.lowerBound)
        let end = sourceOffset(range.upperBound - 1) + 1
        let parts = WikilinkParts(content, range.lowerBound, range.upperBound)
        let isEmbed = start > 0 && source[start - 1] == Byte.bang && !isEscaped(source, start - 1)
        return WrittenDestination(
            kind: isEmbed ? .embed : .wikilink, target: String(decoding: content[parts.target], as: UTF8.self),
            label: String(decoding: content[parts.written], as: UTF8.self),
            range: (isEmbed ? start - 1 : start)..<end)
    }

    /// The attribute with the address of a file, for each tag that has one.
    private static let addressAttributes = [
        "a": "href", "img": "src", "audio": "src", "video": "src", "source": "src",
    ]

    /// The addresses of links, images and films in the tags of raw HTML.
    private func tagDestinations(_ content: Bytes, _ range: Range<Int>) -> [WrittenDestination] {
        var found: [WrittenDestination] = []
        var offset = range.lowerBound
        while let open = content.firstOffset(of: Byte.less, from: offset, to: range.upperBound) {
            offset = open + 1
            let nameEnd = HTMLTags.nameEnd(content, from: open + 1, to: range.upperBound)
            let tag = String(decoding: content[open + 1..<max(nameEnd, open + 1)], as: UTF8.self).lowercased()
            guard let attribute = Self.addressAttributes[tag],
                let end = HTMLTags.tagEnd(content, from: open, to: range.upperBound)
            else { continue }
            offset = end
            HTMLTags.forEachAttribute(content, from: nameEnd, to: end) { name, value, range in
                guard name == attribute, let value, !range.isEmpty else { return }
                let position = sourceOffset(range.lowerBound)..<sourceOffset(range.upperBound - 1) + 1
                // An address on several lines of a quotation contains quote markers.
                guard position.count == range.count else { return }
                found.append(
                    WrittenDestination(kind: tag == "img" ? .image : .link, target: value, label: "", range: position))
            }
        }
        return found
    }

    /// Whether the byte is escaped by a backslash.
    private func isEscaped(_ source: Bytes, _ offset: Int) -> Bool {
        var start = offset
        while start > 0, source[start - 1] == Byte.backslash { start -= 1 }
        return (offset - start) % 2 == 1
    }
}
