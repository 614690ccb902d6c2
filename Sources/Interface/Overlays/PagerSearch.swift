import Terminal
import TextEditing

/// The search in a pager: the typed text, and the row with the match.
struct PagerSearch {
    /// The field while the text is typed; nil before and after.
    var field: LineField?
    /// The text searched for; empty before the first search.
    private(set) var text = ""
    /// The row with the match; nil if there is none.
    private(set) var row: Int?
    /// The first visible row when the search began.
    private var start = 0

    mutating func begin(at top: Int) {
        (field, start) = (LineField(), top)
    }

    /// Searches for the text of the field, beginning at the row that was first visible when the search began.
    mutating func typed(in rows: [String]) {
        text = field?.text ?? text
        row = nil
        if !text.isEmpty { find(in: rows, from: start, by: 1) }
    }

    /// Goes to the next or the previous match.
    mutating func goOn(in rows: [String], by step: Int, from top: Int) {
        guard !text.isEmpty else { return }
        find(in: rows, from: row.map { $0 + step } ?? top, by: step)
    }

    /// Searches all rows for the text, beginning at `first` and wrapping around at the ends.
    private mutating func find(in rows: [String], from first: Int, by step: Int) {
        guard !rows.isEmpty else { return }
        let wanted = text.foldedCharacters
        let candidates = rows.indices.lazy.map { (first + $0 * step + 2 * rows.count) % rows.count }
        row = candidates.first { rows[$0].foldedCharacters.contains(wanted) }
    }
}
