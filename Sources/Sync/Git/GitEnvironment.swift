import Foundation

/// The environment that git runs in.
enum GitEnvironment {
    /// The variables listed by `git rev-parse --local-env-vars`, and those that change the language of messages or
    /// start programs.
    private static let removed: Set<String> = [
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
        "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR", "GIT_INTERNAL_SUPER_PREFIX", "GIT_NAMESPACE", "GIT_QUARANTINE_PATH",
        "GIT_CEILING_DIRECTORIES",
        "GIT_EXTERNAL_DIFF", "GIT_EDITOR", "GIT_PAGER", "GIT_TEMPLATE_DIR", "GIT_DEFAULT_HASH", "GIT_LITERAL_PATHSPECS",
        "LANGUAGE", "LC_ALL",
        // No program that git starts needs the passphrase.
        PassphraseSource.variable,
    ]

    /// The user's command for ssh in the environment, which has precedence over git's setting.
    static var sshCommand: String? {
        ProcessInfo.processInfo.environment["GIT_SSH_COMMAND"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// - Parameters:
    ///   - asks: Whether git and ssh may ask on the terminal.
    ///   - ssh: The user's command for ssh in git's settings.
    static func current(asks: Bool, ssh: String?) -> [String: String] {
        var values = ProcessInfo.processInfo.environment.filter { name, _ in
            !removed.contains(name) && !name.hasPrefix("GIT_TRACE") && !name.hasPrefix("GIT_CONFIG_KEY_")
                && !name.hasPrefix("GIT_CONFIG_VALUE_")
        }
        values["LC_ALL"] = "C"
        values["GIT_ALLOW_PROTOCOL"] = "file:ssh:https"
        values["GIT_PROTOCOL_FROM_USER"] = "0"
        values["GIT_NO_REPLACE_OBJECTS"] = "1"
        if asks { return values }
        values["GIT_TERMINAL_PROMPT"] = "0"
        values["GIT_ASKPASS"] = ""
        values["SSH_ASKPASS"] = ""
        values["SSH_ASKPASS_REQUIRE"] = "never"
        values["GIT_SSH_COMMAND"] =
            (sshCommand ?? ssh ?? values["GIT_SSH"].map(quoted) ?? "ssh")
            + " -o BatchMode=yes -o ConnectTimeout=15 -o ServerAliveInterval=5 -o ServerAliveCountMax=3"
        return values
    }

    /// Returns the path of a program, for a shell.
    private static func quoted(_ path: String) -> String { "'" + path.replacing("'", with: "'\\''") + "'" }
}
