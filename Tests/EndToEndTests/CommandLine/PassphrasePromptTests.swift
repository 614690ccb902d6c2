import Foundation
import TerminalDriver
import Testing

/// Tests the typing of a passphrase that is not shown.
struct PassphrasePromptTests {
    /// Returns the address of an encrypted repository whose passphrase is “old words”.
    private func repository(_ place: Workplace) throws -> String {
        let url = place.folder.appending(path: "notes.git").path
        let begun = try place.tn(
            "sync", "init", url, "--encrypt", "--yes", environment: ["TAKENOTE_PASSPHRASE": "old words"])
        #expect(begun.status == 0, "\(begun)")
        return url
    }

    private func joining(_ place: Workplace, _ url: String) throws -> PseudoTerminal {
        let terminal = try PseudoTerminal(
            Workplace.program, ["sync", "init", url, "--yes"], environment: place.environment)
        try terminal.wait(for: "Passphrase:")
        return terminal
    }

    @Test(arguments: [
        // Arrows, function keys, Delete, Home, a key with Alt, control characters and a Tab.
        ["\u{1B}[A", "\u{1B}OD", "old", "\u{1B}[15~", "\u{1B}OP", " wo", "\u{1B}[3~", "\u{1B}x", "\u{1}", "\t", "rds"],
        ["old wor", "\u{1B}[1;5C", "ds", "\u{1B}[1;2P"],
        // A paste that includes the line's end; a paste with a control character is refused completely.
        ["\u{1B}[200~old \u{7}words\u{1B}[201~", "old ", "\u{1B}[200~words\n\u{1B}[201~"],
        // Mistyped text is removed by letter, by word, and all at once.
        ["wrong", "\u{15}", "old worlä\u{1F600}", "\u{7F}", "\u{7F}\u{7F}", "ds"],
        ["old words more", "\u{17}", "\u{7F}"],
        // A control character that has no key.
        ["old w", "\u{85}", "ords"],
    ])
    func `only what is meant as a letter stands in a passphrase`(_ pieces: [String]) throws {
        let (one, other) = (try Workplace(), try Workplace())
        let terminal = try joining(other, try repository(one))
        for piece in pieces {
            try terminal.send(piece)
            try terminal.waitUntilIdle(milliseconds: 100)
        }
        try terminal.send("\r")
        try terminal.wait(for: "In sync.")
        #expect(!terminal.screen.lines.contains { $0.contains("ords") || $0.contains("[") || $0.contains("*") })
        #expect(terminal.waitForExit() == 0)
        #expect(terminal.settings == terminal.settingsBefore)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGINT, SIGQUIT])
    func `a signal leaves the terminal as it was`(_ signal: Int32) throws {
        let (one, other) = (try Workplace(), try Workplace())
        let terminal = try joining(other, try repository(one))
        try terminal.send("half")
        try terminal.waitUntilIdle(milliseconds: 100)
        #expect(terminal.settings != terminal.settingsBefore, "nothing is shown")
        kill(terminal.process, signal)
        #expect(terminal.waitForExit() == 128 + signal)
        #expect(terminal.settings == terminal.settingsBefore)
        #expect(!terminal.screen.lines.contains { $0.contains("half") })
        // The repository was not joined.
        #expect(try other.tn("sync", "status").output.contains("not synchronised"))
    }

    @Test(arguments: ["half\u{3}", "half\u{1C}", "\u{4}"])
    func `the keys that stop a program stop the question`(_ typed: String) throws {
        let (one, other) = (try Workplace(), try Workplace())
        let terminal = try joining(other, try repository(one))
        try terminal.send(typed)
        #expect(terminal.waitForExit() == 130)
        #expect(terminal.screen.contains("nothing was changed"))
        #expect(terminal.settings == terminal.settingsBefore)
    }

    @Test func `who has no terminal any more is not asked for ever`() throws {
        let (one, other) = (try Workplace(), try Workplace())
        let terminal = try joining(other, try repository(one))
        try terminal.send("half")
        terminal.hangUp()
        #expect(terminal.waitForExit() ?? 0 != 0)
    }

    @Test func `a renewed key is asked for on the other machines`() throws {
        let (one, other) = (try Workplace(), try Workplace())
        let url = try repository(one)
        let words = ["TAKENOTE_PASSPHRASE": "old words"]
        #expect(try other.tn("sync", "init", url, "--yes", environment: words).status == 0)
        #expect(try other.tn("--new", "Unsent").status == 0)
        let file = one.folder.appending(path: "phrase")
        try Data("new words\n".utf8).write(to: file)
        let renewed = try one.tn("sync", "rekey", "--key-file", file.path)
        #expect(renewed.status == 0, "\(renewed)")
        #expect(
            renewed.output
                == "Everything is encrypted with a new key; your other machines ask for the new passphrase.\n")
        // In the background it is reported in one line.
        let refused = try other.tn("sync", "--quiet")
        #expect(refused.status == 77 && refused.output == "", "\(refused)")
        #expect(
            refused.error.split(separator: "\n").count == 1 && refused.error.contains("has a new key"), "\(refused)")
        let terminal = try PseudoTerminal(Workplace.program, ["sync"], environment: other.environment)
        try terminal.wait(for: "Its new passphrase:")
        try terminal.send("new words\r")
        #expect(terminal.waitForExit() == 0)
        #expect(try other.tn("sync").output.contains("In sync."))
        #expect(try one.tn("sync").status == 0)
        #expect(try one.tn("show", "Unsent").output == "Unsent")
        // Without any source of a passphrase one is generated, alone on a line that a program can read.
        let made = try other.tn("sync", "rekey")
        let phrase = try #require(made.output.split(separator: "\n").first.map(String.init))
        #expect(made.status == 0 && phrase.split(separator: "-").count == 7, "\(made)")
        #expect(try one.tn("sync", environment: ["TAKENOTE_PASSPHRASE": phrase]).status == 0)
    }
}
