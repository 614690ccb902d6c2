import ArgumentParser
import Foundation
import NoteStore
import Synchronization

/// Which notebook a command works on.
struct NotebookOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The notebook's file; also TAKENOTE_DATABASE.", valueName: "path"), completion: .file())
    var database: String?

    /// The file: the option, else the environment, else the place of the XDG rules.
    ///
    /// Without symbolic links, so that drafts and locks are those of the file by whatever name it is reached.
    var path: String { Notebook.resolved(NotebookPath.chosen(database)) }

    /// The notebook for one command, with what programs that died had not saved.
    func open() throws -> Notebook {
        let notebook = try Notebook.forCommand(path)
        CommandNotebook.last.withLock { $0 = notebook }
        return notebook
    }

    func validate() throws {
        if database == "" { throw ValidationError.noDatabase }
    }
}

extension Notebook {
    /// The notebook for one command, with what programs that died had not saved.
    static func forCommand(_ path: String) throws -> Notebook {
        if path.isFolder { throw StoreError.notANotebook(path: path) }
        let notebook = try open(path, mode: .command)
        OutsideEdit.takeInLeftOvers(in: notebook)
        return notebook
    }
}

/// The notebook that the command has opened, for what is left to do when it has answered.
enum CommandNotebook {
    static let last = Mutex<Notebook?>(nil)

    /// Makes the day's backup if it is due, so that those who only use the shell have one too.
    ///
    /// After the answer, and not by `tn --new`, which nobody should wait for: the next other command makes up for it.
    static func makeDailyBackup() {
        guard let notebook = last.withLock({ $0 }) else { return }
        _ = try? notebook.backups.createDailyIfChanged()  // the next command tries again; doctor names the newest
    }
}

extension NotebookOptions {
    init(database: String?) {
        self.init()
        self.database = database
    }
}
