/// Rebasing of the user's undo steps over changes that somebody else makes to the text.
extension UndoHistory {
    /// Adapts all steps to an edit of the current text that is not the user's; adds no step.
    ///
    /// Undo then reverts the user's own last step and nothing of the edit. Text of a step that the edit has removed is
    /// not brought back by redo. O(steps x replacements of the edit); steps beyond `rebasingLimit` are dropped, the
    /// oldest first.
    mutating func rebase(over edit: Edit) {
        guard !edit.isEmpty, canUndo || canRedo else { return }
        joinGroup()
        isOpen = false
        var work = UndoHistory.rebasingLimit
        done = UndoHistory.rebased(done.reversed(), over: edit, isDone: true, &work)
        undone = UndoHistory.rebased(undone.reversed(), over: edit, isDone: false, &work)
        cost = (done + undone).reduce(0) { $0 + $1.edit.cost }
    }

    /// The most replacements of steps and edits that are processed: about a tenth of a second.
    private static let rebasingLimit = 200_000

    /// - Parameter steps: The steps, those nearest to the current text first.
    /// - Returns: The adapted steps, oldest first.
    private static func rebased(
        _ steps: some Sequence<Step>, over edit: Edit, isDone: Bool, _ work: inout Int
    ) -> [Step] {
        var edit = edit
        var result: [Step] = []
        for step in steps {
            work -= step.edit.replacements.count + edit.replacements.count
            guard work > 0 else { break }
            // The edit that leads away from the current text: the inverse of a step to undo, the step itself for one to
            // redo.
            let way = isDone ? step.edit.inverse : step.edit
            let moved = way.transformed(over: edit, tie: .before)
            let here = edit.map(isDone ? step.after : step.before)
            edit = edit.transformed(over: way, tie: .after)
            let there = edit.map(isDone ? step.before : step.after)
            // If a step without any effect were kept, undo would appear to do nothing.
            guard !moved.isEmpty else { continue }
            result.append(
                Step(
                    edit: isDone ? moved.inverse : moved, before: isDone ? there : here,
                    after: isDone ? here : there, kind: step.kind))
        }
        return result.reversed()
    }
}
