import Foundation
import NoteStore
import SystemPackage

/// Texts that the notebook cannot store, written to plain files elsewhere.
enum RescuedTexts {
    /// Writes each text to its own file in a new folder of the home folder, readable only by its owner.
    ///
    /// - Returns: the folder's path.
    /// - Throws: the file system's error.
    static func write(_ texts: [String], at date: Date) throws -> String {
        let stamp = date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
            .replacing(":", with: "")
        let folder = FilePath(HomeFolder.path()).appending("takenote-rescued-\(stamp)")
        try PrivateFile.makeFolder(folder)
        for (index, text) in texts.enumerated() {
            try PrivateFile.write(text.utf8, to: folder.appending("\(index + 1).md"))
        }
        PrivateFile.syncFolder(folder)
        return folder.string
    }
}
