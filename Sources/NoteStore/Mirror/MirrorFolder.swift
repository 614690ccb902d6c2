import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder of Markdown outside of the notebook, in which other programs work at the same time.
///
/// It follows no links, and does not search hidden folders. A file is written under a temporary name, synced and then
/// moved into place, and only if the file there is still the one that was read. One thread uses it.
final class MirrorFolder {
    let path: String
    private let folders: RootedFolder
    private var isLocked = false

    /// The reason why a file was not written or removed.
    enum Refusal: Error, Equatable {
        /// The file has changed since it was read, or another one has appeared at its path.
        case changed
        case system(Int32)
    }

    /// The prefix of temporary names, before the process identifier.
    static let temporaryPrefix = ".tn-mirror"

    /// Opens a folder.
    ///
    /// - Parameter isMade: whether to make it if it is missing.
    init(_ path: String, isMade: Bool) throws(StoreError) {
        self.path = path
        if isMade { try DiskFile.makeFolders(FilePath(path)) }
        do {
            let root = try FileDescriptor.open(
                FilePath(path), .readOnly, options: [.directory, .noFollow, .closeOnExec])
            folders = RootedFolder(root, temporaryPrefix: Self.temporaryPrefix)
        } catch {
            throw .cannotCreate(path: path, errno: (error as? Errno)?.rawValue ?? EIO)
        }
    }

    deinit { if isLocked { folders.root.unlock() } }

    /// Returns the path from the root, without links, so that each folder has one path.
    static func resolved(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return FilePath(path).absolute.string }
        defer { free(found) }
        return String(cString: found)
    }

    /// Locks the folder for this program, until it is closed.
    ///
    /// - Returns: false if another program mirrors it.
    func lock() -> Bool {
        let end = ContinuousClock.now + Self.patience
        while true {
            // On a file system without locks, every program may use the folder.
            guard let isFree = try? folders.root.lockIfFree() else { return true }
            isLocked = isFree
            if isFree || end < .now { return isFree }
            usleep(Self.pause)
        }
    }

    /// The identity of the open folder; nil where the file system gives its folders other numbers now and then.
    var identity: FolderIdentity? { FolderIdentity(folders.root) }

    /// The time for which the lock is awaited: a program that was killed leaves it to a child process that it was
    /// starting, until that runs its program.
    private static let patience = Duration.milliseconds(500)
    /// The pause between two attempts to take the lock, in microseconds.
    private static let pause: UInt32 = 20_000

    // MARK: - Reading

    /// A file in the folder.
    struct File: Equatable, Sendable {
        /// The size in bytes.
        let size: Int
        let modified: Date
        let inode: UInt64

        init(_ status: FileStatus) { (size, modified, inode) = (status.size, status.modified, status.identity.number) }
    }

    /// The content of the folder.
    struct Listing: Sendable {
        var files: [ExactText: File] = [:]
        /// The folders below it.
        var folders: Set<ExactText> = []
        /// The files and folders that are ignored, with the reasons.
        var leftAlone: [ExactText: MirrorReason] = [:]
    }

    /// The maximum depth of folders, and the maximum number of names that are read.
    private static let (maximumDepth, maximumNames) = (200, 1_000_000)

    /// All that lies in the folder, except what is hidden.
    ///
    /// - Parameter isTidying: whether files are removed that a program left unfinished; only who has the lock may.
    func list(isTidying: Bool = true) throws(StoreError) -> Listing {
        var listing = Listing()
        var waiting: [[String]] = [[]]
        var count = 0
        while let names = waiting.popLast() {
            do {
                let folder = try folders.folder(names[...], isMade: false)
                for component in try FolderListing.names(of: folder) {
                    count += 1
                    guard count <= Self.maximumNames else { throw StoreError.cannotCreate(path: path, errno: EFBIG) }
                    if let below = try add(component, in: names, folder, to: &listing, isTidying: isTidying) {
                        waiting.append(below)
                    }
                }
            } catch let error as StoreError {
                throw error
            } catch {
                let number = (error as? Errno)?.rawValue ?? EIO
                // An unreadable folder must not count as empty.
                throw .unreadable(name: ([path] + names).joined(separator: "/"), errno: number)
            }
        }
        return listing
    }

    /// Adds what has a name in a folder to a listing.
    ///
    /// - Returns: the names on the way to it if it is a folder whose content is to be listed too.
    private func add(
        _ component: FilePath.Component, in names: [String], _ folder: FileDescriptor, to listing: inout Listing,
        isTidying: Bool
    ) throws -> [String]? {
        let key = FilePath(root: nil, components: component).key
        let way = ExactText((names + [key]).joined(separator: "/"))
        guard String(validating: component) != nil else {
            listing.leftAlone[way] = .badName
            return nil
        }
        if key.utf8.first == UInt8(ascii: ".") {
            if !key.hasPrefix(Self.temporaryPrefix) {
                listing.leftAlone[way] = .hidden
            } else if isTidying {
                // A program that was killed left it; the lock says that none is at work.
                _ = unlinkat(folder.rawValue, key, 0)
            }
            return nil
        }
        var found = stat()
        guard fstatat(folder.rawValue, key, &found, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }  // removed meanwhile
            // A file that cannot be examined must not count as deleted.
            throw Errno(rawValue: errno)
        }
        let status = FileStatus(found)
        switch status.kind {
        case .link: listing.leftAlone[way] = .link
        case .other: listing.leftAlone[way] = .special
        case .file: listing.files[way] = File(status)
        case .folder where names.count + 1 >= Self.maximumDepth: listing.leftAlone[way] = .tooDeep
        case .folder:
            listing.folders.insert(way)
            return names + [key]
        }
        return nil
    }

    /// The status of what has a name in a folder; nil if nothing has it.
    private static func status(_ name: String, in folder: FileDescriptor) throws(Errno) -> FileStatus? {
        var status = stat()
        if fstatat(folder.rawValue, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return FileStatus(status) }
        if errno == ENOENT { return nil }
        throw Errno(rawValue: errno)
    }

    /// The status of a file; nil if there is none, or if something else has its name.
    private func status(ofFile names: [String]) throws -> FileStatus? {
        guard let folder = try folders.present(names.dropLast()),
            let status = try Self.status(names.last ?? "", in: folder), status.kind == .file
        else { return nil }
        return status
    }

    private static func names(_ path: ExactText) -> [String] { path.string.split(separator: "/").map(String.init) }

    /// Reads the bytes of a file, with its status from before the reading; nil if there is no file.
    func read(_ path: ExactText, limit: Int = .max - 1) throws(Refusal) -> (bytes: [UInt8], file: File)? {
        do {
            let names = Self.names(path)
            guard let status = try status(ofFile: names) else { return nil }
            return try folders.read(names, limit: limit).map { ($0, File(status)) }
        } catch {
            throw .system((error as? Errno)?.rawValue ?? EIO)
        }
    }

    /// The time of a file's last change, or `nil` if there is no file.
    func modified(_ path: ExactText) throws(Refusal) -> Date? {
        do { return try status(ofFile: Self.names(path))?.modified } catch {
            throw .system((error as? Errno)?.rawValue ?? EIO)
        }
    }

    /// Whether there is a file, folder or link at a path.
    func has(_ path: ExactText) -> Bool { folders.has(Self.names(path)) }

    // MARK: - Writing

    /// Writes a file.
    ///
    /// - Parameter expected: the git name of the present file's bytes; nil if there must be no file.
    func write(_ bytes: [UInt8], to path: ExactText, expecting expected: String?) throws(Refusal) -> File {
        do {
            let names = Self.names(path)
            let folder = try folders.folder(names.dropLast(), isMade: true)
            var mode: mode_t?
            if let expected {
                try expect(expected, at: path)
                var status = stat()
                if fstatat(folder.rawValue, names.last ?? "", &status, AT_SYMLINK_NOFOLLOW) == 0 {
                    mode = status.st_mode
                }
            }
            try folders.put(
                bytes, names.last ?? "", in: folder, replacing: expected != nil, mode: mode.map { $0 & 0o777 },
                isSynced: true
            ) {
                if let expected { try self.expect(expected, at: path) }
            }
            folders.noteChange(in: names.dropLast())
            guard let status = try Self.status(names.last ?? "", in: folder) else { throw Refusal.changed }
            return File(status)
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Syncs the folders of all files that were written, renamed or removed.
    ///
    /// The notebook's record of a file must not reach the disk before the file does: after a power cut, a file that is
    /// missing would look as if somebody had deleted it, and its note would go to Trash.
    func syncNames() { folders.syncNames() }

    /// Renames a file to a path at which there is no file.
    func move(_ path: ExactText, to other: ExactText, expecting expected: String) throws(Refusal) -> File {
        do {
            try expect(expected, at: path)
            let (from, to) = (Self.names(path), Self.names(other))
            for names in [from, to] { folders.noteChange(in: names.dropLast()) }
            guard let bytes = try folders.read(from) else { throw Refusal.changed }
            if path == other { throw Refusal.changed }
            if Folding.key(path.string) == Folding.key(other.string), try isOneFile(from, to) {
                return try changeCase(of: from, to: to.last ?? "")
            }
            let target = dup(try folders.folder(to.dropLast(), isMade: true).rawValue)
            guard target >= 0 else { throw Errno(rawValue: errno) }
            defer { close(target) }
            let source = try folders.folder(from.dropLast(), isMade: false)
            if linkat(source.rawValue, from.last ?? "", target, to.last ?? "", 0) != 0 {
                guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw Errno(rawValue: errno) }
                // Some file systems allow only one name for a file.
                _ = try write(bytes, to: other, expecting: nil)
            }
            try expect(expected, at: path)
            // The new name is on the disk before the old one goes, or a power cut could leave neither.
            folders.syncNames()
            let folder = try folders.folder(from.dropLast(), isMade: false)
            guard unlinkat(folder.rawValue, from.last ?? "", 0) == 0 || errno == ENOENT else {
                throw Errno(rawValue: errno)
            }
            folders.noteChange(in: from.dropLast())
            guard let status = try Self.status(to.last ?? "", in: FileDescriptor(rawValue: target)) else {
                throw Refusal.changed
            }
            return File(status)
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Renames a file to a name that differs only in case, on a file system that does not distinguish the two.
    private func changeCase(of path: [String], to name: String) throws -> File {
        let folder = try folders.folder(path.dropLast(), isMade: false)
        guard renameat(folder.rawValue, path.last ?? "", folder.rawValue, name) == 0 else {
            throw Errno(rawValue: errno)
        }
        guard let status = try Self.status(name, in: folder) else { throw Refusal.changed }
        return File(status)
    }

    /// Whether two paths lead to one file, which is not replaced when it is renamed.
    private func isOneFile(_ path: [String], _ other: [String]) throws -> Bool {
        func identity(_ path: [String]) throws -> FileStatus.Identity? {
            let folder = try folders.present(path.dropLast())
            return try folder.flatMap { try Self.status(path.last ?? "", in: $0)?.identity }
        }
        guard let one = try identity(path) else { return false }
        return try one == identity(other)
    }

    /// Removes a file that has not changed, and its parent folders that become empty.
    func remove(_ path: ExactText, expecting expected: String) throws(Refusal) {
        do {
            try expect(expected, at: path)
            try folders.remove(Self.names(path))
            folders.noteChange(in: Self.names(path).dropLast())
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Removes empty folders, from this one upwards.
    func removeEmptyFolders(from path: ExactText) { folders.removeEmptyFolders(Self.names(path)[...]) }

    private func expect(_ expected: String, at path: ExactText) throws {
        guard let bytes = try folders.read(Self.names(path)), GitObject.name(ofBlob: bytes) == expected else {
            throw Refusal.changed
        }
    }

    private static func refusal(_ error: any Error) -> Refusal {
        switch error {
        case let refusal as Refusal: refusal
        case is RootedFolder.LeadsElsewhere: .changed
        case let error as Errno where error == .fileExists || error == .noSuchFileOrDirectory: .changed
        default: .system((error as? Errno)?.rawValue ?? EIO)
        }
    }
}
