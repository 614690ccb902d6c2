import Foundation
import GRDB
import SystemPackage
import TextEditing

/// The result of replaying the journals of dead programs.
public struct ReplayReport: Equatable, Sendable {
    /// Notes whose text was saved as it was on the screen, merged with the changes of other programs.
    public var saved: [NoteRow] = []
    /// New notes for texts whose note was changed elsewhere in the same words, or is gone.
    public var copies: [NoteRow] = []
    /// Notes that were cut and are back; those in `returnedElsewhere` have lost their origin.
    public var returned: [NoteRow] = []
    public var returnedElsewhere: [NoteRow] = []
    /// Paths of journals that were set aside as partly unreadable; the readable part was restored.
    public var setAside: [String] = []
    /// Journals with text that could not be saved; they stay where they are, for the next start.
    public var waiting: [WaitingJournal] = []
    /// Errors that stopped the replay of a journal, those of `waiting` included; it is tried again at the next start.
    public var problems: [StoreError] = []

    public var isEmpty: Bool { self == ReplayReport() }
}

/// A journal of a dead program whose text could not be saved in the notebook.
public struct WaitingJournal: Equatable, Sendable {
    public let path: String
    /// The number of notes of which it has newer text.
    public let notes: Int
    public let problem: StoreError

    public var folder: String { FilePath(path).parent.string }
}

extension Notebook.Journal {
    /// The folder of the session journals, beside the notebook.
    var folder: String { FilePath(notebook.path).parent.appending("sessions").string }

    /// Starts the journal of this program.
    ///
    /// - Parameter syncFailed: called on another thread when written data may not survive a power cut.
    public func open(
        syncFailed: @escaping @Sendable (Errno) -> Void = { _ in }
    ) throws(StoreError) -> SessionJournal {
        do {
            let name = FilePath(notebook.path).lastComponent?.string ?? notebook.path
            return try SessionJournal(
                folder: folder, notebook: name, identity: try notebook.notebookID().description,
                disk: notebook.options.journalDisk, syncFailed: syncFailed)
        } catch let error as Errno where [.noSpace, .diskQuotaExceeded].contains(error) {
            throw StoreError(errno: error.rawValue, path: folder)
        } catch let error as Errno {
            throw .cannotCreate(path: folder, errno: error.rawValue)
        } catch {
            throw StoreError(error, path: folder)
        }
    }

    /// Restores what dead programs had typed and not saved, and the notes that they had cut.
    ///
    /// Every program calls it at start, commands too. If there is nothing to do, it costs listing the folder. Each
    /// journal is replayed by itself: an error in one is reported and does not stop the others.
    ///
    /// - Throws: if the folder cannot be read; treating its journals as gone would return notes that running programs
    ///   have cut.
    @discardableResult
    public func replay() throws(StoreError) -> ReplayReport { try replay(nil).report }

    /// Replays a journal that this program has locked, and all others of dead programs.
    ///
    /// - Returns: the report, and the paths of the journals that stay where they are.
    public func replay(_ ended: EndedSession?) throws(StoreError) -> (report: ReplayReport, left: Set<String>) {
        var report = ReplayReport()
        var left: Set<String> = []
        // It is replayed once the notebook can be written.
        if ended != nil, notebook.isReadOnly { return (report, left) }
        for path in try journals() {
            do {
                let file = ended?.file
                if try !replay(path, file?.path == path ? file : nil, &report) { left.insert(path) }
            } catch {
                report.problems.append(error)
                left.insert(path)
            }
        }
        let (returned, elsewhere) = try notebook.buffer.giveBack { () throws(StoreError) in
            Set(try journals().filter(Self.isOwned).map { FilePath($0).stem ?? "" })
        }
        report.returned = returned
        report.returnedElsewhere = elsewhere
        return (report, left)
    }

    /// Returns the paths of the journals whose programs have died; none for a notebook that can only be read.
    ///
    /// It costs listing the folder and a look at each lock.
    public func abandoned() throws(StoreError) -> Set<String> {
        guard !notebook.isReadOnly else { return [] }
        return Set(try journals().filter { !Self.isOwned($0) })
    }

    /// Returns the journals of dead programs that have newer text than a read-only notebook; changes nothing.
    func waiting() throws(StoreError) -> [WaitingJournal] {
        var waiting: [WaitingJournal] = []
        for path in try journals() where path.hasSuffix(JournalFile.ending) {
            do {
                guard let file = try JournalFile.adopt(path, isRead: true) else { continue }
                let session = FilePath(path).stem ?? ""
                let contents = JournalContents(try file.read(), session: UUID(uuidString: session) ?? UUID.random())
                guard !contents.isNewer, try isOwn(contents) else { continue }
                let notes = try contents.notes.filter { log in
                    log.recovered(mark: try mark(of: log.note, in: session), stored: try storedText(log.note)) != nil
                }
                if notes.isEmpty { continue }
                waiting.append(
                    WaitingJournal(path: path, notes: notes.count, problem: .readOnly(path: notebook.path)))
            } catch {
                // An unreadable journal must not keep the others from being reported; the replay reports it.
                continue
            }
        }
        return waiting
    }

    /// The paths of the journals that were set aside as partly unreadable.
    public func damaged() throws(StoreError) -> [String] {
        try sessionFiles().filter { $0.hasSuffix(JournalFile.damagedEnding) }.map { folder + "/" + $0 }
    }

    /// The paths of the journals that newer programs have left, with texts that only such a program can bring back.
    public func ofNewerPrograms() throws(StoreError) -> [String] {
        try journals().filter { path in
            guard path.hasSuffix(JournalFile.ending), !JournalFile.isOwned(path),
                let bytes = try? RegularFile.read(FilePath(path), limit: .max).bytes  // the replay reports the reason
            else { return false }
            return JournalContents(Array(bytes.prefix(JournalFormat.mark.count)), session: UUID.random()).isNewer
        }
    }

    func journals() throws(StoreError) -> [String] {
        try sessionFiles().filter { $0.hasSuffix(JournalFile.ending) || $0.hasSuffix(LegacyJournal.ending) }
            .map { folder + "/" + $0 }
    }

    private func sessionFiles() throws(StoreError) -> [String] {
        // A missing folder has no files; this check is cheaper than handling the error.
        guard DiskFile.exists(folder) else { return [] }
        do throws(Errno) { return try FolderListing.names(of: FilePath(folder)).map(\.string).sorted() } catch {
            throw StoreError(error, path: folder)
        }
    }

    private static func isOwned(_ path: String) -> Bool {
        path.hasSuffix(JournalFile.ending) ? JournalFile.isOwned(path) : LegacyJournal.isOwned(path)
    }

    /// Replays one journal, if its program has died.
    ///
    /// - Parameter held: the journal's file, if this program has locked it already.
    /// - Returns: false if the journal is left alone because it is of a newer program or of another notebook.
    private func replay(_ path: String, _ held: JournalFile?, _ report: inout ReplayReport) throws(StoreError) -> Bool {
        guard path.hasSuffix(JournalFile.ending) else { return try replayLegacy(path, &report) }
        let file: JournalFile?
        let bytes: [UInt8]
        do {
            // Locks the journal until this call ends, so that of two programs starting at once only one replays it.
            file = try held ?? JournalFile.adopt(path)
            guard let file else { return true }
            bytes = try file.read()
        } catch {
            throw StoreError(reading: path, error)
        }
        defer { file?.unlock() }
        let session = FilePath(path).stem ?? ""
        let contents = JournalContents(bytes, session: UUID(uuidString: session) ?? UUID.random())
        // A journal of a newer program, or of another notebook, is left alone.
        guard !contents.isNewer, try isOwn(contents) else { return false }
        file?.freeReserve()
        let problems = bringBackTexts(of: contents.notes, in: session, &report)
        if let problem = problems.first {
            report.waiting.append(WaitingJournal(path: path, notes: problems.count, problem: problem))
            throw problem
        }
        // This is done while the lock is held, so that no program replays the journal again.
        if contents.isDamaged {
            try setAside(path, &report)
        } else {
            DiskFile.remove(path)
        }
        // If a power cut brought a journal back without its marks, it would be replayed again, over later changes. The
        // same would happen to a journal that cannot be removed.
        guard !DiskFile.exists(path) else { return false }
        DiskFile.syncFolder(folder)
        try forgetMarks(of: session)
        return true
    }

    /// Brings back what the notebook lacks of each note.
    ///
    /// - Returns: the reasons why notes could not be saved, one for each such note.
    private func bringBackTexts(
        of notes: [NoteLog], in session: String, _ report: inout ReplayReport
    ) -> [StoreError] {
        var problems: [StoreError] = []
        for log in notes {
            do throws(StoreError) {
                let stored = try storedText(log.note)
                let mark = try mark(of: log.note, in: session)
                guard let text = log.recovered(mark: mark, stored: stored) else { continue }
                try bringBack(text, stored, at: JournalPosition(session: session, number: text.last), &report)
            } catch {
                problems.append(error)
            }
        }
        return problems
    }

    /// Keeps a partly unreadable journal under a name that no program replays.
    func setAside(_ path: String, _ report: inout ReplayReport) throws(StoreError) {
        let kept = path + JournalFile.damagedEnding
        try DiskFile.move(path, to: kept)
        report.setAside.append(kept)
    }

    /// Whether a journal belongs to this notebook, by the recorded identity or file name of its notebook.
    ///
    /// Another notebook beside this one replays its own journals. A journal whose notebook no longer exists is better
    /// replayed here than nowhere. A journal whose first record is damaged has neither: it belongs to this notebook if
    /// the notebook has one of its notes, or if no other notebook is in the folder.
    private func isOwn(_ journal: JournalContents) throws(StoreError) -> Bool {
        if let name = journal.notebook {
            // A renamed notebook keeps its identity, but a copy has the same identity, so the name is checked first.
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
        // A folder that cannot be listed contains no notebook that could replay the journal.
        let names = (try? FolderListing.names(of: FilePath(notebook.path).parent)) ?? []  // gone: none
        // A dangling link is not a notebook either.
        return !names.contains { $0 != own && $0.extension == own?.extension && hasFile(named: $0.string) }
    }

    func isOwn(fileNamed name: String?) -> Bool {
        guard let name, hasFile(named: name) else { return true }
        return DiskFile.isSame(file(named: name), notebook.path)
    }

    private func hasFile(named name: String) -> Bool { DiskFile.exists(file(named: name)) }

    private func file(named name: String) -> String {
        FilePath(notebook.path).parent.appending(name).string
    }

    func storedText(_ note: NoteID) throws(StoreError) -> StoredText? {
        // Both in one read: if another program saved in between, its text would be paired with the older revision.
        try notebook.read { db -> StoredText? in
            let sql = "SELECT id, revision FROM note WHERE uuid = ?"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: [note.description]),
                let key = row[0] as Int64?, let revision = row[1] as Int64?,
                let text = try Notebook.Notes.text(db, key: key)
            else { return nil }
            return StoredText(text: text, revision: revision)
        }
    }

    /// Saves what was recovered of a note, or makes notes of what cannot be saved in it.
    func bringBack(
        _ recovered: RecoveredText, _ stored: StoredText?, at position: JournalPosition?,
        _ report: inout ReplayReport
    ) throws(StoreError) {
        // The pieces are saved before the text, whose mark says that everything is in the notebook: a kill in between
        // loses nothing, and the next start finds the note made of the pieces.
        if !recovered.pieces.isEmpty { try insertRecovered(recovered.pieces, of: recovered.note, &report) }
        if let text = recovered.text {
            if let stored {
                switch try save(recovered, text, over: stored, at: position) {
                case .saved(let row), .merged(let row, _): report.saved.append(row)
                case .conflict(_, _, let copy): report.copies.append(copy)
                }
            } else {
                try insertRecovered(text, of: recovered.note, &report)
            }
        }
    }

    private func save(
        _ recovered: RecoveredText, _ text: String, over stored: StoredText, at position: JournalPosition?
    ) throws(StoreError) -> SaveOutcome {
        // The notebook was replaced by an older one than the text was made from, so nothing in it is newer than the
        // text.
        let isOlder = stored.revision < recovered.baseRevision
        if isOlder { try notebook.versions.keep(of: recovered.note) }
        let isUnchanged = isOlder || recovered.base?.hasSameBytes(as: stored.text) ?? false
        return try notebook.notes.save(
            recovered.note, text: TextBuffer(text), baseRevision: isUnchanged ? stored.revision : -1,
            base: isUnchanged ? TextBuffer(stored.text) : recovered.base.map { TextBuffer($0) }, position: position)
    }

    /// Makes a note from a text whose own note is gone, or from pieces of a text.
    private func insertRecovered(_ text: String, of note: NoteID, _ report: inout ReplayReport) throws(StoreError) {
        let title = TextFacts.derivedTitle(of: text) + " (recovered)"
        let facts = TextFacts(of: text, title: title)
        let words = IndexedWords(title: title, text: text, unknownTo: notebook.termCache)
        let copy = try notebook.write { transaction in
            // The note exists already if the journal is replayed a second time.
            try transaction.copy(named: "(recovered)", of: text)
                ?? transaction.insert(NewNote(text: text, title: title, sources: [note]), facts: facts, words: words)
        }
        report.copies.append(copy)
    }

    /// The images and files that the session journals may refer to.
    ///
    /// The images of running programs are unknown: an address may be typed letter by letter, or be restored by undo.
    /// Journals that were set aside are searched for everything that looks like the address of an image or file.
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

/// Finds the addresses of images and files in bytes that need not be text.
private enum ImageAddresses {
    private static let starts = ["image/", "file/"].map { Array($0.utf8) }

    /// Returns the identities of all images and files addressed, as upper-case UUIDs.
    static func all(in bytes: [UInt8]) -> Set<String> {
        var found: Set<String> = []
        for start in starts {
            var rest = bytes[...]
            while let next = rest.firstRange(of: start) {
                rest = rest[next.upperBound...]
                if let id = UUID(uuidString: String(decoding: rest.prefix(36), as: UTF8.self)) {
                    found.insert(id.uuidString)
                }
            }
        }
        return found
    }
}
