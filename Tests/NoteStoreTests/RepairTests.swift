import Foundation
import GRDB
import Testing

@testable import NoteStore

/// Tests that a repair finishes, whatever another tool has written into the notebook's tables.
@Suite struct RepairTests {
    private let test: TestNotebook
    private var notebook: Notebook { test.notebook }

    init() throws { test = try TestNotebook() }

    private func execute(_ sql: String) throws {
        try notebook.database.write { db in
            try db.execute(sql: sql)
        }
    }

    /// Changes the notebook as a tool does that drops the rules in the file, and checks no references.
    private func executeWithoutRules(_ sql: String) throws {
        try notebook.database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF")
            for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'trigger'") {
                try db.execute(sql: "DROP TRIGGER \(name)")
            }
            try db.execute(sql: sql)
            try db.execute(sql: "PRAGMA foreign_keys = ON")
        }
    }

    private func expectRepair() throws {
        #expect(try !notebook.care.check().isEmpty)
        let report = try notebook.care.repair()
        #expect(report.left.isEmpty, "\(report.left)")
    }

    @Test(arguments: ["UPDATE note_text SET note = -5 WHERE text = 'lost'", "DELETE FROM note WHERE title = 'lost'"])
    func `a text whose note is gone becomes a recovered note`(sql: String) throws {
        for text in ["kept", "lost"] { try test.note(text) }
        try executeWithoutRules(sql)
        try expectRepair()
        let found = try notebook.search.hits("lost").map(\.row.folderName)
        #expect(found.count == 1 && found.allSatisfy { $0.hasPrefix("Recovered Notes") }, "\(found)")
        try test.expectSound()
    }

    @Test func `of two folders that have got one name, one gets a number, and the repair says so`() throws {
        let (work, other) = (try notebook.folders.create("Work"), try notebook.folders.create("Other"))
        let tag = try notebook.tags.create("work")
        try test.note("note", in: other.id)
        // Another tool has changed the name alone, which no rule of the file forbids.
        try execute("UPDATE container SET name = 'WORK' WHERE name = 'Other'")
        let report = try notebook.care.repair()
        #expect(report.left.isEmpty && !report.repaired.isEmpty, "\(report.left)")
        #expect(report.renamed == [.init(container: other.id, from: "WORK", to: "WORK 2")])
        #expect(try notebook.containers.load(other.id)?.name == "WORK 2")
        #expect(try notebook.containers.load(work.id)?.name == "Work")
        #expect(try notebook.containers.load(tag.id)?.name == "work")
        #expect(try notebook.care.repair().renamed.isEmpty)
        try test.expectSound()
    }

    @Test func `names that have been exchanged are kept`() throws {
        let (one, two) = (try notebook.folders.create("One"), try notebook.folders.create("Two"))
        try execute(
            """
            UPDATE container SET name = CASE name WHEN 'One' THEN 'Two' ELSE 'One' END WHERE name IN ('One', 'Two')
            """)
        let report = try notebook.care.repair()
        #expect(report.left.isEmpty && report.renamed.isEmpty, "\(report)")
        #expect(try [one, two].map { try notebook.containers.load($0.id)?.name } == ["Two", "One"])
    }

    /// Each breaks another rule: folders where none may be, notes where none may be, and what nobody knows.
    @Test(arguments: [
        "UPDATE container SET parent = 1 WHERE name = 'Inner'",
        "UPDATE container SET parent = 5 WHERE name = 'Inner'",
        "UPDATE container SET parent = (SELECT id FROM container WHERE kind = 'tag') WHERE name = 'Inner'",
        "UPDATE container SET parent = (SELECT id FROM container WHERE role = 'draft') WHERE name = 'Inner'",
        "UPDATE note SET folder = (SELECT id FROM container WHERE kind = 'project')",
        "UPDATE note SET folder = (SELECT id FROM container WHERE role = 'publications')",
        "UPDATE note SET folder = (SELECT id FROM container WHERE kind = 'tag')",
        "UPDATE note SET folder = 2", "UPDATE note SET folder = 3",
        "UPDATE container SET kind = 'folder' WHERE kind = 'project'",
        "UPDATE container SET kind = 'tag' WHERE name = 'Outer'",
        "UPDATE container SET role = 'all' WHERE name = 'Inner'",
        "UPDATE container SET kind = 'inbox' WHERE name = 'Outer'",
        "UPDATE container SET place = 2, origin = id, trashedDate = 5",
        "UPDATE note SET place = 2, origin = 3, owner = 'nobody', uniqueTitle = 1",
        "UPDATE note SET folder = (SELECT id FROM container WHERE role = 'draft'), titleKey = 'x', title = 'Same'",
        "DELETE FROM container WHERE id <= 6",
    ])
    func `what another tool has broken is repaired, and no note is lost`(sql: String) throws {
        try notebook.projects.create("Book", type: .prose)
        let outer = try notebook.folders.create("Outer")
        let inner = try notebook.folders.create("Inner", in: outer.id)
        _ = try notebook.tags.create("tag")
        for index in 0..<3 { try test.note("text \(index)", in: [.inbox, outer.id, inner.id][index]) }
        try executeWithoutRules(sql)
        try expectRepair()
        let texts = try notebook.read { try String.fetchAll($0, sql: "SELECT text FROM note_text ORDER BY text") }
        #expect(texts == ["text 0", "text 1", "text 2"])
    }
}
