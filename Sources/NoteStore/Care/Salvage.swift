import Foundation
import GRDB

/// Copies row by row from a file that may be damaged into a new notebook.
struct Salvage {
    private let old: Database
    private let db: Database
    private(set) var report = SalvageReport()

    init(from old: Database, to db: Database) {
        self.old = old
        self.db = db
    }

    mutating func run() throws {
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        report.containers = try copyContainers()
        try copyNotes()
        _ = try copy("note_tag", key: "note", columns: "note, tag")
        report.images = try copy("note_image", key: "id", columns: "id, uuid, hash, mimeType, createdDate, data")
        _ = try copy(
            "note_version", key: "id", columns: "id, note, number, createdDate, reason, title, wordCount, hash, text")
        _ = try copy("former_title", key: "note", columns: "titleKey, note, date")
        _ = try copy("saved_search", key: "id", columns: "id, uuid, name, nameKey, query, createdDate")
        // What lost the note or tag that it belongs to.
        for (table, column, target) in [
            ("note_tag", "note", "note"), ("note_tag", "tag", "container"), ("note_version", "note", "note"),
            ("former_title", "note", "note"), ("note_text", "note", "note"),
        ] {
            try db.execute(sql: "DELETE FROM \(table) WHERE \(column) NOT IN (SELECT id FROM \(target))")
        }
    }

    /// Containers in the order of depth, so that each finds its parent; a lost parent makes it a root.
    private mutating func copyContainers() throws -> Int {
        var waiting = rows(
            "container", key: "id",
            columns: """
                id, uuid, kind, name, nameKey, parent, createdDate, colorRGBA, symbol, sortOrder, role, projectType,
                details, origin, originPath, trashedDate
                """)
        waiting.removeAll { ($0["id"] as Int64? ?? 0) <= 6 }
        var known: Set<Int64> = [1, 2, 3, 4, 5, 6]
        var count = 0
        while !waiting.isEmpty {
            let ready = waiting.filter { ($0["parent"] as Int64?).map(known.contains) ?? true }
            // A circle, or parents that are gone.
            let next = ready.isEmpty ? [waiting[0]] : ready
            for row in next where insert(row, isRoot: ready.isEmpty) {
                count += 1
                known.insert(row["id"])
            }
            let taken = Set(next.map { $0["id"] as Int64 })
            waiting.removeAll { taken.contains($0["id"]) }
        }
        return count
    }

    private func insert(_ row: Row, isRoot: Bool) -> Bool {
        var values = Dictionary(row.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
        if isRoot { values["parent"] = .null }
        values["origin"] = .null
        let columns = values.keys.sorted()
        for attempt in 0..<3 {
            if attempt == 1, let name = row["name"] as String? {
                // A name that a lost parent kept apart from another.
                let apart = "\(name) \(row["id"] as Int64? ?? 0)"
                values["name"] = apart.databaseValue
                values["nameKey"] = Folding.key(apart).databaseValue
            }
            if attempt == 2 { values["parent"] = .null; values["role"] = .null }
            let marks = columns.map { _ in "?" }.joined(separator: ", ")
            let sql = "INSERT INTO container (\(columns.joined(separator: ", "))) VALUES (\(marks))"
            let arguments = StatementArguments(columns.map { values[$0] ?? .null })
            if (try? db.execute(sql: sql, arguments: arguments)) != nil {  // a row that no rule lets in is not counted
                return true
            }
        }
        return false
    }

    private mutating func copyNotes() throws {
        let columns = """
            id, uuid, title, titleKey, defaultTitle, createdDate, updatedDate, starred, folder, sortOrder, aiSummary,
            contentHash, preview, wordCount, size, features, revision, originPath, originPlace, movedDate
            """
        let folders = Set(try Int64.fetchAll(db, sql: "SELECT id FROM container"))
        for row in rows("note", key: "id", columns: columns) {
            var values = Dictionary(row.map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
            let folder = (row["folder"] as Int64?) ?? 0
            if !folders.contains(folder) { values["folder"] = .null }
            if folder == SystemKey.buffer { values["folder"] = SystemKey.inbox.databaseValue }
            values["place"] = try place(of: values["folder"])
            values["titleStamp"] = 1.databaseValue
            let key: Int64 = row["id"]
            let names = values.keys.sorted()
            let marks = names.map { _ in "?" }.joined(separator: ", ")
            let sql = "INSERT OR IGNORE INTO note (\(names.joined(separator: ", "))) VALUES (\(marks))"
            try db.execute(sql: sql, arguments: StatementArguments(names.map { values[$0] ?? .null }))
            let text = try copyText(of: key)
            if !text { report.damagedNotes += 1 }
            report.notes += 1
        }
    }

    private func place(of folder: DatabaseValue?) throws -> DatabaseValue {
        guard let folder, let key = Int64.fromDatabaseValue(folder) else { return 0.databaseValue }
        let sql =
            "SELECT CASE kind WHEN 'archive' THEN 1 WHEN 'trash' THEN 2 ELSE place END FROM container WHERE id = ?"
        return (try Int.fetchOne(db, sql: sql, arguments: [key]) ?? 0).databaseValue
    }

    /// The text, or the newest version that can be read; returns whether it is the text.
    private func copyText(of key: Int64) throws -> Bool {
        let insert = "INSERT INTO note_text (note, text, stamp) VALUES (?, CAST(? AS TEXT), 1)"
        let sources = [
            "SELECT text FROM note_text WHERE note = ?",
            "SELECT text FROM note_version WHERE note = ? ORDER BY number DESC LIMIT 1",
        ]
        for (index, sql) in sources.enumerated() {
            guard let text = try? Data.fetchOne(old, sql: sql, arguments: [key]) else { continue }  // damaged: the next
            try db.execute(sql: insert, arguments: [key, text])
            return index == 0
        }
        try db.execute(sql: insert, arguments: [key, Data()])
        return false
    }

    private func copy(_ table: String, key: String, columns: String) throws -> Int {
        var count = 0
        for row in rows(table, key: key, columns: columns) {
            let names = Array(row.columnNames)
            let marks = names.map { _ in "?" }.joined(separator: ", ")
            let sql = "INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))"
            let arguments = StatementArguments(Array(row.databaseValues))
            if (try? db.execute(sql: sql, arguments: arguments)) != nil {  // its note may be lost
                count += 1
            }
        }
        return count
    }

    /// All rows that can be read: forwards to the damage, then backwards to it, then one by one.
    private func rows(_ table: String, key: String, columns: String) -> [Row] {
        var found: [Row] = []
        var seen: Set<[DatabaseValue]> = []
        for order in ["ASC", "DESC"] {
            do {
                let sql = "SELECT \(columns) FROM \(table) ORDER BY \(key) \(order)"
                let cursor = try Row.fetchCursor(old, sql: sql)
                while let row = try cursor.next() {
                    if seen.insert(Array(row.databaseValues)).inserted { found.append(row.copy()) }
                }
                return found
            } catch {
                // The damage; what lies behind it is read from the other end.
                continue
            }
        }
        return found
    }
}
