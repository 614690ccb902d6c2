import ArgumentParser
import Foundation
import Interface
import NoteStore
import Terminal
import ViewModel

/// Whether everything is well.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the notebook, its backups, the configuration and the terminal.",
        discussion: """
            Says in words what it finds, and ends with 65 if something is wrong. With --repair the index, lists and \
            links are made anew from the texts, and out of a damaged file all that can be read goes into a new one; \
            the old one is kept. Examples:

              tn doctor
              tn doctor --repair
              tn doctor --terminal
            """)

    @OptionGroup var options: NotebookOptions
    @Flag(help: "Put right what can be.")
    var repair = false
    @Flag(help: "Ask the terminal what it can do, and show the keys, colours and widths that it has.")
    var terminal = false

    func run() throws {
        if terminal { CrashGuard.install() }
        guard FileManager.default.fileExists(atPath: options.path) else {
            throw StoreError.noSuchFile(path: options.path)
        }
        var findings = Findings()
        do {
            try examine(try Notebook.open(options.path, mode: .command), &findings)
        } catch {
            guard let (path, detail) = Self.damage(error) else { throw error }
            try treatDamage(path, detail, &findings)
        }
        findings.addSettings()
        if let escapeTime = TmuxFacts.escapeTime { findings.good.append(("tmux", escapeTime.words)) }
        if terminal { findings.good += try MainActor.assumeIsolated { try TerminalFacts.ask() } }
        try findings.write()
        if !findings.isWell { throw ExitCode(Failure.Status.badData.rawValue) }
    }

    private func examine(_ notebook: Notebook, _ findings: inout Findings) throws {
        if repair, Notebook.Care.isMixed(notebook.path),
            let damage = try notebook.care.check().first(where: { $0.kind == .damagedFile })
        {
            // Nothing is written into it, and nothing of a log that may be another notebook's.
            throw StoreError.corrupt(path: notebook.path, detail: damage.detail)
        }
        let problems = try repair ? mended(notebook, &findings) : notebook.care.check()
        if repair, let damage = problems.first(where: { $0.kind == .damagedFile }) {
            // Neither a new index nor the rules' own repair has helped.
            try notebook.close(checkpointing: true)
            throw StoreError.corrupt(path: notebook.path, detail: damage.detail)
        }
        problems.forEach { findings.bad.append(("notebook", Findings.words($0))) }
        try findings.add(notebook)
    }

    /// Repairs what the notebook's own rules can, and returns what is still wrong.
    private func mended(_ notebook: Notebook, _ findings: inout Findings) throws -> [NotebookProblem] {
        do {
            let report = try notebook.care.repair()
            report.repaired.forEach { findings.good.append(("repaired", Findings.words($0))) }
            return report.left
        } catch {
            // A rule that stands in the way of its own repair: rows are taken over one by one.
            guard case .database(_, _, let message) = error else { throw error }
            return [NotebookProblem(kind: .damagedFile, detail: message)]
        }
    }

    /// The damaged file that an error tells of, and what is wrong with it.
    private static func damage(_ error: any Error) -> (path: String, detail: String)? {
        switch error as? StoreError {
        case .corrupt(let path, let detail): (path, detail)
        case .notANotebook(let path) where Notebook.Care.holdsNotes(path): (path, "its beginning cannot be read")
        // No program that we know of has come so far.
        case .newerSchema(let path, let found, let known) where found > known + 1000 && Notebook.Care.holdsNotes(path):
            (path, "its beginning cannot be read")
        case .database(let path, _, let message) where Notebook.Care.holdsNotes(path): (path, message)
        case .inputOutput(let path, let code) where Notebook.Care.holdsNotes(path): (path, "SQLite error \(code)")
        default: nil
        }
    }

    /// A file that SQLite cannot read through.
    private func treatDamage(_ path: String, _ detail: String, _ findings: inout Findings) throws {
        guard repair else {
            return findings.bad.append(
                ("notebook", "\(path) is damaged (\(detail)); tn doctor --repair saves what it can"))
        }
        if let owner = OpenNotebook.owner(of: path) {
            throw Failure("\(path) is open in another program (process \(owner)); quit it and try again", status: .busy)
        }
        let (report, kept) = try Notebook.Care.repairDamaged(path)
        findings.good.append(
            ("repaired", "\(report.notes) notes and \(report.images) images were saved; the damaged file is \(kept)"))
        if report.damagedNotes > 0 {
            findings.bad.append(("notebook", "\(report.damagedNotes) notes have lost text; see also tn restore-backup"))
        }
    }
}

/// What a check has found, in words.
private struct Findings {
    typealias Finding = (subject: String, words: String)
    var good: [Finding] = []
    var bad: [Finding] = []

    var isWell: Bool { bad.isEmpty }

    func write() throws {
        var table = Table(.plain, .bold, .plain)
        good.forEach { table.add("ok", $0.subject, $0.words) }
        bad.forEach { table.add("!!", $0.subject, $0.words) }
        try table.write()
    }

    mutating func add(_ notebook: Notebook) throws {
        let count = try notebook.lists.allIDs().count
        good.append(("notebook", "\(notebook.path), \(count) \(count == 1 ? "note" : "notes")"))
        let broken = try notebook.links.broken()
        good.append(("links", broken.isEmpty ? "all lead somewhere" : Self.words(broken)))
        let backups = notebook.backups.all()
        let newest = backups.first.map { "the newest of \(backups.count) is \($0.path)" }
        good.append(("backups", newest ?? "none yet; tn backup makes one"))
        for path in try notebook.journal.damaged() {
            bad.append(
                (
                    "journal",
                    "\(path) could not be read through; what could be is in your notes: compare, then remove it"
                ))
        }
        for file in notebook.care.keptFiles() { good.append(("kept", Self.words(file))) }
        for problem in notebook.recovered.replay.problems { bad.append(("journal", Sentence.of(problem))) }
        good.append(("sqlite", SQLiteLibrary.hasLogResetFault ? Self.logResetRisk : SQLiteLibrary.version))
        let drafts = Draft.leftOver(database: notebook.path)
        for draft in drafts {
            let isText = (try? draft.text()) != nil  // what is wrong with it is said in our words
            let advice = isText ? "the next command takes it in" : "make UTF-8 of it, and the next command takes it in"
            bad.append(("draft", "\(draft.path) is not in the notebook yet; \(advice)"))
        }
    }

    private static func words(_ file: KeptFile) -> String {
        let size = file.bytes < 1_000_000 ? "\(max(1, file.bytes / 1000)) KB" : "\(file.bytes / 1_000_000) MB"
        let date = file.modified.formatted(.iso8601.year().month().day())
        let advice =
            switch file.kind {
            case .replaced:
                "the notebook that lay here before; tn list --database and tn export show what is in it; then remove it"
            case .damaged:
                "the notebook before a repair; when nothing is missing in yours, remove it"
            case .unfinished: "what a program that died has left; remove it"
            }
        return "\(file.path), \(size) of \(date): \(advice)"
    }

    private static let logResetRisk = """
        \(SQLiteLibrary.version), which can lose a write when two programs write at once (mended in 3.51.3); tn's own \
        take turns, other tools should not write while tn is open
        """

    private static func words(_ links: [NoteLink]) -> String {
        let first = links.prefix(3).map { "“\($0.target)” in “\($0.source.title)”" }.joined(separator: ", ")
        return "\(links.count) \(links.count == 1 ? "leads" : "lead") nowhere: \(first)\(links.count > 3 ? ", …" : "")"
    }

    mutating func addSettings() {
        let path = Configuration.file()
        guard FileManager.default.fileExists(atPath: path) else {
            return good.append(("settings", "the defaults; there is no \(path)"))
        }
        let problems = MainActor.assumeIsolated { Configuration.readFromUser().allProblems }
        if problems.isEmpty { good.append(("settings", path)) }
        for problem in problems { bad.append(("settings", problem.description)) }
    }

    static func words(_ problem: NotebookProblem) -> String {
        switch problem.kind {
        case .damagedFile: "the file is damaged: \(problem.detail)"
        case .schema: "the file's own rules were changed: \(problem.detail)"
        case .index: "the search index is not as it should be: \(problem.detail)"
        case .link: "links are not as they should be: \(problem.detail)"
        default: "a rule is broken: \(problem.detail)"
        }
    }
}
