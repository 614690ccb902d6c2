import Foundation
import SeededRandom
import TerminalDriver
import Testing

/// Tests that the terminal is restored, whatever ends the program and in whatever state.
///
/// Here, the terminal is the test's own, where every mode is visible; in `LeavingTests`, it is tmux.
struct LifecycleTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
        try ProgramState.prepare(workplace)
    }

    /// The signals that ask a program to end, and those raised by a trap or a failed assertion.
    private static let endings = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT,
    ]

    private func start(_ arguments: [String] = [], _ personality: TerminalPersonality = .full) throws
        -> PseudoTerminal
    {
        var environment = workplace.environment
        // The report of a trap is tested elsewhere; here it would only take time.
        environment["SWIFT_BACKTRACE"] = "enable=no"
        let program = arguments.first ?? Workplace.program
        return try PseudoTerminal(
            program, Array(arguments.dropFirst()), environment: environment, columns: 120, rows: 40, as: personality)
    }

    @Test(arguments: ProgramState.allCases)
    func `every signal and trap gives the terminal back as it was`(_ state: ProgramState) throws {
        for signal in Self.endings {
            let terminal = try start()
            try state.enter(terminal, typing: "Last words (\(signal))")
            #expect(terminal.settings != terminal.settingsBefore)
            #expect(terminal.screen.leftovers.contains("title “TakeNote”, 1 kept"))
            kill(terminal.process, signal)
            #expect(terminal.waitForExit() == 128 + signal, "signal \(signal)")
            #expect(terminal.settings == terminal.settingsBefore, "signal \(signal)")
            #expect(terminal.screen.leftovers.isEmpty, "signal \(signal)")
            #expect(!terminal.screen.lines.contains { !$0.isEmpty }, "signal \(signal)")
            if state == .editor {
                let shown = try workplace.tn("show", "Last words (\(signal))")
                #expect(shown.output == "Last words (\(signal))", "signal \(signal): \(shown.error)")
            }
        }
    }

    @Test(arguments: ProgramState.allCases)
    func `a stop from outside gives the terminal back, and going on takes it again`(_ state: ProgramState) throws {
        // The script uses job control, so that a process can resume the program's process group.
        let script = #"set -m; "$0"; echo "stopped $?"; read; fg; echo "ended $?"; read"#
        let terminal = try start(["bash", "-c", script, Workplace.program])
        try state.enter(terminal)
        // The wait is longer than the pause after which a text is saved and the list changes.
        try terminal.waitUntilIdle(milliseconds: 450)
        let (lines, caret, modes) = (terminal.screen.lines, terminal.screen.caret, modes(of: terminal))
        kill(try child(of: terminal.process), SIGTSTP)
        try terminal.wait(for: "stopped \(128 + SIGTSTP)")
        #expect(terminal.settings == terminal.settingsBefore)
        #expect(terminal.screen.leftovers.isEmpty)
        try terminal.send("\r")
        try terminal.wait(for: "the same screen again") {
            isSame($0.lines.dropLast(), lines.dropLast()) && $0.caret == caret
        }
        try terminal.waitUntilIdle(milliseconds: 40)
        #expect(self.modes(of: terminal) == modes)
        kill(try child(of: terminal.process), SIGTERM)
        try terminal.wait(for: "ended \(128 + SIGTERM)")
        #expect(terminal.settings == terminal.settingsBefore)
        #expect(terminal.screen.leftovers.isEmpty)
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal ends a suspended program, which leaves the terminal to the shell`(signal: Int32) throws {
        // `wait` would not wait for a job that the shell still believes to be stopped. All is one line, since the shell
        // forgets an ended job between two lines.
        let script =
            #"set -m; "$0"; echo "stopped $?"; read; id=$(jobs -p %1); kill -\#(signal) %1; "#
            + #"while kill -0 $id 2>/dev/null; do :; done; wait $id; echo "ended $?"; read"#
        let terminal = try start(["bash", "-c", script, Workplace.program])
        try ProgramState.editor.enter(terminal, typing: "Last words")
        kill(try child(of: terminal.process), SIGTSTP)
        try terminal.wait(for: "stopped \(128 + SIGTSTP)")
        try terminal.send("\r")
        try terminal.wait(for: "ended \(128 + signal)")
        #expect(terminal.settings == terminal.settingsBefore)
        #expect(terminal.screen.leftovers.isEmpty)
        #expect(!terminal.screen.contains("Last words"))
        #expect(try workplace.tn("show", "Last words").output == "Last words")
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal ends a program that was started in the background`(signal: Int32) throws {
        let script =
            #"set -m; "$0" & until [ "$(jobs -s)" ]; do sleep 0.05; done; id=$(jobs -p %1); kill -\#(signal) %1; "#
            + #"while kill -0 $id 2>/dev/null; do :; done; wait $id; echo "ended $?"; read"#
        let terminal = try start(["bash", "-c", script, Workplace.program])
        try terminal.wait(for: "ended \(128 + signal)")
        #expect(terminal.settings == terminal.settingsBefore)
        #expect(terminal.screen.leftovers.isEmpty)
    }

    @Test func `a program that was started in the background comes to the front with fg`() throws {
        let script = #"set -m; "$0" & until [ "$(jobs -s)" ]; do sleep 0.05; done; fg; echo "ended $?"; read"#
        let terminal = try start(["bash", "-c", script, Workplace.program])
        try terminal.wait(for: "Inbox")
        try terminal.send("\u{11}")
        try terminal.wait(for: "ended 0")
        #expect(terminal.settings == terminal.settingsBefore)
        #expect(terminal.screen.leftovers.isEmpty)
    }

    /// Returns the modes that are switched on, without the style and the cursor, which depend on the last drawing.
    private func modes(of terminal: PseudoTerminal) -> [String] {
        terminal.screen.leftovers.filter { !$0.hasPrefix("style") && !$0.hasPrefix("cursor") }
    }

    /// Waits until a process has ended, whatever its parent is.
    private func waitForEnd(of process: pid_t) throws {
        let end = Date().addingTimeInterval(PseudoTerminal.patience)
        // A process that has ended has no entry, or is a zombie that its parent has not waited for.
        while let facts = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8), !facts.contains(") Z ")
        {
            try #require(Date() < end, "the program goes on without its terminal")
            usleep(10_000)
        }
    }

    private func child(of process: pid_t) throws -> pid_t {
        let children = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
        return try #require(pid_t(children.split(separator: " ").first ?? ""))
    }

    @Test(arguments: [false, true])
    func `a terminal that is gone ends the program, with everything saved`(hasControl: Bool) throws {
        // Without a controlling terminal, no signal reports it: only the end of the line does.
        let terminal = try start(hasControl ? [] : ["setsid", "--wait", Workplace.program])
        try ProgramState.editor.enter(terminal)
        let program = try hasControl ? terminal.process : child(of: terminal.process)
        terminal.hangUp()
        #expect(terminal.waitForExit() == 128 + SIGHUP)
        // The hang-up ends the starter, whose terminal it is, before the program has seen the end of its input.
        try waitForEnd(of: program)
        let shown = try workplace.tn("show", "Last words")
        #expect(shown.output == "Last words", "\(shown.error)")
    }

    @Test func `a storm of resizes leaves the right screen, and nothing of it is typed`() throws {
        let terminal = try start()
        try ProgramState.editor.enter(terminal)
        var chance = SeededGenerator(seed: 5)
        // Letters come at sizes that show the text, whenever they are read; at smaller ones they go nowhere.
        for number in 0..<200 {
            terminal.setSize(columns: chance.number(in: 20...250), rows: chance.number(in: 5...80))
            if number % 3 == 0 { try terminal.pump(milliseconds: 0) }
            if number % 20 == 0 { try terminal.send("x") }
        }
        terminal.setSize(columns: 100, rows: 30)
        try terminal.wait(for: "the text") { $0.contains("Last words" + String(repeating: "x", count: 10)) }
        for _ in 0..<100 {
            terminal.setSize(columns: chance.number(in: 1...250), rows: chance.number(in: 1...80))
            try terminal.pump(milliseconds: 0)
        }
        terminal.setSize(columns: 100, rows: 30)
        try terminal.wait(for: "the text again") { $0.contains("Last words" + String(repeating: "x", count: 10)) }
        // The list shows the title once the text is saved.
        try terminal.wait(for: "the save") { $0.contains(" saved · ") }
        try terminal.waitUntilIdle(milliseconds: 400)
        let lines = terminal.screen.lines
        try terminal.send("\u{C}")
        try terminal.waitUntilIdle(milliseconds: 100)
        #expect(isSame(terminal.screen.lines, lines))
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        #expect(terminal.screen.leftovers.isEmpty)
    }

    @Test(arguments: [ProgramState.list, .editor, .preview, .palette, .search, .dialog, .confirmation])
    func `a terminal of one cell and back shows the same again`(state: ProgramState) throws {
        let terminal = try start()
        try state.enter(terminal)
        let before = terminal.screen.lines
        for size in [(1, 1), (2, 1), (1, 40), (120, 1), (1, 1), (7, 3)] {
            terminal.setSize(columns: size.0, rows: size.1)
            try terminal.waitUntilIdle(milliseconds: 20)
        }
        terminal.setSize(columns: 120, rows: 40)
        try terminal.wait(for: "the same screen again") { isSame($0.lines.dropLast(), before.dropLast()) }
        #expect(terminal.screen.strays.isEmpty)
        kill(terminal.process, SIGTERM)
        #expect(terminal.waitForExit() == 128 + SIGTERM)
        #expect(terminal.screen.leftovers.isEmpty)
    }

    /// A search that would take years keeps a thread busy; the way out does not wait for it.
    @Test(arguments: [SIGHUP, SIGTERM, nil])
    func `a runaway expression does not keep the program alive, and what was typed is there`(signal: Int32?) throws {
        let text = String(repeating: "a", count: 40) + "b"
        let note = try workplace.tn("--new", text).output.trimmingCharacters(in: .whitespacesAndNewlines)
        let terminal = try start([Workplace.program, "open", note])
        try terminal.wait(for: "Esc list")
        try terminal.send("typed ")
        try terminal.wait(for: "typed aaaa")
        try terminal.send("\u{6}")
        try terminal.wait(for: "Replace")
        try terminal.send("\u{1B}r")
        try terminal.waitUntilIdle(milliseconds: 40)
        try terminal.send("(a+)+$")
        try terminal.wait(for: "searching")
        if let signal { kill(terminal.process, signal) } else { terminal.hangUp() }
        #expect(terminal.waitForExit() == 128 + (signal ?? SIGHUP))
        #expect(try workplace.tn("show", note).output == "typed " + text)
    }

    @Test func `a text piped in is opened on the terminal behind it`() throws {
        let terminal = try start(["sh", "-c", #"echo "From a pipe" | "$0" --new --open"#, Workplace.program])
        try terminal.wait(for: "the note, open") { $0.lines.count { $0.contains("From a pipe") } > 1 }
        try terminal.send(" and typed")
        try terminal.wait(for: "and typed")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        #expect(terminal.settings == terminal.settingsBefore)
        #expect(terminal.screen.leftovers.isEmpty)
        #expect(try workplace.tn("list").output.contains("From a pipe"))
    }

    /// Whether two screens are the same, except for the ages of notes.
    private func isSame<T: Collection<String>>(_ lines: T, _ others: T) -> Bool {
        lines.count == others.count && zip(lines, others).allSatisfy { $0 == $1 || $0.isAged($1) }
    }

    // MARK: - Terminals of all kinds

    @Test(arguments: TerminalPersonality.all)
    func `in every terminal what is typed is typed and nothing else, and the terminal is given back`(
        _ personality: TerminalPersonality
    ) throws {
        let terminal = try start([], personality)
        try terminal.wait(for: "Reading list")
        try terminal.send("n")
        try terminal.wait(for: "New Note")
        // Type slowly enough for late answers to arrive in between.
        let text = "Typed 2026;2 while [?62c answers rgb:ff come"
        for character in text {
            try terminal.send(String(character))
            try terminal.pump(milliseconds: personality.delay > 1000 ? 60 : 2)
        }
        try terminal.wait(for: "the text") { $0.contains("come") }
        // The screen changes once more when the text is saved.
        try terminal.wait(for: "the save") { $0.contains(" saved ") }
        try terminal.waitUntilIdle(milliseconds: Int32(personality.delay) / 4 + 500)
        // Anything drawn before the terminal was measured now agrees with the measurement.
        let lines = terminal.screen.lines
        try terminal.send("\u{C}")
        try terminal.waitUntilIdle(milliseconds: 100)
        // A terminal that claims to draw clusters as one glyph, but draws them in pieces, may differ.
        #expect(isSame(terminal.screen.lines, lines) || personality.name == "liar")
        try terminal.send("\u{1B}[A\u{11}")
        #expect(terminal.waitForExit() == 0)
        #expect(terminal.settings == terminal.settingsBefore)
        #expect(terminal.screen.leftovers.isEmpty)
        #expect(terminal.screen.strays.isEmpty)
        #expect(!terminal.hasAnswersLeft)
        #expect(try workplace.tn("show", text).output == text)
    }

    @Test func `a terminal without a cursor is refused in words`() throws {
        let dumb = TerminalPersonality(name: "dumb", environment: ["TERM": "dumb"], attributes: nil)
        for words in [[], ["--new"], ["doctor", "--terminal"]] {
            _ = try workplace.tn("list")
            let terminal = try start([Workplace.program] + words, dumb)
            #expect(terminal.waitForExit() == 64)
            #expect(terminal.screen.contains("tn: TERM is “dumb”, a terminal without a cursor"))
            #expect(terminal.settings == terminal.settingsBefore)
        }
    }

    @Test func `a note opened as it is made is made once`() throws {
        let terminal = try start([Workplace.program, "--new", "--open", "Only", "once"])
        try terminal.wait(for: "the note, open") { $0.lines.count { $0.contains("Only once") } > 1 }
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        #expect(try workplace.tn("list").output.split(separator: "\n").count { $0.contains("Only once") } == 1)
    }

    @Test func `the doctor shows keys and colours, and prints what a report needs`() throws {
        let terminal = try start([Workplace.program, "doctor", "--terminal"])
        try terminal.wait(for: "Press what you want to see")
        try terminal.wait(for: "synchronized update yes")
        try terminal.waitUntilIdle(milliseconds: 40)
        try terminal.send("\u{1B}[1;5A世")
        try terminal.wait(for: "key Ctrl-up")
        try terminal.wait(for: "got ESC [ 1 ; 5 A e4 b8 96")
        try terminal.send("q")
        #expect(terminal.waitForExit() == 0)
        #expect(terminal.screen.leftovers.isEmpty && terminal.settings == terminal.settingsBefore)
        #expect(terminal.screen.contains("proof 1.0") && terminal.screen.contains("key Ctrl-up"))
    }

    @Test func `a slow line gets less decoration and the same text`() throws {
        var bytes: [Int] = []
        var lines: [[String]] = []
        for value in ["", "1"] {
            var slow = TerminalPersonality.full
            slow.environment["TN_LOW_BANDWIDTH"] = value
            let terminal = try start([], slow)
            try terminal.wait(for: "Reading list")
            try terminal.waitUntilIdle(milliseconds: 100)
            bytes.append(terminal.byteCount)
            lines.append(terminal.screen.lines)
        }
        #expect(lines[0] == lines[1])
        #expect(bytes[1] < bytes[0])
    }
}
