import Testing

/// Tests the snapshot of a notebook, which feeds status lines and widgets.
struct CommandLineStatusTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
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
}
