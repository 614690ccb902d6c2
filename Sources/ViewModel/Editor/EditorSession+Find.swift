import TextEditing

/// A search in the open text.
struct NoteFind {
    /// A match to select once the search has reached it.
    struct Goal {
        var isForward: Bool
        /// Whether to go on to another match if one is selected already.
        var leaves = false
        /// Whether to select the match; otherwise the caret is put before it.
        var selects = true
        /// The position from which the search runs.
        var position: ByteOffset
        /// The selection at the time of the request; if it differs later, the user has moved on, and the goal is void.
        var selection: Selection
    }

    /// The query; nil if the matches are those of a search over all notes.
    var query: FindQuery?
    /// The text of the search over all notes; nil for a search in this text.
    var hits: String?
    /// The matches, updated by edits; nil if the query is invalid.
    var results: FindResults?
    /// The selection when the search began, which can be restored when it ends.
    var origin: Selection
    var goal: Goal?
}

/// The result of replacing matches.
public enum ReplaceOutcome: Equatable, Sendable {
    /// The number of replaced matches.
    case replaced(Int)
    /// No match was replaced, for this reason.
    case failed(FindError)
    /// No match was replaced, because the text changed during the search.
    case changedMeanwhile
}

/// Find and replace in the note.
///
/// However long the text is, a key searches at most a few milliseconds' worth of it. After that, a plain text is
/// searched for in idle moments, and a regular expression in the background on a snapshot. A match found then is
/// selected if the user is still waiting for it.
extension EditorSession {
    /// Begins a search, or changes its query, and selects the first match after its origin.
    public func find(_ query: FindQuery) {
        let origin = isShowingHits ? editor.selection : find?.origin ?? editor.selection
        begin(try? TextFinder(query), query, from: origin)  // a half-typed query finds nothing; the summary says so
        editor.select(origin)
        go(NoteFind.Goal(isForward: true, position: origin.range.lowerBound, selection: origin))
    }

    /// Repeats an earlier search without moving the selection.
    public func resumeFind(_ query: FindQuery) {
        guard find?.query != query else { return }
        begin(try? TextFinder(query), query, from: editor.selection)  // as in `find(_:)`
    }

    /// Shows the matches of a search over all notes, with the caret before the match that the search has shown.
    ///
    /// Nothing is selected, so that the next typed text replaces nothing.
    ///
    /// - Parameters:
    ///   - byte: the position of that match; nil for the first match.
    func show(hits finder: TextFinder, at byte: Int?) {
        guard find?.hits != finder.query.pattern else { return }
        begin(finder, nil, from: editor.selection)
        find?.hits = finder.query.pattern
        if let byte {
            editor.select(Selection(editor.buffer.characterBoundary(atOrBefore: ByteOffset(byte))))
            revealCaret()
        } else {
            go(NoteFind.Goal(isForward: true, selects: false, position: 0, selection: editor.selection))
        }
    }

    /// Highlights the matches of a query without moving the caret.
    func showMatches(of query: FindQuery) {
        begin(try? TextFinder(query), nil, from: editor.selection)  // an invalid query has no matches
    }

    /// Hides the matches of a search over all notes.
    func hideHits() {
        if isShowingHits { endFind(puttingBack: false) }
    }

    /// Whether the matches of a search over all notes are shown.
    public var isShowingHits: Bool { find?.hits != nil }

    /// Finds the matches of the search over all notes that is shown; nil if none is.
    public var hitFinder: TextFinder? { isShowingHits ? find?.results?.finder : nil }

    private func begin(_ finder: TextFinder?, _ query: FindQuery?, from origin: Selection) {
        textSearch.cancel()
        find = NoteFind(query: query, results: finder.map { FindResults($0) }, origin: origin)
        searchAtOnce()
        if isSearching { hasMoreToRead() }
    }

    /// The size in bytes of a text in which a regular expression is searched while a key waits.
    private static let maximumImmediateLength = 32 << 10

    /// Searches as far as a key may wait for.
    private func searchAtOnce() {
        guard let results = find?.results else { return }
        if results.finder.searchesInSlices {
            _ = find?.results?.advance(in: editor.buffer)
        } else if editor.buffer.utf8Count <= Self.maximumImmediateLength {
            let found = results.searched(in: editor.buffer, budget: .key)
            if !Self.isSlow(found.problem) { find?.results = found }
        }
    }

    /// Whether a quick search ran out of time, and must be repeated with more.
    private static func isSlow(_ problem: FindError?) -> Bool {
        if case .tooSlow = problem { return true }
        return false
    }

    /// Goes to the next match after the selection; after the last one comes the first.
    public func findNext() {
        let selected = editor.selection
        var goal = NoteFind.Goal(
            isForward: true, leaves: true, position: selected.range.upperBound, selection: selected)
        // The caret is before the match that the search over all notes has shown.
        if isShowingHits, selected.isEmpty, let results = find?.results,
            let match = results.index(from: goal.position).map({ results.matches[$0] }),
            match.lowerBound == goal.position
        {
            goal.position = match.upperBound
        }
        go(goal)
    }

    /// Goes to the last match before the selection; before the first one comes the last.
    public func findPrevious() {
        let selected = editor.selection
        go(NoteFind.Goal(isForward: false, leaves: true, position: selected.range.lowerBound, selection: selected))
    }

    /// Whether idle moments have text to search.
    var isSearching: Bool {
        guard let results = find?.results, !results.isComplete else { return false }
        return results.finder.searchesInSlices || !textSearch.isRunning
    }

    /// Goes to a match: at once if it is known or near, otherwise when it is found.
    private func go(_ goal: NoteFind.Goal, isFirstTry: Bool = true) {
        guard let results = find?.results else { return revealCaret() }
        let buffer = editor.buffer
        let left = goal.leaves ? goal.selection.range : nil
        let answer =
            goal.isForward
            ? results.next(from: goal.position, in: buffer, leaving: left, lookingNear: isFirstTry)
            : results.previous(before: goal.position, in: buffer, leaving: left, lookingNear: isFirstTry)
        find?.goal = nil
        switch answer {
        case .match(let match): editor.select(goal.selects ? Selection(match) : Selection(match.lowerBound))
        case .nowhere: break
        case .unknown: find?.goal = goal
        }
        revealCaret()
    }

    /// Continues the search: for a plain text in an idle moment, otherwise in the background on a snapshot.
    func continueSearch() {
        guard let results = find?.results, !results.isComplete else { return }
        guard !results.finder.searchesInSlices else {
            _ = find?.results?.advance(in: editor.buffer)
            return goToGoal()
        }
        guard !textSearch.isRunning else { return }
        searchAtOnce()
        if find?.results?.isComplete == true { return goToGoal() }
        let snapshot = editor.buffer
        // Matches found before an edit stay visible until the new search is complete.
        let showsParts = results.matches.isEmpty
        textSearch.run { budget, tell in
            results.searched(in: snapshot, budget: budget) { if showsParts { tell($0) } }
        } deliver: { [weak self] found, _ in
            guard let self else { return }
            find?.results = found
            goToGoal()
            revision += 1
        }
    }

    private func goToGoal() {
        guard let goal = find?.goal else { return }
        guard goal.selection == editor.selection else {
            find?.goal = nil
            return
        }
        go(goal, isFirstTry: false)
    }

    /// Updates the matches after an edit.
    func followFind(_ edit: Edit) {
        guard find != nil else { return }
        find?.results?.update(edit, in: editor.buffer)
        find?.goal = nil
        if let find { self.find?.origin = edit.map(find.origin) }
        if find?.results?.finder.searchesInSlices == false { textSearch.cancel() }
    }

    // MARK: Replacing

    /// Replaces the selected match and goes to the next one.
    ///
    /// - Parameter failed: receives the reason if nothing could be replaced.
    public func replaceMatch(
        with template: String, failed: @escaping @MainActor @Sendable (ReplaceOutcome) -> Void = { _ in }
    ) {
        guard let finder = find?.results?.finder else { return }
        let range = editor.selection.range
        search { snapshot, budget throws(FindError) in
            try finder.replacing(range, in: snapshot, with: template, budget: budget).map { [$0] } ?? []
        } then: { [weak self] found in
            guard let self else { return }
            switch found {
            case .success(let edits):
                if let edit = edits.first, let new = edit.newRange {
                    change { $0.apply(edit, selection: Selection(new.upperBound)) }
                    searchAtOnce()
                }
                findNext()
            case .failure(let outcome): failed(outcome)
            }
        }
    }

    /// Replaces all matches as one step of undo.
    ///
    /// - Parameter finished: receives the outcome, at once if the text is short.
    public func replaceAllMatches(
        with template: String, finished: @escaping @MainActor @Sendable (ReplaceOutcome) -> Void
    ) {
        guard let finder = find?.results?.finder else { return finished(.replaced(0)) }
        search { snapshot, budget throws(FindError) in
            try finder.replacements(in: snapshot, with: template, budget: budget)
        } then: { [weak self] found in
            switch found {
            case .success(let replacements):
                if !replacements.isEmpty {
                    self?.change { $0.apply(Edit(replacements)) }
                    self?.searchAtOnce()
                }
                finished(.replaced(replacements.count))
            case .failure(let outcome): finished(outcome)
            }
        }
    }

    private enum Searched<Found> {
        case success(Found)
        case failure(ReplaceOutcome)
    }

    /// Searches the current text: at once if that is quick, otherwise in the background.
    ///
    /// If the text has changed by the end of the search, `.changedMeanwhile` is delivered instead of the result.
    private func search<Found: Sendable>(
        _ body: @escaping @Sendable (TextBuffer, SearchBudget) throws(FindError) -> Found,
        then: @escaping @MainActor @Sendable (Searched<Found>) -> Void
    ) {
        let snapshot = editor.buffer
        let revision = editor.revision
        if snapshot.utf8Count <= Self.maximumImmediateLength {
            do throws(FindError) {
                return then(.success(try body(snapshot, .key)))
            } catch {
                guard Self.isSlow(error) else { return then(.failure(.failed(error))) }
            }
        }
        guard !replaceSearch.isRunning else { return }
        replaceSearch.run { budget, _ in
            Result { () throws(FindError) in try body(snapshot, budget) }
        } deliver: { [weak self] (found: Result<Found, FindError>, _) in
            guard let self else { return }
            switch found {
            case .failure(let error): then(.failure(.failed(error)))
            case .success(let found):
                then(editor.revision == revision ? .success(found) : .failure(.changedMeanwhile))
            }
        }
        self.revision += 1
    }

    /// Ends the search.
    ///
    /// - Parameter puttingBack: whether to restore the selection from when the search began.
    public func endFind(puttingBack: Bool) {
        textSearch.cancel()
        replaceSearch.cancel()
        if puttingBack, let find { editor.select(find.origin) }
        find = nil
        revealCaret()
    }

    // MARK: State

    /// The state of the search, in a few words.
    ///
    /// It is `3 of 12`, `no match`, `12+` while the text is still being searched, `searching` while the next match is
    /// not known, or why the search was stopped.
    public var findSummary: String {
        _ = revision
        guard let find, find.hits != nil || find.query?.pattern.isEmpty == false else { return "" }
        guard let results = find.results else { return Texts.invalidRegex }
        if let problem = results.problem { return Sentence.of(problem) }
        if find.goal != nil { return Texts.searching }
        let count = results.matches.count
        if count == 0 {
            return results.isComplete ? Texts.noMatch : results.finder.searchesInSlices ? "" : Texts.searching
        }
        let total = results.isComplete && !results.isCut ? "\(count)" : "\(count)+"
        guard let index = results.index(from: editor.selection.range.lowerBound),
            results.matches[index] == editor.selection.range
        else { return total }
        return Texts.match(index + 1, of: total)
    }

    /// Returns the reason why a template cannot replace matches; nil if it can.
    public func problem(ofTemplate template: String) -> String? {
        do throws(FindError) {
            try find?.results?.finder.check(template: template)
            return nil
        } catch {
            return Sentence.of(error)
        }
    }

    /// The processor time allowed for one search of the text.
    public var searchTimeLimit: Duration {
        get { textSearch.computing }
        set { (textSearch.computing, replaceSearch.computing) = (newValue, newValue) }
    }

    /// Whether there is a search.
    public var isFinding: Bool { find != nil }

    /// The matches that touch a range of the text.
    public func matches(in range: Range<ByteOffset>) -> ArraySlice<Range<ByteOffset>> {
        find?.results?.matches(in: range) ?? []
    }
}
