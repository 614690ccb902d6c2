import TextPrimitives

/// Determines the highlighting of each line of a text, and keeps it correct while the text is edited.
///
/// For each line, it stores the state of the block parser before that line. An edit makes the states of the new lines
/// unknown. They are determined again on request or in idle moments, and reading stops at the first line after the edit
/// whose state is unchanged. Inlines are parsed by the paragraph, when one of its lines is requested.
///
///     highlighter.replace(lines: 3..<4, withCount: 2)     // Enter was pressed in line 3
///     let shown = highlighter.spans(ofLine: 4, in: lines)
///     while !highlighter.advance(lines, byteBudget: 100_000) { … }    // later
///
/// Once the whole text is read, the results equal those of a new highlighter, except that of a paragraph of more than
/// 64 KB only an excerpt around the line is read. Before that, whether `[text]` is a link may depend on a definition
/// that has not been read yet, and the state far below the lines read so far is guessed. `revision` changes when an
/// earlier result proves wrong.
///
/// A highlighter belongs to one text and cannot be copied: a call that only reads would copy it otherwise when it is
/// stored in an object.
public struct MarkdownHighlighter: ~Copyable, Sendable {
    /// The data stored for a line.
    struct Line: BitwiseCopyable, Sendable {
        /// The state before the line.
        var state: UInt32 = 0
        /// The number of the definition group of the paragraph or footnote that starts here; 0 for none.
        var definitions: UInt32 = 0
    }

    public let options: MarkdownOptions
    /// A number that changes when lines that were not edited may look different.
    ///
    /// That happens when the set of defined link labels changes, and when the guessed kind of a line shown earlier
    /// proves wrong.
    public internal(set) var revision = 0

    /// The data of each line, with one more element for the state after the last line.
    var lines = GapBuffer(repeating: Line(), count: 2)
    var states = StateTable()
    /// The lines whose state is unknown, in ascending disjoint ranges.
    ///
    /// The state of line 0 is always known.
    var stale: [Range<Int>] = []
    /// The number of elements of `stale` that edits have examined, for tests.
    private(set) var staleWork = 0
    /// The number of lines of front matter when the first lines were last read; nil before that.
    var frontMatterLines: Int?
    /// Whether an edit may have changed that number, so that the first lines must be read again.
    var checksFrontMatter = true
    var definitions = DefinitionSet()
    var cache = HighlightCache()
    var scanner: BlockScanner
    /// The number of lines above a line that are always read before it is shown; unknown lines further up wait for
    /// `advance`.
    ///
    /// A chosen value: 4,000 lines are read in about a millisecond.
    var lookbehind = 4_000
    /// The number of the line for which `scanner.state` is the state before it; -1 if there is none.
    var scannerLine = -1

    public init(_ options: MarkdownOptions = .extended) {
        self.options = options
        scanner = BlockScanner(options)
    }

    /// Discards all data and starts with `source`; reads nothing yet.
    public mutating func reset(_ source: some LineSource) {
        lines = GapBuffer(repeating: Line(), count: source.lineCount + 1)
        states = StateTable()
        stale = [1..<source.lineCount + 1]
        (frontMatterLines, checksFrontMatter) = (nil, true)
        definitions = DefinitionSet()
        cache.removeAll()
        scannerLine = -1
        revision += 1
    }

    /// Records that an edit replaced the old `range` of lines by `newCount` lines (typing in line 5: `5..<6` and 1).
    ///
    /// It takes time proportional to the distance from the last edit in lines, at the speed of copying memory.
    public mutating func replace(lines range: Range<Int>, withCount newCount: Int) {
        for index in range where lines[index].definitions != 0 { define([], at: index) }
        // The state before the first line stays; the state of the line after the last new one must be checked again.
        let first = lines[range.lowerBound].state
        lines.replace(range, withCount: newCount)
        lines[range.lowerBound].state = first
        shiftStale(range, by: newCount - range.count)
        // One line more than was written is stale: the kind of a line may depend on the text of the line before it. If
        // lines were only removed, the line before them may now be the last of the text.
        markStale(range.lowerBound + min(newCount, 1)..<range.lowerBound + newCount + 2)
        cache.replace(range, withCount: newCount)
        if range.lowerBound <= FrontMatter.maximumLineCount { checksFrontMatter = true }
        scannerLine = -1
    }

    /// Continues to determine unknown states; returns true when all are known.
    ///
    /// - Parameter byteBudget: The approximate number of bytes of the text to read, of which 200 to 500 take a
    ///   microsecond; a short line counts as 100.
    public mutating func advance(_ source: some LineSource, byteBudget: Int) -> Bool {
        var budget = byteBudget
        readFrontMatter(source)
        while budget > 0, !stale.isEmpty { settle(0, source, &budget) }
        return stale.isEmpty
    }

    /// Adapts the unknown lines to a replacement of lines.
    ///
    /// Those above it are not touched, and neither are those below it if the number of lines stays the same.
    private mutating func shiftStale(_ range: Range<Int>, by delta: Int) {
        let first = stale.partitioningIndex { $0.upperBound > range.lowerBound }
        var index = first
        var shifted: [Range<Int>] = []
        while index < stale.count, stale[index].lowerBound <= range.upperBound {
            let old = stale[index]
            let upper =
                old.upperBound > range.upperBound ? old.upperBound + delta : min(old.upperBound, range.lowerBound + 1)
            let lower = min(old.lowerBound, range.lowerBound + 1)
            if lower < upper { shifted.append(lower..<upper) }
            index += 1
        }
        staleWork += index - first
        if delta != 0 {
            for index in index..<stale.count {
                stale[index] = stale[index].lowerBound + delta..<stale[index].upperBound + delta
            }
            staleWork += stale.count - index
        }
        stale.replaceSubrange(first..<index, with: shifted)
    }

    mutating func markStale(_ range: Range<Int>) {
        let range = max(range.lowerBound, 1)..<min(range.upperBound, lines.count)
        guard !range.isEmpty else { return }
        let first = stale.partitioningIndex { $0.upperBound >= range.lowerBound }
        var (merged, end) = (range, first)
        while end < stale.count, stale[end].lowerBound <= merged.upperBound {
            merged = min(stale[end].lowerBound, merged.lowerBound)..<max(stale[end].upperBound, merged.upperBound)
            end += 1
        }
        staleWork += end - first
        stale.replaceSubrange(first..<end, with: CollectionOfOne(merged))
    }
}
