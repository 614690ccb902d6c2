import TextPrimitives

/// Adding carets: above and below, at the ends of lines, at matches.
extension TextEditor {
    /// Adds a caret, or a copy of the selection, in the row above the first or below the last one.
    ///
    /// Returns false at the first and the last row.
    public mutating func addCaret(below: Bool, layout: inout TextLayout) -> Bool {
        let all = carets
        guard var edge = below ? all.last : all.first else { return false }
        let position = layout.location(of: edge.selection.head, in: buffer)
        let next = layout.step(from: (position.line, position.row), by: below ? 1 : -1, in: buffer)
        guard next != (position.line, position.row) else { return false }
        func moved(_ offset: ByteOffset, column: CellColumn) -> ByteOffset {
            layout.offset(atRow: next.row, of: next.line, column: column, in: buffer)
        }
        let column = edge.goalColumn ?? position.column
        let head = moved(edge.selection.head, column: column)
        let start = layout.location(of: edge.selection.anchor, in: buffer)
        // A selection within one row is copied; of a selection over several rows, only the caret is.
        let isInRow = !edge.selection.isEmpty && (start.line, start.row) == (position.line, position.row)
        let anchor = isInRow ? moved(edge.selection.anchor, column: start.column) : head
        edge = Caret(selection: Selection(anchor: anchor, head: head), goalColumn: column)
        put(all + [edge], main: all.count)
        openPairs = []
        history.endStep()
        return true
    }

    /// Puts a caret at the end of each line that is selected or has a caret.
    public mutating func putCaretsAtLineEnds() {
        var ends: [Caret] = []
        var main = 0
        for caret in carets {
            for line in buffer.lines(touchedBy: caret.selection.range).numbers where ends.count < Self.maximumCarets {
                ends.append(Caret(selection: Selection(buffer.lineEnd(line))))
            }
            if caret.selection == selection { main = ends.count - 1 }
        }
        put(ends, main: min(main, ends.count - 1))
        goalColumn = nil
        openPairs = []
        history.endStep()
    }

    /// The most carets that a command adds.
    public static let maximumCarets = 10_000

    /// The result of adding carets at matches.
    public enum AddedMatches: Hashable, Sendable {
        /// There is nothing to search for: the caret is not at a word.
        case nothing
        /// The word at the caret was selected; no caret was added.
        case word
        /// The number of added carets, and whether there are no more matches than may have carets.
        case added(Int, isAll: Bool)
    }

    /// Selects the next occurrence of the selected text; after the last one in the text, the first one.
    ///
    /// Without a selection, selects the word at each caret; the next matches are then whole words only.
    public mutating func addCaretAtNextMatch() -> AddedMatches {
        if selection.isEmpty { return selectWords() }
        let text = selectedText
        let isWord = wordCarets.map { $0.revision == revision && $0.selections == selections } ?? false
        let query = FindQuery(text, isCaseSensitive: true, isWholeWord: isWord)
        guard let finder = try? TextFinder(query) else { return .nothing }  // a plain pattern is always valid
        let taken = carets.map(\.selection.range)
        var (next, first): (Range<ByteOffset>?, Range<ByteOffset>?)
        let end = selection.range.upperBound
        // A search for plain text without a limit cannot fail.
        try? finder.forEachMatch(in: buffer, budget: SearchBudget()) { match in
            guard !taken.overlaps(match.range) else { return true }
            if match.range.lowerBound >= end {
                next = match.range
                return false
            }
            if first == nil { first = match.range }
            return true
        }
        guard let found = next ?? first else { return .added(0, isAll: true) }
        let all = carets
        put(all + [Caret(selection: like(selection, found))], main: all.count)
        if isWord { wordCarets = (selections, revision) }
        goalColumn = nil
        history.endStep()
        return .added(1, isAll: true)
    }

    /// Selects each occurrence of the selected text or, without a selection, of the word at the caret.
    public mutating func putCaretsAtAllMatches() -> AddedMatches {
        let isWord = selection.isEmpty
        guard let range = isWord ? buffer.word(beside: caret) : selection.range else { return .nothing }
        let text = buffer.string(in: range)
        let query = FindQuery(text, isCaseSensitive: true, isWholeWord: isWord)
        // A pattern that is not empty is valid.
        guard let finder = try? TextFinder(query) else { return .nothing }
        var found: [Range<ByteOffset>] = []
        var isAll = true
        // A search for plain text without a limit cannot fail.
        try? finder.forEachMatch(in: buffer, budget: SearchBudget()) { match in
            guard found.count < Self.maximumCarets else {
                isAll = false
                return false
            }
            found.append(match.range)
            return true
        }
        guard !found.isEmpty else { return .nothing }
        let before = others.count + 1
        let main = found.firstIndex { $0.upperBound > range.lowerBound } ?? 0
        let reversed = selection
        put(found.map { Caret(selection: isWord ? Selection($0) : like(reversed, $0)) }, main: main)
        goalColumn = nil
        openPairs = []
        history.endStep()
        return .added(others.count + 1 - before, isAll: isAll)
    }

    private mutating func selectWords() -> AddedMatches {
        let ranges = carets.map { $0.selection.isEmpty ? buffer.word(beside: $0.selection.head) : nil }
        let main = mainIndex
        guard ranges[main] != nil else { return .nothing }
        put(
            zip(carets, ranges).map { caret, range in Caret(selection: range.map { Selection($0) } ?? caret.selection)
            },
            main: main)
        wordCarets = (selections, revision)
        history.endStep()
        return .word
    }

    /// The selection of a range, with the caret at the same end as in `other`.
    private func like(_ other: Selection, _ range: Range<ByteOffset>) -> Selection {
        other.isReversed ? Selection(anchor: range.upperBound, head: range.lowerBound) : Selection(range)
    }
}

extension TextBuffer {
    /// The word, or the run of punctuation, at an offset, or else before it; nil if there is only white space.
    fileprivate func word(beside offset: ByteOffset) -> Range<ByteOffset>? {
        let start = lineStart(lineNumber(at: offset))
        return [offset, max(start, characterStart(before: offset))].lazy.map { wordRange(at: $0) }
            .first { string(in: $0).contains { !$0.isWhitespace } }
    }
}

extension [Range<ByteOffset>] {
    /// Whether `range` overlaps one of these ranges, which ascend.
    fileprivate func overlaps(_ range: Range<ByteOffset>) -> Bool {
        let first = partitioningIndex { $0.upperBound > range.lowerBound }
        return first < count && self[first].overlaps(range)
    }
}
