import Markdown
import TextEditing
import ViewModel

/// A search in the preview of a note: in the displayed text, not in its source.
struct PreviewSearch {
    let query: FindQuery
    private let text: TextBuffer
    /// The matches; nil if the query is invalid.
    private let results: FindResults?
    /// The index of the current match.
    private var current: Int?

    /// The time allowed for a search while a key is handled: the layout of a note is short.
    private static let budget = SearchBudget(computing: .milliseconds(50))

    /// Searches a layout; the first match at or after `line` becomes the current one.
    init(_ query: FindQuery, in layout: PreviewLayout, from line: Int) {
        self.query = query
        text = TextBuffer(layout.lines.text)
        let finder = query.pattern.isEmpty ? nil : try? TextFinder(query)  // a half-typed pattern finds nothing
        results = finder.map { [text] in FindResults($0).searched(in: text, budget: Self.budget) }
        current = results?.index(from: text.lineStart(LineNumber(line)))
    }

    /// The line of the current match.
    var currentLine: Int? {
        guard let current, let match = results?.matches[current] else { return nil }
        return text.lineNumber(at: match.lowerBound).rawValue
    }

    /// The bytes of the current match in its line.
    var currentBytes: Range<Int>? {
        guard let current, let match = results?.matches[current], let line = currentLine else { return nil }
        let range = text.lineRange(LineNumber(line))
        return max(0, match.lowerBound - range.lowerBound)..<min(range.length, match.upperBound - range.lowerBound)
    }

    /// The position of the current match among all: `3 of 12`.
    var summary: String {
        guard !query.pattern.isEmpty else { return "" }
        guard let results else { return Texts.invalidRegex }
        if let problem = results.problem { return Sentence.of(problem) }
        guard let current else { return Texts.noMatch }
        return Texts.count(current + 1, of: results.matches.count)
    }

    /// Moves to a match a number of matches further, wrapping around at the ends.
    mutating func step(by step: Int) {
        guard let count = results?.matches.count, count > 0, let current else { return }
        self.current = ((current + step) % count + count) % count
    }

    /// Returns the matches in a line, in bytes of the line.
    func matches(inLine line: Int) -> [Range<Int>] {
        let range = text.lineRange(LineNumber(line))
        return results?.matches(in: range).map {
            max(0, $0.lowerBound - range.lowerBound)..<min(range.length, $0.upperBound - range.lowerBound)
        } ?? []
    }
}
