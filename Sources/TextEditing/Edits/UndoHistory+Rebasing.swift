/// Changes that somebody else makes of the text between one's own steps.
extension UndoHistory {
    /// Follows an edit of the present text that is not the user's: no step is added and none is lost, each is brought to
    /// stand on what the edit has made of the text.
    ///
    /// Undo then takes back one's own last step and nothing of the edit; what the edit has removed of a step does not come
    /// back by redo. O(steps x replacements of the edit), beyond `rebasingLimit` the oldest steps are forgotten.
    mutating func rebase(over edit: Edit) {
        guard !edit.isEmpty, canUndo || canRedo else { return }
        isOpen = false
        var work = UndoHistory.rebasingLimit
        done = UndoHistory.rebased(done.reversed(), over: edit, isDone: true, &work)
        undone = UndoHistory.rebased(undone.reversed(), over: edit, isDone: false, &work)
        cost = (done + undone).reduce(0) { $0 + $1.edit.cost }
    }

    /// Replacements of steps and edits that are brought together at most: about a tenth of a second.
    private static let rebasingLimit = 200_000

    /// - Parameter steps: those nearest to the present text first.
    /// - Returns: the same, oldest first.
    private static func rebased(
        _ steps: some Sequence<Step>, over edit: Edit, isDone: Bool, _ work: inout Int
    ) -> [Step] {
        var edit = edit
        var result: [Step] = []
        for step in steps {
            work -= step.edit.replacements.count + edit.replacements.count
            guard work > 0 else { break }
            // The way from the present text: back for what was done, on for what can be done again.
            let way = isDone ? step.edit.inverse : step.edit
            let moved = way.transformed(over: edit, tie: .before)
            let here = edit.map(isDone ? step.after : step.before)
            edit = edit.transformed(over: way, tie: .after)
            let there = edit.map(isDone ? step.before : step.after)
            // What the edit has made of no effect would be a key that does nothing.
            guard !moved.isEmpty else { continue }
            result.append(
                Step(
                    edit: isDone ? moved.inverse : moved, before: isDone ? there : here,
                    after: isDone ? here : there, kind: step.kind))
        }
        return result.reversed()
    }
}
