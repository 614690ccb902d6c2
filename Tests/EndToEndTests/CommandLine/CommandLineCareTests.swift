import Foundation
import TerminalDriver
import Testing

/// Tests backups, and what tn doctor finds and repairs.
struct CommandLineCareTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `a backup makes no folders on the way to its file`() throws {
        try transcript.check(
            #"""
            $ tn --new One | wc -l; tn backup missing/folder/copy.sqlite
            1
            ! tn: cannot create missing/folder/copy.sqlite: there is no such folder; create it first or choose another place
            ? 73
            $ ls missing
            ! ls: cannot access 'missing': No such file or directory
            ? 2
            """#)
    }

    @Test func `doctor tells of files that were kept beside the notebook`() throws {
        try transcript.check(
            #"""
            $ tn --new One | wc -l; cd data/takenote-dev; tn backup notes.sqlite.before-1234ABCD | wc -l; printf x > notes.sqlite.damaged-2026; printf x > notes.sqlite.saved-1
            1
            1
            $ cd data/takenote-dev; touch -d 2026-03-01 notes.sqlite.*; tn doctor | grep kept | sed 's/, [0-9]* KB/, SIZE/'
            ok	kept	<FOLDER>/data/takenote-dev/notes.sqlite.before-1234ABCD, SIZE of <DATE>: the notebook that lay here before; tn list --database and tn export show what is in it; then remove it
            ok	kept	<FOLDER>/data/takenote-dev/notes.sqlite.damaged-2026, SIZE of <DATE>: the notebook before a repair; when nothing is missing in yours, remove it
            ok	kept	<FOLDER>/data/takenote-dev/notes.sqlite.saved-1, SIZE of <DATE>: what a program that died has left; remove it
            """#)
    }

    @Test func `doctor tells of a folder of backups that cannot be read`() throws {
        try transcript.check(
            #"""
            $ tn --new One >/dev/null; printf x > data/takenote-dev/backups; tn doctor 2>/dev/null | grep backups
            !!	backups	<FOLDER>/data/takenote-dev/backups: Not a directory; check the file and its folder
            """#)
    }

    @Test func `a file of which nothing is left leads to its backup`() throws {
        let workplace = try Workplace()
        _ = try workplace.tn("--new", input: "One")
        _ = try workplace.query("PRAGMA wal_checkpoint(TRUNCATE)")
        let whole = try Data(contentsOf: workplace.database)
        try whole.prefix(513).write(to: workplace.database)
        let nothing = try workplace.tn("doctor", "--repair")
        #expect(nothing.status == 65 && nothing.error.contains("it has no backup"), "\(nothing)")
        try whole.write(to: workplace.database)
        #expect(try workplace.tn("backup").status == 0)
        try whole.prefix(513).write(to: workplace.database)
        let told = try workplace.tn("doctor", "--repair").error
        let command = try #require(told.firstMatch(of: /tn restore-backup (\S+) brings back/), "\(told)")
        #expect(try workplace.tn("restore-backup", String(command.1)).status == 0)
        #expect(try workplace.tn("show", "One").output == "One")
    }

    @Test func `doctor tells of a journal that cannot be read, and the rest goes on`() throws {
        let workplace = try Workplace()
        _ = try workplace.tn("--new", input: "One")
        let sessions = workplace.database.deletingLastPathComponent().appending(path: "sessions")
        try FileManager.default.createDirectory(at: sessions, withIntermediateDirectories: true)
        let journal = sessions.appending(path: "00000000-AAAA.journal")
        try Data("no journal at all".utf8).write(to: journal)
        // Another program wrote a text: maintenance, which comes after the replay, finds its words.
        _ = try workplace.query("UPDATE note_text SET text = 'One piranesi'")
        #expect(try workplace.tn("search", "piranesi").output.contains("One"))
        let told = try workplace.tn("doctor").output
        #expect(told.contains("!!\tjournal\t\(journal.path).damaged is damaged; what could be read is in your notes"))
    }

    @Test func `who only uses commands has a backup each day that something changed`() throws {
        try transcript.check(
            #"""
            $ tn --new One >/dev/null; tn list >/dev/null; ls data/*/backups 2>/dev/null | wc -l
            0
            $ sqlite3 data/*/notes.sqlite 'UPDATE container SET createdDate = createdDate - 172800000 WHERE id = 1'
            $ tn list >/dev/null; ls data/*/backups | grep -c daily; tn --new Two >/dev/null; ls data/*/backups | wc -l
            1
            1
            """#)
    }

    @Test func `a backup is a notebook, and comes back without losing what was there`() throws {
        try transcript.check(
            #"""
            $ tn backup
            ! tn: there is no notebook <FOLDER>/data/takenote-dev/notes.sqlite yet; tn --new creates it
            ? 66
            $ tn --new One >/dev/null; tn backup copy.sqlite
            copy.sqlite
            $ tn backup copy.sqlite
            ! tn: copy.sqlite already exists; choose another name
            ? 73
            $ tn backup | sed 's/-[0-9a-f]*[.]sqlite$/-ID.sqlite/'
            <FOLDER>/data/takenote-dev/backups/notes-000001-<TIME>-manual-ID.sqlite
            $ tn --new Two >/dev/null; tn restore-backup copy.sqlite; tn list | cut -f3
            One
            $ ls data/*/backups | grep -c restore
            1
            $ tn restore-backup nothing.sqlite
            ! tn: there is no file nothing.sqlite
            ? 66
            $ echo text > text; tn restore-backup text; tn list | cut -f3
            One
            ! tn: text is not a backup of a notebook; tn backup makes one
            $ ln -s data/takenote-dev/notes.sqlite link; tn restore-backup link
            ! tn: link is the notebook itself; give the path of a backup
            ? 65
            $ head -c 20000 copy.sqlite >half.sqlite; tn restore-backup half.sqlite; tn list | cut -f3
            One
            ! tn: half.sqlite is damaged; take another backup, tn doctor names them
            """#)
    }

    @Test func `a damaged notebook is saved as far as it can be read, and the damaged file is kept`() throws {
        try transcript.check(
            #"""
            $ for i in 1 2 3 4 5 6 7 8 9; do yes "text $i" | head -c 9000 | tn --new --title "Note $i" >/dev/null; done; tn list >/dev/null
            $ printf '%04096d' 0 | dd of=$(ls data/*/notes.sqlite) bs=4096 seek=4 conv=notrunc 2>/dev/null; tn doctor | grep -c '^!!'
            1
            $ tn doctor --repair | grep -c repaired; ls data/*/ | grep -c 'damaged-[^-]*-[^-]*-[^-]*Z$'; tn list | wc -l
            1
            1
            9
            $ tn doctor | grep '!!'
            ? 1
            """#)
    }

    @Test func `a notebook that is open elsewhere is neither replaced nor salvaged`() throws {
        let workplace = try Workplace()
        _ = try workplace.tn("new", "One")
        let copy = workplace.folder.appending(path: "copy.sqlite").path
        _ = try workplace.tn("backup", copy)
        let terminal = try TmuxTerminal(workplace, columns: 100, rows: 20)
        try terminal.startNotebook()
        let refused = try workplace.tn("restore-backup", copy)
        #expect(refused.status == 75)
        #expect(refused.error.contains("is open in another program"))
        try terminal.press("C-q")
        // The program restores the terminal before it ends; the shell's next prompt comes after its end.
        try terminal.waitForShell()
        #expect(try workplace.tn("restore-backup", copy).status == 0)
    }

    @Test func `a sound notebook is called so, and a broken one is repaired`() throws {
        try transcript.check(
            #"""
            $ tn doctor
            ! tn: there is no notebook <FOLDER>/data/takenote-dev/notes.sqlite yet; tn --new creates it
            ? 66
            $ tn --new 'To [[Nowhere]]' >/dev/null; tn doctor | grep -v sqlite.3
            ok	notebook	<FOLDER>/data/takenote-dev/notes.sqlite, 1 note
            ok	links	1 leads nowhere: “Nowhere” in “To Nowhere”
            ok	backups	none yet; tn backup makes one
            ok	settings	the defaults; there is no <FOLDER>/config/takenote/config.toml
            $ tn doctor --terminal 2>&1 >/dev/null </dev/null | tail -1
            tn: there is no terminal here, and doctor --terminal needs one
            $ sqlite3 data/*/notes.sqlite 'UPDATE container SET noteCount = 7 WHERE id = 1'; tn doctor | grep '!!'; tn doctor >/dev/null; echo $?
            !!	notebook	a rule is broken: a count is wrong: "<UUID>" 7
            65
            $ tn doctor --repair | grep repaired | cut -f1,2; tn doctor | grep '!!'
            ok	repaired
            ? 1
            $ tn folder add Work >/dev/null; tn folder add Other >/dev/null
            $ sqlite3 data/*/notes.sqlite "UPDATE container SET name = 'WORK' WHERE name = 'Other'"; tn doctor | grep -c '!!'
            1
            $ tn doctor --repair | grep called; tn folder list | cut -f1
            ok	repaired	“WORK” is called “WORK 2” now, since another one beside it has the same name
            Inbox
            Work
            WORK 2
            """#)
    }
}
