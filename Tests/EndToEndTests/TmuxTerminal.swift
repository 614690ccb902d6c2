import Foundation

/// A real terminal: a tmux server of its own with one pane, in which `tn` runs.
///
/// Everything waits on conditions: a screen, a cursor, an exit; never on fixed times.
final class TmuxTerminal {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let socket = "tn-\(UUID().uuidString.prefix(8))"
    private let workplace: Workplace
    /// How long a condition may take: generous, since the machine may be busy; a passing test never waits for it.
    private static let patience: TimeInterval = 20

    /// Starts a pane that runs a shell which runs `command`, and then shows the status it ended with.
    init(_ workplace: Workplace, columns: Int = 120, rows: Int = 40, running command: String = "") throws {
        self.workplace = workplace
        let prompt = "PS1='shell> ' exec bash --norc --noprofile"
        try tmux(
            "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", prompt)
        try tmux("set-option", "-g", "escape-time", "10")
        try waitFor("the shell") { $0.contains { $0.hasPrefix("shell>") } }
        if !command.isEmpty { try enter(command) }
    }

    deinit {
        // The server may be gone already, which is what is wanted.
        _ = try? workplace.run("/usr/bin/env", ["tmux", "-L", socket, "kill-server"])
    }

    @discardableResult
    private func tmux(_ arguments: String...) throws -> String {
        let result = try workplace.run("/usr/bin/env", ["tmux", "-L", socket] + arguments)
        guard result.status == 0 else { throw Failure(description: "tmux \(arguments): \(result.error)") }
        return result.output
    }

    // MARK: Keys

    /// Presses keys by tmux's names: `Enter`, `C-q`, `M-1`, `Down`.
    func press(_ keys: String...) throws {
        for key in keys { try tmux("send-keys", key) }
    }

    /// Types a text as it is.
    func type(_ text: String) throws {
        try tmux("send-keys", "-l", "--", text)
    }

    /// Pastes a text, in brackets if the program has asked for them.
    func paste(_ text: String) throws {
        try tmux("set-buffer", "--", text)
        try tmux("paste-buffer", "-p")
    }

    /// Has the terminal take what programs copy into its clipboard.
    func acceptClipboard() throws {
        try tmux("set-option", "-s", "set-clipboard", "on")
    }

    /// What was copied last, by whatever program; empty where nothing was.
    func clipboard() throws -> String {
        try workplace.run("/usr/bin/env", ["tmux", "-L", socket, "show-buffer"]).output
    }

    /// Types a line at the shell.
    func enter(_ line: String) throws {
        try type(line)
        try press("Enter")
    }

    /// Starts `tn` with arguments at the shell, and waits for its first frame.
    func startNotebook(_ arguments: String = "") throws {
        try enter("\(Workplace.program) \(arguments)")
        try waitFor("the notebook") { $0.contains { $0.contains("Inbox") } }
    }

    func resize(columns: Int, rows: Int) throws {
        try tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
    }

    // MARK: What is seen

    /// The rows of the screen, without blanks at their ends.
    func screen() throws -> [String] {
        try tmux("capture-pane", "-p").split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { row in
            String(row.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// What is seen and how.
    func picture() throws -> StyledPicture {
        let facts = "#{cursor_flag} #{cursor_x} #{cursor_y}"
        let answer = try tmux("display-message", "-p", facts, ";", "capture-pane", "-e", "-p", "-N")
        let end = answer.firstIndex(of: "\n") ?? answer.endIndex
        return StyledPicture(answer[end...].dropFirst(), cursor: String(answer[..<end]))
    }

    /// Waits until nothing has changed for some milliseconds.
    func settledPicture(quiet milliseconds: Int) throws -> StyledPicture {
        let end = Date().addingTimeInterval(Self.patience)
        var last = try picture()
        var since = Date()
        while Date().timeIntervalSince(since) * 1000 < Double(milliseconds), Date() < end {
            usleep(20_000)
            let next = try picture()
            if next != last { (last, since) = (next, Date()) }
        }
        return last
    }

    /// Sends bytes as if typed.
    func send(_ bytes: String) throws {
        let words = bytes.utf8.map { String($0, radix: 16) }
        _ = try workplace.run("/usr/bin/env", ["tmux", "-L", socket, "send-keys", "-H"] + words)
    }

    /// One of tmux's facts about the pane: `cursor_x`, `alternate_on`, `pane_width`.
    func fact(_ name: String) throws -> String {
        try tmux("display-message", "-p", "#{\(name)}").trimmingCharacters(in: .whitespacesAndNewlines)
    }

    func cursor() throws -> [Int] {
        try fact("cursor_x},#{cursor_y").split(separator: ",").compactMap { Int($0) }
    }

    /// The process that runs in the pane below the shell.
    func processID() throws -> Int32 {
        let shell = try fact("pane_pid")
        let children = try workplace.run("/usr/bin/env", ["pgrep", "-P", shell]).output
        guard let pid = Int32(children.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw Failure(description: "no tn below \(shell): \(children)")
        }
        return pid
    }

    /// Waits until the screen is as wanted.
    func waitFor(_ what: String, where condition: ([String]) throws -> Bool) throws {
        var seen: [String] = []
        try wait(for: what, seen: { seen.joined(separator: "\n") }) {
            seen = try screen()
            return try condition(seen)
        }
    }

    /// Waits until some row of the screen holds a text.
    func waitFor(_ text: String) throws {
        try waitFor("“\(text)”") { $0.contains { $0.contains(text) } }
    }

    /// Waits until a condition holds.
    func wait(for what: String, seen: () -> String = { "" }, until condition: () throws -> Bool) throws {
        let end = Date().addingTimeInterval(Self.patience)
        while !(try condition()) {
            guard Date() < end else { throw Failure(description: "waited in vain for \(what):\n\(seen())") }
            usleep(10_000)
        }
    }
}
