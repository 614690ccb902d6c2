import ArgumentParser
import Foundation
import NoteStore
import Terminal

/// All messages of `tn` to the user besides the requested results, in one place.
///
/// These are errors with their exit status, questions, notices and the lines that commands end with. Problems of the
/// notebook itself come from `StoreError`, whose sentences `Sentence` makes. An error is one line without a full stop:
/// what is wrong, where, and what to do.
enum Texts {
    // MARK: Results

    static let trashIsEmpty = "The Trash is empty."
    static let nothingRemoved = "Nothing was removed."
    static func removed(_ contents: TrashContents) -> String { "Removed for ever: \(list(contents))." }
    static func wouldImport(_ notes: Int, unchanged: Int) -> String {
        "\(count(notes, "note")) would be imported"
            + (unchanged > 0 ? ", \(unchanged) unchanged would be left out." : ".")
    }
    static func imported(_ result: ImportResult) -> String {
        var parts = ["\(count(result.noteImportCount, "note")) imported"]
        if result.mergedCount > 0 { parts.append("\(result.mergedCount) merged") }
        if result.skippedCount > 0 { parts.append("\(result.skippedCount) changed and skipped") }
        if result.unchangedCount > 0 { parts.append("\(result.unchangedCount) unchanged") }
        if result.imageCount > 0 { parts.append(count(result.imageCount, "image")) }
        if result.fileCount > 0 { parts.append(count(result.fileCount, "file")) }
        return parts.joined(separator: ", ")
            + "."
    }
    static func exported(notes: Int, images: Int = 0, files: Int = 0) -> String {
        count(notes, "note") + (images == 0 ? "" : ", \(count(images, "image"))")
            + (files == 0 ? "" : ", \(count(files, "file"))") + " exported."
    }
    static let nothingRenamed = "Nothing was renamed."
    static func renamedTag(_ name: String, notes: Int) -> String {
        "Renamed to #\(name), in the text of \(count(notes, "note")) too."
    }
    static let nothingImported = "nothing was imported"
    static let nothingExported = "nothing was exported"
    static func damagedFileKept(_ path: String) -> String {
        "The notebook that was there could not be opened; it is kept as \(path)"
    }
    static func reason(_ reason: NoteVersion.Reason) -> String {
        switch reason {
        case .left: "left"
        case .restored: "replaced"
        case .merged: "merged"
        case .outside: "outside"
        }
    }

    static func configuration(at path: String, exists: Bool) -> String {
        exists ? path : "There is no \(path); these are the defaults."
    }

    // MARK: Questions

    /// Returns the question with the possible answers; the capital letter marks No as the default, which is safe.
    static func question(_ question: String) -> String { "\(question) [y/N] " }
    static let yes: Set<String> = ["y", "yes"]
    static func removeForEver(_ contents: TrashContents) -> String { "Remove \(list(contents)) for ever?" }

    static func rewriteTag(_ old: String, _ new: String, notes: Int) -> String {
        "#\(old) is in the text of \(count(notes, "note")): write #\(new) there?"
    }

    // MARK: Notices on standard error

    static func foldersInTrash(_ count: Int) -> String {
        let folders = count == 1 ? "a folder is" : "\(count) folders are"
        return "\(folders) in the Trash too; tn folder list --trash shows what there is"
    }
    static func restoredElsewhere(_ name: String, _ path: String?) -> String {
        "the folder of “\(name)” no longer exists; it is now \(path.map { "in “\($0)”" } ?? "at the top level")"
    }
    /// An editor has returned, and a process of it still has the file open.
    static func editorGoesOn(_ file: OutsideEdit.OpenFile) -> String {
        switch file {
        case .inBackground(let file):
            "the editor goes on in the background: what it saves in \(file) is taken in by the first command after it has "
                + "ended; an option such as --wait lets tn wait for it"
        case .handedOver(let file):
            "the editor returned at once without a change; if it has the text open elsewhere, what it saves in \(file) is "
                + "taken in for a day; an option such as --wait (code --wait) lets tn wait for it"
        }
    }
    static func keptAs(_ copy: OutsideEdit.Copy) -> String {
        let reason = copy.isNoteGone ? "was deleted for ever meanwhile" : "was changed elsewhere in the same words"
        return "the note \(reason); your text is in “\(copy.note.title)”"
    }
    /// The outcomes of a user's script, each shown after its name.
    enum Script {
        static func noFile(_ reason: String) -> String { "got no file of the note: \(reason)" }
        static func notStarted(_ reason: String) -> String { "could not be started: \(reason)" }
        static func tookTooLong(_ seconds: Int) -> String { "took longer than \(count(seconds, "second"))" }
        static func ended(status: Int32) -> String { "ended with status \(status)" }
        static let killed = "was killed"
        static func tooLong(_ limit: Int) -> String { "printed more than \(limit) MB" }
        static let notText = "printed something that is not UTF-8"
    }

    static func deleteNotebook(_ name: String, notes: Int) -> String {
        "Delete the notebook “\(name)” with its \(count(notes, "note"))?"
    }
    static func notebookKept(_ path: String) -> String { "Kept in \(path); remove this folder to be rid of it." }
    static func settingNames(_ name: String) -> String {
        "the setting notebook still names “\(name)”; tn config tells its file"
    }
    static func notebookNotClosed(_ error: any Error) -> String {
        "The notebook that was left is still open here: \(Failure(error).message)"
    }

    /// The reasons why a text cannot be the name of a notebook.
    enum NotebookName {
        static let empty = "it is empty"
        static func tooLong(_ limit: Int) -> String { "it has more than \(limit) characters" }
        static let characters = "it may have letters, digits, spaces and - _ . and begins with a letter or digit"
    }

    static func openedInWindow(_ title: String) -> String { "the open window is now at “\(title)”" }
    static func windowNotKept(_ error: any Error) -> String {
        "the window's state was not saved: \(Failure(error).message)"
    }

    // MARK: Words

    static let standardInput = "standard input"

    /// The activities that need a terminal.
    enum Purpose {
        static let notebook = "the notebook"
        static let writing = "writing a note without a text"
        static let doctor = "doctor --terminal"
    }

    static func size(_ bytes: Int) -> String {
        bytes < 1_000_000 ? "\((bytes + 999) / 1_000) KB" : "\((bytes + 500_000) / 1_000_000) MB"
    }
    static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

    private static func list(_ contents: TrashContents) -> String {
        [(contents.notes, "note"), (contents.folders, "folder"), (contents.projects, "project")]
            .filter { $0.0 > 0 }.map { count($0.0, $0.1) }.joined(separator: ", ")
    }

    /// The system's description of an error number.
    fileprivate static func words(_ errno: Int32) -> String { String(cString: strerror(errno)) }
}

// MARK: - Messages in the window

extension Texts {
    static let backFromEditor = "Back from the editor"
    static func updated(to version: String) -> String {
        "Updated to version \(version); “What is new” among the commands tells more"
    }
    static let draftSaved = "Saved the unsaved text of an external editor"
    static func draftCameIn(_ note: NoteRow) -> String {
        "A text that was kept unsaved is now the note “\(note.title)” in the Inbox"
    }
    static func noticeOfDraft(_ note: NoteRow) -> String {
        "a text that was kept unsaved is now the note “\(note.title)” in the Inbox"
    }
    static let openedOnlyWeb = "Only web and mail addresses can be opened"
    static let themeOfEnvironment = "Not saved: TAKENOTE_THEME decides at the next start"
    static let themeByHand = "Not saved: config.toml sets the theme in a way that only you can change"
    static func themeNotWritten(_ error: any Error) -> String {
        "Not saved: config.toml could not be written: \(Failure(error).message)"
    }
    static func keptElsewhere(_ copy: OutsideEdit.Copy) -> String {
        (copy.isNoteGone ? "Deleted for ever elsewhere" : "Also changed elsewhere")
            + ": your text is kept as “\(copy.note.title)”"
    }
    static func notEdited(_ error: any Error) -> String { "Not edited: \(Failure(error).message)" }
    static func noBackup(_ error: any Error) -> String { "No backup: \(Failure(error).message)" }
    static func notTrimmed(_ error: any Error) -> String {
        "What grows was not trimmed: \(Failure(error).message)"
    }
    static func noTags(_ error: any Error) -> String { "The tags were not read: \(Failure(error).message)" }
    static func notebookNotOpened(_ error: any Error) -> String {
        "The notebook was not opened: \(Failure(error).message)"
    }
    static func notAllowed(_ error: any Error) -> String {
        "You will be asked again: \(Failure(error).message)"
    }
    static func notReachable(_ error: any Error) -> String {
        "Other programs cannot open notes in this window: \(Failure(error).message)"
    }
    static func noSnapshot(_ error: any Error) -> String { "No snapshot: \(Failure(error).message)" }
    static func openedWith(_ program: String) -> String { "Opened with \(program)" }
    static func noOpener(_ program: String) -> String { "Cannot find \(program); copy the address instead" }
    static func copied(_ outcome: ClipboardOutcome) -> String {
        switch outcome {
        case .tool(let name): "Copied with \(name)"
        case .tmux: "Copied to tmux"
        case .terminal: "Copied by the terminal"
        case .tooLarge(let limit): "Copied inside tn only: terminals accept at most \(limit / 1_000) KB"
        case .refused(let programs): "Copied inside tn only: \(programs.joined(separator: " and ")) did not take it"
        case .unavailable: "Copied inside tn only: no clipboard was found"
        }
    }

    /// The last line of the small editor for a new note.
    enum Composer {
        static let hint = " New note    Ctrl-S saves   Esc leaves"
        static let question = " Esc again throws this text away; Ctrl-S saves it"

        /// Returns the message about a paste; nil if it has ended.
        static func sign(of status: PasteStatus) -> String? {
            switch status {
            case .stalled: " Pasting… the end has not come; Ctrl-C gives up"
            case .abandoned: " Pasted what came; the rest, and all keys, are dropped until it ends. Ctrl-C ends it now"
            case .refused(_, let limit): " Not pasted: it is longer than \(limit >> 20) MB; tn new <FILE takes it"
            case .ended: nil
            }
        }
    }
}

// MARK: - Errors

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
    static func noNotebook(_ name: String) -> Failure {
        Failure("there is no notebook “\(name)”; tn notebooks lists them, tn notebooks add makes one", status: .noInput)
    }
    static func notebookExists(_ name: String) -> Failure {
        Failure("there is a notebook “\(name)” already; choose another name", status: .cannotCreate)
    }
    static let defaultNotebook = Failure(
        "the default notebook has no name of its own: it is neither renamed nor deleted", status: .usage)
    static func notebookName(_ name: String, _ problem: String) -> Failure {
        Failure("“\(name)” cannot be the name of a notebook: \(problem)", status: .badData)
    }
    static func noFile(_ path: String) -> Failure { Failure("there is no file \(path)", status: .noInput) }
    static func isFolder(_ path: String) -> Failure {
        Failure("\(path) is a folder; give the path of a backup in it", status: .badData)
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
    static func snapshotUnreadable(_ path: String) -> Failure {
        Failure("\(path) cannot be read; tn snapshot writes a new one", status: .noInput)
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
    static func cannotPrint(_ error: any Error) -> Failure {
        Failure("cannot write to standard output: \(error)", status: .inputOutput)
    }
    static func notUTF8(_ name: String) -> Failure {
        Failure("\(name) is not UTF-8 text; convert it first, for example with iconv", status: .badData)
    }
}

/// Work stopped by Ctrl-C.
extension Failure {
    static let exportStopped = Failure("stopped; \(Texts.nothingExported)", status: .stopped)
    static func exportStopped(_ done: Int, of all: Int, in path: String) -> Failure {
        Failure(
            "stopped; \(done) of \(all) notes are in \(path) and stay there; the same command writes the rest",
            status: .stopped)
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
            "there is no option “\(word)”; put -- before a text that begins with a dash, or = between an option and it",
            status: .usage)
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
    static let severalLists = ValidationError("give only one of --folder, --tag, --starred, --archive and --trash.")
    static let notesOrFolder = ValidationError("give notes or --folder, not both.")
    static let frontMatterOfHTML = ValidationError("--front-matter goes with Markdown files and --obsidian.")
    static let severalForms = ValidationError("give only one of --html, --site, --obsidian and --manuscript.")
    static let jsonAlone = ValidationError("--json exports the whole notebook; leave out notes and other options.")
    static let gfmOrExtended = ValidationError("give only one of --gfm and --extended.")
    static let widthTooSmall = ValidationError("--width must be at least 10.")
    static let extensionsOfHTML = ValidationError("--gfm and --extended go with --html.")
    static let widthOfHTML = ValidationError("--width does not go with --html.")
    static let databaseOrNotebook = ValidationError("give only one of --database and -n.")
    static let picturesOfHTML = ValidationError("--pictures does not go with --html.")
    static let picturesOfJSON = ValidationError("--pictures does not go with --json.")
    static let noDatabase = ValidationError("--database needs the name of a file.")
}
