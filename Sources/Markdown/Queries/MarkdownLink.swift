/// A link in a text.
public struct MarkdownLink: Equatable, Sendable {
    public enum Kind: String, Sendable {
        /// `takenote://note/UUID#heading`; the target is the UUID as written.
        case note
        /// `takenote://image/UUID`; the target is the UUID as written.
        case image
        /// `takenote://file/UUID`; the target is the UUID as written.
        case file
        /// `[[Title#heading|label]]`; the target is the title.
        case wikilink
        /// `http`, `https`; the target is the whole address.
        case web
        /// An e-mail address, without `mailto:`.
        case mail
        /// Any other destination.
        case other
    }

    public var kind: Kind
    public var target: String
    /// The text that is shown.
    public var label: String
    /// The text after the first `#`, in a wikilink or the address of a note.
    ///
    /// A title may itself contain a `#`, so the note that a wikilink refers to depends on the existing titles; see
    /// `reference`.
    public var heading: String?
    /// All text before the `|` of a wikilink: title, heading and block as written.
    ///
    /// It is nil for any other link.
    public var reference: String?
    /// Whether it is written as an image, `![…](…)`.
    public var isEmbedded: Bool
    /// The range of the source, markers included.
    public var range: Range<Int>
    /// The line, counted from 0; lines end at LF.
    public var line: Int
}

extension Markdown {
    /// All links of a text in order: inline, by reference, automatic, wikilinks, and `takenote://` addresses in tags; in
    /// front matter wikilinks and `[label](address)`.
    public static func links(in text: String) -> [MarkdownLink] {
        MarkdownDocument(text).links(in: text)
    }
}

extension MarkdownDocument {
    /// The links of the document, whose text is `source`.
    public func links(in source: String) -> [MarkdownLink] {
        var source = source
        return source.withUTF8 { source in
            content.withUnsafeBufferPointer { content in
                var lines = LineCounter(source)
                var links: [MarkdownLink] = []
                func add(_ link: MarkdownLink) {
                    var link = link
                    link.line = lines.line(at: link.range.lowerBound)
                    links.append(link)
                }
                for block in blocks {
                    if block.kind == .frontMatter {
                        let found = frontMatterLinks(content, Int(block.start)..<Int(block.end))
                        for written in found { add(link(inFrontMatter: written, content)) }
                    }
                    if block.kind == .html { tagLinks(content, Int(block.start)..<Int(block.end)).forEach(add) }
                    forEachInline(of: block) { node in
                        if node.kind == .html {
                            tagLinks(content, Int(node.start)..<Int(node.end)).forEach(add)
                        } else if let link = link(node, content) {
                            add(link)
                        }
                    }
                }
                return links
            }
        }
    }

    /// Calls `body` with every inline node, parents before children, in the order of the text.
    func forEachInline(_ body: (InlineNode) -> Void) {
        for block in blocks { forEachInline(of: block, body) }
    }

    func forEachInline(of block: BlockNode, _ body: (InlineNode) -> Void) {
        guard block.firstInline >= 0 else { return }
        var pending = [block.firstInline]
        while let index = pending.popLast() {
            let node = inlines[Int(index)]
            body(node)
            if node.next >= 0 { pending.append(node.next) }
            if node.firstChild >= 0 { pending.append(node.firstChild) }
        }
    }

    /// The most inline nodes that are read for a label: more than any label has that is meant to be read.
    ///
    /// Without this limit, each of thousands of nested images would read all images inside it.
    private static let labelNodes = 256

    private func link(_ node: InlineNode, _ content: Bytes) -> MarkdownLink? {
        let (start, end) = (Int(node.start), Int(node.end))
        switch node.kind {
        case .link, .image, .autolink, .emailAutolink, .bareLink, .bareWebLink, .bareEmail, .wikilink: break
        default: return nil
        }
        let range = sourceOffset(start)..<sourceOffset(end - 1) + 1
        switch node.kind {
        case .link, .image:
            let target = targets[Int(node.target)].destination
            return MarkdownLink(
                address: EscapedText.string(content, Int(target.lowerBound), Int(target.upperBound)),
                label: plainText(of: node.firstChild, content, limit: Self.labelNodes), isEmbedded: node.kind == .image,
                range: range)
        case .autolink, .bareLink, .bareWebLink:
            let inner = node.kind == .autolink ? start + 1..<end - 1 : start..<end
            let label = String(decoding: content[inner], as: UTF8.self)
            return MarkdownLink(
                address: node.kind == .bareWebLink ? "http://" + label : label, label: label, isEmbedded: false,
                range: range)
        case .emailAutolink, .bareEmail:
            let inner = node.kind == .emailAutolink ? start + 1..<end - 1 : start..<end
            let label = String(decoding: content[inner], as: UTF8.self)
            return MarkdownLink(address: "mailto:" + label, label: label, isEmbedded: false, range: range)
        case .wikilink: return wikilink(content, start, end, range)
        default: return nil
        }
    }

    private func link(inFrontMatter link: FrontMatterLink, _ content: Bytes) -> MarkdownLink {
        let (start, end) = (link.range.lowerBound, link.range.upperBound)
        let source = sourceOffset(start)..<sourceOffset(end - 1) + 1
        guard let address = link.address else { return wikilink(content, start, end, source) }
        return MarkdownLink(
            address: String(decoding: content[address], as: UTF8.self),
            label: String(decoding: content[link.label], as: UTF8.self), isEmbedded: link.isEmbedded, range: source)
    }

    private func wikilink(_ content: Bytes, _ start: Int, _ end: Int, _ range: Range<Int>) -> MarkdownLink {
        let parts = WikilinkParts(content, start, end)
        let label = String(decoding: content[parts.label], as: UTF8.self)
        let reference = String(decoding: content[parts.target], as: UTF8.self)
        var title = reference
        var heading: String?
        if let hash = title.firstIndex(of: "#") {
            heading = String(title[title.index(after: hash)...]).trimmed
            title = String(title[..<hash]).trimmed
        }
        return MarkdownLink(
            kind: .wikilink, target: title, label: label, heading: heading, reference: reference, isEmbedded: false,
            range: range, line: 0)
    }
}

extension MarkdownLink {
    /// Creates a link to `address`, whose kind depends on the address.
    init(address: String, label: String, isEmbedded: Bool, range: Range<Int>) {
        let lowered = address.lowercased()
        let kinds: [(String, Kind, Int)] = [
            ("takenote://note/", .note, 36), ("takenote://image/", .image, 36),
            ("takenote://file/", .file, 36), ("mailto:", .mail, 0),
        ]
        self.init(
            kind: lowered.hasPrefix("http://") || lowered.hasPrefix("https://") ? .web : .other, target: address,
            label: label, heading: nil, isEmbedded: isEmbedded, range: range, line: 0)
        for (prefix, kind, length) in kinds where lowered.hasPrefix(prefix) {
            let rest = address.dropFirst(prefix.count)
            let fragment = rest.firstIndex(of: "#") ?? rest.endIndex
            if length == 0 {
                (self.kind, target) = (kind, String(rest))
            } else if Self.isUUID(String(rest[..<fragment])) {
                (self.kind, target) = (kind, String(rest[..<fragment]))
                if fragment < rest.endIndex { heading = String(rest[fragment...].dropFirst()) }
            }
        }
    }

    /// Whether the text is eight, four, four, four and twelve hexadecimal digits with hyphens between.
    private static func isUUID(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { $0.count == NotebookAddress.uuidLength && NotebookAddress.isUUID($0, at: 0) }
    }
}

/// Converts offsets to line numbers; fast if the offsets are in roughly ascending order.
struct LineCounter {
    private let bytes: Bytes
    private var offset = 0
    private var number = 0

    init(_ bytes: Bytes) {
        self.bytes = bytes
    }

    /// The line of byte `target`, counted from 0; lines end at LF.
    mutating func line(at target: Int) -> Int {
        if target < offset { (offset, number) = (0, 0) }
        while let newline = bytes.firstOffset(of: Byte.newline, from: offset, to: min(target, bytes.count)) {
            offset = newline + 1
            number += 1
        }
        return number
    }
}

extension Markdown {
    /// The link at byte `offset` of a text; the innermost one if links are nested (an image in a link).
    public static func link(at offset: Int, in text: String) -> MarkdownLink? {
        links(in: text).last { $0.range.contains(offset) }
    }
}
