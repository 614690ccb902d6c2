import Testing

/// Tests naming, tagging, moving and throwing away notes, and folders and projects, from the shell.
struct CommandLineArrangingTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `a title given by hand stays until it is taken back`() throws {
        try transcript.check(
            #"""
            $ tn --new Some text >/dev/null; tn rename 'Some text' 'A title'
            $ tn append 'A title' more; tn list | cut -f3-
            A title	Some text more
            $ tn rename 'A title' ''; tn list | cut -f3-
            Some text	Some text more
            $ tn rename Nothing x
            ! tn: no note is called “Nothing”; tn list and tn search show what there is
            ? 66
            $ tn rename x
            ! tn: missing expected argument '<title>'; see tn rename --help
            ? 64
            """#)
    }

    @Test func `tags are added, made, removed and listed`() throws {
        try transcript.check(
            #"""
            $ tn --new Piranesi >/dev/null
            $ tn tag Piranesi --add books --add '#to-read'
            $ tn tag Piranesi
            books
            to-read
            $ tn tag Piranesi --remove to-read --add Books
            $ tn tags list
            books	1
            to-read	0
            $ tn --new Ficciones >/dev/null; tn tag Piranesi Ficciones --add lent; tn tag Ficciones Piranesi
            lent
            books
            $ tn tag Piranesi Ficciones --remove lent; tn tag Piranesi Nothing --add lent
            ! tn: no note is called “Nothing”; tn list and tn search show what there is
            ? 66
            $ tn tags delete lent; tn --new 'A #garden' >/dev/null; tn tag Piranesi 'A #garden' --remove garden
            ! tn: the text has #garden: change it there (tn search tag:garden finds it)
            ? 65
            $ tn tag Piranesi --remove unknown
            ! tn: there is no tag “unknown”; tn tags list shows what there is
            ? 66
            $ tn trash 'A #garden'; tn tags rename books literature; tn tags delete to-read; tn tags
            literature	1
            $ tn tags rename unknown x
            ! tn: there is no tag “unknown”; tn tags list shows what there is
            ? 66
            $ tn tags rename literature ''
            ! tn: a name cannot be empty
            ? 65
            $ tn tags delete unknown
            ! tn: there is no tag “unknown”; tn tags list shows what there is
            ? 66
            """#)
    }

    @Test func `notes are moved, starred and archived, and come back`() throws {
        try transcript.check(
            #"""
            $ tn folder add Work; tn --new One >/dev/null; tn --new Two >/dev/null
            $ tn move One Two --to Work; tn list --folder Work | cut -f3 | sort
            One
            Two
            $ tn move One Nothing --to Inbox
            ! tn: no note is called “Nothing”; tn list and tn search show what there is
            ? 66
            $ tn list --folder Inbox
            $ tn move One --to Nowhere
            ! tn: there is no folder “Nowhere”; tn folder list shows what there is
            ? 66
            $ tn move One --to Trash
            ! tn: “Trash” cannot hold notes; choose a folder
            ? 65
            $ tn move One
            ! tn: missing expected argument '--to <path>'; see tn move --help
            ? 64
            $ tn star One; tn list --starred | cut -f3; tn star One --undo; tn list --starred
            One
            $ tn archive One; tn list --archive | cut -f3; tn search One
            One
            ! tn: 1 more in the Archive: add in:archive
            ? 1
            $ tn folder delete Work; tn archive --undo One
            ! tn: the folder of “One” no longer exists; it is now in “Work”
            $ tn list | cut -f3
            One
            """#)
    }

    @Test func `the Trash gives notes and folders back until it is emptied`() throws {
        try transcript.check(
            #"""
            $ tn empty-trash
            The Trash is empty.
            $ tn folder add Work; tn folder add Work/Talks; tn --new --folder Work/Talks Talk >/dev/null; tn --new Old >/dev/null
            $ tn trash Old; tn folder delete Work
            $ tn folder list --trash
            Trash/Work	0
            Trash/Work/Talks	1
            $ tn list --trash | cut -f3,5 | sort
            Old	Trash
            Talk	Trash/Work/Talks
            ! tn: 2 folders are in the Trash too; tn folder list --trash shows what there is
            $ tn restore Old Work; tn folder list; tn list | cut -f3 | sort
            Inbox	1
            Work	0
            Work/Talks	1
            Old
            Talk
            $ tn restore Old
            ! tn: “Old” is not in the Trash
            ? 65
            $ tn restore Nothing
            ! tn: nothing in the Trash is called “Nothing”; tn list --trash and tn folder list --trash show what there is
            ? 66
            $ tn trash Old; tn folder delete Work
            $ tn empty-trash
            ! tn: there is no terminal to ask “Remove 2 notes, 2 folders for ever?” on; add --yes
            ? 64
            $ tn empty-trash --yes
            Removed for ever: 2 notes, 2 folders.
            $ tn list --trash; ls data/*/backups | wc -l
            1
            """#)
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
}
