import Markdown
import TextEditing
import ViewModel

/// Finding in the preview.
extension PreviewPane {
    /// Searches the layout from the first visible line on.
    func find(_ query: FindQuery) {
        guard let layout else { return }
        look(for: query, in: layout, reveals: true)
    }

    /// Searches a layout: immediately if that is fast enough for a key, otherwise in the background.
    ///
    /// - Parameter reveals: whether to scroll to the first match.
    func look(for query: FindQuery, in layout: PreviewLayout, reveals: Bool) {
        background?.cancel()
        let search = PreviewSearch(query, in: layout, from: top)
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
