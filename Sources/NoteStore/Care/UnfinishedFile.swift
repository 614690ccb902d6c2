import Foundation
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A file that is being written under a name of its own, until it is whole and gets the name that it is to have.
///
/// It is locked for as long as its owner lives, so that what a killed program has left is told from what another one is
/// writing.
final class UnfinishedFile: Sendable {
    let path: String
    private let file: CInt

    static let start = ".tn-unfinished-"
    /// What SQLite may have put beside it.
    private static let endings = ["", "-wal", "-shm", "-journal"]

    /// Makes an empty one for the owner only, in the folder where the finished file will be.
    ///
    /// - Throws: `cannotCreate`.
    init(in folder: String) throws(StoreError) {
        let path = "\(folder)/\(Self.start)\(UUID().uuidString)"
        file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .cannotCreate(path: folder, errno: errno) }
        self.path = path
        // On a file system without locks another program's sweep takes it for left over, which ends in an error here.
        _ = flock(file, LOCK_EX | LOCK_NB)
    }

    deinit {
        for ending in Self.endings { DiskFile.remove(path + ending) }
        close(file)
    }

    /// Turns the copy of a file with a write-ahead log into one without: bytes 18 and 19 of SQLite's file format say
    /// which it is.
    func endLog() throws(StoreError) {
        let versions: [UInt8] = [1, 1]
        guard pwrite(file, versions, 2, 18) == 2 else { throw .system(path: path, errno: errno) }
    }

    /// Gives the finished file its name, which no other file has, so that it is there after a power cut.
    ///
    /// - Returns: false if there is a file of that name, which stays.
    func finish(as name: String) throws(StoreError) -> Bool {
        try sync()
        if link(path, name) == 0 { return try syncFolder(of: name) }
        if errno == EEXIST { return false }
        // A file system without hard links, that of a stick: the name is taken by an empty file first.
        let taken = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard taken >= 0 else {
            if errno == EEXIST { return false }
            throw .cannotCreate(path: name, errno: errno)
        }
        close(taken)
        guard rename(path, name) == 0 else {
            let error = errno
            DiskFile.remove(name)
            throw .cannotCreate(path: name, errno: error)
        }
        return try syncFolder(of: name)
    }

    /// Gives the finished file a name, in the place of what has it: after a power cut it means one of them, whole.
    func replace(_ name: String) throws(StoreError) {
        try sync()
        guard rename(path, name) == 0 else { throw .cannotCreate(path: name, errno: errno) }
        _ = try syncFolder(of: name)
    }

    private func sync() throws(StoreError) {
        while fsync(file) != 0 {
            if errno != EINTR { throw .system(path: path, errno: errno) }
        }
    }

    /// Always true; a folder that cannot be synced, as on some network file systems, has its file all the same.
    private func syncFolder(of name: String) throws(StoreError) -> Bool {
        let parent = FilePath(name).removingLastComponent()
        let folder = open(parent.isEmpty ? "." : parent.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            _ = fsync(folder)
            close(folder)
        }
        return true
    }

    /// Removes what killed programs have left in a folder.
    static func sweep(_ folder: String) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // nothing left in no folder
        for name in names where name.hasPrefix(start) && UUID(uuidString: String(name.dropFirst(start.count))) != nil {
            let path = folder + "/" + name
            let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard file >= 0 else { continue }
            defer { close(file) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else { continue }
            // One that was made a moment ago has no lock yet, and no bytes either.
            if DiskFile.size(of: path) == 0, let made = DiskFile.modified(path), abs(made.timeIntervalSinceNow) < 60 {
                continue
            }
            for ending in endings { DiskFile.remove(path + ending) }
        }
    }
}
