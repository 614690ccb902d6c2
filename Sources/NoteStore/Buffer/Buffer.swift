import Foundation
import GRDB

extension Notebook.Buffer {
    /// Takes notes out of their folders until they are pasted.
    ///
    /// - Parameter owner: the session that cut them; once it has ended, they go back to where they came from.
    public func cut(_ ids: [NoteID], owner: String) throws(StoreError) {
        try notebook.act(.cut, notes: ids) { transaction in
            for id in ids {
                let head = try transaction.changeableHead(id)
                if head.place != .buffer { try transaction.putAway(head, into: SystemKey.buffer, owner: owner) }
            }
        }
    }

    /// Returns the notes that a session has cut, in the order in which they were cut.
    public func notes(of owner: String) throws(StoreError) -> [NoteRow] {
        try notebook.read { db in try NoteRow.fetch(db, Self.ofOwner, [owner]) }
    }

    /// The condition for the notes that a session has cut, in the order in which they were cut.
    private static let ofOwner = "WHERE note.owner = ? AND note.place = 3 ORDER BY note.movedDate, note.id"

    /// Pastes the notes that a session has cut into a folder, and copies of other notes, as one action.
    ///
    /// With a tag the cut notes go back where they came from and get the tag, and the others get it instead of being
    /// copied.
    ///
    /// Returns the notes pasted.
    @discardableResult
    public func paste(
        into target: ContainerID, owner: String, copying copied: [NoteID] = []
    ) throws(StoreError) -> [NoteRow] {
        try notebook.write { transaction in
            // Read here, since another program may move one of them before this one can write.
            let cut = try NoteRow.fetch(transaction.db, Self.ofOwner, [owner]).map(\.id)
            let target = try transaction.containerHead(target)
            guard target.kind == .tag || (target.holdsNotes && target.notePlace == .live) else {
                throw StoreError.cannotHoldNotes(container: target.name)
            }
            let tagged = target.kind == .tag ? copied : []
            let copies = try transaction.recorded(
                .paste, notes: cut + tagged, containers: [], made: { (copies: [NoteID]) in (copies, []) },
                {
                    for id in cut { try transaction.paste(transaction.head(id), into: target) }
                    for id in tagged { try transaction.addTag(target, toNote: id) }
                    return try tagged.isEmpty ? copied.map { try transaction.copy($0, to: target.id).id } : []
                })
            return try (cut + tagged + copies).map(transaction.noteRow)
        }
    }

    /// Moves the notes that a session has cut back where they came from.
    ///
    /// Returns all these notes, and those of them that it could not move back where they came from.
    @discardableResult
    public func putBack(owner: String) throws(StoreError) -> (notes: [NoteRow], elsewhere: [NoteRow]) {
        let ids = try notes(of: owner).map(\.id)
        return try notebook.act(.restore, notes: ids) { try $0.putBackFromBuffer(ids) }
    }

    /// Moves the notes of sessions that are gone back where they came from.
    ///
    /// Returns all these notes, and those of them that it could not move back where they came from.
    ///
    /// - Parameter alive: Returns the sessions that are running. It is called after the owners of the notes were read,
    ///   so that a session which begins meanwhile keeps the notes that it cuts.
    @discardableResult
    public func giveBack(
        exceptOwners alive: () throws(StoreError) -> Set<String>
    ) throws(StoreError) -> (notes: [NoteRow], elsewhere: [NoteRow]) {
        let cut = try notebook.read { db in
            try Row.fetchAll(db, sql: "SELECT uuid, owner FROM note WHERE folder = 6")
                .map { (note: NoteID(stored: $0[0]), owner: $0[1] as String?) }
        }
        if cut.isEmpty { return ([], []) }
        let running = try alive()
        let waiting = cut.filter { !running.contains($0.owner ?? "") }
        if waiting.isEmpty { return ([], []) }
        return try notebook.write { transaction in
            try transaction.putBackFromBuffer(
                waiting.filter { try transaction.isInBuffer($0.note, of: $0.owner) }.map(\.note))
        }
    }
}

extension Transaction {
    /// Whether a note is still cut by a session; another program may have moved it, or cut it anew.
    fileprivate func isInBuffer(_ note: NoteID, of owner: String?) throws -> Bool {
        guard let row = try row("SELECT owner FROM note WHERE uuid = ? AND place = 3", [note.description])
        else { return false }
        return row[0] as String? == owner
    }

    /// Moves notes back where they came from; returns them, and those that could not go there.
    fileprivate func putBackFromBuffer(_ ids: [NoteID]) throws -> (notes: [NoteRow], elsewhere: [NoteRow]) {
        var elsewhere: [NoteRow] = []
        for id in ids {
            let head = try head(id)
            // Another program may have moved it meanwhile.
            guard head.place == .buffer else { continue }
            if try putBack(head) { elsewhere.append(try noteRow(id)) }
        }
        return (try ids.map(noteRow), elsewhere)
    }

    fileprivate func paste(_ head: NoteHead, into target: ContainerHead) throws {
        if target.kind == .tag {
            _ = try putBack(head)
            try addTag(target, to: head.key)
            return try touch(head.key)
        }
        // A note that returns to its folder was not moved.
        try move(head, to: target, touching: target.key != head.origin)
        try forgetOrigin(head.key)
    }

    func forgetOrigin(_ note: Int64) throws {
        try run(
            """
            UPDATE note SET origin = NULL, originPath = NULL, originPlace = 0, movedDate = NULL, owner = NULL
            WHERE id = ?
            """, [note])
    }
}
