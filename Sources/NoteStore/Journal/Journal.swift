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
    /// Journals that could not be read through, where they are kept; what could be read of them was brought back.
    public var setAside: [String] = []
    /// What kept a journal from being brought back; it is tried again at the next start.
    public var problems: [StoreError] = []

    public var isEmpty: Bool { self == ReplayReport() }
}

extension Notebook.Journal {
    /// The folder of the session journals, beside the notebook.
    var folder: String { FilePath(notebook.path).removingLastComponent().appending("sessions").string }

    /// Starts the journal of this program.
    ///
    /// - Parameter syncFailed: told by another thread when what was written may not outlive a power cut.
    public func open(
        syncFailed: @escaping @Sendable (Errno) -> Void = { _ in }
    ) throws(StoreError) -> SessionJournal {
        do {
            let name = FilePath(notebook.path).lastComponent?.string ?? notebook.path
            return try SessionJournal(
                folder: folder, notebook: name, identity: try notebook.notebookID().description,
                disk: notebook.options.journalDisk, syncFailed: syncFailed)
        } catch let error as Errno where error == .noSpace {
            throw .diskFull(path: folder)
        } catch let error as Errno {
            throw .cannotCreate(path: folder, errno: error.rawValue)
        } catch {
            throw StoreError(error, path: folder)
        }
    }

    /// Brings back what programs that died had typed and not saved, and the notes that they had cut.
    ///
    /// To be called by whoever starts, commands too. Costs a look into the folder when there is nothing to do. Each
    /// journal is brought back by itself: what is wrong with one is told in the report, and keeps no other waiting.
    ///
    /// - Throws: where the folder cannot be read: to take its journals for gone would give back what living programs cut.
    @discardableResult
    public func replay() throws(StoreError) -> ReplayReport {
        var report = ReplayReport()
        for path in try journals() {
            do {
                try replay(path, &report)
            } catch {
                report.problems.append(error)
            }
        }
        let alive = Set(try journals().filter(Self.isOwned).map { FilePath($0).stem ?? "" })
        let (returned, elsewhere) = try notebook.buffer.giveBack(exceptOwners: alive)
        report.returned = returned
        report.returnedElsewhere = elsewhere
        return report
    }

    /// The journals that could not be read through and were set aside.
    public func damaged() throws(StoreError) -> [String] {
        try sessionFiles().filter { $0.hasSuffix(JournalFile.damagedEnding) }.map { folder + "/" + $0 }
    }

    private func journals() throws(StoreError) -> [String] {
        try sessionFiles().filter { $0.hasSuffix(JournalFile.ending) || $0.hasSuffix(LegacyJournal.ending) }
            .map { folder + "/" + $0 }
    }

    private func sessionFiles() throws(StoreError) -> [String] {
        // A folder that is not there holds none, which is cheaper to ask for than to be told by an error.
        guard DiskFile.exists(folder) else { return [] }
        do { return try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch {
            throw StoreError(error, path: folder)
        }
    }

    private static func isOwned(_ path: String) -> Bool {
        path.hasSuffix(JournalFile.ending) ? JournalFile.isOwned(path) : LegacyJournal.isOwned(path)
    }

    private func replay(_ path: String, _ report: inout ReplayReport) throws(StoreError) {
        guard path.hasSuffix(JournalFile.ending) else { return try replayLegacy(path, &report) }
        let file: JournalFile?
        let bytes: [UInt8]
        do {
            // Locks it until the end of this call: of two programs that start at once, one replays.
            file = try JournalFile.takeOver(path)
            guard let file else { return }
            bytes = try file.read()
        } catch {
            throw StoreError(reading: path, error)
        }
        let session = FilePath(path).stem ?? ""
        let contents = JournalContents(bytes, session: UUID(uuidString: session) ?? UUID())
        // A later program's own business.
        guard !contents.isNewer, try isOwn(contents) else { return }
        for log in contents.notes {
            let stored = try storedText(log.note)
            let mark = try mark(of: log.note, in: session)
            guard let text = log.recovered(mark: mark, stored: stored) else { continue }
            try bringBack(text, stored, at: JournalPosition(session: session, number: text.last), &report)
        }
        // While the lock holds, so that nobody replays it again.
        if contents.isDamaged {
            try setAside(path, &report)
        } else {
            DiskFile.remove(path)
        }
        withExtendedLifetime(file) {}
        try forgetMarks(of: session)
    }

    /// Keeps a journal that could not be read through under a name that nobody replays.
    private func setAside(_ path: String, _ report: inout ReplayReport) throws(StoreError) {
        let kept = path + JournalFile.damagedEnding
        try DiskFile.move(path, to: kept)
        report.setAside.append(kept)
    }

    /// Whether a journal is this notebook's, by the identity or the name of the file that it was written for.
    ///
    /// Another notebook beside this one replays its own; what has no notebook any more is better here than nowhere.
    /// One whose head is damaged says neither: it is that notebook's which has one of its notes, and this one's where there
    /// is no other.
    private func isOwn(_ journal: JournalContents) throws(StoreError) -> Bool {
        if let name = journal.notebook {
            // One that was renamed since has its identity still; a copy has it too, so that the name comes first.
            guard isOwn(fileNamed: name) else { return false }
            let id = journal.identity.flatMap(NotebookID.init(stored:))
            guard let id, !hasFile(named: name) else { return true }
            let own = try notebook.notebookID()
            return id == own || hasFolderToItself
        }
        for log in journal.notes where try notebook.notes.row(log.note) != nil { return true }
        return hasFolderToItself
    }

    private var hasFolderToItself: Bool {
        let own = FilePath(notebook.path).lastComponent
        // A folder that cannot be listed holds no notebook that could replay the journal.
        let names = (try? FolderListing.names(of: FilePath(notebook.path).removingLastComponent())) ?? []  // gone: none
        // A link that leads nowhere is no notebook either.
        return !names.contains { $0 != own && $0.extension == own?.extension && hasFile(named: $0.string) }
    }

    private func isOwn(fileNamed name: String?) -> Bool {
        guard let name, hasFile(named: name) else { return true }
        return DiskFile.isSame(file(named: name), notebook.path)
    }

    private func hasFile(named name: String) -> Bool { DiskFile.exists(file(named: name)) }

    private func file(named name: String) -> String {
        FilePath(notebook.path).removingLastComponent().appending(name).string
    }

    private func storedText(_ note: NoteID) throws(StoreError) -> StoredText? {
        // In one read: another program may save in between, and its text would pass for that of the older revision.
        try notebook.read { db -> StoredText? in
            let sql = "SELECT id, revision FROM note WHERE uuid = ?"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [note.description]),
                let key = row[0] as Int64?, let revision = row[1] as Int64?,
                let text = try Notebook.Notes.text(db, key: key)
            else { return nil }
            return StoredText(text: text, revision: revision)
        }
    }

    private func bringBack(
        _ recovered: RecoveredText, _ stored: StoredText?, at position: JournalPosition?,
        _ report: inout ReplayReport
    ) throws(StoreError) {
        // Before the text, whose mark says that all is in the notebook: a kill in between loses nothing, and the next
        // start finds the pieces' note.
        if !recovered.pieces.isEmpty { try insertRecovered(recovered.pieces, &report) }
        if let text = recovered.text {
            if let stored {
                switch try save(recovered, text, over: stored, at: position) {
                case .saved(let row), .merged(let row, _): report.saved.append(row)
                case .conflict(_, _, let copy): report.copies.append(copy)
                }
            } else {
                try insertRecovered(text, &report)
            }
        }
    }

    private func save(
        _ recovered: RecoveredText, _ text: String, over stored: StoredText, at position: JournalPosition?
    ) throws(StoreError) -> SaveOutcome {
        // An older notebook lies in the place of the one that the text was made from: nothing in it is newer than that.
        let isOlder = stored.revision < recovered.baseRevision
        if isOlder { try notebook.versions.keep(of: recovered.note) }
        let isUnchanged = isOlder || recovered.base?.hasSameBytes(as: stored.text) ?? false
        return try notebook.notes.save(
            recovered.note, text: TextBuffer(text), baseRevision: isUnchanged ? stored.revision : -1,
            base: isUnchanged ? TextBuffer(stored.text) : recovered.base.map { TextBuffer($0) }, position: position)
    }

    /// Makes a note of a text whose own note is gone, or of the pieces of one.
    private func insertRecovered(_ text: String, _ report: inout ReplayReport) throws(StoreError) {
        let title = TextFacts.derivedTitle(of: text) + " (recovered)"
        let facts = TextFacts(of: text, title: title)
        let words = IndexedWords(title: title, text: text, unknownTo: notebook.termCache)
        let copy = try notebook.write { transaction in
            // There already if the journal is replayed once more.
            try transaction.copy(named: "(recovered)", of: text)
                ?? transaction.insert(NewNote(text: text, title: title), facts: facts, words: words)
        }
        report.copies.append(copy)
    }

    /// The images that the journals of running programs may refer to.
    ///
    /// An image may be typed letter by letter, or come back by undo, so of a program that runs nothing can be said. What
    /// was set aside is looked through for whatever looks like an image's address.
    func images() throws(StoreError) -> ImageReferences {
        if try !journals().isEmpty { return .unknown }
        var found: Set<String> = []
        for path in try damaged() {
            do {
                found.formUnion(ImageAddresses.all(in: try RegularFile.read(FilePath(path), limit: .max).bytes))
            } catch {
                return .unknown
            }
        }
        return .known(found)
    }
}

/// The addresses of images in bytes that need be no text.
private enum ImageAddresses {
    private static let start = Array("image/".utf8)

    /// Upper-case UUIDs.
    static func all(in bytes: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        var rest = bytes[...]
        while let next = rest.firstRange(of: start) {
            rest = rest[next.upperBound...]
            if let id = UUID(uuidString: String(decoding: rest.prefix(36), as: UTF8.self)) {
                found.insert(id.uuidString)
            }
        }
        return found
    }
}

// MARK: - Journals of version 0.1

extension Notebook.Journal {
    private func replayLegacy(_ path: String, _ report: inout ReplayReport) throws(StoreError) {
        guard !LegacyJournal.isOwned(path) else { return }
        let queue: DatabaseQueue
        let texts: [RecoveredText]?
        do {
            queue = try LegacyJournal.open(path)
            texts = try queue.read { db in
                guard isOwn(fileNamed: try LegacyJournal.notebook(db)) else { return nil }
                return try LegacyJournal.recovered(db) { try notebook.notes.text($0) }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return
        } catch let error as DatabaseError
            where error.resultCode == .SQLITE_CORRUPT || error.resultCode == .SQLITE_NOTADB
        {
            for ending in ["-wal", "-shm"] where DiskFile.exists(path + ending) {
                try DiskFile.move(path + ending, to: path + ending + JournalFile.damagedEnding)
            }
            return try setAside(path, &report)
        } catch {
            throw StoreError(error, path: path)
        }
        for text in texts ?? [] { try bringBack(text, try storedText(text.note), at: nil, &report) }
        // Removed before the lock goes, so that nobody replays it again.
        if texts != nil { LegacyJournal.remove(path) }
        do {
            try queue.close()
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

// MARK: - How far journals are saved

extension Notebook.Journal {
    /// What the name of a mark begins with.
    private static let marks = "journal/"

    private static func markName(_ note: NoteID, _ session: String) -> String { "\(marks)\(session)/\(note)" }

    /// How far a journal's changes of a note are in the notebook.
    func mark(of note: NoteID, in session: String) throws(StoreError) -> JournalMark? {
        let words = try notebook.settings.value(Self.markName(note, session))?.split(separator: " ") ?? []
        guard words.count == 2, let number = UInt64(words[0]), let revision = Int64(words[1]) else { return nil }
        return JournalMark(number: number, revision: revision)
    }

    /// Forgets the marks of a journal that is gone.
    private func forgetMarks(of session: String) throws(StoreError) {
        let start = Self.marks + session + "/"
        guard try notebook.read({ try Self.hasMarks($0, from: start, to: Self.marks + session + "0") }) else { return }
        try notebook.write { transaction in
            try transaction.run(
                "DELETE FROM setting WHERE key >= ? AND key < ?", [start, Self.marks + session + "0"])
        }
    }

    private static func hasMarks(_ db: Database, from start: String, to end: String) throws -> Bool {
        try Bool.fetchOne(
            db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM setting WHERE key >= ? AND key < ?)"),
            arguments: [start, end]) ?? false
    }

    /// Forgets the marks of all journals that are gone.
    ///
    /// A session that ends well leaves them to the next one, so that no program that is left waits for the disk.
    func forgetMarksOfGone() throws(StoreError) {
        let keys = try notebook.read { db in
            try String.fetchAll(db, sql: "SELECT key FROM setting WHERE key >= 'journal/' AND key < 'journal0'")
        }
        let files = Set(try journals().map { FilePath($0).stem ?? "" })
        let gone = Set(keys.compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) }).subtracting(
            files)
        for session in gone { try forgetMarks(of: session) }
    }
}

extension Transaction {
    /// Says how far a journal's changes of a note are in the notebook, with the text that they led to.
    ///
    /// In the transaction that saves the text: a program that is killed has saved both or none.
    func mark(_ position: JournalPosition, of note: NoteID, after outcome: SaveOutcome) throws {
        // A merge has made another text of it.
        var revision: Int64 = 0
        if case .saved(let row) = outcome { revision = row.revision }
        try run(
            "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)",
            ["journal/\(position.session)/\(note)", "\(position.number) \(revision)"])
    }
}
