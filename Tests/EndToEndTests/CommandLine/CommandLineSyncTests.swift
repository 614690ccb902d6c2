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
}
