import NoteStore
import TextEditing

/// A note that holds the losing text, after two machines had changed the same words.
public struct SyncConflict: Equatable, Sendable {
    public let copy: NoteRow
    /// The note in which the other text won; nil if it is gone.
    public let original: NoteRow?

    public init(copy: NoteRow, original: NoteRow?) { (self.copy, self.original) = (copy, original) }
}

/// The ways to settle a conflict.
public enum ConflictChoice: CaseIterable, Sendable {
    /// The note stays as it is; the losing text goes to Trash.
    case this
    /// The losing text becomes the note's text; the current one is kept as a version.
    case that
    /// The note gets the lines of both texts.
    case both
}

extension TakeNoteVM {
    /// Returns the unsettled conflicts, oldest first; empty if they cannot be read, which a notice says.
    public func conflicts() -> [SyncConflict] {
        var conflicts: [SyncConflict] = []
        attempt(Texts.Attempt.readConflicts) {
            conflicts = try notebook.sync.conflicts().map { copy in
                SyncConflict(copy: copy, original: try notebook.sync.original(ofConflict: copy.id))
            }
        }
        return conflicts
    }

    /// Compares the note with the losing text in the background, since both may be long.
    ///
    /// - Parameter deliver: called on the main actor; its argument is nil if a text cannot be read.
    public func compare(
        _ conflict: SyncConflict, deliver: @escaping @MainActor @Sendable (TextDiff?) -> Void
    ) {
        let (notebook, original) = (notebook, conflict.original)
        inBackground {
            // If one of the texts cannot be read, nothing is compared, and the list says so.
            try? TextDiff(
                from: original.flatMap { try notebook.notes.text($0.id) } ?? "",
                to: notebook.notes.text(conflict.copy.id) ?? "")
        } then: {
            deliver($0)
        }
    }

    /// Settles a conflict here; the next synchronisation settles it on the other machines.
    ///
    /// If the note with the losing text is open, the other note is opened in its place. What was settled on another
    /// machine, after the list was read, stays as it was settled there.
    ///
    /// - Returns: whether it is settled; otherwise a notice says why not.
    @discardableResult
    public func settle(_ conflict: SyncConflict, _ choice: ConflictChoice) -> Bool {
        var winner: NoteRow?
        var wasSettled = false
        let isSettled = attempt(Texts.Attempt.settleConflict) {
            saver.saveNow()
            wasSettled = try !notebook.sync.conflicts().contains { $0.id == conflict.copy.id }
            guard !wasSettled else { return try reload() }
            // The note is read again, since it may have been deleted after the list was opened.
            winner = try conflict.original.flatMap { try notebook.notes.row($0.id) }
            if winner?.place == .trash { winner = nil }
            if let winner { try settle(conflict, choice, in: winner) } else { try keepAlone(conflict, choice) }
            try reload()
        }
        guard isSettled else { return false }
        guard !wasSettled else {
            say(Texts.settledMeanwhile((conflict.original ?? conflict.copy).title), kind: .refused)
            return true
        }
        if openNote?.id == conflict.copy.id {
            if let winner { show(winner) } else { openNext(from: [conflict.copy.id]) }
        }
        say(Texts.settled(choice, winner?.title, conflict.copy.title))
        return true
    }

    private func settle(_ conflict: SyncConflict, _ choice: ConflictChoice, in original: NoteRow) throws {
        guard choice != .this, let theirs = try notebook.notes.text(conflict.copy.id) else {
            return try notebook.trash.add([conflict.copy.id])
        }
        var replacement: Notebook.Notes.TextReplacement
        repeat {
            let ours = try notebook.notes.text(original.id) ?? ""
            replacement = .init(
                note: original.id, old: ours, new: choice == .that ? theirs : ThreeWayMerge.union(ours, theirs))
            // Another program may have changed the note after it was read.
        } while try !notebook.sync.settle(conflict.copy.id, by: replacement)
    }

    /// Makes the copy an ordinary note, since the original is gone, unless the user discards it.
    private func keepAlone(_ conflict: SyncConflict, _ choice: ConflictChoice) throws {
        if choice == .this { try notebook.trash.add([conflict.copy.id]) }
        try notebook.sync.forgetConflict(conflict.copy.id)
    }
}
