import Foundation
import GRDB

/// Copies what is readable in a damaged file into a new notebook, row by row.
struct Salvage {
    typealias Values = [String: DamagedValue]

    private let old: DamagedTables
    private let db: Database
    /// Texts from the newest backup, by note identity, for notes that have lost theirs.
    private let backup: (NoteID) -> Data?
    private let now: Int64
    /// Texts that belong to no note of `old`; each one that is stored nowhere else becomes a note.
    private let otherTexts: [DamagedRecord]
    private(set) var report = SalvageReport()

    init(
        from old: DamagedTables, besides otherTexts: [DamagedRecord] = [], to db: Database, now: Int64,
        backup: @escaping (NoteID) -> Data?
    ) {
        (self.old, self.otherTexts, self.db, self.now, self.backup) = (old, otherTexts, db, now, backup)
    }

    mutating func run() throws {
        try db.execute(sql: "PRAGMA defer_foreign_keys = ON")
        try copyIdentity()
        try copyContainers()
        try copyNotes()
        try copyOtherTexts()
        try copyKeyed("note_tag")
        report.images = try copy("note_image")
        _ = try copy("note_file")
        _ = try copy("note_version")
        try copyKeyed("former_title")
        _ = try copy("saved_search")
        // Deletes rows that have lost their note or tag.
        for (table, column, target) in [
            ("note_tag", "note", "note"), ("note_tag", "tag", "container"), ("note_version", "note", "note"),
            ("former_title", "note", "note"),
        ] {
            try db.execute(sql: "DELETE FROM \(table) WHERE \(column) NOT IN (SELECT id FROM \(target))")
        }
    }

    /// Copies the notebook's identity, by which backups are recognised.
    private func copyIdentity() throws {
        for record in old.keyed["setting"] ?? [] where record.values.first?.text == NotebookID.key {
            guard let value = record.values.last?.text, NotebookID(stored: value) != nil else { continue }
            try db.execute(
                sql: "UPDATE setting SET value = ? WHERE key = ?", arguments: [value, NotebookID.key])
        }
    }

    // MARK: - Rows

    /// Returns the rows of a table with a rowid, as values by column name, sorted by rowid.
    private func rows(_ table: String) throws -> [(key: Int64, values: Values, isWhole: Bool)] {
        let columns = try columns(table)
        return (old.rows[table] ?? [:]).values.sorted { $0.key < $1.key }.map { record in
            (record.key, named(record, columns), record.isWhole)
        }
    }

    /// Returns the columns of the newest schema, in order; a row of an older schema has the first of them.
    private func columns(_ table: String) throws -> [String] {
        try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('\(table)')")
    }

    /// Returns the values of a row by column name, without NULLs, so that a column's default applies.
    private func named(_ record: DamagedRecord, _ columns: [String]) -> Values {
        var values = Values(zip(columns, record.values).filter { $0.1 != .null }) { first, _ in first }
        if record.key != 0, let first = columns.first, record.values.first == .null {
            values[first] = .integer(record.key)
        }
        return values
    }

    /// Inserts a row; returns whether the notebook's rules let it in.
    private func insert(_ table: String, _ values: Values) -> Bool {
        let names = values.keys.sorted()
        let marks = names.map { values[$0]?.mark ?? "?" }
        let sql =
            "INSERT OR IGNORE INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks.joined(separator: ", ")))"
        let arguments = StatementArguments(names.map { values[$0]?.databaseValue ?? .null })
        do {
            try db.execute(sql: sql, arguments: arguments)
            return db.changesCount > 0
        } catch {
            // A trigger or a column refuses a value; the caller tries again with fewer values.
            return false
        }
    }

    private func copy(_ table: String) throws -> Int {
        try rows(table).count { $0.isWhole && insert(table, $0.values) }
    }

    private func copyKeyed(_ table: String) throws {
        let columns = try columns(table)
        for record in old.keyed[table] ?? [] where record.isWhole { _ = insert(table, named(record, columns)) }
    }

    // MARK: - Containers

    /// Columns of a container that are derived from others, or refer to rows that may be lost.
    private static let derivedOfContainer = ["place", "project", "gatheredBy", "origin", "noteCount"]

    /// Copies containers from the roots down, parents first; one with a lost parent, or in a cycle, becomes a root.
    private mutating func copyContainers() throws {
        var children: [Int64: [(key: Int64, values: Values)]] = [:]
        var all: Set<Int64> = [1, 2, 3, 4, 5, 6]
        let found = try rows("container").filter { $0.key > 6 }
        all.formUnion(found.map(\.key))
        for row in found {
            var values = row.values
            for column in Self.derivedOfContainer { values[column] = nil }
            let parent = values["parent"]?.integer ?? 0
            children[all.contains(parent) ? parent : 0, default: []].append((row.key, values))
        }
        var done: Set<Int64> = []
        /// Inserts the descendants of these parents.
        func descend(from parents: [Int64]) {
            var waiting = parents
            while let parent = waiting.popLast() {
                for (key, values) in children[parent] ?? [] where done.insert(key).inserted {
                    if insertContainer(key, values, isRoot: parent == 0) { report.containers += 1 }
                    waiting.append(key)
                }
            }
        }
        descend(from: [0, 1, 2, 3, 4, 5, 6])
        // The remaining containers belong to cycles.
        for row in found where !done.contains(row.key) {
            var values = row.values
            for column in Self.derivedOfContainer + ["parent"] { values[column] = nil }
            done.insert(row.key)
            if insertContainer(row.key, values, isRoot: true) { report.containers += 1 }
            descend(from: [row.key])
        }
    }

    private func insertContainer(_ key: Int64, _ values: Values, isRoot: Bool) -> Bool {
        var values = values
        if isRoot { values["parent"] = nil }
        let name = values["name"]?.text ?? Texts.namelessFolder(key)
        func call(_ name: String) {
            values["name"] = .text(Data(name.utf8))
            values["nameKey"] = .text(Data(Folding.key(name).utf8))
        }
        call(name)
        if values["createdDate"]?.integer == nil { values["createdDate"] = .integer(now) }
        if insert("container", values) { return true }
        // The name may clash: a lost parent may have separated it from another.
        call("\(name) \(key)")
        if insert("container", values) { return true }
        values = [
            "id": .integer(key), "uuid": .text(Data(ContainerID().description.utf8)),
            "kind": .text(Data("folder".utf8)),
            "name": values["name"] ?? .null, "nameKey": values["nameKey"] ?? .null, "createdDate": .integer(now),
        ]
        return insert("container", values)
    }

    // MARK: - Notes

    /// Columns of a note that are derived from others, or refer to rows that may be lost.
    private static let derivedOfNote = ["origin", "owner", "uniqueTitle", "titleKey", "place"]

    private mutating func copyNotes() throws {
        var notes: [Int64: Values] = [:]
        for row in try rows("note") { notes[row.key] = row.values }
        let texts = old.rows["note_text"] ?? [:]
        let versions = newestVersions()
        let places = try placesOfContainers()
        for key in Set(notes.keys).union(texts.keys).union(versions.keys).sorted() {
            guard insertNote(key, notes[key] ?? [:], places) else { continue }
            report.notes += 1
            let id = try String.fetchOne(db, sql: "SELECT uuid FROM note WHERE id = ?", arguments: [key])
                .map(NoteID.init(stored:))
            let (text, isWhole) = text(texts[key], versions[key], id)
            if !isWhole { report.damagedNotes += 1 }
            try db.execute(
                sql: "INSERT INTO note_text (note, text, stamp) VALUES (?, CAST(? AS TEXT), 1)",
                arguments: [key, Data(text)])
        }
    }

    /// Makes notes from texts in the file that belong to none of its notes.
    private mutating func copyOtherTexts() throws {
        if otherTexts.isEmpty { return }
        var seen = try Data.fetchSet(db, sql: "SELECT CAST(text AS BLOB) FROM note_text")
        var key = try Int64.fetchOne(db, sql: "SELECT max(id) FROM note") ?? 0
        for record in otherTexts where record.isWhole && record.values.count >= 2 {
            guard case .text(let text) = record.values[1], !text.isEmpty, seen.insert(Data(text)).inserted else {
                continue
            }
            key += 1
            guard insertNote(key, [:], [:]) else { continue }
            report.notes += 1
            try db.execute(
                sql: "INSERT INTO note_text (note, text, stamp) VALUES (?, CAST(? AS TEXT), 1)",
                arguments: [key, Data(text)])
        }
    }

    /// Inserts a note with all known values, or else with those that the rules accept.
    private func insertNote(_ key: Int64, _ known: Values, _ places: [Int64: Int64]) -> Bool {
        var values = known
        for column in Self.derivedOfNote { values[column] = nil }
        values["id"] = .integer(key)
        values["titleStamp"] = .integer(1)
        let title = values["title"]?.text ?? ""
        values["titleKey"] = .text(Data(Folding.key(title).utf8))
        for column in ["title", "defaultTitle"] where values[column]?.text == nil { values[column] = .text(Data()) }
        for column in ["createdDate", "updatedDate"] where values[column]?.integer == nil {
            values[column] = .integer(now)
        }
        if values["uuid"]?.text.flatMap({ NoteID($0) }) == nil {
            values["uuid"] = .text(Data(NoteID().description.utf8))
        }
        var folder = values["folder"]?.integer ?? 0
        // No program is left that could paste a note that was cut when the file was damaged.
        if folder == SystemKey.buffer { folder = SystemKey.inbox }
        values["folder"] = places[folder] == nil ? nil : .integer(folder)
        values["place"] = .integer(places[folder] ?? 0)
        if insert("note", values) { return true }
        values["folder"] = nil
        values["place"] = .integer(0)
        if insert("note", values) { return true }
        let needed = ["id", "uuid", "title", "titleKey", "defaultTitle", "createdDate", "updatedDate", "titleStamp"]
        values = values.filter { needed.contains($0.key) }
        if insert("note", values) { return true }
        // Another note has the same identity.
        values["uuid"] = .text(Data(NoteID().description.utf8))
        return insert("note", values)
    }

    /// Returns the place of a note in each container that can hold notes.
    private func placesOfContainers() throws -> [Int64: Int64] {
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT id, CASE kind WHEN 'archive' THEN 1 WHEN 'trash' THEN 2 ELSE place END FROM container
                WHERE kind IN ('inbox', 'folder', 'archive', 'trash')
                """)
        return Dictionary(rows.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    /// Returns the newest version's text of each note.
    private func newestVersions() -> [Int64: Data] {
        var newest: [Int64: (number: Int64, text: Data)] = [:]
        for record in (old.rows["note_version"] ?? [:]).values where record.values.count >= 9 {
            guard let note = record.values[1].integer, let number = record.values[2].integer,
                case .text(let text) = record.values[8], number >= newest[note]?.number ?? .min
            else { continue }
            newest[note] = (number, text)
        }
        return newest.mapValues(\.text)
    }

    /// Returns the complete text, or else the longest of its readable part, its newest version and its backup.
    private func text(_ record: DamagedRecord?, _ version: Data?, _ id: NoteID?) -> (Data, isWhole: Bool) {
        var part = Data()
        if let record, record.values.count >= 2 {
            switch record.values[1] {
            case .text(let bytes), .blob(let bytes):
                if record.isWhole { return (bytes, true) }
                part = bytes
            default: break
            }
        }
        let others = [part, version, id.flatMap(backup)].compactMap { $0 }
        return (others.max { $0.count < $1.count } ?? Data(), false)
    }
}
