import ArgumentParser
import Foundation
import TerminalDriver
import Testing

@testable import tn

/// Runs every example of the help, which the manual page contains too, and expects that each ends well.
///
/// The examples of one command run one after the other in one notebook, as somebody would try them.
struct ExampleRunTests {
    private static let plainRepository = "git init -q --bare notes.git; tn sync init desktop:notes.git --yes"
    private static let encryptedRepository =
        "git init -q --bare notes.git; TAKENOTE_PASSPHRASE='old words' tn sync init desktop:notes.git --encrypt --yes"

    /// What must be there before the examples of a command, or before one of them.
    private static let preparations = [
        "restore": #"tn trash "Old list"; tn folder add Work/Talks; tn folder delete Work/Talks"#,
        "folder add": "tn folder rename Work Job", "folder move": "tn folder add Talks",
        "folder delete": "tn folder add Work/Talks", "project list": #"tn project add "Sea Poems" --type poetry"#,
        "project rename": #"tn project add "Sea Poems" --type poetry"#,
        "project delete": "tn project add Tides --type prose", "tags delete": "tn tag Borges --add unread",
        "tn ai privacy Journal never": "tn --new Journal",
        "tn list --folder Work --tag urgent --starred": "tn tag Borges --add urgent",
        "file show": "tn file add paper.pdf; sqlite3 data/takenote*/notes.sqlite \"\(fileOfExample)\"",
        "sync": "git init -q --bare notes.git",
        "tn sync rekey": "tn sync off; rm -rf notes.git; \(encryptedRepository)",
        "sync now": plainRepository, "sync status": plainRepository, "sync conflicts": plainRepository,
        "sync log": plainRepository, "sync off": plainRepository, "sync passphrase": encryptedRepository,
        "tn sync init desktop:notes.git --yes": "tn sync off; git init -q --bare notes.git",
        "tn sync init desktop:notes.git --encrypt": "tn sync off; rm -rf *.git; git init -q --bare notes.git",
        "export": "rm -rf notes vault", "tn export site --folder Recipes --site": "tn folder add Recipes",
        "notebooks rename": "tn notebooks add work", "notebooks delete": "tn notebooks add work",
        "restore-backup": "tn backup stick/notes-2026-03-01.sqlite",
    ]
    private static let fileOfExample = "UPDATE note_file SET uuid = '5A0C1C9E-3F0B-4B8E-9C39-0A4C6D0E7F11'"

    private static let leave = "\u{11}"

    /// The examples that ask, or draw, in a terminal: what to wait for, and what is typed then.
    private static let inTerminal: [String: [(wait: String, keys: String)]] = [
        "tn": [("Inbox", leave)], "tn -n work": [("Inbox", leave)], "tn today": [("Inbox", leave)],
        #"tn open "Reading list""#: [("Inbox", leave)], #"tn open --here "Reading list""#: [("Inbox", leave)],
        "tn takenote://note/0B5C2E5A-6A3C-4C5C-9D3E-1F2A3B4C5D6E": [("Menu", leave)],
        #"tn --new --title Plan --open -- "- [ ] first step""#: [("first step", leave)],
        "tmux popup -E tn --new": [("Ctrl-S saves", "An idea"), ("An idea", "\u{13}")],
        "tn line": [("Type list", "quit\r")], "tn doctor --terminal": [("Press what you want to see", "q")],
        #"tn edit "Reading list""#: [], #"EDITOR="code --wait" tn edit 3f2a"#: [],
        #"tn show --pictures "Trip to Delft""#: [], "tn render --pictures trip/report.md": [],
        "tn sync init desktop:notes.git": [("[y/N]", "y\r")],
        "tn sync init /media/stick/notes.git": [("[y/N]", "y\r")],
        "tn sync init desktop:notes.git --encrypt": [("[y/N]", "y\r"), ("Enter alone generates one", "\r")],
    ]

    /// The examples that are not run, each with its reason.
    private static let left: [String: String] = [:]

    /// The examples of all commands, by the command's words.
    private static func examples(
        of command: any ParsableCommand.Type = TakeNote.self, _ path: [String] = []
    ) -> [(command: String, examples: [String])] {
        let own = ExamplesTests.ownExamples(of: command)
        return [(path.joined(separator: " "), own)]
            + command.configuration.subcommands.flatMap { examples(of: $0, path + [$0._commandName]) }
    }

    @Test func `every example of the help ends as it should`() throws {
        let world = try ExampleWorld.make()
        let groups = Self.examples().filter { !$0.examples.isEmpty }
        var ran = 0
        for group in groups {
            let place = try Workplace()
            try place.copyFiles(of: world)
            try prepare(group.command, in: place)
            for example in group.examples where Self.left[example] == nil {
                try prepare(example, in: place)
                let result = try place.runExample(example, Self.inTerminal[example])
                #expect(
                    !result.calls.isEmpty && result.calls.allSatisfy { $0.status == 0 },
                    "\(group.command): \(example): \(result)")
                ran += 1
            }
        }
        let all = groups.flatMap(\.examples)
        #expect(ran > 120 && ran + Self.left.count == all.count)
        // What is said of an example that is no longer there would hide the one that took its place.
        let known = Set(all).union(groups.map(\.command))
        let told = Set(Self.preparations.keys).union(Self.inTerminal.keys).union(Self.left.keys)
        #expect(told.subtracting(known).isEmpty)
    }

    private func prepare(_ what: String, in place: Workplace) throws {
        guard let preparation = Self.preparations[what] else { return }
        let result = try place.runExample(preparation)
        // What is to be undone first may not be there, after examples that did not need it.
        let bad = result.calls.filter { $0.status != 0 && $0.words != "sync off" }
        #expect(bad.isEmpty, "before \(what): \(result)")
    }
}
