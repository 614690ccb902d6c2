import Foundation
import Testing

/// Tests the failures of commands, each with its message and status.
struct CommandLineFailureTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `a title that is written exactly so is meant before others`() throws {
        try transcript.check(
            #"""
            $ tn --new Plan >/dev/null; tn --new plan >/dev/null
            $ tn show plan; echo; tn show Plan
            plan
            Plan
            $ tn show PLAN
            ! tn: “PLAN” can be 2 notes: <ID> “plan”, <ID> “Plan”; use one of these
            ? 65
            $ tn show 0000
            ! tn: no note is called “0000”; tn list and tn search show what there is
            ? 66
            $ tn show "$(tn list --json --limit 1 | grep uuid | cut -d '"' -f4 | cut -c 1-3)"  2>&1 | grep -c 'no note is called'
            1
            """#)
    }

    @Test func `what is in the Trash is found by its title and by the path it had`() throws {
        try transcript.check(
            #"""
            $ for n in 1 2 3; do tn --new Twin | cut -d/ -f4; done > twins; tn trash "$(head -1 twins)"
            $ tn restore "$(tail -1 twins)"
            ! tn: “Twin” is not in the Trash
            ? 65
            $ tn restore Twin; tn list --trash; tn list | wc -l
            3
            $ tn restore Twin
            ! tn: “Twin” is not in the Trash
            ? 65
            $ tn trash $(cat twins); tn restore Twin
            ! tn: “Twin” can be 3 notes: <ID> “Twin”, <ID> “Twin”, <ID> “Twin”; use one of these
            ? 65
            $ tn folder add Work; tn folder add Work/Talks; tn --new --folder Work/Talks Talk >/dev/null; tn folder delete Work/Talks
            $ tn restore Work/Other
            ! tn: nothing in the Trash is called “Work/Other”; tn list --trash and tn folder list --trash show what there is
            ? 66
            $ tn restore work/talks; tn list --folder Work/Talks | cut -f3
            Talk
            $ tn folder add A; tn folder add A/B; tn --new --folder A/B Deep >/dev/null; tn folder delete A
            $ tn restore A/B Deep A Deep A; tn folder list --trash; tn folder list | grep ^A; tn list --folder A/B | cut -f3
            A	0
            A/B	1
            Deep
            $ tn folder add Talks; tn --new --folder Talks Other >/dev/null; tn folder delete Work/Talks; tn folder delete Talks
            $ tn restore Talks; tn list --folder Talks | cut -f3
            Other
            $ tn folder delete Talks; tn restore Talks Other Talks; tn list --folder Talks | cut -f3
            Other
            """#)
    }

    @Test func `a database that can be none is refused before anything is made`() throws {
        try transcript.check(
            #"""
            $ mkdir folder; tn --database folder list
            ! tn: folder is not a notebook of tn; choose another --database
            ? 65
            $ tn --database '' list
            ! tn: --database needs the name of a file; see tn list --help
            ? 64
            $ tn --database '' --new text
            ! tn: --database needs the name of a file; see tn new --help
            ? 64
            $ TAKENOTE_DATABASE=/dev/null/n tn --new text
            ! tn: cannot create /dev/null/n: Not a directory; check the folder's permissions or choose another --database
            ? 73
            $ tn --database deep/er/n.sqlite --new Deep >/dev/null; stat -c %a deep deep/er deep/er/n.sqlite
            700
            700
            600
            $ tn folder list --database deep/er/n.sqlite
            Inbox	1
            $ TAKENOTE_DATABASE=folder tn list --database deep/er/n.sqlite | cut -f3
            Deep
            $ tn restore-backup folder
            ! tn: folder is a folder; give the path of a backup in it
            ? 65
            $ echo text > text; tn restore-backup text
            ! tn: text is not a backup of a notebook; tn backup makes one
            ? 65
            $ tn backup
            ! tn: there is no notebook <FOLDER>/data/takenote-dev/notes.sqlite yet; tn --new creates it
            ? 66
            """#)
    }

    @Test func `what needs a terminal says so and makes nothing`() throws {
        try transcript.check(
            #"""
            $ setsid -w tn --new --open text
            ! tn: there is no terminal here, and the notebook needs one; leave out --open
            ? 64
            $ echo piped | setsid -w tn --new --open 2>&1 | sed 's/kept in .*/kept/'
            tn: there is no terminal here, and the notebook needs one; leave out --open; the text is kept
            $ tn new "$(printf 'ab\377cd')"
            ! tn: the argument “ab�cd” is not UTF-8 text; convert it, or pass it through iconv
            ? 65
            $ tn takenote://note/00000000-0000-0000-0000-000000000000
            ! tn: the notebook needs a terminal on standard input and output; in a script use tn list, show, search or new
            ? 64
            $ tn takenote://note/00000000-0000-0000-0000-000000000000 more
            ! tn: unexpected argument 'more'; see tn open --help
            ? 64
            $ SSH_CONNECTION=x tn
            ! tn: the notebook needs a terminal on standard input and output; start it with ssh -t, or use tn list, show, search or new
            ? 64
            $ tn list | cut -f3
            piped
            ! tn: a text that was kept unsaved is now the note “piped” in the Inbox
            """#)
    }

    @Test func `a mistyped option is told before what is missing because of it`() throws {
        try transcript.check(
            #"""
            $ tn move One --too Work
            ! tn: unknown option '--too'. Did you mean '--to'? See tn move --help
            ? 64
            $ tn project add Poems --typ=poetry
            ! tn: unknown option '--typ'. Did you mean '--type'? See tn project add --help
            ? 64
            $ tn export --jsn all.json
            ! tn: unknown option '--jsn'. Did you mean '--json'? See tn export --help
            ? 64
            $ tn show --pages
            ! tn: unknown option '--pages'; see tn show --help
            ? 64
            """#)
    }

    @Test func `help for what is not a command suggests one`() throws {
        try transcript.check(
            #"""
            $ tn help lst
            ! tn: there is no command “tn lst”; did you mean “tn list”? tn --help lists them
            ? 64
            $ tn ar
            ! tn: there is no command “tn ar”; did you mean “tn archive”? tn --help lists them
            ? 64
            $ tn help folder ad
            ! tn: there is no command “tn folder ad”; did you mean “tn folder add”? tn folder --help lists them
            ? 64
            $ tn help folder add | head -1; tn help | head -1
            OVERVIEW: Create a folder.
            OVERVIEW: A Markdown notebook that lives in the terminal.
            $ tn image add --help | grep 'tn image add l'
              tn image add labyrinth.png
              tn image add labyrinth.png --to Borges
            """#)
    }

    @Test func `arranging refuses what a place cannot hold`() throws {
        try transcript.check(
            #"""
            $ tn --new Note >/dev/null; tn project add Poems --type poetry
            $ tn move Note --to Starred
            ! tn: “Starred” cannot hold notes; choose a folder
            ? 65
            $ tn move Note --to Poems
            ! tn: “Poems” cannot hold notes; choose a folder
            ? 65
            $ tn move Note --to 'Poems/Your Poetry/Draft'; tn list --folder Poems --json | grep '"folder"'
                "folder" : "Poems/Your Poetry/Draft",
            $ tn folder add Inbox/Sub
            ! tn: “Inbox” cannot hold folders; choose another folder
            ? 65
            $ tn folder move Nowhere --to /
            ! tn: there is no folder “Nowhere”; tn folder list shows what there is
            ? 66
            $ tn folder delete Poems
            ! tn: “Poems” is a project, not a folder; use tn project
            ? 65
            $ tn project rename Nothing x
            ! tn: there is no project “Nothing”; tn project list shows what there is
            ? 66
            $ tn project delete Nothing
            ! tn: there is no project “Nothing”; tn project list shows what there is
            ? 66
            $ tn trash Note; for c in 'star Note' 'archive Note' 'rename Note x' 'tag Note --add x' 'move Note --to Inbox'; do tn $c; echo $?; done
            65
            65
            65
            65
            65
            ! tn: “Note” is in the Trash; restore it first
            ! tn: “Note” is in the Trash; restore it first
            ! tn: “Note” is in the Trash; restore it first
            ! tn: “Note” is in the Trash; restore it first
            ! tn: “Note” is in the Trash; restore it first
            """#)
    }

    @Test func `transfers name what is missing or cannot be made`() throws {
        try transcript.check(
            #"""
            $ tn import
            ! tn: missing expected argument '<paths> ...'; see tn import --help
            ? 64
            $ tn import nothing
            ! tn: there is no file nothing
            ? 66
            $ mkdir in; echo One > in/one.md; printf 'a\377' > in/bad.md; tn import in --dry-run
            in/one.md	in
            1 note would be imported.
            ! tn: in/bad.md: not UTF-8 at byte 1
            ? 65
            $ tn import in nothing
            1 note imported.
            ! tn: nothing: no such file
            ! tn: in/bad.md: not UTF-8 at byte 1
            ? 65
            $ tn import in --folder Nowhere
            ! tn: there is no folder “Nowhere”; tn folder list shows what there is
            ? 66
            $ tn import in --folder Trash
            ! tn: “Trash” cannot hold notes; choose a folder
            ? 65
            $ tn export
            ! tn: missing expected argument '<dir>'; see tn export --help
            ? 64
            $ tn export /dev/null/x
            ! tn: cannot create /dev/null/x; check the path and its permissions
            ? 73
            $ tn export out Nothing
            ! tn: no note is called “Nothing”; tn list and tn search show what there is
            ? 66
            $ tn export out --folder Nowhere
            ! tn: there is no folder “Nowhere”; tn folder list shows what there is
            ? 66
            $ tn image add in
            ! tn: cannot read in: Is a directory
            ? 66
            $ tn file add in
            ! tn: cannot read in: Is a directory
            ? 66
            $ printf a | tn render --html -
            <p>a</p>
            $ tn render in
            ! tn: cannot read in: Is a directory
            ? 66
            $ tn render /dev/zero
            ! tn: /dev/zero is too large: the limit is 100 MB
            ? 65
            $ echo a > a.md; tar -czf a.tgz a.md; TMPDIR=/nowhere tn import a.tgz
            ! tn: cannot create a temporary file in /nowhere: No such file or directory; set TMPDIR to a folder that can be written
            ? 73
            $ ls -d out
            ! ls: cannot access 'out': No such file or directory
            ? 2
            """#)
    }
}
