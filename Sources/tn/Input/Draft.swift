import Foundation
import NoteStore

/// A text that is edited outside the notebook: a private file in the state folder.
///
/// The draft has all that is needed to import the text if the program that created it dies. Each draft has a separate
/// folder. It contains the text under a name that an editor can show, the text that it was created from, and
/// `about.json`, which the owner keeps locked. An editor inherits the lock, so a free lock means that both have ended.
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
    }

    private let folder: String
    let about: About
    private let lock: Int32

    var path: String { folder + "/" + about.file }
    private var basePath: String { folder + "/base" }

    private static var drafts: String { Notebook.stateFolder() + "/drafts" }

    /// Creates a draft of a note's text, or of a new note.
    init(of note: Note? = nil, database: String) throws {
        about = About(
            database: URL(filePath: database).path, note: note?.id, revision: note?.row.revision ?? 0,
            file: Self.fileName(note?.title ?? "note"))
        folder = Self.drafts + "/" + UUID().uuidString
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw Failure.cannotCreate(folder, error.localizedDescription)
        }
        let aboutPath = folder + "/about.json"
        guard FileManager.default.createFile(atPath: aboutPath, contents: nil, attributes: [.posixPermissions: 0o600]),
            let lock = Self.locked(aboutPath)
        else { throw Failure.cannotCreate(aboutPath) }
        self.lock = lock
        try write(note?.content ?? "")
        try Self.write(Data((note?.content ?? "").utf8), to: basePath)
        // Written last: a draft without it was never begun.
        try Self.write(JSONEncoder().encode(about), to: aboutPath)
    }

    /// Opens a draft whose owner has ended.
    private init?(leftIn folder: String) {
        guard let lock = Self.locked(folder + "/about.json") else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: folder + "/about.json")),  // it was removed meanwhile
            let about = try? JSONDecoder().decode(About.self, from: data)  // never written whole: no text in it
        else {
            close(lock)
            return nil
        }
        self.folder = folder
        self.about = about
        self.lock = lock
    }

    deinit { close(lock) }

    /// The drafts for a notebook whose owners died; while they are held, no other program imports them.
    static func leftOver(database: String) -> [Draft] {
        // If the folder is missing there are no drafts; this check is cheaper than an error.
        guard access(drafts, F_OK) == 0 else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: drafts)) ?? []  // kept for the next start
        let path = URL(filePath: database).path
        return names.sorted().compactMap { Draft(leftIn: drafts + "/" + $0) }.filter { $0.about.database == path }
    }

    // MARK: Text

    /// The text that the draft was created from.
    func base() throws -> String { try InputText.text(ofFile: basePath) }

    /// The text as it is now; throws if it is not UTF-8.
    func text() throws -> String { try InputText.text(ofFile: path) }

    /// Writes the text, either completely or not at all.
    func write(_ text: String) throws {
        let unfinished = path + ".part"
        try Self.write(Data(text.utf8), to: unfinished)
        guard rename(unfinished, path) == 0 else {
            throw Failure.cannotWrite(path, errno)
        }
    }

    /// Removes the draft, because the text is in the notebook now or is not wanted.
    func remove() {
        try? FileManager.default.removeItem(atPath: folder)  // one that stays is imported again, which changes nothing
    }

    // MARK: Files

    /// Writes into the existing file, which keeps its lock, or creates it.
    private static func write(_ data: Data, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw Failure.cannotCreate(path, errno)
        }
        let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
        } catch {
            throw Failure.cannotWrite(path, error.localizedDescription)
        }
    }

    /// Opens and locks a file; nil if another process has locked it.
    ///
    /// The file is not closed on exec, so that an editor holds it too.
    private static func locked(_ path: String) -> Int32? {
        let file = open(path, O_RDWR)
        guard file >= 0 else { return nil }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            return nil
        }
        return file
    }

    /// The maximum length of a name in bytes.
    ///
    /// It leaves room for the text that editors append to a name, within the 255 bytes that file systems allow: a
    /// letter of Hindi with its signs has up to twelve.
    private static let longestName = 120

    /// Converts a title to a file name: letters, digits, blanks, `-` and `_`, at most 60 characters and `longestName`
    /// bytes.
    private static func fileName(_ title: String) -> String {
        var kept = ""
        for character in title.prefix(60) {
            let next = character.isLetter || character.isNumber || "-_ ".contains(character) ? character : " "
            if kept.utf8.count + next.utf8.count > longestName { break }
            kept.append(next)
        }
        let name = kept.trimmingCharacters(in: .whitespaces)
        return (name.isEmpty ? "note" : name) + ".md"
    }
}
