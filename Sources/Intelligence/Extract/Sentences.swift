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

    /// The sentences of Markdown: of paragraphs, and each item of a list; code and tables have none.
    ///
    /// - Parameter title: a first line that is the title is left out.
    public static func ofMarkdown(_ text: String, title: String = "") -> [String] {
        let document = MarkdownDocument(text)
        let lines = Array(text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false))
        var pieces: [String] = []
        collect(document.topBlocks, document, lines, &pieces)
        var sentences: [String] = []
        for (index, piece) in pieces.enumerated() {
            if index == 0, !title.isEmpty, piece == title { continue }
            sentences += split(piece)
        }
        return sentences
    }

    private static func collect(
        _ blocks: [MarkdownDocument.Block], _ document: MarkdownDocument, _ lines: [Substring.UTF8View.SubSequence],
        _ pieces: inout [String]
    ) {
        for block in blocks {
            switch block.kind {
            case .paragraph:
                let source = block.lines.compactMap { lines.indices.contains($0) ? String(lines[$0]) : nil }
                let text = Markdown.plainText(of: source.compactMap { $0 }.joined(separator: "\n"))
                pieces.append(text.replacing("\n", with: " "))
            case .quote, .list, .item, .footnote: collect(document.blocks(in: block), document, lines, &pieces)
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
