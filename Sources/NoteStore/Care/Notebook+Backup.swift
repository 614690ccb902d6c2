import Foundation
import GRDB
import SystemPackage

/// A copy of the notebook that was made on its own.
public struct Backup: Equatable, Sendable {
    public enum Reason: String, Sendable {
        case daily, beforeMigration = "migration", beforeEmptyingTrash = "trash", beforeRestoring = "restore"
        case byHand = "manual"
    }

    public let path: String
    public let date: Date
    /// Of the file.
    public let bytes: Int
}

extension Notebook {
    /// Bytes of the file, without its log.
    public var fileSize: Int { DiskFile.size(of: path) }

    /// The folder of the backups, beside the notebook.
    public var backupFolder: String {
        let path = FilePath(self.path)
        return path.removingLastComponent().appending("backups").string
    }

    /// Writes a copy of the notebook as it is now to a new file, and opens it to see that it is one.
    ///
    /// Other programs go on reading and writing meanwhile. Cost: reads and writes the whole file.
    public func backUp(to path: String) throws(StoreError) {
        let file = FilePath(path)
        try DiskFile.makeFolders(file.removingLastComponent())
        let unfinished = path + ".part"
        do {
            // A part of an earlier attempt that was killed.
            DiskFile.remove(unfinished)
            try DiskFile.make(unfinished)
            let copy = try DatabaseQueue(path: unfinished)
            try gate.pass(orThrow: .closed(path: self.path)) { try database.backup(to: copy) }
            // One file, without a write-ahead log beside it.
            try copy.writeWithoutTransaction { db in _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
            try Self.verify(unfinished)
            try DiskFile.replace(path, by: unfinished)
        } catch let error as Errno {
            throw .cannotCreate(path: path, errno: error.rawValue)
        } catch {
            DiskFile.remove(unfinished)
            throw StoreError(error, path: path)
        }
    }

    /// Makes a backup of the notebook's own, then removes the old ones beyond three times the notebook's size, but
    /// never the newest two.
    @discardableResult
    public func makeBackup(_ reason: Backup.Reason) throws(StoreError) -> Backup {
        let date = options.now()
        let stamp = Self.stampFormat.format(date).replacing(":", with: "")
        let path = "\(backupFolder)/notes-\(stamp)-\(reason.rawValue).sqlite"
        try backUp(to: path)
        try thinBackups()
        return Backup(path: path, date: date, bytes: DiskFile.size(of: path))
    }

    /// Makes the day's backup if the newest is older than a day; returns it.
    @discardableResult
    public func makeDailyBackup() throws(StoreError) -> Backup? {
        if let newest = backups().first, options.now().timeIntervalSince(newest.date) < 24 * 60 * 60 { return nil }
        return try makeBackup(.daily)
    }

    /// The backups, newest first.
    public func backups() -> [Backup] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: backupFolder)) ?? []  // none made yet
        let found = names.compactMap { name -> Backup? in
            guard name.hasPrefix("notes-"), name.hasSuffix(".sqlite"), let date = Self.date(ofBackup: name) else {
                return nil
            }
            let path = backupFolder + "/" + name
            return Backup(path: path, date: date, bytes: DiskFile.size(of: path))
        }
        return found.sorted { ($0.date, $0.path) > ($1.date, $1.path) }
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

    /// Replaces the notebook by a backup, after a backup of what is there; no program may have it open.
    ///
    /// The backup is checked first; a file that is no sound notebook changes nothing.
    public static func restoreBackup(_ backup: String, to path: String) throws(StoreError) {
        do {
            try verify(backup)
        } catch {
            throw StoreError(error, path: backup)
        }
        if DiskFile.exists(path) {
            let current = try Notebook.open(path, mode: .command, options: Options(recoversSessions: false))
            try current.makeBackup(.beforeRestoring)
            try current.close(checkpointing: true)
        }
        let copy = path + ".restoring"
        do {
            DiskFile.remove(copy)
            try DiskFile.make(copy)
            try FileHandle(forWritingTo: URL(fileURLWithPath: copy)).write(
                contentsOf: Data(contentsOf: URL(fileURLWithPath: backup), options: .mappedIfSafe))
            for ending in ["-wal", "-shm"] { DiskFile.remove(path + ending) }
            try DiskFile.replace(path, by: copy)
        } catch {
            throw StoreError(error, path: path)
        }
    }

    // MARK: - Files

    private func thinBackups() throws(StoreError) {
        var left = 3 * DiskFile.size(of: path)
        for (index, backup) in backups().enumerated() {
            left -= backup.bytes
            if index >= 2, left < 0 { DiskFile.remove(backup.path) }
        }
    }

    private static let stampFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    private static func date(ofBackup name: String) -> Date? {
        // notes-2026-11-21T064512.123Z-daily.sqlite
        var stamp = String(name.dropFirst("notes-".count).prefix(22))
        guard stamp.count == 22 else { return nil }
        stamp.insert(":", at: stamp.index(stamp.startIndex, offsetBy: 15))
        stamp.insert(":", at: stamp.index(stamp.startIndex, offsetBy: 13))
        return try? stampFormat.parse(stamp)  // a file of another name is no backup of ours
    }
}
