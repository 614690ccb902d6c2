import Foundation
import Markdown
import TextEditing

/// The parts of a note's text that lists show; only the start of the text is parsed as Markdown.
struct TextSummary {
    let derivedTitle: String
    let preview: String
    let wordCount: Int
    /// The size in UTF-8 bytes.
    let size: Int

    /// Cost: unless the words are counted already, a pass over the text, 1.5 ms a megabyte.
    ///
    /// - Parameters:
    ///   - title: the note's own title, if it does not follow the text.
    ///   - wordCount: the result of `TextFacts.wordCount(of:)`, if it is known.
    init(of text: String, title: String?, wordCount: Int? = nil) {
        self.init(of: text, TextStart(of: text), title: title, wordCount: wordCount)
    }

    /// Makes the summary of a text whose start is parsed already.
    ///
    /// - Parameter derivedTitle: the result of `TextFacts.derivedTitle(of:)`, if it is known.
    init(
        of text: String, _ start: TextStart, title: String?, derivedTitle known: String? = nil, wordCount: Int? = nil
    ) {
        derivedTitle = known ?? TextFacts.derivedTitle(of: text, start)
        preview = Self.clipped(Self.oneLine(start.preview(title: title ?? derivedTitle)))
        self.wordCount = wordCount ?? TextFacts.wordCount(of: text)
        size = text.utf8.count
    }

    /// The greatest length of a preview, in scalars; each of its 200 characters has seven in the longest emoji.
    private static let maximumPreview = 2_048

    /// The start of a preview in which one character is as long as a text, so that lists do not read it with each row.
    private static func clipped(_ preview: String) -> String {
        if preview.utf8.count <= maximumPreview { return preview }
        return String(String.UnicodeScalarView(preview.unicodeScalars.prefix(maximumPreview)))
    }

    /// The text without U+0000, at which GRDB ends a string.
    fileprivate static func oneLine(_ text: String) -> String {
        text.contains(byte: 0) ? text.replacing("\0", with: "") : text
    }
}

/// Everything the store derives from a note's text.
struct TextFacts {
    /// Bits of `note.features`.
    struct Features: OptionSet {
        let rawValue: Int64
        static let link = Features(rawValue: 1)
        static let image = Features(rawValue: 2)
        static let task = Features(rawValue: 4)
    }

    let summary: TextSummary
    let features: Features
    let links: [LinkFact]
    /// Other titles that front matter gives the note, at most `aliasLimit`.
    let aliases: [String]
    /// The tags in the text without `#`, each once; at most `tagLimit`.
    let tags: [String]
    /// The files of the notebook that the text refers to, by their UUIDs as written.
    let files: [String]
    /// Whether there are links to files beside the text's own file, images among them.
    let hasFileLinks: Bool

    /// A link to a note or an image, as written.
    struct LinkFact: Equatable {
        let kind: NoteLink.Kind
        let target: String
        /// 0-based.
        let line: Int
        /// The line that contains it, at most 200 characters.
        let context: String
    }

    /// Cost: a few passes over the text.
    ///
    /// - Parameters:
    ///   - title: the note's own title, if it does not follow the text.
    ///   - start: the start of the text, if it is parsed already.
    ///   - derivedTitle: the result of `derivedTitle(of:)`, if it is known.
    init(of text: String, title: String?, start: TextStart? = nil, derivedTitle known: String? = nil) {
        let start = start ?? TextStart(of: text)
        summary = TextSummary(of: text, start, title: title, derivedTitle: known)
        // Links, images and tasks all contain a bracket or a scheme.
        guard
            text.utf8.contains(where: { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: ":") })
                || Markdown.mayHaveTags(text)
        else {
            features = []
            links = []
            aliases = []
            tags = []
            files = []
            hasFileLinks = false
            return
        }
        let document = start.wholeDocument ?? MarkdownDocument(text)
        let found = document.links(in: text)
        var features = Features()
        if found.contains(where: { !$0.isEmbedded }) { features.insert(.link) }
        if found.contains(where: Self.showsPicture) { features.insert(.image) }
        if !document.tasks.isEmpty { features.insert(.task) }
        self.features = features
        links = Self.facts(found, in: text)
        let names = NoteFrontMatter(of: text)?.aliases ?? []
        aliases = names.prefix(Self.aliasLimit).map(TextSummary.oneLine).filter { $0.utf8.count <= Self.aliasLength }
        tags = Self.tags(in: document)
        files = found.lazy.filter { $0.kind == .file }.map(\.target)
        hasFileLinks = found.contains { $0.kind == .other }
    }

    /// The tags in a text, found without anything else.
    static func tags(in text: String) -> [String] {
        Markdown.mayHaveTags(text) ? tags(in: MarkdownDocument(text)) : []
    }

    private static func tags(in document: MarkdownDocument) -> [String] {
        Array(document.tags.lazy.filter { $0.utf8.count <= TagPath.maximumLength }.prefix(tagLimit))
    }

    static func derivedTitle(of text: String) -> String {
        TextSummary.oneLine(Markdown.derivedTitle(of: text, titled: NoteFrontMatter(of: text)?.title))
    }

    /// Derives the title of a text whose start is parsed already.
    static func derivedTitle(of text: String, _ start: TextStart) -> String {
        TextSummary.oneLine(start.derivedTitle(titled: NoteFrontMatter(of: text)?.title))
    }

    static func wordCount(of text: String) -> Int { TextStatistics.wordCount(of: text) }

    // MARK: - Links

    private static let contextLength = 200
    /// How many tags of a text count; more are not meant as tags.
    private static let tagLimit = 1_000
    /// How many aliases of a note links can find; more are not names.
    private static let aliasLimit = 64
    /// The greatest length of an alias, in UTF-8 bytes.
    private static let aliasLength = 1_000

    private static func facts(_ found: [MarkdownLink], in text: String) -> [LinkFact] {
        var text = text
        return text.withUTF8 { bytes in
            found.compactMap { link in
                guard let kind = kind(of: link) else { return nil }
                let context = TextSummary.oneLine(context(bytes, at: link.range.lowerBound))
                return LinkFact(
                    kind: kind, target: TextSummary.oneLine(link.reference ?? link.target), line: link.line,
                    context: context)
            }
        }
    }

    /// Whether a link shows a picture, rather than a file of another kind by its name.
    private static func showsPicture(_ link: MarkdownLink) -> Bool {
        link.isEmbedded
            && (link.kind != .file || NoteFile.isPicture(link.label) || !link.label.contains("."))
    }

    private static func kind(of link: MarkdownLink) -> NoteLink.Kind? {
        switch link.kind {
        case .note: .note
        case .image: .image
        case .wikilink: .title
        case .file, .web, .mail, .other: nil
        }
    }

    /// The line around an offset, trimmed; of a long line, the part around the offset, which is in its middle.
    private static func context(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) -> String {
        // A character has at most four bytes in a line of few clusters.
        let span = contextLength * 4
        var start = min(offset, bytes.count)
        while start > 0, offset - start < contextLength / 2, bytes[start - 1] != 0x0A { start -= 1 }
        while start > 0, start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        var end = start
        while end < bytes.count, end - start < span, bytes[end] != 0x0A { end += 1 }
        // Where every byte is a character, and only the space is white, a tenth of the time suffices.
        if bytes[start..<end].allSatisfy({ (0x20..<0x7F).contains($0) }) {
            while start < end, bytes[start] == 0x20 { start += 1 }
            while end > start, bytes[end - 1] == 0x20 { end -= 1 }
            return String(decoding: bytes[start..<min(end, start + contextLength)], as: UTF8.self)
        }
        let line = String(decoding: bytes[start..<end], as: UTF8.self)
        return String(Folding.trimmed(line).prefix(contextLength))
    }
}
