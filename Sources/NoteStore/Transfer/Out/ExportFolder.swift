import Crypto
import Foundation
import SystemPackage
import TextPrimitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder that an export writes to.
///
/// It replaces and removes only files that an export wrote there and that have not changed since, as the folder's mark
/// shows. It never follows a link out of the folder. It writes each file under a temporary name, accessible only to its
/// owner, and then moves it into place (`RootedFolder`). One thread uses it.
final class ExportFolder {
    private let path: FilePath
    private let folders: RootedFolder
    private var root: FileDescriptor { folders.root }
    private var mark: ExportMark
    /// The open mark file, to which lines are appended.
    private let log: FileDescriptor
    /// The files written by this export.
    private var written: Set<String> = []
    /// The folders in which what killed exports left was removed, as paths from the folder.
    private var swept: Set<String> = []

    /// The reason why a file is not written.
    enum Refusal: Error, Equatable {
        /// There is a file at the path that no export wrote, or that has changed since.
        case notOurs
        case system(Errno)
    }

    /// Opens a folder; makes it if it is missing.
    ///
    /// - Parameters:
    ///   - force: allows a folder that contains other files as well, which stay as they are.
    ///   - isVault: whether the links of the texts name files.
    /// - Throws: `StoreError.folderInUse` for a folder that contains other files, and `StoreError.exportRunning` for one
    ///   that another export is writing to.
    init(_ path: String, force: Bool, isVault: Bool = false) throws(StoreError) {
        self.path = FilePath(path)
        try DiskFile.makeFolders(self.path)
        let root: FileDescriptor
        do {
            root = try FileDescriptor.open(self.path, .readOnly, options: [.directory, .closeOnExec])
        } catch {
            throw .cannotCreate(path: path, errno: (error as? Errno)?.rawValue ?? EIO)
        }
        var opened: FileDescriptor?
        do {
            let (mark, log) = try Self.openMark(in: root, at: self.path, force: force)
            opened = log
            (self.mark, self.log) = (mark, log)
            if self.mark.isVault != isVault {
                try RootedFolder.write(Array(ExportMark.kindLine(isVault: isVault).utf8), to: log)
                self.mark.isVault = isVault
            }
            folders = RootedFolder(root, temporaryPrefix: ExportMark.name)
            // Every export writes its mark here, whether or not it writes other files here.
            folders.sweep(root)
            swept.insert("")
        } catch {
            opened?.unlock()
            for file in [opened, root].compactMap(\.self) { try? file.close() }  // the error counts
            if let error = error as? StoreError { throw error }
            throw Self.storeError((error as? Errno) ?? .ioError, at: path)
        }
    }

    deinit {
        // A child process that is just starting may have the open file too.
        log.unlock()
        try? log.close()  // each write has reported its errors
    }

    /// Reads the folder's mark, or makes one, and locks its file, so that no other export writes here meanwhile.
    private static func openMark(
        in root: FileDescriptor, at path: FilePath, force: Bool
    ) throws -> (mark: ExportMark, log: FileDescriptor) {
        let file = path.appending(ExportMark.name)
        for _ in 0..<openingTries {
            if let log = try openLog(in: root, at: path, isNew: false) {
                guard let mark = ExportMark(in: path) else {
                    try log.close()
                    throw refusal(path, force)
                }
                if try FileStatus(log).identity == FileStatus(file, followsLinks: false).identity { return (mark, log) }
                // An export that has just ended put another file in its place.
                try log.close()
            } else if try force || FolderListing.names(of: root).isEmpty,
                let log = try openLog(in: root, at: path, isNew: true)
            {
                return (ExportMark(), log)
            } else if (try? FileStatus(file, followsLinks: false))?.kind != .file {  // removed again: still in use
                throw refusal(path, force)
            }
            // Another export has just made the file.
        }
        throw StoreError.exportRunning(path: path.string)
    }

    /// The number of attempts to open a mark that other exports make or replace meanwhile.
    private static let openingTries = 10

    /// Returns the error for a folder whose mark, if it has one, is not that of an export.
    private static func refusal(_ path: FilePath, _ force: Bool) -> StoreError {
        force ? .cannotCreate(path: path.string, errno: EEXIST) : .folderInUse(path: path.string)
    }

    /// Opens the mark's file, to which lines are appended, and locks it.
    ///
    /// - Returns: `nil` if it is missing or not a file, or if it is to be new and is there.
    /// - Throws: `StoreError.exportRunning` if another export has the lock.
    private static func openLog(in root: FileDescriptor, at path: FilePath, isNew: Bool) throws -> FileDescriptor? {
        let flags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let file = openat(root.rawValue, ExportMark.name, isNew ? flags | O_CREAT | O_EXCL : flags, 0o600)
        guard file >= 0 else {
            if (isNew ? [EEXIST] : [ENOENT, ELOOP, EISDIR, ENXIO]).contains(errno) { return nil }
            throw Errno(rawValue: errno)
        }
        let log = FileDescriptor(rawValue: file)
        do {
            // On a file system without locks, every export may write.
            guard (try? log.lockIfFree()) ?? true else { throw StoreError.exportRunning(path: path.string) }
            // An export that was killed before it wrote anything leaves an empty file.
            if try FileStatus(log).size == 0 {
                try RootedFolder.write(Array((ExportMark.firstLine + "\n").utf8), to: log)
            }
            return log
        } catch {
            try? log.close()  // the error counts
            throw error
        }
    }

    // MARK: - Files

    /// Writes a file into the folder.
    ///
    /// - Parameters:
    ///   - path: the names from the folder to the file, the file's name last.
    ///   - note: the note in the file; nil for an image.
    ///   - origin: what the note is like now, if an import can take the file's changes.
    ///   - properties: what the file does not say of the note; it gets the date of the last change.
    func write(
        _ bytes: [UInt8], to path: [String], note: NoteID?, origin: ExportMark.Origin? = nil,
        properties: ExportMark.Properties? = nil
    ) throws(Refusal) {
        do {
            let folder = try folders.folder(path.dropLast(), isMade: true)
            if swept.insert(path.dropLast().joined(separator: "/")).inserted { folders.sweep(folder) }
            let name = path.last ?? ""
            let key = path.joined(separator: "/")
            let entry = ExportMark.Entry(hash: Self.hash(of: bytes), note: note, properties: properties, origin: origin)
            let present = try presentHash(name, in: folder, at: key)
            if present == entry.hash, mark[key] == entry {
                written.insert(key)
                return
            }
            let isThere = present != nil
            try RootedFolder.write(Array(ExportMark.line(key, entry).utf8), to: log)
            // A replacement is on the disk before the file that it replaces goes, so that a power cut leaves one of the
            // two.
            try folders.put(
                bytes, modified: properties?.updated, name, in: folder, replacing: isThere, isSynced: isThere
            ) {}
            mark[key] = entry
            written.insert(key)
        } catch let refusal as Refusal {
            throw refusal
        } catch is RootedFolder.LeadsElsewhere {
            throw .notOurs
        } catch {
            throw .system((error as? Errno) ?? .ioError)
        }
    }

    /// Whether there is anything at this path, made by an export or not.
    func has(_ path: [String]) -> Bool {
        var status = stat()
        return fstatat(root.rawValue, path.joined(separator: "/"), &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Whether an export has written a file at this path.
    func isOurs(_ path: [String]) -> Bool { mark[path.joined(separator: "/")] != nil }

    /// Returns the hash of the file that may be replaced, or `nil` if there is none; throws if there is one that may not.
    private func presentHash(_ name: String, in folder: FileDescriptor, at path: String) throws -> String? {
        var status = stat()
        if fstatat(folder.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) != 0 {
            if errno == ENOENT { return nil }
            throw Errno(rawValue: errno)
        }
        guard mark[path] != nil, FileStatus(status).kind == .file else { throw Refusal.notOurs }
        let file = openat(folder.rawValue, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { throw Errno(rawValue: errno) }
        let descriptor = FileDescriptor(rawValue: file)
        defer { try? descriptor.close() }  // nothing was written
        let size = Int(status.st_size)
        let bytes = try descriptor.readToEnd(expecting: size + 1, limit: size)
        let hash = Self.hash(of: bytes)
        guard bytes.count == size, mark.has(hash, at: path) else { throw Refusal.notOurs }
        return hash
    }

    /// Removes older files of the written notes, and writes the mark again.
    ///
    /// These are files that earlier exports wrote of the same notes under other names with the same ending, unless they
    /// have changed since. The files of notes that are in Trash now go too, since an import would bring the notes back.
    ///
    /// - Parameter trashed: the notes in Trash.
    func finish(trashed: Set<NoteID> = []) throws(Refusal) {
        do {
            let notes = Dictionary(
                written.compactMap { path in mark[path]?.note.map { (Moved(note: $0, path: path), path) } },
                uniquingKeysWith: { one, _ in one })
            for (path, entry) in mark.entries where !written.contains(path) {
                guard let note = entry.note,
                    trashed.contains(note) || notes[Moved(note: note, path: path)] != nil
                else { continue }
                if remove(path) { mark[path] = nil }
            }
            let text = Array(mark.text.utf8)
            try folders.put(text, ExportMark.name, in: root, replacing: true, isSynced: true) {}
        } catch {
            throw .system((error as? Errno) ?? .ioError)
        }
    }

    /// A note and the extension of its file.
    private struct Moved: Hashable {
        let note: NoteID
        let ending: String

        init(note: NoteID, path: String) {
            self.note = note
            ending = FilePath(path).lowercasedExtension
        }
    }

    /// Removes a file that an export wrote; returns whether it is gone.
    private func remove(_ path: String) -> Bool {
        let names = path.split(separator: "/").map(String.init)
        guard let folder = try? folders.folder(names.dropLast(), isMade: false),  // removed, or replaced by a link
            let name = names.last,
            (try? presentHash(name, in: folder, at: path)) != nil  // a changed file stays
        else { return false }
        return unlinkat(folder.rawValue, name, 0) == 0
    }

    // MARK: - Helpers

    private static func hash(of bytes: [UInt8]) -> String {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        return Hexadecimal.text(Insecure.MD5.hash(data: text))
    }

    /// Returns the error if it ends an export because no other file could be written either; nil otherwise.
    static func fatalError(_ refusal: Refusal, at path: String) -> StoreError? {
        guard case .system(let error) = refusal else { return nil }
        switch error {
        case .noSpace, .diskQuotaExceeded, .readOnlyFileSystem: return storeError(error, at: path)
        default: return nil
        }
    }

    static func storeError(_ error: Errno, at path: String) -> StoreError {
        switch error {
        case .noSpace, .diskQuotaExceeded, .readOnlyFileSystem: StoreError(errno: error.rawValue, path: path)
        default: .cannotCreate(path: path, errno: error.rawValue)
        }
    }
}
