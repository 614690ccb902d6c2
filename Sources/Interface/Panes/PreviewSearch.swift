import Markdown
import TextEditing
import ViewModel

/// A search in a note that is laid out for reading: in what is read, not in its source.
struct PreviewSearch {
    let query: FindQuery
    private let text: TextBuffer
    /// Nil when the query cannot be looked for.
    private let results: FindResults?
    /// The match that was gone to, among the matches.
    private var current: Int?

    /// What a key may cost here: the part of a note that is laid out is short.
    private static let budget = SearchBudget(computing: .milliseconds(50))

    /// Looks through a layout; the match that is gone to is the first from a line on.
    init(_ query: FindQuery, in layout: PreviewLayout, from line: Int) {
        self.query = query
        text = TextBuffer(layout.lines.text)
        let finder = query.pattern.isEmpty ? nil : try? TextFinder(query)  // half-typed, it finds nothing yet
        results = finder.map { [text] in FindResults($0).searched(in: text, budget: Self.budget) }
        current = results?.index(from: text.lineStart(LineNumber(line)))
    }

    /// The line of the match that was gone to.
    var currentLine: Int? {
        guard let current, let match = results?.matches[current] else { return nil }
        return text.lineNumber(at: match.lowerBound).rawValue
    }

    /// Where the search stands: `3 of 12`.
    var summary: String {
        guard !query.pattern.isEmpty else { return "" }
        guard let results else { return Texts.invalidRegex }
        if let problem = results.problem { return Sentence.of(problem) }
        guard let current else { return Texts.noMatch }
        return Texts.count(current + 1, of: results.matches.count)
    }

    /// Goes on by matches, round and round.
    mutating func step(by step: Int) {
        guard let count = results?.matches.count, count > 0, let current else { return }
        self.current = ((current + step) % count + count) % count
    }

    /// The matches in a line, in bytes of it.
    func matches(inLine line: Int) -> [Range<Int>] {
        let range = text.lineRange(LineNumber(line))
        return results?.matches(in: range).map {
            max(0, $0.lowerBound - range.lowerBound)..<min(range.length, $0.upperBound - range.lowerBound)
        } ?? []
    }
}
