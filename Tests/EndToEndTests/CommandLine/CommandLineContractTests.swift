import Foundation
import Testing

/// Tests what scripts rely on beside the commands themselves: paths, names, advice and the bytes that are written.
struct CommandLineContractTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `a database is a file, whatever its name means to SQLite`() throws {
        try transcript.check(
            #"""
            $ tn --database :memory: --new Kept >/dev/null; tn list --database :memory: | cut -f3; stat -c %a :memory:
            Kept
            600
            $ tn --database 'file:a?mode=memory' --new Kept too >/dev/null; tn list --database 'file:a?mode=memory' | cut -f3
            Kept too
            $ TAKENOTE_DATABASE=new/ tn --new Slash >/dev/null; tn --database new list | cut -f3; ls new*
            Slash
            new
            new-lock
            new-shm
            new-wal
            """#)
    }

    @Test func `a theme that is missing is reported with the place that names it`() throws {
        try transcript.check(
            #"""
            $ TAKENOTE_THEME=nosuch tn config | grep '!'
            # ! TAKENOTE_THEME: there is no theme "nosuch"
            $ mkdir -p config/takenote; echo 'theme = "nosuch"' > config/takenote/config.toml; tn config | grep '!'
            # ! config.toml: there is no theme "nosuch"
            """#)
    }

    @Test func `what is added to a Windows text begins on a line that ends as the others do`() throws {
        try transcript.check(
            #"""
            $ printf 'a\r\nb' | tn --new --title Plan >/dev/null; tn append Plan c; tn show Plan | od -An -c
               a  \r  \n   b  \r  \n   c
            $ printf 'x\n' > f.pdf; tn file add f.pdf --to Plan >/dev/null; tn show Plan | tail -2 | tr '\r' '>' | sed 's/(.*)//'
            c>
            [f.pdf]>
            $ printf '1\nappend d\nquit\n' | (echo list; cat) | tn line >/dev/null; tn show Plan | tail -1 | tr '\r' '>'
            d>
            $ printf 'e\n' | tn append Plan; tn show Plan | tail -1 | od -An -c
               e  \n
            $ printf 'a\nb' | tn --new --title Other >/dev/null; tn append Other c; tn show Other | od -An -c
               a  \n   b  \n   c
            """#)
    }

    @Test func `every way to ask for the script of bash gives the one that runs no title`() throws {
        try transcript.check(
            #"""
            $ for w in '--generate-completion-script bash' --generate-completion-script=bash --generate-completion-script 'list --generate-completion-script bash' '--generate-completion-script bash more'; do SHELL=/bin/bash tn $w | cksum; done | uniq | wc -l
            1
            $ SHELL=/bin/bash tn --generate-completion-script | grep -c _tn_arranged
            2
            $ tn --generate-completion-script=csh
            ! tn: can't generate completion scripts for 'csh'. Please use --generate-completion-script=<shell> with one of: zsh bash fish; see tn --help
            ? 64
            $ tn append Nothing -- --generate-completion-script
            ! tn: no note is called “Nothing”; tn list and tn search show what there is
            ? 66
            """#)
    }

    @Test func `a word that is not a command gets its suggestion behind the options of the notebook too`() throws {
        try transcript.check(
            #"""
            $ tn --database x.sqlite lst
            ! tn: there is no command “tn lst”; did you mean “tn list”? tn --help lists them
            ? 64
            $ tn -n default folder lst
            ! tn: there is no command “tn folder lst”; did you mean “tn folder list”? tn folder --help lists them
            ? 64
            $ tn --database=x.sqlite help folder add | head -1; ls
            OVERVIEW: Create a folder.
            bin
            """#)
    }

    @Test func `advice is about what was asked for`() throws {
        try transcript.check(
            #"""
            $ tn --new Plan >/dev/null; tn backup /dev/null/x
            ! tn: cannot create /dev/null/x: Not a directory; check the folder's permissions or choose another place
            ? 73
            $ XDG_STATE_HOME=/dev/null/x tn snapshot
            ! tn: cannot create /dev/null/x: Not a directory; check the folder's permissions or set XDG_STATE_HOME
            ? 73
            $ tn move Plan --to /
            ! tn: there is no folder “/”; tn folder list shows what there is
            ? 66
            """#)
    }

    @Test func `a dash is no folder for an export, and no file for a backup`() throws {
        try transcript.check(
            #"""
            $ tn --new Plan >/dev/null; tn export -
            ! tn: only --json writes to standard output; give a folder or file; see tn export --help
            ? 64
            $ tn backup - | wc -c
            0
            ! tn: a backup cannot be written to standard output; give a file; see tn backup --help
            $ tn backup ./-; tn export ./out; ls -d -- - out
            ./-
            1 note exported.
            -
            out
            """#)
    }

    @Test func `a wish without words is not sent`() throws {
        try transcript.check(
            #"""
            $ echo text | tn assist --yes "$UNSET" "  "
            ! tn: say what to do with the text; see tn assist --help
            ? 64
            """#)
    }

    @Test func `a variable that is not UTF-8 names no other file`() throws {
        try transcript.check(
            #"""
            $ TAKENOTE_DATABASE="$(printf 'a\377')" tn --new text
            ! tn: the variable TAKENOTE_DATABASE is not UTF-8 text; set it to a path that is
            ? 65
            $ XDG_DATA_HOME="$PWD/$(printf 'a\377')" tn list
            ! tn: the variable XDG_DATA_HOME is not UTF-8 text; set it to a path that is
            ? 65
            $ ls
            bin
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

    @Test func `a command whose output cannot be written says what it has stored, and where`() throws {
        try transcript.check(
            #"""
            $ tn --new kept > /dev/full 2> told; echo $?; tn show "$(grep -o 'takenote:.*' told)"; echo; sed 's/note\/.*/note\/ID/' told
            74
            kept
            tn: cannot write to standard output: No space left on device; the note is stored: takenote://note/ID
            $ tn today 2>&1 > /dev/full | sed 's/note\/.*/note\/ID/'
            tn: cannot write to standard output: No space left on device; the note is stored: takenote://note/ID
            $ echo a > a.txt; tn file add a.txt 2>&1 > /dev/full | sed 's/file\/[^)]*/file\/ID/'
            tn: cannot write to standard output: No space left on device; the file is stored: [a.txt](takenote://file/ID)
            $ mkdir notes; echo One > notes/one.md; tn import notes > /dev/full
            ! tn: cannot write to standard output: No space left on device; done: 1 note imported.
            ? 74
            $ tn --database other.sqlite mirror notes > /dev/full
            ! tn: cannot write to standard output: No space left on device; done: 1 file taken into the notebook.
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
