import Foundation
import TerminalDriver
import Testing

/// Tests joining an encrypted repository in the shell.
struct CommandLineSyncTests {
    @Test func `a passphrase is asked for without being shown`() throws {
        let (one, other) = (try Workplace(), try Workplace())
        let url = one.folder.appending(path: "notes.git").path
        #expect(try one.tn("--new", "Marker").status == 0)
        let begun = try one.tn(
            "sync", "init", url, "--encrypt", "--yes", environment: ["TAKENOTE_PASSPHRASE": "old words"])
        #expect(begun.status == 0 && begun.output == "1 note, 0 images. In sync.\n", "\(begun)")
        // Nobody can answer the question, so nothing happens.
        let refused = try other.tn("sync", "init", url, "--yes")
        #expect(refused.status == 77 && refused.error.contains("--key-file"), "\(refused)")
        let terminal = try PseudoTerminal(
            Workplace.program, ["sync", "init", url, "--yes"], environment: other.environment)
        try terminal.wait(for: "Passphrase:")
        try terminal.send("old worlä\u{7F}\u{7F}ds\r")
        try terminal.wait(for: "1 note, 0 images. In sync.")
        #expect(!terminal.screen.lines.contains { $0.contains("old") || $0.contains("*") })
        #expect(try other.tn("show", "Marker").output == "Marker")
        // Without a passphrase one is generated, alone on a line that a program can read.
        let made = try other.tn("sync", "passphrase")
        let phrase = try #require(made.output.split(separator: "\n").first.map(String.init))
        #expect(made.status == 0 && phrase.split(separator: "-").count == 7, "\(made)")
        let third = try Workplace()
        let file = third.folder.appending(path: "phrase")
        try Data(phrase.utf8).write(to: file)
        #expect(try third.tn("sync", "init", url, "--yes", "--key-file", file.path).status == 0)
    }

    /// A program that was killed while it joined has turned the synchronisation on, and no more.
    @Test func `a first synchronisation that was killed goes on with the same command`() throws {
        let workplace = try Workplace()
        let url = workplace.folder.appending(path: "notes.git").path
        #expect(try workplace.tn("--new", "First").status == 0)
        let script = "sqlite3 \"$1\" \"INSERT INTO setting (key, value) VALUES ('sync.url', '$2')\""
        #expect(try workplace.run("/bin/sh", ["-c", script, "sh", workplace.database.path, url]).status == 0)
        let other = try workplace.tn("sync", "init", url + "2", "--yes")
        #expect(other.status == 65 && other.error.contains("synchronised with \(url) already"), "\(other)")
        let begun = try workplace.tn("sync", "init", url, "--yes")
        #expect(begun.status == 0 && begun.output == "1 note, 0 images. In sync.\n", "\(begun)")
        #expect(try workplace.tn("sync", "init", url, "--yes").status == 65)
    }

    @Test func `without a URL it is said what would be sent, or where everything is sent already`() throws {
        let workplace = try Workplace()
        #expect(try workplace.tn("--new", "First").status == 0)
        let before = try workplace.tn("sync", "init")
        #expect(before.status == 0 && before.output.hasPrefix("1 note, 0 images would be sent;"), "\(before)")
        let url = workplace.folder.appending(path: "notes.git").path
        #expect(try workplace.tn("sync", "init", url, "--yes").status == 0)
        let after = try workplace.tn("sync", "init")
        #expect(after.status == 65 && after.error.contains("synchronised with \(url) already"), "\(after)")
    }

    @Test func `what could not be read is said each time until it is gone`() throws {
        let workplace = try Workplace()
        let url = workplace.folder.appending(path: "notes.git").path
        #expect(try workplace.tn("--new", "Read").status == 0)
        #expect(try workplace.tn("sync", "init", url, "--yes").output == "1 note, 0 images. In sync.\n")
        func change(_ line: String) throws {
            let script = """
                export GIT_DIR='\(url)' GIT_INDEX_FILE='\(url)/hand' EMAIL=a@b GIT_AUTHOR_NAME=a GIT_COMMITTER_NAME=a
                git read-tree main && \(line) &&
                git update-ref refs/heads/main $(git commit-tree -p main -m hand $(git write-tree))
                """
            let result = try workplace.run("/bin/sh", ["-c", script])
            #expect(result.status == 0, "\(result)")
        }
        let bytes = "$(printf '\\377' | git hash-object -w --stdin)"
        try change("git update-index --add --cacheinfo 100644,\(bytes),Inbox/Damaged.md")
        for _ in 0..<2 {
            let result = try workplace.tn("sync")
            #expect(result.output == "In sync, but 1 file there is not read: tn sync status lists it.\n", "\(result)")
        }
        #expect(try workplace.tn("sync", "status").output.contains("Inbox/Damaged.md"))
        // A mode of 0 removes a file; the command that is made for it needs a work tree.
        try change("printf '0 %040d\\tInbox/Damaged.md\\n' 0 | git update-index --index-info")
        #expect(try workplace.tn("sync").output == "In sync.\n")
        try change(
            "git update-index --add --cacheinfo 100644,$(echo vault 3 | git hash-object -w --stdin),.tn/format")
        let refused = try workplace.tn("sync")
        #expect(refused.status == 65 && refused.error.contains("“vault 3”, which is not a format"), "\(refused)")
    }
}
