import Foundation
import NoteStore
import Processes
import SystemPackage
import Testing

@testable import Interface
@testable import tn

/// Tests the scripts of the user's own commands in a real shell.
struct ShellScriptTests {
    private func run(_ script: String, _ input: String = "", _ environment: [String: String] = [:]) -> ShellOutcome {
        var run = ShellRun(script: script, timeout: 300)
        run.input = Array(input.utf8)
        run.environment = environment
        return ShellScript.run(run, stop: CommandStop())
    }

    @Test func `a script reads its input and answers`() {
        #expect(run("tr a-z A-Z", "Añb 世界\n") == .answer("AñB 世界\n"))
        #expect(
            run("cat", String(repeating: "x", count: 3_000_000)) == .answer(String(repeating: "x", count: 3_000_000)))
        // A program that does not read its input has not failed.
        #expect(run("true", String(repeating: "x", count: 3_000_000)) == .answer(""))
    }

    @Test(arguments: [
        "plain", "two words", "$(touch /tmp/never) `id`", "it's \"quoted\" \\ *", "; exit 3", "-n", "line\nbreak", "世界",
    ])
    func `a title is one word, whatever it contains`(title: String) {
        for line in ["printf '<%s>' {title}", "printf '<%s>' \"{title}\"", "printf '<%s>' '{title}'"] {
            #expect(run(ShellTemplate.script(line), "", ["TN_TITLE": title]) == .answer("<\(title)>"))
        }
        #expect(!FileManager.default.fileExists(atPath: "/tmp/never"))
    }

    @Test func `a script that fails, or prints what is not text, says so`() {
        #expect(run("echo why >&2; exit 3") == .failed("ended with status 3", details: "why\n"))
        #expect(run("kill -9 $$") == .failed("was killed", details: ""))
        #expect(run("printf '\\377'") == .failed("printed something that is not UTF-8", details: ""))
        #expect(run("head -c 17000000 /dev/zero") == .failed("printed more than 16 MB", details: ""))
    }

    @Test func `a script that takes too long, or is stopped, ends with all that it started`() throws {
        var long = ShellRun(script: "sleep 1000 & sleep 1000", timeout: 1)
        #expect(ShellScript.run(long, stop: CommandStop()) == .failed("took longer than 1 second", details: ""))
        long.timeout = 3_600
        let stop = CommandStop()
        stop.stop()
        #expect(ShellScript.run(long, stop: stop) == .stopped)
    }

    @Test func `a script has no terminal, and a file of the note that is gone afterwards`() throws {
        var script = ShellRun(script: "cat \"$TN_FILE\"; echo \"$TN_FILE\"; stat -c %a \"$TN_FILE\"", timeout: 300)
        script.fileText = "# Text\n"
        guard case .answer(let answer) = ShellScript.run(script, stop: CommandStop()) else {
            Issue.record("no answer")
            return
        }
        let lines = answer.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines[0] == "# Text" && lines[2] == "600")
        #expect(!FileManager.default.fileExists(atPath: lines[1]))
        #expect(run("cat </dev/tty") != .answer(""))
    }

    @Test func `an allowed line is remembered by its hash, and another one is not`() throws {
        let folder = FilePath(NSTemporaryDirectory()).appending("tn-a\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(atPath: folder.string) }
        let allowed = AllowedLines(file: folder.appending("allowed-commands"))
        #expect(!allowed.contains("sort"))
        try allowed.add("sort")
        try allowed.add("tac")
        #expect(allowed.contains("sort") && allowed.contains("tac"))
        #expect(!allowed.contains("sort ") && !allowed.contains(""))
        let stored = String(decoding: try PrivateFile.read(allowed.file), as: UTF8.self)
        #expect(!stored.contains("sort"))
    }
}
