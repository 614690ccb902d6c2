import Foundation
import Markdown

/// The parts of a text that no formatting may change, and whose changes a comparison of the words would not show.
struct ExactParts {
    private let text: String
    /// The destinations and titles of links and pictures, in order.
    private var links: [String] = []
    /// The contents of fences, each with its language.
    private var fences: [String] = []
    /// The contents of code and formulas in a line.
    private var spans: [String] = []
    /// Comments, and tags with attributes.
    private var hidden: [String] = []
    /// The definitions of links.
    private var definitions: [String] = []

    /// - Parameter text: a text whose lines end at line feeds.
    init(of text: String) {
        self.text = text
        let document = MarkdownDocument(text)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for block in document.topBlocks { read(block, of: document, lines) }
    }

    private mutating func read(
        _ block: MarkdownDocument.Block, of document: MarkdownDocument, _ lines: [Substring]
    ) {
        switch block.kind {
        case .code(let info?): fences.append(Self.trimmed(info) + "\n" + Self.trimmed(block.literal))
        case .html: readTags(in: block.literal)
        case .definitions:
            definitions += lines[block.lines.clamped(to: 0...max(0, lines.count - 1))].map { Self.trimmed($0) }
                .filter { !$0.isEmpty }
        default: break
        }
        for inline in document.inlines(in: block) { read(inline, of: document) }
        for inner in document.blocks(in: block) { read(inner, of: document, lines) }
    }

    private mutating func read(_ inline: MarkdownDocument.Inline, of document: MarkdownDocument) {
        switch inline.kind {
        case .code(let code), .math(let code): spans.append(code)
        case .html(let tag): readTags(in: tag)
        case .link(let destination, let title), .image(let destination, let title):
            links.append(title.isEmpty ? destination : destination + "\n" + title)
        case .wikilink(let target, _): links.append(target)
        default: break
        }
        for inner in document.inlines(in: inline) { read(inner, of: document) }
    }

    /// Notes HTML, unless all of its tags are plain ones such as `<b>`, which hide nothing.
    private mutating func readTags(in html: String) {
        if html.contains("<!") || html.contains("<?") || html.contains("=") { hidden.append(Self.trimmed(html)) }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.reversed().drop(while: \.isWhitespace).reversed()) }
            .joined(separator: "\n").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Whether a text has the address of a link, and its title if there is one.
    private static func has(_ link: String, in text: String) -> Bool {
        link.split(separator: "\n").allSatisfy { text.contains($0) }
    }

    /// Whether a formatted text has all these parts as they are, and no others.
    ///
    /// A text may become a link or code by formatting if it was there before, as a command that gets a fence.
    func areKept(in other: ExactParts) -> Bool {
        guard hidden == other.hidden, definitions.sorted() == other.definitions.sorted() else { return false }
        let (oldLinks, newLinks) = (Set(links), Set(other.links))
        let code = other.fences + other.spans
        let kept = links.filter { link in newLinks.contains(link) || !code.contains { Self.has(link, in: $0) } }
        guard kept == other.links.filter({ oldLinks.contains($0) }),
            newLinks.subtracting(oldLinks).allSatisfy({ Self.has($0, in: text) }),
            Set(spans).allSatisfy({ other.text.contains($0) }), Set(other.spans).allSatisfy({ text.contains($0) })
        else { return false }
        let oldFences = Set(fences)
        guard fences == other.fences.filter({ oldFences.contains($0) }) else { return false }
        let newFences = other.fences.filter { !oldFences.contains($0) }
        return newFences.allSatisfy { fence in
            fence.split(separator: "\n").dropFirst().allSatisfy { line in
                text.contains(line.drop(while: \.isWhitespace))
            }
        }
    }
}
