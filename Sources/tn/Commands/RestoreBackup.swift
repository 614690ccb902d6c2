import ArgumentParser
import Foundation
import NoteStore
import SystemPackage

/// The command `tn restore-backup`: replaces the notebook by a backup.
struct RestoreBackup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-backup",
        abstract: "Replace the notebook with a backup.",
        discussion: """
            The backup is checked first, and what is there now is kept as a backup of its own. Quit tn first. Example:

              tn restore-backup /media/stick/notes-2026-03-01.sqlite
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "The backup.", completion: .file(extensions: ["sqlite"]))
    var file: String

    func run() throws {
        guard PathKind(file) != nil else { throw StoreError.noSuchFile(path: file) }
        if file.isFolder { throw Failure.isFolder(file) }
        try InputText.requireRegularFile(file)
        if let owner = OpenNotebook.owner(of: options.path) {
            throw Failure.openElsewhere(options.path, owner)
        }
        var kept: String?
        do {
            kept = try Notebook.Backups.restore(file, to: options.path)
        } catch {
            switch error {
            case .notANotebook(file): throw Failure.noBackup(file)
            case .corrupt(file, _): throw Failure.damagedBackup(file)
            case .cannotCreate(_, Errno.fileExists.rawValue): throw Failure.isTheNotebook(file)
            default: throw error
            }
        }
        let pauses = try options.open().sync.isRestored()
        if let kept { try StandardOutput.write(name: Texts.damagedFileKept(kept)) }
        if pauses { try StandardOutput.write(line: Texts.restoredPauses) }
    }
}
