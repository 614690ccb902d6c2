import Foundation
import GRDB

extension Notebook.Sync {
    /// The number of notes that one transaction writes; the lock is free between two transactions.
    public static let notesAtOnce = 100

    /// Merges a note that was changed while the synchronisation ran, from its old, its present and its wanted value.
    public typealias Merging = (_ id: NoteID, _ old: SyncNote?, _ present: SyncNote, _ wanted: SyncNote) -> [(
        NoteID, SyncNote
    )]

    /// Writes the changes of other machines.
    ///
    /// Containers are written first, in one transaction, then the notes in batches. A kill in between leaves a notebook
    /// that is half changed, which the next synchronisation notices and completes.
    ///
    /// - Parameters:
    ///   - images: returns the bytes of an image that the notebook does not have.
    ///   - files: returns the bytes of a file that the notebook does not have; without bytes it is not written.
    ///   - merging: merges a note that was changed meanwhile.
    ///   - wrote: called after each transaction, for tests that stop there.
    /// - Returns: false if a folder, tag or search was changed meanwhile; then nothing was written.
    public func apply(
        _ update: SyncUpdate, images: (UUID) throws -> [UInt8]?, files: (UUID) throws -> [UInt8]?, merging: Merging,
        notesAtOnce: Int = notesAtOnce, wrote: () throws -> Void = {}
    ) throws -> Bool {
        // The changes by other programs since the notebook was read, without those written here.
        var meanwhile = Meanwhile(seq: update.seq)
        var leaving: Set<ContainerID> = []
        if update.changesContainers {
            try writeFiles(of: update, images, files, wrote)
            let isFree = try notebook.write { transaction in
                guard try transaction.isUnchanged(since: update.seq) else { return false }
                meanwhile.notes = try transaction.marked(since: update.seq)
                let last = try transaction.lastMark() ?? update.seq
                leaving = try transaction.writeContainers(of: update)
                try transaction.settleNotes(since: last, except: meanwhile.notes)
                meanwhile.seq = try transaction.lastMark() ?? update.seq
                return true
            }
            guard isFree else { return false }
            try wrote()
        }
        let ids = update.notes.keys.sorted { $0.uuid.precedes($1.uuid) }
        let written = ids.filter { update.notes[$0]?.new != nil }
        for start in stride(from: 0, to: written.count, by: notesAtOnce) {
            try notebook.write { transaction in
                for id in written[start..<min(start + notesAtOnce, written.count)] {
                    guard let change = update.notes[id], let new = change.new else { continue }
                    let isEdited = try meanwhile.contains(id, transaction)
                    try transaction.write(id, old: isEdited ? change.old : nil, isEdited: isEdited, new, merging)
                }
            }
            notebook.yieldToWriters()
            try wrote()
        }
        try notebook.write { transaction in
            try transaction.makeTitlesUnique(in: written)
            for id in ids where update.notes[id]?.new == nil {
                if try !meanwhile.contains(id, transaction) { try transaction.remove(id) }
            }
            if update.changesContainers {
                try transaction.remove(leaving, since: meanwhile.seq)
                try transaction.removeImages(of: update)
                try transaction.removeAttachments(of: update)
            }
            transaction.change.notes = nil
            transaction.change.containers = true
        }
        try wrote()
        return true
    }

    /// Writes the images and files that the notebook lacks, and the new dates and names of others.
    private func writeFiles(
        of update: SyncUpdate, _ images: (UUID) throws -> [UInt8]?, _ files: (UUID) throws -> [UInt8]?,
        _ wrote: () throws -> Void
    ) throws {
        for (uuid, image) in update.images {
            if let date = try notebook.read({ try Self.imageDate(uuid, $0) }) {
                // Two machines may have added the same picture, each at its own time.
                if date == image.created { continue }
                try notebook.write { try $0.setDate(image.created, ofImage: uuid) }
            } else if let bytes = try images(uuid) {
                try notebook.write { try $0.insertImage(uuid, image, Data(bytes)) }
            }
            try wrote()
        }
        for (uuid, change) in update.attachments {
            guard let new = change.new else { continue }
            let data = change.old?.object == new.object ? nil : try files(uuid)
            if data == nil, change.old?.object != new.object { continue }
            try notebook.write { try $0.write(uuid, new, data.map { Data($0) }) }
            try wrote()
        }
    }

    /// The changes by other programs while the synchronisation ran.
    private struct Meanwhile {
        var notes: Set<String> = []
        /// The last mark that belongs to no such change.
        var seq: Int64

        func contains(_ id: NoteID, _ transaction: Transaction) throws -> Bool {
            if notes.contains(id.description) { return true }
            return try transaction.value(
                "SELECT 1 FROM sync_mark WHERE kind = 'note' AND id = ? AND seq > ?", [id.description, seq]) ?? false
        }
    }

    /// Returns the date of an image in milliseconds, or `nil` if the notebook does not have it.
    private static func imageDate(_ uuid: UUID, _ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db,
            sql: """
                SELECT createdDate FROM note_image WHERE uuid = ?1
                UNION ALL SELECT createdDate FROM image_alias WHERE uuid = ?1
                """, arguments: [uuid.uuidString])
    }
}

extension Transaction {
    /// Whether no folder, tag or search has changed since a mark.
    fileprivate func isUnchanged(since seq: Int64) throws -> Bool {
        try value(
            "SELECT NOT EXISTS (SELECT 1 FROM sync_mark WHERE seq > ? AND kind IN ('folder', 'tag', 'search'))", [seq])
            ?? true
    }

    /// Returns the notes that have a later mark than this one.
    fileprivate func marked(since seq: Int64) throws -> Set<String> {
        Set(try rows("SELECT upper(id) FROM sync_mark WHERE kind = 'note' AND seq > ?", [seq]).map { $0[0] as String })
    }

    fileprivate func lastMark() throws -> Int64? { try value("SELECT max(seq) FROM sync_mark") }

    /// Settles the marks of notes that only the writing of folders and tags has left, such as a tag's new name.
    fileprivate func settleNotes(since seq: Int64, except edited: Set<String>) throws {
        for row in try rows("SELECT upper(id) FROM sync_mark WHERE kind = 'note' AND seq > ?", [seq]) {
            if !edited.contains(row[0]) { try settle(.note, row[0]) }
        }
    }

    private func settle(_ kind: SyncKind, _ id: String) throws {
        try run("UPDATE sync_mark SET settled = 1 WHERE kind = ? AND id = ?", [kind.rawValue, id])
    }

    private func key(of container: ContainerID?) throws -> Int64? {
        guard let container else { return nil }
        return try value("SELECT id FROM container WHERE uuid = ?", [container.description])
    }

    // MARK: - Notes

    /// Writes a note; if it was changed meanwhile, writes the merge of both changes.
    fileprivate func write(
        _ id: NoteID, old: SyncNote?, isEdited: Bool, _ new: SyncNote, _ merging: Notebook.Sync.Merging
    ) throws {
        let present = try syncNote(id)
        guard isEdited, let present, present != new else {
            try write(id, new, present)
            if try syncNote(id) == new { try settle(.note, id.description) }
            return
        }
        // The note stays marked, because the other machines do not have this text yet.
        for (id, note) in merging(id, old, present, new) { try write(id, note, syncNote(id)) }
    }

    private func syncNote(_ id: NoteID) throws -> SyncNote? {
        try row("\(SyncNote.selection) WHERE note.uuid = ?", [id.description]).map { try SyncNote($0, db) }
    }

    /// Writes a note, whatever its present value; a clash of titles is resolved at the end.
    private func write(_ id: NoteID, _ note: SyncNote, _ present: SyncNote?) throws {
        if note == present { return }
        var folder = try key(of: note.folder).map { try containerHead(key: $0) } ?? containerHead(key: SystemKey.inbox)
        if !folder.holdsNotes { folder = try containerHead(key: SystemKey.inbox) }
        let key =
            try present == nil ? insert(id, note, in: folder) : update(id, note, from: present, in: folder)
        // A note whose file somebody moved by hand out of the folder of Archive or Trash still has a line with its
        // origin.
        let origin = folder.notePlace == .live ? nil : note.origin
        try run(
            """
            UPDATE note SET createdDate = ?, updatedDate = ?, starred = ?, sortOrder = ?, aiSummary = ?, contentHash = ?,
                conflictOf = ?, titleStands = 1 WHERE id = ?
            """,
            [
                note.created, note.updated, note.starred, note.order, note.summary.string, note.summaryHash.string,
                note.conflictOf?.description, key,
            ])
        // A note in the Buffer keeps the values that the program which cut it needs.
        let isCut: Bool? = try value("SELECT place = 3 FROM note WHERE id = ?", [key])
        if isCut != true {
            try run(
                "UPDATE note SET origin = ?, originPath = ?, originPlace = ?, movedDate = ? WHERE id = ?",
                [
                    try self.key(of: origin?.container), origin?.path?.string, origin?.wasArchived == true ? 1 : 0,
                    origin?.moved, key,
                ])
        }
        try writeTags(note.tags, of: key)
        try writeFormerTitles(note.former, of: key)
        change.notes?.insert(id)
        change.containers = true
    }

    private func insert(_ id: NoteID, _ note: SyncNote, in folder: ContainerHead) throws -> Int64 {
        let title = note.title.string
        let facts = TextFacts(of: note.text.string, title: note.followsText ? nil : title)
        try run(
            """
            INSERT INTO note (uuid, title, titleKey, defaultTitle, createdDate, updatedDate, folder, place, preview,
                wordCount, size, features, titleStamp)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)
            """,
            [
                id.description, title, Folding.key(title), note.defaultTitle.string, note.created, note.updated,
                folder.key, folder.notePlace.rawValue, facts.summary.preview, facts.summary.wordCount,
                facts.summary.size, facts.features.rawValue,
            ])
        let key = db.lastInsertedRowID
        try insertText(note.text.string, of: key)
        try index(key, IndexedWords(title: title, text: note.text.string, unknownTo: termCache))
        try addLinks(facts, of: key)
        try resolveLinks(to: key, id: id)
        try takePrivacy(of: note.conflictOf.map { [$0] } ?? [], for: id)
        return key
    }

    private func update(
        _ id: NoteID, _ note: SyncNote, from present: SyncNote?, in folder: ContainerHead
    ) throws -> Int64 {
        let head = try head(id)
        let (title, text) = (note.title.string, note.text.string)
        if note.text != present?.text {
            try keepVersion(of: head, text: Notebook.Notes.text(db, key: head.key) ?? "", .merged)
        }
        if note.folder != present?.folder {
            try run(
                "UPDATE note SET folder = ?, place = ?, uniqueTitle = 0, owner = NULL, originPlace = 0 WHERE id = ?",
                [folder.key, folder.notePlace.rawValue, head.key])
        }
        if note.text == present?.text, note.title == present?.title, note.defaultTitle == present?.defaultTitle {
            return head.key
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
        return head.key
    }

    private func writeTags(_ tags: Set<ContainerID>, of note: Int64) throws {
        let wanted = Set(try tags.compactMap { try key(of: $0) })
        let present = try self.tags(of: note, .hand)
        for tag in wanted.subtracting(present) { try addTag(containerHead(key: tag), to: note) }
        for tag in present.subtracting(wanted) { try removeTag(tag, from: note) }
    }

    private func writeFormerTitles(_ titles: [ExactText: Int64], of note: Int64) throws {
        let rows = try rows("SELECT titleKey, date FROM former_title WHERE note = ?", [note])
        let present = Dictionary(rows.map { (ExactText($0[0]), $0[1] as Int64) }) { max($0, $1) }
        for title in present.keys where titles[title] == nil {
            try run("DELETE FROM former_title WHERE note = ? AND titleKey = ?", [note, title.string])
        }
        for (title, date) in titles where present[title] != date {
            try run(
                "INSERT OR REPLACE INTO former_title (titleKey, note, date) VALUES (?, ?, ?)",
                [title.string, note, date])
        }
    }

    /// Makes titles of notes in projects unique, once all notes have their titles.
    fileprivate func makeTitlesUnique(in notes: [NoteID]) throws {
        for id in notes {
            guard
                let row = try row(
                    """
                    \(NoteHead.selection) WHERE uuid = ? AND uniqueTitle = 0 AND place = 0 AND folder IN
                        (SELECT id FROM container WHERE project IS NOT NULL AND place = 0)
                    """, [id.description])
            else { continue }
            let head = NoteHead(row)
            guard let folder = try head.folder.map({ try containerHead(key: $0) }) else { continue }
            let title = try freeTitle(head.title, in: folder, except: head.key)
            if title != head.title { try retitle(head, title, follow: head.title == head.defaultTitle) }
            try run("UPDATE note SET uniqueTitle = 1 WHERE id = ?", [head.key])
        }
    }

    /// Deletes a note that was deleted for ever elsewhere.
    fileprivate func remove(_ id: NoteID) throws {
        guard let row = try row("\(NoteHead.selection) WHERE uuid = ?", [id.description]) else { return }
        let head = NoteHead(row)
        try run("UPDATE note SET folder = 4, place = 2, uniqueTitle = 0 WHERE id = ?", [head.key])
        try deleteForever(note: head.key)
        try settle(.note, id.description)
    }

    // MARK: - Images

    /// Stores an image; if the notebook has its bytes already, it becomes another identity of them.
    fileprivate func insertImage(_ uuid: UUID, _ image: SyncImage, _ data: Data) throws {
        guard let type = NoteImage.MimeType(recognizing: data) else { return }
        let hash = NoteImage.hash(of: data)
        if let twin = try row("SELECT id, uuid, createdDate FROM note_image WHERE hash = ?", [hash]) {
            let (key, name, date) = (twin[0] as Int64, twin[1] as String, twin[2] as Int64)
            // The smaller identity is the image's own, so that every machine has the same one.
            let isFirst = uuid.uuidString < name.uppercased()
            if isFirst {
                try run(
                    "UPDATE note_image SET uuid = ?, createdDate = ? WHERE id = ?",
                    [uuid.uuidString, image.created, key])
            }
            try run(
                "INSERT OR IGNORE INTO image_alias (uuid, image, createdDate) VALUES (?, ?, ?)",
                [isFirst ? name : uuid.uuidString, key, isFirst ? date : image.created])
        } else {
            try insertImage(uuid, hash: hash, type: type, created: image.created, data: data)
            try run(
                """
                INSERT OR IGNORE INTO image_use (image) SELECT id FROM note_image WHERE uuid = ?1 AND EXISTS
                    (SELECT 1 FROM note_link WHERE kind = 'image' AND targetKey = lower(?1))
                """, [uuid.uuidString])
        }
        try settle(.image, uuid.uuidString)
    }

    fileprivate func setDate(_ date: Int64, ofImage uuid: UUID) throws {
        for table in ["note_image", "image_alias"] {
            try run("UPDATE \(table) SET createdDate = ? WHERE uuid = ?", [date, uuid.uuidString])
        }
        try settle(.image, uuid.uuidString)
    }
}
