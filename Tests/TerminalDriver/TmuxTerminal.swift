import Foundation

/// A real terminal: a private tmux server with one pane.
///
/// All waits are for conditions (a screen, a cursor, an exit), never for fixed times.
public final class TmuxTerminal {
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }
    }

    private let socket = "tn-\(UUID().uuidString.prefix(8))"
    private let environment: [String: String]
    /// The time limit of a condition: generous, since the machine may be busy; a passing test never waits that long.
    private static let patience: TimeInterval = 300

    public static let isInstalled: Bool = {
        let environment = ProcessInfo.processInfo.environment
        return (try? ProgramRun.run("tmux", ["-V"], environment: environment))?.status == 0  // nil means it is missing
    }()

    /// Starts a pane that runs a shell command line in an environment.
    public init(columns: Int, rows: Int, running line: String, environment: [String: String]) throws {
        self.environment = environment
        try tmux("-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", line)
        try tmux("set-option", "-g", "escape-time", "10")
    }

    deinit {
        // The server may already have ended, which is the goal.
        _ = try? ProgramRun.run("tmux", ["-L", socket, "kill-server"], environment: environment)
    }

    /// Runs a tmux command on the server and returns its output.
    @discardableResult
    public func tmux(_ arguments: String...) throws -> String {
        let result = try ProgramRun.run("tmux", ["-L", socket] + arguments, environment: environment)
        guard result.status == 0 else { throw Failure(description: "tmux \(arguments): \(result.error)") }
        return result.output
    }

    // MARK: Keys

    /// Presses keys by tmux's names: `Enter`, `C-q`, `M-1`, `Down`.
    public func press(_ keys: String...) throws {
        for key in keys { try tmux("send-keys", key) }
    }

    /// Types a text as it is.
    public func type(_ text: String) throws {
        try tmux("send-keys", "-l", "--", text)
    }

    /// Pastes a text, in brackets if the program has asked for them.
    public func paste(_ text: String) throws {
        try tmux("set-buffer", "--", text)
        try tmux("paste-buffer", "-p")
    }

    /// Makes the terminal accept what programs copy to its clipboard.
    public func acceptClipboard() throws {
        try tmux("set-option", "-s", "set-clipboard", "on")
    }

    /// Returns the text copied last by any program; empty if there is none.
    public func clipboard() throws -> String {
        try ProgramRun.run("tmux", ["-L", socket, "show-buffer"], environment: environment).output
    }

    /// Types a line at the shell.
    public func enter(_ line: String) throws {
        try type(line)
        try press("Enter")
    }

    public func resize(columns: Int, rows: Int) throws {
        try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    // MARK: Screen

    /// Returns the rows of the screen, without blanks at their ends.
    public func screen() throws -> [String] {
        try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { row in
            String(row.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// Returns the screen with its styles and cursor.
    public func picture() throws -> StyledPicture {
        let facts = "#{cursor_flag} #{cursor_x} #{cursor_y}"
        let answer = try tmux("display-message", "-p", facts, ";", "capture-pane", "-e", "-p", "-N")
        let end = answer.firstIndex(of: "\n") ?? answer.endIndex
        return StyledPicture(answer[end...].dropFirst(), cursor: String(answer[..<end]))
    }

    /// Waits until the program and tmux have had nothing to do for the given time, and nothing has changed.
    ///
    /// The time is counted in checks, as in `PseudoTerminal.waitUntilIdle`.
    public func settledPicture(quiet milliseconds: Int) throws -> StyledPicture {
        let facts = try fact("pid} #{pane_pid} #{pane_tty").split(separator: " ")
        guard facts.count == 3, let server = pid_t(facts[0]), let shell = pid_t(facts[1]) else {
            throw Failure(description: "tmux has no pane: \(facts)")
        }
        let end = Date().addingTimeInterval(Self.patience)
        var last = try picture()
        var looks = 0
        while looks * 20 < milliseconds {
            usleep(20_000)
            let isIdle =
                PseudoTerminalPair.isInputRead(at: String(facts[2])) && ProgramRun.isAsleep(shell)
                && ProgramRun.isAsleep(server)
            let next = try picture()
            looks = next != last ? 0 : isIdle ? looks + 1 : looks
            last = next
            guard Date() < end else { throw Failure(description: "never at rest") }
        }
        return last
    }

    /// Sends bytes as if typed.
    public func send(_ bytes: String) throws {
        let words = bytes.utf8.map { String($0, radix: 16) }
        _ = try ProgramRun.run("tmux", ["-L", socket, "send-keys", "-H"] + words, environment: environment)
    }

    /// Returns the value of a tmux format variable of the pane: `cursor_x`, `alternate_on`, `pane_width`.
    public func fact(_ name: String) throws -> String {
        try tmux("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    public func cursor() throws -> [Int] {
        try fact("cursor_x},#{cursor_y").split(separator: ",").compactMap { Int($0) }
    }

    /// Returns the program that runs in the pane as a child of the shell.
    public func processID() throws -> Int32 {
        let shell = try fact("pane_pid")
        let children = try ProgramRun.run("pgrep", ["-P", shell], environment: environment).output
        guard let pid = Int32(children.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Failure(description: "no program below \(shell): \(children)")
        }
        return pid
    }

    /// Waits until the screen satisfies the condition.
    public func waitFor(_ what: String, where condition: ([String]) throws -> Bool) throws {
        var seen: [String] = []
        try wait(for: what, seen: { seen.joined(separator: "\n") }) {
            seen = try screen()
            return try condition(seen)
        }
    }

    /// Waits until a row of the screen contains the text.
    public func waitFor(_ text: String) throws {
        try waitFor("“\(text)”") { $0.contains { $0.contains(text) } }
    }

    /// Waits until a condition holds.
    public func wait(for what: String, seen: () -> String = { "" }, until condition: () throws -> Bool) throws {
        let end = Date().addingTimeInterval(Self.patience)
        while !(try condition()) {
            guard Date() < end else { throw Failure(description: "waited in vain for \(what):\n\(seen())") }
            usleep(10_000)
        }
    }
}
