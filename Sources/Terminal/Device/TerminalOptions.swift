/// Why the full screen cannot be had.
public enum TerminalError: Error, Equatable, Sendable {
    /// The process has no terminal.
    case noTerminal
    /// `TERM` names a terminal that cannot place a cursor; its value.
    case dumbTerminal(String)
}

/// What the user, or a test, wants of the terminal.
public struct TerminalOptions: Sendable {
    /// Where `TERM`, `COLORTERM`, `NO_COLOR`, `SSH_CONNECTION` and their kin are looked up.
    public var environment: [String: String]
    /// The terminal to open; nil is the one that controls the process.
    public var path: String?
    public var mouse = true
    /// Asks the terminal what it can do; without, the environment decides alone.
    public var probes = true
    /// How long after ESC the rest of a key may take; nil is 25 ms, or 50 over SSH.
    public var escapeTimeout: Duration?
    /// Takes the place of what is guessed or asked.
    public var colorDepth: ColorDepth?
    /// East Asian ambiguous characters are two cells wide; nil asks.
    public var ambiguousIsWide: Bool?
    public var isLowBandwidth = false
    /// A file that takes what is written to standard error while the full screen is up; nil leaves standard error alone.
    public var errorLog: String?

    public init(environment: [String: String]) {
        self.environment = environment
    }
}
