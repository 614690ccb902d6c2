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
        // Where the processors are very busy, some may give up waiting for the lock; the next command saves their texts.
        try transcript.check(
            #"""
            $ for i in $(seq 50); do { tn --new "Note $i" >"out$i" 2>>errors; echo $? >>status; } & done; wait; wc -l <status; grep -vx -e 0 -e 75 status; grep -v ' is busy: .*; the text is kept in ' errors
            50
            ? 1
            $ tn list >/dev/null; tn list | cut -f3 | sort -u | wc -l; test $(cat out* | sort -u | wc -l) = $(grep -cx 0 status); echo $?; tn doctor | grep -c '!!'
            50
            0
            0
            ? 1
            """#)
    }

    @Test func `programs that make one tag, or the note of a day, at once share it`() throws {
        try transcript.check(
            #"""
            $ tn --new First >/dev/null
            $ for i in $(seq 12); do { tn new --tag idea "Text $i" >/dev/null 2>>errors; echo $? >>status; } & done; wait; sort -u status; cat errors
            0
            $ tn list --tag idea | wc -l; tn tags list | grep -c idea
            12
            1
            $ for i in $(seq 12); do { tn tag First --add "tag $((i % 3))" 2>>errors; echo $? >>status; } & done; wait; sort -u status; cat errors
            0
            $ tn tags list | wc -l; tn tag First | wc -l
            4
            3
            $ for i in $(seq 12); do { tn today </dev/null >>days 2>>errors; echo $? >>status; } & done; wait; sort -u status; cat errors; sort -u days | wc -l
            0
            1
            $ tn list | wc -l; tn doctor | grep -c '!!'
            14
            0
            ? 1
            """#)
    }

    @Test func `repairs of one notebook at once end well, and leave no copy of it behind`() throws {
        try transcript.check(
            #"""
            $ for i in 1 2 3; do tn --new "Note $i" >/dev/null; done
            $ for i in 1 2 3 4; do { tn doctor --repair >/dev/null 2>>errors; echo $? >>status; } & done; wait; sort -u status; cat errors
            0
            $ tn list | wc -l; ls data/takenote* | grep -c before
            3
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

    /// A window types at the beginning while two shells append and two editors write at the end.
    ///
    /// Each round begins when the window shows the last one's lines. It types until the four programs have ended, but
    /// no more than leaves all lines on the screen.
    @Test func `what a window types and four shells write into one note at once is all in it`() throws {
        let workplace = try Workplace()
        let editor = workplace.folder.appending(path: "editor").path
        try Data(#"printf '\n%s\n' "$LINE" >> "$1""#.utf8).write(to: URL(filePath: editor))
        #expect(try workplace.tn("--new", "Shared").status == 0)
        let terminal = try PseudoTerminal(
            Workplace.program, ["open", "Shared"], environment: workplace.environment, rows: 60)
        try terminal.wait(for: "Esc list")
        try terminal.send("\r\u{1B}[A")
        var words: [String] = []
        func type() throws {
            words.append("typed\(100 + words.count)x")
            try terminal.send(words[words.count - 1] + " ")
            try terminal.wait(for: words[words.count - 1])
        }
        let script = """
            tn() { '\(Workplace.program)' "$@"; }
            note=$(tn list | cut -f1)
            for i in 1 2; do tn append "$note" "append$i-$1x" & done
            for i in 1 2; do LINE="edit$i-$1x" EDITOR="sh '\(editor)'" tn edit "$note" & done
            wait
            """
        for round in 1...3 {
            let shells = try ProgramRun.spawn(
                "/bin/sh", ["-c", script, "sh", "\(round)"], environment: workplace.environment,
                streams: [.opened(0, "/dev/null", O_RDONLY)])
            let lines = ["append1", "append2", "edit1", "edit2"].map { "\($0)-\(round)x" }
            words += lines
            var status: Int32 = 0
            var left = 40
            while waitpid(shells, &status, WNOHANG) == 0 {
                if left > 0 { try type() } else { _ = try terminal.pump(milliseconds: 20) }
                left -= 1
            }
            #expect(status == 0)
            try terminal.wait(for: "the lines of round \(round)") { screen in lines.allSatisfy(screen.contains) }
            try type()
        }
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        let texts = try workplace.query("SELECT text FROM note_text")
        for word in words { #expect(texts.components(separatedBy: word).count == 2, "\(word) in \(texts)") }
        #expect(try workplace.query("SELECT count(*) FROM notes") == "1", "nothing had to be kept twice")
        #expect(try workplace.tn("doctor").status == 0)
    }
}
