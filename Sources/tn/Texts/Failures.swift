import ArgumentParser
import Foundation
import NoteStore

// The errors of commands with their exit status. An error is one line without a full stop: what is wrong, where, and
// what to do.

/// Requested items that are missing or of another kind.
extension Failure {
    static func noTag(_ name: String) -> Failure {
        Failure("there is no tag “\(name)”; tn tags list shows what there is", status: .noInput)
    }
    static func noProject(_ name: String) -> Failure {
        Failure("there is no project “\(name)”; tn project list shows what there is", status: .noInput)
    }
    static func notInTrash(_ name: String) -> Failure {
        Failure(
            "nothing in the Trash is called “\(name)”; tn list --trash and tn folder list --trash show what there is",
            status: .noInput)
    }
    static func wrongKind(_ name: String, is found: NoteContainer.Kind, not wanted: String) -> Failure {
        Failure(
            "“\(name)” is a \(found.rawValue), not a \(wanted); use tn \(found.rawValue)", status: .badData)
    }
    static func nothingReadable(_ path: String, backup: String?) -> Failure {
        let help = backup.map { "tn restore-backup \($0) brings back the newest backup" } ?? "and it has no backup"
        return Failure("nothing can be read from \(path); \(help)", status: .badData)
    }
    /// The notebook with this file is missing; one with a name is made by another command than the default one.
    static func noNotebookYet(_ path: String) -> Failure {
        if let name = NamedNotebooks.name(of: path), name != NamedNotebooks.defaultName {
            return NamedNotebooks.problem(of: name).map(notebookSetting) ?? noNotebook(name)
        }
        return Failure("there is no notebook \(path) yet; tn --new creates it", status: .noInput)
    }
    static func noNotebook(_ name: String) -> Failure {
        let isConfigured = NotebookPath.configuredName().map { Folding.key($0) == Folding.key(name) } ?? false
        let remark = isConfigured ? ", which config.toml names" : ""
        return Failure(
            "there is no notebook “\(name)”\(remark); tn notebooks lists them, tn notebooks add creates one",
            status: .noInput)
    }
    /// The configuration gives a name that no notebook can have, for this reason.
    static func notebookSetting(_ problem: String) -> Failure {
        Failure("config.toml: notebook cannot be the name of a notebook: \(problem)", status: .noInput)
    }
    static func notebookExists(_ name: String) -> Failure {
        Failure("there is a notebook “\(name)” already; choose another name", status: .cannotCreate)
    }
    static let defaultNotebook = Failure(
        "the default notebook has no name of its own: it cannot be renamed or deleted", status: .usage)
    static func notebookName(_ name: String, _ problem: String) -> Failure {
        Failure("“\(name)” cannot be the name of a notebook: \(problem)", status: .badData)
    }
    static func noFile(_ path: String) -> Failure { Failure("there is no file \(path)", status: .noInput) }
    static func isFolder(_ path: String) -> Failure {
        Failure("\(path) is a folder; give the path of a backup in it", status: .badData)
    }
    static func notRegular(_ path: String) -> Failure {
        Failure("\(path) is a pipe, a device or a socket; save it as a file first", status: .badData)
    }
    static func severalFiles(_ name: String, _ files: [NoteFile]) -> Failure {
        Failure(
            "“\(name)” can be \(files.count) files: \(files.map(\.url).joined(separator: ", ")); use one of these",
            status: .badData)
    }
    static func noBackup(_ path: String) -> Failure {
        Failure("\(path) is not a backup of a notebook; tn backup makes one", status: .badData)
    }
    static func damagedBackup(_ path: String) -> Failure {
        Failure("\(path) is damaged; take another backup, tn doctor names them", status: .badData)
    }
    static func isTheNotebook(_ path: String) -> Failure {
        Failure("\(path) is the notebook itself; give the path of a backup", status: .badData)
    }
    static func openElsewhere(_ path: String, _ process: pid_t) -> Failure {
        Failure("\(path) is open in another program (process \(process)); quit it and try again", status: .busy)
    }
    static func archiveHasFolders(_ path: String) -> Failure {
        Failure("\(path) is a whole notebook, which has its own folders; leave out --folder", status: .usage)
    }
}

/// Files.
extension Failure {
    static func exists(_ path: String) -> Failure {
        Failure("\(path) already exists; choose another name", status: .cannotCreate)
    }
    static func exportFolder(_ path: String) -> Failure {
        Failure("cannot create \(path); check the path and its permissions", status: .cannotCreate)
    }
    static func folderInUse(_ path: String) -> Failure {
        Failure(
            "\(path) holds other files; choose a new or empty folder, or add --force to keep them and write beside them",
            status: .cannotCreate)
    }
    static func tooLarge(_ bytes: Int, limit: Int) -> Failure {
        Failure(
            "the notebook is too large for one JSON file: \(bytes / 1_000_000) MB, the limit is "
                + "\(limit / 1_000_000) MB; use tn backup", status: .badData)
    }
    static func notEncoded(_ path: String, _ error: any Error) -> Failure {
        Failure("cannot write \(path): \(error)", status: .internalError)
    }
    static func cannotCreate(_ path: String, _ reason: String? = nil) -> Failure {
        Failure("cannot create \(path)" + (reason.map { ": \($0)" } ?? ""), status: .cannotCreate)
    }
    static func cannotCreate(_ path: String, _ errno: Int32) -> Failure { cannotCreate(path, Texts.words(errno)) }
    static func noBackupThere(_ path: String, _ errno: Int32) -> Failure {
        cannotCreate(path, "\(Texts.words(errno)); check the folder's permissions or choose another place")
    }
    static func noSnapshotThere(_ path: String, _ errno: Int32) -> Failure {
        cannotCreate(path, "\(Texts.words(errno)); check the folder's permissions or set XDG_STATE_HOME")
    }
    static func cannotWrite(_ path: String, _ reason: String) -> Failure {
        Failure("cannot write \(path): \(reason)", status: .inputOutput)
    }
    static func cannotWrite(_ path: String, _ errno: Int32) -> Failure { cannotWrite(path, Texts.words(errno)) }
    static func cannotOpen(_ path: String, _ error: any Error) -> Failure {
        Failure("cannot read \(path): \(error)", status: .noInput)
    }
    static func cannotRead(_ name: String, _ error: any Error) -> Failure {
        Failure("cannot read \(name): \(error)", status: .inputOutput)
    }
    /// - Parameter deeds: what the command has done nevertheless.
    static func cannotPrint(_ error: any Error, _ deeds: [String]) -> Failure {
        let said = ["cannot write to standard output: \(error)"] + deeds
        return Failure(said.joined(separator: "; "), status: .inputOutput)
    }
    /// - Parameter limit: in bytes.
    static func inputTooLarge(limit: Int) -> Failure {
        Failure(
            "\(Texts.standardInput) is larger than \(limit / 1_000_000) MB, the limit of a text; nothing of it was kept; "
                + "split it", status: .badData)
    }
    static func notForTerminal(_ name: String) -> Failure {
        Failure("\(name) is not a text that a terminal can show; write it to a file with >", status: .badData)
    }
    static func notUTF8(_ name: String) -> Failure {
        Failure("\(name) is not UTF-8 text; convert it first, for example with iconv", status: .badData)
    }
}

/// Work stopped by a signal.
extension Failure {
    /// - Parameter signal: SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    static func stopped(by signal: Int32) -> Failure {
        switch signal {
        case SIGTERM: Failure("ended by SIGTERM", status: .terminated)
        case SIGHUP: Failure("ended by SIGHUP", status: .hungUp)
        case SIGQUIT: Failure("ended by SIGQUIT", status: .quit)
        default: Failure("stopped", status: .stopped)
        }
    }
    static let exportStopped = Failure("stopped; \(Texts.nothingExported)", status: .stopped)
    static func exportStopped(_ done: Int, of all: Int, in path: String) -> Failure {
        Failure(
            "stopped; \(done) of \(all) notes are in \(path) and stay there; the same command writes the rest",
            status: .stopped)
    }
    static func linkingStopped(_ imported: Int) -> Failure {
        Failure(
            "stopped; \(Texts.count(imported, "note")) imported and kept, with some links and files still to come; "
                + "the same command brings them", status: .stopped)
    }
    static func importStopped(_ imported: Int, of all: Int, unchanged: Int) -> Failure {
        let known = unchanged > 0 ? ", \(unchanged) were there unchanged" : ""
        return Failure(
            imported == 0
                ? "stopped; \(Texts.nothingImported)\(known)"
                : "stopped; \(imported) of \(all) notes are imported and kept\(known); "
                    + "the same command takes in the rest", status: .stopped)
    }
}

/// Texts to be stored.
extension Failure {
    static let noText = Failure("there is no text; give it as arguments or on standard input", status: .usage)
    static let noTextToDraw = Failure("there is no text; give a file or standard input", status: .usage)
    static let noTextToChange = Failure("there is no text; give it on standard input", status: .usage)
    static let nothingToAppend = Failure(
        "there is nothing to append; give a text as arguments or on standard input", status: .usage)
    static let emptyNote = Failure(
        "the note would be empty; give its text as arguments or on standard input", status: .usage)
    static func textKept(_ failure: Failure, in path: String) -> Failure {
        Failure("\(failure.message); the text is kept in \(path)", failure)
    }
    static func textLost(_ failure: Failure, _ second: Failure) -> Failure {
        Failure("\(failure.message); the text could not be kept either: \(second.message)", failure)
    }
    static func noDraft(_ error: StoreError) -> Failure {
        Failure("cannot create a draft: \(error.sentence)", status: .cannotCreate)
    }
    static func editorsFolder(_ path: String) -> Failure {
        Failure("\(path) is a folder, which an editor has left in place of the file", status: .inputOutput)
    }
    static func editorsTextKept(_ failure: Failure, in path: String) -> Failure {
        Failure("\(failure.message); what the editor saved is kept in \(path)", failure)
    }
    static let noEditor = Failure("no editor was found; set EDITOR, for example to vi", status: .usage)
    static func editorFailed(_ command: String) -> Failure {
        Failure("the editor “\(command)” ended with an error; what it saved is kept", status: .inputOutput)
    }
    static func noEditor(_ command: String) -> Failure {
        Failure("the editor “\(command)” cannot be started; check VISUAL and EDITOR", status: .noInput)
    }
    static func noEditor(_ command: String, _ error: any Error) -> Failure {
        Failure("the editor “\(command)” cannot be started: \(error)", status: .noInput)
    }
}

/// The terminal, and the words of the command line.
extension Failure {
    static func noAnswer(to question: String) -> Failure {
        Failure("there is no terminal to ask “\(question)” on; add --yes", status: .usage)
    }
    static func noScreen(isRemote: Bool) -> Failure {
        Failure(
            "the notebook needs a terminal on standard input and output; "
                + (isRemote ? "start it with ssh -t, or use" : "in a script use") + " tn list, show, search or new",
            status: .usage)
    }
    static let windowHasDialog = Failure(
        "the open window is asking for something; answer or close that, or open the note with tn open --here",
        status: .busy)
    static let windowIsBusy = Failure(
        "somebody is typing in the open window; try again, or open the note with tn open --here", status: .busy)
    static let windowRefuses = Failure(
        "the open window belongs to another version of tn; open the note with tn open --here", status: .busy)
    static func notText(argument: String) -> Failure {
        Failure("the argument “\(argument)” is not UTF-8 text; convert it, or pass it through iconv", status: .badData)
    }
    static func notText(variable: String) -> Failure {
        Failure("the variable \(variable) is not UTF-8 text; set it to a path that is", status: .badData)
    }
    static func tooFewFiles(_ count: Int, of fewest: Int) -> Failure {
        Failure(
            "the system lets tn have \(count) files open, and it needs \(fewest); raise the limit, as with ulimit -n 256",
            status: .inputOutput)
    }
    static func tooFewThreads(of fewest: Int) -> Failure {
        Failure(
            "the system starts no more programs and threads for you, and tn needs \(fewest); end some, or raise the limit, "
                + "as with ulimit -u 1000", status: .inputOutput)
    }
    static let noTerminalToOpen = Failure(
        "there is no terminal here, and the notebook needs one; leave out --open", status: .usage)
    static func noTerminal(for purpose: String) -> Failure {
        Failure("there is no terminal here, and \(purpose) needs one", status: .usage)
    }
    static func dumbTerminal(_ name: String, for purpose: String) -> Failure {
        let value = name.isEmpty ? "TERM is not set" : "TERM is “\(name)”"
        return Failure(
            "\(value), a terminal without a cursor, and \(purpose) needs one; set TERM, or use tn line, list, show, search or new",
            status: .usage)
    }
    static func noCommand(_ words: String, after before: String, guess: String?) -> Failure {
        let guess = guess.map { "did you mean “\(before) \($0)”? " } ?? ""
        return Failure("there is no command “\(words)”; \(guess)\(before) --help lists them", status: .usage)
    }
    static func noOption(_ word: String) -> Failure {
        Failure(
            "there is no option “\(word)”; put -- before a text that begins with a dash, or = between an option and its "
                + "value",
            status: .usage)
    }
    static func unknownOption(_ option: String, guess: String?, in command: String) -> Failure {
        let question = guess.map { ". Did you mean '\($0)'?" } ?? ""
        return parserRefused("unknown option '\(option)'\(question)", in: command)
    }
    static func parserRefused(_ message: String, in command: String) -> Failure {
        var message = message
        let isQuestion = message.hasSuffix("?")
        if message.hasSuffix(".") { message.removeLast() }
        return Failure(
            "\(message.prefix(1).lowercased())\(message.dropFirst())\(isQuestion ? " See" : "; see") \(command) --help",
            status: .usage)
    }
}

/// Options that exclude each other; the parser adds a reference to help.
extension ValidationError {
    static let showOrRestore = ValidationError("give only one of --show and --restore.")
    static let limitTooSmall = ValidationError("--limit must be at least 1.")
    static let severalLists = ValidationError("give only one of --archive and --trash.")
    static let notesOrFolder = ValidationError("give notes or --folder, not both.")
    static let frontMatterOfHTML = ValidationError("--front-matter goes with Markdown files and --obsidian.")
    static let severalForms = ValidationError("give only one of --html, --site, --obsidian and --manuscript.")
    static let onlyJSONIsPrinted = ValidationError("only --json writes to standard output; give a folder or file.")
    static let backupIsFile = ValidationError("a backup cannot be written to standard output; give a file.")
    static let jsonAlone = ValidationError("--json exports the whole notebook; leave out notes and other options.")
    static let noWish = ValidationError("say what to do with the text.")
    static let gfmOrExtended = ValidationError("give only one of --gfm and --extended.")
    static let widthTooSmall = ValidationError("--width must be at least 10.")
    static let widthTooLarge = ValidationError("--width must be at most 10000.")
    static let extensionsOfHTML = ValidationError("--gfm and --extended go with --html.")
    static let widthOfHTML = ValidationError("--width does not go with --html.")
    static let databaseOrNotebook = ValidationError("give only one of --database and -n.")
    static let picturesOfHTML = ValidationError("--pictures does not go with --html.")
    static let picturesOfJSON = ValidationError("--pictures does not go with --json.")
    static let noDatabase = ValidationError("--database needs the name of a file.")
    static let waitTakesSeconds = ValidationError("--wait takes seconds.")
    static func notebookName(_ name: String, _ problem: String) -> ValidationError {
        ValidationError("“\(name)” cannot be the name of a notebook: \(problem).")
    }
}
