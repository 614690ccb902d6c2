import Foundation
import Markdown

/// The sentences of a text without Markdown.
public enum Sentences {
    /// Words with a full stop that ends no sentence.
    private static let abbreviations: Set<String> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "e.g", "i.e", "no", "vol", "fig", "approx", "dept", "inc",
        "ltd", "co", "jr", "sr", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
        "z.b", "d.h", "u.a", "bzw", "ca", "nr", "p", "pp", "a.m", "p.m", "u.s",
    ]
    private static let ends: Set<Character> = [".", "!", "?", "…", "。", "！", "？"]
    private static let closers: Set<Character> = ["\"", "'", "”", "’", ")", "]", "»", "」", "』"]

    /// A sentence and where it stands.
    struct Placed {
        var text: String
        /// Which paragraph of the text it is in, and which sentence of that, from 0.
        var paragraph, place: Int
        /// The heading next above it; empty if there is none, or only the title.
        var heading: String
    }

    /// The sentences of Markdown: of paragraphs, and each item of a list; code and tables have none.
    ///
    /// - Parameter title: a first line that is the title is left out.
    public static func ofMarkdown(_ text: String, title: String = "") -> [String] {
        placed(inMarkdown: text, title: title).map(\.text)
    }

    static func placed(inMarkdown text: String, title: String) -> [Placed] {
        let document = MarkdownDocument(text)
        let lines = Array(text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false))
        var paragraphs: [(text: String, heading: String)] = []
        var heading = ""
        collect(document.topBlocks, document, lines, &heading, &paragraphs)
        if !title.isEmpty, paragraphs.first?.text == title { paragraphs.removeFirst() }
        return paragraphs.enumerated().flatMap { index, paragraph in
            split(paragraph.text).enumerated().map { place, sentence in
                let heading = paragraph.heading == title ? "" : paragraph.heading
                return Placed(text: sentence, paragraph: index, place: place, heading: heading)
            }
        }
    }

    private static func collect(
        _ blocks: [MarkdownDocument.Block], _ document: MarkdownDocument, _ lines: [Substring.UTF8View.SubSequence],
        _ heading: inout String, _ paragraphs: inout [(text: String, heading: String)]
    ) {
        func plain(_ block: MarkdownDocument.Block) -> String {
            let source = block.lines.filter(lines.indices.contains).map { String(Substring(lines[$0])) }
            return Markdown.plainText(of: source.joined(separator: "\n")).replacing("\n", with: " ")
        }
        for block in blocks {
            switch block.kind {
            case .heading: heading = plain(block)
            case .paragraph: paragraphs.append((plain(block), heading))
            case .quote, .list, .item, .footnote:
                collect(document.blocks(in: block), document, lines, &heading, &paragraphs)
            default: break
            }
        }
    }

    /// The sentences of one paragraph without markers.
    public static func split(_ paragraph: String) -> [String] {
        var sentences: [String] = []
        var sentence = ""
        let characters = Array(paragraph)
        var index = 0
        while index < characters.count {
            sentence.append(characters[index])
            if ends.contains(characters[index]) {
                while index + 1 < characters.count,
                    closers.contains(characters[index + 1])
                        || ends.contains(characters[index + 1])
                {
                    index += 1
                    sentence.append(characters[index])
                }
                let next = index + 1 < characters.count ? characters[index + 1] : " "
                if isEnd(sentence, next: next, rest: characters[min(index + 2, characters.count)...]) {
                    add(&sentence, to: &sentences)
                }
            }
            index += 1
        }
        add(&sentence, to: &sentences)
        return sentences
    }

    private static func isEnd(_ sentence: String, next: Character, rest: ArraySlice<Character>) -> Bool {
        guard let last = sentence.last else { return false }
        if "。！？」』".contains(last) { return true }
        guard next.isWhitespace else { return false }
        // “Stay!” she said.
        if closers.contains(last), rest.first(where: { !$0.isWhitespace })?.isLowercase == true { return false }
        guard sentence.hasSuffix(".") else { return true }
        let word = sentence.dropLast().split(whereSeparator: { $0.isWhitespace || "([\"“".contains($0) }).last ?? ""
        if abbreviations.contains(word.lowercased()) { return false }
        // An initial: J. Smith.
        if word.count == 1, word.first?.isUppercase == true { return false }
        // A number with a full stop is one only before a capital letter.
        if let start = rest.first(where: { !$0.isWhitespace }) {
            return !(start.isLowercase || word.allSatisfy(\.isNumber) && !start.isUppercase)
        }
        return true
    }

    private static func add(_ sentence: inout String, to sentences: inout [String]) {
        let words = sentence.split(whereSeparator: \.isWhitespace)
        if !words.isEmpty { sentences.append(words.joined(separator: " ")) }
        sentence = ""
    }
}
