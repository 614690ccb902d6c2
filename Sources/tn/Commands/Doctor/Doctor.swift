import ArgumentParser
import Foundation
import NoteStore
import Terminal

/// The command `tn doctor`: checks the notebook, its backups, the configuration and the terminal.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the notebook, its backups, the configuration and the terminal.",
        discussion: """
            Says in words what it finds, and ends with 65 if something is wrong. With --repair the index, lists and \
            links are made anew from the texts, and what can be read of a damaged file goes into a new one; the old \
            one is kept. Examples:

              tn doctor
              tn doctor --repair
              tn doctor --terminal
            """)

    @OptionGroup var options: NotebookOptions
    @Flag(help: "Repair what can be repaired.")
    var repair = false
    @Flag(help: "Query the terminal, and show its keys, colours and widths.")
    var terminal = false

    func run() throws {
        if terminal { CrashGuard.install() }
        guard PathKind(options.path) != nil else { throw Failure.noNotebookYet(options.path) }
        var findings = Findings()
        do {
            let isMixed = repair && Notebook.Care.isMixed(options.path)
            var opening = Notebook.Options()
            opening.readsOnFullDisk = !repair
            let notebook = try Notebook.open(options.path, mode: .command, options: opening)
            try examine(notebook, isMixed: isMixed, &findings)
        } catch {
            guard let (path, detail) = Self.damage(error) else { throw error }
            try handleDamage(path, detail, &findings)
        }
        findings.addSettings()
        if let escapeTime = TmuxFacts.escapeTime { findings.good.append(("tmux", escapeTime.words)) }
        // Every command runs on the main thread.
        if terminal { findings.good += try MainActor.assumeIsolated { try TerminalFacts.ask() } }
        try findings.write()
        if !findings.isWell { throw ExitCode(Failure.Status.badData.rawValue) }
    }

    /// - Parameter isMixed: whether the file and its log are to be repaired and contain parts of several notebooks.
    private func examine(_ notebook: Notebook, isMixed: Bool, _ findings: inout Findings) throws {
        if isMixed, let damage = try notebook.care.check().first(where: { $0.kind == .damagedFile }) {
            // Nothing may be written to the file or applied from its log, which may belong to another notebook.
            throw StoreError.corrupt(path: notebook.path, detail: damage.detail)
        }
        // A notebook that cannot be saved under this name can still be examined, and the finding says so.
        let canRepair = repair && notebook.saveUnderThisName()
        let problems = try canRepair ? mended(notebook, &findings) : notebook.care.check()
        if repair, let damage = problems.first(where: { $0.kind == .damagedFile }) {
            // Neither a new index nor the repair by the notebook's rules has helped.
            try notebook.close(checkpointing: true)
            throw StoreError.corrupt(path: notebook.path, detail: damage.detail)
        }
        problems.forEach { findings.bad.append(("notebook", DoctorTexts.problem($0))) }
        if canRepair, !problems.isEmpty { findings.bad.append(("notebook", DoctorTexts.notRepaired)) }
        try findings.add(notebook)
    }

    /// Repairs the problems that the notebook's own rules can repair, and returns the remaining ones.
    private func mended(_ notebook: Notebook, _ findings: inout Findings) throws -> [NotebookProblem] {
        do {
            let report = try notebook.care.repair()
            report.repaired.forEach { findings.good.append(("repaired", DoctorTexts.problem($0))) }
            report.renamed.forEach { findings.good.append(("repaired", DoctorTexts.renamed($0))) }
            return report.left
        } catch {
            // A rule prevents its own repair, so the rows must be copied one by one.
            guard case .database(_, _, let message) = error else { throw error }
            return [NotebookProblem(kind: .damagedFile, detail: message)]
        }
    }

    /// Returns the damaged file that an error reports, and a description of the damage.
    private static func damage(_ error: any Error) -> (path: String, detail: String)? {
        switch error as? StoreError {
        case .corrupt(let path, let detail): (path, detail)
        case .notANotebook(let path) where Notebook.Care.holdsNotes(path): (path, DoctorTexts.beginningUnreadable)
        // No known version of the program has a schema number this high.
        case .newerSchema(let path, let found, let known) where found > known + 1000 && Notebook.Care.holdsNotes(path):
            (path, DoctorTexts.beginningUnreadable)
        case .database(let path, _, let message) where Notebook.Care.holdsNotes(path): (path, message)
        case .inputOutput(let path, let code) where Notebook.Care.holdsNotes(path):
            (path, DoctorTexts.sqliteError(code))
        default: nil
        }
    }

    /// Handles a file that SQLite cannot read completely: reports the damage, or repairs it.
    private func handleDamage(_ path: String, _ detail: String, _ findings: inout Findings) throws {
        guard repair else {
            return findings.bad.append(
                ("notebook", DoctorTexts.damaged(path, detail)))
        }
        if let owner = OpenNotebook.owner(of: path) {
            throw Failure.openElsewhere(path, owner)
        }
        let (report, kept) = try repaired(path)
        findings.good.append(
            ("repaired", DoctorTexts.saved(report, damagedFile: kept)))
        if report.damagedNotes > 0 {
            findings.bad.append(("notebook", DoctorTexts.lostText(report.damagedNotes)))
        }
    }

    /// Repairs a damaged file; if nothing in it is readable, the error names the newest backup.
    private func repaired(_ path: String) throws -> (report: SalvageReport, kept: String) {
        do {
            return try Notebook.Care.repairDamaged(path)
        } catch {
            switch error {
            case .notANotebook: throw Failure.nothingReadable(path, backup: Notebook.Care.backups(beside: path).first)
            default: throw error
            }
        }
    }
}
