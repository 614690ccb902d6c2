import ArgumentParser
import Foundation
import NoteStore

/// The command `tn backup`: copies the notebook to a file.
struct Backup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the notebook to a file, check the copy, and print where it is.",
        discussion: """
            Without a file the copy goes beside the notebook, where the daily backups are. Examples:

              tn backup
              tn backup /media/stick/notes-$(date +%F).sqlite
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "A new file.", completion: .file())
    var file: String?

    func validate() throws {
        if file == "-" { throw ValidationError.backupIsFile }
    }

    func run() throws {
        let path = options.path
        guard PathKind(path) != nil else { throw Failure.noNotebookYet(path) }
        let notebook = try options.open(onlyReading: true)
        guard let file else { return try StandardOutput.write(name: try notebook.backups.create(.byHand).path) }
        guard PathKind(file) == nil else {
            throw Failure.exists(file)
        }
        do {
            try notebook.backups.write(to: file)
        } catch {
            // The store's advice is to choose another notebook; a missing folder it explains itself.
            guard case .cannotCreate(file, let errno) = error, errno != ENOENT else { throw error }
            throw Failure.noBackupThere(file, errno)
        }
        try StandardOutput.write(name: file)
    }
}
