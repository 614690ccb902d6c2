import Foundation
import Interface
import NoteStore
import Sync
import ViewModel

/// The findings of a check, in words.
struct Findings {
    typealias Finding = (subject: String, words: String)
    var good: [Finding] = []
    var bad: [Finding] = []

    var isWell: Bool { bad.isEmpty }

    func write() throws {
        var table = Table(.plain, .bold, .plain, wraps: true)
        good.forEach { table.add("ok", $0.subject, $0.words) }
        bad.forEach { table.add("!!", $0.subject, $0.words) }
        try table.write()
    }

    mutating func add(_ notebook: Notebook) throws {
        let count = try notebook.lists.allIDs().count
        good.append(("notebook", DoctorTexts.notebook(Notebook.absolute(notebook.path), notes: count)))
        addNames(of: notebook)
        if let tool = SyncedFolder.tool(mirroring: notebook.path) {
            good.append(("notebook", DoctorTexts.folderIsSynced(by: tool)))
        }
        good.append(("links", DoctorTexts.links(try notebook.links.broken())))
        do throws(StoreError) {
            good.append(("backups", DoctorTexts.backups(try notebook.backups.all())))
        } catch {
            bad.append(("backups", error.sentence))
        }
        for file in notebook.care.keptFiles() {
            if file.kind == .behindDamage {
                bad.append(("log", DoctorTexts.kept(file)))
            } else {
                good.append(("kept", DoctorTexts.kept(file)))
            }
        }
        let behind = try NotebookSync(notebook).filesLeftBehind()
        if !behind.isEmpty { good.append(("sync", DoctorTexts.leftBehind(behind))) }
        try addJournals(notebook)
        good.append(
            ("sqlite", DoctorTexts.sqlite(SQLiteLibrary.version, hasLogResetFault: SQLiteLibrary.hasLogResetFault)))
        addDrafts(of: notebook)
    }

    private mutating func addNames(of notebook: Notebook) {
        if let error = notebook.otherNames {
            bad.append(("notebook", error.sentence))
            var recorded: String?
            if case .linked(_, _, let path) = error { recorded = path }
            bad.append(
                ("notebook", DoctorTexts.names(notebook.namesInFolder(), of: notebook.path, recorded: recorded)))
        } else if notebook.hasSeveralNames {
            good.append(("notebook", DoctorTexts.severalNames))
        }
    }

    private mutating func addDrafts(of notebook: Notebook) {
        // A draft whose file the editor has removed has nothing to import; the next command removes it.
        let drafts = Draft.leftOver(database: notebook.path)
        for draft in drafts where draft.hasText {
            if draft.isHandedOver {
                good.append(("draft", DoctorTexts.handedOver(draft.path)))
                continue
            }
            let isText = (try? draft.text()) != nil  // a draft that cannot be read is reported below
            bad.append(("draft", DoctorTexts.draft(draft.path, isText: isText)))
        }
        for folder in Draft.damaged() { bad.append(("draft", DoctorTexts.damagedDraft(folder.string))) }
    }

    /// Adds the journals that are damaged or of a newer program, and those that could not be replayed at the opening.
    private mutating func addJournals(_ notebook: Notebook) throws {
        for path in try notebook.journal.damaged() {
            bad.append(("journal", DoctorTexts.journal(path)))
        }
        for path in try notebook.journal.ofNewerPrograms() {
            bad.append(("journal", DoctorTexts.newerJournal(path)))
        }
        let replay = notebook.recovered.replay
        for journal in replay.waiting { bad.append(("journal", DoctorTexts.waiting(journal))) }
        for problem in replay.problems where !replay.waiting.contains(where: { $0.problem == problem }) {
            bad.append(("journal", Sentence.of(problem)))
        }
    }

    mutating func addSettings() {
        let path = Configuration.file()
        guard PathKind(path) != nil else {
            return good.append(("settings", DoctorTexts.defaultSettings(path)))
        }
        // Every command runs on the main thread.
        let problems = MainActor.assumeIsolated { Configuration.readFromUser().allProblems }
        if problems.isEmpty { good.append(("settings", path)) }
        for problem in problems { bad.append(("settings", problem.description)) }
    }
}
