import ArgumentParser
import Foundation
import NoteStore

/// A copy of the notebook.
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

    func run() throws {
        let path = options.path
        guard FileManager.default.fileExists(atPath: path) else { throw StoreError.noSuchFile(path: path) }
        let notebook = try options.open()
        guard let file else { return try StandardOutput.write(line: try notebook.backups.create(.byHand).path) }
        guard !FileManager.default.fileExists(atPath: file) else {
            throw Failure("\(file) is there already; choose another name", status: .cannotCreate)
        }
        try notebook.backups.write(to: file)
        try StandardOutput.write(line: file)
    }
}

/// A copy in the notebook's place.
struct RestoreBackup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore-backup",
        abstract: "Put a backup in the notebook's place.",
        discussion: """
            The backup is checked first, and what is there now is kept as a backup of its own. Quit tn before. Example:

              tn restore-backup ~/.local/share/takenote/backups/notes-2026-03-01T093000.000Z-daily.sqlite
            """)

    @OptionGroup var options: NotebookOptions
    @Argument(help: "The backup.", completion: .file(extensions: ["sqlite"]))
    var file: String

    func run() throws {
        guard FileManager.default.fileExists(atPath: file) else { throw StoreError.noSuchFile(path: file) }
        if file.isFolder { throw Failure("\(file) is a folder; name the backup in it", status: .badData) }
        if let owner = OpenNotebook.owner(of: options.path) {
            throw Failure(
                "\(options.path) is open in another program (process \(owner)); quit it and try again", status: .busy)
        }
        var kept: String?
        do {
            kept = try Notebook.Backups.restore(file, to: options.path)
        } catch {
            guard case .notANotebook(file) = error else { throw error }
            throw Failure("\(file) is no backup of a notebook; tn backup makes one", status: .badData)
        }
        if let kept {
            try StandardOutput.write(line: "What was there could not be opened; it is kept as \(kept)")
        }
    }
}

/// Whether a notebook is in use.
enum OpenNotebook {
    /// The process that has the notebook open, nil if there is none.
    ///
    /// Every connection in write-ahead mode holds a shared lock for as long as it lives, on bytes that SQLite's file
    /// format fixes (sqlite3's os_unix.c: 510 bytes behind 2^30 + 1).
    static func owner(of path: String) -> pid_t? {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = (1 << 30) + 2
        lock.l_len = 510
        guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }
}
