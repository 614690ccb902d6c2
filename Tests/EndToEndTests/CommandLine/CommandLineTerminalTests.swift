import Foundation
import Testing

/// Compares the output on a terminal, which `script` provides, with the output into a pipe.
struct CommandLineTerminalTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
        // A command in a terminal with the given number of columns; escape characters are shown as ESC.
        try transcript.write(
            #"""
            export TERM=${TERM_OF_TEST:-xterm}
            script -qec "stty cols $1; $2" /dev/null | sed 's/\x1b/ESC/g; s/\r$//; s/ *$//; s/m[0-9a-f]\{8\}ESC/mIDESC/'
            """#, to: "on")
        try transcript.check(
            #"""
            $ printf 'One \033[31mred\tand \342\200\256a long line that is cut because it is long\n\a' | tn --new >/dev/null
            """#)
    }

    @Test func `colour is for terminals, and never with NO_COLOR or a dumb one`() throws {
        try transcript.check(
            #"""
            $ sh on 60 'tn list'
            ESC[2mIDESC[0m  ESC[2m<DATE>ESC[0m  ESC[1mOne ␛[31mred and <202E>a long line …ESC[0m
            $ NO_COLOR=1 sh on 60 'tn list' | cut -c 9-
              <DATE>  One ␛[31mred and <202E>a long line …
            $ TERM_OF_TEST=dumb sh on 60 'tn list' | cut -c 9-
              <DATE>  One ␛[31mred and <202E>a long line …
            $ tn list | grep -c "$(printf '\033')"
            0
            ? 1
            $ sh on 60 'tn folder list'
            Inbox  ESC[2m1ESC[0m
            $ sh on 60 'env -u TERM tn folder list'; TERM_OF_TEST=unknown sh on 60 'tn folder list'
            Inbox  1
            Inbox  1
            $ echo x > x.md; TERM_OF_TEST=dumb sh on 60 'tn import x.md; tn import x.md --again --dry-run'
            1 note imported.
            x.md  Inbox
            1 note would be imported.
            $ TERM_OF_TEST=dumb sh on 60 'tn today'
            takenote://note/<UUID>
            """#)
    }

    @Test func `control characters are visible on a terminal and go into a pipe as they are`() throws {
        try transcript.check(
            #"""
            $ tn list --json | grep uuid | cut -d '"' -f4 > uuid; sh on 80 'tn show $(cat uuid)' | tr '\t' '>'
            One ␛[31mred>and <202E>a long line that is cut because it is long
            ␇
            $ tn show "$(cat uuid)" | od -An -c | head -1
               O   n   e     033   [   3   1   m   r   e   d  \t   a   n   d
            $ tn show "$(cat uuid)" | tail -1 | od -An -c
              \a
            $ tn show "$(printf 'no\033[31m\nsuch')"
            ! tn: no note is called “no␛[31m such”; tn list and tn search show what there is
            ? 66
            """#)
    }

    @Test func `questions and names that are printed have visible control characters on a terminal`() throws {
        try transcript.check(
            #"""
            $ tn --new 'see #trip' >/dev/null; sh on 80 'tn tags rename trip "$(printf "\033[31mx")"'
            #trip is in the text of 1 note: write #␛[31mx there? [y/N]
            Nothing was renamed.
            $ sh on 80 'tn backup "$(printf "a\033[31m.sqlite")"'
            a␛[31m.sqlite
            $ tn backup "$(printf 'b\033.sqlite')" | od -An -c
               b 033   .   s   q   l   i   t   e  \n
            """#)
    }

    @Test func `a file of the notebook reaches a terminal as text or not at all`() throws {
        try transcript.check(
            #"""
            $ printf 'a\033[31mb\n' >odd.txt; printf '\377\033[31m' >odd.bin; tn file add odd.txt >/dev/null; tn file add odd.bin >/dev/null
            $ sh on 60 'tn file show odd.txt; tn file show odd.bin; echo $?'
            a␛[31mb
            tn: odd.bin is not a text that a terminal can show; write it to a file with >
            65
            $ tn file show odd.bin | od -An -c
             377 033   [   3   1   m
            """#)
    }

    @Test func `a place for another program's picture is a visible symbol everywhere`() throws {
        try transcript.check(
            #"""
            $ printf 'Pic \364\216\273\256\314\205 ture\n' > pic.md; tn --new <pic.md >/dev/null
            $ sh on 60 'tn show $(tn list --limit 1 --json | grep uuid | cut -d \" -f4)' | cut -c 1-12
            Pic <10EEEE>
            $ sh on 60 'tn render pic.md' | cut -c 1-12
            Pic <10EEEE>
            $ sh on 60 'tn render --html pic.md' | cut -c 1-15
            <p>Pic <10EEEE>
            $ tn list --limit 1 --json | grep -o 'Pic .udbfb.udeee'
            Pic \udbfb\udeee
            """#)
    }

    @Test func `lists and help fit a narrow terminal`() throws {
        try transcript.check(
            #"""
            $ NO_COLOR=1 sh on 40 'tn list; tn search red' | cut -c 9-
              <DATE>  One ␛[31mred an…
              <DATE>  One ␛[31mred an…
            $ sh on 40 'tn --help' | grep -A1 -e USAGE
            USAGE: tn [--database <path>] [-n
            <name>] [--reader] <subcommand>
            $ for c in '' new edit append today rename open list show search backlinks history render move star tag archive trash restore empty-trash 'folder add' 'project add' 'tags rename' 'image add' import export mirror backup restore-backup doctor snapshot status config; do sh on 40 "tn $c --help" | awk -v c="$c" 'length($0) > 40 && NF > 1 { print c, $0 }'; done
            """#)
    }

    @Test func `what the doctor says is wrapped on a narrow terminal, and nothing of it is cut`() throws {
        try transcript.check(
            #"""
            $ tn doctor | tr -s '\t\n ' ' ' > piped; NO_COLOR=1 sh on 40 'tn doctor' | tr -s '\n ' ' ' | cmp - piped && echo same
            same
            $ tn notebooks add work >/dev/null; NO_COLOR=1 sh on 20 'tn notebooks' | grep -c '/notes.sqlite$'
            2
            $ for n in 1 2 3 4 5; do echo "[[Missing $n]]"; done | tn --new >/dev/null; test "$(NO_COLOR=1 sh on 40 'tn doctor' | grep -v / | LC_ALL=C.UTF-8 wc -L)" -le 40 && echo fits
            fits
            """#)
    }

    @Test func `a drawing that has no text says where one can come from`() throws {
        try transcript.check(
            #"""
            $ sh on 60 'tn render; echo $?; tn render --html -'
            tn: there is no text; give a file or standard input
            64
            tn: there is no text; give a file or standard input
            """#)
    }

    @Test func `the terminal is examined inside one, and its description is for pipes too`() throws {
        try transcript.check(
            #"""
            $ tn doctor --terminal
            ! tn: there is no terminal here, and doctor --terminal needs one
            ? 64
            $ : > shown; { i=0; until grep -q 'Press what you want' shown || [ $i = 6000 ]; do sleep 0.05; i=$((i+1)); done; printf q; } | TERM=xterm timeout 600 script -qec 'stty cols 80 rows 24; tn doctor --terminal; echo status $?' /dev/null | tee shown | grep -c -e 'Press what you want to see' -e 'status 0'
            2
            """#)
    }
}
