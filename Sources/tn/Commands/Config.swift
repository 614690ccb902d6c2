import ArgumentParser
import Foundation
import Interface
import NoteStore

/// The command `tn config`: prints the settings.
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the configuration in force, or the documented default.",
        discussion: """
            The file is $XDG_CONFIG_HOME/takenote/config.toml; it is read at the start, and again when it is saved. \
            What is wrong in it is named with its line, and the default holds for it. Examples:

              tn config
              tn config --default > ~/.config/takenote/config.toml
            """)

    /// The environment variables that take precedence over the file.
    private static let variables = [
        "TAKENOTE_THEME", "TAKENOTE_DATABASE", "TN_LOW_BANDWIDTH", "TN_MOUSE", "TN_ESCAPE_MS", "TN_READER",
    ]

    @Flag(name: .customLong("default"), help: "Print the default configuration, with every setting explained.")
    var printsDefault = false

    func run() throws {
        // Every command runs on the main thread.
        let text = MainActor.assumeIsolated { printsDefault ? Configuration.defaultText : Self.textInForce }
        try StandardOutput.write(text: text)
    }

    /// The path, the problems, the environment variables, and every setting.
    @MainActor
    private static var textInForce: String {
        let path = Configuration.file()
        let isThere = PathKind(path) != nil
        var text = "# \(Texts.configuration(at: path, exists: isThere))\n"
        let reading = Configuration.readFromUser()
        for problem in reading.allProblems { text += "# ! \(problem)\n" }
        if let problem = NotebookPath.problemOfSetting { text += "# ! \(problem.message.visible)\n" }
        for name in Self.variables {
            guard let value = Configuration.processEnvironment[name], !value.isEmpty else { continue }
            text += "# \(name) = \(value)\n"
        }
        return text + "\n" + reading.configuration.text
    }
}

extension Configuration.Reading {
    /// The problems in the file, in its key bindings and in the theme that it names.
    @MainActor
    var allProblems: [ConfigurationProblem] {
        let keys = CommandRegistry.standard.adding(configuration.commands).keymap(with: configuration.keyRules).problems
        return problems + keys + configuration.themeProblems(in: Configuration.themesFolder())
    }
}
