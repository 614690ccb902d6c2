import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension PrivateFile {
    /// Removes a file or link, or a folder with all that is in it; links are not followed.
    ///
    /// Nothing happens if nothing is there.
    public static func removeAll(_ path: FilePath) throws(StoreError) {
        do throws(Errno) {
            try remove(path)
        } catch {
            throw StoreError(errno: error.rawValue, path: path.string)
        }
    }

    private static func remove(_ path: FilePath) throws(Errno) {
        let isFolder: Bool
        do throws(Errno) {
            isFolder = try FileStatus(path, followsLinks: false).kind == .folder
        } catch .noSuchFileOrDirectory {
            return
        }
        if isFolder { for name in try FolderListing.names(of: path) { try remove(path.appending(name)) } }
        let result = path.withPlatformString { isFolder ? rmdir($0) : unlink($0) }
        guard result == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
    }

    /// Makes an empty folder for its owner only, in the system's folder for temporary files (`$TMPDIR`).
    public static func makeTemporaryFolder() throws(StoreError) -> FilePath {
        let chosen = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        let parent = FilePath(chosen.isEmpty ? "/tmp" : chosen)
        let folder = parent.appending("tn-\(UUID.random().uuidString)")
        // It must not exist: another user may have put one there.
        guard folder.withPlatformString({ mkdir($0, 0o700) }) == 0 else {
            throw .noTemporaryFolder(folder: parent.string, errno: errno)
        }
        return folder
    }

    /// Makes a file without a name in a folder that is removed with it, so that a kill leaves nothing on the disk.
    ///
    /// - Returns: the open file, and the path that the folder had.
    static func makeNamelessFile() throws -> (FileDescriptor, folder: FilePath) {
        let folder = try makeTemporaryFolder()
        defer { try? removeAll(folder) }  // the system removes what is left there
        let file = try FileDescriptor.open(
            folder.appending("file"), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: .ownerReadWrite)
        return (file, folder)
    }

    /// Gives a file or folder another name, in place of what has it.
    public static func rename(_ path: FilePath, to other: FilePath) throws(Errno) {
        let result = path.withPlatformString { old in other.withPlatformString { systemRename(old, $0) } }
        guard result == 0 else { throw Errno(rawValue: errno) }
    }
}

/// `rename` of the system, which the method of this name hides.
private func systemRename(_ old: UnsafePointer<CChar>, _ new: UnsafePointer<CChar>) -> CInt { rename(old, new) }
