import ArgumentParser
import Foundation

/// The settings.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the configuration, or the documented default.",
        discussion: """
            The file is $XDG_CONFIG_HOME/takenote/config.toml. Examples:

              tn config
              tn config --default > ~/.config/takenote/config.toml
            """)

    @Flag(name: .customLong("default"), help: "The default, every setting with what it means.")
    var printsDefault = false

    func run() throws {
        let path = ConfigurationFile.path
        guard !printsDefault, FileManager.default.fileExists(atPath: path) else {
            if !printsDefault { try StandardOutput.write(line: "# There is no \(path); these are the defaults.\n") }
            return try StandardOutput.write(text: ConfigurationFile.defaultText)
        }
        try StandardOutput.write(text: try InputText.text(ofFile: path))
    }
}

/// Where the settings are, and what they are without a file.
enum ConfigurationFile {
    static var path: String {
        let environment = ProcessInfo.processInfo.environment
        // The XDG specification tells programs to ignore a relative path.
        let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (base ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.config") + "/takenote/config.toml"
    }

    static let defaultText = """
        # The configuration of tn. Every setting stands here with its default; a line that begins
        # with # changes nothing. Copy it to $XDG_CONFIG_HOME/takenote/config.toml.

        # The program for `tn edit`, `e` in the list and `tn --new`; else $VISUAL, then $EDITOR.
        # editor = "vim"

        # "auto" follows the terminal's background; else "dark", "light", "high-contrast" or "terminal".
        theme = "auto"

        [text]
        # Cells of a line of prose, however wide the terminal is.
        width = 80
        # Cells of a tab stop.
        tab-width = 4

        [keys]
        # A command's name and its keys; tn --help and the palette (Ctrl-P) name the commands.
        # "note.new" = "n"

        """
}
