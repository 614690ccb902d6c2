import TerminalDriver
import Testing

@testable import Terminal

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Tests the programs that have the clipboard; in the suite of the loop, since signals are per process.
extension EventLoopTests {
    /// Runs `body` with a loop that finds one program for the clipboard, a script.
    private func withClipboardProgram<T>(
        _ script: String, remote: Bool = false, _ body: (EventLoop) throws -> T
    ) throws -> T {
        let folder = "/tmp/tn-clipboard-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        mkdir(folder, 0o700)
        let tool = folder + "/xclip"
        try ProgramRun.makeTool(script, at: tool)
        defer {
            unlink(tool)
            rmdir(folder)
        }
        return try body(
            makeLoop {
                $0.probes = false
                $0.environment["DISPLAY"] = ":0"
                $0.environment["PATH"] = folder
                if remote { $0.environment["SSH_CONNECTION"] = "a" }
            })
    }

    private func copying(_ script: String, remote: Bool = false) throws -> (outcome: ClipboardOutcome?, sent: String) {
        try withClipboardProgram(script, remote: remote) { loop in
            loop.clipboard.copyDeadline = .seconds(3600)
            var outcome: ClipboardOutcome?
            loop.schedule(after: .zero) {
                loop.copyToClipboard("text") {
                    outcome = $0
                    loop.stop(.quit(status: 0))
                }
            }
            try loop.run(Recorder())
            return (outcome, terminal.received())
        }
    }

    @Test func `a clipboard program that takes the text is named, and one that fails gives way to the terminal`() throws
    {
        #expect(try copying("/bin/cat >/dev/null").outcome == .tool("xclip"))
        let failed = try copying("exit 1")
        #expect(failed.outcome == .terminal && failed.sent.contains("\u{1B}]52;c;dGV4dA=="))
        #expect(try copying("/bin/cat >/dev/null", remote: true).outcome == .terminal)
    }

    private func reading(_ script: String, deadline: Duration = .seconds(3600)) throws -> String? {
        try withClipboardProgram(script) { loop in
            loop.clipboard.readDeadline = deadline
            var found: String?
            loop.schedule(after: .zero) {
                loop.readClipboard(.selected) {
                    found = $0
                    loop.stop(.quit(status: 0))
                }
            }
            try loop.run(Recorder())
            return found
        }
    }

    @Test func `the clipboard is what a program tells, if it is text and comes in time`() throws {
        #expect(try reading("printf '%s\\r\\n' \"$*\"") == "-selection primary -o\n")
        #expect(try reading("exit 1") == nil)
        #expect(try reading("printf '\\377'") == nil)
        #expect(try reading("exec /bin/sleep 1000", deadline: .milliseconds(20)) == nil)
    }

    @Test func `a clipboard program that hangs holds up neither frames nor the end`() throws {
        let folder = try hangingTool()
        let loop = try makeLoop {
            $0.probes = false
            $0.environment["DISPLAY"] = ":0"
            $0.environment["PATH"] = folder
        }
        loop.clipboard.copyDeadline = .seconds(3600)
        let recorder = Recorder()
        loop.schedule(after: .zero) {
            loop.copyToClipboard("text") { _ in Issue.record("it has not hung") }
            loop.schedule(after: .milliseconds(1)) { kill(getpid(), SIGTERM) }
        }
        #expect(try loop.run(recorder) == .signal(SIGTERM))
    }

    /// Returns a folder with a clipboard program that never reads and never ends.
    private func hangingTool() throws -> String {
        let folder = "/tmp/tn-clipboard-\(getpid())"
        mkdir(folder, 0o700)
        try ProgramRun.makeTool("exec /bin/sleep 1000", at: folder + "/xclip")
        return folder
    }
}
