import Foundation
import TerminalDriver
import Testing

/// Tests importing notes from files and other programs, and exporting them to files.
struct CommandLineTransferTests {
    let transcript: Transcript

    init() throws {
        transcript = try Transcript()
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
