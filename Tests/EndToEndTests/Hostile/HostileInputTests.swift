import Foundation
import Load
import TerminalDriver
import Testing

/// Tests hostile input from the terminal line and misbehaving standard streams.
@Suite(.serialized, .underLoad)
struct HostileInputTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
        for title in ["Three", "Two", "One"] { _ = try workplace.tn("--new", title) }
    }

    private func live() throws -> String { try workplace.query("SELECT count(*) FROM note WHERE place = 0") }

    /// A terminal sends its answers before or after a paste, never within it; one that sends none is simplest.
    private func started() throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment, as: .mute)
        try terminal.wait(for: "Three")
        return terminal
    }

    private func quit(_ terminal: PseudoTerminal) throws {
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
    }

    @Test func `a paste that stalls in the list stays a paste, and Ctrl-C gives it up`() throws {
        let terminal = try started()
        try terminal.send("\u{1B}[200~Pasted\r")
        try terminal.wait(for: "Ctrl-C gives up")
        try terminal.send("dd\ry")
        try terminal.waitUntilIdle(milliseconds: 60)
        try terminal.send("\u{3}")
        // Nothing that follows is read as a key, with or without the end sequence.
        try terminal.wait(for: "until the paste ends")
        try terminal.send("ddd")
        try terminal.waitUntilIdle(milliseconds: 60)
        try terminal.send("d\r\u{1B}[201~")
        try terminal.waitUntilIdle(milliseconds: 60)
        try quit(terminal)
        let kept = try workplace.query("SELECT hex(text) FROM note_text ORDER BY note DESC LIMIT 1")
        #expect(kept == "Pasted\ndd\ny".utf8.map { String(format: "%02X", $0) }.joined())
        #expect(try workplace.query("SELECT count(*) FROM note WHERE place != 0") == "0")
    }

    @Test func `what follows a forged end in the pasted text trashes nothing`() throws {
        let terminal = try started()
        let notes = try live()
        try terminal.send("\u{1B}[200~Pasted\u{1B}[201~ddd\u{1B}[Bd")
        try terminal.wait(for: "Pastedddd")
        try quit(terminal)
        #expect(try workplace.query("SELECT count(*) FROM note WHERE place = 0") == "\((Int(notes) ?? 0) + 1)")
    }

    @Test(arguments: [SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGSYS, SIGTERM])
    func `a signal that ends programs leaves the terminal as it was, and what was typed`(signal: Int32) throws {
        let terminal = try started()
        try terminal.send("n")
        try terminal.wait(for: "New Note")
        try terminal.send("Last words")
        try terminal.wait(for: "Last words")
        kill(terminal.process, signal)
        #expect(terminal.waitForExit() == 128 + signal)
        #expect(try workplace.tn("show", "Last words").output == "Last words")
    }

    @Test func `a size that no display has neither ends the program nor takes the memory`() throws {
        let terminal = try started()
        terminal.setSize(columns: 65_535, rows: 3)
        terminal.setSize(columns: 120, rows: 40)
        try terminal.wait(for: "Three")
        try quit(terminal)
    }

    @Test func `bytes that are not text are typed as fast as text is`() throws {
        let terminal = try started()
        try terminal.send("n")
        try terminal.wait(for: "New Note")
        // Sent in pieces that the line accepts; the test waits for the word at the end of each.
        for piece in 1...8 {
            try terminal.send([UInt8](repeating: 0xE9, count: 2500) + Array(" piece\(piece)".utf8))
            try terminal.wait(for: "piece\(piece)")
        }
        try quit(terminal)
    }

    // MARK: - Standard streams

    /// Runs a shell command with `tn` as `$0`.
    private func shell(_ script: String) throws -> Workplace.Result {
        try workplace.run("/bin/sh", ["-c", script, Workplace.program])
    }

    @Test func `a standard stream that is closed is an error, and no file takes its place`() throws {
        let closed = try shell("\"$0\" list >&-")
        #expect(closed.status == 74 && closed.error.contains("cannot write to standard output"))
        #expect(try shell("\"$0\" --new <&-").status == 74)
        #expect(try shell("\"$0\" list 2>&-").status == 0)
        #expect(try workplace.tn("list").output.contains("Three"))
    }

    @Test func `an output that is full is an error, and a pipe that nobody reads ends the program like any other`()
        throws
    {
        #expect(try shell("\"$0\" list >/dev/full").status == 74)
        #expect(try shell("trap '' PIPE; { \"$0\" list; echo $? >&2; } | :; true").error.hasSuffix("74\n"))
    }

    /// Waits until a program sleeps at several looks in a row.
    private func waitUntilAsleep(_ process: pid_t) throws {
        var looks = 0
        try waitUntil {
            usleep(20_000)
            let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            try #require(!status.contains(") Z"))
            looks = status.contains(") S") ? looks + 1 : 0
            return looks == 5
        }
    }

    @Test func `an input that does not wait is waited for, asleep`() throws {
        let fifo = workplace.folder.appending(path: "fifo").path
        #expect(mkfifo(fifo, 0o600) == 0)
        // The flag belongs to the open file, which the program inherits from the test.
        let file = open(fifo, O_RDWR | O_NONBLOCK)
        defer { close(file) }
        let process = try start(["--new"], input: file)
        // Nothing has been written, so a program that sleeps is waiting and not polling.
        try waitUntilAsleep(process)
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    @Test(arguments: [["show", "Long"], ["list", "--json"], ["render", "--html"]])
    func `an output that does not wait gets every byte, however slowly it is read`(arguments: [String]) throws {
        let long = "Long\n\n" + (1...20_000).map { "line \($0) of a long text\n" }.joined()
        #expect(try workplace.tn("--new", input: long).status == 0)
        for number in 1...400 where arguments[0] == "list" {
            let title = "\(number) " + String(repeating: "a long title ", count: 14)
            #expect(try workplace.tn("--new", title).status == 0)
        }
        let file = workplace.folder.appending(path: "input").path
        try Data(long.utf8).write(to: URL(filePath: file))
        let input = open(file, O_RDONLY)
        defer { close(input) }
        let expected = try workplace.run(Workplace.program, arguments, input: long).output
        // More than a pipe holds.
        try #require(expected.utf8.count > 100_000)
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        let reader = ends[0]
        defer { close(reader) }
        #expect(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0)
        let process = try start(arguments, input: input, output: ends[1])
        close(ends[1])
        // Nothing is read before the pipe is full and the program waits for it, asleep.
        try waitUntilAsleep(process)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1_000)
        while true {
            let count = read(reader, &piece, piece.count)
            if count <= 0 { break }
            bytes += piece[..<count]
            if bytes.count % 16_000 == 0 { usleep(1_000) }
        }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        #expect(status == 0)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    private func start(_ arguments: [String], input: Int32, output: Int32? = nil) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        let words = ([Workplace.program] + arguments).map { strdup($0) } + [nil]
        let variables = workplace.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var process = pid_t()
        let error = posix_spawn(&process, Workplace.program, &actions, nil, words, variables)
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .ENOENT) }
        return process
    }

    @Test func `a text that the limit of a file's size keeps out of the notebook is kept`() throws {
        let result = try shell("ulimit -f 8; echo precious | \"$0\" --new")
        #expect(result.status == 74 && result.error.contains("; the text is kept in /"), "\(result)")
        #expect(try workplace.tn("list").output.contains("precious"))
    }

    // MARK: - Child programs

    @Test func `the editor dies of a pipe that nobody reads, as a program should`() throws {
        let editor = "sh -c 'sh -c \"kill -PIPE \\$\\$; echo ignored > ignored\"; true'"
        let result = try shell("cd '\(workplace.folder.path)' && trap '' PIPE && EDITOR=\"\(editor)\" \"$0\" edit One")
        #expect(result.status == 0, "\(result)")
        #expect(!FileManager.default.fileExists(atPath: workplace.folder.appending(path: "ignored").path))
    }

    #if os(Linux)
    @Test func `an editor is waited for where the parent process ignores the end of its children`() throws {
        let editor = workplace.folder.appending(path: "editor").path
        try ProgramRun.makeTool("(echo; echo edited) >>\"$1\"", at: editor)
        let result = try shell("EDITOR='\(editor)' env --ignore-signal=CHLD \"$0\" edit One")
        #expect(result.status == 0 && result.error == "", "\(result)")
        #expect(try workplace.tn("show", "One").output.contains("edited"))
    }
    #endif

    @Test func `a clipboard tool that hangs holds up no key, and ends with the program`() throws {
        let folder = workplace.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let (tool, mark) = (folder.appending(path: "xclip"), folder.appending(path: "mark"))
        let note = "echo $$ >'\(mark.path).new'; mv '\(mark.path).new' '\(mark.path)'"
        try ProgramRun.makeTool("\(note)\nexec sleep 1000", at: tool.path)
        var environment = workplace.environment
        environment["DISPLAY"] = ":0"
        environment["PATH"] = folder.path + ":/usr/bin:/bin"
        let terminal = try PseudoTerminal(Workplace.program, environment: environment, as: .mute)
        try terminal.wait(for: "Three")
        try terminal.send("y")
        try terminal.wait(for: "the tool") { _ in FileManager.default.fileExists(atPath: mark.path) }
        let text = try String(contentsOf: mark, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        let process = try #require(Int32(text))
        // The window keeps working while the tool hangs.
        try terminal.send("n")
        try terminal.wait(for: "New Note")
        kill(terminal.process, SIGTERM)
        #expect(terminal.waitForExit() == 128 + SIGTERM)
        // It is dead, or a zombie that its new parent has not waited for yet.
        func isGone() -> Bool {
            guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
                return true
            }
            return status.contains(") Z")
        }
        try waitUntil(isGone)
    }

    @Test func `doctor tells how long tmux waits after Esc, and a tmux that hangs does not hold it up`() throws {
        let folder = workplace.folder.appending(path: "bin")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let tool = folder.appending(path: "tmux")
        func doctor(_ script: String) throws -> String {
            try ProgramRun.makeTool(script, at: tool.path)
            let path = folder.path + ":/usr/bin:/bin"
            return try workplace.tn("doctor", environment: ["TMUX": "/tmp/x,1,0", "PATH": path]).output
        }
        #expect(try doctor("echo 500").contains("set -sg escape-time 10"))
        let quick = try doctor("echo 10")
        #expect(quick.contains("tmux waits 10 ms after Esc") && !quick.contains("set -sg"))
        #expect(try doctor("exec sleep 1000").contains("tmux did not answer"))
    }
}
