import Foundation
import Interface

/// Writes into the configuration what was chosen in the window.
enum ConfigurationChange {
    /// Sets the theme, on its line of the file.
    ///
    /// - Returns: why it holds for this run only; nil if it was kept.
    static func keep(theme: String) -> String? {
        if Configuration.processEnvironment["TAKENOTE_THEME"]?.isEmpty == false {
            return Texts.themeOfEnvironment
        }
        do {
            let isThere = FileManager.default.fileExists(atPath: file.path)
            let before = isThere ? try String(contentsOf: file, encoding: .utf8) : ""
            guard let after = Configuration.text(before, withTheme: theme) else {
                return Texts.themeByHand
            }
            try write(after)
            return nil
        } catch {
            return Texts.themeNotWritten(error)
        }
    }

    /// The path of the file, which is made with all defaults and what they mean where there is none.
    @MainActor
    static func fileToEdit() throws -> String {
        if !FileManager.default.fileExists(atPath: file.path) { try write(Configuration.defaultText) }
        return file.path
    }

    /// The file; a link is followed, so that it stays one.
    private static var file: URL { URL(filePath: Configuration.file()).resolvingSymlinksInPath() }

    /// Writes the file; one that is new, and its folder, are for its owner alone.
    private static func write(_ text: String) throws {
        let (file, manager) = (file, FileManager.default)
        let isThere = manager.fileExists(atPath: file.path)
        let folder = file.deletingLastPathComponent()
        if !manager.fileExists(atPath: folder.path) {
            try manager.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try Data(text.utf8).write(to: file, options: .atomic)
        if !isThere { try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path) }
    }
}
