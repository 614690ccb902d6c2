import Foundation
import NoteStore
import Synchronization
import SystemPackage

/// A text that is edited outside the notebook: a private file in the state folder.
///
/// The draft has all that is needed to import the text if the program that created it dies. Each draft has a separate
/// folder. It contains the text under a name that an editor can show, the text that it was created from, and
/// `about.json`. The owner keeps `owner` locked, and `about.json` too, whose lock an editor inherits: if both are free,
/// both programs have ended. Whoever finds the draft takes them in this order, so the owner alone sees whether a process
/// of the editor goes on. Once an editor has handed the text to another program, `handed.json` takes the place of
/// `about.json`.
final class Draft: Sendable {
    /// The data needed to save the text.
    struct About: Codable, Equatable, Sendable {
        /// The notebook's file.
        var database: String
        /// The note; nil for a new one.
        var note: NoteID?
        /// The revision that the text was created from.
        var revision: Int64
        /// The name of the file with the text.
        var file: String
        /// The time until which another program, to which the editor has handed the text, may save it; nil if none may.
        var handedOverUntil: Date?
        /// The note at whose end the text was to be added; nil for any other text.
        var addition: Addition?
        /// The identity of the note that the text becomes if it is a new one; nil in drafts of earlier programs.
        ///
        /// It tells a program that was killed before it removed the draft from one that has not saved the text.
        var becoming: NoteID?

        var isHandedOver: Bool { handedOverUntil.map { $0 > Date() } ?? false }
    }

    /// The note at whose end a text was to be added.
    struct Addition: Codable, Equatable, Sendable {
        /// Its title, or the words that the user wrote for it.
        var title: String
        /// Its identity; nil if there was no such note.
        var note: NoteID?
        /// Its revision before the text was added; nil if the text was not added before the draft was made.
        var revision: Int64?
    }

    private let folder: FilePath
    private let facts: Mutex<About>
    var about: About { facts.withLock { $0 } }
    /// The locked file; nil once another process has the draft.
    private let lock: Mutex<FileDescriptor?>
    /// The file that is locked for as long as this program has the draft; nil for one of an earlier program.
    private let ownerLock: FileDescriptor?

    var path: String { folder.appending(about.file).string }
    private var basePath: FilePath { folder.appending("base") }
    /// The text that was last put on the disk, which a power cut leaves.
    private var syncedPath: FilePath { folder.appending("synced") }
    private var aboutPath: FilePath { folder.appending(Self.aboutName) }
    private var handedPath: FilePath { folder.appending(Self.handedName) }

    private static let aboutName = "about.json"
    private static let handedName = "handed.json"
    private static let ownerName = "owner"
    /// The beginning of the name of a draft that is being made.
    private static let unfinishedPrefix = "."
    private static var drafts: FilePath { FilePath(Notebook.stateFolder()).appending("drafts") }

    /// Creates a draft of a note's text, or of a new note.
    ///
    /// - Parameters:
    ///   - addition: the note at whose end the text was to be added.
    ///   - becoming: the identity of the new note that the text becomes.
    init(
        of note: Note? = nil, addition: Addition? = nil, becoming: NoteID = NoteID(), database: String
    ) throws {
        let about = About(
            database: Notebook.absolute(database), note: note?.id, revision: note?.row.revision ?? 0,
            file: Self.fileName(note?.title ?? addition.map { "For " + $0.title } ?? "note"),
            addition: addition, becoming: becoming)
        facts = Mutex(about)
        let name = UUID.random().uuidString
        folder = Self.drafts.appending(name)
        // The draft is complete and locked before it has the name under which others look for it.
        let unfinished = Self.drafts.appending(Self.unfinishedPrefix + name)
        do throws(StoreError) {
            try PrivateFile.makeFolder(unfinished)
        } catch {
            throw Failure.noDraft(error)
        }
        do {
            let owner = unfinished.appending(Self.ownerName)
            try Self.write([], to: owner)
            ownerLock = try Self.lock(made: owner, .closeOnExec)
            let text = note?.content ?? ""
            try Self.write(text.utf8, to: unfinished.appending(about.file))
            try Self.write(text.utf8, to: unfinished.appending("base"))
            try Self.write(JSONEncoder().encode(about), to: unfinished.appending(Self.aboutName))
            lock = Mutex(try Self.lock(made: unfinished.appending(Self.aboutName)))
            do throws(Errno) {
                try PrivateFile.rename(unfinished, to: folder)
            } catch {
                throw Failure.cannotCreate(folder.string, error.rawValue)
            }
        } catch {
            try? PrivateFile.removeAll(unfinished)  // the first error is reported
            throw error
        }
    }

    /// Opens a draft whose owner has ended.
    private init?(leftIn folder: FilePath) {
        guard !Self.isUnfinished(folder), let locks = Self.locks(of: folder) else { return nil }
        // A draft without a record was removed meanwhile, or was never completely written and has no text.
        guard let about = Self.about(in: folder) else {
            locks.close()
            return nil
        }
        self.folder = folder
        facts = Mutex(about)
        lock = Mutex(locks.about)
        ownerLock = locks.owner
    }

    /// The locked files of a draft.
    private struct Locks {
        /// Nil for a draft of an earlier program.
        let owner: FileDescriptor?
        let about: FileDescriptor

        func close() {
            // Nothing was written through them.
            try? about.close()
            try? owner?.close()
        }
    }

    /// Locks a draft; nil if its owner lives, or a process of the owner's editor, or if there is none.
    private static func locks(of folder: FilePath) -> Locks? {
        let path = folder.appending(ownerName)
        let owner = locked(path, .closeOnExec)
        guard owner != nil || !PrivateFile.exists(path) else { return nil }
        if let about = locked(folder.appending(aboutName)) { return Locks(owner: owner, about: about) }
        try? owner?.close()  // nothing was written
        return nil
    }

    private static func about(in folder: FilePath) -> About? {
        about(folder, handedName) ?? about(folder, aboutName)
    }

    private static func about(_ folder: FilePath, _ name: String) -> About? {
        // Most drafts have only one of the files.
        guard let bytes = try? PrivateFile.read(folder.appending(name)) else { return nil }
        return try? JSONDecoder().decode(About.self, from: Data(bytes))  // an unreadable one tells nothing
    }

    deinit {
        // Nothing was written through them.
        try? lock.withLock { $0 }?.close()
        try? ownerLock?.close()
    }

    /// Returns the drafts for a notebook whose owners died; while they are locked, no other program imports them.
    static func leftOver(database: String) -> [Draft] {
        // If the folder is missing there are no drafts; this check is cheaper than an error.
        guard PrivateFile.exists(drafts) else { return [] }
        let path = Notebook.absolute(database)
        return all().compactMap { folder in
            if let draft = Draft(leftIn: folder) { return draft.about.database == path ? draft : nil }
            removeRemains(folder)
            return nil
        }
    }

    /// The folders of drafts whose record cannot be read, so that nobody can tell to which notebook their text belongs.
    static func damaged() -> [FilePath] {
        guard PrivateFile.exists(drafts) else { return [] }
        return all().filter { folder in
            // Whether the record exists is asked last, since it goes first when a draft is removed meanwhile.
            !isUnfinished(folder) && about(in: folder) == nil && PrivateFile.exists(folder.appending(aboutName))
        }
    }

    /// The folders of drafts; none if they cannot be listed.
    private static func all() -> [FilePath] {
        ((try? PrivateFile.names(in: drafts)) ?? []).map(drafts.appending)  // kept for the next start
    }

    /// Removes what is left of a draft whose program was killed while it made or removed it; it has no text to keep.
    ///
    /// A living program makes or removes a draft in a moment, so nothing is left for a day.
    private static func removeRemains(_ folder: FilePath) {
        guard !PrivateFile.exists(folder.appending(aboutName)) || isUnfinished(folder),
            let modified = PrivateFile.modified(folder), -modified.timeIntervalSinceNow > keptHandedOver
        else { return }
        try? PrivateFile.removeAll(folder)  // it is tried again by the next command
    }

    private static func isUnfinished(_ folder: FilePath) -> Bool {
        folder.lastComponent?.string.hasPrefix(unfinishedPrefix) == true
    }

    /// Whether another program may still save a draft of the notebook.
    static func areAwaited(database: String) -> Bool {
        let path = Notebook.absolute(database)
        return all().contains { folder in
            guard !isUnfinished(folder), let about = about(in: folder), about.database == path else { return false }
            guard !about.isHandedOver, let locks = locks(of: folder) else { return true }
            locks.close()
            return false
        }
    }

    // MARK: Text

    /// Returns the text that the draft was created from.
    func base() throws -> String { try Self.text(of: basePath) }

    /// Returns the present text, or after a power cut that has emptied its file, the text that was last synced.
    ///
    /// - Throws: `Failure` if the text is not UTF-8.
    func text() throws -> String {
        // If there is no synced text, as when an editor writes the draft, only the file counts.
        guard PrivateFile.exists(syncedPath) else { return try Self.text(of: FilePath(path)) }
        // A file that cannot be read is replaced by the synced one, whose errors are reported.
        if let text = try? Self.text(of: FilePath(path)), !text.isEmpty { return text }
        return try Self.text(of: syncedPath)
    }

    /// Returns the text of a regular file; a pipe that an editor has left in its place would keep every program waiting.
    private static func text(of file: FilePath) throws -> String {
        if file.string.isFolder { throw Failure.editorsFolder(file.string) }
        return try InputText.text(of: PrivateFile.read(file), name: file.string)
    }

    /// Writes the text, either completely or not at all.
    func write(_ text: String) throws { try write(Array(text.utf8)) }

    /// Writes bytes that may be no text, either completely or not at all.
    func write(_ bytes: [UInt8]) throws {
        let unfinished = path + ".part"
        try Self.write(bytes, to: FilePath(unfinished))
        do throws(Errno) {
            try PrivateFile.rename(FilePath(unfinished), to: FilePath(path))
        } catch {
            throw Failure.cannotWrite(path, error.rawValue)
        }
    }

    /// Adds text at the end; unlike `write` it costs the same however much is there.
    func append(_ text: String) throws {
        do {
            let file = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.append, .closeOnExec])
            try file.closeAfter { try file.writeWaiting(text.utf8) }
        } catch {
            throw Failure.cannotWrite(path, (error as? Errno ?? .ioError).rawValue)
        }
    }

    /// Puts the draft on the disk, so that a power cut leaves it; takes as long as the disk does.
    ///
    /// `write` only renames a file, which a power cut may leave empty.
    ///
    /// - Parameter text: the text to keep; nil if an editor writes it, which syncs what it saves itself.
    func sync(_ text: String? = nil) throws {
        if let text { try PrivateFile.write(text.utf8, to: syncedPath) }
        for file in [basePath, aboutPath, FilePath(path)] where PrivateFile.exists(file) { try PrivateFile.sync(file) }
        PrivateFile.syncFolder(folder)
        PrivateFile.syncFolder(Self.drafts)
    }

    /// Whether the file with the text exists, since an editor may have removed it.
    var hasText: Bool { PrivateFile.exists(FilePath(path)) || PrivateFile.exists(syncedPath) }

    /// Releases the draft after the editor has ended; returns whether another process still holds it.
    ///
    /// An editor that returns at once may continue in the background; its process has inherited the lock.
    func isHeldElsewhere() -> Bool {
        lock.withLock { lock in
            try? lock?.close()  // nothing was written through it; closing leaves an inherited lock in force
            // No other command looks at this lock while the owner's is held.
            lock = Self.locked(aboutPath)
            return lock == nil && PrivateFile.exists(aboutPath)
        }
    }

    // MARK: An editor that hands its file over

    /// How long after its last change a draft is kept whose editor has handed it to another program: a day.
    private static let keptHandedOver = 24.0 * 60 * 60

    /// Whether another program may still save the text, although no process of the editor holds it.
    var isHandedOver: Bool { about.isHandedOver }

    /// Keeps the draft after the editor has ended: what another program saves in it is taken in by any command.
    ///
    /// - Parameters:
    ///   - text: the text that the notebook has now; nil if it has not changed since the draft was made.
    ///   - note: the note that has it, with the revision of exactly this text, or -1.
    func handOver(with text: String? = nil, in note: (id: NoteID, revision: Int64)? = nil) throws {
        // A kill between the two writes leaves the new text with the old revision; merging that changes nothing.
        if let text { try PrivateFile.write(text.utf8, to: basePath) }
        var about = about
        if let note { (about.note, about.revision) = (note.id, note.revision) }
        about.handedOverUntil = Date(timeIntervalSinceNow: Self.keptHandedOver)
        // `about.json` itself stays as it is, since the programs that hold the draft have locked it.
        try PrivateFile.write(JSONEncoder().encode(about), to: handedPath)
        facts.withLock { $0 = about }
    }

    /// Removes the draft, because the text is in the notebook now or is not wanted.
    func remove() {
        // A draft that cannot be removed is imported again, which changes nothing. The record goes first, so that what
        // is left is not taken for a text.
        for path in [aboutPath, handedPath, folder] { try? PrivateFile.removeAll(path) }
    }

    // MARK: Files

    /// Writes into the existing file, which keeps its lock, or creates it.
    private static func write(_ bytes: some Sequence<UInt8>, to path: FilePath) throws {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw Failure.cannotCreate(path.string, (error as? Errno ?? .ioError).rawValue)
        }
        do {
            try file.closeAfter { try file.writeWaiting(bytes) }
        } catch {
            throw Failure.cannotWrite(path.string, (error as? Errno ?? .ioError).rawValue)
        }
    }

    /// Locks a file of a draft that nobody else can find yet.
    private static func lock(
        made path: FilePath, _ options: FileDescriptor.OpenOptions = []
    ) throws -> FileDescriptor {
        do {
            let file = try FileDescriptor.open(path, .readWrite, options: options)
            if try file.lockIfFree() { return file }
            throw Errno.wouldBlock
        } catch {
            throw Failure.cannotCreate(path.string, (error as? Errno ?? .ioError).rawValue)
        }
    }

    /// Opens and locks a file; nil if another process has locked it.
    ///
    /// Without options the file is not closed on exec, so that an editor holds it too.
    private static func locked(
        _ path: FilePath, _ options: FileDescriptor.OpenOptions = []
    ) -> FileDescriptor? {
        guard let file = try? FileDescriptor.open(path, .readWrite, options: options) else { return nil }  // it is gone
        guard (try? file.lockIfFree()) == true else {  // without locks, nobody could tell whose it is
            try? file.close()  // nothing was written
            return nil
        }
        return file
    }

    /// The maximum length of a name in bytes.
    ///
    /// It leaves room for the text that editors append to a name, within the 255 bytes that file systems allow: a
    /// letter of Hindi with its signs has up to twelve.
    private static let maximumNameLength = 120

    /// Converts a title to a file name: letters, digits, blanks, `-` and `_`, at most 60 characters and `maximumNameLength`
    /// bytes.
    private static func fileName(_ title: String) -> String {
        var kept = ""
        for character in title.prefix(60) {
            let next = character.isLetter || character.isNumber || "-_ ".contains(character) ? character : " "
            if kept.utf8.count + next.utf8.count > maximumNameLength { break }
            kept.append(next)
        }
        let name = kept.trimmingCharacters(in: .whitespaces)
        return (name.isEmpty ? "note" : name) + ".md"
    }
}
