import Markdown
import TextEditing
import ViewModel

/// A search in the preview of a note: in the displayed text, not in its source.
///
/// A search that is too slow for a key is returned as `remaining`; the pane runs it in the background.
struct PreviewSearch {
    let query: FindQuery
    /// Whether the words of a search over all notes are searched for.
    let isOfHits: Bool
    private let text: TextBuffer
    /// The matches found so far; nil if the query is invalid.
    private var results: FindResults?
    /// The position at which the search for the current match begins.
    private let start: ByteOffset
    /// The index of the current match.
    private var current: Int?
    /// The sum of the steps that were requested before the matches were known.
    private var awaitedSteps = 0

    /// The largest text, in bytes, that is searched before a key is answered.
    private static let maximumImmediateLength = 32 << 10

    /// Searches a layout if that is fast enough for a key; the first match at or after `line` becomes the current one.
    init(_ query: FindQuery, in layout: PreviewLayout, from line: Int) {
        let finder = query.pattern.isEmpty ? nil : try? TextFinder(query)  // a half-typed pattern finds nothing
        self.init(finder, for: query, isOfHits: false, in: layout, from: line)
    }

    /// Searches a layout, in the same way, for the words of a search over all notes.
    init(hits finder: TextFinder, in layout: PreviewLayout, from line: Int) {
        self.init(finder, for: finder.query, isOfHits: true, in: layout, from: line)
    }

    /// Searches another layout, in the same way, for what an earlier search was for.
    init(repeating earlier: PreviewSearch, in layout: PreviewLayout, from line: Int) {
        self.init(
            earlier.results?.finder, for: earlier.query, isOfHits: earlier.isOfHits, in: layout, from: line)
    }

    private init(
        _ finder: TextFinder?, for query: FindQuery, isOfHits: Bool, in layout: PreviewLayout, from line: Int
    ) {
        (self.query, self.isOfHits) = (query, isOfHits)
        text = TextBuffer(layout.lines.text)
        start = text.lineStart(LineNumber(line))
        results = finder.map { FindResults($0) }
        guard let results, text.utf8Count <= Self.maximumImmediateLength else { return }
        let found = results.searched(in: text, budget: .key)
        if case .tooSlow = found.problem { return }
        finish(found)
    }

    /// The rest of the search, to be run in the background; nil if there is none.
    var remaining: (@Sendable (SearchBudget) -> FindResults)? {
        guard let results, !results.isComplete else { return nil }
        return { [text] budget in results.searched(in: text, budget: budget) }
    }

    /// Takes the matches, and makes the steps that were requested in the meantime.
    mutating func finish(_ found: FindResults) {
        results = found
        current = found.index(from: start)
        step(by: awaitedSteps)
        awaitedSteps = 0
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
        if !results.isComplete { return Texts.searching }
        guard let current else { return Texts.noMatch }
        return Texts.count(current + 1, of: results.matches.count)
    }

    /// Moves to a match a number of matches further, wrapping around at the ends.
    mutating func step(by step: Int) {
        if results?.isComplete == false { return awaitedSteps += step }
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
