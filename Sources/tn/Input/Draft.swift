import Foundation
import NoteStore

/// A text that is being written outside of the notebook: a private file in the state folder, with all that is needed
/// to take it in if the program that made it dies.
///
/// Each has a folder of its own that holds the text under a name that an editor can show, the text that it was made
/// from, and `about.json`, which the owner keeps locked. An editor inherits the lock, so that a free one means that
/// neither lives any more.
final class Draft: Sendable {
    /// What has to be known to save the text.
    struct About: Codable, Equatable, Sendable {
        /// The notebook's file.
        var database: String
        /// The note; nil for a new one.
        var note: NoteID?
        /// The revision that the text was made from.
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

    /// A draft of a note's text, or of a new note.
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
        // Last: a draft without it was never begun.
        try Self.write(JSONEncoder().encode(about), to: aboutPath)
    }

    /// A draft whose owner is gone.
    private init?(leftIn folder: String) {
        guard let lock = Self.locked(folder + "/about.json") else { return nil }
        guard let data = try? Data(contentsOf: URL(filePath: folder + "/about.json")),  // gone meanwhile
            let about = try? JSONDecoder().decode(About.self, from: data)  // never written whole: nothing in it yet
        else {
            close(lock)
            return nil
        }
        self.folder = folder
        self.about = about
        self.lock = lock
    }

    deinit { close(lock) }

    /// The drafts for a notebook whose owners died; no other program takes them in while they are held.
    static func leftOver(database: String) -> [Draft] {
        // A folder that is not there holds none, which is cheaper to ask for than to be told by an error.
        guard access(drafts, F_OK) == 0 else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: drafts)) ?? []  // kept for the next start
        let path = URL(filePath: database).path
        return names.sorted().compactMap { Draft(leftIn: drafts + "/" + $0) }.filter { $0.about.database == path }
    }

    // MARK: Text

    /// The text that it was made from.
    func base() throws -> String { try InputText.text(ofFile: basePath) }

    /// The text as it is now; throws if it is not UTF-8.
    func text() throws -> String { try InputText.text(ofFile: path) }

    /// Writes the text, whole or not at all.
    func write(_ text: String) throws {
        let unfinished = path + ".part"
        try Self.write(Data(text.utf8), to: unfinished)
        guard rename(unfinished, path) == 0 else {
            throw Failure.cannotWrite(path, errno)
        }
    }

    /// Removes it: the text is in the notebook now, or nobody wants it.
    func remove() {
        try? FileManager.default.removeItem(atPath: folder)  // what stays is taken in again, and changes nothing
    }

    // MARK: Files

    /// Writes into the file that is there, which keeps its lock, or makes it.
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

    /// Opens and locks a file; nil if somebody else has it locked.
    ///
    /// Not closed on exec: an editor holds it, too.
    private static func locked(_ path: String) -> Int32? {
        let file = open(path, O_RDWR)
        guard file >= 0 else { return nil }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            close(file)
            return nil
        }
        return file
    }

    /// Bytes of a name, so that what editors add to it fits in the 255 that file systems take: a letter of Hindi with
    /// its signs has up to twelve.
    private static let longestName = 120

    /// A title as a file's name: letters, digits, blanks, `-` and `_`, at most 60 characters.
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
