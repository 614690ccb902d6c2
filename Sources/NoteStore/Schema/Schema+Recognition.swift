import Foundation
import GRDB

extension Schema {
    /// `PRAGMA application_id` of a notebook since version 5: "tnNB" in ASCII.
    ///
    /// `sqlite3 old .dump | sqlite3 new` loses it, and the version, so a file without it is recognised by its tables.
    static let applicationID = 0x746E_4E42

    /// Tables that every version has.
    private static let ownTables: Set<String> = ["container", "note", "note_text", "listing", "note_link", "setting"]

    /// Tables that exist before the first migration has ended.
    private static let beginnings: Set<String> = ["grdb_migrations", "sqlite_sequence"]

    /// Returns the schema version of this file, or 0 if the file is empty.
    ///
    /// It only reads, so another program's file stays as it is.
    ///
    /// - Throws: `notANotebook` for another program's file.
    static func foundVersion(_ db: Database, path: String) throws -> Int {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if application == applicationID, version > 0 { return version }
        guard application == 0 || application == applicationID else { throw StoreError.notANotebook(path: path) }
        let tables = Set(
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name IS NOT NULL"))
        if tables.isSubset(of: beginnings), version == 0 { return 0 }
        guard tables.isSuperset(of: ownTables) else { throw StoreError.notANotebook(path: path) }
        if version > 0 { return version }
        // The file was written from a dump, which lacks the version; a table lists the migrations that were applied.
        guard tables.contains("grdb_migrations") else { throw StoreError.notANotebook(path: path) }
        return try Int.fetchOne(db, sql: "SELECT max(CAST(identifier AS INTEGER)) FROM grdb_migrations") ?? 0
    }

    /// Restores what a dump loses: the schema version and the application ID.
    static func restoreHeader(_ db: Database, version: Int) throws {
        try db.execute(sql: "PRAGMA user_version = \(version)")
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
    }
}
