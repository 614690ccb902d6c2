import Foundation
import Interface

/// Writes into the configuration what was chosen in the window.
enum ConfigurationChange {
    /// Sets the theme, on its line of the file.
    ///
    /// - Returns: why it holds for this run only; nil if it was kept.
    static func keep(theme: String) -> String? {
        if Configuration.processEnvironment["TAKENOTE_THEME"]?.isEmpty == false {
            return "For now: TAKENOTE_THEME decides at the next start"
        }
        // A link is followed, so that it stays one.
        let file = URL(filePath: Configuration.file()).resolvingSymlinksInPath()
        let manager = FileManager.default
        let isThere = manager.fileExists(atPath: file.path)
        do {
            let before = isThere ? try String(contentsOf: file, encoding: .utf8) : ""
            guard let after = Configuration.text(before, withTheme: theme) else {
                return "For now: the theme in config.toml is written in a way that only you can change"
            }
            let folder = file.deletingLastPathComponent()
            if !manager.fileExists(atPath: folder.path) {
                try manager.createDirectory(
                    at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            try Data(after.utf8).write(to: file, options: .atomic)
            if !isThere { try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path) }
            return nil
        } catch {
            return "For now: config.toml was not written: \(error.localizedDescription)"
        }
    }
}
