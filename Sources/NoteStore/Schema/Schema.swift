import Foundation
import GRDB

/// The notebook's schema and the migrations to it from every earlier version.
///
/// `PRAGMA user_version` holds the number of the newest migration applied to the file, so that opening a current file
/// costs one pragma: the migrator, with its own table, runs only on an older file.
enum Schema {
    /// The newest version; one more with each migration.
    static let version = 11

    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        register(1, in: &migrator) { db in
            try db.execute(sql: version1Tables)
            try db.execute(sql: version1Triggers)
            try insertSystemContainers(db)
        }
        register(2, in: &migrator) { try $0.execute(sql: version2) }
        register(3, in: &migrator) { try $0.execute(sql: version3) }
        register(4, in: &migrator) { try composeIndexedWords($0) }
        register(5, in: &migrator) { db in
            _ = try NotebookID.make(db)
            try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        }
        register(6, in: &migrator) { try $0.execute(sql: version6) }
        register(7, in: &migrator) { try $0.execute(sql: version7) }
        register(8, in: &migrator) { try addPictureSizes($0) }
        register(9, in: &migrator) { try $0.execute(sql: version9) }
        register(10, in: &migrator) { try $0.execute(sql: version10) }
        register(11, in: &migrator) { try $0.execute(sql: version11) }
        return migrator
    }

    /// The error that another program has applied the migration which this one was about to apply.
    private struct AlreadyMigratedError: Error {}

    /// Registers the migration to `version`.
    private static func register(
        _ version: Int, in migrator: inout DatabaseMigrator, _ migrate: @escaping @Sendable (Database) throws -> Void
    ) {
        migrator.registerMigration("\(version)") { db in
            // The migrator has determined what is left to do before it waited for the lock that it now holds.
            guard try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 < version else { throw AlreadyMigratedError() }
            try migrate(db)
            try db.execute(sql: "PRAGMA user_version = \(version)")
        }
    }

    /// Applies every missing migration; of several programs that do this at once, one applies each migration.
    ///
    /// - Throws: `corrupt` if the file's version contradicts the migrations that it lists.
    static func migrate(_ database: any DatabaseWriter, path: String) throws {
        // The number of attempts is the number of migrations that other programs can apply.
        for _ in 0...version {
            do {
                return try migrator.migrate(database)
            } catch is AlreadyMigratedError {
                // Check again what is left.
            }
        }
        throw StoreError.corrupt(path: path, detail: Texts.formatContradictsTables)
    }

    /// The system containers in order, with the integer keys that triggers use.
    static let systemContainers: [(key: Int64, id: ContainerID, kind: NoteContainer.Kind, name: String, order: Int64)] =
        [
            (1, .inbox, .inbox, "Inbox", 0), (2, .starred, .starred, "Starred", 1),
            (3, .allNotes, .allNotes, "All Notes", 2), (4, .trash, .trash, "Trash", 3),
            (5, .archive, .archive, "Archive", 4), (6, .buffer, .buffer, "Buffer", 5),
        ]

    /// Restores the fixed values of the system containers, whatever another tool has changed.
    static func restoreSystemContainers(_ db: Database) throws {
        for container in systemContainers {
            try db.execute(
                sql: """
                    UPDATE OR IGNORE container SET kind = ?2, name = ?3, nameKey = ?4, parent = NULL, role = NULL
                    WHERE id = ?1 AND (kind, name, nameKey, parent, role) IS NOT (?2, ?3, ?4, NULL, NULL)
                    """,
                arguments: [container.key, container.kind.rawValue, container.name, Folding.key(container.name)])
        }
        try insertSystemContainers(db)
    }

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

extension Int64 {
    /// Returns the difference, or the number nearest to it, since another program may have stored any number.
    func clampedDifference(from other: Int64) -> Int64 {
        let (difference, isOutOfRange) = subtractingReportingOverflow(other)
        return isOutOfRange ? (self < other ? .min : .max) : difference
    }
}

extension Date {
    /// Milliseconds since 1970, UTC, which is how the notebook stores times.
    ///
    /// A time that another program has stored may round to a number that is just out of range.
    var milliseconds: Int64 {
        let milliseconds = (timeIntervalSince1970 * 1000).rounded()
        return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
    }

    init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }

    private static let timestampStyle = ISO8601FormatStyle(includingFractionalSeconds: true)

    /// ISO 8601 in UTC with milliseconds: `2026-03-01T09:30:00.000Z`.
    ///
    /// It is rounded, because the format truncates, and binary fractions are often slightly less than the milliseconds
    /// that they represent.
    public var timestamp: String { Self.timestampStyle.format(addingTimeInterval(0.0005)) }
}
