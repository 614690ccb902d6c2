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

    /// Whether the front matter of a file has been edited, and the note has not changed since the export.
    private func hasOtherProperties(_ file: ImportFile, _ row: NoteRow) -> Bool {
        guard file.id != nil, isUnchanged(row, since: file) else { return false }
        return file.finalTitle != row.title || file.starred != row.starred
            || Set(file.tags.map(Folding.key)) != Set(row.handTagNames.map(Folding.key))
    }

    /// Whether a note has the date of its last change that it had when the file was exported.
    func isUnchanged(_ row: NoteRow, since file: ImportFile) -> Bool {
        row.updatedDate.timestamp == file.updated.timestamp
    }

    /// Returns the text and title that a note had when its file was exported, as well as its versions tell.
    ///
    /// Without the exact text it is the first version that was kept after the note's last change before the export:
    /// the text stays as it was until the next change, and each change keeps a version. If there is none, an earlier
    /// version is what both came from, too. A file without front matter does not tell when it was exported, so only a
    /// version with exactly its former text counts.
    func baseOfExport(_ file: ImportFile, _ note: Note) throws(StoreError) -> (text: String, title: String?)? {
        if isUnchanged(note.row, since: file) { return (note.content, note.row.title) }
        let hash = file.file.exported?.hash ?? ""
        if note.generateContentHash() == hash { return (note.content, note.row.title) }
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
            return (text, wanted[1])
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
    /// What the note itself got since the export stays: its title if it was renamed, and all its tags unless nothing has
    /// changed.
    func takeProperties(
        of file: ImportFile, _ note: Note, baseTitle: String?
    ) throws(StoreError) {
        guard file.id != nil else { return }
        let isUnchanged = isUnchanged(note.row, since: file)
        try notebook.write { transaction in
            let row = try transaction.noteRow(note.id)
            if let wanted = file.title ?? (row.titleIsDerived ? nil : file.derivedTitle), wanted != row.title,
                note.row.title == baseTitle, wanted != baseTitle
            {
                do {
                    try transaction.setTitle(wanted, of: note.id)
                } catch StoreError.titleTaken {
                    // In a project another note has the title by now, so this one keeps its own.
                }
            }
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
