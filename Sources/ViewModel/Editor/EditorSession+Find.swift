import TextEditing

/// A search inside of the open text.
struct NoteFind {
    var query: FindQuery
    /// The matches, kept true through edits; nil when the query cannot be looked for.
    var results: FindResults?
    /// Where the search began, for leaving it to put back.
    var origin: Selection
}

/// Find and replace in the note.
extension EditorSession {
    /// Begins a search, or changes what is looked for: the first match from where it began is selected.
    public func find(_ query: FindQuery) {
        let origin = find?.origin ?? editor.selection
        let finder = try? TextFinder(query)  // half-typed, it finds nothing yet, and the summary says so
        find = NoteFind(query: query, results: finder.map { FindResults($0) }, origin: origin)
        editor.select(Selection(origin.range.lowerBound))
        if let finder, let match = finder.next(from: origin.range.lowerBound, in: editor.buffer) {
            editor.select(Selection(match))
        } else {
            editor.select(origin)
        }
        _ = find?.results?.advance(in: editor.buffer)
        revealCaret()
    }

    /// Takes up a search again without moving anything.
    public func resumeFind(_ query: FindQuery) {
        guard find?.query != query else { return }
        let finder = try? TextFinder(query)  // what was no expression before is none now
        find = NoteFind(query: query, results: finder.map { FindResults($0) }, origin: editor.selection)
        _ = find?.results?.advance(in: editor.buffer)
    }

    public func findNext() { step { $0.selectNext($1) } }
    public func findPrevious() { step { $0.selectPrevious($1) } }

    private func step(_ move: (inout TextEditor, TextFinder) -> Bool) {
        guard let finder = find?.results?.finder else { return }
        _ = move(&editor, finder)
        revealCaret()
    }

    /// Replaces the selected match and goes to the next.
    public func replaceMatch(with template: String) {
        guard let finder = find?.results?.finder else { return }
        change { $0.replaceMatch(finder, with: template) }
    }

    /// Replaces all matches as one step.
    ///
    /// - Returns: how many there were.
    public func replaceAllMatches(with template: String) -> Int {
        guard let finder = find?.results?.finder else { return 0 }
        var count = 0
        change { editor in
            let edit = editor.replaceAll(finder, with: template)
            count = edit?.replacements.count ?? 0
            return edit
        }
        return count
    }

    /// Ends the search.
    ///
    /// - Parameter puttingBack: whether the selection goes back to where the search began.
    public func endFind(puttingBack: Bool) {
        if puttingBack, let find { editor.select(find.origin) }
        find = nil
        revealCaret()
    }

    /// Where the search stands: `3 of 12`, `no match`, `12+` while the text is still being read.
    public var findSummary: String {
        _ = revision
        guard let find, !find.query.pattern.isEmpty else { return "" }
        guard let results = find.results else { return "not an expression" }
        let count = results.matches.count
        if count == 0 { return results.isComplete ? "no match" : "" }
        let total = results.isComplete ? "\(count)" : "\(count)+"
        guard let index = results.index(from: editor.selection.range.lowerBound),
            results.matches[index] == editor.selection.range
        else { return total }
        return "\(index + 1) of \(total)"
    }

    /// Whether something is looked for.
    public var isFinding: Bool { find != nil }

    /// The matches that touch a part of the text.
    public func matches(in range: Range<ByteOffset>) -> ArraySlice<Range<ByteOffset>> {
        find?.results?.matches(in: range) ?? []
    }
}
