import Foundation
import Markdown
import NoteStore

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
    /// The words that are struck through, passage by passage.
    private var struck: [[String]] = []
    /// The numbers that the items of ordered lists are shown with, and those that other lines begin with.
    private var numbers: [Int] = []
    /// Whether each box that a line begins with is checked, be the line a task of a list or not.
    private let tasks: [Bool]

    /// - Parameter text: a text whose lines end at line feeds.
    init(of text: String) {
        self.text = text
        tasks = text.split(separator: "\n").compactMap(Self.task)
        let document = MarkdownDocument(text)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for block in document.topBlocks { read(block, of: document, lines) }
    }

    private mutating func read(
        _ block: MarkdownDocument.Block, of document: MarkdownDocument, _ lines: [Substring], beginsItem: Bool = false
    ) {
        switch block.kind {
        case .code(let info?): fences.append(Self.trimmed(info) + "\n" + Self.trimmed(block.literal))
        case .html: readTags(in: block.literal)
        case .definitions:
            definitions += lines[block.lines.clamped(to: 0...max(0, lines.count - 1))].map { Self.trimmed($0) }
                .filter { !$0.isEmpty }
        case .paragraph:
            // The first line of an item has the item's own number.
            let own = lines[block.lines.clamped(to: 0...max(0, lines.count - 1))].dropFirst(beginsItem ? 1 : 0)
            numbers += own.compactMap(Self.number)
        default: break
        }
        for inline in document.inlines(in: block) { read(inline, of: document) }
        for (index, inner) in document.blocks(in: block).enumerated() {
            if case .list(let start?, _) = block.kind { numbers.append(start + index) }
            read(inner, of: document, lines, beginsItem: block.kind.isItem && index == 0)
        }
    }

    /// Returns the number that a line of a paragraph begins with, as an item of a list that Markdown does not see.
    private static func number(in line: Substring) -> Int? {
        let digits = line.drop { " \t>".contains($0) }.prefix { $0.isASCII && $0.isNumber }
        let rest = line[digits.endIndex...]
        guard let mark = rest.first, ".)".contains(mark), rest.dropFirst().first?.isWhitespace == true else {
            return nil
        }
        return Int(digits)
    }

    /// Whether the box that a line begins with is checked; `nil` for a line without a box.
    ///
    /// The marks of quotations and of lists may stand before it.
    private static func task(in line: Substring) -> Bool? {
        var rest = line.drop { " \t>".contains($0) }
        let marker = rest.prefix { $0.isASCII && $0.isNumber }
        if let mark = rest[marker.endIndex...].first, (marker.isEmpty ? "-+*" : ".)").contains(mark) {
            rest = rest[marker.endIndex...].dropFirst().drop(while: \.isWhitespace)
        }
        for (box, isDone) in [("[ ]", false), ("[x]", true), ("[X]", true)] where rest.hasPrefix(box) {
            let next = rest.dropFirst(box.count).first
            return next == nil || next?.isWhitespace == true ? isDone : nil
        }
        return nil
    }

    private mutating func read(_ inline: MarkdownDocument.Inline, of document: MarkdownDocument) {
        switch inline.kind {
        case .code(let code), .math(let code): spans.append(code)
        case .html(let tag): readTags(in: tag)
        case .link(let destination, let title), .image(let destination, let title):
            links.append(title.isEmpty ? destination : destination + "\n" + title)
        case .wikilink(let target, _): links.append(target)
        case .strikethrough:
            let bytes = Array(text.utf8)[inline.range]
            struck.append(IndexForm.words(of: Markdown.plainText(of: String(decoding: bytes, as: UTF8.self))))
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
    /// A text may become a link or code by formatting if it was there before, as a command that gets a fence. Tasks,
    /// struck words and numbers must be the same throughout: a box that is checked, a passage that is struck and another
    /// number say something else, and a person may refer to item 3.
    func areKept(in other: ExactParts) -> Bool {
        guard tasks == other.tasks, struck == other.struck, numbers == other.numbers else { return false }
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

extension MarkdownDocument.Block.Kind {
    fileprivate var isItem: Bool { if case .item = self { true } else { false } }
}
