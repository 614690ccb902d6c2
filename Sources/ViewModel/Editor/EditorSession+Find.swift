import TextEditing

/// A search inside of the open text.
struct NoteFind {
    /// A match to be selected once the text has been searched as far.
    struct Goal {
        var isForward: Bool
        /// Whether the match that is selected is left for another.
        var leaves = false
        /// Whether the match is to be selected, not only to have the caret before it.
        var selects = true
        /// Where it is looked for from.
        var place: ByteOffset
        /// The selection when it was asked for: where there is another, the user has gone on.
        var selection: Selection
    }

    /// Nil where the matches are those of a search through all notes.
    var query: FindQuery?
    /// What that search was for.
    var hits: String?
    /// The matches, kept true through edits; nil when the query cannot be looked for.
    var results: FindResults?
    /// Where the search began, for leaving it to put back.
    var origin: Selection
    var goal: Goal?
}

/// What came of replacing.
public enum ReplaceOutcome: Equatable, Sendable {
    /// So many matches were replaced.
    case replaced(Int)
    /// Nothing was, for this reason.
    case failed(FindError)
    /// Nothing was: the text was changed while the matches were looked for.
    case changedMeanwhile
}

/// Find and replace in the note.
///
/// However long the text is, a key searches a few milliseconds' worth of it at most. A plain text is looked for on in
/// idle moments, an expression on a snapshot behind the main actor; a match that is found then is gone to if the user is
/// still waiting for it.
extension EditorSession {
    /// Begins a search, or changes what is looked for: the first match from where it began is selected.
    public func find(_ query: FindQuery) {
        let origin = isShowingHits ? editor.selection : find?.origin ?? editor.selection
        begin(try? TextFinder(query), query, from: origin)  // half-typed, it finds nothing yet; the summary says so
        editor.select(origin)
        go(NoteFind.Goal(isForward: true, place: origin.range.lowerBound, selection: origin))
    }

    /// Takes up a search again without moving anything.
    public func resumeFind(_ query: FindQuery) {
        guard find?.query != query else { return }
        begin(try? TextFinder(query), query, from: editor.selection)  // as above
    }

    /// Shows the matches of a search through all notes, with the caret before the one that the search has shown.
    ///
    /// Nothing is selected, so that nothing is replaced by what is typed next.
    ///
    /// - Parameters:
    ///   - byte: where that match is; the first one where it is nil.
    func show(hits finder: TextFinder, at byte: Int?) {
        guard find?.hits != finder.query.pattern else { return }
        begin(finder, nil, from: editor.selection)
        find?.hits = finder.query.pattern
        if let byte {
            editor.select(Selection(editor.buffer.characterBoundary(atOrBefore: ByteOffset(byte))))
            revealCaret()
        } else {
            go(NoteFind.Goal(isForward: true, selects: false, place: 0, selection: editor.selection))
        }
    }

    /// Shows the matches of a search through all notes no longer.
    func hideHits() {
        if isShowingHits { endFind(puttingBack: false) }
    }

    /// Whether the matches of a search through all notes are shown.
    public var isShowingHits: Bool { find?.hits != nil }

    private func begin(_ finder: TextFinder?, _ query: FindQuery?, from origin: Selection) {
        textSearch.cancel()
        find = NoteFind(query: query, results: finder.map { FindResults($0) }, origin: origin)
        searchAtOnce()
        if isSearching { hasMoreToRead() }
    }

    /// Bytes of a text in which an expression is looked for while a key waits.
    private static let longestAtOnce = 32 << 10

    /// Searches what a key may wait for.
    private func searchAtOnce() {
        guard let results = find?.results else { return }
        if results.finder.isWindowed {
            _ = find?.results?.advance(in: editor.buffer)
        } else if editor.buffer.utf8Count <= Self.longestAtOnce {
            let found = results.searched(in: editor.buffer, budget: .key)
            if !Self.isSlow(found.problem) { find?.results = found }
        }
    }

    /// Whether a search that was to be quick is to be made with more time.
    private static func isSlow(_ problem: FindError?) -> Bool {
        if case .tooSlow = problem { return true }
        return false
    }

    public func findNext() {
        let selected = editor.selection
        var goal = NoteFind.Goal(
            isForward: true, leaves: true, place: selected.range.upperBound, selection: selected)
        // The caret stands before the match that the search through all notes has shown.
        if isShowingHits, selected.isEmpty, let results = find?.results,
            let match = results.index(from: goal.place).map({ results.matches[$0] }), match.lowerBound == goal.place
        {
            goal.place = match.upperBound
        }
        go(goal)
    }

    public func findPrevious() {
        let selected = editor.selection
        go(NoteFind.Goal(isForward: false, leaves: true, place: selected.range.lowerBound, selection: selected))
    }

    /// Whether there is text that idle moments are to search.
    var isSearching: Bool {
        guard let results = find?.results, !results.isComplete else { return false }
        return results.finder.isWindowed || !textSearch.isRunning
    }

    /// Goes to a match; at once if it is known or near, else when it is found.
    private func go(_ goal: NoteFind.Goal, isFirstTry: Bool = true) {
        guard let results = find?.results else { return revealCaret() }
        let buffer = editor.buffer
        let left = goal.leaves ? goal.selection.range : nil
        let answer =
            goal.isForward
            ? results.next(from: goal.place, in: buffer, leaving: left, lookingNear: isFirstTry)
            : results.previous(before: goal.place, in: buffer, leaving: left, lookingNear: isFirstTry)
        find?.goal = nil
        switch answer {
        case .match(let match): editor.select(goal.selects ? Selection(match) : Selection(match.lowerBound))
        case .nowhere: break
        case .unknown: find?.goal = goal
        }
        revealCaret()
    }

    /// Searches on: a plain text for an idle moment, anything else on a snapshot elsewhere.
    func searchOn() {
        guard let results = find?.results, !results.isComplete else { return }
        guard !results.finder.isWindowed else {
            _ = find?.results?.advance(in: editor.buffer)
            return goToGoal()
        }
        guard !textSearch.isRunning else { return }
        searchAtOnce()
        if find?.results?.isComplete == true { return goToGoal() }
        let snapshot = editor.buffer
        // What was found before an edit stays in sight until all is found anew.
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

    /// Brings the matches in line with an edit.
    func followFind(_ edit: Edit) {
        guard find != nil else { return }
        find?.results?.update(edit, in: editor.buffer)
        find?.goal = nil
        if let find { self.find?.origin = edit.map(find.origin) }
        if find?.results?.finder.isWindowed == false { textSearch.cancel() }
    }

    // MARK: Replacing

    /// Replaces the selected match and goes to the next.
    ///
    /// - Parameter failed: told why nothing could be replaced.
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
    /// - Parameter finished: told what came of it, at once where the text is short.
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

    /// Searches the text as it is now: at once where that is quick, else elsewhere; what is found for a text that has
    /// been changed since is not delivered.
    private func search<Found: Sendable>(
        _ body: @escaping @Sendable (TextBuffer, SearchBudget) throws(FindError) -> Found,
        then: @escaping @MainActor @Sendable (Searched<Found>) -> Void
    ) {
        let snapshot = editor.buffer
        let revision = editor.revision
        if snapshot.utf8Count <= Self.longestAtOnce {
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
    /// - Parameter puttingBack: whether the selection goes back to where the search began.
    public func endFind(puttingBack: Bool) {
        textSearch.cancel()
        replaceSearch.cancel()
        if puttingBack, let find { editor.select(find.origin) }
        find = nil
        revealCaret()
    }

    // MARK: What is seen

    /// Where the search stands: `3 of 12`, `no match`, `12+` while the text is still being read, `searching` while no
    /// match is known to go to, or why it was stopped.
    public var findSummary: String {
        _ = revision
        guard let find, find.hits != nil || find.query?.pattern.isEmpty == false else { return "" }
        guard let results = find.results else { return Texts.invalidRegex }
        if let problem = results.problem { return Sentence.of(problem) }
        if find.goal != nil { return Texts.searching }
        let count = results.matches.count
        if count == 0 { return results.isComplete ? Texts.noMatch : results.finder.isWindowed ? "" : Texts.searching }
        let total = results.isComplete && !results.isCut ? "\(count)" : "\(count)+"
        guard let index = results.index(from: editor.selection.range.lowerBound),
            results.matches[index] == editor.selection.range
        else { return total }
        return Texts.match(index + 1, of: total)
    }

    /// Why a template cannot take the place of matches; nil where it can.
    public func problem(ofTemplate template: String) -> String? {
        do throws(FindError) {
            try find?.results?.finder.check(template: template)
            return nil
        } catch {
            return Sentence.of(error)
        }
    }

    /// Time that the processor may work on one search of the text.
    public var longestSearch: Duration {
        get { textSearch.computing }
        set { (textSearch.computing, replaceSearch.computing) = (newValue, newValue) }
    }

    /// Whether something is looked for.
    public var isFinding: Bool { find != nil }

    /// The matches that touch a part of the text.
    public func matches(in range: Range<ByteOffset>) -> ArraySlice<Range<ByteOffset>> {
        find?.results?.matches(in: range) ?? []
    }
}
