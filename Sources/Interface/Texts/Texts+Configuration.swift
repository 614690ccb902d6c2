import ViewModel

/// The texts about `config.toml` and themes.
extension Texts {
    // MARK: Problems

    /// Returns `config.toml, line 4: editor.wrap is true or false, not "maybe"`.
    static func problem(_ problem: String, in file: String, line: Int?) -> String {
        (line.map { "\(file), line \($0): " } ?? "\(file): ") + problem
    }

    /// Returns the first problem of several in one line.
    static func problem(_ first: ConfigurationProblem, others: Int) -> String {
        others == 0 ? "\(first)" : "\(first) (and \(others) more: tn config)"
    }

    /// The name of a built-in theme, in the position of a file's name.
    static func builtInTheme(_ name: String) -> String { "the theme \(name)" }

    /// The problems in `config.toml` and in the files of themes, each shown after the file and the line.
    ///
    /// Values are given in TOML syntax.
    enum Problem {
        static let unreadable = "cannot be read; the defaults apply"
        static func tooLarge(_ limit: Int) -> String {
            "is larger than \(limit / 1_000_000) MB and is not read; the defaults apply"
        }
        static func nestedTooDeeply(_ limit: Int) -> String {
            "tables and lists are nested more than \(limit) levels deep"
        }
        static let notUTF8 = "is not UTF-8; the defaults apply"
        static func words(of problem: SettingsFile.Problem) -> String {
            switch problem {
            case .unreadable: unreadable
            case .tooLarge: tooLarge(SettingsFile.limit)
            }
        }

        // MARK: Settings

        static func providerWithoutWay(_ name: String) -> String { "ai.provider.\(name) needs url or command" }
        static func notCommandTable(_ name: String) -> String {
            "\(name): a command is a table [command.NAME] with run in it"
        }
        static func notProviderTable(_ name: String) -> String {
            "\(name): a provider is a table [ai.provider.NAME] with url or command in it"
        }
        static func emptyCommand(_ name: String) -> String { "\(name) begins with a program" }
        static func keyInFile(_ name: String) -> String {
            "\(name): a key does not belong in this file; use key-env or key-command, and change the key "
                + "if others could read it"
        }
        static func commandName(_ name: String) -> String {
            "a command's name has letters of a to z, digits and hyphens, not \(name)"
        }
        static func commandWithoutLine(_ name: String) -> String { "command.\(name) needs run" }
        static func noSetting(_ name: String, guess: String?) -> String {
            "there is no setting \(name)" + didYouMean(guess)
        }
        /// - Parameter domain: the values that the setting can have: `true or false`.
        static func wrongValue(_ value: String, of setting: String, domain: String) -> String {
            "\(setting) is \(domain), not \(value)"
        }
        /// The same where the value may be a key, which is never shown.
        static func wrongValue(of setting: String, domain: String) -> String { "\(setting) is \(domain)" }

        // MARK: Keys

        static let wrongSnippet = "a snippet is a name and a text in quotes: hello = \"Dear {{cursor}},\""
        static let keysIsATable = "keys is a table of keys; for vim's keys, write keys = \"vim\" below [editor]"
        static func notKeys(_ value: String, of command: String) -> String {
            "\(command) is a key like \"Ctrl-S\", a list of keys, or \"\", not \(value)"
        }
        static func noKey(_ value: String, for command: String) -> String { "no key is called \(value) (\(command))" }
        static func noCommand(_ name: CommandName, guess: CommandName?) -> String {
            "there is no command \(name)" + didYouMean(guess?.description)
        }
        static func types(_ key: KeyChord, in context: KeyContext, not command: CommandName) -> String {
            "\(key) types a character in \(context.rawValue), so \(command) cannot have it"
        }
        /// - Parameter command: the command that loses the shorter key.
        static func begins(
            _ prefix: KeySequence, _ keys: KeySequence, in context: KeyContext, lostBy command: CommandName
        ) -> String {
            "\(prefix) begins \(keys), so \(command) loses it in \(context.rawValue)"
        }
        static func beginsLonger(_ keys: KeySequence, in context: KeyContext, not command: CommandName) -> String {
            "\(keys) begins longer keys in \(context.rawValue), so \(command) cannot have it"
        }
        /// - Parameter isMeant: whether the configuration also has a rule for the command that had the keys.
        static func taken(
            _ keys: KeySequence, from command: CommandName, in context: KeyContext, isMeant: Bool
        ) -> String {
            "\(keys) is taken from \(command) in \(context.rawValue)"
                + (isMeant ? "" : "; if you mean it, add \"\(command)\" = \"\" there")
        }
        static func wayOut(_ key: KeySequence, of command: CommandName, or other: CommandName) -> String {
            "no key would quit, so \(command) keeps \(key); give it or \(other) another key in everywhere"
        }
        static func hidden(
            _ keys: KeySequence, of command: CommandName, by other: CommandName, in context: KeyContext
        ) -> String {
            "\(keys) runs \(other) in \(context.rawValue), so \(command) does not get it there; "
                + "write the rule below [keys.\(context.rawValue)]"
        }

        // MARK: Themes

        static func noTheme(_ value: String) -> String { "there is no theme \(value)" }
        static func notAColor(_ value: String, of name: String) -> String {
            "\(name) is a colour like \"#FF26B9\" or \"blue\", not \(value)"
        }
        static func noStyle(_ name: String) -> String { "there is no style \(name)" }
        static func notAStyle(_ value: String, of name: String) -> String {
            "\(name) is a style in quotes, not \(value)"
        }
        static func notInAStyle(_ word: String, of name: String) -> String {
            "\(word) in \(name) is neither a colour nor an attribute"
        }

        private static func didYouMean(_ guess: String?) -> String { guess.map { "; did you mean \($0)?" } ?? "" }
    }

    /// The values that a setting can have, in a problem after “is”.
    enum Domain {
        static let flag = "true or false"
        static let text = "a text in quotes"
        static let texts = "a list of texts in quotes"
        static let address = "an address like \"http://127.0.0.1:8080/v1\""
        static let socket = "the path of a Unix socket"
        static func number(_ range: ClosedRange<Int>) -> String {
            "a number from \(range.lowerBound) to \(range.upperBound)"
        }
        static func numberOrNone(_ range: ClosedRange<Int>) -> String { "0, or \(number(range))" }
        static func choice(_ words: [String]) -> String {
            let quoted = words.map { ConfigurationValue.quoted($0) }
            return quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
        }
    }

    // MARK: The documented default

    /// The header above the settings, in TOML syntax.
    static let aboveSettings = """
        # The configuration of tn: every setting with its default. A line that begins with # has no
        # effect. Copy the file to $XDG_CONFIG_HOME/takenote/config.toml, and keep the settings that you
        # change; they apply as soon as the file is saved.

        """

    /// The header above the keys, in TOML syntax.
    static let aboveKeys = """

        # The keys of each command, by context. A key is written as in the help: "n", "G", "Ctrl-S",
        # "Alt-Left", "F5", "Space". A list gives a command several keys: ["Up", "k"]. Keys to press one
        # after the other are one text: "g g" or "Ctrl-X Ctrl-S". "" removes the keys of a command. The
        # keys given here replace the command's default keys in that context. A command without default
        # keys can have some in any context.

        """

    /// The comment above the keys of a context.
    static func explanation(of context: KeyContext) -> String {
        switch context {
        case .everywhere: "In every pane; in text fields, only keys that type no character."
        case .browsing: "In the sidebar and the list."
        case .sidebar: "In the sidebar."
        case .list: "In the list of notes."
        case .editor: "In the editor."
        case .field: "In every one-line field: the search field, the find bar, pickers and prompts."
        case .search: "In the search field."
        case .find: "In the find bar."
        case .preview: "In the preview of a note."
        case .picker: "In a list that is filtered by typing: the palette, the list of notes to go to."
        case .prompt: "In a prompt for a text: a name, a path."
        case .dialog: "In a question, and in a list with check boxes."
        case .pager: "In a text shown over the panes: the help, earlier versions, a report."
        }
    }
}
