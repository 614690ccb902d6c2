/// The kind of an edit: consecutive changes of one kind become one undo step.
public enum EditKind: String, Hashable, Codable, Sendable {
    /// Typed text.
    case typing
    /// Text deleted backwards or forwards, a character at a time.
    case deleting
    /// Pasted text; always a separate step.
    case paste
    /// Any other command; always a separate step.
    case command
    /// A change that somebody else made, such as a merge: not a step that the user can undo.
    ///
    /// Histories stored by an earlier version may contain it as a step.
    case external
}

/// The steps that can be undone and redone, within a budget of memory.
///
/// The value can be stored and read again; it is valid only for the text that it was made with.
public struct UndoHistory: Codable, Sendable {
    /// One step: an edit and the selections around it.
    struct Step: Hashable, Codable, Sendable {
        var edit: Edit
        var before: Selection
        var after: Selection
        var kind: EditKind
    }

    /// The steps to undo, oldest first.
    var done: [Step] = []
    /// The steps to redo, the next one last.
    var undone: [Step] = []
    /// Whether the next edit may join the last step.
    var isOpen = false
    /// The time at which the last step last grew.
    var lastChange: Duration = .zero
    /// The open group, whose edits are recorded as one step; nil if none is open.
    var group: Group?
    /// The bytes that all steps take.
    var cost = 0
    /// The most bytes that the steps may take; the oldest steps are dropped first.
    public var budget: Int

    /// The state of a step made of any number of edits.
    enum Group: Sendable {
        /// The group has no edit yet; `before` is the selection at the start.
        case empty(before: Selection)
        /// The last step is the group's; these later edits of the group are still to be joined to it.
        case begun(EditPieces)
    }

    /// The stored properties; storing closes an open step.
    private enum CodingKeys: String, CodingKey {
        case done, undone, cost, budget
    }

    /// A pause in typing that ends an undo step: long enough for slow typing, short enough to separate two thoughts.
    static let pause: Duration = .milliseconds(500)
    /// Makes an empty history of at most `budget` bytes (8 MB by default).
    public init(budget: Int = 8 << 20) { self.budget = budget }

    /// Whether there is a step to undo.
    public var canUndo: Bool { !done.isEmpty }
    /// Whether there is a step to redo.
    public var canRedo: Bool { !undone.isEmpty }

    /// Makes the next edit begin a new step.
    public mutating func endStep() { isOpen = false }

    /// Records an edit that was made; undone steps can no longer be redone.
    public mutating func record(
        _ edit: Edit, kind: EditKind, before: Selection, after: Selection, at now: Duration
    ) {
        guard !edit.isEmpty else { return }
        cost -= undone.reduce(0) { $0 + $1.edit.cost }
        undone = []
        switch group {
        case .empty(let before):
            done.append(Step(edit: edit, before: before, after: after, kind: .command))
            cost += edit.cost
            group = .begun(EditPieces())
            return shrink()
        case .begun(var pieces):
            // The enumeration must not hold the pieces as well, or each edit would copy them.
            group = nil
            cost -= pieces.cost
            pieces.append(edit)
            cost += pieces.cost
            done[done.count - 1].after = after
            group = .begun(pieces)
            return shrink()
        case nil: break
        }
        for step in Step(edit: edit, before: before, after: after, kind: kind).words() { add(step, at: now) }
        shrink()
    }

    private mutating func add(_ step: Step, at now: Duration) {
        if let last = done.last, joins(step, last, at: now) {
            join(step)
        } else {
            done.append(step)
            cost += step.edit.cost
        }
        isOpen = step.kind == .typing || step.kind == .deleting
        lastChange = now
    }

    /// Begins a group: everything recorded up to `endGroup()` becomes one step, whatever its kind.
    mutating func beginGroup(at selection: Selection) {
        endStep()
        group = .empty(before: selection)
    }

    /// Makes the group a step even if nothing is recorded in it.
    mutating func touchGroup(after: Selection) {
        guard case .empty(let before) = group else { return }
        cost -= undone.reduce(0) { $0 + $1.edit.cost }
        undone = []
        done.append(Step(edit: Edit(), before: before, after: after, kind: .command))
        cost += done[done.count - 1].edit.cost
        group = .begun(EditPieces())
    }

    mutating func endGroup() {
        joinGroup()
        group = nil
        endStep()
    }

    /// Joins all edits of the open group to its step, so that the steps are complete; the group stays open.
    mutating func joinGroup() {
        guard case .begun(var pieces) = group, !pieces.isEmpty else { return }
        group = .begun(EditPieces())
        cost -= pieces.cost
        let selection = done[done.count - 1].after
        join(Step(edit: pieces.take(), before: selection, after: selection, kind: .command))
    }

    /// Adds an edit to the last step, for example an automatic consequence of it.
    mutating func amend(_ edit: Edit, after: Selection) {
        joinGroup()
        guard let last = done.last else {
            return record(edit, kind: .command, before: after, after: after, at: lastChange)
        }
        cost -= undone.reduce(0) { $0 + $1.edit.cost }
        undone = []
        join(Step(edit: edit, before: after, after: after, kind: last.kind))
        isOpen = false
        shrink()
    }

    /// Removes and returns the step to undo, and adds it to the undone steps.
    mutating func stepToUndo() -> Step? {
        endGroup()
        guard let step = done.popLast() else { return nil }
        undone.append(step)
        isOpen = false
        return step
    }

    /// Removes and returns the step to redo, and adds it to the done steps.
    mutating func stepToRedo() -> Step? {
        joinGroup()
        guard let step = undone.popLast() else { return nil }
        done.append(step)
        isOpen = false
        return step
    }

    private func joins(_ step: Step, _ last: Step, at now: Duration) -> Bool {
        guard isOpen, step.kind == last.kind, step.before == last.after, now - lastChange < UndoHistory.pause,
            step.edit.replacements.count == last.edit.replacements.count,
            let new = step.edit.replacements.first, let old = last.edit.replacements.first
        else { return false }
        // All carets have typed, or deleted, in the same way, so the first replacement is enough to decide.
        let hasSeveralCarets = step.edit.replacements.count > 1
        switch step.kind {
        case .typing:
            if new.inserted.contains(where: \.isNewline) { return false }
            return !(new.inserted.first?.isWhitespace == false && UndoHistory.endsWord(old.inserted))
        case .deleting:
            return hasSeveralCarets || (new.start < old.start) == (old.start < last.before.head)
        case .paste, .command, .external:
            return false
        }
    }

    /// Whether a typed text contains a word and the space after it, so that the next word begins a step.
    private static func endsWord(_ text: String) -> Bool {
        text.last?.isWhitespace == true && text.contains { !$0.isWhitespace }
    }

    private mutating func join(_ step: Step) {
        let last = done.count - 1
        cost -= done[last].edit.cost
        done[last].edit = done[last].edit.composed(with: step.edit)
        done[last].after = step.after
        cost += done[last].edit.cost
    }

    /// Drops the oldest steps until the others fit the budget; the newest step is always kept.
    private mutating func shrink() {
        guard cost > budget else { return }
        // Free an eighth more than needed, so that a full history is not shifted at every key.
        let goal = budget - budget / 8
        var count = 0
        while cost > goal, count < done.count - 1 {
            cost -= done[count].edit.cost
            count += 1
        }
        done.removeFirst(count)
    }
}

extension UndoHistory.Step {
    /// The step divided into steps of one word with the spaces after it, if it typed several words.
    ///
    /// Several words arrive in one step if many keys arrive at once, as over a slow line.
    fileprivate func words() -> [UndoHistory.Step] {
        guard kind == .typing, edit.replacements.count == 1 else { return [self] }
        let whole = edit.replacements[0]
        // One key is no more than one word.
        guard whole.inserted.utf8.count > 1 else { return [self] }
        guard after == Selection(whole.start + whole.inserted.utf8.count) else { return [self] }
        var steps: [UndoHistory.Step] = []
        var (rest, start) = (whole.inserted[...], whole.start)
        while let end = rest.endOfFirstWord {
            let word = String(rest[..<end])
            let next = start + word.utf8.count
            let part = Edit.Replacement(start: start, removed: steps.isEmpty ? whole.removed : "", inserted: word)
            steps.append(
                UndoHistory.Step(
                    edit: Edit(part), before: steps.last?.after ?? before, after: Selection(next), kind: kind))
            (rest, start) = (rest[end...], next)
        }
        return steps.isEmpty ? [self] : steps
    }
}

extension Substring {
    /// The end of the first word and the spaces after it, or of the spaces before it; nil for an empty text.
    fileprivate var endOfFirstWord: Index? {
        isEmpty ? nil : drop { !$0.isWhitespace }.drop(while: \.isWhitespace).startIndex
    }
}
