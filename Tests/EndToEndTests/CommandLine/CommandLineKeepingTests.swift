import Foundation
import Testing

/// Tests commands for folders, projects and the whole notebook, and for missing items.
struct CommandLineKeepingTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `folders are made, renamed, moved and deleted by their paths`() throws {
        try transcript.check(
            #"""
            $ tn folder add Work; tn folder add Work/Talks; tn folder add 'Work/A\/B'
            $ tn folder list
            Inbox	0
            Work	0
            Work/A\/B	0
            Work/Talks	0
            $ tn folder rename Work/Talks Speeches; tn folder move Work/Speeches --to /; tn folder list | cut -f1
            Inbox
            Speeches
            Work
            Work/A\/B
            $ tn folder add Work
            ! tn: “Work” is already used; choose another name
            ? 65
            $ tn folder add None/Sub
            ! tn: there is no folder “None”; tn folder list shows what there is
            ? 66
            $ tn folder add ''
            ! tn: a name cannot be empty
            ? 65
            $ tn folder move Work --to 'Work/A\/B'
            ! tn: “Work” cannot be moved into itself
            ? 65
            $ tn folder rename Inbox Other
            ! tn: “Inbox” is built in and can't be changed
            ? 65
            $ tn folder delete Nowhere
            ! tn: there is no folder “Nowhere”; tn folder list shows what there is
            ? 66
            $ tn folder rename Work ' '
            ! tn: a name cannot be empty
            ? 65
            $ tn folder delete Work; tn folder | cut -f1
            Inbox
            Speeches
            """#)
    }

    @Test func `projects come with the folders of their type`() throws {
        try transcript.check(
            #"""
            $ tn project add 'Sea Poems' --type poetry --details 'For spring'
            $ tn project
            Sea Poems	poetry	0	For spring
            $ tn folder list | grep Sea | cut -f1
            Sea Poems
            Sea Poems/Your Poetry
            Sea Poems/Your Poetry/All
            Sea Poems/Your Poetry/Draft
            Sea Poems/Your Poetry/Ready
            Sea Poems/Your Poetry/Set Aside
            Sea Poems/Your Poetry/Published
            Sea Poems/Your Poetry/Collections
            Sea Poems/Your Poetry/Submissions
            Sea Poems/Your Poetry/Research
            Sea Poems/Publications
            Sea Poems/Publications/Magazines
            Sea Poems/Publications/Competitions
            Sea Poems/Publications/Commissions
            Sea Poems/Publications/Other
            $ tn project rename 'Sea Poems' Tides; tn project delete Tides; tn project list
            $ tn project add Other
            ! tn: missing expected argument '--type <type>'; see tn project add --help
            ? 64
            $ tn project add Other --type novel
            ! tn: the value 'novel' is invalid for '--type <type>'. Please provide one of 'poetry', 'prose' or 'drama'; see tn project add --help
            ? 64
            $ tn project delete Inbox
            ! tn: “Inbox” is built in and can't be changed
            ? 65
            $ tn folder add Plain; tn project delete Plain
            ! tn: “Plain” is a folder, not a project; use tn folder
            ? 65
            """#)
    }

    @Test func `a project whose name has a slash is found by its name, and by its path`() throws {
        try transcript.check(
            #"""
            $ tn folder add A; tn folder add A/B; tn project add A/B --type poetry; tn project | cut -f1
            A\/B
            $ tn project rename A/B C/D; tn project | cut -f1
            C\/D
            $ tn project rename 'C\/D' E/F; tn project delete E/F; tn project; tn folder list | grep ^A
            A	0
            A/B	0
            $ tn project delete A/B
            ! tn: “A/B” is a folder, not a project; use tn folder
            ? 65
            $ tn project delete C/D
            ! tn: there is no project “C/D”; tn project list shows what there is
            ? 66
            """#)
    }

    @Test func `wrong usage says what is right and ends with 64`() throws {
        try transcript.check(
            #"""
            $ tn lst
            ! tn: there is no command “tn lst”; did you mean “tn list”? tn --help lists them
            ? 64
            $ tn quux
            ! tn: there is no command “tn quux”; tn --help lists them
            ? 64
            $ tn folder lst
            ! tn: there is no command “tn folder lst”; did you mean “tn folder list”? tn folder --help lists them
            ? 64
            $ tn list --foldr x
            ! tn: unknown option '--foldr'. Did you mean '--folder'? See tn list --help
            ? 64
            $ tn show
            ! tn: missing expected argument '<ref>'; see tn show --help
            ? 64
            $ tn
            ! tn: the notebook needs a terminal on standard input and output; in a script use tn list, show, search or new
            ? 64
            $ tn open Nothing
            ! tn: the notebook needs a terminal on standard input and output; in a script use tn list, show, search or new
            ? 64
            $ tn tags rename
            ! tn: missing expected argument '<tag>'; see tn tags rename --help
            ? 64
            """#)
    }

    @Test func `help has examples and fits the width`() throws {
        try transcript.check(
            #"""
            $ tn --version
            0.2.0
            $ tn help append | head -12
            OVERVIEW: Add text at the end of a note.

            The text begins a line of its own. It is taken from the arguments, else from
            standard input, which - names too. Examples:

              tn append Groceries "- coffee filters"
              make 2>&1 | tail -5 | tn append "Build log"

            USAGE: tn append [--database <path>] [-n <name>] <ref> [<text> ...]

            ARGUMENTS:
              <ref>                   A takenote:// URL, a UUID, a title, or the first 4 or
            $ for c in new edit append today rename open list show search backlinks history render move star tag archive trash restore empty-trash folder project tags image import export mirror backup restore-backup doctor manual snapshot status config; do tn $c --help > help; grep -q -e '^Examples*:' -e ' Examples*:' help || echo no example: $c; awk -v c=$c 'length($0) > 80 { print c, length($0) }' help; done
            """#)
    }

    @Test func `files that cannot be used are named with the reason`() throws {
        try transcript.check(
            #"""
            $ tn --database /dev/null/x.sqlite list
            ! tn: cannot create /dev/null/x.sqlite: Not a directory; check the folder's permissions or choose another --database
            ? 73
            $ echo 'not a database at all, by any means' > text; tn --database text list
            ! tn: text is not a notebook of tn; choose another --database
            ? 65
            $ sqlite3 other.sqlite 'CREATE TABLE t (x)'; tn --database other.sqlite list
            ! tn: other.sqlite is not a notebook of tn; choose another --database
            ? 65
            $ tn --new x >/dev/null; sqlite3 data/*/notes.sqlite "VACUUM INTO 'newer.sqlite'"; sqlite3 newer.sqlite 'PRAGMA user_version = 999'; tn --database newer.sqlite list
            ! tn: newer.sqlite was written by a newer tn (format 999, this one knows 11); please update tn
            ? 65
            $ tn list > /dev/full
            ! tn: cannot write to standard output: No space left on device
            ? 74
            $ tn search --json xylophone > /dev/full
            ! tn: cannot write to standard output: No space left on device
            ? 74
            $ tn new --help > /dev/full
            ! tn: cannot write to standard output: No space left on device
            ? 74
            """#)
    }

    @Test func `the database can be named before and after the command, and by the environment`() throws {
        try transcript.check(
            #"""
            $ tn --database a.sqlite --new One >/dev/null; tn list --database=a.sqlite | cut -f3
            One
            $ TAKENOTE_DATABASE=a.sqlite tn list | cut -f3
            One
            $ tn --database a.sqlite folder list | cut -f1
            Inbox
            $ tn list
            $ tn --database
            ! tn: missing value for '--database <path>'; see tn --help
            ? 64
            """#)
    }

    @Test func `a drawing is no wider than asked, and no control of its text gets through`() throws {
        try transcript.write(
            """
            # A title that is long enough to be wrapped, and \u{1B}[31mred\u{07}

            | Name | Born | Town | Remarks | 天気 |
            |------|-----:|:----:|---------|------|
            | Ana | 1971 | Vigo | bread of the old kind, and **the best** coffee | 雨のち曇り、ところにより雪 |
            | a\tb\u{1B} | \u{9B} | \u{202E}c | ![i\u{1B}](x) | `\u{7F}` |

            > - [ ] quoted, with https://example.org/a/long/address/that/goes/on/and/on/and/on/and/on/and/on/and/on
            >   1. 日本語の文章は、どこでも改行できます。ただし句読点は行頭に来ません。

            ```
            \tcode\u{1B}]8;;x\u{07} that is long enough to be broken at the end of any line that is looked at here, surely
            ```

            ***

            <b>\u{1B}</b> ![a picture with a name that is longer than the narrowest of lines](takenote://image/X)

            A note[^1].

            [^1]: Its text\u{1B}[2J.

            """, to: "all.md")
        try transcript.check(
            #"""
            $ for w in 20 40 80 120; do tn render --width $w all.md > $w; widest=$(LC_ALL=C.UTF-8 wc -L < $w); test $widest -le $w || echo $w: $widest; LC_ALL=C tr -d '\n\040-\176\200-\377' < $w | wc -c; grep -c "$(printf '\302\233')" $w || true; done
            0
            0
            0
            0
            0
            0
            0
            0
            """#)
    }

    @Test func `Markdown becomes HTML without a notebook`() throws {
        try transcript.check(
            #"""
            $ printf '# Title\n\n~~gone~~ [[Link]] #tag\n' > a.md; tn render --html a.md
            <h1>Title</h1>
            <p>~~gone~~ [[Link]] #tag</p>
            $ tn render --html --gfm < a.md
            <h1>Title</h1>
            <p><del>gone</del> [[Link]] #tag</p>
            $ tn render --html --extended a.md | head -1
            <h1>Title</h1>
            $ printf '# T\n\n- [x] done and **bold** words that are wrapped\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n' | tn render --width 20
            T
            ━━━
            ☑ done and bold
              words that are
              wrapped

            a │ b
            ──┼──
            1 │ 2
            $ printf '| น้ำ | x |\n|---|---|\n| ก | y |\n| কাজ | z |\n' | tn render
            น้ำ  │ x
            ────┼──
            ก   │ y
            কাজ │ z
            $ tn render --gfm a.md
            ! tn: --gfm and --extended go with --html; see tn render --help
            ? 64
            $ tn render none.md
            ! tn: cannot read none.md: No such file or directory
            ? 66
            $ tn render --html --gfm --extended a.md
            ! tn: give only one of --gfm and --extended; see tn render --help
            ? 64
            $ for n in 9 10001 9223372036854775807; do printf '%s\n' a --- | tn render --width $n; done
            ! tn: --width must be at least 10; see tn render --help
            ! tn: --width must be at most 10000; see tn render --help
            ! tn: --width must be at most 10000; see tn render --help
            ? 64
            $ printf '\377' | tn render --html
            ! tn: standard input is not UTF-8 text; convert it first, for example with iconv
            ? 65
            $ test -e data || echo no notebook was made
            no notebook was made
            """#)
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

    @Test func `the snapshot feeds status lines and follows the notebook`() throws {
        try transcript.check(
            #"""
            $ tn status
            ! tn: there is no notebook <FOLDER>/data/takenote-dev/notes.sqlite yet; tn --new creates it
            ? 66
            $ tn --new One >/dev/null; tn status; tn status inbox
            Inbox 1 · Starred 0
            Inbox 1: One
            $ tn --new --star 'A <b> & c' >/dev/null; tn status starred; tn status --json starred
            Starred 1: A & c
            {"class":"notes","notes":[{"title":"A & c","url":"takenote://note/<UUID>"}],"text":"Starred 1: A &amp; c","tooltip":"A &amp; c"}
            $ tn snapshot
            <FOLDER>/state/takenote-dev/snapshot.json
            $ grep -c isInbox "$(tn snapshot)"
            1
            $ tn status other
            ! tn: the value 'other' is invalid for '<subject>'. Please provide one of 'inbox' and 'starred'; see tn status --help
            ? 64
            """#)
    }

    @Test func `the status is that of its notebook, whichever wrote the snapshot last`() throws {
        try transcript.check(
            #"""
            $ tn --new Here >/dev/null; tn --new --database other.sqlite Elsewhere >/dev/null; tn status inbox
            Inbox 1: Here
            $ tn snapshot --database other.sqlite >/dev/null; tn status inbox
            Inbox 1: Here
            $ TAKENOTE_DATABASE=other.sqlite tn status inbox; tn status inbox
            Inbox 1: Elsewhere
            Inbox 1: Here
            $ tn status --database=~/other.sqlite inbox
            Inbox 1: Elsewhere
            $ tn status --database none.sqlite; ls none.sqlite
            ! tn: there is no notebook none.sqlite yet; tn --new creates it
            ! ls: cannot access 'none.sqlite': No such file or directory
            ? 2
            $ echo '{' >"$(tn snapshot)"; tn status inbox; grep -c isInbox state/takenote*/snapshot.json
            Inbox 1: Here
            1
            """#)
    }

    @Test func `the configuration is printed, or its documented default`() throws {
        try transcript.check(
            #"""
            $ tn config | head -1
            # There is no <FOLDER>/config/takenote/config.toml; these are the defaults.
            $ tn config --default | head -1
            # The configuration of tn: every setting with its default. A line that begins with # has no
            $ mkdir -p config/takenote; printf 'theme = "dark"\n[editor]\nwrap = 1\n' > config/takenote/config.toml; tn config | head -8
            # <FOLDER>/config/takenote/config.toml
            # ! config.toml, line 3: editor.wrap is true or false, not 1

            theme = "dark"
            notebook = ""

            [editor]
            wrap = true
            """#)
    }
}
