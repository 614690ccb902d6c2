import Foundation
import GRDB

/// The writing of notes as a synchronisation wants them.
extension Transaction {
    private func key(of container: ContainerID?) throws -> Int64? {
        guard let container else { return nil }
        return try value("SELECT id FROM container WHERE uuid = ?", [container.description])
    }

    func hasAny(of notes: some Sequence<NoteID>) throws -> Bool {
        try notes.contains { try value("SELECT id FROM note WHERE uuid = ?", [$0.description]) as Int64? != nil }
    }

    /// Inserts notes, and takes them from the list, until one of them is there already or `isEnough` says so.
    func insertMany(_ rest: inout ArraySlice<NoteID>, of update: SyncUpdate, until isEnough: () -> Bool) throws {
        let last = try lastMark() ?? 0
        var differing: [NoteID] = []
        // Most notes are in few folders, which do not change meanwhile.
        var folders: [ContainerID: ContainerHead] = [:]
        try insertingMany {
            repeat {
                guard let id = rest.popFirst() else { return }
                guard let note = update.notes[id]?.new else { continue }
                let folder = try folders[note.folder] ?? noteHolder(note.folder)
                folders[note.folder] = folder
                if try !insert(id, note, into: folder) { differing.append(id) }
            } while try !isEnough() && !hasAny(of: rest.prefix(1))
        }
        try run("UPDATE sync_mark SET settled = 1 WHERE kind = 'note' AND seq > ?", [last])
        for id in differing where try syncNote(id) != update.notes[id]?.new {
            try run("UPDATE sync_mark SET settled = 0 WHERE kind = 'note' AND id = ?", [id.description])
        }
    }

    /// Writes a note; if it was changed meanwhile, writes the merge of both changes.
    func write(
        _ id: NoteID, old: SyncNote?, isEdited: Bool, _ new: SyncNote, _ merging: Notebook.Sync.Merging
    ) throws {
        let present = try syncNote(id)
        guard isEdited, let present, present != new else {
            if try write(id, new, present) || syncNote(id) == new { try settle(.note, id.description) }
            return
        }
        // The note stays marked, because the other machines do not have this text yet.
        for (id, note) in merging(id, old, present, new) { _ = try write(id, note, syncNote(id)) }
    }

    private func syncNote(_ id: NoteID) throws -> SyncNote? {
        try row("\(SyncNote.selection) WHERE note.uuid = ?", [id.description]).map { try SyncNote($0, db) }
    }

    /// Writes a note, whatever its present value; a clash of titles is resolved at the end.
    ///
    /// - Returns: whether the notebook is known to have exactly this value now.
    private func write(_ id: NoteID, _ note: SyncNote, _ present: SyncNote?) throws -> Bool {
        if note == present { return true }
        let folder = try noteHolder(note.folder)
        return try present == nil ? insert(id, note, into: folder) : update(id, note, from: present, in: folder)
    }

    /// Where a synchronised note goes in this notebook.
    private struct NoteDestination {
        let folder: ContainerHead
        let origin: SyncOrigin?
        let originKey: Int64?
        /// Whether it is exactly where the synchronisation wants the note.
        let isExact: Bool
    }

    /// Returns the folder for notes that are to be in this one: the Inbox if it is missing or cannot contain notes.
    private func noteHolder(_ id: ContainerID) throws -> ContainerHead {
        let folder = try key(of: id).map { try containerHead(key: $0) }
        return try folder.flatMap { $0.holdsNotes ? $0 : nil } ?? containerHead(key: SystemKey.inbox)
    }

    private func destination(of note: SyncNote, in folder: ContainerHead) throws -> NoteDestination {
        // A note whose file somebody moved by hand out of the folder of Archive or Trash still has a line with its
        // origin.
        let origin = folder.notePlace == .live ? nil : note.origin
        let originKey = try key(of: origin?.container)
        let isExact =
            folder.id == note.folder && origin == note.origin && (originKey == nil) == (origin?.container == nil)
            && origin != SyncOrigin(container: nil, path: nil, moved: nil)
        return NoteDestination(folder: folder, origin: origin, originKey: originKey, isExact: isExact)
    }

    /// Inserts a note that the notebook does not have.
    ///
    /// - Returns: whether the notebook is known to have exactly this value now.
    private func insert(_ id: NoteID, _ note: SyncNote, into folder: ContainerHead) throws -> Bool {
        let target = try destination(of: note, in: folder)
        let (title, text) = (note.title.string, note.text.string)
        let facts = TextFacts(of: text, title: note.followsText ? nil : title)
        try run(
            """
            INSERT INTO note (uuid, title, titleKey, defaultTitle, createdDate, updatedDate, folder, place, preview,
                wordCount, size, features, titleStamp, starred, sortOrder, aiSummary, contentHash, conflictOf, origin,
                originPath, originPlace, movedDate)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                id.description, title, Folding.key(title), note.defaultTitle.string, note.created, note.updated,
                target.folder.key, target.folder.notePlace.rawValue, facts.summary.preview, facts.summary.wordCount,
                facts.summary.size, facts.features.rawValue, note.starred, note.order, note.summary.string,
                note.summaryHash.string, note.conflictOf?.description, target.originKey, target.origin?.path?.string,
                target.origin?.wasArchived == true ? 1 : 0, target.origin?.moved,
            ])
        let key = db.lastInsertedRowID
        try insertText(text, of: key)
        try index(key, IndexedWords(title: title, text: text, unknownTo: termCache))
        try addLinks(facts, of: key)
        try resolveLinks(to: key, id: id)
        try takePrivacy(of: note.conflictOf.map { [$0] } ?? [], for: id)
        let tags = try keys(of: note.tags)
        for tag in tags { try addTag(containerHead(key: tag), to: key) }
        for (title, date) in note.former { try keepFormerTitle(title, of: key, date) }
        change.notes?.insert(id)
        change.containers = true
        return target.isExact && tags.count == note.tags.count && note.isPlain
    }

    private func update(
        _ id: NoteID, _ note: SyncNote, from present: SyncNote?, in folder: ContainerHead
    ) throws -> Bool {
        let target = try destination(of: note, in: folder)
        let head = try head(id)
        if note.text != present?.text {
            try keepVersion(of: head, text: Notebook.Notes.text(db, key: head.key) ?? "", .merged)
        }
        if note.folder != present?.folder {
            try run(
                "UPDATE note SET folder = ?, place = ?, uniqueTitle = 0, owner = NULL, originPlace = 0 WHERE id = ?",
                [target.folder.key, target.folder.notePlace.rawValue, head.key])
        }
        try updateText(note, from: present, of: head)
        // A note in the Buffer keeps the values that the program which cut it needs.
        let isCut = head.place == .buffer && note.folder == present?.folder
        try run(
            """
            UPDATE note SET createdDate = ?, updatedDate = ?, starred = ?, sortOrder = ?, aiSummary = ?, contentHash = ?,
                conflictOf = ?, titleStands = 1 WHERE id = ?
            """,
            [
                note.created, note.updated, note.starred, note.order, note.summary.string, note.summaryHash.string,
                note.conflictOf?.description, head.key,
            ])
        if !isCut, note.origin != present?.origin || note.folder != present?.folder {
            try run(
                "UPDATE note SET origin = ?, originPath = ?, originPlace = ?, movedDate = ? WHERE id = ?",
                [
                    target.originKey, target.origin?.path?.string, target.origin?.wasArchived == true ? 1 : 0,
                    target.origin?.moved, head.key,
                ])
        }
        let hasAllTags = try writeTags(note.tags, of: head.key)
        if note.former != present?.former { try writeFormerTitles(note.former, of: head.key) }
        change.notes?.insert(id)
        change.containers = true
        return target.isExact && hasAllTags && note.isPlain && !isCut
    }

    /// Writes the text and the title of a note, and what follows from them.
    private func updateText(_ note: SyncNote, from present: SyncNote?, of head: NoteHead) throws {
        let (title, text) = (note.title.string, note.text.string)
        if note.text == present?.text, note.title == present?.title, note.defaultTitle == present?.defaultTitle {
            return
        }
        let old = try isMarked(head.key) ? nil : indexedWords(of: head.key)
        let facts = TextFacts(of: text, title: note.followsText ? nil : title)
        try run(
            """
            UPDATE note SET title = ?1, titleKey = ?2, defaultTitle = ?3, preview = ?4, wordCount = ?5, size = ?6,
                features = ?7, uniqueTitle = 0, titleStamp = titleStamp + 1, revision = revision + ?8 WHERE id = ?9
            """,
            [
                title, Folding.key(title), note.defaultTitle.string, facts.summary.preview, facts.summary.wordCount,
                facts.summary.size, facts.features.rawValue, note.text == present?.text ? 0 : 1, head.key,
            ])
        if note.text != present?.text {
            try text.withLentBytes { bytes in
                try run(
                    "UPDATE note_text SET text = CAST(? AS TEXT), stamp = stamp + 1 WHERE note = ?", [bytes, head.key])
            }
        }
        if let old {
            try reindex(head.key, from: old, to: IndexedWords(title: title, text: text, unknownTo: termCache))
        }
        try writeLinks(facts, of: head.key)
    }

    private func keys(of tags: Set<ContainerID>) throws -> Set<Int64> {
        Set(try tags.compactMap { try key(of: $0) })
    }

    /// - Returns: whether the notebook has all of these tags.
    private func writeTags(_ tags: Set<ContainerID>, of note: Int64) throws -> Bool {
        let wanted = try keys(of: tags)
        let present = try self.tags(of: note, .hand)
        for tag in wanted.subtracting(present) { try addTag(containerHead(key: tag), to: note) }
        for tag in present.subtracting(wanted) { try removeTag(tag, from: note) }
        return wanted.count == tags.count
    }

    private func writeFormerTitles(_ titles: [ExactText: Int64], of note: Int64) throws {
        let rows = try rows("SELECT titleKey, date FROM former_title WHERE note = ?", [note])
        let present = Dictionary(rows.map { (ExactText($0[0]), $0[1] as Int64) }) { max($0, $1) }
        for title in present.keys where titles[title] == nil {
            try run("DELETE FROM former_title WHERE note = ? AND titleKey = ?", [note, title.string])
        }
        for (title, date) in titles where present[title] != date { try keepFormerTitle(title, of: note, date) }
    }

    private func keepFormerTitle(_ title: ExactText, of note: Int64, _ date: Int64) throws {
        try run(
            "INSERT OR REPLACE INTO former_title (titleKey, note, date) VALUES (?, ?, ?)", [title.string, note, date])
    }
}

extension SyncNote {
    /// Whether its short values come back from the notebook as they are: GRDB ends a string at U+0000.
    fileprivate var isPlain: Bool {
        let values = [title, defaultTitle, summary, summaryHash] + former.keys + (origin?.path.map { [$0] } ?? [])
        return !values.contains { $0.string.utf8.contains(0) }
    }
}
