import Foundation
import GRDB

/// The state of a note that undo can restore: everything except the creation date, and the text only where it changed.
struct NoteState: Codable, Equatable {
    let id: NoteID
    var title: String
    var defaultTitle: String
    var updatedDate: Int64
    var starred: Bool
    var folder: ContainerID?
    var place: Int
    var origin: ContainerID?
    var originPath: String?
    var originPlace: Int
    var movedDate: Int64?
    var owner: String?
    /// The tags that were set by hand; the others follow the text.
    var tags: [ContainerID]
    /// The position in lists sorted by hand; nil in actions stored before there were such lists.
    var sortOrder: Int64?
    /// The text, only if the action changed it.
    var text: String?
}

/// The state of a container that undo can restore.
struct ContainerState: Codable, Equatable {
    let id: ContainerID
    var kind: NoteContainer.Kind
    var name: String
    var parent: ContainerID?
    var createdDate: Int64
    var colorRGBA: Int64
    var symbol: String
    var sortOrder: Int64
    var role: NoteContainer.Role?
    var projectType: NoteContainer.ProjectType?
    var details: String
    var place: Int
    var origin: ContainerID?
    var originPath: String?
    var trashedDate: Int64?
    /// The notes that have a tag by hand; nil for other containers.
    var notes: [NoteID]?
}

/// The states of an object before and after an action; `nil` means that it did not exist.
struct StateChange<State: Codable & Equatable>: Codable {
    var before: State?
    var after: State?

    var isNone: Bool { before == after }
    var reversed: StateChange { StateChange(before: after, after: before) }
}

/// Everything that an action changed.
struct ActionChanges: Codable {
    var notes: [StateChange<NoteState>] = []
    var containers: [StateChange<ContainerState>] = []
    /// The changes of saved searches; nil in actions stored before searches could be saved.
    var searches: [StateChange<SavedSearch>]?
    /// The notes that an import made; nil in every other action.
    var made: MadeNotes?
    /// The program that did the action; nil in actions of earlier versions.
    var actor: String?

    /// The aspects of objects that the action changed, such as a note's title; actions without a common one can be undone
    /// in any order.
    ///
    /// Texts are left out, since undo merges a text with later changes.
    var aspects: Set<String> {
        var aspects = Set((made?.notes ?? []).map { "\($0) place" })
        for note in notes { aspects.formUnion(Self.aspects(of: note)) }
        for container in containers { aspects.formUnion(Self.aspects(of: container)) }
        for search in searches ?? [] { (search.before ?? search.after).map { _ = aspects.insert("\($0.id)") } }
        return aspects
    }

    private static func aspects(of note: StateChange<NoteState>) -> [String] {
        guard let before = note.before, let after = note.after else {
            return (note.before ?? note.after).map { ["\($0.id) place"] } ?? []
        }
        var changed: [String] = []
        if before.title != after.title { changed.append("title") }
        if before.starred != after.starred { changed.append("star") }
        if before.folder != after.folder || before.place != after.place { changed.append("place") }
        if before.sortOrder != after.sortOrder { changed.append("order") }
        changed += Set(before.tags).symmetricDifference(after.tags).map(\.description)
        return changed.map { "\(after.id) \($0)" }
    }

    private static func aspects(of container: StateChange<ContainerState>) -> [String] {
        guard let before = container.before, let after = container.after else {
            return (container.before ?? container.after).map { ["\($0.id) place"] } ?? []
        }
        var changed: [String] = []
        if before.name != after.name { changed.append("name") }
        if before.parent != after.parent { changed.append("place") }
        if before.role != after.role { changed.append("role") }
        if before.colorRGBA != after.colorRGBA { changed.append("color") }
        if before.symbol != after.symbol { changed.append("symbol") }
        if before.details != after.details { changed.append("details") }
        if before.sortOrder != after.sortOrder { changed.append("order") }
        let notes = Set(before.notes ?? []).symmetricDifference(after.notes ?? [])
        return changed.map { "\(after.id) \($0)" } + notes.map { "\($0) \(after.id)" }
    }

    var isEmpty: Bool { notes.isEmpty && containers.isEmpty && searches?.isEmpty != false && made == nil }

    var reversed: ActionChanges {
        ActionChanges(
            notes: notes.reversed().map(\.reversed), containers: containers.reversed().map(\.reversed),
            searches: searches?.reversed().map(\.reversed), made: made?.reversed)
    }
}

extension Transaction {
    /// Returns the present state of a note; `nil` if there is none.
    func state(of id: NoteID, withText: Bool = false) throws -> NoteState? {
        guard
            let row = try row(
                """
                SELECT note.id, title, defaultTitle, updatedDate, starred, folder.uuid, note.place, origin.uuid,
                    note.originPath, originPlace, movedDate, owner, note.sortOrder
                FROM note LEFT JOIN container AS folder ON folder.id = note.folder
                LEFT JOIN container AS origin ON origin.id = note.origin WHERE note.uuid = ?
                """, [id.description])
        else { return nil }
        let key: Int64 = row[0]
        let tags = try rows(
            """
            SELECT uuid FROM note_tag JOIN container ON container.id = tag WHERE note = ? AND source & 1 ORDER BY uuid
            """, [key])
        return NoteState(
            id: id, title: row[1], defaultTitle: row[2], updatedDate: row[3], starred: row[4],
            folder: (row[5] as String?).map(ContainerID.init(stored:)), place: row[6],
            origin: (row[7] as String?).map(ContainerID.init(stored:)), originPath: row[8], originPlace: row[9],
            movedDate: row[10], owner: row[11], tags: tags.map { ContainerID(stored: $0[0]) }, sortOrder: row[12],
            text: withText ? try Notebook.Notes.text(db, key: key) : nil)
    }

    /// Returns the present state of a container; `nil` if there is none.
    func state(of id: ContainerID) throws -> ContainerState? {
        guard
            let row = try row(
                """
                SELECT c.id, c.kind, c.name, parent.uuid, c.createdDate, c.colorRGBA, c.symbol, c.sortOrder, c.role,
                    c.projectType, c.details, c.place, origin.uuid, c.originPath,
                    c.trashedDate
                FROM container AS c LEFT JOIN container AS parent ON parent.id = c.parent
                LEFT JOIN container AS origin ON origin.id = c.origin WHERE c.uuid = ?
                """, [id.description])
        else { return nil }
        let kind = NoteContainer.Kind(rawValue: row[1]) ?? .folder
        return ContainerState(
            id: id, kind: kind, name: row[2], parent: (row[3] as String?).map(ContainerID.init(stored:)),
            createdDate: row[4], colorRGBA: row[5], symbol: row[6], sortOrder: row[7],
            role: (row[8] as String?).flatMap(NoteContainer.Role.init(rawValue:)),
            projectType: (row[9] as String?).flatMap(NoteContainer.ProjectType.init(rawValue:)), details: row[10],
            place: row[11],
            origin: (row[12] as String?).map(ContainerID.init(stored:)), originPath: row[13], trashedDate: row[14],
            notes: kind == .tag ? try notes(tagged: row[0]) : nil)
    }

    private func notes(tagged tag: Int64) throws -> [NoteID] {
        try rows(
            "SELECT uuid FROM note_tag JOIN note ON note.id = note WHERE tag = ? AND source & 1 ORDER BY note", [tag]
        ).map { NoteID(stored: $0[0]) }
    }
}
