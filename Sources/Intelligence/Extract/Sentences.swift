import Foundation
import Markdown

/// The sentences of a text without Markdown.
public enum Sentences {
    /// Abbreviations, whose full stop ends no sentence.
    private static let abbreviations: Set<String> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "e.g", "i.e", "no", "vol", "fig", "approx", "dept", "inc",
        "ltd", "co", "jr", "sr", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
        "z.b", "d.h", "u.a", "bzw", "ca", "nr", "p", "pp", "a.m", "p.m", "u.s",
    ]
    private static let ends: Set<Character> = [".", "!", "?", "…", "。", "！", "？"]
    private static let closers: Set<Character> = ["\"", "'", "”", "’", ")", "]", "»", "」", "』"]

    /// A sentence with its position.
    struct Placed {
        var text: String
        /// The index of its paragraph in the text, and its own index in the paragraph, both from 0.
        var paragraph, index: Int
        /// The nearest heading above it, or an empty string if there is none but the title.
        var heading: String
    }

    /// Returns the sentences of a Markdown text, which are in its paragraphs, list items, quotes and footnotes.
    ///
    /// Code and tables have none.
    ///
    /// - Parameter title: The note's title, which is left out if it is the first line.
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
        return paragraphs.enumerated().flatMap { number, paragraph in
            split(paragraph.text).enumerated().map { index, sentence in
                let heading = paragraph.heading == title ? "" : paragraph.heading
                return Placed(text: sentence, paragraph: number, index: index, heading: heading)
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

    /// Returns the sentences of a paragraph without Markdown.
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
        // As in: “Stay!” she said.
        if closers.contains(last), rest.first(where: { !$0.isWhitespace })?.isLowercase == true { return false }
        guard sentence.hasSuffix(".") else { return true }
        let word = sentence.dropLast().split(whereSeparator: { $0.isWhitespace || "([\"“".contains($0) }).last ?? ""
        if abbreviations.contains(word.lowercased()) { return false }
        // An initial, as in “J. Smith”.
        if word.count == 1, word.first?.isUppercase == true { return false }
        // A number with a full stop ends a sentence only before a capital letter.
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
