import Foundation
import Interface

/// Writes settings that the user chose in the window to the configuration.
enum ConfigurationChange {
    /// Sets the theme on its line of the file.
    ///
    /// - Returns: the reason why the theme applies to this run only; nil if it was saved.
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

    /// The path of the file; if it is missing, it is created with all defaults and their descriptions.
    @MainActor
    static func fileToEdit() throws -> String {
        if !FileManager.default.fileExists(atPath: file.path) { try write(Configuration.defaultText) }
        return file.path
    }

    /// The configuration file; symbolic links are resolved, so that writing does not replace a link.
    private static var file: URL { URL(filePath: Configuration.file()).resolvingSymlinksInPath() }

    /// Writes the file; a new file and its folder are accessible to their owner only.
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
