import Foundation
import Markdown

/// Gives links of a text other destinations and leaves every other byte as it is.
struct LinkRewriter {
    enum Link {
        /// `[[Title]]`, without alias and heading.
        case wikilink(String)
        /// `[label](address)` with an address that is no URL.
        case file(String)
        /// `![alt](address)`.
        case image(String)
    }

    private let text: String

    init(text: String) { self.text = text }

    /// The text with the destinations that `destination` gives; `nil` leaves a link as it is.
    mutating func rewritten(_ destination: (Link) throws(StoreError) -> String?) throws(StoreError) -> String {
        var result = Array(text.utf8)
        for link in Markdown.links(in: text).reversed() {
            guard let kind = Self.kind(of: link), let new = try destination(kind) else { continue }
            let source = String(decoding: result[link.range], as: UTF8.self)
            guard let replaced = Self.replaced(link, source, by: new) else { continue }
            result.replaceSubrange(link.range, with: replaced.utf8)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func kind(of link: MarkdownLink) -> Link? {
        switch link.kind {
        case .wikilink: .wikilink(link.target)
        case .other, .note, .image: link.isEmbedded || link.kind == .image ? .image(link.target) : .file(link.target)
        case .web, .mail: nil
        }
    }

    /// The link's source with another address.
    ///
    /// A link whose address is written elsewhere stays.
    private static func replaced(_ link: MarkdownLink, _ source: String, by address: String) -> String? {
        if link.kind == .wikilink {
            let label = link.label.isEmpty ? link.target : link.label
            return "[\(label)](\(address))"
        }
        guard let open = source.range(of: "](", options: .backwards) else { return nil }
        let inner = source[open.upperBound...]
        // A title may follow the address.
        let target = link.kind == .other ? link.target : inner.prefix { !" )>".contains($0) }.description
        for written in [
            "<\(target)>", target, target.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? target,
        ] {
            if let place = inner.range(of: written) {
                return source.replacingCharacters(in: place, with: address)
            }
        }
        return nil
    }
}
