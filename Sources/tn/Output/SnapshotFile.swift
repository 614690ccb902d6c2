import Foundation
import NoteStore
import SystemPackage

/// The location of the snapshot file, and the check whether it is current.
enum SnapshotFile {
    /// Returns the path for the notebook at `database`; a notebook with a name has a separate file.
    static func path(of database: String) -> String {
        let name = NamedNotebooks.name(of: database) ?? NamedNotebooks.defaultName
        let ending = name == NamedNotebooks.defaultName ? "" : "-" + name
        return Notebook.stateFolder() + "/snapshot\(ending).json"
    }

    /// Returns the snapshot of the notebook at `database`.
    ///
    /// It is written again if the notebook has changed since, or if the file is of another notebook or is damaged.
    static func current(_ database: String) throws -> NotebookSnapshot {
        let path = path(of: database)
        if !isOutdated(database), let found = read(path), found.isOf(database) { return found }
        let notebook = try opened(database)
        do {
            try notebook.transfer.writeSnapshot(to: path)
        } catch {
            // The file is for other programs. If it cannot be written, as on a full disk, the snapshot comes from the
            // notebook.
        }
        return try notebook.transfer.snapshot()
    }

    /// Opens the notebook to read a snapshot from it, on a full disk too.
    static func opened(_ database: String) throws(StoreError) -> Notebook {
        var options = Notebook.Options()
        options.readsOnFullDisk = true
        return try Notebook.open(database, mode: .command, options: options)
    }

    private static func read(_ path: String) -> NotebookSnapshot? {
        // One that cannot be read is written again.
        (try? PrivateFile.read(FilePath(path))).flatMap {
            try? JSONDecoder().decode(NotebookSnapshot.self, from: Data($0))
        }
    }

    private static func isOutdated(_ database: String) -> Bool {
        guard let written = changed(path(of: database)) else { return true }
        return [database, database + "-wal"].contains { file in changed(file).map { $0 >= written } ?? false }
    }

    /// Returns the modification time of a file in nanoseconds since 1970; nil if it is missing.
    private static func changed(_ file: String) -> Int? {
        var status = stat()
        guard stat(file, &status) == 0 else { return nil }
        return status.modified
    }
}
