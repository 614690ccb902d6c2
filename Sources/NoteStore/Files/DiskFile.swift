import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The store's file system operations.
package enum DiskFile {
    /// Returns the size in bytes, or 0 if there is no such file.
    package static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Returns the number of names (hard links) of the file, or 0 if there is no such file.
    static func names(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_nlink) : 0
    }

    /// Returns the date of the last change of the content, or nil if there is no such file.
    static func modified(_ path: String) -> Date? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return status.modificationDate
    }

    /// Returns the free space in bytes for this user on the disk that holds a file; nil if it is not known.
    package static func freeBytes(beside path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int(
            clamping: UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue)
    }

    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0
    }

    /// Whether two paths lead to the same existing file.
    static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Whether this program may change the file: permissions allow it and the file system is writable.
    static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Whether the path leads to a regular file, not to a folder, pipe, socket or device.
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Makes an empty file, accessible only to its owner; throws if it exists.
    static func make(_ path: String) throws {
        let file = try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate], permissions: [.ownerReadWrite])
        try file.close()
    }

    /// Makes the folder and its missing parents, accessible only to their owner.
    ///
    /// The folders' names survive a power cut, since a file that is synced into a folder would be lost with the
    /// folder's name.
    static func makeFolders(_ path: FilePath) throws(StoreError) {
        if path.isEmpty || exists(path.string) { return }
        try makeFolders(path.parent)
        if mkdir(path.string, 0o700) != 0, errno != EEXIST { throw .cannotCreate(path: path.string, errno: errno) }
        syncFolder(of: path.string)
    }

    /// Removes a file if it exists.
    static func remove(_ path: String) { _ = unlink(path) }

    /// Replaces a file by a finished one; after a power cut the name refers to one of the two complete files.
    static func replace(_ path: String, by finished: String) throws {
        let file = try FileDescriptor.open(FilePath(finished), .readWrite)
        try file.closeAfter { try file.sync() }
        if rename(finished, path) != 0 { throw Errno(rawValue: errno) }
    }

    /// Writes a file, accessible only to its owner, completely or not at all.
    static func write(_ data: Data, to path: String) throws { try PrivateFile.write(data, to: FilePath(path)) }

    /// Renames a file, replacing any file that has the new name.
    static func move(_ path: String, to name: String) throws(StoreError) {
        guard rename(path, name) == 0 else { throw .cannotCreate(path: name, errno: errno) }
    }

    /// Syncs the names in a folder to the disk.
    static func syncFolder(_ path: String) {
        let options: FileDescriptor.OpenOptions = [.directory, .closeOnExec]
        // A folder that cannot be opened cannot be synced either.
        guard let folder = try? FileDescriptor.open(FilePath(path), .readOnly, options: options) else { return }
        try? folder.sync()  // a network file system may not be able to
        try? folder.close()  // nothing was written through it
    }

    /// Syncs the names in the folder that a file or folder lies in.
    static func syncFolder(of path: String) {
        let folder = FilePath(path).parent
        syncFolder(folder.isEmpty ? "." : folder.string)
    }
}
