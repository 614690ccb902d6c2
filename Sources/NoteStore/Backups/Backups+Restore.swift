import Foundation
import GRDB
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension Notebook.Backups {
    /// Replaces the notebook's content by a backup, after backing up the present content; no program may have it open.
    ///
    /// The backup is checked first; an unsound file changes nothing. The notebook's pages are replaced in one
    /// transaction: a program that dies during it has changed nothing or everything, and links to the file, its
    /// permissions and its log stay valid. A file that is damaged, or no notebook, is kept under another name. A
    /// synchronised notebook is marked so that its next synchronisation asks first: otherwise the other machines would
    /// at once bring back the changes that the backup was restored to undo.
    ///
    /// - Returns: the path where a damaged file is kept, or nil if there was none.
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

    /// Writes the backup's pages into the existing file.
    private static func replacePages(of path: String, by backup: String) throws(StoreError) {
        var options = Notebook.Options()
        // Opening may make a backup too, before a migration.
        options.sparedBackup = backup
        let current = try Notebook.open(path, mode: .command, options: options)
        do {
            try current.backups.create(.beforeRestoring)
            // The pages already contain the mark, so that the program cannot die after writing the one and before the
            // other.
            let marked = try isSynchronised(backup) ? copy(of: backup, for: path) : nil
            defer { withExtendedLifetime(marked) {} }
            let source = try readOnly(marked?.path ?? backup)
            try current.lock.hold(current.patience) { try source.backup(to: current.database) }
            try source.close()
            try current.close(checkpointing: true)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Makes a notebook from a backup where there is no file.
    private static func make(_ path: String, from backup: String) throws(StoreError) {
        let copy = try copy(of: backup, for: path)
        // Files left by a notebook that is gone would be read as the new one's.
        for ending in besideFile { DiskFile.remove(path + ending) }
        // The removals must survive a power cut as well.
        DiskFile.syncFolder(of: path)
        guard try copy.finish(as: path) else { throw .cannotCreate(path: path, errno: Errno.fileExists.rawValue) }
    }

    /// Replaces a file that cannot be opened by the backup; keeps the file and its log beside it.
    private static func replaceFile(_ path: String, by backup: String) throws(StoreError) -> String {
        let copy = try copy(of: backup, for: path)
        let kept = try keepDamaged(path)
        try copy.replace(path)
        return kept
    }

    /// Copies a backup to a file beside the notebook, marked as restored if the notebook was synchronised.
    private static func copy(of backup: String, for path: String) throws(StoreError) -> UnfinishedFile {
        let folder = FilePath(path).parent
        try DiskFile.makeFolders(folder)
        let unfinished = try UnfinishedFile(in: folder.isEmpty ? "." : folder.string)
        do {
            let source = try readOnly(backup)
            let copy = try DatabaseQueue(path: unfinished.path)
            try source.backup(to: copy)
            if try isSynchronised(backup) {
                try copy.writeWithoutTransaction { db in
                    // Otherwise a log would be left beside the file.
                    try db.execute(sql: "PRAGMA journal_mode = DELETE")
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO setting (key, value) VALUES (?, '1')",
                        arguments: [Notebook.Sync.Key.restored])
                }
            }
            try copy.close()
            try source.close()
            try unfinished.endLog()
        } catch {
            throw StoreError(error, path: path)
        }
        return unfinished
    }

    /// The endings of the files that SQLite keeps beside a database.
    ///
    /// They must not be used with a file that replaces it.
    static let besideFile = ["-wal", "-shm", "-journal"]

    /// Keeps a damaged file under a second name and moves the files beside it to that name; returns the name.
    ///
    /// On return the moves survive a power cut; a log that came back would be read as that of the file's successor.
    static func keepDamaged(_ path: String) throws(StoreError) -> String {
        let kept = try keepUnderFreeName(path, path + ".damaged-" + Date().timestamp.replacing(":", with: ""))
        for ending in besideFile where DiskFile.exists(path + ending) {
            try DiskFile.move(path + ending, to: kept + ending)
        }
        DiskFile.syncFolder(of: path)
        return kept
    }

    /// Gives a file a second name that no other file has: `name`, or `name` with a number.
    ///
    /// On a file system without hard links it moves the file.
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

    /// Whether the notebook in a file was synchronised.
    private static func isSynchronised(_ path: String) throws -> Bool {
        try readOnly(path).read { db in
            guard try db.tableExists("setting") else { return false }
            return try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM setting WHERE key = ?)", arguments: [Notebook.Sync.Key.url])
                ?? false
        }
    }

    private static func readOnly(_ path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }
}
