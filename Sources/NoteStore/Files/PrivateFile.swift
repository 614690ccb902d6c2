import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The program's own files outside the notebook: state, configuration, rescued texts.
public enum PrivateFile {
    /// Whether there is a file or folder; symbolic links are followed.
    public static func exists(_ path: FilePath) -> Bool { DiskFile.exists(path.string) }

    /// The date of a file's last change; nil if there is no file.
    public static func modified(_ path: FilePath) -> Date? { DiskFile.modified(path.string) }

    /// All bytes of a regular file; anything else is refused, because a pipe would keep the reader waiting.
    ///
    /// - Parameter limit: the largest size in bytes; a larger file throws `tooLarge`, and is not read.
    public static func read(_ path: FilePath, limit: Int = .max) throws(StoreError) -> [UInt8] {
        let content: RegularFile.Content
        do throws(RegularFile.Problem) {
            content = try RegularFile.read(path, limit: limit)
        } catch {
            switch error {
            case .notRegular: throw StoreError(errno: Errno.notSupported.rawValue, path: path.string)
            case .system(let error): throw StoreError(errno: error.rawValue, path: path.string)
            }
        }
        guard !content.isTooLarge else {
            throw .tooLarge(name: path.string, bytes: content.size, limit: limit)
        }
        return content.bytes
    }

    /// Returns the names in a folder, sorted.
    public static func names(in folder: FilePath) throws(StoreError) -> [FilePath.Component] {
        do throws(Errno) {
            return try FolderListing.names(of: folder)
        } catch {
            throw StoreError(errno: error.rawValue, path: folder.string)
        }
    }

    /// Makes the folder and its missing parents, accessible only to their owner; an existing one is left alone.
    public static func makeFolder(_ path: FilePath) throws(StoreError) {
        do throws(StoreError) {
            try DiskFile.makeFolders(path)
        } catch .cannotCreate(let path, let errno) {
            // The advice in `cannotCreate` is for a notebook's folder.
            throw StoreError(errno: errno, path: path)
        }
    }

    /// Returns when the bytes of a file are on the disk.
    public static func sync(_ path: FilePath) throws(StoreError) {
        do {
            let file = try FileDescriptor.open(path, .readOnly, options: .closeOnExec)
            try file.closeAfter { try file.sync() }
        } catch {
            throw StoreError(error, path: path.string)
        }
    }

    /// Returns when the names in a folder are on the disk.
    public static func syncFolder(_ path: FilePath) { DiskFile.syncFolder(path.string) }

    /// Writes a file, completely or not at all; if its folder is missing, it is made.
    ///
    /// A symbolic link is kept, and the file that it leads to is replaced. A pipe or a device is not: programs that use it
    /// would be left with a file in its place.
    ///
    /// - Parameter keepsPermissions: whether an existing file keeps its permissions; otherwise, and if it is new, it is
    ///   accessible only to its owner.
    public static func write(
        _ bytes: some Sequence<UInt8>, to path: FilePath, keepsPermissions: Bool = false
    ) throws(StoreError) {
        let target = FilePath(Notebook.resolved(path.string))
        guard DiskFile.isRegular(target.string) || !DiskFile.exists(target.string) else {
            throw .notAFile(path: path.string)
        }
        try makeFolder(target.parent)
        // The name contains the process identifier, since two programs may write the same file at once.
        let unfinished = target.string + ".\(getpid()).part"
        do {
            DiskFile.remove(unfinished)
            let file = try FileDescriptor.open(
                FilePath(unfinished), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
            try file.closeAfter {
                var status = stat()
                if keepsPermissions, stat(target.string, &status) == 0 {
                    guard fchmod(file.rawValue, status.st_mode & 0o7777) == 0 else { throw Errno(rawValue: errno) }
                }
                try file.writeWaiting(bytes)
            }
            try DiskFile.replace(target.string, by: unfinished)
        } catch {
            DiskFile.remove(unfinished)
            throw StoreError(error, path: path.string)
        }
    }
}
