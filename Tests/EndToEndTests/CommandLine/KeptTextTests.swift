import Foundation
import Testing

/// Tests that what a full disk keeps out of the notebook is kept as a draft and told, and succeeds once there is room.
@Suite(.enabled(if: DurabilityOfFilesTests.hasNamespaces, "needs a mount of its own"))
struct KeptTextTests {
    /// Runs commands in a folder of their own, with a notebook on a small disk whose path is `$1`.
    ///
    /// - Parameter size: the size of the disk, as `mount` takes it.
    private func run(onDiskOf size: String, _ commands: String) throws -> Workplace.Result {
        let workplace = try Workplace()
        let disk = workplace.folder.appending(path: "disk").path
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let script = """
            cd '\(workplace.folder.path)' && mount -t tmpfs -o size=\(size) none "$1" || exit 9
            export TAKENOTE_DATABASE="$1/n.sqlite"
            tn() { '\(Workplace.program)' "$@"; }

            """
        return try workplace.run("/usr/bin/env", ["unshare", "-rm", "sh", "-c", script + commands, "sh", disk])
    }

    @Test(arguments: ["seq 1 60000 | tn append Before", "tn append Before $(seq 1 1000)", "tn new $(seq 1 20000)"])
    func `a text that is added on a full disk is kept`(_ command: String) throws {
        let result = try run(
            onDiskOf: "1m",
            """
            tn new Before >/dev/null
            head -c 9m /dev/zero >"$1/filler" 2>/dev/null
            \(command) >/dev/null 2>error
            echo $?
            cat error
            file=$(sed 's/.*; the text is kept in //' error)
            tr ' ' '\\n' <"$file" | head -3 | tr '\\n' ' '
            rm "$1/filler"
            mount -o remount,size=9m "$1"
            tn list | wc -l
            """)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines.first == "74", "\(result)")
        #expect(lines.dropFirst().first?.contains("the disk is full; make room and try again (it holds /") == true)
        #expect(lines.dropFirst().first?.contains("); the text is kept in /") == true)
        #expect(lines.last == "1 2 3 2", "\(result)")
    }

    @Test func `a notebook on a full disk can be read, searched, examined, and taken to another disk`() throws {
        let result = try run(
            onDiskOf: "2m",
            """
            tn new Before the flood >/dev/null
            sqlite3 "$1/n.sqlite" "PRAGMA wal_checkpoint(TRUNCATE)" >/dev/null
            head -c 9m /dev/zero >"$1/filler" 2>/dev/null
            tn show "Before the flood"; echo
            tn search flood | wc -l
            tn list | wc -l
            tn history "Before the flood"; echo $?
            tn doctor >/dev/null; echo $?
            tn status
            tn export out >/dev/null && ls out/Inbox
            tn backup copy.sqlite >/dev/null && tn --database copy.sqlite list | wc -l
            tn star "Before the flood"; echo $?
            rm "$1/filler"
            tn star "Before the flood"; echo $?
            """)
        let lines = result.output.split(separator: "\n").map(String.init)
        let read = ["Before the flood", "1", "1", "0", "0", "Inbox 1 · Starred 0", "Before the flood.md", "1"]
        #expect(lines == read + ["74", "0"], "\(result)")
        #expect(result.error.contains("is full; make room and try again"), "\(result)")
    }

    @Test func `what a damaged log hides is not written over where a full disk has no room to keep it`() throws {
        let result = try run(
            onDiskOf: "3m",
            """
            for number in 1 2 3 4 5; do tn new "Note $number" >/dev/null; done
            size=$(stat -c %s "$1/n.sqlite-wal")
            # A checksum of the frame in the middle.
            printf '\\377' | dd of="$1/n.sqlite-wal" bs=1 seek=$((32 + size / 4120 / 2 * 4120 + 18)) conv=notrunc
            head -c 9m /dev/zero >"$1/filler"
            truncate -s -100k "$1/filler"
            tn new More; echo $?
            rm "$1/filler"
            tn list >/dev/null
            tn --database "$(ls "$1"/n.sqlite.log-*)" list | wc -l
            """)
        #expect(result.output.split(separator: "\n").map(String.init) == ["74", "5"], "\(result)")
        #expect(result.error.contains("is full; make room and try again"), "\(result)")
    }

    @Test(arguments: [0, 8])
    func `a synchronisation that begins on a full disk says so, and succeeds with room`(_ kilobytes: Int) throws {
        let result = try run(
            onDiskOf: "3m",
            """
            git init -q --bare "$PWD/remote.git"
            tn new Before >/dev/null
            head -c 9m /dev/zero >"$1/filler" 2>/dev/null
            truncate -s -\(kilobytes)k "$1/filler"
            tn sync init "$PWD/remote.git" --yes >/dev/null 2>error
            echo $?
            cat error
            rm "$1/filler"
            tn sync init "$PWD/remote.git" --yes >/dev/null
            echo $?
            """)
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3 && lines.first == "74" && lines.last == "0", "\(result)")
        #expect(lines.dropFirst().first?.contains("the disk is full; make room and try again (it holds /") == true)
    }

    @Test func `a synchronisation for which there is no room leaves the room to write`() throws {
        let result = try run(
            onDiskOf: "6m",
            """
            tn() { '\(Workplace.program)' "$@" --database "$database"; }
            git init -q --bare remote.git
            database=other.sqlite
            head -c 8m /dev/urandom >large
            tn new "$(tn file add large)" >/dev/null
            tn sync init "$PWD/remote.git" --yes >/dev/null
            database="$1/n.sqlite"
            tn new Before >/dev/null
            tn sync init "$PWD/remote.git" --yes >/dev/null 2>&1
            echo $?
            find "$1" -name 'tmp_*' | wc -l
            tn new After >/dev/null
            tn list | wc -l
            """)
        #expect(result.output.split(separator: "\n").map { Int($0) } == [74, 0, 2], "\(result)")
    }

    @Test func `a kept text names the note that it was to be added to`() throws {
        let workplace = try Workplace()
        #expect(try workplace.tn("new", "--title", "Groceries", "milk").status == 0)
        #expect(try workplace.tn("trash", "Groceries").status == 0)
        let error = try workplace.tn("append", "Groceries", input: "bread\n").error
        #expect(error.contains("; the text is kept in /") && error.contains("/For Groceries.md"), "\(error)")
        #expect(try workplace.tn("append", "Nothing such", input: "flour\n").error.contains("/For Nothing such.md"))
        #expect(try workplace.tn("show", "For “Groceries”").output == "bread\n")
        #expect(try workplace.tn("show", "For “Nothing such”").output == "flour\n")
    }

    @Test(arguments: ["image add", "file add", "restore-backup", "import", "--database list"])
    func `a pipe in the place of a file is refused at once`(_ words: String) throws {
        let workplace = try Workplace()
        #expect(try workplace.tn("new", "One").status == 0)
        let pipe = workplace.folder.appending(path: "pipe.md").path
        #expect(mkfifo(pipe, 0o600) == 0)
        let isOption = words.hasPrefix("--")
        let command = isOption ? words.replacing("--database", with: "--database '\(pipe)'") : "\(words) '\(pipe)'"
        // Nobody writes into the pipe, so a command that opened it would wait for ever; the deadline only ends that.
        let result = try workplace.run("/bin/sh", ["-c", "timeout 100 '\(Workplace.program)' \(command)"])
        #expect(result.status == 65 && result.error.contains("pipe.md"), "\(result)")
    }

    @Test func `a text is not kept twice, and a mistyped name keeps none that was typed`() throws {
        let workplace = try Workplace()
        #expect(try workplace.tn("new", "One").status == 0)
        #expect(try workplace.tn("append", "Onne", "text").error.contains("the text is kept") == false)
        #expect(try workplace.tn("append", "Onne", input: "piped").error.contains("; the text is kept in /"))
        #expect(try workplace.tn("append", "Onne", input: " \n").error.contains("the text is kept") == false)
        #expect(try workplace.tn("list").output.split(separator: "\n").count == 2)
    }
}
