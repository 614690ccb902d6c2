import TerminalDriver

extension TmuxTerminal {
    /// Starts a pane with a shell, and runs `command` in it.
    convenience init(_ workplace: Workplace, columns: Int = 120, rows: Int = 40, running command: String = "") throws {
        let prompt = "PS1='shell> ' exec bash --norc --noprofile"
        try self.init(columns: columns, rows: rows, running: prompt, environment: workplace.environment)
        try waitFor("the shell") { $0.contains { $0.hasPrefix("shell>") } }
        if !command.isEmpty { try enter(command) }
    }

    /// Starts `tn` with arguments at the shell, and waits for its first frame.
    func startNotebook(_ arguments: String = "") throws {
        try enter("\(Workplace.program) \(arguments)")
        try waitFor("the notebook") { $0.contains { $0.contains("Inbox") } }
    }

    /// Waits until the program has ended and the shell waits for a command.
    func waitForShell() throws {
        try waitFor("the shell") { $0.last { !$0.isEmpty } == "shell>" }
    }
}
