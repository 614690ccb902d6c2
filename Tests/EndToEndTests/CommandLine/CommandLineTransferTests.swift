import Foundation
import TerminalDriver
import Testing

/// Tests importing notes from files and other programs, and exporting them to files.
struct CommandLineTransferTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
    }

    @Test func `an export that cannot be read keeps none of the others from coming in`() throws {
        try transcript.write("# One\n", to: "one.md")
        try transcript.check(
            #"""
            $ printf 'PK\003\004 cut' > cut.zip; printf 'PK\005\006' > short.zip
            $ printf '{"activeNotes":[{"id":"1","content":"Simple"}],"trashedNotes":[]}' > notes.json
            $ tn import cut.zip notes.json short.zip one.md; echo $?
            1 note imported.
            1 note imported.
            65
            ! tn: cut.zip is damaged, or not complete; get it again
            ! tn: short.zip is damaged, or not complete; get it again
            $ tn list --sort title | cut -f3
            one
            Simple
            $ tn import cut.zip; echo $?
            65
            ! tn: cut.zip is damaged, or not complete; get it again
            $ tn import cut.zip short.zip; echo $?
            65
            ! tn: cut.zip is damaged, or not complete; get it again
            ! tn: short.zip is damaged, or not complete; get it again
            """#)
    }

    @Test func `files and folders become notes and folders, once`() throws {
        try transcript.write(
            "---\ntitle: Reading list\ntags: [books]\n---\nSee [Borges](sub/borges.md).\n", to: "in/list.md")
        try transcript.write("# Borges\n\n![dot](../dot.png)\n", to: "in/sub/borges.md")
        try transcript.write("plain", to: "one.txt")
        try transcript.check(
            #"""
            $ printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' > in/dot.png
            $ tn import in one.txt --dry-run
            in/list.md	in
            in/sub/borges.md	in/sub
            one.txt	Inbox
            3 notes would be imported.
            $ tn list
            $ tn import in one.txt
            3 notes imported, 1 image.
            $ tn list --sort title | cut -f3-
            borges	Borges dot
            one	plain
            Reading list	See Borges.
            $ tn folder list | cut -f1; tn tags
            in
            in/sub
            Inbox
            books	1
            $ tn show 'Reading list' | tail -1; tn show borges | tail -1
            See [Borges](takenote://note/<UUID>).
            ![dot](takenote://image/<UUID>)
            $ tn import in one.txt
            0 notes imported, 3 unchanged.
            $ tn import in --dry-run | tail -1
            0 notes would be imported, 2 unchanged would be left out.
            $ tn import one.txt --again --folder in/sub
            1 note imported.
            $ tn list --folder in/sub | cut -f3 | sort
            borges
            one
            """#)
    }

    @Test func `Ctrl-C stops an import and an export, which say what they have done`() throws {
        let workplace = try Workplace()
        let folder = workplace.folder.appending(path: "in")
        let temporary = workplace.folder.appending(path: "temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        var environment = workplace.environment
        environment["TMPDIR"] = temporary.path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let count = 3000
        func write(kilobytes: Int) throws {
            let text = String(repeating: "a line of sixteen\n", count: kilobytes * 57)
            for number in 1...count {
                try Data("# Paper \(number)\n\n\(text)".utf8).write(to: folder.appending(path: "\(number).md"))
            }
        }
        /// Returns nil if the command ended before the signal arrived.
        func stopped(_ words: [String]) throws -> String? {
            let terminal = try PseudoTerminal(Workplace.program, words, environment: environment)
            do {
                try terminal.wait(for: "of \(count)")
            } catch {
                guard terminal.waitForExit() == 0 else { throw error }
                return nil
            }
            kill(terminal.process, SIGINT)
            let status = terminal.waitForExit()
            if status == 0 { return nil }
            #expect(status == 130)
            return terminal.screen.lines.joined(separator: "\n")
        }
        var stoppedImport: String?
        // On a busy machine, the signal may be sent late; longer files leave more time for it.
        for kilobytes in [4, 16, 64] where stoppedImport == nil {
            try write(kilobytes: kilobytes)
            for suffix in ["", "-wal", "-shm"] { unlink(workplace.database.path + suffix) }
            stoppedImport = try stopped(["import", folder.path])
        }
        let first = try #require(stoppedImport)
        let sentence = /tn: stopped; (\d+) of 3000 notes are imported and kept/
        let match = try #require(first.firstMatch(of: sentence), "\(first)")
        let imported = Int(match.1) ?? 0
        #expect(imported > 0 && imported < count)
        #expect(try workplace.query("SELECT count(*) FROM notes") == "\(imported)")
        #expect(try workplace.query("PRAGMA integrity_check") == "ok")
        #expect(try workplace.tn("import", folder.path).status == 0)
        #expect(try workplace.query("SELECT count(*) FROM notes") == "\(count)")
        var out = workplace.folder
        var stoppedExport: String?
        for attempt in 0..<20 where stoppedExport == nil {
            out = workplace.folder.appending(path: "out\(attempt)")
            stoppedExport = try stopped(["export", out.path])
        }
        let second = try #require(stoppedExport)
        let told = try #require(second.firstMatch(of: /tn: stopped; (\d+) of 3000 notes are in/), "\(second)")
        let files = try #require(FileManager.default.enumerator(atPath: out.path)).compactMap { $0 as? String }
        #expect(files.count { $0.hasSuffix(".md") } == Int(told.1))
        #expect(!files.contains { $0.hasSuffix(".part") })
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
        #expect(try workplace.tn("doctor").status == 0)
    }

    @Test func `what cannot be imported is named, and the rest goes on`() throws {
        try transcript.write("good", to: "in/good.md")
        try transcript.write("PK", to: "file.zip")
        try transcript.check(
            #"""
            $ printf 'a\377b' > in/bad.md
            $ tn import in file.zip
            1 note imported.
            ! tn: file.zip: not a zip, whatever its name says; get it again
            ! tn: in/bad.md: not UTF-8 at byte 1
            ? 65
            $ tn list | cut -f3
            good
            $ tn import nothing.md
            ! tn: there is no file nothing.md
            ? 66
            $ tn import in/good.md nothing.md
            0 notes imported, 1 unchanged.
            ! tn: nothing.md: no such file
            ? 65
            $ tn import in --folder None
            ! tn: there is no folder “None”; tn folder list shows what there is
            ? 66
            $ tn import in --folder Trash
            ! tn: “Trash” cannot hold notes; choose a folder
            ? 65
            $ tn import
            ! tn: missing expected argument '<paths> ...'; see tn import --help
            ? 64
            """#)
    }

    @Test func `what is exported and imported again is the same`() throws {
        try transcript.check(
            #"""
            $ tn folder add Work; tn --new --folder Work --tag t --star 'Plan: a/b' >/dev/null; tn --new "See [[Plan: a/b]]" >/dev/null
            $ tn export out --front-matter; ls out out/Work
            2 notes exported.
            out:
            Inbox
            Work

            out/Work:
            Plan- a-b.md
            $ tn --database second.sqlite import out
            2 notes imported.
            $ tn list --json --sort title | sed 's/...Z"/Z"/' > a; tn --database second.sqlite list --json --sort title | sed 's/...Z"/Z"/' | cmp - a && echo same
            same
            $ tn export plain 'Plan: a/b'; cat plain/Work/*
            1 note exported.
            Plan: a/b
            $ tn export work --folder Work
            1 note exported.
            $ tn export out --folder None
            ! tn: there is no folder “None”; tn folder list shows what there is
            ? 66
            $ tn export out Nothing
            ! tn: no note is called “Nothing”; tn list and tn search show what there is
            ? 66
            $ tn export out Nothing --folder Work
            ! tn: give notes or --folder, not both; see tn export --help
            ? 64
            $ tn export
            ! tn: missing expected argument '<dir>'; see tn export --help
            ? 64
            $ tn export /dev/null/out 2>&1 | head -1
            tn: cannot create /dev/null/out; check the path and its permissions
            """#)
    }

    @Test func `the whole notebook goes into one JSON file and back`() throws {
        try transcript.check(
            #"""
            $ printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' > dot.png; tn project add Poems --type poetry --details Sea; tn folder add Home; tn folder add Home/Empty
            $ printf 'Text\r\nwith\ttab' | tn --new --title 'By "hand"' --tag a --folder Poems/'Your Poetry'/Draft >/dev/null; tn --new Old >/dev/null; tn --new Gone >/dev/null; tn archive Old; tn trash Gone
            $ tn --new Picture >/dev/null; tn image add dot.png --to Picture >/dev/null
            $ tn export all.json --json
            4 notes exported.
            $ tn export all.json --json
            ! tn: all.json already exists; choose another name
            ? 73
            $ tn export - --json | cmp - all.json && echo same
            same
            $ tn --database b.sqlite import all.json
            4 notes imported, 1 image.
            $ for l in '' --archive --trash; do tn list --sort title --json $l; done > a; for l in '' --archive --trash; do tn --database b.sqlite list --sort title --json $l; done | cmp - a && echo same
            same
            $ tn folder list > a; tn --database b.sqlite folder list | cmp - a && echo same
            same
            $ tn show 'By "hand"' > a; tn --database b.sqlite show 'By "hand"' | cmp - a && echo same
            same
            $ tn --database b.sqlite image add dot.png > a; tn --database b.sqlite show Picture | tail -1 | cmp - a && echo same
            same
            $ tn --database b.sqlite import all.json
            0 notes imported, 4 unchanged.
            $ tn export all --json --html
            ! tn: --json exports the whole notebook; leave out notes and other options; see tn export --help
            ? 64
            $ echo '{"archive": "tn-notebook", "version": 99, "containers": [], "notes": [], "images": []}' > new.json; tn import new.json
            ! tn: new.json was written by a newer tn; please update tn
            ? 65
            $ echo '{"archive": "tn-notebook"' > cut.json; tn import cut.json
            ! tn: cut.json is not an export of tn that tn can read
            ? 65
            """#)
    }

    @Test func `pages of HTML link to each other`() throws {
        try transcript.check(
            #"""
            $ tn folder add Sub; tn --new --folder Sub 'Target & more' > url
            $ tn --new --title Start "[there]($(cat url)) [[Target & more]] [[Nowhere]]" >/dev/null
            $ tn export site --html; find site -type f | sort
            2 notes exported.
            site/.tn-export
            site/Inbox/Start.html
            site/Sub/Target & more.html
            $ grep '<p>' site/*/Start.html
            <p><a href="../Sub/Target%20%26%20more.html">there</a> <a href="../Sub/Target%20%26%20more.html" class="wikilink">Target &amp; more</a> <a class="missing">Nowhere</a></p>
            """#)
    }

    @Test func `an Obsidian vault comes with its links, embeds, tags and front matter`() throws {
        try transcript.write("{}", to: "vault/.obsidian/app.json")
        try transcript.write(
            "---\ntags:\n  - books\naliases: [x]\n---\nSee [[Deep note|that]] and ![[dot.png|100]] #inline\n",
            to: "vault/Start.md")
        try transcript.write("Back to [[Start#Part]] and [rel](../Start.md)\n", to: "vault/Folder/Deep note.md")
        try transcript.check(
            #"""
            $ mkdir vault/files; printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' > vault/files/dot.png
            $ tn import vault --dry-run
            vault/Folder/Deep note.md	vault/Folder
            vault/Start.md	vault
            2 notes would be imported.
            $ tn import vault
            2 notes imported, 1 image.
            $ tn show Start; tn tag Start
            ---
            tags:
              - books
            aliases: [x]
            ---
            See [[Deep note|that]] and ![dot.png|100](takenote://image/<UUID>) #inline
            books
            inline
            $ tn show 'Deep note'
            Back to [[Start#Part]] and [rel](takenote://note/<UUID>)
            $ tn backlinks 'Deep note' | cut -f3; tn backlinks Start | cut -f3
            Start
            Deep note
            Deep note
            $ tn import vault
            0 notes imported, 2 unchanged.
            """#)
    }

    @Test func `a RAW export of Joplin comes with folders, tags, links and images`() throws {
        let ids = (0..<7).map { String(repeating: "\($0)", count: 31) + "a" }
        func item(_ title: String, _ body: String?, _ id: Int, _ properties: String) throws {
            let text = [title, body, "id: \(ids[id])\n\(properties)"].compactMap { $0 }.joined(separator: "\n\n")
            try transcript.write(text, to: "joplin/\(ids[id]).md")
        }
        let dates = "created_time: 2021-03-04T05:06:07.890Z\nupdated_time: 2022-03-04T05:06:07.890Z\n"
        try item("Kitchen", nil, 0, "parent_id: \n\(dates)type_: 2")
        try item(
            "Bread", "Flour: 500 g\n\nSee [cake](:/\(ids[2])) ![](:/\(ids[3]))\n", 1,
            "parent_id: \(ids[0])\n\(dates)is_todo: 0\ntype_: 1")
        try item("Cake", "Sugar", 2, "parent_id: \(ids[0])\n\(dates)type_: 1")
        try item("dot.png", nil, 3, "mime: image/png\nfile_extension: png\n\(dates)type_: 4")
        try item("baking", nil, 4, "parent_id: \n\(dates)type_: 5")
        let noteTag = "note_id: \(ids[1])\ntag_id: \(ids[4])\n\(dates)type_: 6"
        try transcript.write("id: \(ids[5])\n\(noteTag)", to: "joplin/\(ids[5]).md")
        try item("Gone", "x", 6, "parent_id: \(ids[0])\n\(dates)deleted_time: 1700000000000\ntype_: 1")
        try transcript.check(
            #"""
            $ mkdir joplin/resources; printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' > joplin/resources/3333333333333333333333333333333a.png
            $ tn import joplin
            2 notes imported, 1 image.
            ! tn: joplin/6666666666666666666666666666666a.md (Gone): left out, since it was in the other program's Trash
            $ tn show Bread; tn tag Bread
            Flour: 500 g

            See [cake](takenote://note/<UUID>) ![](takenote://image/<UUID>)
            baking
            $ tn list --folder Kitchen --sort title | cut -f3
            Bread
            Cake
            $ tn backlinks Cake | cut -f3
            Bread
            $ tn show Cake --json | grep -e created -e updated | tr -d ' ,' | sed 's/T/ /'
            "created":"<DATE>:07.890Z"
            "updated":"<DATE>:07.890Z"
            $ tn import joplin
            0 notes imported, 2 unchanged.
            ! tn: joplin/6666666666666666666666666666666a.md (Gone): left out, since it was in the other program's Trash
            """#)
    }

    @Test func `exports of Simplenote and Standard Notes are read`() throws {
        try transcript.write(
            """
            {"activeNotes": [{"id": "0123456789abcdef0123456789abcdef", "content": "Shopping\\r\\nmilk",
            "creationDate": "2020-01-02T03:04:05.678Z", "lastModified": "2021-01-02T03:04:05.678Z",
            "tags": ["home"], "pinned": true}], "trashedNotes": [{"id": "x", "content": "gone"}]}
            """, to: "simple.json")
        try transcript.write(
            """
            {"version": "004", "items": [
            {"uuid": "5A5A5A5A-0000-4000-8000-000000000001", "content_type": "Note", "created_at": "2020-01-02T03:04:05.678Z",
            "updated_at": "2020-01-02T03:04:05.678Z", "content": {"title": "Idea", "text": "A text", "references": []}},
            {"uuid": "5A5A5A5A-0000-4000-8000-000000000002", "content_type": "Tag", "content": {"title": "thoughts",
            "references": [{"uuid": "5A5A5A5A-0000-4000-8000-000000000001", "content_type": "Note"}]}},
            {"uuid": "5A5A5A5A-0000-4000-8000-000000000003", "content_type": "SN|UserPreferences", "content": {"x": [1]}}]}
            """, to: "standard.txt")
        try transcript.write(
            #"{"items": [{"uuid": "u", "content_type": "Note", "content": "004:encrypted"}]}"#, to: "locked.txt")
        try transcript.check(
            #"""
            $ tn import simple.json standard.txt
            1 note imported.
            1 note imported.
            ! tn: simple.json (gone): left out, since it was in the other program's Trash
            $ tn list --sort title | cut -f3-; tn tags; tn list --starred | cut -f3
            Idea	A text
            Shopping	milk
            home	1
            thoughts	1
            Shopping
            $ tn show Idea
            A text
            $ tn import simple.json
            0 notes imported, 1 unchanged.
            ! tn: simple.json (gone): left out, since it was in the other program's Trash
            $ tn import locked.txt
            ! tn: locked.txt is encrypted; choose a decrypted backup in Standard Notes
            ? 65
            """#)
    }

    @Test func `a Joplin export of Markdown with front matter comes with dates, tags, links and images`() throws {
        try transcript.write(
            """
            ---
            title: "Bread: white"
            updated: 2022-03-04 05:06:07Z
            created: 2021-03-04 05:06:07Z
            latitude: 0.00000000
            completed?: no
            tags:
              - baking
              - Home made
            ---

            Flour. See [Cake](../Kitchen/Sweets/Cake.md) ![dot](../_resources/dot.png)

            """, to: "joplin/Kitchen/Bread- white.md")
        try transcript.write("Sugar", to: "joplin/Kitchen/Sweets/Cake.md")
        try transcript.check(
            #"""
            $ mkdir joplin/_resources; printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' > joplin/_resources/dot.png; tn import joplin
            2 notes imported, 1 image.
            $ tn show 'Bread: white' | tail -1; tn tag 'Bread: white'; tn folder list | cut -f1
            Flour. See [Cake](takenote://note/<UUID>) ![dot](takenote://image/<UUID>)
            baking
            Home made
            Inbox
            joplin
            joplin/Kitchen
            joplin/Kitchen/Sweets
            $ tn show 'Bread: white' --json | grep -e '"created"' -e '"updated"' | sed 's/T0/ 0/'
              "created" : "<DATE>:07.000Z",
              "updated" : "<DATE>:07.000Z",
            $ tn import joplin
            0 notes imported, 2 unchanged.
            """#)
    }

    @Test func `Markdown folders of Bear and Apple Notes come with links and images`() throws {
        try transcript.write(
            "# Trip to Rome\n#travel/italy #plans#\n\n[[Packing]] ![](Trip%20to%20Rome/dot.png)\n",
            to: "bear/Trip to Rome.md")
        try transcript.write("# Packing\nshoes\n", to: "bear/Packing.md")
        try transcript.write(
            "# Groceries\n\n- [ ] Milk\n\n![dot](attachments/dot.png)\n", to: "apple/iCloud/Notes/Groceries.md")
        try transcript.check(
            #"""
            $ mkdir 'bear/Trip to Rome' apple/iCloud/Notes/attachments; printf '\211PNG\015\012\032\012\000\000\000\015IHDR\000\000\000\001\000\000\000\001\010\000\000\000\000\072\176\233U\000\000\000\012IDATx\332ch\000\000\000\202\000\201\332E\010\073\000\000\000\000IEND\256B\140\202' | tee 'bear/Trip to Rome/dot.png' > apple/iCloud/Notes/attachments/dot.png
            $ tn import bear apple
            3 notes imported, 2 images.
            $ tn show 'Trip to Rome'; tn backlinks Packing | cut -f3
            # Trip to Rome
            #travel/italy #plans#

            [[Packing]] ![](takenote://image/<UUID>)
            Trip to Rome
            $ tn list --folder apple/iCloud/Notes | cut -f3; tn show Groceries | tail -1
            Groceries
            ![dot](takenote://image/<UUID>)
            $ tn import bear apple
            0 notes imported, 3 unchanged.
            """#)
    }

    @Test func `an import stands names, pipes and circles of a stranger's folder`() throws {
        try transcript.write("[[নেই]] আর [[সাহায্য]]", to: "bn/সাহায্য.md")
        try transcript.write("good", to: "in/good.md")
        try transcript.check(
            #"""
            $ mkfifo in/pipe.md; ln -s .. in/up; ln -s /dev/zero in/zero.md; truncate -s 1G in/large.md; touch "$(printf 'in/b\377.md')"
            $ tn import bn/ in/
            3 notes imported.
            ! tn: in/up: a link to another folder; import that folder to have it
            ! tn: in/large.md: too large: 1073 MB, the limit is 100 MB
            ! tn: in/pipe.md: neither a file nor a folder
            ! tn: in/zero.md: neither a file nor a folder
            ? 65
            $ tn list --json | grep -c uuid
            3
            """#)
    }

    @Test func `an export leaves a stranger's files as they are`() throws {
        try transcript.write("theirs", to: "out/Inbox/a.md")
        try transcript.check(
            #"""
            $ tn --new --title a mine >/dev/null; tn export out
            ! tn: out holds other files; choose a new or empty folder, or add --force to keep them and write beside them
            ? 73
            $ tn export out --force; cat out/Inbox/a.md; echo
            0 notes exported.
            theirs
            ! tn: out/Inbox/a.md: not written by an export, or changed since; move it away and export again
            $ tn export new --front-matter; tn import new; ls -l new/Inbox/a.md | cut -c1-10
            1 note exported.
            0 notes imported, 1 unchanged.
            -rw-------
            """#)
    }

    @Test func `a note with a long Hindi title is edited`() throws {
        try transcript.check(
            #"""
            $ title=$(for i in 1 2 3 4 5 6 7 8; do printf 'क्षित्रिय क्षमाशीलता '; done); tn --new --title "$title" text > url; EDITOR='sed -i s/text/more/' tn edit $(cat url); tn show $(cat url)
            more
            """#)
    }

    @Test func `an archive brings earlier texts and is refused below a folder`() throws {
        try transcript.check(
            #"""
            $ tn --new One >/dev/null; EDITOR='sed -i s/One/Two/' tn edit One; tn export all.json --json
            1 note exported.
            $ tn --database b.sqlite import all.json --dry-run; tn --database b.sqlite import all.json
            1 note would be imported.
            1 note imported.
            $ tn history Two > a; tn --database b.sqlite history Two | cmp - a && echo same
            same
            $ tn import all.json --folder Inbox
            ! tn: all.json is a whole notebook, which has its own folders; leave out --folder
            ? 64
            $ ls -l all.json | cut -c1-10
            -rw-------
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

    @Test func `a project's folder is exported with each note once, and its All is found by in:`() throws {
        try transcript.check(
            #"""
            $ tn project add P --type prose
            $ tn new Chapter --star --folder 'P/Your Prose/Draft' >/dev/null
            $ tn export out --folder 'P/Your Prose'
            1 note exported.
            $ find out -name '*.md' | sed 's,.*/,,'
            Chapter.md
            $ tn search 'in:"P/Your Prose/All" chapter' | cut -f3
            Chapter
            $ tn search 'in:starred chapter' | cut -f3
            Chapter
            $ for name in 'P/Your Prose/All' 'All Notes' Starred; do tn ask chapter --in "$name" | grep -c '^Chapter'; done
            1
            1
            1
            $ tn list --folder 'All Notes' | cut -f3
            Chapter
            """#)
    }
}
