import Interface
import NoteStore
import SystemPackage

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
            let before = PrivateFile.exists(file) ? try InputText.text(ofFile: file.string) : ""
            guard let after = Configuration.text(before, withTheme: theme) else {
                return Texts.themeByHand
            }
            try write(after)
            return nil
        } catch {
            return Texts.themeNotWritten(error)
        }
    }

    /// Returns the path of the file; if it is missing, it is created with all defaults and their descriptions.
    @MainActor
    static func fileToEdit() throws -> String {
        if !PrivateFile.exists(file) { try write(Configuration.defaultText) }
        // The link is resolved, since some editors replace a link by the file that they save.
        return Notebook.resolved(file.string)
    }

    private static var file: FilePath { FilePath(Configuration.file()) }

    private static func write(_ text: String) throws {
        try PrivateFile.write(text.utf8, to: file, keepsPermissions: true)
    }
}
