import Foundation
import SystemPackage

/// Detects folders that a tool mirrors to other machines, file by file.
///
/// A database there may be copied in the middle of a write or replaced by another machine's, so that notes get lost.
/// The window warns about it once, and `tn doctor` always.
public enum SyncedFolder {
    /// Returns the tool that mirrors the folder of this path, or `nil` if none is known.
    ///
    /// It recognises the marks that the tools leave in their folders, and the folders' usual names.
    public static func tool(mirroring path: String) -> String? {
        var folder = FilePath(Notebook.absolute(path)).parent
        while let name = folder.lastComponent?.string {
            for (mark, tool) in marks where DiskFile.exists(folder.appending(mark).string) { return tool }
            for (start, tool) in names where name.lowercased().hasPrefix(start) { return tool }
            folder.removeLastComponent()
        }
        return nil
    }

    private static let marks = [
        (".stfolder", "Syncthing"), (".dropbox", "Dropbox"), (".dropbox.cache", "Dropbox"),
        (".owncloudsync.log", "Nextcloud"), (".sync_journal.db", "Nextcloud"),
    ]

    private static let names = [
        ("dropbox", "Dropbox"), ("onedrive", "OneDrive"), ("com~apple~clouddocs", "iCloud"),
        ("mobile documents", "iCloud"),
        ("google drive", "Google Drive"), ("googledrive", "Google Drive"), ("nextcloud", "Nextcloud"),
    ]
}

extension Notebook.Care {
    /// Returns the tool that mirrors the notebook's folder, the first time that this is called; `nil` from then on.
    ///
    /// Also `nil` while the notebook can only be read, since it could not remember the warning.
    public func syncWarning() throws(StoreError) -> String? {
        guard !notebook.isReadOnly, let tool = SyncedFolder.tool(mirroring: notebook.path),
            try notebook.settings.value("syncWarning") != tool
        else { return nil }
        try notebook.settings.set("syncWarning", tool)
        return tool
    }
}
