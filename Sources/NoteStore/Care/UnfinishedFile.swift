import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is written under a temporary name until it is complete and gets its final name.
///
/// It is locked for as long as its owner lives, which distinguishes a killed program's leftovers from files that
/// another program is writing.
final class UnfinishedFile: Sendable {
    let path: String
    private let file: FileDescriptor

    static let start = ".tn-unfinished-"
    /// The endings of files that SQLite may have put beside it.
    private static let endings = ["", "-wal", "-shm", "-journal"]

    /// Makes an empty file, accessible only to its owner, in the folder of the finished file.
    ///
    /// - Throws: `cannotCreate`.
    init(in folder: String) throws(StoreError) {
        let path = "\(folder)/\(Self.start)\(UUID.random().uuidString)"
        do {
            file = try FileDescriptor.open(
                FilePath(path), .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite)
        } catch {
            throw .cannotCreate(path: folder, errno: (error as? Errno ?? .ioError).rawValue)
        }
        self.path = path
        // Without locks in the file system, another program's sweep may remove the file, which ends in an error here.
        _ = try? file.lockIfFree()
    }

    deinit {
        for ending in Self.endings { DiskFile.remove(path + ending) }
        try? file.close()  // what was written is synced, or not wanted
    }

    /// Switches the copy of a file with a write-ahead log to the format without one.
    ///
    /// Bytes 18 and 19 of SQLite's file header distinguish the formats.
    func endLog() throws(StoreError) {
        do {
            try file.writeAll(toAbsoluteOffset: 18, [1, 1])
        } catch {
            throw .system(path: path, errno: (error as? Errno ?? .ioError).rawValue)
        }
    }

    /// Gives the finished file its final name, unless another file has it, and makes that survive a power cut.
    ///
    /// - Returns: false if another file has that name; it stays.
    func finish(as name: String) throws(StoreError) -> Bool {
        try sync(for: name)
        if link(path, name) == 0 { return try syncFolder(of: name) }
        if errno == EEXIST { return false }
        // The file system (that of a USB stick) has no hard links: an empty file takes the name first.
        do {
            try DiskFile.make(name)
        } catch {
            if error as? Errno == .fileExists { return false }
            throw .cannotCreate(path: name, errno: (error as? Errno ?? .ioError).rawValue)
        }
        guard rename(path, name) == 0 else {
            let error = errno
            DiskFile.remove(name)
            throw .cannotCreate(path: name, errno: error)
        }
        return try syncFolder(of: name)
    }

    /// Gives the finished file a name, replacing the file that has it.
    ///
    /// After a power cut the name refers to one of the two complete files.
    func replace(_ name: String) throws(StoreError) {
        try sync(for: name)
        guard rename(path, name) == 0 else { throw .cannotCreate(path: name, errno: errno) }
        _ = try syncFolder(of: name)
    }

    /// Syncs the file before it gets a name.
    ///
    /// - Parameter name: the name that an error tells.
    private func sync(for name: String) throws(StoreError) {
        do throws(Errno) { try file.sync() } catch { throw StoreError(errno: error.rawValue, path: name) }
    }

    /// Syncs the folder of a file.
    ///
    /// Always returns true: a network file system that cannot sync folders has the file nevertheless.
    private func syncFolder(of name: String) throws(StoreError) -> Bool {
        DiskFile.syncFolder(of: name)
        return true
    }

    /// Removes the temporary names of a finished file, which are left if a program is killed right after `finish(as:)`
    /// has given the file its name.
    ///
    /// The files are not opened: closing one would release the locks that SQLite holds under the other name.
    static func removeNames(of path: String) {
        let folder = FilePath(path).parent
        let names = (try? FolderListing.names(of: folder)) ?? []  // the names stay
        for name in names where isTemporary(name.string) {
            let file = folder.appending(name).string
            if DiskFile.isSame(file, path) { DiskFile.remove(file) }
        }
    }

    private static func isTemporary(_ name: String) -> Bool {
        name.hasPrefix(start) && UUID(uuidString: String(name.dropFirst(start.count))) != nil
    }

    /// Removes the files that killed programs have left in a folder.
    static func sweep(_ folder: String) {
        let names = (try? FolderListing.names(of: FilePath(folder))) ?? []  // no folder, no leftovers
        for name in names.map(\.string) where isTemporary(name) {
            let path = folder + "/" + name
            // A file that cannot be opened or locked is left to the next sweep.
            let file = try? FileDescriptor.open(FilePath(path), .readWrite, options: [.closeOnExec, .noFollow])
            guard let file else { continue }
            defer { try? file.close() }  // nothing was written through it
            guard (try? file.lockIfFree()) == true else { continue }  // left to the next sweep as well
            // A file made a moment ago has no lock yet, and no bytes either.
            if DiskFile.size(of: path) == 0, let made = DiskFile.modified(path), abs(made.timeIntervalSinceNow) < 60 {
                continue
            }
            for ending in endings { DiskFile.remove(path + ending) }
        }
    }
}
