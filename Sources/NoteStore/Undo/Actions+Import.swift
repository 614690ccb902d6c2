import Foundation

extension Notebook.Actions {
    /// Runs an import and records everything that it made as one action: undo moves it to Trash, redo restores it.
    ///
    /// Objects made before an error stay, so undo takes them back too.
    ///
    /// - Parameter body: runs the import, and records what it makes in the given value.
    /// - Throws: what `body` throws, or `StoreError` if the action cannot be recorded.
    public func recordingImport(_ body: (ImportRecord) throws -> Void) throws {
        let made = ImportRecord()
        do {
            try body(made)
        } catch {
            try? record(made)  // the error that ended the import is reported
            throw error
        }
        try record(made)
    }

    private func record(_ made: ImportRecord) throws(StoreError) {
        guard !made.notes.isEmpty || !made.containers.isEmpty else { return }
        try notebook.write { try $0.recordImport(of: made.notes, containers: made.containers) }
    }
}

/// The objects that an import has made and committed so far, known also if it ends in an error.
///
/// It is a class, because the import updates it while it runs; one thread uses it.
public final class ImportRecord {
    var notes: [NoteID] = []
    /// Folders, projects and tags, parents before their contents.
    var containers: [ContainerID] = []

    public init() {}
}

/// Notes that an action made: they are too many to store a state of each, and none existed before.
struct MadeNotes: Codable, Equatable {
    var notes: [NoteID]
    /// Whether the notes are in the notebook after the action, rather than in Trash.
    var areThere = true

    var reversed: MadeNotes { MadeNotes(notes: notes, areThere: !areThere) }
}

extension Transaction {
    /// Moves notes that an action made to Trash, or back out of it; those already there stay.
    func apply(_ made: MadeNotes) throws {
        for id in made.notes {
            // The note may have been deleted for ever.
            guard let row = try row("\(NoteHead.selection) WHERE uuid = ?", [id.description]) else { continue }
            let head = NoteHead(row)
            guard made.areThere == (head.place == .trash) else { continue }
            change.notes?.insert(id)
            if made.areThere { _ = try putBack(head) } else { try putAway(head, into: SystemKey.trash) }
        }
        change.containers = true
    }
}
