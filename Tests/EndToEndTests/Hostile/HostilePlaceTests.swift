import Foundation
import SeededRandom
import TerminalDriver
import Testing

/// Tests what lies beside and around the notebook's file: its path, its rights, and what others have left there.
struct HostilePlaceTests {
    private let workplace: Workplace

    init() throws { workplace = try Workplace() }

    /// The texts of all notes, in order.
    private func texts(_ path: String? = nil) throws -> [String] {
        let listed = try workplace.run(
            Workplace.program, (path.map { ["--database", $0] } ?? []) + ["list", "--json", "--sort", "title"])
        #expect(listed.status == 0, "\(listed)")
        let notes = try JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]] ?? []
        return try notes.compactMap { $0["uuid"] as? String }.map { id in
            try workplace.run(Workplace.program, (path.map { ["--database", $0] } ?? []) + ["show", id]).output
        }
    }

    // MARK: Paths

    @Test(arguments: [
        "two words", "new\nline", "what?mode=ro", "100%41", "c# & co", "file:x", "q'uo\"te", "semi;colon", "ਪੰਜਾਬੀ", "日本語",
        "ﷺ", "e\u{301}lan", "👩‍👩‍👧", "-dash", "\\back\\slash", "$(touch gone)", "tab\tand\u{1}control", "{a,b}*[c]",
    ])
    func `a notebook works at a path of any characters, and nothing of it lies elsewhere`(_ name: String) throws {
        let outer = workplace.folder.appending(path: "places")
        let folder = outer.path + "/" + name
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let path = folder + "/" + name + ".sqlite"
        func tn(_ words: String...) throws -> Workplace.Result {
            try workplace.run(Workplace.program, words + ["--database=" + path])
        }
        for words in [["new", "One"], ["new", "Two"], ["list"], ["doctor"], ["backup"], ["trash", "One"]] {
            let result = try workplace.run(Workplace.program, words + ["--database=" + path])
            #expect(result.status == 0, "\(words): \(result)")
        }
        let copy = folder + "/" + name + " copy"
        let made = try workplace.run(Workplace.program, ["backup", "--database=" + path, "--", copy])
        #expect(made.status == 0, "\(made)")
        #expect(try tn("empty-trash", "--yes").status == 0)
        #expect(try tn("new", "Three").status == 0)
        // The window too, with its journal, until it is killed.
        let terminal = try PseudoTerminal(
            Workplace.program, ["--database=" + path], environment: workplace.environment)
        try terminal.wait(for: "Three")
        try terminal.send("nTyped")
        try terminal.wait(for: "Typed")
        kill(terminal.process, SIGKILL)
        _ = terminal.waitForExit()
        #expect(try texts(path) == ["Three", "Two", "Typed"])
        let restored = try workplace.run(Workplace.program, ["restore-backup", "--database=" + path, "--", copy])
        #expect(restored.status == 0, "\(restored)")
        #expect(try texts(path) == ["Two"])
        let beside = try FileManager.default.contentsOfDirectory(atPath: outer.path)
        #expect(beside.map { Array($0.utf8) } == [Array(name.utf8)])
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            #expect(file.hasPrefix(name) || ["backups", "sessions"].contains(file), "\(file)")
        }
        #expect(!FileManager.default.fileExists(atPath: "gone"))
    }

    // MARK: Rights

    /// The files, folders and sockets that others than their owner can use, from a listing of `ls -lnR`.
    ///
    /// The temporary files of git are left out. Git makes them with the rights that the umask allows, in folders that are
    /// listed here too, and a sync that was ended leaves some until the next one.
    private func open(in listing: String) -> [Substring] {
        var isOfGit = false
        return listing.split(separator: "\n").filter { line in
            if line.hasPrefix("/") && line.hasSuffix(":") { isOfGit = line.contains(/\/objects[\/:]/) }
            guard let first = line.first, "-ds".contains(first) else { return false }
            let isTemporary = isOfGit && line.contains(/^-r--r--r-- .* tmp_\w+$/)
            return line.dropFirst(4).prefix(6) != "------" && !isTemporary
        }
    }

    @Test func `with any umask what tn writes is for its owner only`() throws {
        let place = try Workplace()
        let outside = workplace.folder.appending(path: "listing")
        let editor = workplace.folder.appending(path: "editor")
        let script = "ls -lnR '\(place.folder.path)' > '\(outside.path)'\necho more >> \"$1\""
        try StandIn.write(script, to: editor.path)
        let environment = place.environment.merging(["EDITOR": editor.path]) { $1 }
        func tn(_ words: String) throws {
            let result = try ProgramRun.run(
                "/bin/sh", ["-c", "umask 000; cd \"$HOME\"; exec '\(Workplace.program)' \(words)"], input: "",
                environment: environment)
            #expect(result.status == 0, "\(words): \(result)")
        }
        func expectClosed(_ what: String) throws {
            let listing = try place.run("/bin/ls", ["-lnR", place.folder.path]).output
            #expect(listing.contains("notes.sqlite"))
            #expect(open(in: listing).isEmpty, "\(what): \(open(in: listing).joined(separator: "\n"))")
        }
        for words in [
            "new One", "new Two", "list", "backup", "snapshot", "export out", "export site --site",
            "export vault --obsidian", "export all.json --json", "export book.epub --manuscript --folder Inbox",
            "mirror mirrored", "trash One", "empty-trash --yes", "doctor --repair", "notebooks add work", "config",
            "sync init repository.git --encrypt --yes", "sync",
        ] {
            try tn(words)
            try expectClosed(words)
        }
        // The draft, while the editor has it.
        try tn("edit Two")
        let listing = try String(contentsOf: outside, encoding: .utf8)
        #expect(listing.contains("notes.sqlite") && open(in: listing).isEmpty, "\(open(in: listing))")
        // The journal and the socket, while a window is open.
        let terminal = try PseudoTerminal(
            "/bin/sh", ["-c", "umask 000; exec '\(Workplace.program)'"], environment: environment)
        try terminal.wait(for: "Two")
        try terminal.send("nTyped")
        try terminal.wait(for: "Typed")
        let during = try place.run("/bin/ls", ["-lnR", place.folder.path]).output
        #expect(during.contains(".journal") && during.contains(".socket"))
        #expect(open(in: during).isEmpty, "\(open(in: during))")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        try expectClosed("the window")
    }

    // MARK: What others have left

    @Test(arguments: [["list"], ["new", "After"], ["doctor"]])
    func `a transaction that another tool has left half written is taken back`(first: [String]) throws {
        for number in 0..<30 {
            _ = try workplace.tn("--new", "Paper \(number)\n\n" + String(repeating: "word ", count: 2000))
        }
        let before = try texts()
        // A tool that knows no write-ahead log, killed when its cache had overflowed into the file.
        _ = try workplace.run(
            "/usr/bin/env", ["sqlite3", workplace.database.path],
            input: """
                PRAGMA journal_mode = DELETE;
                PRAGMA cache_size = 1;
                BEGIN;
                UPDATE note_text SET text = 'gone';
                UPDATE note SET title = 'gone', titleKey = 'gone';
                .shell kill -9 $PPID
                """)
        let journal = workplace.database.path + "-journal"
        let size = try FileManager.default.attributesOfItem(atPath: journal)[.size] as? Int ?? 0
        try #require(size > 4096, "no hot journal was left")
        let result = try workplace.run(Workplace.program, first)
        #expect(result.status == 0, "\(result)")
        #expect(try texts() == (first[0] == "new" ? ["After"] : []) + before)
        #expect(!FileManager.default.fileExists(atPath: journal))
        #expect(try workplace.query("PRAGMA integrity_check") == "ok")
        #expect(try workplace.tn("doctor").status == 0)
    }

    @Test(arguments: [0, 1, 100, 32_768, 65_536, 100_001])
    func `a shared memory file of garbage loses nothing that is in the log`(size: Int) throws {
        _ = try workplace.tn("--new", "In the file")
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "In the file")
        try terminal.send("nIn the log")
        try terminal.wait(for: "the save") { _ in
            // A query that fails is asked again.
            (try? workplace.query("SELECT count(*) FROM notes WHERE content = 'In the log'")) == "1"
        }
        kill(terminal.process, SIGKILL)
        _ = terminal.waitForExit()
        let log = workplace.database.path + "-wal"
        #expect(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int ?? 0 > 0)
        var chance = SeededGenerator(seed: UInt64(size))
        let garbage = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &chance) })
        try garbage.write(to: URL(filePath: workplace.database.path + "-shm"))
        #expect(try texts() == ["In the file", "In the log"])
        #expect(try workplace.tn("--new", "After").status == 0)
        #expect(try texts() == ["After", "In the file", "In the log"])
        #expect(try workplace.query("PRAGMA integrity_check") == "ok")
        #expect(try workplace.tn("doctor").status == 0)
    }

    @Test(arguments: 1...8)
    func `bytes that flip in the closed file end no command by a signal, and a repair gives the notes`(
        seed: Int
    ) throws {
        for number in 0..<20 {
            _ = try workplace.tn("--new", "Paper \(number)\n\n" + String(repeating: "word\(number) ", count: 300))
        }
        #expect(try workplace.query("PRAGMA wal_checkpoint(TRUNCATE)").hasPrefix("0"))
        var data = try Data(contentsOf: workplace.database)
        var chance = SeededGenerator(seed: UInt64(seed) &* 7919)
        for _ in 0..<(1 << (seed % 4)) {
            data[chance.number(in: 0...data.count - 1)] ^= 1 << UInt8(chance.below(8))
        }
        try data.write(to: workplace.database)
        for words in [
            ["list"], ["list", "--json"], ["search", "word7"], ["show", "Paper 3"], ["new", "After"], ["backup"],
            ["append", "Paper 4", "more"], ["trash", "Paper 5"], ["export", workplace.folder.path + "/out"], ["doctor"],
        ] {
            let result = try workplace.run(Workplace.program, words)
            // 70 is what the program itself takes for a fault of its own.
            #expect(result.status < 128 && result.status != 70, "\(words): \(result)")
            let isOneLine = result.error.split(separator: "\n").count == 1
            #expect(result.status == 0 || isOneLine || words == ["doctor"], "\(words): \(result)")
        }
        let repaired = try workplace.tn("doctor", "--repair")
        #expect(repaired.status == 0, "\(repaired)")
        #expect(try workplace.query("PRAGMA integrity_check") == "ok")
        let whole = try texts().count { $0.contains("word") }
        #expect(whole >= 19 - (1 << (seed % 4)), "\(whole) of 20 are left")
    }
}
