import Foundation
import TerminalDriver
import Testing

/// Tests many programs that use one notebook.
struct CommandLineCrowdTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `fifty captures at once are all there`() throws {
        try transcript.check(
            #"""
            $ for i in $(seq 50); do { tn --new "Note $i" >"out$i" 2>>errors; echo $? >>status; } & done; wait; sort -u status; wc -l <status; cat errors
            0
            50
            $ cat out* | sort -u | wc -l; tn list | cut -f3 | sort -u | wc -l; tn doctor | grep -c '!!'
            50
            50
            0
            ? 1
            """#)
    }

    @Test func `captures one after the other keep the log short`() throws {
        try transcript.check(
            #"""
            $ for i in $(seq 40); do tn --new "Note $i" >/dev/null; done; test "$(cat data/*/notes.sqlite-wal 2>/dev/null | wc -c)" -lt 1500000 && echo short
            short
            $ tn list | wc -l
            40
            """#)
    }

    @Test func `fifty captures at once beside an open notebook are all there, and it shows them`() throws {
        let workplace = try Workplace()
        let terminal = try TmuxTerminal(workplace, columns: 100, rows: 20)
        try terminal.enter("clear; \(Workplace.program)")
        try terminal.waitFor("No notes yet")
        let script = """
            for i in $(seq 50); do { '\(Workplace.program)' --new "Note $i" >/dev/null; echo $?; } & done; wait
            """
        let result = try workplace.run("/bin/sh", ["-c", script])
        #expect(result.output == String(repeating: "0\n", count: 50))
        #expect(result.error.isEmpty)
        try terminal.waitFor("50 notes")
        try terminal.press("C-q")
        #expect(try workplace.tn("list").output.split(separator: "\n").count == 50)
    }
}
