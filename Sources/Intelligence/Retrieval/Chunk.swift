import Foundation
import Markdown
import NoteStore

/// A piece of a note that is found, sent and cited as a unit.
public struct Chunk: Equatable, Sendable {
    public let note: NoteID
    /// The note's title.
    public let title: String
    /// The headings above the piece, the outermost first.
    public let headings: [String]
    /// The piece's Markdown, as it is in the note but for line ends, which are line feeds.
    public let text: String

    public init(note: NoteID, title: String, headings: [String], text: String) {
        (self.note, self.title, self.headings, self.text) = (note, title, headings, text)
    }

    /// The note's title and the headings above the piece, for display.
    public var label: String { ([title] + headings.filter { $0 != title }).joined(separator: " › ") }
    /// The URL that opens the note.
    public var url: String { note.url }
    /// The URL that opens the note at the heading above the piece.
    public var headingURL: String {
        guard let heading = headings.last, heading != title else { return url }
        return url + "#" + (heading.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }
}

/// Cuts notes into chunks.
public enum Chunker {
    /// The estimated size of a chunk in tokens: some 250 words, which a reader takes in at a glance.
    public static let usualSize = 350

    /// Returns the chunks of a note in order.
    ///
    /// Each chunk has one heading and consists of whole blocks, so that no fence and no table is cut.
    ///
    /// A block that is larger than a chunk is cut between lines, unless it is a fence or a table.
    public static func chunks(of note: Note, size: Int = usualSize) -> [Chunk] {
        let content = note.content.withLineFeeds
        let lines = lines(of: content)
        let document = MarkdownDocument(content)
        var builder = Builder(note: note, size: size)
        let outline = Dictionary(document.outline.map { ($0.line, $0) }) { first, _ in first }
        for block in document.topBlocks {
            let range = block.lines.clamped(to: 0...max(0, lines.count - 1))
            let text = lines[range].joined(separator: "\n")
            switch block.kind {
            case .frontMatter, .definitions, .thematicBreak: continue
            case .heading(let level):
                builder.heading(level, outline[block.lines.lowerBound]?.title ?? Markdown.plainText(of: text))
            case .code, .table, .html: builder.add(text)
            default: builder.add(text, isDivisible: true)
            }
        }
        builder.flush()
        // A title on a line of its own says no more than the label of each chunk.
        if builder.chunks.count > 1, builder.chunks[0].text == note.title { builder.chunks.removeFirst() }
        return builder.chunks
    }

    /// Returns the lines of a text whose lines end at line feeds.
    ///
    /// They are found by bytes: the search for the ends of characters takes seven times as many instructions, and half of
    /// those of a question to a notebook of long notes.
    private static func lines(of text: String) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
    }

    private struct Builder {
        let note: Note
        let size: Int
        var chunks: [Chunk] = []
        private var path: [(level: Int, title: String)] = []
        private var waiting: [String] = []
        private var tokens = 0

        init(note: Note, size: Int) { (self.note, self.size) = (note, size) }

        mutating func heading(_ level: Int, _ title: String) {
            flush()
            path.removeAll { $0.level >= level }
            path.append((level, title))
        }

        mutating func add(_ text: String, isDivisible: Bool = false) {
            let cost = TokenCount.estimate(text)
            if cost > size, isDivisible {
                for line in Chunker.lines(of: text) where !line.isEmpty { addPieces(of: line) }
            } else {
                addWhole(text, cost)
            }
        }

        /// Adds a line, or the sentences of a paragraph written as one long line.
        private mutating func addPieces(of line: Substring) {
            let cost = TokenCount.estimate(String(line))
            guard cost > size else { return addWhole(String(line), cost, gap: "\n") }
            for sentence in Sentences.split(String(line)) {
                addWhole(sentence, TokenCount.estimate(sentence), gap: " ")
            }
        }

        private mutating func addWhole(_ text: String, _ cost: Int, gap: String = "\n\n") {
            if tokens + cost > size { flush() }
            if !waiting.isEmpty { waiting.append(gap) }
            waiting.append(text)
            tokens += cost
        }

        mutating func flush() {
            let text = waiting.joined()
            if text.contains(where: { !$0.isWhitespace }) {
                // A heading without words has no place in a label, nor in a link.
                let headings = path.map(\.title).filter { !$0.isEmpty }
                chunks.append(Chunk(note: note.id, title: note.title, headings: headings, text: text))
            }
            (waiting, tokens) = ([], 0)
        }
    }
}
