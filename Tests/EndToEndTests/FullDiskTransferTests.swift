import Foundation
import TerminalDriver
import Testing

/// Tests exports, mirrors, backups and imports on a disk that is full: one line says so, nothing is half written, and
/// with room the same command succeeds.
@Suite(.enabled(if: DurabilityOfFilesTests.hasNamespaces, "needs a mount of its own; injected faults stand in for it"))
struct FullDiskTransferTests {
    private let workplace: Workplace
    private static let count = 30

    init() throws {
        workplace = try Workplace()
        let source = workplace.folder.appending(path: "source")
        try FileManager.default.createDirectory(at: source, withIntermediateDirectories: true)
        for number in 10..<10 + Self.count {
            let text = "# Paper \(number)\n\n" + String(repeating: "word \(number) and more\n", count: 600) + "the end"
            try Data(text.utf8).write(to: source.appending(path: "Paper \(number).md"))
        }
    }

    /// A command of the program that fails for want of room, and is then given room.
    struct Task: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The words after `tn`; `$1` is the folder on the small disk.
        let words: String
        /// The words that prepare the small disk while there is room.
        var before = ":"
        /// A condition that holds afterwards, while the disk is full and later; it prints nothing.
        var always = "true"
        /// The condition that holds when the command has succeeded.
        let done: String
    }

    /// Makes a command whose files appear in the folder `out`, one a note, beside a file of the user's own if that is
    /// given as its name and its text.
    private static func intoFolder(
        _ testDescription: String, _ command: String, file pattern: String = "*.md",
        own: (name: String, text: String)? = nil
    ) -> Task {
        var task = Task(
            testDescription: testDescription, words: command,
            done: "test $(find $1/out -name '\(pattern)' | wc -l) = \(count)")
        if let own {
            task.before = "mkdir $1/out; echo '\(own.text)' >$1/out/\(own.name)"
            task.always = "test \"$(cat $1/out/\(own.name))\" = '\(own.text)'"
        }
        return task
    }

    static let tasks = [
        intoFolder("export", "export $1/out"),
        intoFolder("export beside a file of the user's", "export $1/out --force", own: ("own.txt", "mine")),
        intoFolder("export a site", "export $1/out --site", file: "Paper*.html"),
        intoFolder("export pages", "export $1/out --html", file: "Paper*.html"),
        intoFolder("export a vault", "export $1/out --obsidian"),
        intoFolder("mirror", "mirror $1/out"),
        intoFolder(
            "mirror a folder with a file of the user's", "mirror $1/out", file: "Paper*.md", own: ("Mine.md", "# Mine")),
        Task(
            testDescription: "export one file", words: "export $1/all.json --json",
            done: "test $(grep -c '\"content\"' $1/all.json) = \(count)"),
        Task(
            testDescription: "export a book", words: "export $1/book.epub --manuscript --folder source",
            done: "test -s $1/book.epub"),
        Task(
            testDescription: "back up", words: "backup $1/copy.sqlite",
            done: "test $(sqlite3 $1/copy.sqlite 'PRAGMA integrity_check; SELECT count(*) FROM note' | tr -d '\\n')"
                + " = ok\(count)"),
        Task(
            testDescription: "import", words: "--database $1/notes/n.sqlite import source",
            before: "tn --database $1/notes/n.sqlite --new Before >/dev/null",
            always: "test $(sqlite3 $1/notes/n.sqlite \"SELECT count(*) FROM note_text WHERE text = 'Before'\") = 1",
            done: "test $(sqlite3 $1/notes/n.sqlite 'SELECT count(DISTINCT title) * 100 + count(*) FROM note')"
                + " = \((count + 1) * 101)"),
    ]

    /// Runs the task with the given free kilobytes; prints the command's status and error, then what was found.
    private func script(_ task: Task) -> String {
        """
        set -f
        mount -t tmpfs -o size=5m none "$1" || exit 9
        cd '\(workplace.folder.path)'
        tn() { '\(Workplace.program)' "$@"; }
        \(task.before)
        head -c 100m /dev/zero >"$1/filler" 2>/dev/null
        truncate -s -$2k "$1/filler"
        tn \(task.words) >/dev/null 2>error
        echo "full $?"
        cat error
        find "$1" -name '*.part*' -o -name '*.epub' -o -name '*.json' -o -name 'copy.sqlite'
        grep -rL --include='Paper*.md' --include='Paper*.html' 'the end' "$1"
        \(task.always) || echo touched
        rm "$1/filler"
        tn \(task.words) >/dev/null
        echo "room $?"
        \(task.always) || echo touched
        \(task.done) || { echo missing; find "$1"; }
        find "$1" -name '*.part*'
        """
    }

    @Test(arguments: tasks, [0, 12, 160])
    func `a full disk is said in one line, nothing is half written, and with room the same succeeds`(
        task: Task, kilobytes: Int
    ) throws {
        #expect(try workplace.tn("import", workplace.folder.path + "/source").status == 0)
        let disk = workplace.folder.appending(path: "disk").path
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        let result = try workplace.run(
            "/usr/bin/env", ["unshare", "-rm", "sh", "-c", script(task), "sh", disk, "\(kilobytes)"])
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 3, "\(result)")
        #expect(lines.first == "full 74" && lines.last == "room 0", "\(result)")
        let error = lines.dropFirst().first ?? ""
        #expect(error.hasPrefix("tn: ") && error.contains("is full; make room and try again"), "\(result)")
        #expect(result.error == "", "\(result)")
    }
}
