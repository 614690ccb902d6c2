import Foundation
import NoteStore

/// The messages of `tn` to the user besides the requested results, a file for each topic.
///
/// This file has the questions, notices and closing lines of commands. Problems of the notebook itself come from
/// `StoreError`, whose sentences `Sentence` makes.
enum Texts {
    // MARK: Results

    /// What a command has done whose output cannot be written; the output follows.
    static let noteIsStored = "the note is stored"
    static let fileIsStored = "the file is stored"
    static let done = "done"
    static let trashIsEmpty = "The Trash is empty."
    static let nothingRemoved = "Nothing was removed."
    static let privacyIsLocal =
        "the level holds on this machine only; set it on the notebook's other machines too, or use never-send"
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
        return parts.joined(separator: ", ") + "."
    }
    static func exported(notes: Int, images: Int = 0, files: Int = 0) -> String {
        count(notes, "note") + (images == 0 ? "" : ", \(count(images, "image"))")
            + (files == 0 ? "" : ", \(count(files, "file"))") + " exported."
    }
    /// The title of a note with a text that could not be added at the end of another note.
    static func titleOfAddition(_ title: String) -> String { "For “\(title)”" }
    static let nothingRenamed = "Nothing was renamed."
    static func renamedTag(_ name: String, notes: Int) -> String {
        "Renamed to #\(name), in the text of \(count(notes, "note")) too."
    }
    static func tagLeft(_ name: String, in title: String) -> String {
        "“\(title)” still has the tag \(name) in its front matter, which cannot hold the new name there; change it by hand"
    }
    static func timeLeft(_ seconds: Int) -> String { seconds < 90 ? "\(seconds) s left" : "\(seconds / 60) min left" }
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
    /// The answers to a question about sending, after it.
    static let consentAnswers = " [y]es, [a]lways, [s]how it, [N]o"
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
    static func notebookKept(_ path: String) -> String { "Kept in \(path); remove this folder to get rid of it." }
    static func settingNames(_ name: String) -> String {
        "the setting notebook still names “\(name)”; tn config shows its file"
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
    static func words(_ errno: Int32) -> String { String(cString: strerror(errno)) }
}
