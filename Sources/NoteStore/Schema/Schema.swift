import Foundation
import GRDB

/// The notebook's schema and the way to it from every earlier one.
///
/// `PRAGMA user_version` holds the number of the newest migration that the file has seen, so that opening a current
/// file costs one pragma: the migrator, with its own table, only runs on a file that is behind.
enum Schema {
    /// The newest version; one more with each migration.
    static let version = 1

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { db in
            try db.execute(sql: version1Tables)
            try db.execute(sql: version1Triggers)
            try insertSystemContainers(db)
            try db.execute(sql: "PRAGMA user_version = 1")
        }
        return migrator
    }

    /// The system containers in their order, with the integer keys that triggers know.
    static let systemContainers: [(key: Int64, id: ContainerID, kind: NoteContainer.Kind, name: String, order: Int64)] =
        [
            (1, .inbox, .inbox, "Inbox", 0), (2, .starred, .starred, "Starred", 1),
            (3, .allNotes, .allNotes, "All Notes", 2), (4, .trash, .trash, "Trash", 3),
            (5, .archive, .archive, "Archive", 4), (6, .buffer, .buffer, "Buffer", 5),
        ]

    /// Makes the system containers that are missing.
    static func insertSystemContainers(_ db: Database) throws {
        for container in systemContainers {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO container
                        (id, uuid, kind, name, nameKey, createdDate, colorRGBA, symbol, sortOrder)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    container.key, container.id.description, container.kind.rawValue, container.name,
                    Folding.key(container.name), Date().milliseconds, Int64(NoteContainer.defaultColor),
                    container.kind.symbol, container.order,
                ])
        }
    }
}

/// Integer keys of the system containers.
enum SystemKey {
    static let inbox: Int64 = 1
    static let starred: Int64 = 2
    static let allNotes: Int64 = 3
    static let trash: Int64 = 4
    static let archive: Int64 = 5
    static let buffer: Int64 = 6
}

extension Date {
    /// Milliseconds since 1970, UTC: how the notebook stores times.
    var milliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
