import ArgumentParser
import Foundation
import NoteStore
import Synchronization

/// The options that select the notebook of a command.
struct NotebookOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The notebook's file; also TAKENOTE_DATABASE.", valueName: "path"), completion: .file())
    var database: String?
    @Option(
        name: .customShort("n"),
        help: ArgumentHelp("The notebook of this name; tn notebooks lists them.", valueName: "name"),
        completion: .notebooks)
    var notebook: String?

    /// The notebook's file: from the options, else the environment, else the configuration, else the default location.
    ///
    /// Symbolic links are resolved, so that drafts and locks belong to the file, whatever path leads to it.
    var path: String { Notebook.resolved(NotebookPath.chosen(database, named: notebook)) }

    /// Opens the notebook for one command, and imports the unsaved texts of programs that died.
    ///
    /// - Parameter onlyReading: whether the command ends soon and only reads, for which a full disk needs no room.
    func open(onlyReading: Bool = false) throws -> Notebook {
        let notebook = try Notebook.forCommand(path, onlyReading: onlyReading)
        CommandNotebook.last.withLock { $0 = notebook }
        return notebook
    }

    func validate() throws {
        if database == "" { throw ValidationError.noDatabase }
        if database != nil, notebook != nil { throw ValidationError.databaseOrNotebook }
        if let notebook, let problem = NamedNotebooks.problem(of: notebook) {
            throw ValidationError.notebookName(notebook, problem)
        }
    }
}

extension Notebook {
    /// Opens the notebook for one command, and imports the unsaved texts of programs that died.
    static func forCommand(_ path: String, onlyReading: Bool = false) throws -> Notebook {
        try NamedNotebooks.check(path)
        if path.isFolder { throw StoreError.notANotebook(path: path) }
        var options = Options()
        options.isAskedToEnd = { BlockedSignals.areRaised }
        options.readsOnFullDisk = onlyReading
        let notebook = try open(path, mode: .command, options: options)
        if let path = notebook.recovered.lostLog { StandardError.notice(DoctorTexts.lostLog(path)) }
        // The notebook lacks this text, so the command shows an older one.
        for journal in notebook.recovered.replay.waiting { StandardError.notice(DoctorTexts.waiting(journal)) }
        for (note, isNew) in OutsideEdit.importLeftoverDrafts(in: notebook) where isNew {
            StandardError.notice(Texts.noticeOfDraft(note))
        }
        return notebook
    }
}

extension NotebookOptions {
    init(database: String?, notebook: String? = nil) {
        self.init()
        (self.database, self.notebook) = (database, notebook)
    }
}
