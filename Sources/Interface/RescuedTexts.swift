import Foundation

/// Texts that the notebook cannot store, written to plain files elsewhere.
enum RescuedTexts {
    /// Writes each text to its own file in a new folder of the home folder, readable by its owner alone.
    ///
    /// - Returns: the folder's path.
    /// - Throws: the file system's error.
    static func write(_ texts: [String], at date: Date) throws -> String {
        let stamp = date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: false))
            .replacing(":", with: "")
        // HOME first, as everywhere: Foundation asks the user database first, and would write where nobody looks.
        let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
        let folder = URL(filePath: home).appending(path: "takenote-rescued-\(stamp)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for (index, text) in texts.enumerated() {
            try Data(text.utf8).write(to: folder.appending(path: "\(index + 1).md"))
        }
        return folder.path
    }
}
