/// What kind of change an edit is: changes of one kind that follow each other become one undo step.
public enum EditKind: String, Hashable, Codable, Sendable {
    /// Typed text.
    case typing
    /// Deleting backwards or forwards, a character at a time.
    case deleting
    /// Pasted text; always a step of its own.
    case paste
    /// Any other command; always a step of its own.
    case command
    /// A change that somebody else made, such as a merge: no step of the user's, who does not undo it.
    ///
    /// In histories that were kept by an earlier version it may be a step of its own.
    case external
}

/// The steps that can be undone and redone, within a budget of memory.
///
/// A value that can be stored and read again; it fits the text that it was made with and no other.
public struct UndoHistory: Codable, Sendable {
    /// One step: an edit and the selections around it.
    struct Step: Hashable, Codable, Sendable {
        var edit: Edit
        var before: Selection
        var after: Selection
        var kind: EditKind
    }

    /// Steps done, oldest first.
    var done: [Step] = []
    /// Steps undone, the next to redo last.
    var undone: [Step] = []
    /// Whether the next edit may join the last step.
    var isOpen = false
    /// When the last step was last added to.
    var lastChange: Duration = .zero
    /// What is recorded goes into one step while a group is held open; nil while none is.
    var group: Group?
    /// Bytes that the steps cost now.
    var cost = 0
    /// Bytes that the steps may cost; the oldest go first.
    public var budget: Int

    /// A step of any number of edits.
    enum Group: Sendable {
        /// Nothing was recorded yet; where the selection was.
        case empty(before: Selection)
        case begun
    }

    /// What is stored: a step that was open is closed by storing it.
    private enum CodingKeys: String, CodingKey {
        case done, undone, cost, budget
    }

    /// A pause in typing that ends an undo step: long enough for slow typing, short enough to part two thoughts.
    static let pause: Duration = .milliseconds(500)
    /// An empty history of at most `budget` bytes (8 MB unless told otherwise).
    public init(budget: Int = 8 << 20) { self.budget = budget }

    /// Whether there is a step to undo.
    public var canUndo: Bool { !done.isEmpty }
    /// Whether there is a step to redo.
    public var canRedo: Bool { !undone.isEmpty }

    /// The next edit begins a step of its own.
    public mutating func endStep() { isOpen = false }

    /// Notes an edit that was made; what was undone can no longer be redone.
    public mutating func record(
        _ edit: Edit, kind: EditKind, before: Selection, after: Selection, at now: Duration
    ) {
        guard !edit.isEmpty else { return }
        cost -= undone.reduce(0) { $0 + $1.edit.cost }
        undone = []
        if let group {
            if case .empty(let before) = group {
                done.append(Step(edit: edit, before: before, after: after, kind: .command))
                cost += edit.cost
                self.group = .begun
            } else {
                join(Step(edit: edit, before: before, after: after, kind: .command))
            }
            return shrink()
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

    /// Has all that is recorded up to `endGroup()` be one step, whatever kind it is of.
    mutating func beginGroup(at selection: Selection) {
        endStep()
        group = .empty(before: selection)
    }

    mutating func endGroup() {
        group = nil
        endStep()
    }

    /// Notes an edit that belongs to the last step, such as what follows from it by itself.
    mutating func amend(_ edit: Edit, after: Selection) {
        guard let last = done.last else {
            return record(edit, kind: .command, before: after, after: after, at: lastChange)
        }
        cost -= undone.reduce(0) { $0 + $1.edit.cost }
        undone = []
        join(Step(edit: edit, before: after, after: after, kind: last.kind))
        isOpen = false
        shrink()
    }

    /// The step to take back, now counted as undone.
    mutating func stepToUndo() -> Step? {
        endGroup()
        guard let step = done.popLast() else { return nil }
        undone.append(step)
        isOpen = false
        return step
    }

    /// The step to do again, now counted as done.
    mutating func stepToRedo() -> Step? {
        guard let step = undone.popLast() else { return nil }
        done.append(step)
        isOpen = false
        return step
    }

    private func joins(_ step: Step, _ last: Step, at now: Duration) -> Bool {
        guard isOpen, step.kind == last.kind, step.before == last.after, now - lastChange < UndoHistory.pause,
            step.edit.replacements.count == 1, last.edit.replacements.count == 1
        else { return false }
        let (new, old) = (step.edit.replacements[0], last.edit.replacements[0])
        switch step.kind {
        case .typing:
            if new.inserted.contains(where: \.isNewline) { return false }
            return !(new.inserted.first?.isWhitespace == false && UndoHistory.endsWord(old.inserted))
        case .deleting:
            return (new.start < old.start) == (old.start < last.before.head)
        case .paste, .command, .external:
            return false
        }
    }

    /// Whether a typed text has a word in it and is at its end past it: the next one begins a step.
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

    /// Forgets the oldest steps until the rest fits the budget; the newest one is kept whatever it costs.
    private mutating func shrink() {
        guard cost > budget else { return }
        // An eighth more than needed, so that a full history is not moved up at every key.
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
    /// The same as steps of a word each with the spaces behind it, when it is several words typed behind each other:
    /// keys that came at once, as over a slow line.
    fileprivate func words() -> [UndoHistory.Step] {
        guard kind == .typing, edit.replacements.count == 1 else { return [self] }
        let whole = edit.replacements[0]
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
    /// Past the first word and the spaces behind it, or past the spaces before it; nil for an empty text.
    fileprivate var endOfFirstWord: Index? {
        isEmpty ? nil : drop { !$0.isWhitespace }.drop(while: \.isWhitespace).startIndex
    }
}
