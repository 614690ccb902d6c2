import Foundation
import NoteStore
import TerminalDriver

/// Measures the store's calls at several sizes of the notebook, and the same work of raw SQLite on the same file.
struct StoreBenchmark {
    let workshop: Workshop
    let counts: [Int]
    let rounds: Int

    /// Alternates the store's call and the raw statement, so that both run under the same conditions.
    private func compare(_ ours: () throws -> Void, _ raw: () throws -> Void) rethrows -> [String] {
        var (one, other) = (Samples(), Samples())
        for turn in 0..<rounds {
            let start = PseudoTerminal.now
            try ours()
            let middle = PseudoTerminal.now
            try raw()
            // The first run of each reads the pages into the cache.
            if turn == 0, rounds > 1 { continue }
            one.values.append(Double(middle - start) / 1e6)
            other.values.append(Double(PseudoTerminal.now - middle) / 1e6)
        }
        return [
            Report.number(one.median), Report.number(one.p99), Report.number(other.median),
            Report.ratio(one.median, to: other.median),
        ]
    }

    private static let columns = ["", "notes", "tn", "p99", "raw SQLite", "tn to raw"]

    // MARK: - Lists, counts, opening, saving

    func calls() throws {
        var rows: [[String]] = []
        for count in counts {
            let path = try workshop.filledNotebook(count)
            let notebook = try Notebook.open(path)
            let raw = try RawSQLite(path)
            func add(_ name: String, _ ours: () throws -> Void, _ floor: () throws -> Void) throws {
                rows.append([name, "\(count)"] + (try compare(ours, floor)))
            }
            let all = ListQuery(container: .allNotes)
            let middle = try unwrap(notebook.lists.rows(all, from: .start, limit: min(count, 500)).last)
            let shown = """
                SELECT note.id, note.uuid, title, folder.uuid, folder.name, note.place, note.starred, note.createdDate,
                    note.updatedDate, preview, wordCount, revision
                FROM note JOIN container AS folder ON folder.id = note.folder
                """
            try add("first window of a list") {
                _ = try notebook.lists.rows(all, limit: 60)
            } _: {
                try raw.run(
                    """
                    \(shown) WHERE note.id IN (SELECT note FROM listing WHERE list = 3 AND starred = 1
                        ORDER BY updatedDate DESC, note DESC LIMIT 60) ORDER BY note.updatedDate DESC
                    """)
            }
            try add("window in the middle") {
                _ = try notebook.lists.rows(all, from: .after(middle), limit: 60)
            } _: {
                try raw.run(
                    """
                    \(shown) WHERE note.id IN (SELECT note FROM listing WHERE list = 3 AND starred = 0
                        AND (updatedDate, note) < (?, 0) ORDER BY updatedDate DESC, note DESC LIMIT 60)
                    ORDER BY note.updatedDate DESC
                    """, [.integer(Int64(middle.updatedDate.timeIntervalSince1970 * 1000))])
            }
            try add("count of a list") {
                _ = try notebook.lists.count(all)
            } _: {
                try raw.run("SELECT count(*) FROM note WHERE place = 0")
            }
            let ids = try notebook.lists.rows(all, limit: 200).map(\.id)
            var turn = 0
            try add("open a note") {
                turn += 1
                _ = try notebook.notes.load(ids[turn % ids.count])
            } _: {
                try raw.run(
                    "SELECT * FROM note JOIN note_text ON note.id = note_text.note WHERE uuid = ?",
                    [.text(ids[turn % ids.count].description)])
            }
            try add("save a note of 2 KB") {
                turn += 1
                let row = try unwrap(notebook.notes.row(ids[turn % ids.count]))
                _ = try notebook.notes.save(row.id, text: "# Saved \(turn)\n\n" + saved, baseRevision: row.revision)
            } _: {
                try save(raw, turn)
            }
            try notebook.close()
        }
        Report.table("The store's calls", Self.columns, rows)
    }

    private let saved = String(repeating: "words that are saved once more ", count: 66)

    /// The minimal work of a save: the text, its row and the index, in one transaction.
    private func save(_ raw: RawSQLite, _ turn: Int) throws {
        let key = Int64(turn % 500 + 1)
        let text = try raw.integers("SELECT 1 FROM note_text WHERE note = ?", [.integer(key)])
        guard !text.isEmpty else { return }
        try raw.run("BEGIN IMMEDIATE")
        try raw.run("CREATE TABLE IF NOT EXISTS raw_text (note INTEGER PRIMARY KEY, text TEXT, date INTEGER)")
        try raw.run("CREATE VIRTUAL TABLE IF NOT EXISTS raw_search USING fts5 (text, content = '', tokenize = 'ascii')")
        try raw.run(
            "INSERT OR REPLACE INTO raw_text VALUES (?, ?, ?)",
            [.integer(key), .text(saved + "\(turn)"), .integer(Int64(turn))])
        try raw.run("UPDATE note SET updatedDate = updatedDate + 1 WHERE id = ?", [.integer(key)])
        try raw.run(
            "INSERT INTO raw_search (rowid, text) VALUES (?, ?)", [.integer(Int64(turn)), .text(saved + "\(turn)")])
        try raw.run("COMMIT")
    }

    // MARK: - Search

    /// Searches for words by the number of notes that contain them, and for prefixes by their length.
    func searching() throws {
        var rows: [[String]] = []
        for count in counts {
            let path = try workshop.filledNotebook(count)
            let notebook = try Notebook.open(path)
            let raw = try RawSQLite(path)
            for (query, match) in try queries(raw) {
                let found = try raw.integers("SELECT count(*) FROM search WHERE search MATCH ?", [.text(match)])[0]
                let ranked = try compare {
                    _ = try notebook.search.hits(query, limit: 60, stage: .ranked)
                } _: {
                    try raw.run(
                        """
                        SELECT note.*, substr(text, 1, 1000) FROM (SELECT rowid, bm25(search, 10.0, 1.0) AS score
                            FROM search WHERE search MATCH ? ORDER BY score LIMIT 60) AS found
                        JOIN note ON note.id = found.rowid JOIN note_text ON note_text.note = note.id
                        """, [.text(match)])
                }
                let instant = try compare {
                    _ = try notebook.search.hits(query, limit: 60, stage: .instant)
                } _: {
                    try raw.run(
                        "SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT 60", [.text(match)])
                }
                rows.append(["`\(query)`", "\(count)", "\(found)"] + ranked + [instant[0], instant[2]])
            }
            try notebook.close()
        }
        Report.table(
            "Search: the best 60 with rows and snippets, beside raw bm25 with rows and the texts' beginnings",
            ["query", "notes", "hits", "ranked", "p99", "raw bm25", "tn to raw", "first rows", "raw newest"], rows)
    }

    /// Returns the queries as a user types them, and as the index receives them.
    private func queries(_ raw: RawSQLite) throws -> [(String, String)] {
        // From the most frequent word to one that a note in a thousand contains.
        let words = [1, 10, 100, 1000, 5000, 15_000].map { Prose.words[$0] }
        let beginnings = [1, 2, 3, 4, 5].map { words[2].prefix($0) }
        return words.map { ($0 + " ", "\"\($0)\"") } + beginnings.map { (String($0), "\"\($0)\" *") }
            + [("\(words[1]) \(words[2]) ", "\"\(words[1])\" AND \"\(words[2])\"")]
    }

    // MARK: - Tree

    /// Creates and measures ten thousand folders, a thousand tags and a hundred levels.
    func tree() throws {
        let path = workshop.folder.appending(path: "tree.sqlite").path
        let notebook = try Notebook.open(path, mode: .command)
        var parent: ContainerID?
        for level in 0..<100 { parent = try notebook.folders.create("Level \(level)", in: parent).id }
        for shelf in 0..<99 {
            let top = try notebook.folders.create("Shelf \(shelf)")
            for number in 0..<99 { try notebook.folders.create("Folder \(number)", in: top.id) }
        }
        for number in 0..<1000 { try notebook.tags.create("tag \(number)") }
        let count = try notebook.containers.all().count
        let raw = try RawSQLite(path)
        var rows: [[String]] = []
        rows.append(
            ["the whole tree", "\(count)"]
                + (try compare {
                    _ = try notebook.containers.all()
                } _: {
                    try raw.run("SELECT * FROM container ORDER BY sortOrder, nameKey")
                }))
        let deep = try unwrap(parent)
        rows.append(
            ["a folder in the 100th level", "\(count)"]
                + (try compare {
                    let made = try notebook.folders.create("New", in: deep)
                    try notebook.containers.delete([made.id])
                } _: {
                    try raw.run("UPDATE container SET sortOrder = sortOrder WHERE id = 50")
                }))
        try notebook.close(checkpointing: true)
        Report.table("A tree of 10,000 folders, 1,000 tags and 100 levels", Self.columns, rows)
        try sidebar(path)
    }

    /// Measures the time to the first frame with that tree, and from a key in the sidebar to its frame.
    private func sidebar(_ path: String) throws {
        var (start, keys) = (Samples(), Samples())
        for _ in 0..<max(3, rounds / 4) {
            let begin = PseudoTerminal.now
            let terminal = try PseudoTerminal(
                workshop.program, ["--database", path], environment: workshop.environment("tree"))
            try terminal.wait(for: "Inbox")
            start.values.append(Double(terminal.lastArrival - begin) / 1e6)
            try terminal.settle(quiet: 200)
            try terminal.send("\u{1B}1")
            try terminal.settle(quiet: 200)
            for _ in 0..<20 {
                var seen: UInt64?
                terminal.onFrame = { if seen == nil { seen = $1 } }
                let sent = PseudoTerminal.now
                try terminal.send("j")
                try terminal.settle(quiet: 60)
                terminal.onFrame = nil
                if let seen { keys.values.append(Double(seen - sent) / 1e6) }
            }
        }
        Report.table(
            "The sidebar with that tree", ["", "median", "p99"],
            [
                ["start to first frame", Report.number(start.median), Report.number(start.p99)],
                ["a step down", Report.number(keys.median), Report.number(keys.p99)],
            ])
    }
}

/// Unwraps a value without which the benchmark cannot continue.
private func unwrap<T>(_ value: T?) throws -> T {
    guard let value else { throw PseudoTerminal.Failure(description: "nothing there") }
    return value
}
