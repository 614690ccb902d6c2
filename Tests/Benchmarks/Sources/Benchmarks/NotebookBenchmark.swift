import Foundation
import NoteStore
import TerminalDriver
import Vaults

/// Measures notebook operations: starting, capturing, searching, opening, saving, importing, and memory.
struct NotebookBenchmark {
    let workshop: Workshop
    let counts: [Int]
    let rounds: Int

    /// - Parameter folder: the name of the folder for settings and state; a new folder has no last note to reopen.
    private func start(
        _ path: String, _ arguments: [String] = [], folder: String = "notebook"
    ) throws -> PseudoTerminal {
        try PseudoTerminal(
            workshop.program, ["--database", path] + arguments, environment: workshop.environment(folder))
    }

    /// Runs one measurement; reports its failure and lets the others run.
    static func attempt(_ what: String, _ body: () throws -> Void) {
        do { try body() } catch { Report.write("\n\(what): \(error)") }
    }

    // MARK: Start

    func starting() throws {
        let file = try Contender.document(bytes: 10_000, in: workshop).file
        let notebooks = try counts.map { ($0, try workshop.filledNotebook($0)) }
        var results: [(String, Samples)] = notebooks.map { ("tn, \($0.0) notes", Samples()) }
        let peers = ["vim", "nvim", "nano", "micro", "kak"].filter(Workshop.isInstalled)
        results += peers.map { ("\($0), a file of 10 KB", Samples()) }
        for _ in 0..<rounds {
            for (index, notebook) in notebooks.enumerated() {
                results[index].1.values.append(try firstFrame("Inbox") { try self.start(notebook.1) })
            }
            for (index, peer) in peers.enumerated() {
                // nano leaves a lock file when it is killed, and asks about it at the next start.
                unlink(workshop.folder.appending(path: ".document-10000.md.swp").path)
                let arguments = (peer.hasSuffix("vim") ? ["--clean", "-n"] : []) + [file]
                let time = try firstFrame("document of") {
                    try PseudoTerminal(peer, arguments, environment: workshop.environment(peer))
                }
                results[notebooks.count + index].1.values.append(time)
            }
        }
        Report.table(
            "Start to first painted frame", ["program", "median", "p99", "in budget"],
            results.map { name, times in
                [
                    name, Report.number(times.median), Report.number(times.p99),
                    name.hasPrefix("tn") ? Report.within(times.median, 15) : "",
                ]
            })
    }

    private func firstFrame(_ sign: String, _ start: () throws -> PseudoTerminal) throws -> Double {
        let begin = PseudoTerminal.now
        let terminal = try start()
        try terminal.wait(for: sign)
        let time = Double(terminal.lastArrival - begin) / 1e6
        try terminal.settle(quiet: 40, atMost: 1)
        return time
    }

    // MARK: Capture

    func capturing() throws {
        let path = try workshop.filledNotebook(1000)
        let environment = workshop.environment("capture")
        var alone = (tn: Samples(), sqlite: Samples())
        var beside = (tn: Samples(), sqlite: Samples())
        var number = 0
        func round(_ samples: inout (tn: Samples, sqlite: Samples)) throws {
            number += 1
            samples.tn.values.append(
                try workshop.time(
                    workshop.program, ["--database", path, "--new", "thought \(number)"], environment: environment))
            let insert = "PRAGMA synchronous=FULL; INSERT INTO setting VALUES('bench-\(number)', 'thought')"
            samples.sqlite.values.append(try workshop.time("sqlite3", [path, insert], environment: environment))
        }
        for _ in 0..<rounds { try round(&alone) }
        let open = try start(path)
        try open.wait(for: "Inbox")
        for _ in 0..<rounds {
            try round(&beside)
            while try open.pump(milliseconds: 0) {}
        }
        Report.table(
            "Capture, the whole process", ["", "tn --new", "p99", "sqlite3 inserting", "tn to sqlite3", "in budget"],
            [("alone", alone), ("beside an open notebook", beside)].map { name, samples in
                [
                    name, Report.number(samples.tn.median), Report.number(samples.tn.p99),
                    Report.number(samples.sqlite.median),
                    Report.ratio(samples.tn.median, to: samples.sqlite.median),
                    Report.within(samples.tn.median, 1.3 * (samples.sqlite.median ?? 0)),
                ]
            })
    }

    // MARK: Search, opening, memory

    func searching() throws {
        var rows: [[String]] = []
        for count in counts where count > 0 {
            let terminal = try start(try workshop.filledNotebook(count))
            try terminal.wait(for: "Inbox")
            try terminal.settle(quiet: 200)
            let rested = ProcessFacts.memory(terminal.process, "VmRSS")
            var (first, settled) = (Samples(), Samples())
            for word in ["the", "bane", "stin", "peso", "kami"] {
                try terminal.send("/")
                try terminal.settle(quiet: 100)
                for letter in word.utf8 {
                    var arrivals: [UInt64] = []
                    terminal.onFrame = { arrivals.append($1) }
                    let start = PseudoTerminal.now
                    let time = try terminal.timeToSettle([letter], quiet: 150)
                    terminal.onFrame = nil
                    if let arrival = arrivals.first { first.values.append(Double(arrival - start) / 1e6) }
                    settled.values.append(Double(time) / 1e6)
                }
                try terminal.send("\u{1B}")
                try terminal.settle(quiet: 200)
            }
            let memory = ProcessFacts.memory(terminal.process, "VmRSS")
            rows.append([
                "\(count)", Report.number(first.median), Report.number(first.p99), Report.within(first.p99, 8),
                Report.number(settled.median), Report.number(settled.p99), Report.number(rested),
                Report.number(memory), Report.within(memory, 60),
            ])
        }
        Report.table(
            "Search as you type",
            [
                "notes", "first frame", "p99", "in budget", "last frame", "p99", "memory before, MB", "after, MB",
                "in budget",
            ], rows)
    }

    func opening() throws {
        let path = try workshop.filledNotebook(counts.max() ?? 1000)
        let notebook = try Notebook.open(path, mode: .command)
        var prose = Prose(seed: 3)
        // The newest note is shown first, so that a start opens a small note, and each large note is entered from a
        // small one.
        for (name, size) in [("tenfold", 10_000_000), ("small2", 1000), ("million", 1_000_000), ("small", 1000)] {
            // Each has a distinct title, so that the editor's first row and the list's row show the same words.
            try notebook.notes.create(
                NewNote(text: "# Zz\(name) note\n\n" + prose.document(bytes: size).text, starred: true))
        }
        try notebook.close()
        var rows: [[String]] = []
        for (name, title, before, budget) in [
            ("1 MB", "Zzmillion", "g", 16.0), ("10 MB", "Zztenfold", "gjj", 60),
        ] {
            var times = Samples()
            var memory: [String] = []
            // A new program each time, because the program keeps recently opened texts.
            for round in 0..<rounds {
                let terminal = try start(path, folder: "\(title)-\(round)")
                try terminal.wait(for: "Zzsmall note")
                try terminal.settle(quiet: 200)
                try terminal.send(before)
                try terminal.settle(quiet: 400, atMost: 10)
                let start = PseudoTerminal.now
                var seen: UInt64?
                terminal.onFrame = { screen, time in
                    if seen == nil, screen.lines.first?.hasSuffix("\(title) note") == true { seen = time }
                }
                try terminal.send("j")
                try terminal.settle(quiet: 400, atMost: 10)
                terminal.onFrame = nil
                guard let seen else {
                    Report.write("\nopening \(name): not seen: \(terminal.screen.lines.first ?? "")")
                    break
                }
                times.values.append(Double(seen - start) / 1e6)
                memory = ["VmRSS", "VmHWM"].map { Report.number(ProcessFacts.memory(terminal.process, $0)) }
            }
            rows.append(
                [name, Report.number(times.median), Report.number(times.p99), Report.within(times.median, budget)]
                    + memory)
        }
        Report.table(
            "Open a note from a list of \(counts.max() ?? 1000)",
            ["note", "median", "p99", "in budget", "memory settled, MB", "at peak, MB"], rows)
    }

    // MARK: Saving and importing

    func saving() throws {
        let path = try workshop.filledNotebook(1000)
        let notebook = try Notebook.open(path)
        var prose = Prose(seed: 5)
        var rows: [[String]] = []
        for size in [10_000, 1_000_000, 10_000_000] {
            let text = prose.document(bytes: size).text
            var row = try notebook.notes.create(NewNote(text: text))
            var times = Samples()
            for turn in 0..<max(3, rounds / 2) {
                let start = PseudoTerminal.now
                if case .saved(let saved) = try notebook.notes.save(
                    row.id, text: text + "\(turn)", baseRevision: row.revision)
                {
                    row = saved
                }
                times.values.append(Double(PseudoTerminal.now - start) / 1e6)
            }
            let budget = 50 + 60 * Double(size) / 1e6
            rows.append([
                "\(size / 1000) KB", Report.number(times.median), Report.number(times.p99), Report.number(budget),
                Report.within(times.median, budget),
            ])
        }
        try notebook.close()
        Report.table("Save a note, the store alone", ["text", "median", "p99", "budget", "in budget"], rows)
    }

    func importing(files: Int) throws {
        let folder = workshop.folder.appending(path: "import")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var prose = Prose(seed: 9)
        for number in 0..<files {
            try Data(prose.note(words: 150).utf8).write(to: folder.appending(path: "\(number).md"))
        }
        let environment = workshop.environment("import")
        let sql = """
            PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
            CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT);
            CREATE VIRTUAL TABLE search USING fts5(title, text, tokenize='ascii', content='');
            CREATE VIRTUAL TABLE search_title USING fts5(title, tokenize='ascii', prefix='1 2 3', content='');
            BEGIN; INSERT INTO note(text) SELECT data FROM fsdir('\(folder.path)') WHERE name LIKE '%.md';
            INSERT INTO search(rowid, title, text) SELECT id, substr(text, 1, 40), text FROM note;
            INSERT INTO search_title(rowid, title) SELECT id, substr(text, 1, 40) FROM note; COMMIT;
            """
        var (ours, raw) = (Samples(), Samples())
        for round in 0..<max(3, rounds / 4) {
            ours.values.append(
                try workshop.time(
                    workshop.program,
                    [
                        "--database", workshop.folder.appending(path: "imported-\(round).sqlite").path, "import",
                        folder.path,
                    ], environment: environment))
            raw.values.append(
                try workshop.time(
                    "sqlite3", [workshop.folder.appending(path: "raw-\(round).sqlite").path, sql],
                    environment: environment))
        }
        Report.table(
            "Import of \(files) Markdown files",
            ["tn import", "raw SQLite with the same index", "ratio", "in budget"],
            [
                [
                    Report.number(ours.median), Report.number(raw.median), Report.ratio(ours.median, to: raw.median),
                    Report.within(ours.median, 1.5 * (raw.median ?? 0)),
                ]
            ])
    }

    /// Imports vaults with many links, of which many lead nowhere, like those that people have kept for years.
    func importing(vaultsOf counts: [Int]) throws {
        var rows: [[String]] = []
        for count in counts {
            let folder = workshop.folder.appending(path: "vault-\(count)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let vault = VaultGenerator(seed: 9, count: count, signposts: count / 20, lost: 3 * count)
            try vault.write(to: folder)
            let environment = workshop.environment("vault")
            var times = Samples()
            for round in 0..<max(3, rounds / 4) {
                let path = workshop.folder.appending(path: "vault-\(count)-\(round).sqlite").path
                let notebook = try Notebook.open(path)
                try notebook.close()
                let start = PseudoTerminal.now
                let arguments = ["--database", path, "import", folder.path]
                // The status reports images in formats that a notebook cannot store; the notes are counted below.
                _ = try? workshop.time(workshop.program, arguments, environment: environment)  // not a failure
                times.values.append(Double(PseudoTerminal.now - start) / 1e6)
                let imported = try Notebook.open(path)
                let found = try imported.lists.count(ListQuery(container: .allNotes))
                try imported.close()
                guard found == vault.notes.count else {
                    throw PseudoTerminal.Failure(description: "\(found) of \(vault.notes.count) notes were imported")
                }
            }
            rows.append([
                "\(vault.notes.count)", "\(3 * count)", Report.number(times.median),
                Report.number(times.median.map { $0 / Double(vault.notes.count) }),
            ])
        }
        Report.table("Import of a vault", ["notes", "links to nowhere", "tn import", "a note"], rows)
    }

    // MARK: Markdown

    func rendering() throws {
        let file = try Contender.document(bytes: 10_000_000, in: workshop).file
        var contenders = [("tn render --html --gfm", workshop.program, ["render", "--html", "--gfm", file])]
        for (name, extensions) in [
            ("cmark-gfm", []),
            ("cmark-gfm", ["-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist"]),
        ] where Workshop.isInstalled(name) {
            contenders.append((([name] + extensions).joined(separator: " "), name, extensions + [file]))
        }
        let results = try contenders.map { contender in
            var times = Samples()
            for _ in 0..<max(3, rounds / 3) {
                times.values.append(
                    try workshop.time(contender.1, contender.2, environment: workshop.environment("render")))
            }
            return (contender.0, times.median)
        }
        // The budget comes from the parser that supports the same extensions.
        let budget = results.count > 1 ? results.last?.1 : nil
        Report.table(
            "Markdown to HTML, 10 MB, the whole process", ["program", "median", "MB/s", "in budget"],
            results.enumerated().map { index, result in
                [
                    result.0, Report.number(result.1), Report.number(result.1.map { 10_000 / $0 }),
                    index == 0 ? budget.map { Report.within(result.1, $0) } ?? "" : "",
                ]
            })
    }
}
