import Foundation
import GRDB
import SystemPackage

/// Files that an export wrote and somebody has changed since, taken into the notebook that still has their notes.
///
/// Such a file names its note, by its front matter or by the mark of its folder, but no import has recorded its text.
/// So the text that both had in common is looked for: the note's own, if the note has not changed since the export, or
/// one of its versions.
extension ImportRun {
    /// Returns the change of an exported file, or `nil` if its note is gone, in Trash, or has the file's text.
    func changeOfExport(_ file: ImportFile, _ transaction: Transaction) throws -> Change? {
        guard !file.isExported, let id = file.id ?? file.file.exported?.note,
            let row = try NoteRow.fetch(transaction.db, "WHERE note.uuid = ? AND note.place <> 2", [id.description])
                .first,
            row.key <= lastKeyBefore
        else { return nil }
        let known = KnownNotes(transaction.db, upTo: lastKeyBefore)
        if try known.note(id, hasTextOf: file) != nil, !hasOtherProperties(file, row) {
            return nil
        }
        return Change(file: file, note: id, key: row.key, hash: nil)
    }

    /// Whether the front matter of a file has been edited, and says something else than the note.
    ///
    /// Where the list of the export does not tell what it wrote, only a note that has not changed since shows it.
    private func hasOtherProperties(_ file: ImportFile, _ row: NoteRow) -> Bool {
        guard file.id != nil else { return false }
        let hasOtherTitle = file.finalTitle != row.title
        let hasOtherMarks = file.marks != row.marks
        guard let origin = origin(of: file, row.id) else {
            return isUnchanged(row, since: file) && (hasOtherTitle || hasOtherMarks)
        }
        // A note that was renamed since keeps its title.
        let isRetitled = Note.contentHash(of: file.finalTitle) != origin.title
        let hasOwnTitle = Note.contentHash(of: row.title) != origin.title
        return hasOtherTitle && isRetitled && !hasOwnTitle || hasOtherMarks && file.marks != origin.marks
    }

    /// Returns what a note was like when its file was exported, or `nil` if no export has recorded it.
    private func origin(of file: ImportFile, _ note: NoteID) -> ExportMark.Origin? {
        guard let exported = file.file.exported, exported.note == note else { return nil }
        return exported.origin
    }

    /// Whether a note was exported to a file after that file was imported, as its text and its versions tell.
    ///
    /// - Parameter imported: the hash of the note's text after the import, of which a version was kept.
    func wasExported(
        _ file: ImportFile, from note: (id: NoteID, key: Int64), sinceImportOf imported: String, _ db: Database
    ) throws -> Bool {
        guard let origin = origin(of: file, note.id) else { return false }
        let last = "SELECT max(number) FROM note_version WHERE note = ? AND hash = ?"
        let before = try Int64.fetchOne(db, sql: last, arguments: [note.key, imported])
        let exported = try Int64.fetchOne(db, sql: last, arguments: [note.key, origin.text])
        if let exported { return exported > before ?? .max }
        let text = try Notebook.Notes.text(db, key: note.key) ?? ""
        return imported != origin.text && Note.contentHash(of: text) == origin.text
    }

    /// Whether a note has the date of its last change that it had when the file was exported.
    func isUnchanged(_ row: NoteRow, since file: ImportFile) -> Bool {
        row.updatedDate.timestamp == file.updated.timestamp
    }

    /// Returns the text that a note had when its file was exported, and the hash of its title, as well as the export's list
    /// and the note's versions tell.
    ///
    /// Without the exact text it is the first version that was kept after the note's last change before the export:
    /// the text stays as it was until the next change, and each change keeps a version. If there is none, an earlier
    /// version is what both came from, too. A file without front matter does not tell when it was exported, so only a
    /// version with exactly its former text counts.
    func baseOfExport(_ file: ImportFile, _ note: Note) throws(StoreError) -> (text: String, title: String?)? {
        let title = Note.contentHash(of: note.row.title)
        if isUnchanged(note.row, since: file) { return (note.content, title) }
        let origin = origin(of: file, note.id)
        let hash = origin?.text ?? file.file.exported?.hash ?? ""
        if note.generateContentHash() == hash { return (note.content, origin?.title ?? title) }
        return try notebook.read { db in
            let wanted = try Row.fetchOne(
                db,
                sql: """
                    SELECT number, title FROM note_version WHERE note = ?1 AND (hash = ?2 OR ?4)
                    ORDER BY hash <> ?2, createdDate < ?3, iif(createdDate < ?3, -number, number) LIMIT 1
                    """, arguments: [note.row.key, hash, file.updated.milliseconds, file.id != nil])
            guard let wanted, let number = wanted[0] as Int64?,
                let text = try Notebook.Notes.text(
                    db, "SELECT text FROM note_version WHERE note = ? AND number = ?", [note.row.key, number])
            else { return nil }
            return (text, origin?.title ?? (wanted[1] as String?).map(Note.contentHash(of:)))
        }
    }

    /// Returns a text in which the addresses of files that an import did not find lead where those of the base lead.
    ///
    /// A file that is imported by itself has none of the files beside which it was exported. The name of a file tells
    /// which note, image or file of the base's it means.
    func restoringAddresses(in text: String, from base: String) throws(StoreError) -> String {
        var addresses: [String: String] = [:]
        _ = try LinkRewriter.rewritten(base) { destination throws(StoreError) in
            guard let target = TakeNoteURL(destination.target) else { return nil }
            let name: String?
            switch target.kind {
            case .note: name = try notebook.notes.row(NoteID(target.uuid)).map { SafeName($0.title).name }
            case .image: name = target.uuid.uuidString
            case .file: name = try notebook.attachments.load(target.uuid).map { FilePath($0.name).stem ?? $0.name }
            }
            if target.kind == .image, let image = try notebook.images.load(target.uuid),
                let stem = try notebook.images.fileName(of: image).flatMap({ FilePath($0).stem })
            {
                addresses[Folding.key(stem)] = String(destination.target.dropLast(target.rest.count))
            }
            if let name { addresses[Folding.key(name)] = String(destination.target.dropLast(target.rest.count)) }
            return nil
        }
        if addresses.isEmpty { return text }
        return LinkRewriter.rewritten(text) { destination in
            guard destination.kind == .link || destination.kind == .image, !Self.isElsewhere(destination.target)
            else { return nil }
            let path = destination.target.prefix { $0 != "#" }
            let name = FilePath(path.removingPercentEncoding ?? String(path)).stem ?? ""
            return addresses[Folding.key(name)].map { $0 + destination.target.dropFirst(path.count) }
        }
    }

    /// Gives a note the title, star and tags of its changed file.
    ///
    /// The note keeps what it got since the export: its title if it was renamed, and all its tags unless nothing has
    /// changed. Star and tags that the export wrote and nobody has edited change nothing.
    ///
    /// - Parameter baseTitle: the hash of the title that the file had before, and the note if it was not renamed.
    func takeProperties(
        of change: Change, _ note: Note, baseTitle: String?
    ) throws(StoreError) {
        let file = change.file
        guard file.id != nil else { return }
        let origin = origin(of: file, note.id)
        let isUnchanged =
            isUnchanged(note.row, since: file) || change.hash == nil && origin?.marks == note.row.marks
        try notebook.write { transaction in
            let row = try transaction.noteRow(note.id)
            if let wanted = file.title ?? (row.titleIsDerived ? nil : file.derivedTitle), wanted != row.title,
                Note.contentHash(of: note.row.title) == baseTitle,
                Note.contentHash(of: Transaction.cleanTitle(wanted)) != baseTitle
            {
                do {
                    try transaction.setTitle(wanted, of: note.id)
                } catch StoreError.titleTaken {
                    // In a project another note has the title by now, so this one keeps its own.
                }
            }
            if let origin, origin.marks == file.marks { return }
            let names = file.tags.map(Transaction.cleanTitle).filter { !Folding.key($0).isEmpty }
            let tags = try names.map { try transaction.tag(named: $0).tag }
            let kept = isUnchanged ? row.tags.filter(row.textTags.contains) : row.tags
            let all = try kept.map(transaction.containerHead) + tags
            try transaction.setTags(all, of: transaction.changeableHead(note.id))
            if file.starred || isUnchanged {
                try transaction.run("UPDATE note SET starred = ? WHERE id = ?", [file.starred, row.key])
                transaction.change.containers = true
            }
        }
    }
}

extension ImportFile {
    /// The hash of its star and of the tags that it gives a note.
    fileprivate var marks: String { ExportMark.Origin.marks(starred: starred, tags: tags) }
}

extension NoteRow {
    /// The hash of its star and of the tags that it was given by hand.
    fileprivate var marks: String { ExportMark.Origin.marks(starred: starred, tags: handTagNames) }
}
