import NoteStore
import TextEditing

/// A note that holds the text which lost when two machines changed the same words.
public struct SyncConflict: Equatable, Sendable {
    public let copy: NoteRow
    /// The note whose words they are; nil if it is gone.
    public let original: NoteRow?

    public init(copy: NoteRow, original: NoteRow?) { (self.copy, self.original) = (copy, original) }
}

/// What becomes of a conflict.
public enum ConflictChoice: CaseIterable, Sendable {
    /// The note stays as it is; the losing text goes to Trash.
    case this
    /// The losing text becomes the note's; the present one is kept as a version.
    case that
    /// The lines of both stand in the note.
    case both
}

extension TakeNoteVM {
    /// The conflicts that nobody has settled, oldest first; empty if they cannot be read, which a notice says.
    public func conflicts() -> [SyncConflict] {
        var conflicts: [SyncConflict] = []
        attempt(Texts.Attempt.readConflicts) {
            conflicts = try notebook.sync.conflicts().map { copy in
                SyncConflict(copy: copy, original: try notebook.sync.original(ofConflict: copy.id))
            }
        }
        return conflicts
    }

    /// Compares the note with the losing text, which are long at times, in the background.
    ///
    /// - Parameter deliver: called on the main actor; its argument is nil if a text cannot be read.
    public func compare(
        _ conflict: SyncConflict, deliver: @escaping @MainActor @Sendable (TextDiff?) -> Void
    ) {
        let (notebook, original) = (notebook, conflict.original)
        inBackground {
            // Without both texts nothing is compared, which the list says.
            try? TextDiff(
                from: original.flatMap { try notebook.notes.text($0.id) } ?? "",
                to: notebook.notes.text(conflict.copy.id) ?? "")
        } then: {
            deliver($0)
        }
    }

    /// Settles a conflict here, and on the other machines with the next synchronisation.
    ///
    /// - Returns: whether it was done; else a notice says why.
    @discardableResult
    public func settle(_ conflict: SyncConflict, _ choice: ConflictChoice) -> Bool {
        attempt(Texts.Attempt.settleConflict) {
            saver.saveNow()
            // As it is now: it may have been deleted since the list was opened.
            guard let original = try conflict.original.flatMap({ try notebook.notes.row($0.id) }),
                original.place != .trash
            else {
                // There is nothing that it could be part of: it is a note like others.
                if choice == .this { try notebook.trash.add([conflict.copy.id]) }
                try notebook.sync.forgetConflict(conflict.copy.id)
                return try reload()
            }
            if choice != .this, let theirs = try notebook.notes.text(conflict.copy.id) {
                let ours = try notebook.notes.text(original.id) ?? ""
                let text = choice == .that ? theirs : ThreeWayMerge.union(ours, theirs)
                if text.utf8.elementsEqual(ours.utf8) == false {
                    try notebook.versions.keep(of: original.id)
                    _ = try notebook.notes.save(original.id, text: text, baseRevision: original.revision, base: ours)
                }
            }
            try notebook.trash.add([conflict.copy.id])
            try reload()
        }
    }
}
