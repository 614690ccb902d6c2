/// Writes settings to a file.
extension Configuration {
    /// The documented default: every setting with its explanation, every command with its keys.
    @MainActor
    public static var defaultText: String {
        let head = """
            # The configuration of tn. Every setting stands here with its default; a line that begins
            # with # changes nothing. Copy it to $XDG_CONFIG_HOME/takenote/config.toml, and keep what you
            # change: it counts as soon as it is saved.

            """
        let settings = Configuration().text { setting in
            setting.help.split(separator: "\n").map { "# \($0)\n" }.joined()
        }
        return head + settings + keysText
    }

    /// The current settings, as a file that has the same effect.
    @MainActor
    public var text: String {
        var text = text { _ in "" }
        for context in KeyContext.allCases {
            let rules = keys.filter { $0.context == context }
            guard !rules.isEmpty else { continue }
            text += "\n[\(KeyRule.table).\(context.rawValue)]\n"
            for rule in rules { text += "\(ConfigurationValue.quoted(rule.command.description)) = \(rule.toml)\n" }
        }
        return text
    }

    private func text(above comment: (Setting) -> String) -> String {
        var text = ""
        var table = ""
        for setting in Setting.all {
            let entry = setting.entry
            let help = comment(setting)
            if entry.table != table {
                table = entry.table
                text += "\n[\(table)]\n"
            } else if !help.isEmpty {
                text += "\n"
            }
            text += help + "\(entry.key) = \(setting.value(self).toml)\n"
        }
        return text
    }

    /// Every command, under each context in which it has keys.
    @MainActor
    private static var keysText: String {
        var text = """

            # Keys: a command and what gives it, place by place. A key is written as in the help: "n", "G",
            # "Ctrl-S", "Alt-Left", "F5", "Space". Several stand in a list, ["Up", "k"]; keys one after
            # the other stand in one text, "g g" or "Ctrl-X Ctrl-S"; "" takes the keys of a command away. What is
            # said of a command takes the place of its default keys there. A command without keys of its
            # own can have some in any place.

            """
        let registry = CommandRegistry.standard
        for context in KeyContext.allCases {
            text += "\n# \(context.explanation)\n[\(KeyRule.table).\(context.rawValue)]\n"
            for command in registry.all {
                let keys = command.defaultKeys.filter { $0.context == context }.map(\.keys)
                let isHomeless = context == .everywhere && command.defaultKeys.isEmpty
                guard !keys.isEmpty || isHomeless else { continue }
                let rule = KeyRule(command.name, in: context, keys: keys)
                text += "# \(ConfigurationValue.quoted(command.name.description)) = \(rule.toml)   # \(command.title)\n"
            }
        }
        return text
    }
}
