import Foundation
import SeededRandom
import TerminalDriver
import Testing

/// Tests a notebook written maliciously by another program: the program shows it, or refuses it in words.
@Suite(.serialized)
struct HostileNotebookTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
        for title in ["Alpha", "Beta", "Gamma"] { _ = try workplace.tn("--new", title + "\n\nwith a text") }
        for path in ["One", "One/Two", "One/Two/Three"] { _ = try workplace.tn("folder", "add", path) }
    }

    private static let changes: [(name: String, sql: String)] = [
        (
            "texts that are no UTF-8",
            """
            UPDATE note SET title = CAST(x'FFC080EDA08041' AS TEXT), preview = CAST(x'F490808042' AS TEXT);
            UPDATE note_text SET text = CAST(x'2320FFC0AF0A00FF' AS TEXT);
            UPDATE container SET name = CAST(x'C0AF43' AS TEXT) WHERE kind = 'folder';
            """
        ),
        (
            "texts of controls",
            """
            UPDATE note SET title = char(27) || ']0;owned' || char(7) || char(155) || '2J' || char(8238),
                preview = char(27, 91, 50, 74, 0, 127, 8294), aiSummary = char(27) || '[31m';
            UPDATE container SET name = 'x' || char(27) || '[31m' || char(8238) || id WHERE kind = 'folder';
            """
        ),
        ("titles with a NUL", "UPDATE note SET title = 'a' || char(0) || 'b', titleKey = char(0);"),
        (
            "absurd dates",
            """
            UPDATE note SET createdDate = 9223372036854775807, updatedDate = -9223372036854775808 WHERE id = 1;
            UPDATE note SET createdDate = 'yesterday', updatedDate = 1e300 WHERE id = 2;
            UPDATE note SET createdDate = x'00', updatedDate = '' WHERE id = 3;
            UPDATE container SET createdDate = -1;
            """
        ),
        (
            "absurd counts",
            """
            UPDATE note SET wordCount = -9223372036854775808, size = 9223372036854775807,
                revision = 9223372036854775807, features = -1, sortOrder = -9223372036854775808;
            UPDATE container SET noteCount = -5, colorRGBA = -1, sortOrder = 9223372036854775807;
            """
        ),
        (
            "folders in a circle",
            """
            DROP TRIGGER container_move;
            UPDATE container SET parent = (SELECT id FROM container WHERE name = 'Three') WHERE name = 'One';
            """
        ),
        (
            "other types than declared",
            """
            UPDATE note SET title = 12345, preview = x'FF00', aiSummary = 1.5, contentHash = x'';
            UPDATE note_text SET text = x'00FF00FF' WHERE note = 1;
            UPDATE note_text SET text = 7 WHERE note = 2;
            UPDATE setting SET value = x'FF';
            """
        ),
        ("a title of ten megabytes", "UPDATE note SET title = printf('%.*c', 10000000, 'x') WHERE id = 2;"),
        ("a line of a megabyte", "UPDATE note_text SET text = printf('%.*c', 1000000, 'x') WHERE note = 3;"),
        ("a text of zeros", "UPDATE note_text SET text = CAST(zeroblob(3000000) AS TEXT) WHERE note = 3;"),
        (
            "a history that is none",
            """
            INSERT OR REPLACE INTO note_history SELECT note, 'x', 0, randomblob(5000) FROM note_text;
            INSERT OR REPLACE INTO note_history SELECT 1, contentHash, 9e18, zeroblob(0) FROM note WHERE id = 1;
            INSERT INTO note_version VALUES (99, 1, -7, 9e18, char(27) || 'x', char(27), -1, '', CAST(x'FFFE' AS TEXT));
            """
        ),
        ("no text", "DELETE FROM note_text;"),
        ("no listing", "DELETE FROM listing;"),
        (
            "no system folders",
            "DROP TRIGGER container_delete; PRAGMA foreign_keys=OFF; DELETE FROM container WHERE id = 1;"
        ),
        ("no search index", "DROP TABLE search;"),
        (
            "a thousand folders one in the other",
            """
            WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1100)
            INSERT INTO container (id, uuid, kind, name, nameKey, parent, createdDate)
                SELECT i, printf('00000000-0000-4000-8000-%012d', i), 'folder', 'd' || i, 'd' || i,
                    CASE i WHEN 100 THEN NULL ELSE i - 1 END, 0 FROM n;
            """
        ),
        (
            "a trigger of its own",
            "CREATE TRIGGER evil AFTER INSERT ON note BEGIN DELETE FROM note_text; END;"
        ),
        ("a schema of tomorrow", "INSERT INTO grdb_migrations VALUES ('999'); PRAGMA user_version = 999;"),
    ]

    @Test(arguments: changes.indices)
    func `rows made to harm end no program`(index: Int) throws {
        let (name, sql) = Self.changes[index]
        let changed = try workplace.query(sql)
        #expect(changed.isEmpty, "\(name): \(changed)")
        try expectNoCrash(name)
    }

    @Test(arguments: [
        "nothing", "no database", "cut in the middle", "a page of garbage", "garbage behind", "a journal of garbage",
    ])
    func `a file made to harm ends no program`(name: String) throws {
        let path = workplace.database
        _ = try workplace.query("PRAGMA wal_checkpoint(TRUNCATE)")
        var data = try Data(contentsOf: path)
        switch name {
        case "nothing": data = Data()
        case "no database":
            data = Data("not a database, but a text that is longer than a header of one hundred bytes \u{1B}[31m".utf8)
        case "cut in the middle": data = data.prefix(data.count / 2)
        case "a page of garbage":
            var chance = SeededGenerator(seed: 5)
            for place in 8192..<min(data.count, 16_384) { data[place] = UInt8(truncatingIfNeeded: chance.next()) }
        case "garbage behind": data += Data(repeating: 0xAA, count: 10_000)
        default:
            let sessions = path.deletingLastPathComponent().appending(path: "sessions")
            try FileManager.default.createDirectory(at: sessions, withIntermediateDirectories: true)
            for (number, text) in ["", "\u{1B}[31m", "SQLite format 3\u{0}"].enumerated() {
                let file = sessions.appending(path: "00000000-0000-4000-8000-00000000000\(number).sqlite")
                try Data((text + String(repeating: "x", count: number * 5000)).utf8).write(to: file)
            }
        }
        try data.write(to: path)
        try expectNoCrash(name)
    }

    /// Checks that the notebook is shown or refused in words, and that nothing reaches the terminal raw.
    private func expectNoCrash(_ name: String) throws {
        let out = workplace.folder.appending(path: "out").path
        for command in [
            ["list"], ["list", "--json"], ["show", "Beta"], ["search", "text"], ["folder", "list"], ["doctor"],
            ["status"],
            ["history", "Alpha"], ["export", out], ["--new", "After"],
        ] {
            let printed = try PseudoTerminal(Workplace.program, command, environment: workplace.environment)
            let status = try #require(printed.waitForExit(), "\(name): \(command) does not end")
            #expect(status < 128, "\(name): \(command) ended with \(status)")
            if command[0] != "show" {
                #expect(printed.screen.strays.isEmpty, "\(name), \(command): \(printed.screen.strays)")
            }
        }
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        // The program may refuse with a message, or have no tree to show. Keys that come before it has the terminal
        // have no effect in it.
        _ = try? terminal.wait(for: "the program's screen") { screen in
            screen.leftovers.contains { $0.contains("1049") }
        }
        try terminal.waitUntilIdle(milliseconds: 100)
        let keys = [
            "j", "\r", "x", "\u{1A}", "\u{5}", HostileTests.escape, "H", HostileTests.escape, "\u{1B}1", "G", "k", "h",
        ]
        for key in keys + ["\u{1B}2", "s", "d", "u", "/", "a", HostileTests.escape, "m", HostileTests.escape, "o"]
        where !terminal.isClosed {
            try terminal.send(key)
            try terminal.waitUntilIdle(milliseconds: 20)
        }
        if !terminal.isClosed { try terminal.send("\u{11}") }
        try terminal.waitUntilIdle(milliseconds: 200)
        // The program asks about text that cannot be saved.
        if !terminal.isClosed { try terminal.send("Quit: the text is recovered\r") }
        let status = try #require(
            terminal.waitForExit(), "\(name): it does not end:\n\(terminal.screen.lines.joined(separator: "\n"))")
        #expect(status < 128, "\(name): ended with \(status)")
        #expect(terminal.screen.strays.isEmpty, "\(name): \(terminal.screen.strays)")
    }
}
