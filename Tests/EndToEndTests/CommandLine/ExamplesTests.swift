import ArgumentParser
import Foundation
import Testing

@testable import tn

/// Tests the examples of the help, which the manual page contains too.
struct ExamplesTests {
    /// The lines of examples in a command's discussion.
    static func ownExamples(of command: any ParsableCommand.Type) -> [String] {
        let lines = command.configuration.discussion.split(separator: "\n")
        let own = lines.filter { $0.hasPrefix("  ") }.map { $0.trimmingCharacters(in: .whitespaces) }
        // A line of a configuration file is not a command; two blanks separate a command from its description.
        return own.filter { !$0.hasPrefix("set -g") && !$0.hasPrefix("\"") }.map {
            String($0.split(separator: "  ").first ?? "")
        }
    }

    /// The lines of examples in a command's discussion, and in those of its subcommands.
    private static func examples(of command: any ParsableCommand.Type) -> [String] {
        ownExamples(of: command) + command.configuration.subcommands.flatMap(examples)
    }

    /// Runs an example in a shell, and returns the words that `tn` receives in it.
    private static func words(of example: String, in workplace: Workplace) throws -> [[String]] {
        let script = #"""
            # One write for a call, since those of a pipeline write at once.
            tn() { printf '%s\037' "$@" $'\036' >&3; echo word; }
            tmux() { shift 2; "$@"; }
            for name in jq xargs pbpaste pbcopy make code vi less glow pandoc rsync git cron; do eval "$name() { cat; }"; done
            mkdir -p "$HOME/.config/takenote"; cd "$HOME"
            exec 3> words </dev/null
            """#
        let result = try workplace.run("/bin/bash", ["-c", script + "\n" + example])
        let all = try String(contentsOf: workplace.folder.appending(path: "words"), encoding: .utf8)
        try #require(result.error.isEmpty, "\(example): \(result.error)")
        return all.split(separator: "\u{1E}\u{1F}", omittingEmptySubsequences: true).map {
            $0.split(separator: "\u{1F}", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    @Test func `every example of the help is a command that tn takes`() throws {
        let examples = Self.examples(of: TakeNote.self)
        #expect(examples.count > 50)
        var calls = 0
        for example in examples {
            let workplace = try Workplace()
            for words in try Self.words(of: example, in: workplace) {
                calls += 1
                #expect(throws: Never.self, "\(example)") {
                    _ = try TakeNote.parseAsRoot(CommandWords.arranged(words))
                }
            }
        }
        #expect(calls >= examples.count - 5)
    }

    @Test(arguments: [
        (["append", "N", "- a"], ["append", "N", "--", "- a"]), (["--new", "- [ ] a"], ["new", "--", "- [ ] a"]),
        (["append", "N", "--", "- a"], ["append", "N", "--", "- a"]),
        (["append", "N", "- a", "--database", "x"], ["append", "N", "--database", "x", "--", "- a"]),
        (["new", "--title", "- a"], ["new", "--title=- a"]), (["append", "N", "-a"], ["append", "N", "-a"]),
        (["new", "--title=\u{200D}a", "b"], ["new", "--title", "\u{200D}a", "b"]),
        (["new", "--title=a", "b"], ["new", "--title=a", "b"]),
    ])
    func `texts that begin with a dash and a blank are not options`(words: [String], expected: [String]) {
        #expect(CommandWords.arranged(words) == expected)
    }

    /// Texts of which no word could name an option, and values of options that begin with a dash.
    @Test(arguments: [
        (["--new", "---\nfoo"], ["new", "--", "---\nfoo"]), (["--new", "---"], ["new", "--", "---"]),
        (["append", "N", "-- foo"], ["append", "N", "--", "-- foo"]),
        (["append", "N", "--foo bar"], ["append", "N", "--", "--foo bar"]),
        (["append", "N", "-cheese and wine"], ["append", "N", "--", "-cheese and wine"]),
        (["append", "N", "-h\nx"], ["append", "N", "--", "-h\nx"]),
        (["append", "N", "--help me = you"], ["append", "N", "--", "--help me = you"]),
        (["rename", "N", "->"], ["rename", "N", "--", "->"]),
        (["append", "- list", "--database", "f", "text"], ["append", "--database", "f", "--", "- list", "text"]),
        (["star", "--undo", "- list"], ["star", "--undo", "--", "- list"]),
        (["summarize", "--save", "---\nx"], ["summarize", "--save", "--", "---\nx"]),
        (["new", "--title", "---", "a"], ["new", "--title=---", "a"]),
        (["new", "--title", "--- a", "--", "- b"], ["new", "--title=--- a", "--", "- b"]),
        (["new", "- a", "--star", "b", "--", "--c"], ["new", "--star", "--", "- a", "b", "--c"]),
        (["new", "--title=a b", "c"], ["new", "--title=a b", "c"]),
        (["move", "--to", "-- x", "- a"], ["move", "--to=-- x", "--", "- a"]),
        (["search", "--json", "-cheese", "--- a"], ["search", "--json", "--", "-cheese", "--- a"]),
        (["ask", "--json", "--who am I?"], ["ask", "--json", "--", "--who am I?"]),
    ])
    func `a text with a blank or second dash in its name is not an option`(words: [String], expected: [String]) throws {
        #expect(CommandWords.arranged(words) == expected)
        _ = try TakeNote.parseAsRoot(expected)
    }

    @Test(arguments: [
        (["--new", "x", "--tag", "-a"], ["new", "x", "--tag=-a"]),
        (["new", "--title", "-5 degrees", "-x"], ["new", "--title=-5 degrees", "-x"]),
        (["tag", "N", "--add", "-a", "--remove", "-b"], ["tag", "N", "--add=-a", "--remove=-b"]),
        (["move", "N", "--to", "-Old"], ["move", "N", "--to=-Old"]),
        (["folder", "move", "A", "--to", "-B"], ["folder", "move", "A", "--to=-B"]),
        // What can be an option stays one, and what may be a mistyped one is refused.
        (["new", "--title", "--star"], ["new", "--title", "--star"]),
        (["new", "--title", "--stra"], ["new", "--title", "--stra"]),
        (["new", "--star", "-a"], ["new", "--star", "-a"]), (["list", "--tag", "-n"], ["list", "--tag", "-n"]),
        (["new", "--title", "-h"], ["new", "--title", "-h"]),
        (["new", "--", "--tag", "-a"], ["new", "--", "--tag", "-a"]),
    ])
    func `a value that begins with a dash belongs to its option`(words: [String], expected: [String]) {
        #expect(CommandWords.arranged(words) == expected)
    }

    @Test func `a tag may begin with a dash`() throws {
        let workplace = try Workplace()
        #expect(try workplace.tn("--new", "Note", "--tag", "-a").status == 0)
        #expect(try workplace.tn("list", "--tag", "-a").output.contains("Note"))
    }

    @Test func `texts of dashes become notes`() throws {
        let workplace = try Workplace()
        #expect(try workplace.tn("--new", "---\ntitle: x\n---\nfoo").status == 0)
        #expect(try workplace.tn("--new", "--title", "--- T", "---").status == 0)
        #expect(try workplace.tn("append", "--- T", "--help me").status == 0)
        #expect(try workplace.tn("show", "--- T").output.hasSuffix("---\n--help me"))
    }

    @Test(arguments: [
        ["append", "N", "-cheese"], ["--new", "-thanks", "Ana"], ["--new", "--tag", "x", "-hello"],
        ["rename", "N", "-title"], ["show", "-dash"], ["today", "-ahoy"], ["folder", "add", "-home"],
        ["new", "--title", "-ha"],
    ])
    func `a text with an h behind a dash is not taken for a question about the help`(words: [String]) throws {
        let workplace = try Workplace()
        _ = try workplace.tn("--new", "N")
        let result = try workplace.run(Workplace.program, words)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.error.contains("put -- before a text"))
        #expect(try workplace.tn("append", "N", "--", "-cheese").status == 0)
        #expect(try workplace.tn("show", "N").output == "N\n-cheese")
    }

    @Test func `a tilde in the notebook's path is the home folder`() throws {
        let workplace = try Workplace()
        #expect(try workplace.tn("--database=~/n.sqlite", "--new", "a").status == 0)
        #expect(FileManager.default.fileExists(atPath: workplace.folder.appending(path: "n.sqlite").path))
        #expect(try workplace.tn("--database", "~/n.sqlite", "--new", "b").status == 0)
        #expect(try workplace.tn("--database=~/n.sqlite", "list").output.split(separator: "\n").count == 2)
    }

    @Test func `the configuration tells what the environment says`() throws {
        let workplace = try Workplace()
        let output = try workplace.tn("config", environment: ["TN_MOUSE": "0", "TN_ESCAPE_MS": "50"]).output
        #expect(output.contains("# TN_MOUSE = 0\n") && output.contains("# TN_ESCAPE_MS = 50\n"))
    }
}
