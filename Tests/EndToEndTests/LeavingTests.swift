import Foundation
import TerminalDriver
import Testing

/// Tests that the terminal is restored, whatever ends the program.
@Suite(.serialized)
struct LeavingTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    private static let modes = [
        "alternate_on", "cursor_flag", "mouse_any_flag", "mouse_sgr_flag", "keypad_cursor_flag", "wrap_flag",
    ]

    private func modes(of terminal: TmuxTerminal) throws -> [String] {
        try Self.modes.map(terminal.fact)
    }

    private func settings(of terminal: TmuxTerminal, _ mark: String) throws -> String {
        try terminal.enter("clear; stty -g; echo \(mark)-end")
        try terminal.waitFor("the settings") { $0.contains("\(mark)-end") }
        return try terminal.screen().first { $0.contains(":") } ?? ""
    }

    /// Every state of the program, each with one of the signals that end it.
    private static let endings: [(state: ProgramState, signal: Int32)] = Array(
        zip(
            ProgramState.allCases,
            [SIGTERM, SIGSEGV, SIGHUP, SIGILL, SIGINT, SIGTRAP, SIGQUIT, SIGBUS, SIGFPE, SIGABRT, SIGTERM]))

    @Test(arguments: endings)
    func `a signal or a trap gives the terminal back, and what was typed is there for the next program`(
        state: ProgramState, signal: Int32
    ) throws {
        try ProgramState.prepare(workplace)
        let terminal = try TmuxTerminal(workplace)
        let before = try modes(of: terminal)
        let settingsBefore = try settings(of: terminal, "before")
        try terminal.startNotebook()
        for (keys, shows) in state.path() {
            try terminal.type(keys)
            try terminal.waitFor(shows)
        }
        kill(try terminal.processID(), signal)
        // The shell writes its next prompt after the program's end.
        try terminal.waitForShell()
        try terminal.enter("echo status $?")
        try terminal.waitFor("status \(128 + signal)")
        #expect(try modes(of: terminal) == before)
        #expect(try settings(of: terminal, "after") == settingsBefore)
        if state == .editor { #expect(try workplace.tn("show", "Last words").output == "Last words") }
    }

    @Test func `Ctrl-Z in the list suspends, and fg comes back at the new size`() throws {
        _ = try workplace.tn("--new", "Still here")
        let terminal = try TmuxTerminal(workplace)
        let before = try modes(of: terminal)
        try terminal.startNotebook()
        try terminal.waitFor("Still here")
        try terminal.press("C-z")
        try terminal.waitFor("Stopped")
        #expect(try modes(of: terminal) == before)
        try terminal.resize(columns: 100, rows: 30)
        try terminal.enter("fg")
        try terminal.waitFor("Still here")
        try terminal.waitFor("the status line at the bottom") { $0.count == 30 && $0[29].contains("quit") }
    }

    @Test func `without a terminal it says so and ends with 64`() throws {
        let result = try workplace.tn()
        #expect(result.status == 64)
        #expect(result.error.contains("terminal"))
        #expect(result.output.isEmpty)
    }
}
