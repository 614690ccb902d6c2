import Terminal
import TextEditing

/// The search of a pager: the text that is typed, and the row that it was found in.
struct PagerSearch {
    /// The field while the text is typed; nil before and after.
    var field: LineField?
    /// The text searched for; empty before the first search.
    private(set) var text = ""
    /// The row with the match; nil if there is none.
    private(set) var row: Int?
    /// The first visible row before the text was typed.
    private var start = 0

    mutating func begin(at top: Int) {
        (field, start) = (LineField(), top)
    }

    /// Searches for the text of the field, from where the typing began.
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

    /// Looks for the text in all rows, from one on, and around their end.
    private mutating func find(in rows: [String], from first: Int, by step: Int) {
        guard !rows.isEmpty else { return }
        let wanted = text.foldedCharacters
        let candidates = rows.indices.lazy.map { (first + $0 * step + 2 * rows.count) % rows.count }
        row = candidates.first { rows[$0].foldedCharacters.contains(wanted) }
    }
}
