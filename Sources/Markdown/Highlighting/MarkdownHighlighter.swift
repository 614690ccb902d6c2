/// Tells how each line of a text is to be shown, and stays right while the text is edited.
///
/// For every line the state of the block parser before it is kept. An edit makes the states of the lines that it made
/// unknown; they are found anew when somebody asks, or in idle moments, and reading stops at the first line after the
/// edit whose state comes out as it was. Inlines are read by the paragraph, when a line of it is asked for.
///
///     highlighter.replace(lines: 3..<4, withCount: 2)     // Enter was pressed in line 3
///     let shown = highlighter.spans(ofLine: 4, in: lines)
///     while !highlighter.advance(lines, byteBudget: 100_000) { … }    // later
///
/// Once all is read, the answers equal those of a highlighter that starts from nothing, but that a paragraph of more than
/// 64 KB is read by a window around the line. Before that, whether `[text]` is a link may depend on a definition that has
/// not been read yet, and far below what has been read the state is guessed; `revision` moves when an answer that was
/// given proves wrong.
public struct MarkdownHighlighter: Sendable {
    /// What is kept for a line.
    struct Line: BitwiseCopyable, Sendable {
        /// The state before the line.
        var state: UInt32 = 0
        /// The definitions of the paragraph or footnote that starts here, by number; 0 for none.
        var definitions: UInt32 = 0
    }

    public let options: MarkdownOptions
    /// Moves when lines that were not edited may look different: when the link labels that are defined change, and when
    /// lines that were shown turn out to be something else.
    public internal(set) var revision = 0

    /// One more than there are lines: the state after the last line counts too.
    var lines = GapBuffer(repeating: Line(), count: 2)
    var states = StateTable()
    /// Lines whose state is not known, in ascending disjoint ranges.
    ///
    /// Line 0 is always known.
    var stale: [Range<Int>] = []
    /// What the first lines said about front matter; nil if it has to be read again.
    var frontMatterLines: Int?
    var definitions = DefinitionSet()
    var cache = HighlightCache()
    var scanner: BlockScanner
    /// Lines above a line that are read for certain before it is shown; what is unknown further up waits for `advance`.
    ///
    /// By choice: 4,000 lines are read in about a millisecond.
    var lookbehind = 4_000
    /// The line that `scanner.state` is the state before; -1 if it is none.
    var scannerLine = -1

    public init(_ options: MarkdownOptions = .extended) {
        self.options = options
        scanner = BlockScanner(options)
    }

    /// Forgets everything and takes `source`; reads nothing yet.
    public mutating func reset(_ source: some LineSource) {
        lines = GapBuffer(repeating: Line(), count: source.lineCount + 1)
        states = StateTable()
        stale = [1..<source.lineCount + 1]
        frontMatterLines = nil
        definitions = DefinitionSet()
        cache.removeAll()
        scannerLine = -1
        revision += 1
    }

    /// An edit put `newCount` lines in place of the old `range` of lines (typing in line 5: `5..<6` and 1).
    ///
    /// Costs the distance from the last edit in lines, copied at memory speed.
    public mutating func replace(lines range: Range<Int>, withCount newCount: Int) {
        for index in range where lines[index].definitions != 0 { define([], at: index) }
        // The state before the first line stays; the line after the last new one has to be asked again.
        let first = lines[range.lowerBound].state
        lines.replace(range, withCount: newCount)
        lines[range.lowerBound].state = first
        shiftStale(range, by: newCount - range.count)
        // One line more than was written: what a line is may depend on the text of the one before it.
        // Where lines only went, the one before them may have become the last of the text.
        markStale(range.lowerBound + min(newCount, 1)..<range.lowerBound + newCount + 2)
        cache.replace(range, withCount: newCount)
        if range.lowerBound <= FrontMatter.maximumLineCount { frontMatterLines = nil }
        scannerLine = -1
    }

    /// Reads on where states are not known yet; true when all are.
    ///
    /// `byteBudget`: about how many bytes of the text to read, 200 to 500 a microsecond; a short line counts as 100.
    public mutating func advance(_ source: some LineSource, byteBudget: Int) -> Bool {
        var budget = byteBudget
        readFrontMatter(source)
        while budget > 0, !stale.isEmpty { settle(0, source, &budget) }
        return stale.isEmpty
    }

    private mutating func shiftStale(_ range: Range<Int>, by delta: Int) {
        var shifted: [Range<Int>] = []
        for old in stale {
            let lower =
                old.lowerBound > range.upperBound ? old.lowerBound + delta : min(old.lowerBound, range.lowerBound + 1)
            let upper =
                old.upperBound > range.upperBound ? old.upperBound + delta : min(old.upperBound, range.lowerBound + 1)
            if lower < upper { shifted.append(lower..<upper) }
        }
        stale = shifted
    }

    mutating func markStale(_ range: Range<Int>) {
        let range = max(range.lowerBound, 1)..<min(range.upperBound, lines.count)
        guard !range.isEmpty else { return }
        var merged = range
        var others: [Range<Int>] = []
        for old in stale {
            if old.upperBound < merged.lowerBound || old.lowerBound > merged.upperBound {
                others.append(old)
            } else {
                merged = min(old.lowerBound, merged.lowerBound)..<max(old.upperBound, merged.upperBound)
            }
        }
        let place = others.firstIndex { $0.lowerBound > merged.lowerBound } ?? others.count
        others.insert(merged, at: place)
        stale = others
    }
}
