import Foundation
import NoteStore
import TerminalDriver

/// Measures synchronising beside the git commands that do the same to the same files, unencrypted and encrypted.
///
/// Both sides start programs, so the comparison is of the times for which a person waits.
struct SyncBenchmark {
    let workshop: Workshop
    let counts: [Int]
    let rounds: Int
    /// The number of edits that are sent one by one before the repository's size is measured.
    let edits: Int

    /// Returns the numbers of notes: `TN_SYNC_NOTES=1000,10000,100000`, or the given ones.
    static func counts(_ usual: [Int]) -> [Int] {
        let given = ProcessInfo.processInfo.environment["TN_SYNC_NOTES"]?.split(separator: ",").compactMap { Int($0) }
        return given ?? usual
    }

    var environment: [String: String] {
        var values = workshop.environment("sync")
        values["GIT_CONFIG_NOSYSTEM"] = "1"
        for role in ["AUTHOR", "COMMITTER"] { (values["GIT_\(role)_NAME"], values["GIT_\(role)_EMAIL"]) = ("a", "a") }
        values["TAKENOTE_PASSPHRASE"] = "lusab babad gutih tugad"
        return values
    }

    private func shell(_ line: String) throws -> Double {
        try workshop.time("/bin/sh", ["-ec", line], environment: environment)
    }

    func sync(_ notebook: String, _ words: [String] = []) throws -> Double {
        try workshop.time(
            workshop.program, ["sync"] + words + ["--database", notebook], environment: environment)
    }

    func run() throws {
        guard Workshop.isInstalled("git") else { return Report.write("git is not installed") }
        var (rows, others) = ([[String]](), [[String]]())
        for count in counts {
            var raw: [String: Double] = [:]
            for isEncrypted in [false, true] {
                var folders = Folders(workshop, count, isEncrypted)
                rows += try measure(&folders, &raw)
                if !isEncrypted { others += try measureOthers(folders) }
            }
        }
        Report.table(
            "Synchronising through a repository of this machine, beside git alone",
            ["", "notes", "tn", "git", "tn to git", "target", "met"], rows)
        Report.table(
            "Other programs while one synchronises",
            ["", "notes", "while synchronising", "else", "ratio", "target", "met"], others)
    }

    /// The folders of one measurement.
    struct Folders {
        let count: Int
        let isEncrypted: Bool
        let one, other, remote, raw, rawRemote, folder: String

        init(_ workshop: Workshop, _ count: Int, _ isEncrypted: Bool) {
            (self.count, self.isEncrypted) = (count, isEncrypted)
            folder = workshop.folder.appending(path: "sync-\(count)-\(isEncrypted)").path
            (one, other) = (folder + "/one.sqlite", folder + "/other.sqlite")
            (remote, raw, rawRemote) = (folder + "/remote.git", folder + "/raw.git", folder + "/raw-remote.git")
        }
    }

    private func measure(_ folders: inout Folders, _ raw: inout [String: Double]) throws -> [[String]] {
        var rows: [[String]] = []
        let title = folders.isEncrypted ? ", encrypted" : ""
        /// - Parameters:
        ///   - times: the factor by which it may exceed git's duration.
        ///   - more: the milliseconds that it may take beyond that.
        func add(_ name: String, _ own: Double?, _ floor: Double?, times: Double, more: Double = 0) {
            // An encrypted synchronisation is compared with git's work on unencrypted files.
            if !folders.isEncrypted { raw[name] = floor }
            let floor = raw[name] ?? floor
            let target = floor.map { $0 * times + more }
            rows.append([
                name + title, "\(folders.count)", Report.number(own), Report.number(floor),
                Report.ratio(own, to: floor),
                more > 0 ? "git + \(Int(more))" : "\(times) x", target.map { Report.within(own, $0) } ?? "",
            ])
        }
        try FileManager.default.createDirectory(atPath: folders.folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: workshop.filledNotebook(folders.count), toPath: folders.one)
        let texts = try Self.size(ofTexts: folders.one)

        // The first push.
        let encrypt = folders.isEncrypted ? ["--encrypt"] : []
        let first = try sync(folders.one, ["init", folders.remote, "--yes"] + encrypt)
        let (git, rawGit) = ("git --git-dir=\(folders.remote)", "git --git-dir=\(folders.raw)")
        _ = try shell("\(git) fast-export --all > \(folders.folder)/all; git init -q --bare \(folders.rawRemote)")
        let rawFirst = try shell(
            """
            git init -q --bare \(folders.raw); \(rawGit) fast-import --quiet < \(folders.folder)/all
            \(rawGit) push -q \(folders.rawRemote) main:main
            """)
        add("first push", first, rawFirst, times: 1.5)

        // A synchronisation without changes, and one of a single note.
        var (idle, rawIdle, single, rawSingle) = (Samples(), Samples(), Samples(), Samples())
        let fetch = "\(rawGit) fetch -q \(folders.rawRemote) main:refs/other/main"
        for turn in 0..<rounds {
            idle.values.append(try sync(folders.one, ["--quiet"]))
            rawIdle.values.append(try shell(fetch))
            try edit(folders.one, [turn]) { $0 + "one more line\n" }
            single.values.append(try sync(folders.one, ["--quiet"]))
            try commit(folders, branch: "main", files: 1, "\(turn)")
            rawSingle.values.append(
                try shell(
                    """
                    \(fetch); \(rawGit) fast-import --quiet < \(folders.folder)/commit
                    \(rawGit) push -q \(folders.rawRemote) main:main
                    """))
        }
        add("nothing changed", idle.median, rawIdle.median, times: 1, more: 20)
        add("one note changed", single.median, rawSingle.median, times: 1.5)

        // A second machine joins.
        let join = try sync(folders.other, ["init", folders.remote, "--yes"])
        var rawJoin: Double?
        if !folders.isEncrypted {
            let files = folders.folder + "/files"
            _ = try shell("mkdir \(files); \(git) archive main Inbox | tar -x -C \(files)")
            rawJoin = try shell(
                """
                git clone -q --bare \(folders.remote) \(folders.folder)/clone.git
                git --git-dir=\(folders.folder)/clone.git cat-file --batch --batch-all-objects > /dev/null
                \(workshop.program) import \(files) --database \(folders.folder)/import.sqlite > /dev/null
                """)
        }
        add("joining", join, rawJoin, times: 1.3)

        // Fifty notes were changed on both machines.
        let changed = Array(0..<min(50, folders.count))
        try edit(folders.one, changed) { "# begun\n\n" + $0 }
        _ = try sync(folders.one, ["--quiet"])
        try edit(folders.other, changed) { $0 + "\nended\n" }
        let merge = try sync(folders.other, ["--quiet"])
        try commit(folders, branch: "main", files: changed.count, "left")
        _ = try shell(
            "\(rawGit) branch -f other main; \(rawGit) fast-import --quiet --force < \(folders.folder)/commit")
        try commit(folders, branch: "other", files: changed.count, "right")
        _ = try shell("\(rawGit) fast-import --quiet --force < \(folders.folder)/commit")
        let rawMerge = try shell(
            """
            \(fetch); tree=$(\(rawGit) merge-tree --write-tree main other | head -1)
            \(rawGit) update-ref refs/heads/main $(\(rawGit) commit-tree -m m -p main -p other $tree)
            \(rawGit) push -q \(folders.rawRemote) main:main
            """)
        add("merging \(changed.count) notes", merge, rawMerge, times: 3)

        // The repositories of both machines after many edits, since git keeps what is fetched in another way.
        for turn in 0..<edits {
            try edit(folders.one, [turn % folders.count]) { $0 + "edit \(turn)\n" }
            for notebook in [folders.one, folders.other] { _ = try sync(notebook, ["--quiet"]) }
        }
        for (machine, name) in [("that sends", "one"), ("that receives", "other")] {
            let own = Self.size(ofFolder: "\(folders.folder)/\(name).sync.git")
            rows.append([
                "MB of the repository after \(edits) edits, of the machine \(machine)" + title, "\(folders.count)",
                Report.number(own / 1e6), "texts: " + Report.number(texts / 1e6), Report.ratio(own, to: texts), "2 x",
                Report.within(own, texts * 2),
            ])
        }
        return rows
    }

    // MARK: - Notes

    /// Changes notes as a person does, in one of the notebooks.
    func edit(_ path: String, _ numbers: [Int], _ change: (String) -> String) throws {
        let notebook = try Notebook.open(path, mode: .command)
        let rows = try notebook.lists.rows(ListQuery(container: .allNotes), limit: 10_000)
            .sorted { $0.id.description < $1.id.description }
        for number in numbers {
            let row = rows[number % rows.count]
            guard let note = try notebook.notes.load(row.id) else { continue }
            _ = try notebook.notes.save(row.id, text: change(note.content), baseRevision: note.row.revision)
        }
        try notebook.close()
    }

    private static func size(ofTexts path: String) throws -> Double {
        let raw = try RawSQLite(path)
        return Double(try raw.integers("SELECT sum(size) FROM note").first ?? 0)
    }

    private static func size(ofFolder path: String) -> Double {
        var size = 0
        let names = FileManager.default.enumerator(atPath: path)
        while let name = names?.nextObject() as? String {
            // A file that is removed meanwhile has no size.
            let facts = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
            if facts?[.type] as? FileAttributeType == .typeRegular { size += facts?[.size] as? Int ?? 0 }
        }
        return Double(size)
    }

    // MARK: - Git alone

    /// Writes a stream that changes the first files of a branch, for `git fast-import`.
    private func commit(_ folders: Folders, branch: String, files: Int, _ mark: String) throws {
        _ = try shell(
            "git --git-dir=\(folders.raw) ls-tree -r --name-only -z \(branch) > \(folders.folder)/names")
        let names = try Data(contentsOf: URL(filePath: folders.folder + "/names")).split(separator: 0)
            .map { String(decoding: $0, as: UTF8.self) }.filter { !$0.hasPrefix(".") && $0.contains("/") }
        var stream = "feature done\ncommit refs/heads/\(branch)\ncommitter a <a> 1000000000 +0000\ndata 1\nm\n"
        stream += "from refs/heads/\(branch)^0\n"
        for name in names.prefix(files) {
            let text = "changed \(mark)\n" + String(repeating: "words that fill a note of the usual size ", count: 36)
            let path = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            stream += "M 100644 inline \"\(path)\"\ndata \(text.utf8.count)\n\(text)\n"
        }
        try Data((stream + "done\n").utf8).write(to: URL(filePath: folders.folder + "/commit"))
    }
}
