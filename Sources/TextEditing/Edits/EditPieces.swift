/// Edits in order, composed a few at a time, so that n edits need O(n log n) work instead of O(n²).
///
/// An edit waits until the edits after it have grown as large as it is, and is then composed with them.
struct EditPieces: Sendable {
    /// The edits, each larger than the one after it.
    private var pieces: [(edit: Edit, cost: Int)] = []
    /// The sum of the edits' costs at the time when each was added.
    private(set) var cost = 0
    /// The sum of the costs of all edits composed so far, which measures the work of composing.
    private(set) var work = 0

    var isEmpty: Bool { pieces.isEmpty }

    /// Adds an edit, which is based on the result of those before it.
    mutating func append(_ edit: Edit) {
        pieces.append((edit, edit.cost))
        cost += pieces[pieces.count - 1].cost
        while pieces.count > 1, pieces[pieces.count - 2].cost <= pieces[pieces.count - 1].cost { joinLast() }
    }

    /// Removes all edits and returns one with their effect.
    mutating func take() -> Edit {
        while pieces.count > 1 { joinLast() }
        cost = 0
        return pieces.popLast()?.edit ?? Edit()
    }

    private mutating func joinLast() {
        let next = pieces.removeLast()
        let last = pieces.removeLast()
        work += last.cost + next.cost
        let edit = last.edit.composed(with: next.edit)
        pieces.append((edit, edit.cost))
    }
}
