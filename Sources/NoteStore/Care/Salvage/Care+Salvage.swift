import Foundation
import GRDB
import SystemPackage

/// The counts of what was salvaged from a damaged file.
public struct SalvageReport: Equatable, Sendable {
    public var notes = 0
    /// How many notes have a text that is unreadable, incomplete, or an earlier version.
    public var damagedNotes = 0
    public var containers = 0
    public var images = 0
}

extension Notebook.Care {
    /// Whether a file contains rows of a notebook, whatever its header says.
    ///
    /// Cost: reads the whole file.
    public static func holdsNotes(_ path: String) -> Bool {
        guard let file = try? DamagedFile(path) else { return false }  // an unreadable file contains nothing
        let tables = DamagedTables(file)
        return holdsSomething(tables)
    }

    /// Whether a file and its log contain parts of several notebooks.
    ///
    /// That happens when somebody has copied one over the other, or put a log beside it.
    ///
    /// Also true, for a while, of a notebook after a restore from another one. Cost: reads the whole file.
    ///
    /// Call it before this process opens the notebook. When it closes the file, the system takes away all locks that the
    /// process has on it, those of SQLite too, and another program could then remove the log that is in use.
    public static func isMixed(_ path: String) -> Bool {
        (try? DamagedFile(path))?.isMixed ?? false  // opening the file reports that it cannot be read
    }

    /// Whether there is a row that a user wrote.
    private static func holdsSomething(_ tables: DamagedTables) -> Bool {
        ["note", "note_text", "note_version", "note_image", "saved_search"]
            .contains { tables.rows[$0]?.isEmpty == false }
    }

    /// Copies what is readable in a damaged file into a new notebook, which must not exist yet.
    ///
    /// It reads page by page, without SQLite, so that damage costs only what is on the damaged page. A note without its
    /// folder goes into a recovery folder, and a note without its text gets the text of its newest version or of the
    /// newest backup. The damaged file is only read.
    ///
    /// - Parameter original: the original path of the damaged notebook, whose backups are searched for lost texts.
    /// - Throws: `notANotebook` if the file has no row that a user wrote.
    @discardableResult
    static func salvage(
        _ damaged: String, into path: String, of original: String? = nil
    ) throws(StoreError) -> SalvageReport {
        do {
            let file = try DamagedFile(damaged)
            let tables = DamagedTables(file)
            var others: [DamagedRecord] = []
            if file.isMixed || tables.holdsOtherNotes {
                // The log may belong to another notebook, whose pages hide those of the file.
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

    /// Replaces a damaged file by a notebook with what is readable in it, and keeps the damaged file beside it.
    ///
    /// No program may have it open.
    ///
    /// - Returns: what was salvaged, and the path of the damaged file.
    public static func repairDamaged(_ path: String) throws(StoreError) -> (report: SalvageReport, kept: String) {
        let path = Notebook.resolved(path)
        try undoInterruptedRepair(path)
        let saved = path + ".saved-" + UUID.random().uuidString
        defer { for ending in ["", "-wal", "-shm", "-lock"] { DiskFile.remove(saved + ending) } }
        let report = try salvage(path, into: saved)
        let kept = try Notebook.Backups.keepDamaged(path)
        do {
            try DiskFile.replace(path, by: saved)
        } catch {
            throw StoreError(error, path: path)
        }
        DiskFile.syncFolder(of: path)
        return (report, kept)
    }

    /// Moves the log of a damaged file back beside it after an interrupted repair, since texts may be in the log alone.
    ///
    /// A repair is interrupted if the program dies after moving the log away and before the repaired file is in place.
    private static func undoInterruptedRepair(_ path: String) throws(StoreError) {
        let file = FilePath(path)
        let folder = file.parent
        guard let name = file.lastComponent?.string,
            let names = try? FolderListing.names(of: folder.isEmpty ? "." : folder)  // the repair reports the error
        else { return }
        let endings = Notebook.Backups.besideFile
        for other in names where other.string.hasPrefix(name + ".damaged-") {
            let kept = folder.appending(other).string
            // The log is moved back only if this is a second name of the damaged file, which is then still in place.
            guard !endings.contains(where: kept.hasSuffix), DiskFile.isSame(kept, path) else { continue }
            for ending in endings where DiskFile.exists(kept + ending) && !DiskFile.exists(path + ending) {
                try DiskFile.move(kept + ending, to: path + ending)
            }
            DiskFile.remove(kept)
        }
    }

    /// The backups of the notebook at a path, which may be unreadable: found by name alone, newest first.
    public static func backups(beside path: String) -> [String] {
        let file = FilePath(path)
        let folder = file.parent.appending("backups").string
        let stem = BackupName.stem(of: path)
        let names = (try? FolderListing.names(of: FilePath(folder))) ?? []  // none were made
        // Uses the names as found: a date that is parsed and formatted again may differ by a millisecond.
        let found = names.map(\.string).compactMap { file in
            BackupName(file, notebook: stem).map { (name: $0, file: file) }
        }
        return found.sorted { ($0.name.number, $0.name.date) > ($1.name.number, $1.name.date) }
            .map { folder + "/" + $0.file }
    }
}

/// The texts of the newest readable backup.
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
                // Try the next older one.
            }
        }
        return nil
    }

    subscript(_ id: NoteID) -> Data? {
        let sql = "SELECT CAST(text AS BLOB) FROM note_text WHERE note = (SELECT id FROM note WHERE uuid = ?)"
        return try? queue.read {  // a backup without this note has no text for it
            try Data.fetchOne($0, sql: sql, arguments: [id.description])
        }
    }
}
