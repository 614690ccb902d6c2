import Foundation
import SeededRandom
import TerminalDriver

/// Imports files, more of them in each life.
struct KilledImporting: KilledWork {
    private static let texts = (100..<150).map { number in
        "# Import \(number)\n\n" + String(repeating: "word \(number) ", count: 50)
    }
    private let folder: URL
    private let template: NotebookTemplate

    init(_ workplace: Workplace) throws {
        folder = workplace.folder.appending(path: "files")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (number, text) in Self.texts.enumerated() {
            try Data(text.utf8).write(to: folder.appending(path: "\(number).md"))
        }
        _ = try workplace.tn("--new", "There before")
        template = try NotebookTemplate(of: workplace)
    }

    /// The query for the number of notes, and the distinct beginnings and lengths of their texts.
    var question: String {
        """
        SELECT count(*) FROM note;
        SELECT DISTINCT substr(text, 1, 12) || '|' || length(text) FROM note_text ORDER BY 1;
        """
    }

    mutating func prepare(_ number: Int, _ chance: inout SeededGenerator) throws {
        if chance.number(in: 0...3) == 0 { try template.putBack() }
    }

    mutating func live(_ life: KilledLife, _ chance: inout SeededGenerator) throws {
        let terminal = life.terminal
        try terminal.wait(for: "There before")
        try terminal.send("\u{1B}1i")
        try terminal.wait(for: "Import into")
        try terminal.send("\u{15}\(folder.path)\r")
        // The duration of an import depends on the machine's other work: wait for some imports.
        if life.number % 4 == 3 { try terminal.wait(for: "▾ Folders") }
        try life.linger(milliseconds: chance.number(in: 0...chance.pick([150, 600])))
    }

    func wasSeen(in life: KilledLife) -> Bool { (life.shownCount(of: folder.lastPathComponent) ?? 0) > 0 }

    func fault(in answer: [Substring], after life: KilledLife) -> String? {
        let whole = Set(Self.texts.map { "\($0.prefix(12))|\($0.count)" } + ["There before|12"])
        let strange = answer.dropFirst().filter { !whole.contains(String($0)) }
        if !strange.isEmpty || !answer.contains("There before|12") { return "not whole: \(strange)" }
        // The note from before the import is in the Inbox.
        let (shown, found) = (life.shownCount(of: folder.lastPathComponent) ?? 0, (Int(answer[0]) ?? 0) - 1)
        return found >= shown ? nil : "\(shown) were seen, \(found) are there"
    }
}

/// Migrates a notebook of the first schema: killed during the migration, again, and after it.
struct KilledMigrating: KilledWork {
    private let template: NotebookTemplate
    private let before: String

    init(_ workplace: Workplace) throws {
        // Creates the folders.
        _ = try workplace.tn("list")
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let sql = try String(contentsOf: tests.appending(path: "Notebooks/schema-1.sql"), encoding: .utf8)
        for suffix in ["", "-wal", "-shm"] { unlink(workplace.database.path + suffix) }
        let made = try workplace.run("/usr/bin/env", ["sqlite3", workplace.database.path], input: sql)
        guard made.status == 0 else { throw PseudoTerminal.Failure(description: "no old notebook: \(made.error)") }
        template = try NotebookTemplate(of: workplace)
        before = try workplace.query(Self.texts)
    }

    private static let texts = """
        SELECT group_concat(uuid || hex(title) || hex(text), ' ')
        FROM (SELECT * FROM note JOIN note_text ON note_text.note = note.id ORDER BY uuid);
        """
    var question: String { "PRAGMA user_version; SELECT count(*) FROM grdb_migrations; " + Self.texts }

    mutating func prepare(_ number: Int, _ chance: inout SeededGenerator) throws {
        if number % 3 == 0 { try template.putBack() }
    }

    func awaitStart(_ life: KilledLife) throws {
        if life.number % 3 == 2 { try life.terminal.wait(for: "Groceries") }
    }

    mutating func live(_ life: KilledLife, _ chance: inout SeededGenerator) throws {
        try life.linger(milliseconds: chance.number(in: 0...200))
    }

    func wasSeen(in life: KilledLife) -> Bool { life.lastShown.contains("Groceries") }

    func fault(in answer: [Substring], after life: KilledLife) -> String? {
        guard answer.count == 3, answer[2] == before else { return "not what it was: \(answer)" }
        return wasSeen(in: life) && answer[1] == "1" ? "shown as new, and old again: \(answer)" : nil
    }
}
