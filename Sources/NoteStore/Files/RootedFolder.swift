import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A folder whose files are read and written without following a link out of it.
///
/// Each file is written under a temporary name, accessible only to its owner, and then moved into place. One thread
/// uses it.
final class RootedFolder {
    let root: FileDescriptor
    /// The prefix of temporary names.
    private let prefix: String
    /// The last folder that was opened, which is usually needed again next.
    private var last: (names: [String], folder: FileDescriptor)?
    /// The folders whose entries have changed since they were last synced.
    private var changed: Set<[String]> = []

    /// The error for a path that leads through a link or through something else that is not a folder.
    struct LeadsElsewhere: Error {}

    init(_ root: FileDescriptor, temporaryPrefix prefix: String) { (self.root, self.prefix) = (root, prefix) }

    deinit {
        for file in [root, last?.folder].compactMap(\.self) { try? file.close() }  // all written files are closed
    }

    /// Opens a folder below the root; no name in its path may be a link.
    func folder(_ names: ArraySlice<String>, isMade: Bool) throws -> FileDescriptor {
        if names.isEmpty { return root }
        if let last, last.names[...] == names { return last.folder }
        var folder = root
        for name in names {
            if isMade, mkdirat(folder.rawValue, name, 0o700) != 0, errno != EEXIST {
                let error = Errno(rawValue: errno)
                if folder.rawValue != root.rawValue { try? folder.close() }  // the missing folder is the error
                throw error
            }
            let next = openat(folder.rawValue, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            let error = errno
            if folder.rawValue != root.rawValue { try folder.close() }
            guard next >= 0 else {
                if error == ELOOP || error == ENOTDIR { throw LeadsElsewhere() }
                throw Errno(rawValue: error)
            }
            folder = FileDescriptor(rawValue: next)
        }
        try last?.folder.close()
        last = (Array(names), folder)
        return folder
    }

    /// Opens a folder below the root; `nil` if there is none, or if a link or a file has a name on the way.
    ///
    /// - Throws: all other errors: a folder that cannot be opened must not count as missing.
    func present(_ names: ArraySlice<String>) throws -> FileDescriptor? {
        do {
            return try folder(names, isMade: false)
        } catch is LeadsElsewhere {
            return nil
        } catch Errno.noSuchFileOrDirectory {
            return nil
        }
    }

    /// Returns the bytes of a file; `nil` if there is none, or if something else has the name.
    func read(_ path: [String], limit: Int = .max - 1) throws -> [UInt8]? {
        guard let folder = try present(path.dropLast()) else { return nil }
        let file = openat(folder.rawValue, path.last ?? "", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT || errno == ELOOP { return nil }
            throw Errno(rawValue: errno)
        }
        let descriptor = FileDescriptor(rawValue: file)
        defer { try? descriptor.close() }  // nothing was written
        let status = try FileStatus(descriptor)
        guard status.kind == .file else { return nil }
        return try descriptor.readToEnd(expecting: status.size + 1, limit: limit)
    }

    /// Whether there is a file, folder or link at a path.
    func has(_ path: [String]) -> Bool {
        guard let folder = try? folder(path.dropLast(), isMade: false) else { return false }  // no folder, no file
        var status = stat()
        return fstatat(folder.rawValue, path.last ?? "", &status, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Records that entries were added to a folder or removed from it, for `syncNames`.
    func noteChange(in names: some Collection<String>) {
        // The folder and its parents may be new too.
        for count in 0...names.count { changed.insert(Array(names.prefix(count))) }
    }

    /// Syncs the folders whose entries have changed; returns when their entries are on the disk.
    func syncNames() {
        for names in changed {
            // A folder that is gone has nothing to sync.
            guard let folder = try? folder(names[...], isMade: false) else { continue }
            try? folder.sync()  // a file system that cannot sync folders
        }
        changed = []
    }

    /// Writes a file completely or not at all.
    ///
    /// - Parameters:
    ///   - replacing: whether a file with this name is replaced; otherwise a file that appeared meanwhile stays.
    ///   - mode: the file's permissions, if it is not to be accessible to its owner alone.
    ///   - isSynced: whether its bytes are synced to the disk before it gets its name.
    ///   - check: called before it gets its name; if it throws, the file stays as it was.
    func put(
        _ bytes: [UInt8], modified: Date? = nil, _ name: String, in folder: FileDescriptor, replacing: Bool,
        mode: mode_t? = nil, isSynced: Bool = false, check: () throws -> Void
    ) throws {
        let temporary = "\(prefix)-\(getpid()).part"
        _ = unlinkat(folder.rawValue, temporary, 0)
        let file = openat(
            folder.rawValue, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Errno(rawValue: errno) }
        let descriptor = FileDescriptor(rawValue: file)
        var isPlaced = false
        defer { if !isPlaced { _ = unlinkat(folder.rawValue, temporary, 0) } }
        do {
            defer { try? descriptor.close() }  // the write reports its own failure
            try Self.write(bytes, to: descriptor)
            if let modified {
                let time = Self.time(modified)
                _ = futimens(file, [time, time])  // a file system may not store dates
            }
            if let mode { _ = fchmod(file, mode) }  // a file system may not support permissions
            if isSynced { try descriptor.sync() }
        }
        try check()
        isPlaced = try Self.moveIntoPlace(temporary, name, in: folder, replacing: replacing)
    }

    /// Removes the unfinished files of programs that were killed, in a folder.
    func sweep(_ folder: FileDescriptor) {
        // A folder that cannot be listed is left to the next sweep.
        for name in (try? FolderListing.names(of: folder)) ?? [] {
            let name = name.string
            guard name.hasPrefix(prefix + "-"), name.hasSuffix(".part"),
                let process = pid_t(name.dropFirst(prefix.count + 1).dropLast(".part".count)), process > 0
            else { continue }
            // One that runs may be writing it.
            if kill(process, 0) != 0, errno == ESRCH { _ = unlinkat(folder.rawValue, name, 0) }
        }
    }

    /// Gives a finished file its name, without replacing a file that came meanwhile.
    private static func moveIntoPlace(
        _ temporary: String, _ name: String, in folder: FileDescriptor, replacing: Bool
    ) throws(Errno) -> Bool {
        if !replacing {
            if linkat(folder.rawValue, temporary, folder.rawValue, name, 0) == 0 {
                _ = unlinkat(folder.rawValue, temporary, 0)
                return true
            }
            // Some file systems allow only one name for a file.
            guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(errno) else { throw Errno(rawValue: errno) }
        }
        guard renameat(folder.rawValue, temporary, folder.rawValue, name) == 0 else { throw Errno(rawValue: errno) }
        return true
    }

    /// Removes a file.
    func remove(_ path: [String]) throws {
        let folder = try folder(path.dropLast(), isMade: false)
        if unlinkat(folder.rawValue, path.last ?? "", 0) != 0, errno != ENOENT { throw Errno(rawValue: errno) }
    }

    /// Removes a folder and its parents, up to the first that is not empty.
    func removeEmptyFolders(_ names: ArraySlice<String>) {
        var names = names
        while let name = names.popLast(), let above = try? folder(names, isMade: false) {  // removed already
            guard unlinkat(above.rawValue, name, AT_REMOVEDIR) == 0 else { return }
        }
    }

    static func write(_ bytes: [UInt8], to file: FileDescriptor) throws(Errno) {
        do {
            _ = try file.writeAll(bytes)
        } catch {
            throw (error as? Errno) ?? .ioError
        }
    }

    private static func time(_ date: Date) -> timespec {
        let seconds = date.timeIntervalSince1970.rounded(.down)
        let nanoseconds = (date.timeIntervalSince1970 - seconds) * 1e9
        return timespec(tv_sec: Int(seconds), tv_nsec: Int(min(max(nanoseconds, 0), 999_999_999)))
    }
}
