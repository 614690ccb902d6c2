/// The reason why the full screen is not available.
public enum TerminalError: Error, Equatable, Sendable {
    /// The process has no terminal.
    case noTerminal
    /// `TERM` names a terminal that cannot place a cursor; the associated value is the name.
    case dumbTerminal(String)
}

/// The settings that a user, or a test, chooses for the terminal.
public struct TerminalOptions: Sendable {
    /// The environment variables, for `TERM`, `COLORTERM`, `NO_COLOR`, `SSH_CONNECTION` and similar ones.
    public var environment: [String: String]
    /// The path of the terminal to open; nil for the one that controls the process.
    public var path: String?
    public var mouse = true
    /// Whether to query the terminal's capabilities; if not, only the environment decides.
    public var probes = true
    /// The longest time from ESC to the rest of a key; nil for 25 ms, or 50 ms over SSH.
    public var escapeTimeout: Duration?
    /// Replaces the guessed or reported colour depth.
    public var colorDepth: ColorDepth?
    /// Whether East Asian ambiguous characters are two cells wide; nil asks the terminal.
    public var ambiguousIsWide: Bool?
    /// Whether the program's own signs are ASCII; nil makes them so where the terminal shows no others.
    public var hasOnlyASCII: Bool?
    public var isLowBandwidth = false
    /// A file that receives standard error while the full screen is up; nil leaves standard error alone.
    public var errorLog: String?

    public init(environment: [String: String]) {
        self.environment = environment
    }
}
