import Foundation
import TerminalDriver
import Testing

/// Tests mirroring a notebook in a folder of Markdown.
struct CommandLineMirrorTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `notes and files become the same, both ways`() throws {
        try transcript.check(
            #"""
            $ printf 'Plan: one\nfirst' | tn --new >/dev/null; tn mirror vault --dry-run; ls -d vault
            Inbox/Plan- one.md	written
            Would be done: 1 file written.
            ! ls: cannot access 'vault': No such file or directory
            ? 2
            $ tn mirror vault; cat vault/Inbox/*; echo
            1 file written.
            Plan: one
            first
            $ tn mirror vault
            Both are the same.
            $ printf '\nsecond\n' >> 'vault/Inbox/Plan- one.md'; mkdir vault/Work; printf 'see [[Plan- one]]' > vault/Work/New.md
            $ tn mirror vault
            2 files taken into the notebook.
            $ tn show 'Plan: one' | tail -1; tn list --folder Work | cut -f3
            second
            New
            $ mv vault/Work vault/Office; tn mirror vault; tn folder list | cut -f1
            1 file taken into the notebook.
            Inbox
            Office
            $ tn rename New Newer; tn mirror vault; ls vault/Office
            1 file renamed.
            Newer.md
            $ rm vault/Office/Newer.md; tn mirror vault; tn list --folder Trash | cut -f3
            1 file gone, with the note in Trash.
            Newer
            """#)
    }

    @Test func `what is left alone is named, and a folder that is gone deletes nothing`() throws {
        try transcript.check(
            #"""
            $ tn --new One >/dev/null; tn mirror vault
            1 file written.
            $ mkdir vault/.git; echo x > vault/paper.pdf; ln -s /etc/hostname vault/link.md; tn mirror vault
            Both are the same.
            ! tn: .git is left alone: it is hidden
            ! tn: link.md is left alone: it is a symbolic link
            ! tn: paper.pdf is left alone: it is not Markdown, and no note shows it
            $ printf '\377\376' > vault/bad.md; tn mirror vault 2>&1 | grep bad; tn mirror vault >/dev/null 2>&1
            tn: bad.md is left alone: it is not UTF-8; convert it
            ? 65
            $ rm vault/bad.md vault/Inbox/One.md; tn mirror vault
            ! tn: vault holds none of the 1 file of the last round; mount its disk; tn mirror --anew writes the notes there again, --delete moves them to Trash
            ? 65
            $ rm -r vault; tn mirror vault; tn list | cut -f3
            One
            ! tn: there is no folder vault, which was mirrored before; mount its disk; tn mirror --anew writes the notes there again, --delete moves them to Trash, --end ends the mirror
            $ tn mirror vault --anew --delete
            ! tn: give only one of --anew and --delete; see tn mirror --help
            ? 64
            $ tn mirror vault --anew; rm -r vault; tn mirror vault --delete; tn list --folder Trash | cut -f3
            1 file written.
            1 file gone, with the note in Trash.
            One
            $ tn mirror vault --end; tn mirror vault --end
            vault is no longer mirrored; its files stay.
            ! tn: vault is not mirrored
            ? 66
            $ tn mirror /proc/x
            ! tn: /proc/x belongs to the system, which keeps no files there; choose a folder of your own
            ? 64
            $ tn mirror /etc/hostname/x
            ! tn: cannot create /etc/hostname/x; check the path and its permissions
            ? 73
            """#)
    }
}
