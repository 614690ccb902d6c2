import Foundation
import GRDB

extension Notebook.Sync {
    /// The number of notes that one transaction writes; the lock is free between two transactions.
    public static let notesAtOnce = 100
    /// The number of new notes that a transaction writes in the place of one that is changed, if no other program waits
    /// to write.
    private static let newNotesForEach = 10

    /// Merges a note that was changed while the synchronisation ran, from its old, its present and its wanted value.
    public typealias Merging = (_ id: NoteID, _ old: SyncNote?, _ present: SyncNote, _ wanted: SyncNote) -> [(
        NoteID, SyncNote
    )]

    /// Writes the changes of other machines.
    ///
    /// Containers are written first, in one transaction, then the notes in batches. A kill in between leaves a notebook
    /// that is half changed, which the next synchronisation notices and completes; each batch records how far it got.
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
            guard try writeContainers(of: update, &meanwhile, &leaving) else { return false }
            try wrote()
        }
        let ids = update.notes.keys.sorted { $0.uuid.precedes($1.uuid) }
        var rest = ids.filter { update.notes[$0]?.new != nil }[...]
        while !rest.isEmpty {
            try notebook.write { transaction in
                transaction.remembersPaths = false
                let before = rest
                try writeNotes(&rest, of: update, meanwhile, merging, notesAtOnce, transaction)
                let written = before.prefix(before.count - rest.count)
                try written.last.map { try record(update, upTo: $0.uuid, transaction) }
            }
            notebook.yieldToWriters()
            try wrote()
        }
        try removeWhatLeft(ids.filter { update.notes[$0]?.new == nil }, leaving, by: update, meanwhile)
        try wrote()
        return true
    }

    /// Writes the folders, tags and searches.
    ///
    /// - Parameter leaving: gets the containers to remove once the notes are written.
    /// - Returns: false, with nothing written, if one of them was changed meanwhile.
    private func writeContainers(
        of update: SyncUpdate, _ meanwhile: inout Meanwhile, _ leaving: inout Set<ContainerID>
    ) throws -> Bool {
        try notebook.write { transaction in
            transaction.remembersPaths = false
            guard try transaction.isUnchanged(since: update.seq) else { return false }
            meanwhile.notes = try transaction.marked(since: update.seq)
            let last = try transaction.lastMark() ?? update.seq
            leaving = try transaction.writeContainers(of: update)
            try transaction.settleNotes(since: last, except: meanwhile.notes)
            meanwhile.seq = try transaction.lastMark() ?? update.seq
            return true
        }
    }

    /// Removes what other machines have removed: notes, containers, images and files.
    private func removeWhatLeft(
        _ notes: [NoteID], _ containers: Set<ContainerID>, by update: SyncUpdate, _ meanwhile: Meanwhile
    ) throws {
        try notebook.write { transaction in
            transaction.remembersPaths = false
            try transaction.makeTitlesUnique()
            for id in notes where try !meanwhile.contains(id, transaction) { try transaction.remove(id) }
            if update.changesContainers {
                try transaction.remove(containers, since: meanwhile.seq)
                try transaction.removeImages(of: update)
                try transaction.removeAttachments(of: update)
            }
            transaction.change.notes = nil
            transaction.change.containers = true
            try record(update, upTo: Transaction.greatestIdentity, transaction)
        }
    }

    /// Records that the notes up to this one are as the update's commit has them.
    private func record(_ update: SyncUpdate, upTo last: UUID, _ transaction: Transaction) throws {
        if let commit = update.commit { try transaction.recordWritten(commit, upTo: last) }
    }

    /// Writes the first notes of `rest` in a transaction, and removes them from it.
    private func writeNotes(
        _ rest: inout ArraySlice<NoteID>, of update: SyncUpdate, _ meanwhile: Meanwhile, _ merging: Merging,
        _ notesAtOnce: Int, _ transaction: Transaction
    ) throws {
        let batch = rest.prefix(notesAtOnce)
        // With many new notes, dropping and restoring the triggers saves time.
        if batch.count * 2 >= notesAtOnce, try !transaction.hasAny(of: batch) {
            var left = notesAtOnce * Self.newNotesForEach
            return try transaction.insertMany(&rest, of: update) {
                left -= 1
                return left <= 0 || notebook.lock.hasWaiters
            }
        }
        for id in batch {
            guard let change = update.notes[id], let new = change.new else { continue }
            let isEdited = try meanwhile.contains(id, transaction)
            try transaction.write(id, old: isEdited ? change.old : nil, isEdited: isEdited, new, merging)
        }
        rest = rest.dropFirst(batch.count)
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

    func lastMark() throws -> Int64? { try value("SELECT max(seq) FROM sync_mark") }

    /// Settles the marks of notes that only the writing of folders and tags has left, such as a tag's new name.
    fileprivate func settleNotes(since seq: Int64, except edited: Set<String>) throws {
        for row in try rows("SELECT upper(id) FROM sync_mark WHERE kind = 'note' AND seq > ?", [seq]) {
            if !edited.contains(row[0]) { try settle(.note, row[0]) }
        }
    }

    func settle(_ kind: SyncKind, _ id: String) throws {
        try run("UPDATE sync_mark SET settled = 1 WHERE kind = ? AND id = ?", [kind.rawValue, id])
    }

    /// Makes titles of notes in projects unique, once all notes have their titles: those of this synchronisation, and of
    /// one that was killed before it did so.
    fileprivate func makeTitlesUnique() throws {
        let notes = try rows(
            """
            \(NoteHead.selection) WHERE uniqueTitle = 0 AND place = 0 AND folder IN
                (SELECT id FROM container WHERE project IS NOT NULL AND place = 0) ORDER BY uuid
            """)
        for head in notes.map(NoteHead.init) {
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
