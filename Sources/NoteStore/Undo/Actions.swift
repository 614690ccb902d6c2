import Foundation
import GRDB

extension Notebook {
    /// The maximum number of actions that can be undone.
    static let actionLimit = Bounds.actions

    /// Runs one action of the user and records what undo needs.
    @discardableResult
    func act<T>(
        _ kind: ActionSummary.Kind, notes: [NoteID] = [], containers: [ContainerID] = [], withTexts: Bool = false,
        _ body: (Transaction) throws -> T
    ) throws(StoreError) -> T {
        try write { transaction in
            try transaction.recorded(kind, notes: notes, containers: containers, withTexts: withTexts) {
                try body(transaction)
            }
        }
    }
}

extension Notebook.Actions {
    /// Undoes an action of this program, or the last one; `nil` if there is none.
    ///
    /// The program's own last action comes first, unless others have since changed the same aspect of an object.
    ///
    /// - Parameters:
    ///   - asked: The action that the user was asked about; nothing is undone if it is not the next one any more.
    ///   - owner: The session that then owns the notes which are cut again; without one they stay where they are.
    /// - Throws: `StoreError.damagedAction` if the action's record is damaged; the next call undoes the one before.
    @discardableResult
    public func undo(_ asked: ActionSummary? = nil, owner: String? = nil) throws(StoreError) -> ActionSummary? {
        let undone = try retrace { transaction in
            transaction.owner = owner
            guard let action = try StoredAction.toUndo(transaction.db, by: notebook.actor),
                asked == nil || asked?.id == action.row["id"]
            else { return nil }
            return try transaction.apply(action, undone: true, by: notebook.actor)
        }
        if let undone { notebook.undoneHere.withLock { $0.append(undone.id) } }
        return undone
    }

    /// Redoes the action that this program has undone last, or else the one of its own that was undone last, or one of
    /// others; `nil` if there is none.
    ///
    /// - Parameter owner: The session that then owns the notes which are cut again; without one they stay where they are.
    @discardableResult
    public func redo(owner: String? = nil) throws(StoreError) -> ActionSummary? {
        let redone = try retrace { transaction in
            transaction.owner = owner
            guard let action = try toRedo(transaction.db) else { return nil }
            return try transaction.apply(action, undone: false, by: notebook.actor)
        }
        if let redone { notebook.undoneHere.withLock { ids in ids.removeAll { $0 == redone.id } } }
        return redone
    }

    private func toRedo(_ db: Database) throws -> StoredAction? {
        try StoredAction.toRedo(db, by: notebook.actor, undoneHere: notebook.undoneHere.withLock { $0 })
    }

    /// Returns the action that `undo()` would undo, unless its record is damaged, which `undo()` reports.
    public func nextUndo() throws(StoreError) -> ActionSummary? {
        try next { try StoredAction.toUndo($0, by: notebook.actor) }
    }

    /// Returns the action that `redo()` would redo, unless its record is damaged, which `redo()` reports.
    public func nextRedo() throws(StoreError) -> ActionSummary? { try next(toRedo) }

    private func next(_ find: (Database) throws -> StoredAction?) throws(StoreError) -> ActionSummary? {
        try notebook.read { db in
            do {
                return try find(db).map { try ActionSummary($0, for: notebook.actor, in: db) }
            } catch is DamagedAction {
                return nil
            }
        }
    }

    /// Undoes or redoes an action in one transaction.
    ///
    /// An action whose record is damaged is removed, since it would keep all others from being undone, and reported.
    private func retrace(_ body: (Transaction) throws -> ActionSummary?) throws(StoreError) -> ActionSummary? {
        var damaged: DamagedAction?
        let summary = try notebook.write { transaction -> ActionSummary? in
            do {
                return try body(transaction)
            } catch let error as DamagedAction {
                try transaction.run("DELETE FROM action WHERE id = ?", [error.id])
                damaged = error
                return nil
            }
        }
        if let damaged { throw .damagedAction(subject: damaged.subject) }
        return summary
    }
}

/// An action whose record of what it changed cannot be read.
private struct DamagedAction: Error {
    let id: Int64
    let subject: String
}

/// An action as it is stored.
private struct StoredAction {
    let row: Row
    let changes: ActionChanges

    init(_ row: Row) throws(DamagedAction) {
        self.row = row
        do { changes = try ActionChanges(json: row["changes"]) } catch {
            throw DamagedAction(id: row["id"], subject: row["subject"])
        }
    }

    /// Returns the last action of `actor`, or an action of others that must be undone before it; without any of
    /// `actor`, the last action of all.
    ///
    /// An action must be undone before an earlier one if both changed the same aspect of an object.
    static func toUndo(_ db: Database, by actor: String) throws -> StoredAction? {
        let own = try Int64.fetchOne(
            db, sql: "SELECT max(id) FROM action WHERE undone = 0 AND \(isBy)", arguments: [actor])
        guard let own else {
            let newest = "SELECT * FROM action WHERE undone = 0 ORDER BY id DESC LIMIT 1"
            return try Row.fetchOne(db, sql: newest).map(StoredAction.init)
        }
        let rows = try Row.fetchCursor(
            db, sql: "SELECT * FROM action WHERE undone = 0 AND id >= ? ORDER BY id", arguments: [own])
        var last: StoredAction?
        var touched: Set<String> = []
        while let row = try rows.next() {
            let action = try StoredAction(row.copy())
            let aspects = action.changes.aspects
            guard last == nil || !touched.isDisjoint(with: aspects) else { continue }
            last = action
            touched.formUnion(aspects)
        }
        return last
    }

    /// The last of the actions that this program has undone; without any that is still undone, the first undone action
    /// of `actor`, which was undone last, or the first of all.
    static func toRedo(_ db: Database, by actor: String, undoneHere: [Int64]) throws -> StoredAction? {
        let known = "SELECT * FROM action WHERE id = ? AND undone = 1"
        for id in undoneHere.reversed() {
            if let row = try Row.fetchOne(db, sql: known, arguments: [id]) { return try StoredAction(row) }
        }
        return try Row.fetchOne(
            db, sql: "SELECT * FROM action WHERE undone = 1 ORDER BY \(isBy) DESC, id LIMIT 1", arguments: [actor]
        ).map(StoredAction.init)
    }

    /// The condition that an action was done by a program; SQLite reads the program without all that it changed.
    ///
    /// If its record is damaged, no program counts as the one that did it.
    private static let isBy =
        "CASE WHEN json_valid(changes) THEN ifnull(json_extract(changes, '$.actor') = ?, 0) ELSE 0 END"
}

extension ActionSummary {
    fileprivate init(_ action: StoredAction, for actor: String, in db: Database) throws {
        let (row, changes) = (action.row, action.changes)
        id = row["id"]
        let isTag = changes.containers.first.flatMap { $0.before ?? $0.after }?.kind == .tag
        let kind = Kind(rawValue: row["kind"]) ?? .move
        self.kind = kind == .renameFolder && isTag ? .renameTag : kind
        let notes = changes.notes.compactMap { $0.before?.id ?? $0.after?.id }
        // A note gets its title by what is typed after it was made.
        let made = kind == .addNote ? notes.first?.description : nil
        let title = try String.fetchOne(db, sql: "SELECT title FROM note WHERE uuid = ?", arguments: [made])
        subject = title ?? row["subject"]
        count = row["count"]
        date = Date(milliseconds: row["date"])
        self.notes = notes
        containers = changes.containers.compactMap { $0.before?.id ?? $0.after?.id }
        isOwn = changes.actor == actor
    }
}

extension ActionChanges {
    init(json: String) throws { self = try JSONDecoder().decode(ActionChanges.self, from: Data(json.utf8)) }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension Transaction {
    /// Runs `body` and stores the states of these notes and containers before and after it.
    ///
    /// Notes and containers that `body` makes are recorded if `made` names them.
    func recorded<T>(
        _ kind: ActionSummary.Kind, notes: [NoteID], containers: [ContainerID], withTexts: Bool = false,
        made: (T) -> (notes: [NoteID], containers: [ContainerID]) = { _ in ([], []) }, _ body: () throws -> T
    ) throws -> T {
        let notesBefore = try notes.map { try state(of: $0, withText: withTexts) }
        let containersBefore = try containers.map { try state(of: $0) }
        let result = try body()
        var changes = ActionChanges()
        for (id, before) in zip(notes, notesBefore) {
            changes.notes.append(StateChange(before: before, after: try state(of: id, withText: withTexts)))
        }
        for (id, before) in zip(containers, containersBefore) {
            changes.containers.append(StateChange(before: before, after: try state(of: id)))
        }
        let made = made(result)
        for id in made.notes { changes.notes.append(StateChange(before: nil, after: try state(of: id))) }
        for id in made.containers { changes.containers.append(StateChange(before: nil, after: try state(of: id))) }
        changes.notes.removeAll(where: \.isNone)
        changes.containers.removeAll(where: \.isNone)
        if !changes.isEmpty { try store(kind, changes) }
        return result
    }

    /// Removes the action that made a note, so that undo does not name a note that was never used.
    func forgetMaking(of note: NoteID) throws {
        try run(
            """
            DELETE FROM action WHERE kind = ?
                AND CASE WHEN json_valid(changes) THEN json_extract(changes, '$.notes[0].after.id') = ? ELSE 0 END
            """,
            [ActionSummary.Kind.addNote.rawValue, note.description])
    }

    /// Records an action's change of a saved search, if there is one.
    func record(_ kind: ActionSummary.Kind, search change: StateChange<SavedSearch>) throws {
        if !change.isNone { try store(kind, ActionChanges(searches: [change])) }
    }

    /// Records what an import made, except for notes that are in Trash already.
    func recordImport(of notes: [NoteID], containers: [ContainerID]) throws {
        var changes = ActionChanges()
        for id in containers { changes.containers.append(StateChange(before: nil, after: try state(of: id))) }
        // Containers that were deleted for ever meanwhile have no state.
        changes.containers.removeAll(where: \.isNone)
        changes.made = MadeNotes(notes: try notesOutsideTrash(notes))
        try store(.importNotes, changes)
    }

    /// Returns those of the notes that are neither in Trash nor deleted; asked at once, since an import makes thousands.
    private func notesOutsideTrash(_ notes: [NoteID]) throws -> [NoteID] {
        let ids = String(decoding: try JSONEncoder().encode(notes.map(\.description)), as: UTF8.self)
        let gone = try rows(
            """
            SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM note WHERE uuid = value AND place <> 2)
            """, [ids])
        if gone.isEmpty { return notes }
        let left = Set(gone.map { NoteID(stored: $0[0]) })
        return notes.filter { !left.contains($0) }
    }

    private func store(_ kind: ActionSummary.Kind, _ changes: ActionChanges) throws {
        var changes = changes
        changes.actor = actor
        // After a new action nothing can be redone.
        try run("DELETE FROM action WHERE undone = 1")
        let note =
            try changes.notes.first.flatMap { $0.before ?? $0.after }?.title
            ?? changes.made?.notes.first.flatMap { try state(of: $0) }?.title
        let container = changes.containers.first.flatMap { $0.before ?? $0.after }?.name
        let search = changes.searches?.first.flatMap { $0.before ?? $0.after }?.name
        let subject = (changes.made == nil ? container ?? note : note ?? container) ?? search ?? ""
        let counts = [
            changes.made?.notes.count ?? 0, changes.containers.count,
            // The note that a merge makes does not count as a merged note.
            changes.notes.count { kind != .merge || $0.before != nil }, changes.searches?.count ?? 0,
        ]
        try run(
            "INSERT INTO action (date, kind, subject, count, changes) VALUES (?, ?, ?, ?, ?)",
            [
                now, kind.rawValue, subject, counts.first { $0 > 0 } ?? 0, try changes.json(),
            ])
        try run("DELETE FROM action WHERE id <= ?", [db.lastInsertedRowID - Int64(Notebook.actionLimit)])
    }

    /// Applies an action backwards (undo) or forwards (redo).
    fileprivate func apply(_ action: StoredAction, undone: Bool, by actor: String) throws -> ActionSummary {
        let (row, changes) = (action.row, action.changes)
        let wasThere = try isThere(anyOf: changes)
        try apply(undone ? changes.reversed : changes)
        try run("UPDATE action SET undone = ? WHERE id = ?", [undone, row["id"] as Int64])
        var summary = try ActionSummary(action, for: actor, in: db)
        // Undoing the making of a tag removes it; undoing its deletion makes it again.
        summary.isGone = try !wasThere && !isThere(anyOf: changes)
        return summary
    }

    /// Whether the notebook has any of the objects that an action changed.
    private func isThere(anyOf changes: ActionChanges) throws -> Bool {
        if changes.searches?.isEmpty == false { return true }
        let notes = changes.notes.compactMap { $0.before?.id ?? $0.after?.id } + (changes.made?.notes ?? [])
        for note in notes where try value("SELECT 1 FROM note WHERE uuid = ?", [note.description]) == 1 { return true }
        for container in changes.containers.compactMap({ $0.before?.id ?? $0.after?.id })
        where try value("SELECT 1 FROM container WHERE uuid = ?", [container.description]) == 1 { return true }
        return false
    }
}
