import Foundation
import GRDB
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Notebook.Backups {
    /// Puts the state of a backup in the notebook's place, after a backup of what is there; no program may have it open.
    ///
    /// The backup is checked first; a file that is no sound notebook changes nothing. The notebook's pages are replaced
    /// in one transaction: whoever dies on the way has changed nothing or everything, and links to the file, its rights
    /// and its log stay right. A file that is damaged, or no notebook, is kept under another name.
    ///
    /// - Returns: where a damaged file is kept, nil if there was none.
    @discardableResult
    public static func restore(_ backup: String, to path: String) throws(StoreError) -> String? {
        let path = Notebook.resolved(path)
        do {
            try verify(backup)
        } catch {
            throw StoreError(error, path: backup)
        }
        if DiskFile.isSame(backup, path) { throw .cannotCreate(path: path, errno: Errno.fileExists.rawValue) }
        guard DiskFile.exists(path) else {
            try make(path, from: backup)
            return nil
        }
        do {
            try replacePages(of: path, by: backup)
            return nil
        } catch .corrupt(path, _), .notANotebook(path), .newerSchema(path, _, _) {
            return try replaceFile(path, by: backup)
        }
    }

    /// Writes the backup's pages into the file that is there.
    private static func replacePages(of path: String, by backup: String) throws(StoreError) {
        var options = Notebook.Options()
        // Opening may make a backup too, before a migration.
        options.sparedBackup = backup
        let current = try Notebook.open(path, mode: .command, options: options)
        do {
            try current.backups.create(.beforeRestoring)
            let source = try readOnly(backup)
            try current.lock.hold(current.patience) { try source.backup(to: current.database) }
            try source.close()
            try current.close(checkpointing: true)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Makes a notebook of a backup where there is no file.
    private static func make(_ path: String, from backup: String) throws(StoreError) {
        let copy = try copy(of: backup, for: path)
        // What a notebook that is gone has left would be read as the new one's.
        for ending in besideFile { DiskFile.remove(path + ending) }
        guard try copy.finish(as: path) else { throw .cannotCreate(path: path, errno: Errno.fileExists.rawValue) }
    }

    /// Puts the backup in the place of a file that cannot be opened, which is kept beside it with its log.
    private static func replaceFile(_ path: String, by backup: String) throws(StoreError) -> String {
        let copy = try copy(of: backup, for: path)
        let kept = try keepDamaged(path)
        try copy.replace(path)
        return kept
    }

    private static func copy(of backup: String, for path: String) throws(StoreError) -> UnfinishedFile {
        let folder = FilePath(path).removingLastComponent()
        try DiskFile.makeFolders(folder)
        let unfinished = try UnfinishedFile(in: folder.isEmpty ? "." : folder.string)
        do {
            let source = try readOnly(backup)
            let copy = try DatabaseQueue(path: unfinished.path)
            try source.backup(to: copy)
            try copy.close()
            try source.close()
            try unfinished.endLog()
        } catch {
            throw StoreError(error, path: path)
        }
        return unfinished
    }

    /// What SQLite keeps beside a file, which belongs to no other file that may take its place.
    static let besideFile = ["-wal", "-shm", "-journal"]

    /// Keeps a damaged file under another name too, and what is beside it only there; returns the name.
    static func keepDamaged(_ path: String) throws(StoreError) -> String {
        let kept = try keepUnderFreeName(path, path + ".damaged-" + Date().timestamp.replacing(":", with: ""))
        for ending in besideFile where DiskFile.exists(path + ending) {
            try DiskFile.move(path + ending, to: kept + ending)
        }
        return kept
    }

    /// Gives a file another name too, which no file has yet: `name`, else with a number behind it.
    ///
    /// On a file system without hard links the file is moved.
    static func keepUnderFreeName(_ path: String, _ name: String) throws(StoreError) -> String {
        for number in 1..<1000 {
            let kept = number == 1 ? name : "\(name)-\(number)"
            if besideFile.contains(where: { DiskFile.exists(kept + $0) }) { continue }
            if link(path, kept) == 0 { return kept }
            switch errno {
            case EEXIST: continue
            case EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK:
                if DiskFile.exists(kept) { continue }
                try DiskFile.move(path, to: kept)
                return kept
            default: throw .cannotCreate(path: kept, errno: errno)
            }
        }
        throw .cannotCreate(path: name, errno: EEXIST)
    }

    private static func readOnly(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
