import Foundation
import GRDB
import SystemPackage
import TextEditing

/// What replaying the journals of programs that died has brought back.
public struct ReplayReport: Equatable, Sendable {
    /// Notes whose text was saved as it had been on the screen, merged with others' changes.
    public var saved: [NoteRow] = []
    /// Notes made because the note was changed elsewhere in the same words, or is gone.
    public var copies: [NoteRow] = []
    /// Notes that were cut and are back where they came from, and of these the ones whose origin is gone.
    public var returned: [NoteRow] = []
    public var returnedElsewhere: [NoteRow] = []

    public var isEmpty: Bool { self == ReplayReport() }
}

extension Notebook {
    /// The folder of the session journals, beside the notebook.
    var sessionFolder: String { FilePath(path).removingLastComponent().appending("sessions").string }

    /// Starts the journal of this program.
    public func openJournal() throws(StoreError) -> SessionJournal {
        do {
            let name = FilePath(path).lastComponent?.string ?? path
            return try SessionJournal(folder: sessionFolder, notebook: name)
        } catch let error as Errno {
            throw .cannotCreate(path: sessionFolder, errno: error.rawValue)
        } catch {
            throw StoreError(error, path: sessionFolder)
        }
    }

    /// Brings back what programs that died had typed and not saved, and the notes that they had cut.
    ///
    /// To be called by whoever starts, commands too. Costs a look into the folder when there is nothing to do.
    @discardableResult
    public func replayJournals() throws(StoreError) -> ReplayReport {
        var report = ReplayReport()
        for path in try journals() where !JournalFile.isOwned(path) {
            try replay(path, &report)
        }
        let alive = Set(try journals().map { FilePath($0).stem ?? "" })
        let (returned, elsewhere) = try returnBuffer(exceptOwners: alive)
        report.returned = returned
        report.returnedElsewhere = elsewhere
        return report
    }

    /// - Throws: where the folder cannot be read: to take its journals for gone would give back what living programs cut.
    private func journals() throws(StoreError) -> [String] {
        // A folder that is not there holds none, which is cheaper to ask for than to be told by an error.
        guard DiskFile.exists(sessionFolder) else { return [] }
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: sessionFolder) } catch {
            throw StoreError(error, path: sessionFolder)
        }
        return names.filter { $0.hasSuffix(".sqlite") }.sorted().map { sessionFolder + "/" + $0 }
    }

    private func replay(_ path: String, _ report: inout ReplayReport) throws(StoreError) {
        let queue: DatabaseQueue
        let notes: [JournalFile.Recovered]?
        do {
            // Locks it: of two programs that start at once, one replays.
            queue = try JournalFile.open(path)
        } catch {
            return
        }
        do {
            notes = try queue.read { db in
                try isOwn(try JournalFile.notebook(db)) ? JournalFile.recovered(db) { try text($0) } : nil
            }
        } catch {
            throw StoreError(error, path: path)
        }
        for note in notes ?? [] { try bringBack(note, &report) }
        // Removed before the lock goes, so that nobody replays it again.
        if notes != nil { JournalFile.remove(path) }
        do {
            try queue.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Whether a journal is this notebook's, by the name of the file that it was written for.
    ///
    /// Another notebook beside this one replays its own; what has no notebook any more is better here than nowhere.
    private func isOwn(_ name: String?) -> Bool {
        guard let name else { return true }
        let file = FilePath(path).removingLastComponent().appending(name).string
        return !DiskFile.exists(file) || DiskFile.isSame(file, path)
    }

    private func bringBack(_ note: JournalFile.Recovered, _ report: inout ReplayReport) throws(StoreError) {
        guard try row(note.note) != nil else {
            let title = TextFacts.derivedTitle(of: note.text) + " (recovered)"
            let facts = TextFacts(of: note.text, title: title)
            let words = IndexedWords(title: title, text: note.text, unknownTo: termCache)
            let copy = try write { transaction in
                // There already if the journal is replayed once more.
                try transaction.copy(named: "(recovered)", of: note.text)
                    ?? transaction.insert(NewNote(text: note.text, title: title), facts: facts, words: words)
            }
            report.copies.append(copy)
            return
        }
        switch try save(note.note, text: note.text, baseRevision: note.revision, base: note.base) {
        case .saved(let row), .merged(let row, _): report.saved.append(row)
        case .conflict(_, _, let copy): report.copies.append(copy)
        }
    }

    /// The images that the journals of running programs may refer to.
    func imagesInJournals() throws(StoreError) -> ImageReferences {
        let others = try journals()
        return others.isEmpty ? .known([]) : .unknown
    }

    // MARK: - Undo history of a text

    /// Keeps the editor's undo history of a note, good for exactly this text.
    public func keepHistory(_ data: Data, of id: NoteID, text: TextBuffer) throws(StoreError) {
        let hash = Note.contentHash(of: text)
        try write { transaction in
            try transaction.run(
                """
                INSERT OR REPLACE INTO note_history (note, hash, date, data)
                SELECT id, ?, ?, ? FROM note WHERE uuid = ?
                """, [hash, transaction.now, data, id.description])
        }
    }

    /// The undo history kept for this very text, `nil` if there is none.
    public func history(of id: NoteID, text: String) throws(StoreError) -> Data? {
        try read { db in
            let sql = "SELECT hash, data FROM note_history WHERE note = (SELECT id FROM note WHERE uuid = ?)"
            guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: [id.description]),
                row[0] == Note.contentHash(of: text)
            else { return nil }
            return row[1]
        }
    }
}
