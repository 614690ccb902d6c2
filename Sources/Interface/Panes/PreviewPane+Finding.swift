import Markdown
import TextEditing
import ViewModel

/// Finding in the preview.
extension PreviewPane {
    /// Searches the layout from the first visible line on.
    func find(_ query: FindQuery) {
        guard let layout else { return }
        take(PreviewSearch(query, in: layout, from: top), reveals: true)
    }

    /// Marks the words of a search over all notes, unless something is searched for in this text.
    ///
    /// - Parameter finder: finds the words; nil if the text is not a hit.
    func mark(hits finder: TextFinder?) {
        if let search, search.isOfHits, search.query != finder?.query { endFind() }
        guard search == nil, let finder, let layout else { return }
        take(PreviewSearch(hits: finder, in: layout, from: top), reveals: false)
    }

    /// Shows the matches of a search, whose rest is searched in the background.
    ///
    /// - Parameter reveals: whether to scroll to the first match.
    func take(_ search: PreviewSearch, reveals: Bool) {
        background?.cancel()
        self.search = search
        guard let remaining = search.remaining, let background else {
            if reveals { revealMatch() }
            return
        }
        background.run { budget, _ in
            remaining(budget)
        } deliver: { [weak self] (found: FindResults, _) in
            guard let self else { return }
            self.search?.finish(found)
            if reveals { revealMatch() }
            searchEnded()
        }
    }

    private func revealMatch() {
        guard let line = search?.currentLine else { return }
        reveal(line)
        guard let line = layout?.lines[safe: line], let match = search?.currentBytes else { return }
        revealColumns(ofBytes: match, in: line)
    }

    /// Goes to the next or previous match, wrapping around at the ends.
    func findMatch(after step: Int) {
        search?.step(by: step)
        revealMatch()
    }

    func endFind() {
        background?.cancel()
        search = nil
    }
}
