import Testing

/// Tests writing and reading notes from the shell.
struct CommandLineNotesTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `a note is captured from arguments or standard input and only its address is printed`() throws {
        try transcript.check(
            #"""
            $ tn --new Milk and eggs
            takenote://note/<UUID>
            $ printf 'First\n\n  kept as it is\t\n' | tn --new --star
            takenote://note/<UUID>
            $ tn new --title Plan --tag work --tag '#Later' list
            takenote://note/<UUID>
            $ tn --new -- '- [ ] a task'
            takenote://note/<UUID>
            $ tn show First
            First

              kept as it is	
            $ tn show First | wc -c
            24
            $ tn show Plan
            list
            $ tn list
            <ID>	<DATE>	a task	
            <ID>	<DATE>	Plan	list
            <ID>	<DATE>	First	kept as it is
            <ID>	<DATE>	Milk and eggs	
            $ tn list --starred --json | grep -v -e uuid -e url -e created -e updated
            [
              {
                "folder" : "Inbox",
                "starred" : true,
                "tags" : [

                ],
                "title" : "First",
                "words" : 5
              }
            ]
            $ tn tags
            Later	1
            work	1
            """#)
    }

    @Test func `a rename changes a heading or a first line that was the title`() throws {
        try transcript.check(
            #"""
            $ printf '# Plan\n\none' | tn --new >/dev/null; tn rename Plan Plot; tn show Plot
            # Plot

            one
            $ printf 'Walk\n\ntwo' | tn --new >/dev/null; tn rename Walk Hike; tn show Hike
            Hike

            two
            $ tn new --title Name other >/dev/null; tn rename Name Label; tn show Label
            other
            """#)
    }

    @Test func `capture refuses what is not a note and makes none`() throws {
        try transcript.check(
            #"""
            $ tn --new
            ! tn: the note would be empty; give its text as arguments or on standard input
            ? 64
            $ tn --new '  '
            ! tn: the note would be empty; give its text as arguments or on standard input
            ? 64
            $ printf '\n\n' | tn --new
            ! tn: the note would be empty; give its text as arguments or on standard input
            ? 64
            $ printf 'a\377b' | tn --new
            ! tn: standard input is not UTF-8 text; convert it first, for example with iconv; the text is kept in <FOLDER>/state/takenote-dev/drafts/<UUID>/note.md
            ? 65
            $ tn --new --folder Nowhere text
            ! tn: there is no folder “Nowhere”; tn folder list shows what there is
            ? 66
            $ tn --new --folder Trash text
            ! tn: “Trash” cannot hold notes; choose a folder
            ? 65
            $ tn --new --flag text
            ! tn: unknown option '--flag'. Did you mean '--tag'? See tn new --help
            ? 64
            $ tn --new --tag '' text
            ! tn: a name cannot be empty
            ? 65
            $ tn list
            """#)
    }

    @Test func `megabytes are taken from standard input, byte for byte`() throws {
        try transcript.check(
            #"""
            $ yes 'all work and no play' | head -c 3000000 > big; tn --new --title Big < big
            takenote://note/<UUID>
            $ tn show Big | cmp - big && echo same
            same
            """#)
    }

    @Test func `a reference is an address, a UUID, a title or the beginning of a UUID`() throws {
        try transcript.check(
            #"""
            $ tn --new Alpha > address
            $ tn show "$(cat address)"
            Alpha
            $ tn show "$(cut -d/ -f4 address | tr A-F a-f)"
            Alpha
            $ tn show alpha
            Alpha
            $ tn show "$(cut -d/ -f4 address | cut -c1-6)"
            Alpha
            $ tn show Beta
            ! tn: no note is called “Beta”; tn list and tn search show what there is
            ? 66
            $ tn show takenote://note/00000000-0000-0000-0000-000000000000
            ! tn: no note is called “takenote://note/<UUID>”; tn list and tn search show what there is
            ? 66
            $ tn --new Twin >twins; tn --new Twin >>twins
            $ tn show Twin
            ! tn: “Twin” can be 2 notes: <ID> “Twin”, <ID> “Twin”; use one of these
            ? 65
            $ tn show
            ! tn: missing expected argument '<ref>'; see tn show --help
            ? 64
            """#)
    }

    @Test func `notes are listed by folder, tag, star, place and order`() throws {
        try transcript.check(
            #"""
            $ tn folder add Work
            $ for n in b a c; do tn --new --folder Work --title $n text; done > /dev/null; tn --new --tag t Elsewhere >/dev/null
            $ tn list --folder work --sort title | cut -f3
            a
            b
            c
            $ tn list --folder Work --sort title --reverse --limit 2 | cut -f3
            c
            b
            $ tn list --folder Work --sort created | cut -f3
            c
            a
            b
            $ tn list --tag '#T' | cut -f3
            Elsewhere
            $ tn list --limit 0
            ! tn: --limit must be at least 1; see tn list --help
            ? 64
            $ tn archive a; tn trash b
            $ tn list --archive | cut -f3
            a
            $ tn list --trash | cut -f3
            b
            $ tn list --folder Work | cut -f3
            c
            $ tn list --tag none
            ! tn: there is no tag “none”; tn tags list shows what there is
            ? 66
            $ tn list --folder Work/None
            ! tn: there is no “None” in the path “Work/None”; tn folder list shows what there is
            ? 66
            $ tn list --archive --trash
            ! tn: give only one of --archive and --trash; see tn list --help
            ? 64
            $ for n in d e; do tn --new --folder Work --title $n --tag t text; done > /dev/null; tn star e Elsewhere
            $ tn list --folder Work --tag t --sort title | cut -f3
            d
            e
            $ tn list --folder Work --tag t --starred | cut -f3
            e
            $ tn list --tag t --starred --sort title --reverse --limit 1 | cut -f3
            Elsewhere
            $ tn trash d; tn archive e
            $ tn list --trash --tag t | cut -f3
            d
            $ tn list --archive --starred | cut -f3
            e
            $ tn list --folder Work --archive
            $ tn list --limit -1
            ! tn: --limit must be at least 1; see tn list --help
            ? 64
            $ tn list --sort size
            ! tn: the value 'size' is invalid for '--sort <sort>'. Please provide one of 'created', 'updated' or 'title'; see tn list --help
            ? 64
            """#)
    }

    @Test func `a search prints its hits, and ends with 1 without any`() throws {
        try transcript.check(
            #"""
            $ tn --new 'Piranesi: a labyrinth is a house' >/dev/null; tn --new --tag books Ficciones of labyrinths >/dev/null
            $ tn search house labyrinth | cut -f3-
            Piranesi: a labyrinth is a house	Piranesi: a labyrinth is a house
            $ tn search tag:books --json | grep -e title -e snippet
                "snippet" : "",
                "title" : "Ficciones of labyrinths",
            $ tn search minotaur
            ? 1
            $ tn search --limit 0 x
            ! tn: --limit must be at least 1; see tn search --help
            ? 64
            $ tn search
            ! tn: missing expected argument '<query> ...'; see tn search --help
            ? 64
            """#)
    }

    @Test func `text is appended on a line of its own`() throws {
        try transcript.check(
            #"""
            $ tn --new Groceries >/dev/null
            $ tn append Groceries - coffee filters
            $ tn append Groceries -- '- milk'
            $ echo '- eggs' | tn append groceries
            $ tn append Groceries tea; echo rice | tn append Groceries -; echo Dinner | tn --new - >/dev/null; tn show Dinner
            Dinner
            $ tn show Groceries
            Groceries
            - coffee filters
            - milk
            - eggs
            tea
            rice
            $ tn append Groceries
            ! tn: there is nothing to append; give a text as arguments or on standard input
            ? 64
            $ tn append Nothing text
            ! tn: no note is called “Nothing”; tn list and tn search show what there is
            ? 66
            $ tn trash Groceries; tn append Groceries text
            ! tn: “Groceries” is in the Trash; restore it first
            ? 65
            """#)
    }

    @Test func `what was linked tells who links to it`() throws {
        try transcript.check(
            #"""
            $ tn --new Borges > address; tn --new "To read: [Borges]($(cat address))" >/dev/null; tn --new 'Gifts: [[Borges]]' >/dev/null; printf 'Twice\n[[Borges]] 1\n[[Borges]] 2\n' | tn --new >/dev/null
            $ tn backlinks Borges | cut -f3- | sort
            Gifts: Borges	Gifts: [[Borges]]
            To read: Borges	To read: [Borges](takenote://note/<UUID>)
            Twice	[[Borges]] 1
            Twice	[[Borges]] 2
            $ tn backlinks Borges --json | grep -c '"snippet"'
            4
            $ tn backlinks 'Gifts: Borges'
            $ echo 'A note about borges and labyrinths' | tn --new >/dev/null; tn backlinks Borges --unlinked | cut -f3-
            A note about borges and labyrinths	A note about borges and labyrinths
            $ tn backlinks Nothing
            ! tn: no note is called “Nothing”; tn list and tn search show what there is
            ? 66
            """#)
    }

    @Test func `earlier texts are listed, printed and brought back`() throws {
        try transcript.check(
            #"""
            $ tn --new First >/dev/null; tn history First
            $ tn append First more; tn append First; tn history First
            1	<DATE>	1	outside	First
            ! tn: there is nothing to append; give a text as arguments or on standard input
            $ tn history First --show 1; echo; tn history First --restore 1; tn show First
            First
            First
            $ tn history First; tn history First --show 2
            2	<DATE>	2	replaced	First
            1	<DATE>	1	outside	First
            First
            more
            $ tn history Nothing
            ! tn: no note is called “Nothing”; tn list and tn search show what there is
            ? 66
            $ tn history First --restore one
            ! tn: the value 'one' is invalid for '--restore <n>'; see tn history --help
            ? 64
            $ tn history First --restore 7
            ! tn: the note <UUID> has no version 7; tn history shows which it has
            ? 66
            $ tn history First --restore 1 --show 1
            ! tn: give only one of --show and --restore; see tn history --help
            ? 64
            """#)
    }

    @Test func `an image is stored and shown by its Markdown`() throws {
        try transcript.check(
            #"""
            $ printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' > dot.png; tn --new Note >/dev/null
            $ tn image add dot.png
            ![image](takenote://image/<UUID>)
            $ tn image add dot.png --to Note; tn show Note
            ![image](takenote://image/<UUID>)
            Note

            ![image](takenote://image/<UUID>)
            $ printf 'Tea\n\n' | tn --new >/dev/null; tn image add dot.png --to Tea >/dev/null; tn image add dot.png --to Tea >/dev/null; tn show Tea
            Tea

            ![image](takenote://image/<UUID>)

            ![image](takenote://image/<UUID>)
            $ printf 'Milk\n' | tn --new >/dev/null; tn file add dot.png --to Milk >/dev/null; tn show Milk
            Milk

            ![image](takenote://image/<UUID>)
            $ tn image add address.txt
            ! tn: cannot read address.txt: No such file or directory
            ? 66
            $ echo text > text.png; tn image add text.png
            ! tn: text.png is neither a JPEG nor a PNG image
            ? 65
            $ printf '[files]\nlargest = 1\n' > endless.toml; ln -s /dev/zero endless.png; mkdir -p config/takenote; cp endless.toml config/takenote/config.toml; tn image add endless.png
            ! tn: endless.png is a pipe, a device or a socket; save it as a file first
            ? 65
            $ tn image
            OVERVIEW: Add images to the notebook.

            Examples:

              tn image add labyrinth.png --to Borges
              tn append Borges "$(tn image add labyrinth.png)"

            USAGE: tn image <subcommand>

            OPTIONS:
              --version               Show the version.
              -h, --help              Show help information.

            SUBCOMMANDS:
              add                     Add a JPEG or PNG file and print the Markdown that
                                      shows it.

              See 'tn help image <subcommand>' for detailed help.
            """#)
    }

    @Test func `the day's note is made once`() throws {
        try transcript.check(
            #"""
            $ tn today > first; tn today | cmp - first && echo same
            same
            $ tn append "$(cat first)" - saw a heron; tn show "$(cat first)"
            # <DATE>

            - saw a heron
            """#)
    }

    @Test func `a note with a long Hindi title is edited`() throws {
        try transcript.check(
            #"""
            $ title=$(for i in 1 2 3 4 5 6 7 8; do printf 'क्षित्रिय क्षमाशीलता '; done); tn --new --title "$title" text > url; EDITOR='sed -i s/text/more/' tn edit $(cat url); tn show $(cat url)
            more
            """#)
    }
}
