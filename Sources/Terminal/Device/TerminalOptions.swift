/// Why the full screen is not available.
public enum TerminalError: Error, Equatable, Sendable {
    /// The process has no terminal.
    case noTerminal
    /// `TERM` names a terminal that cannot place a cursor; its value.
    case dumbTerminal(String)
}

/// What the user, or a test, wants of the terminal.
public struct TerminalOptions: Sendable {
    /// Where `TERM`, `COLORTERM`, `NO_COLOR`, `SSH_CONNECTION` and similar variables are looked up.
    public var environment: [String: String]
    /// The terminal to open; nil is the one that controls the process.
    public var path: String?
    public var mouse = true
    /// Whether to ask the terminal what it can do; if not, only the environment decides.
    public var probes = true
    /// How long after ESC the rest of a key may take; nil is 25 ms, or 50 over SSH.
    public var escapeTimeout: Duration?
    /// Replaces the guessed or reported colour depth.
    public var colorDepth: ColorDepth?
    /// Whether East Asian ambiguous characters are two cells wide; nil asks the terminal.
    public var ambiguousIsWide: Bool?
    public var isLowBandwidth = false
    /// A file that receives standard error while the full screen is up; nil leaves standard error alone.
    public var errorLog: String?

    public init(environment: [String: String]) {
        self.environment = environment
    }
}
