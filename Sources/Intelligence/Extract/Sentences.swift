import Foundation
import Markdown

/// The sentences of a text without Markdown.
enum Sentences {
    /// Abbreviations, whose full stop ends no sentence.
    private static let abbreviations: Set<String> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "vs", "etc", "e.g", "i.e", "no", "vol", "fig", "approx", "dept", "inc",
        "ltd", "co", "jr", "sr", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec",
        "z.b", "d.h", "u.a", "bzw", "ca", "nr", "p", "pp", "a.m", "p.m", "u.s",
    ]
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
    ///
    /// The bytes are searched for the ends of sentences, and only there characters are looked at: a whole note may be
    /// one paragraph, and a question reads many notes.
    static func split(_ paragraph: String) -> [String] {
        var (paragraph, sentences) = (paragraph, [String]())
        let ends = paragraph.withUTF8(SentenceBytes.ends)
        var start = paragraph.startIndex
        for end in ends {
            let index = paragraph.utf8.index(paragraph.startIndex, offsetBy: end)
            guard isEnd(paragraph[start..<index], rest: paragraph[index...]) else { continue }
            add(paragraph[start..<index], to: &sentences)
            start = index
        }
        add(paragraph[start...], to: &sentences)
        return sentences
    }

    /// - Parameters:
    ///   - sentence: the text from the last end up to what may be the next one, with the quotes that close after it.
    ///   - rest: the text after it.
    private static func isEnd(_ sentence: Substring, rest: Substring) -> Bool {
        guard let last = sentence.last else { return false }
        if "。！？」』".contains(last) { return true }
        guard rest.first?.isWhitespace ?? true else { return false }
        let next = rest.first { !$0.isWhitespace }
        // As in: “Stay!” she said.
        if closers.contains(last), next?.isLowercase == true { return false }
        guard last == "." else { return true }
        let separates = { (character: Character) in character.isWhitespace || "([\"“".contains(character) }
        let letters = sentence.dropLast().reversed().drop(while: separates).prefix { !separates($0) }
        let word = String(letters.reversed())
        if abbreviations.contains(word.lowercased()) { return false }
        // An initial, as in “J. Smith”.
        if word.count == 1, word.first?.isUppercase == true { return false }
        // A number with a full stop ends a sentence only before a capital letter.
        guard let next else { return true }
        return !(next.isLowercase || word.allSatisfy(\.isNumber) && !next.isUppercase)
    }

    private static func add(_ text: Substring, to sentences: inout [String]) {
        var sentence = String(text.drop { $0 == " " })
        if !sentence.withUTF8(SentenceBytes.isSpacedEvenly) {
            sentence = sentence.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        if !sentence.isEmpty { sentences.append(sentence) }
    }
}

/// The rules about sentences that need the bytes alone.
private enum SentenceBytes {
    /// Returns the offsets after which a sentence may end: after its last sign and the quotes and brackets that close
    /// there.
    static func ends(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
        var (ends, index) = ([Int](), 0)
        while index < bytes.count {
            var length = end(bytes, index)
            guard length > 0 else {
                index += 1
                continue
            }
            repeat {
                index += length
                length = max(end(bytes, index), closer(bytes, index))
            } while length > 0
            ends.append(index)
        }
        return ends
    }

    /// Whether words are parted by one space each, and no white space is around them.
    static func isSpacedEvenly(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var last: UInt8 = 0x20
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0x20: if last == 0x20 { return false }
            case ..<0x20: return false
            // The bytes with which other white space may begin.
            case 0xC2: if [0x85, 0xA0].contains(self.byte(bytes, index + 1)) { return false }
            case 0xE1...0xE3:
                if isSpace(byte, self.byte(bytes, index + 1), self.byte(bytes, index + 2)) { return false }
            default: break
            }
            last = byte
        }
        return last != 0x20
    }

    private static func isSpace(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
        switch (first, second, third) {
        case (0xE1, 0x9A, 0x80), (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xA8...0xA9), (0xE2, 0x80, 0xAF),
            (0xE2, 0x81, 0x9F), (0xE3, 0x80, 0x80):
            true
        default: false
        }
    }

    private static func byte(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt8 {
        index < bytes.count ? bytes[index] : 0
    }

    /// Returns the length of the sign at an offset that may end a sentence, or 0 if there is none.
    ///
    /// These are `.`, `!`, `?`, `…`, `。`, `！` and `？`.
    private static func end(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        switch byte(bytes, index) {
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): 1
        case 0xE2: byte(bytes, index + 1) == 0x80 && byte(bytes, index + 2) == 0xA6 ? 3 : 0
        case 0xE3: byte(bytes, index + 1) == 0x80 && byte(bytes, index + 2) == 0x82 ? 3 : 0
        case 0xEF: byte(bytes, index + 1) == 0xBC && [0x81, 0x9F].contains(byte(bytes, index + 2)) ? 3 : 0
        default: 0
        }
    }

    /// Returns the length of the quote or bracket at an offset that closes after a sentence, or 0 if there is none.
    ///
    /// These are the same as `closers` of `Sentences`.
    private static func closer(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Int {
        switch byte(bytes, index) {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ")"), UInt8(ascii: "]"): 1
        case 0xC2: byte(bytes, index + 1) == 0xBB ? 2 : 0
        case 0xE2: byte(bytes, index + 1) == 0x80 && [0x9D, 0x99].contains(byte(bytes, index + 2)) ? 3 : 0
        case 0xE3: byte(bytes, index + 1) == 0x80 && [0x8D, 0x8F].contains(byte(bytes, index + 2)) ? 3 : 0
        default: 0
        }
    }
}
