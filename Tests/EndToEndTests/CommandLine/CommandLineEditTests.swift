import Foundation
import Load
import TerminalDriver
import Testing

/// Tests writing in an editor: the user's own, and the composer of `tn --new`.
@Suite(.serialized, .underLoad)
struct CommandLineEditTests {
    let transcript: Transcript
    let workplace: Workplace

    init() throws {
        transcript = try Transcript()
        workplace = try Workplace()
    }

    @Test func `a note is edited in the user's editor`() throws {
        try transcript.check(
            #"""
            $ printf 'One\nline\n' | tn --new >/dev/null; EDITOR='sed -i s/line/change/' tn edit One; tn show One
            One
            change
            $ echo 'printf "Two\n%s\n" "$WORDS" >"$1"' >see; tn --new Two >/dev/null; EDITOR='WORDS="two words" sh see' tn edit Two; tn show Two
            Two
            two words
            $ VISUAL='sed -i s/change/another/' EDITOR=false tn edit One; tn show One
            One
            another
            $ EDITOR=true tn edit One; tn history One | cut -f1,4
            2	outside
            1	outside
            $ EDITOR=false tn edit One
            ! tn: the editor “false” ended with an error; what it saved is kept
            ? 74
            $ EDITOR=/none tn edit One
            ! tn: the editor “/none” cannot be started; check VISUAL and EDITOR
            ? 66
            $ EDITOR='none -w "a b"' tn edit One
            ! tn: the editor “none -w "a b"” cannot be started; check VISUAL and EDITOR
            ? 66
            $ EDITOR='printf "a\377b" >' tn edit One
            ! tn: <FOLDER>/state/takenote-dev/drafts/<UUID>/One.md is not UTF-8 text; convert it first, for example with iconv; what the editor saved is kept in <FOLDER>/state/takenote-dev/drafts/<UUID>/One.md
            ? 65
            $ cat state/*/drafts/*/One.md | wc -c; rm -r state/*/drafts/*
            3
            $ tn show One
            One
            another
            $ tn edit Nothing
            ! tn: no note is called “Nothing”; tn list and tn search show what there is
            ? 66
            $ tn trash One; EDITOR=true tn edit One
            ! tn: “One” is in the Trash; restore it first
            ? 65
            $ ls state/*/drafts | wc -l
            0
            """#)
    }

    @Test func `an editor that ends the last line by itself has changed nothing`() throws {
        try transcript.check(
            #"""
            $ tn --new One >/dev/null; EDITOR='sh -c "echo >> \"\$0\""' tn edit One; tn show One | wc -c
            3
            """#)
    }

    @Test func `a pipe that an editor leaves in place of its file keeps nobody waiting`() throws {
        try transcript.check(
            #"""
            $ echo One | tn --new >/dev/null
            $ printf 'rm "$1"; mkfifo "$1"; kill -9 $PPID\n' > editor; EDITOR='sh editor' tn edit One 2>/dev/null
            ? 137
            $ tn show One; tn list | cut -f3
            One
            One
            $ tn doctor | grep -c draft
            1
            """#)
    }

    @Test func `an editor that removes its file has changed nothing, and leaves no draft`() throws {
        try transcript.check(
            #"""
            $ echo One | tn --new >/dev/null; EDITOR=rm tn edit One; tn show One
            One
            $ printf 'echo more >> "$1"; until tn show One | grep -q more; do sleep 0.05; done; rm "$1"\n' > editor; EDITOR='sh editor' tn edit One; tn show One
            One
            more
            $ printf 'rm "$1"; kill -9 $PPID\n' > editor; EDITOR='sh editor' tn edit One 2>/dev/null
            ? 137
            $ tn doctor | grep -c draft
            0
            ? 1
            $ tn show One; ls state/*/drafts | wc -l
            One
            more
            0
            """#)
    }

    @Test func `what an editor in the background saves is taken in when it has ended`() throws {
        try transcript.check(
            #"""
            $ echo One | tn --new >/dev/null; printf '(until [ -e go ]; do sleep 0.05; done; echo late >> "$1") >/dev/null 2>&1 &\n' > editor
            $ EDITOR='sh editor' tn edit One; tn show One
            One
            ! tn: the editor goes on in the background: what it saves in <FOLDER>/state/takenote-dev/drafts/<UUID>/One.md is taken in by the first command after it has ended; an option such as --wait lets tn wait for it
            $ touch go; i=0; until tn show One | grep late || [ $i = 6000 ]; do sleep 0.05; i=$((i+1)); done
            late
            $ ls state/*/drafts | wc -l
            0
            """#)
    }

    @Test func `each save of the editor is a save of the note`() throws {
        try transcript.check(
            #"""
            $ printf 'echo first >> "$1"\ni=0; until tn show One | grep -q first || [ $i = 6000 ]; do sleep 0.05; i=$((i+1)); done\ntn show One\necho second >> "$1"\n' > editor
            $ echo One | tn --new >/dev/null; EDITOR='sh editor' tn edit One; tn show One
            One
            first
            One
            first
            second
            """#)
    }

    @Test func `a change of the note while it is edited is merged, or kept beside it`() throws {
        try transcript.check(
            #"""
            $ printf 'Plan\n\none\n\ntwo\n' | tn --new >/dev/null
            $ printf 'tn append Plan three\nsed -i s/one/first/ "$1"\n' > editor; EDITOR='sh editor' tn edit Plan; tn show Plan
            Plan

            first

            two
            three
            $ printf 'EDITOR="sed -i s/two/theirs/" tn edit Plan; sed -i s/two/ours/ "$1"\n' > editor; EDITOR='sh editor' tn edit Plan
            ! tn: the note was changed elsewhere in the same words; your text is in “Plan (conflict)”
            $ tn show Plan | grep theirs; tn show 'Plan (conflict)' | grep ours
            theirs
            ours
            """#)
    }

    @Test func `what an editor had saved when tn was killed is taken in by the next command`() throws {
        try transcript.check(
            #"""
            $ echo One | tn --new >/dev/null; printf 'echo saved >> "$1"; kill -9 $PPID\n' > editor; EDITOR='sh editor' tn edit One 2>/dev/null
            ? 137
            $ i=0; until tn show One | grep saved || [ $i = 6000 ]; do sleep 0.05; i=$((i+1)); done
            saved
            $ ls state/*/drafts | wc -l
            0
            """#)
    }

    @Test func `an editor goes on after a save that is not UTF-8, and its next one counts`() throws {
        try transcript.write(
            "printf 'a\\377' >\"$1\"\n\(Workplace.untilLookedAgain)echo later >\"$1\"\n", to: "editor")
        try transcript.check(
            #"""
            $ echo One | tn --new >/dev/null; EDITOR='sh editor' tn edit One; tn show later
            later
            $ ls state/*/drafts | wc -l
            0
            """#)
    }

    @Test func `an editor goes on when its note is deleted for ever, and its text is another note`() throws {
        try transcript.check(
            #"""
            $ printf 'tn trash One; tn empty-trash --yes >/dev/null\necho first >> "$1"\ni=0; until tn list | grep -q . || [ $i = 6000 ]; do sleep 0.05; i=$((i+1)); done\necho second >> "$1"\n' > editor
            $ echo One | tn --new >/dev/null; EDITOR='sh editor' tn edit One
            ! tn: the note was deleted for ever meanwhile; your text is in “One”
            $ tn list | wc -l; tn show One
            1
            One
            first
            second
            """#)
    }

    @Test func `a text that was saved before its note was deleted for ever is a note again`() throws {
        try transcript.check(
            #"""
            $ printf 'echo first >> "$1"\ni=0; until tn show One | grep -q first || [ $i = 6000 ]; do sleep 0.05; i=$((i+1)); done\ntn trash One; tn empty-trash --yes >/dev/null\n' > editor
            $ echo One | tn --new >/dev/null; EDITOR='sh editor' tn edit One
            ! tn: the note was deleted for ever meanwhile; your text is in “One”
            $ tn show One
            One
            first
            """#)
    }

    @Test func `what is piped into a folder that is not there is kept`() throws {
        try transcript.check(
            #"""
            $ echo Thought | tn --new --folder Wrok 2>&1 | sed 's/.*; the text is kept in/kept in/'
            kept in <FOLDER>/state/takenote-dev/drafts/<UUID>/note.md
            $ cat state/*/drafts/*/note.md
            Thought
            $ tn list | cut -f3
            Thought
            ! tn: a text that was kept unsaved is now the note “Thought” in the Inbox
            $ tn list | cut -f3
            Thought
            """#)
    }

    // MARK: In a terminal

    @Test func `a folder that is not there is reported before anything is written`() throws {
        let terminal = try TmuxTerminal(workplace, columns: 60, rows: 10)
        try terminal.enter("clear; \(Workplace.program) --new --folder Wrok; echo status $?")
        try terminal.waitFor("status 66")
        #expect(try drafts().isEmpty)
    }

    @Test func `Esc Esc at once leaves the composer`() throws {
        let terminal = try composer()
        try terminal.type("unfinished")
        try terminal.waitFor("unfinished")
        try terminal.send("\u{1B}\u{1B}")
        try terminal.waitFor("status 0")
        #expect(try workplace.tn("list").output.isEmpty)
    }

    /// Each visible letter is already in a file, so the kill follows without a wait.
    @Test(arguments: 0..<4) func `nothing that the composer shows is lost by kill -9`(round: Int) throws {
        let terminal = try composer()
        let text = "Seen and kept, round \(round)"
        try terminal.type(text)
        try terminal.waitFor(text)
        kill(try terminal.processID(), SIGKILL)
        try terminal.wait(for: "the note") { try workplace.tn("list").output.contains(text) }
    }

    /// The state of a file after a power cut that was renamed but never synced.
    enum Damage: CaseIterable { case empty, garbage, missing }

    @Test(arguments: Damage.allCases)
    func `what the composer has put on the disk is there after a power cut`(damage: Damage) throws {
        let terminal = try composer()
        try terminal.type("Call Ana about the stand-up")
        try terminal.waitFor("stand-up")
        try terminal.wait(for: "the synced draft") {
            guard let file = try drafts().first(where: { $0.hasSuffix("/synced") }) else { return false }
            return try String(contentsOf: draft(file), encoding: .utf8) == "Call Ana about the stand-up"
        }
        kill(try terminal.processID(), SIGKILL)
        let text = try #require(try drafts().first { $0.hasSuffix(".md") })
        switch damage {
        case .empty: try Data().write(to: draft(text))
        case .garbage: try Data([0xFF, 0xFE]).write(to: draft(text))
        case .missing: try FileManager.default.removeItem(at: draft(text))
        }
        try terminal.wait(for: "the note") {
            try workplace.tn("show", "Call Ana about the stand-up").output == "Call Ana about the stand-up"
        }
        #expect(try drafts().isEmpty)
    }

    private func draft(_ path: String) -> URL { workplace.folder.appending(path: "state").appending(path: path) }

    private func composer() throws -> TmuxTerminal {
        let terminal = try TmuxTerminal(workplace, columns: 60, rows: 10)
        try terminal.enter("clear; \(Workplace.program) --new --tag quick; echo status $?")
        try terminal.waitFor("Ctrl-S saves")
        return terminal
    }

    @Test(arguments: ["C-s", "C-d"])
    func `the composer saves what is written in it`(key: String) throws {
        let terminal = try composer()
        try terminal.type("Call Ana")
        try terminal.press("Enter")
        try terminal.type("about 世界")
        try terminal.press("Left", "BSpace")
        try terminal.waitFor("about 界")
        try terminal.press(key)
        try terminal.waitFor("status 0")
        try terminal.waitFor("takenote://note/")
        #expect(try workplace.tn("show", "Call Ana").output == "Call Ana\nabout 界")
        #expect(try workplace.tn("tags").output == "quick\t1\n")
        #expect(try drafts().isEmpty)
    }

    @Test func `a text that is pasted into the composer is saved at once`() throws {
        let terminal = try PseudoTerminal(
            Workplace.program, ["--new"], environment: workplace.environment, columns: 60, rows: 10)
        try terminal.wait(for: "Ctrl-S saves")
        try terminal.paste("Pasted\nand kept")
        try terminal.wait(for: "and kept")
        try terminal.send("\u{13}")
        #expect(terminal.waitForExit() == 0)
        #expect(try workplace.tn("show", "Pasted").output == "Pasted\nand kept")
        #expect(try drafts().isEmpty)
    }

    @Test func `Esc leaves the composer, and asks before a text is thrown away`() throws {
        let terminal = try composer()
        try terminal.press("Escape")
        try terminal.waitFor("status 0")
        try terminal.enter("clear; \(Workplace.program) --new; echo status $?")
        try terminal.waitFor("Ctrl-S saves")
        try terminal.type("unfinished")
        try terminal.press("Escape")
        try terminal.waitFor("throws this text away")
        try terminal.press("Escape")
        try terminal.waitFor("status 0")
        #expect(try workplace.tn("list").output.isEmpty)
        #expect(try drafts().isEmpty)
    }

    @Test func `a signal keeps what stands in the composer`() throws {
        let terminal = try composer()
        try terminal.type("Last words")
        try terminal.waitFor("Last words")
        kill(try terminal.processID(), SIGTERM)
        try terminal.waitFor("status 143")
        #expect(try workplace.tn("show", "Last words").output == "Last words")
    }

    @Test func `without the composer an editor that is configured opens`() throws {
        let terminal = try TmuxTerminal(workplace, columns: 60, rows: 10)
        try terminal.enter("clear; EDITOR='printf \"From outside\" >' \(Workplace.program) --new; echo status $?")
        try terminal.waitFor("status 0")
        #expect(try workplace.tn("show", "From outside").status == 0)
    }

    @Test func `a text is one note although tn was killed before it removed the draft`() throws {
        let script = workplace.folder.appending(path: "see")
        let steps = "echo Once >\"$1\"; cp -r \"$(dirname \"$1\")\" '\(workplace.folder.path)/kept'\n"
        try Data(steps.utf8).write(to: script)
        let terminal = try TmuxTerminal(workplace, columns: 60, rows: 10)
        try terminal.enter("clear; EDITOR='sh \(script.path)' \(Workplace.program) --new; echo status $?")
        try terminal.waitFor("status 0")
        let folder = workplace.folder.appending(path: "state/takenote-dev/drafts/\(UUID().uuidString)")
        try FileManager.default.moveItem(at: workplace.folder.appending(path: "kept"), to: folder)
        #expect(try workplace.tn("list").output.split(separator: "\n").count == 1)
        #expect(try drafts().isEmpty)
    }

    @Test func `what is left of a draft that was being made or removed is removed after a day`() throws {
        _ = try workplace.tn("--new", "One\n")
        let folder = workplace.folder.appending(path: "state/takenote-dev/drafts")
        for (name, age) in [("old", 100_000.0), (".old", 100_000), ("new", 0)] {
            let draft = folder.appending(path: name)
            try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: true)
            try Data("text".utf8).write(to: draft.appending(path: "note.md"))
            let date = Date(timeIntervalSinceNow: -age)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: draft.path)
        }
        #expect(try workplace.tn("list").output.split(separator: "\n").count == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["new"])
    }

    @Test(.enabled(if: DurabilityOfFilesTests.hasNamespaces, "needs a mount of its own"))
    func `the composer says that what is written is kept nowhere while the disk is full`() throws {
        let disk = workplace.folder.appending(path: "state").path
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let script = """
            mount -t tmpfs -o size=256k none "$1" || exit 9
            (until [ -e '\(workplace.folder.path)/go' ]; do sleep 0.05; done
            head -c 1m /dev/zero >"$1/filler") 2>/dev/null &
            \(Workplace.program) --new
            echo status $?
            """
        let file = workplace.folder.appending(path: "full.sh")
        try Data(script.utf8).write(to: file)
        let terminal = try TmuxTerminal(workplace, columns: 100, rows: 10)
        try terminal.enter("clear; unshare -rm sh '\(file.path)' '\(disk)'")
        try terminal.waitFor("Ctrl-S saves")
        // One word more comes before the sign, however soon that does.
        try terminal.type("words ")
        try Data().write(to: workplace.folder.appending(path: "go"))
        try terminal.wait(for: "the sign of the full disk") {
            try terminal.type("words ")
            return try terminal.screen().contains { $0.contains("Kept nowhere until Ctrl-S saves it: ") }
        }
        try terminal.press("C-s")
        try terminal.waitFor("status 0")
        #expect(try workplace.tn("list").output.contains("words words"))
    }

    private func drafts() throws -> [String] {
        let folder = workplace.folder.appending(path: "state")
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return names.filter { $0.contains("drafts/") }
    }
}
