/// Writes settings to a file.
extension Configuration {
    /// The documented default: every setting with its explanation, every command with its keys.
    @MainActor
    public static var defaultText: String {
        let settings = Configuration().text { setting in
            setting.help.split(separator: "\n").map { "# \($0)\n" }.joined()
        }
        return Texts.aboveSettings + settings + keysText
    }

    /// The current settings, as a file that has the same effect.
    @MainActor
    public var text: String {
        var text = text { _ in "" } + providersText + commandsText
        if !editor.snippets.isEmpty {
            text += "\n[\(Self.snippetTable)]\n"
            for (name, snippet) in editor.snippets.sorted(by: { $0.key < $1.key }) {
                text += "\(ConfigurationValue.quoted(name)) = \(ConfigurationValue.quoted(snippet))\n"
            }
        }
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
        var text = Texts.aboveKeys
        let registry = CommandRegistry.standard
        for context in KeyContext.allCases {
            text += "\n# \(Texts.explanation(of: context))\n[\(KeyRule.table).\(context.rawValue)]\n"
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
