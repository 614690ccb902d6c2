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
        } catch StoreError.corrupt(let path, let detail) {
            try treatDamage(path, detail, &findings)
        }
        findings.addSettings()
        if let escapeTime = TmuxFacts.escapeTime { findings.good.append(("tmux", escapeTime.words)) }
        if terminal { findings.good += try MainActor.assumeIsolated { try TerminalFacts.ask() } }
        try findings.write()
        if !findings.isWell { throw ExitCode(Failure.Status.badData.rawValue) }
    }

    private func examine(_ notebook: Notebook, _ findings: inout Findings) throws {
        if repair {
            let report = try notebook.repair()
            report.repaired.forEach { findings.good.append(("repaired", Findings.words($0))) }
            report.left.forEach { findings.bad.append(("notebook", Findings.words($0))) }
        } else {
            try notebook.check().forEach { findings.bad.append(("notebook", Findings.words($0))) }
        }
        try findings.add(notebook)
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
        let stamp = Date().timestamp.replacing(":", with: "")
        let (saved, kept) = (path + ".saved-" + stamp, path + ".damaged-" + stamp)
        let report = try Notebook.salvage(path, into: saved)
        for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + ending) {
            guard rename(path + ending, kept + ending) == 0 else {
                throw StoreError.cannotCreate(path: kept + ending, errno: errno)
            }
        }
        for ending in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: saved + ending) {
            guard rename(saved + ending, path + ending) == 0 else {
                throw StoreError.cannotCreate(path: path + ending, errno: errno)
            }
        }
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
        let count = try notebook.allNotes().count
        good.append(("notebook", "\(notebook.path), \(count) \(count == 1 ? "note" : "notes")"))
        let broken = try notebook.brokenLinks()
        good.append(("links", broken.isEmpty ? "all lead somewhere" : Self.words(broken)))
        let backups = notebook.backups()
        let newest = backups.first.map { "the newest of \(backups.count) is \($0.path)" }
        good.append(("backups", newest ?? "none yet; tn backup makes one"))
        for path in try notebook.damagedJournals() {
            bad.append(
                (
                    "journal",
                    "\(path) could not be read through; what could be is in your notes: compare, then remove it"
                ))
        }
        for problem in notebook.recovered.replay.problems { bad.append(("journal", Sentence.of(problem))) }
        let drafts = Draft.leftOver(database: notebook.path)
        for draft in drafts { bad.append(("draft", "\(draft.path) could not be taken in; look at it, then remove it")) }
    }

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
        case .index: "the search index is not as it should be: \(problem.detail)"
        case .link: "links are not as they should be: \(problem.detail)"
        default: "a rule is broken: \(problem.detail)"
        }
    }
}
