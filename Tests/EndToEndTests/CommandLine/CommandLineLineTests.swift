import Foundation
import TerminalDriver
import Testing

/// Tests `tn line`, the notebook by typed lines.
struct CommandLineLineTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
        try transcript.check(
            #"""
            $ printf 'Groceries\n\n- milk\n- eggs\n' | tn --new >/dev/null; tn folder add Home; tn --new --folder Home --star Reading list >/dev/null
            """#)
    }

    @Test func `lists are numbered, a number opens, and the answers are plain ASCII without an escape`() throws {
        try transcript.check(
            #"""
            $ printf '%s\n' list 2 show 'show 3' 'lines 3 4' 'show 9' quit list | TERM=dumb tn line
            1 Reading list, starred, Home
            2 Groceries
            Groceries, 4 lines. Type show.
            Groceries

            - milk
            - eggs
            - milk
            3 - milk
            4 - eggs
            No line 9.
            $ printf '%s\n' list 2 show folders help 'search milk' nonsense | tn line | LC_ALL=C grep -c '[^ -~]'
            0
            ? 1
            $ printf '%s\n' 'search milk' 1 'list Home' 1 7 'list Nowhere' show | tn line
            1 Groceries
            Groceries, 4 lines. Type show.
            1 Reading list, starred, Home
            Reading list, 1 line. Type show.
            No 7 in the last list.
            there is no folder "Nowhere"; tn folder list shows what there is
            Reading list
            $ printf '%s\n' 1 list 0 -9223372036854775808 9223372036854775807 | tn line | grep No
            No 1 in the last list.
            No 0 in the last list.
            No -9223372036854775808 in the last list.
            No 9223372036854775807 in the last list.
            """#)
    }

    @Test func `a line that is not UTF-8 is left out, and no other text is made of it`() throws {
        try transcript.check(
            #"""
            $ printf 'new a\377b\nnew c\r\nlist' | tn line
            Left out: that line is not UTF-8 text.
            New note: c.
            1 Reading list, starred, Home
            2 c
            3 Groceries
            """#)
    }

    @Test func `every answer about an ASCII notebook is ASCII`() throws {
        try transcript.check(
            #"""
            $ printf '%s\n' 'new a > b' 'append code:' "append $(printf '\tx')" show trash 'append x' 'change 1 x' undo 'list Nowhere' 'search x in:Nowhere' 'search title:' edit show | VISUAL=false tn line >answers; wc -l <answers; LC_ALL=C grep -c "$(printf '[^ -~\t]')" answers; grep 'Trash;' answers
            17
            0
            "a > b" is in the Trash; restore it first
            "a > b" is in the Trash; restore it first
            """#)
    }

    @Test func `control characters are shown in ASCII`() throws {
        try transcript.check(
            #"""
            $ printf 'Odd\n\na\033[31mb\177\n' | tn --new >/dev/null; printf '%s\n' list 2 'show 3' | tn line | tail -1
            a^[[31mb^?
            """#)
    }

    @Test func `a note is written, changed by lines, starred, thrown away and taken back`() throws {
        try transcript.check(
            #"""
            $ printf '%s\n' show 'new Plans' 'append - rest' append '- walk' '  slowly' . 'change 2 - sleep' 'insert 1 # Plans' 'delete 2' star trash undo change 'change 99 x' | tn line
            no note is open; type list, then a number
            New note: Plans.
            Saved.
            Saved.
            Saved.
            Saved.
            Saved.
            Starred.
            In the Trash: Plans. Type undo to take it back.
            Undone.
            Which line? For example: change 3
            No line 99.
            $ tn show Plans
            # Plans
            - sleep
            - walk
              slowly
            $ printf 'new\nfirst\n\nthird' | tn line; tn show first | od -An -c
            New note: first.
               f   i   r   s   t  \n  \n   t   h   i   r   d  \n
            $ printf 'new A\033[31mB\nlist\n' | tn line | head -2
            New note: A^[[31mB.
            1 Plans, starred
            """#)
    }

    @Test func `an input that ends before a line changes none`() throws {
        try transcript.check(
            #"""
            $ printf '%s\n' list 2 'change 3' | tn line | tail -1; tn show Groceries | sed -n 3p
            Nothing written.
            - milk
            """#)
    }

    @Test func `lines for a note that cannot take them are kept`() throws {
        try transcript.check(
            #"""
            $ printf '%s\n' list 2 trash append 'one line' 'and another' . | tn line | grep -c 'the text is kept in /.*/For Groceries.md'; tn show 'For “Groceries”'
            1
            one line
            and another
            ! tn: a text that was kept unsaved is now the note “For “Groceries”” in the Inbox
            """#)
    }

    @Test func `typed lines outlive a terminal that is gone, and one that saves them leaves no draft`() throws {
        let workplace = try Workplace()
        let terminal = try PseudoTerminal(Workplace.program, ["line"], environment: workplace.environment)
        try terminal.wait(for: "TakeNote.")
        for line in ["new", "kept once", "."] { try terminal.send(line + "\r") }
        try terminal.wait(for: "New note: kept once.")
        for line in ["new", "first line", "second line"] { try terminal.send(line + "\r") }
        try terminal.waitUntilIdle(milliseconds: 200)
        terminal.hangUp()
        #expect(terminal.waitForExit() != nil)
        let shown = try workplace.tn("show", "first line")
        #expect(shown.output == "first line\nsecond line\n", "\(shown)")
        #expect(try workplace.tn("list").output.split(separator: "\n").count == 2)
    }

    @Test(arguments: ["new", "append"])
    func `lines that were saved are there once although tn was killed before it removed the draft`(
        _ command: String
    ) throws {
        let workplace = try Workplace()
        _ = try workplace.tn("--new", "Groceries\n")
        let terminal = try PseudoTerminal(Workplace.program, ["line"], environment: workplace.environment)
        try terminal.wait(for: "TakeNote.")
        for line in ["list", "1", command, "first line", "second line"] { try terminal.send(line + "\r") }
        let drafts = workplace.folder.appending(path: "state/takenote-dev/drafts")
        func draft() -> URL? {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: drafts.path)) ?? []  // none yet
            return names.first.map { drafts.appending(path: $0) }
        }
        try terminal.wait(for: "the lines in the draft") { _ in
            guard let draft = draft(), let names = try? FileManager.default.contentsOfDirectory(atPath: draft.path),
                let name = names.first(where: { $0.hasSuffix(".md") })
            else { return false }
            return (try? String(contentsOf: draft.appending(path: name), encoding: .utf8))?.contains("second") == true
        }
        let made = try #require(draft())
        let kept = workplace.folder.appending(path: "kept")
        try FileManager.default.copyItem(at: made, to: kept)
        try terminal.send(".\r")
        try terminal.wait(for: command == "new" ? "New note: first line." : "Saved.")
        try terminal.send("quit\r")
        #expect(terminal.waitForExit() == 0)
        #expect(draft() == nil)
        try FileManager.default.moveItem(at: kept, to: made)
        #expect(try workplace.tn("list").output.split(separator: "\n").count == (command == "new" ? 2 : 1))
        #expect(draft() == nil)
    }

    @Test func `a number that no list has, and Windows line ends, do no harm`() throws {
        try transcript.check(
            #"""
            $ printf 'Bread\r\n\r\nflour\r\nsalt\r\n' | tn --new >/dev/null; printf '%s\n' list -9223372036854775808 0 'search bread' 1 'change 3 rye' 'insert 4 water' 'delete 5' 'change 9' | tn line | tail -8
            No -9223372036854775808 in the last list.
            No 0 in the last list.
            1 Bread
            Bread, 4 lines. Type show.
            Saved.
            Saved.
            Saved.
            No line 9.
            $ tn show Bread | od -An -c
               B   r   e   a   d  \r  \n  \r  \n   r   y   e  \r  \n   w   a
               t   e   r  \r  \n
            $ printf 'search bread\n1\nchange 3\n' | tn line | tail -1; tn show Bread | wc -l
            Nothing written.
            4
            """#)
    }

    @Test func `a long list goes on where it ended`() throws {
        try transcript.check(
            #"""
            $ for i in $(seq 1 21); do echo new Note $i; done | tn line >/dev/null; printf '%s\n' list more more 23 show | tn line | tail -9
            21 Note 2
            22 Note 1
            23 Groceries
            No more.
            Groceries, 4 lines. Type show.
            Groceries

            - milk
            - eggs
            """#)
    }
}
