import Foundation
import SeededRandom
import TerminalDriver
import Testing

/// Kills the program while it moves, archives, deletes, undoes, empties Trash, migrates or makes a notebook.
///
/// `TN_KILLS` and `TN_SEED` as in `KillTests`.
@Suite(.serialized)
struct DurabilityActionTests {
    private static let titles = (10..<22).map { "Paper \($0)" }

    /// Returns a notebook with notes and a folder.
    private func filled() throws -> Workplace {
        let workplace = try Workplace()
        _ = try workplace.tn("folder", "add", "Shelf")
        for title in Self.titles { _ = try workplace.tn("--new", title) }
        return workplace
    }

    @Test func `actions and their undoing lose no note and make none twice, whenever the program is killed`() throws {
        var chance = SeededGenerator(seed: KillTests.seed &+ 3)
        for round in 0..<max(2, KillTests.rounds / 4) {
            let workplace = try filled()
            let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
            try terminal.wait(for: "Paper 21")
            var keys = ""
            for _ in 0..<chance.number(in: 1...25) {
                // The keys delete, archive, star, cut and paste, undo and redo, on one note or on several marked notes.
                let key = chance.pick(["d", "a", "s", "x", "v", "u", "u", "U", "j", "k", " ", "*"])
                keys += key
                try terminal.send(key)
                let next = PseudoTerminal.now + UInt64(chance.number(in: 0...40)) * 1_000_000
                while PseudoTerminal.now < next { try terminal.pump(milliseconds: 1) }
            }
            kill(terminal.process, SIGKILL)
            #expect(terminal.waitForExit() == 128 + SIGKILL)
            try expectSound(workplace, "round \(round), keys \(keys)")
            let found = try ["", "--trash", "--archive"].flatMap { try titles(workplace, $0) }
            #expect(found.sorted() == Self.titles, "round \(round), keys \(keys)")
        }
    }

    @Test func `a command that is killed has done all or nothing`() throws {
        var chance = SeededGenerator(seed: KillTests.seed &+ 4)
        let workplace = try filled()
        var expected = Set(Self.titles)
        for round in 0..<max(8, KillTests.rounds) {
            let all = try ["", "--trash"].flatMap { try titles(workplace, $0) }
            let some = Array(all.sorted().prefix(chance.number(in: 1...max(1, all.count)))).map { String($0) }
            let command = chance.pick([
                ["move"] + some + ["--to", "Shelf"], ["trash"] + some, ["restore"] + some, ["empty-trash", "--yes"],
                ["tag", some.first ?? "x", "--add", "round \(round)"], ["new", "Paper \(30 + round)"],
            ])
            let trashed = Set(try titles(workplace, "--trash"))
            let terminal = try PseudoTerminal(Workplace.program, command, environment: workplace.environment)
            let end = PseudoTerminal.now + UInt64(chance.number(in: 1...120)) * 1_000_000
            while PseudoTerminal.now < end, !terminal.isClosed { try terminal.pump(milliseconds: 1) }
            kill(terminal.process, SIGKILL)
            _ = terminal.waitForExit()
            try expectSound(workplace, "round \(round): \(command)")
            let (live, gone) = (Set(try titles(workplace, "")), Set(try titles(workplace, "--trash")))
            if command[0] == "empty-trash", gone.isEmpty { expected.subtract(trashed) }
            if command[0] == "new" { expected.formUnion(live.filter { $0 == command[1] }) }
            #expect(live.union(gone) == expected, "round \(round): \(command)")
            if ["move", "trash", "restore"].contains(command[0]) {
                // The command is a single transaction, so it moves all of them or none.
                #expect(gone == trashed || gone == trashed.union(some) || gone == trashed.subtracting(some))
            }
        }
    }

    @Test func `a notebook that is being made or brought up to date is whole whenever the program is killed`() throws {
        var chance = SeededGenerator(seed: KillTests.seed &+ 5)
        let old = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Notebooks/schema-1.sql")
        let sql = try String(contentsOf: old, encoding: .utf8)
        for round in 0..<max(4, KillTests.rounds / 2) {
            let workplace = try Workplace()
            let isOld = round % 2 == 0
            if isOld {
                let folder = workplace.folder.appending(path: "data/takenote-dev")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let path = workplace.database.path
                #expect(try workplace.run("/usr/bin/env", ["sqlite3", path], input: sql).status == 0)
            }
            let terminal = try PseudoTerminal(Workplace.program, ["list"], environment: workplace.environment)
            let end = PseudoTerminal.now + UInt64(chance.number(in: 5...80)) * 1_000_000
            while PseudoTerminal.now < end, !terminal.isClosed { try terminal.pump(milliseconds: 1) }
            kill(terminal.process, SIGKILL)
            _ = terminal.waitForExit()
            #expect(try workplace.tn("--new", "After").status == 0, "round \(round)")
            try expectSound(workplace, "round \(round)")
            #expect(try titles(workplace, "").contains("After"))
            if isOld { #expect(try titles(workplace, "").contains("Groceries"), "round \(round)") }
        }
    }

    @Test func `an import that is killed leaves whole notes and a sound notebook`() throws {
        let workplace = try Workplace()
        let folder = workplace.folder.appending(path: "papers")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var texts: Set<String> = []
        for number in 100..<400 {
            let text = "# Paper \(number)\n\n" + String(repeating: "word \(number) ", count: 50) + "\n"
            texts.insert(text)
            try Data(text.utf8).write(to: folder.appending(path: "\(number).md"))
        }
        try #require(try workplace.hasCommand("import"))
        _ = try workplace.tn("--new", "# Paper 000\n\nThere before")
        var chance = SeededGenerator(seed: KillTests.seed &+ 2)
        for round in 0..<max(1, KillTests.rounds / 4) {
            let terminal = try PseudoTerminal(
                Workplace.program, ["import", folder.path], environment: workplace.environment)
            let end = PseudoTerminal.now + UInt64(chance.number(in: 1...250)) * 1_000_000
            while PseudoTerminal.now < end, !terminal.isClosed { try terminal.pump(milliseconds: 1) }
            kill(terminal.process, SIGKILL)
            _ = terminal.waitForExit()
            try expectSound(workplace, "round \(round)")
        }
        let contents = try workplace.query(
            "SELECT count(*) FROM notes WHERE content NOT LIKE '# Paper ___' || char(10) || '%'")
        #expect(contents == "0")
    }

    @Test func `two editors and fifty captures at once lose nothing and show no error`() throws {
        let workplace = try Workplace()
        for title in ["First", "Second"] { _ = try workplace.tn("--new", title) }
        let editors = try ["First", "Second"].map { title in
            let terminal = try PseudoTerminal(
                Workplace.program, ["open", "--here", title], environment: workplace.environment)
            try terminal.wait(for: title)
            // When zoomed, only the editor is drawn.
            try terminal.send("\u{1B}[21~\u{1B}[1;5F")
            return terminal
        }
        let done = Progress()
        let captures = Thread {
            DispatchQueue.concurrentPerform(iterations: 50) { number in
                let result = try? workplace.tn("--new", "Capture \(number)")
                done.add(result?.status == 0 && result?.error.isEmpty == true)
            }
        }
        captures.start()
        var typed = ""
        while done.count < 50 {
            typed += "x"
            for editor in editors {
                try editor.send("x")
                try editor.pump(milliseconds: 4)
            }
        }
        #expect(done.failures == 0)
        for editor in editors {
            try editor.wait(for: "the save") { $0.lines.last?.contains("saved") == true }
        }
        for editor in editors {
            try editor.send("\u{11}")
            #expect(editor.waitForExit() == 0)
        }
        for title in ["First", "Second"] {
            let text = try workplace.query("SELECT content FROM notes WHERE content LIKE '%\(title)%'")
            #expect(text.filter { $0 == "x" } == typed && text.filter { $0 != "x" } == title)
        }
        #expect(try titles(workplace, "").count == 52)
        try expectSound(workplace, "two editors")
    }

    private func titles(_ workplace: Workplace, _ place: String) throws -> [String] {
        let arguments = ["list", "--json"] + (place.isEmpty ? [] : [place])
        let result = try workplace.run(Workplace.program, arguments)
        let notes = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [[String: Any]] ?? []
        return notes.compactMap { $0["title"] as? String }
    }

    /// Checks that neither the program itself nor SQLite finds a problem.
    private func expectSound(_ workplace: Workplace, _ context: String) throws {
        let doctor = try workplace.tn("doctor")
        #expect(!doctor.output.contains("!!"), "\(context): \(doctor.output)")
        #expect(try workplace.query("PRAGMA integrity_check") == "ok", "\(context)")
    }
}

/// Counts the results of threads.
private final class Progress: @unchecked Sendable {
    // Guards `outcomes` and `failed`.
    private let lock = NSLock()
    private var outcomes = 0
    private var failed = 0

    var count: Int { lock.withLock { outcomes } }
    var failures: Int { lock.withLock { failed } }

    func add(_ isGood: Bool) {
        lock.withLock {
            outcomes += 1
            if !isGood { failed += 1 }
        }
    }
}
