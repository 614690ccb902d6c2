import Foundation

extension Notebook.Actions {
    /// Runs an import and records all that it made as one action: undo moves it to Trash, redo brings it back.
    ///
    /// Folders and tags that are made meanwhile count as made by it.
    ///
    /// - Parameter body: gives the notes that it made.
    public func asOneImport(_ body: () throws -> [NoteID]) throws {
        let before = Set(try notebook.containers.all().map(\.id))
        let notes = try body()
        let made = try notebook.containers.all().map(\.id).filter { !before.contains($0) }
        guard !notes.isEmpty || !made.isEmpty else { return }
        try notebook.write { try $0.recordImport(of: notes, containers: made) }
    }
}

/// Notes that an action made: too many for a state of each, and none of them had one before.
struct MadeNotes: Codable, Equatable {
    var notes: [NoteID]
    /// Whether the notes are in the notebook after the action, rather than in Trash.
    var areThere = true

    var reversed: MadeNotes { MadeNotes(notes: notes, areThere: !areThere) }
}

extension Transaction {
    /// Puts notes that an action made into Trash, or back out of it; those that are there already stay.
    func apply(_ made: MadeNotes) throws {
        for id in made.notes {
            // Deleted for ever since.
            guard let row = try row("\(NoteHead.selection) WHERE uuid = ?", [id.description]) else { continue }
            let head = NoteHead(row)
            guard made.areThere == (head.place == .trash) else { continue }
            change.notes?.insert(id)
            if made.areThere { _ = try putBack(head) } else { try putAway(head, into: SystemKey.trash) }
        }
        change.containers = true
    }
}
