import Foundation
import GRDB
import SystemPackage

/// A backup: a copy of the whole notebook.
public struct Backup: Equatable, Sendable {
    public enum Reason: String, Sendable {
        case daily, beforeMigration = "migration", beforeEmptyingTrash = "trash", beforeRestoring = "restore"
        case byHand = "manual"
    }

    public let path: String
    /// The time of the backup by the clock of that moment, which may have been wrong.
    public let date: Date
    /// The size of the file.
    public let bytes: Int
    /// The number of the backup, which increases with each backup of the notebook; 0 for all backups of version 0.1.
    public let number: Int
    /// The reason for the backup, or nil if only another version of the program knows it.
    public let reason: Reason?
}

extension Notebook.Backups {
    /// The folder of the backups, beside the notebook.
    public var folder: String {
        let path = FilePath(notebook.path)
        return path.parent.appending("backups").string
    }

    /// Writes a copy of the notebook's present state to a new file, and opens the copy to verify it.
    ///
    /// Other programs can read and write meanwhile. Cost: reads and writes the whole file.
    ///
    /// - Throws: `cannotCreate` if there is a file of that name, which stays as it is.
    public func write(to path: String) throws(StoreError) {
        guard try writeCopy(as: path) else { throw .cannotCreate(path: path, errno: Errno.fileExists.rawValue) }
    }

    /// Makes a backup in the notebook's own folder of backups, then removes old ones.
    ///
    /// It removes old backups beyond three times the notebook's size, but never the newest two, nor those that the user
    /// made within a day.
    @discardableResult
    public func create(_ reason: Backup.Reason) throws(StoreError) -> Backup {
        let id = try notebook.notebookID()
        let date = notebook.options.now()
        // One more copy is better than none, even if it cannot be counted.
        let newest = (try? all())?.first
        var number = (newest?.number ?? 0) + 1
        while true {
            let name = BackupName(
                notebook: backupStem, number: number, date: date, reason: reason.rawValue, id: id.short)
            let path = "\(folder)/\(name.file)"
            if try writeCopy(as: path) {
                let made = Backup(
                    path: path, date: date, bytes: DiskFile.size(of: path), number: number, reason: reason)
                thinBackups(after: made)
                return made
            }
            // Another program has made one in the same millisecond.
            number += 1
        }
    }

    /// Makes the daily backup if the newest is older than a day or dated later than now; returns the backup.
    @discardableResult
    public func createDaily() throws(StoreError) -> Backup? {
        if let newest = try all().first, Self.isFresh(newest.date, notebook.options.now()) { return nil }
        return try create(.daily)
    }

    /// Makes the daily backup if the notebook is older than a day and has changed since the newest backup.
    ///
    /// Commands use it, since they would otherwise copy a notebook that nobody changes, or that has just been made.
    ///
    /// - Parameter isPossible: asked only when a backup is due; none is made now if it says no.
    @discardableResult
    public func createDailyIfChanged(isPossible: () -> Bool = { true }) throws(StoreError) -> Backup? {
        let now = notebook.options.now()
        if let newest = try all().first {
            if Self.isFresh(newest.date, now) { return nil }
            let made = DiskFile.modified(newest.path) ?? .distantPast
            let changed = [notebook.path, notebook.path + "-wal"].compactMap(DiskFile.modified).max() ?? now
            // A file dated later than now was made while the clock was wrong, so its date tells nothing.
            guard changed > made || made > now else { return nil }
        } else {
            let born = try notebook.read {
                try Int64.fetchOne($0, sql: "SELECT createdDate FROM container WHERE id = 1")
            }
            if Self.isFresh(Date(milliseconds: born ?? 0), now) { return nil }
        }
        return isPossible() ? try create(.daily) : nil
    }

    private static func isFresh(_ date: Date, _ now: Date) -> Bool {
        (0..<24 * 60 * 60).contains(now.timeIntervalSince(date))
    }

    /// Returns the notebook's own backups, newest first.
    ///
    /// - Throws: the system's error if their folder is there and cannot be read, which must not look like no backups.
    public func all() throws(StoreError) -> [Backup] {
        guard DiskFile.exists(folder) else { return [] }
        let names: [FilePath.Component]
        do { names = try FolderListing.names(of: FilePath(folder)) } catch { throw StoreError(error, path: folder) }
        let id = (try? notebook.notebookID().short) ?? ""  // a notebook that cannot be read: those of version 0.1 alone
        let found = names.map(\.string).compactMap { file -> Backup? in
            guard let name = BackupName(file, notebook: backupStem), name.id == nil || name.id == id else { return nil }
            let path = folder + "/" + file
            let bytes = DiskFile.size(of: path)
            // An empty file was left by a program that died after reserving the name.
            if bytes == 0 { return nil }
            return Backup(
                path: path, date: name.date, bytes: bytes, number: name.number,
                reason: Backup.Reason(rawValue: name.reason))
        }
        return found.sorted { ($0.number, $0.date, $0.path) > ($1.number, $1.date, $1.path) }
    }

    /// The part that backups' names begin with: the name of the notebook's file.
    private var backupStem: String { BackupName.stem(of: notebook.path) }

    // MARK: - Files

    /// Copies the notebook to a temporary file, checks the copy, and gives it its final name.
    ///
    /// - Returns: false if there is a file of that name.
    private func writeCopy(as path: String) throws(StoreError) -> Bool {
        let folder = FilePath(path).parent
        let parent = folder.isEmpty ? "." : folder.string
        if parent == self.folder { try DiskFile.makeFolders(folder) }
        UnfinishedFile.sweep(parent)
        let unfinished: UnfinishedFile
        do {
            unfinished = try UnfinishedFile(in: parent)
        } catch .cannotCreate(parent, let errno) {
            throw .cannotCreate(path: path, errno: errno)
        }
        do {
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                // The file is useless until it is complete, and is synced then.
                try db.execute(sql: "PRAGMA synchronous = OFF")
                _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = OFF")
            }
            let copy = try DatabaseQueue(path: unfinished.path, configuration: configuration)
            do {
                try notebook.gate.pass(orThrow: .closed(path: notebook.path)) { try notebook.database.backup(to: copy) }
            } catch {
                throw copy.writeWithoutTransaction { $0.named(error, path: unfinished.path) }
            }
            try copy.close()
            try unfinished.endLog()
            try Self.verify(unfinished.path)
        } catch {
            throw StoreError(error, path: notebook.path).about(unfinished.path, is: path, source: notebook.path)
        }
        return try unfinished.finish(as: path)
    }

    /// Opens a file and checks that it is a sound notebook.
    static func verify(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { db in
            let version = try Schema.foundVersion(db, path: path)
            guard version > 0 else { throw StoreError.notANotebook(path: path) }
            let answer = try String.fetchOne(db, sql: "PRAGMA quick_check") ?? ""
            guard answer == "ok" else { throw StoreError.corrupt(path: path, detail: answer) }
        }
        try queue.close()
    }

    /// Removes the oldest backups beyond three times the notebook's size, but never the newest two.
    ///
    /// Backups of version 0.1 are removed only if they are this notebook's. The newest backup gives the notebook's
    /// size: the main file of a young notebook is nearly empty, since all is in its log.
    private func thinBackups(after newest: Backup) {
        var left = 3 * newest.bytes
        for (index, backup) in ((try? all()) ?? []).enumerated() {  // what cannot be listed stays
            left -= backup.bytes
            if index >= 2, left < 0, !isSpared(backup), backup.number > 0 || isOwn(backup) {
                DiskFile.remove(backup.path)
            }
        }
    }

    /// Whether a backup is kept whatever its size.
    ///
    /// It is kept while it is being restored, or if the user made it within a day and may have noted its path.
    private func isSpared(_ backup: Backup) -> Bool {
        if let spared = notebook.options.sparedBackup, DiskFile.isSame(spared, backup.path) { return true }
        guard backup.reason == .byHand else { return false }
        // The clock may have been put back since.
        return abs(notebook.options.now().timeIntervalSince(backup.date)) < 24 * 60 * 60
    }

    /// Whether a backup without an identity belongs to this notebook: its Inbox was made in the same millisecond.
    private func isOwn(_ backup: Backup) -> Bool {
        var configuration = Configuration()
        configuration.readonly = true
        let sql = "SELECT createdDate FROM container WHERE id = 1"
        do {
            let queue = try DatabaseQueue(path: backup.path, configuration: configuration)
            let theirs = try queue.read { try Int64.fetchOne($0, sql: sql) }
            return try theirs != nil && theirs == notebook.read { try Int64.fetchOne($0, sql: sql) }
        } catch {
            // A file that cannot be read is not removed.
            return false
        }
    }
}

extension StoreError {
    /// The same error with the path that people know; the name of the unfinished copy means nothing to them.
    fileprivate func about(_ unfinished: String, is path: String, source: String) -> StoreError {
        switch self {
        case .corrupt(_, let detail): .corrupt(path: source, detail: detail)
        case .notANotebook: .corrupt(path: source, detail: Texts.copyIsNoNotebook)
        // The copy is what grows, not the notebook.
        case .diskFull: .diskFull(path: path)
        case .quotaUsedUp: .quotaUsedUp(path: path)
        case .inputOutput(unfinished, let code): .inputOutput(path: path, code: code)
        case .system(unfinished, let errno): .system(path: path, errno: errno)
        default: self
        }
    }
}
