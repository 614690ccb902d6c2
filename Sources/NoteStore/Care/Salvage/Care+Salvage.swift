import Foundation
import GRDB
import SystemPackage

/// What was read out of a damaged file.
public struct SalvageReport: Equatable, Sendable {
    public var notes = 0
    /// Notes whose text could not be read, or only as an earlier version.
    public var damagedNotes = 0
    public var containers = 0
    public var images = 0
}

extension Notebook.Care {
    /// Whether rows of a notebook are found in a file, whatever its beginning says.
    ///
    /// Cost: reads the whole file.
    public static func holdsNotes(_ path: String) -> Bool {
        guard let file = try? DamagedFile(path) else { return false }  // what cannot be read holds nothing
        let tables = DamagedTables(file)
        return holdsSomething(tables)
    }

    /// Whether there are parts of several notebooks in a file and its log: somebody has copied one over the other, or
    /// put a log beside it.
    ///
    /// True also of a notebook into which another one was put by a restore, for a while. Cost: reads the whole file.
    public static func isMixed(_ path: String) -> Bool {
        (try? DamagedFile(path))?.isMixed ?? false  // what cannot be read is told by whoever opens it
    }

    /// Whether there is a row that somebody wrote.
    private static func holdsSomething(_ tables: DamagedTables) -> Bool {
        ["note", "note_text", "note_version", "note_image", "saved_search"]
            .contains { tables.rows[$0]?.isEmpty == false }
    }

    /// Reads what a damaged file still holds into a new notebook, which must not exist yet.
    ///
    /// Page by page, without SQLite, so that damage costs what is on the damaged page and no more; what has lost its
    /// folder is put into a recovery folder, and a note that has lost its text gets that of its newest version or of the
    /// newest backup. The damaged file is only read.
    ///
    /// - Parameter original: where the notebook lies that the file was, whose backups are asked for lost texts.
    /// - Throws: `notANotebook` if nothing is found in it that somebody wrote.
    @discardableResult
    public static func salvage(
        _ damaged: String, into path: String, of original: String? = nil
    ) throws(StoreError) -> SalvageReport {
        do {
            let file = try DamagedFile(damaged)
            let tables = DamagedTables(file)
            var others: [DamagedRecord] = []
            if file.isMixed || tables.holdsOtherNotes {
                // The log may be another notebook's, whose pages hide those of the file.
                let alone = DamagedTables(try DamagedFile(damaged, readsLog: false))
                others = tables.otherTexts + Array((alone.rows["note_text"] ?? [:]).values) + alone.otherTexts
                others.sort { $0.key < $1.key }
            }
            guard holdsSomething(tables) else { throw StoreError.notANotebook(path: damaged) }
            let notebook = try Notebook.open(path, mode: .command, options: Notebook.Options(recoversSessions: false))
            let texts = BackupTexts(newestOf: backups(beside: original ?? damaged))
            let report = try notebook.writeAlone { db in
                var report = SalvageReport()
                try db.inTransaction(.immediate) {
                    var salvage = Salvage(from: tables, besides: others, to: db, now: Date().milliseconds) {
                        texts?[$0]
                    }
                    try salvage.run()
                    report = salvage.report
                    return .commit
                }
                return report
            }
            _ = try notebook.care.repair()
            try notebook.close(checkpointing: true)
            return report
        } catch {
            throw StoreError(error, path: damaged)
        }
    }

    /// Puts what can be read of a damaged file in its place; the damaged one is kept beside it.
    ///
    /// No program may have it open.
    ///
    /// - Returns: what was read, and where the damaged file is.
    public static func repairDamaged(_ path: String) throws(StoreError) -> (report: SalvageReport, kept: String) {
        let path = Notebook.resolved(path)
        try undoInterruptedRepair(path)
        let saved = path + ".saved-" + UUID().uuidString
        defer { for ending in ["", "-wal", "-shm", "-lock"] { DiskFile.remove(saved + ending) } }
        let report = try salvage(path, into: saved)
        let kept = try Notebook.Backups.keepDamaged(path)
        do {
            try DiskFile.replace(path, by: saved)
        } catch {
            throw StoreError(error, path: path)
        }
        return (report, kept)
    }

    /// Puts the log of a damaged file beside it again, when a program died between taking it away and putting the repaired
    /// file in place: texts may be in the log alone.
    private static func undoInterruptedRepair(_ path: String) throws(StoreError) {
        let file = FilePath(path)
        let folder = file.removingLastComponent()
        guard let name = file.lastComponent?.string,
            let names = try? FolderListing.names(of: folder.isEmpty ? "." : folder)  // the repair tells
        else { return }
        let endings = Notebook.Backups.besideFile
        for other in names where other.string.hasPrefix(name + ".damaged-") {
            let kept = folder.appending(other).string
            // A second name of the file that is still there.
            guard !endings.contains(where: kept.hasSuffix), DiskFile.isSame(kept, path) else { continue }
            for ending in endings where DiskFile.exists(kept + ending) && !DiskFile.exists(path + ending) {
                try DiskFile.move(kept + ending, to: path + ending)
            }
            DiskFile.remove(kept)
        }
    }

    /// The backups of the notebook at a path, which may not be readable: by name alone, newest first.
    static func backups(beside path: String) -> [String] {
        let file = FilePath(path)
        let folder = file.removingLastComponent().appending("backups").string
        let stem = BackupName.stem(of: path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // none were made
        // By the names that are there: a date that is read and written again may differ by a millisecond.
        let found = names.compactMap { file in BackupName(file, notebook: stem).map { (name: $0, file: file) } }
        return found.sorted { ($0.name.number, $0.name.date) > ($1.name.number, $1.name.date) }
            .map { folder + "/" + $0.file }
    }
}

/// The texts of the newest backup that can be read.
private struct BackupTexts {
    private let queue: DatabaseQueue

    init?(newestOf paths: [String]) {
        var configuration = Configuration()
        configuration.readonly = true
        for path in paths {
            do {
                try Notebook.Backups.verify(path)
                queue = try DatabaseQueue(path: path, configuration: configuration)
                return
            } catch {
                // The next older one.
            }
        }
        return nil
    }

    subscript(_ id: NoteID) -> Data? {
        let sql = "SELECT CAST(text AS BLOB) FROM note_text WHERE note = (SELECT id FROM note WHERE uuid = ?)"
        return try? queue.read {  // a backup that has no such note has no text of it
            try Data.fetchOne($0, sql: sql, arguments: [id.description])
        }
    }
}
