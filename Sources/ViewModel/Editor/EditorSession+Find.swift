import TextEditing

/// A search inside of the open text.
struct NoteFind {
    /// A match to be selected once the text has been searched as far.
    struct Goal {
        var isForward: Bool
        /// Where it is looked for from.
        var place: ByteOffset
        /// The selection when it was asked for: where there is another, the user has gone on.
        var selection: Selection
    }

    var query: FindQuery
    /// The matches, kept true through edits; nil when the query cannot be looked for.
    var results: FindResults?
    /// Where the search began, for leaving it to put back.
    var origin: Selection
    var goal: Goal?
}

/// Find and replace in the note.
///
/// However long the text is, a key searches about a millisecond's worth of it; the rest is searched in idle moments, and
/// a match that is found then is gone to if the user is still waiting for it.
extension EditorSession {
    /// Begins a search, or changes what is looked for: the first match from where it began is selected.
    public func find(_ query: FindQuery) {
        let origin = find?.origin ?? editor.selection
        begin(query, from: origin)
        editor.select(origin)
        go(forward: true, from: origin.range.lowerBound)
    }

    /// Takes up a search again without moving anything.
    public func resumeFind(_ query: FindQuery) {
        if find?.query != query { begin(query, from: editor.selection) }
    }

    private func begin(_ query: FindQuery, from origin: Selection) {
        let finder = try? TextFinder(query)  // half-typed, it finds nothing yet, and the summary says so
        find = NoteFind(query: query, results: finder.map { FindResults($0) }, origin: origin)
        _ = find?.results?.advance(in: editor.buffer)
        if isSearching { hasMoreToRead() }
    }

    public func findNext() { go(forward: true, from: editor.selection.range.upperBound) }
    public func findPrevious() { go(forward: false, from: editor.selection.range.lowerBound) }

    /// Whether there is text that has not been searched yet.
    var isSearching: Bool { find?.results?.isComplete == false }

    /// Selects the next match, or the one before; at once if it is known or near.
    private func go(forward: Bool, from place: ByteOffset, isFirstTry: Bool = true) {
        guard let results = find?.results else { return revealCaret() }
        let buffer = editor.buffer
        let answer =
            forward
            ? results.next(from: place, in: buffer, lookingNear: isFirstTry)
            : results.previous(before: place, in: buffer, lookingNear: isFirstTry)
        find?.goal = nil
        switch answer {
        case .match(let match): editor.select(Selection(match))
        case .nowhere: break
        case .unknown: find?.goal = NoteFind.Goal(isForward: forward, place: place, selection: editor.selection)
        }
        revealCaret()
    }

    /// Searches on for an idle moment.
    func searchOn() {
        _ = find?.results?.advance(in: editor.buffer)
        guard let goal = find?.goal else { return }
        guard goal.selection == editor.selection else {
            find?.goal = nil
            return
        }
        go(forward: goal.isForward, from: goal.place, isFirstTry: false)
    }

    /// Replaces the selected match and goes to the next.
    public func replaceMatch(with template: String) {
        guard let finder = find?.results?.finder else { return }
        change { $0.replaceSelectedMatch(finder, with: template) }
        findNext()
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

    /// Where the search stands: `3 of 12`, `no match`, `12+` while the text is still being read, `searching` while no
    /// match is known to go to.
    public var findSummary: String {
        _ = revision
        guard let find, !find.query.pattern.isEmpty else { return "" }
        guard let results = find.results else { return "not an expression" }
        if find.goal != nil { return "searching" }
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
