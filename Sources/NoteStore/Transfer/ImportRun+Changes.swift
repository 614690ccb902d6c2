import Foundation
import GRDB

/// The treatment of files that were imported before and have changed since.
public enum ChangedFiles: String, CaseIterable, Sendable {
    /// The file's changes are merged into its note with those made there; texts that cannot be merged are both kept.
    case merge
    /// The file becomes a note of its own.
    case both
    /// The note stays as it is.
    case skip
}

extension ImportRun {
    /// A changed file, with the note that was imported from its earlier text, or exported to it.
    struct Change {
        let file: ImportFile
        let note: NoteID
        let key: Int64
        /// The hash of the file's earlier text; nil if it has not been imported since it was exported.
        let hash: String?
    }

    /// The note that was made of a file before.
    struct EarlierImport {
        let note: NoteID
        let key: Int64
        /// The hash of the file's text at that time.
        let hash: String
        let isInTrash: Bool
    }

    /// Returns the change of a file from which a note outside Trash was imported, or which was exported from one.
    ///
    /// It is `nil` for any other file, and for one that has not changed.
    func change(of file: ImportFile, since earlier: EarlierImport?, _ transaction: Transaction) throws -> Change? {
        let change: Change?
        if let earlier, !earlier.isInTrash {
            guard earlier.hash != file.hash else { return nil }
            let note = (id: earlier.note, key: earlier.key)
            let stored: String? = try transaction.value(
                "SELECT value FROM setting WHERE key = ?", [Self.storedKey(note.id)])
            let isExported = try wasExported(file, from: note, sinceImportOf: stored ?? earlier.hash, transaction.db)
            if isExported, file.isExported { return nil }
            change = Change(file: file, note: note.id, key: note.key, hash: isExported ? nil : earlier.hash)
        } else {
            change = try changeOfExport(file, transaction)
        }
        if let change { notes.add(change.note, change.key, of: file.file) }
        return change
    }

    /// Removes the files whose notes other files are, such as copies of an exported file, and returns them.
    ///
    /// The file that an export wrote is the note's; otherwise the first one.
    private func removeCopies() -> [ImportFile] {
        var kept: [NoteID: Int] = [:]
        for (index, change) in changes.enumerated() {
            let isWritten = change.hash != nil || change.file.file.exported?.note == change.note
            if kept[change.note] == nil || isWritten { kept[change.note] = index }
        }
        let isCopy = changes.enumerated().map { index, change in
            kept[change.note] != index || change.hash == nil && unchanged.contains(change.note)
        }
        let files = zip(changes, isCopy).compactMap { $1 ? $0.file : nil }
        changes = zip(changes, isCopy).compactMap { $1 ? nil : $0 }
        return files
    }

    /// Asks what to do with the changed files, and imports those that become notes of their own.
    func decideOnChanges() throws(StoreError) {
        guard !changes.isEmpty, !result.wasCancelled else { return }
        try takeAsNotes(removeCopies(), evenIfKnown: true)
        if changes.isEmpty || result.wasCancelled { return }
        let decision = decision ?? options.onChange(changes.count)
        self.decision = decision
        let files = changes.map(\.file)
        if decision != .merge { changes = [] }
        switch decision {
        case .merge: break
        case .skip:
            result.skippedCount = files.count
            for file in files { mention(file.text) }
        case .both: try takeAsNotes(files, evenIfKnown: true)
        }
    }

    /// Imports files as notes of their own.
    ///
    /// - Parameter evenIfKnown: whether to do so also with files that have notes already.
    func takeAsNotes(_ files: [ImportFile], evenIfKnown: Bool = false) throws(StoreError) {
        var outcomes = files.map { file in
            let facts = file.facts
            let title = file.title ?? facts.summary.derivedTitle
            return ImportReader.Outcome.ready(
                file, facts, IndexedWords(title: title, text: file.text, unknownTo: notebook.termCache))
        }[...]
        takesChanges = evenIfKnown
        while !outcomes.isEmpty, !result.wasCancelled { try importBatch(of: &outcomes) }
    }

    /// Merges the changes of files into their notes, now that the targets of their links are known.
    func mergeChanges() throws(StoreError) {
        for (index, change) in changes.enumerated() {
            guard tellLinking(linking.count + index) else { return }
            guard let note = try notebook.notes.load(change.note) else { continue }
            var text = try LinkRewriter.rewritten(change.file.text) { destination throws(StoreError) in
                try replacement(for: destination, of: note, in: change.file.file)
            }
            try storeWaiting()
            let (base, title) = try base(of: change, note)
            if change.hash == nil, let base { text = try restoringAddresses(in: text, from: base) }
            try notebook.versions.keep(of: note.id, reason: .merged)
            let isOurs = base?.hasSameBytes(as: note.content) ?? false
            let outcome = try notebook.notes.save(
                note.id, text: text, baseRevision: isOurs ? note.row.revision : -1, base: base)
            if case .conflict(_, _, let copy) = outcome {
                result.notes.append(copy.id)
                result.problems.append(ImportProblem(path: change.file.path, reason: .keptTwice(title: copy.title)))
            } else {
                try takeProperties(of: change, note, baseTitle: title)
                try notebook.write { try $0.followTags(from: base ?? note.content, to: text, of: note.id) }
            }
            result.mergedCount += 1
            try remember(change.file, text, note.id)
        }
    }

    /// Returns the text that the note had after it was imported or exported, as far as versions are left, and the hash of
    /// the title that the file had then.
    private func base(of change: Change, _ note: Note) throws(StoreError) -> (text: String?, title: String?) {
        guard let hash = change.hash else {
            let base = try baseOfExport(change.file, note)
            return (base?.text, base?.title ?? nil)
        }
        let wanted = try notebook.settings.value(Self.storedKey(note.id)) ?? hash
        let (text, title) = try notebook.read { db in
            let version = "FROM note_version WHERE note = ? AND hash = ? ORDER BY number DESC LIMIT 1"
            return (
                try Notebook.Notes.text(db, "SELECT text \(version)", [note.row.key, wanted]),
                try String.fetchOne(db, sql: "SELECT title \(version)", arguments: [note.row.key, wanted])
            )
        }
        let imported = try notebook.settings.value(Self.titleKey(note.id))
        let base = note.generateContentHash() == wanted ? note.content : text
        return (base, imported ?? title.map(Note.contentHash(of:)))
    }

    /// Records the imported text of a file, by which its next change is found.
    private func remember(_ file: ImportFile, _ text: String, _ note: NoteID) throws(StoreError) {
        let stored = Note.contentHash(of: text)
        try notebook.write { transaction in
            let head = try transaction.head(note)
            try transaction.run(
                "INSERT OR REPLACE INTO import_source (path, hash, note) VALUES (?, ?, ?)",
                [file.path, file.hash, head.key])
            try transaction.rememberImported(stored, insteadOf: file.hash, note)
            try transaction.run(
                "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
                [Self.titleKey(note), Note.contentHash(of: file.finalTitle)])
            // The file's text is the base of the next merge.
            try transaction.keepVersion(of: head, text: text, .merged)
        }
    }

    static func storedKey(_ note: NoteID) -> String { "imported/\(note)" }
    /// The key of the hash of the title that a note's file had when its change was imported.
    private static func titleKey(_ note: NoteID) -> String { "importedTitle/\(note)" }
}

extension Transaction {
    /// Records the hash of an imported text that differs from its file's because links were rewritten.
    func rememberImported(_ hash: String, insteadOf fileHash: String, _ note: NoteID) throws {
        let key = ImportRun.storedKey(note)
        if hash == fileHash {
            try run("DELETE FROM setting WHERE key = ?", [key])
        } else {
            try run("INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", [key, hash])
        }
    }
}
