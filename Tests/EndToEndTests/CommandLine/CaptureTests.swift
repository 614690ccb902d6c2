import ArgumentParser
import SeededRandom
import Testing

@testable import tn

/// Tests that the plain parsing of `tn --new` agrees with the parser.
struct CaptureTests {
    @Test(arguments: [
        (["--new", "Milk", "and", "eggs"], Capture(words: ["Milk", "and", "eggs"])),
        (["new"], Capture()),
        (
            ["--database", "a b", "--new", "--title", "T", "one", "--tag", "x", "--star", "--tag", "y", "two"],
            Capture(database: "a b", title: "T", tags: ["x", "y"], isStarred: true, words: ["one", "two"])
        ),
        (
            ["new", "--folder", "Work/A", "--", "- [ ] a", "--star"],
            Capture(folder: "Work/A", words: ["- [ ] a", "--star"])
        ),
        (["--new", "", "new", "help"], Capture(words: ["", "new", "help"])),
    ])
    func `plain words are read by hand`(words: [String], expected: Capture) throws {
        #expect(Capture(plainly: words) == expected)
        #expect(try parsed(words) == expected)
    }

    @Test(arguments: [
        [], ["list"], ["--new", "--help"], ["--new", "-h"], ["--new", "--version"], ["--new", "--open", "x"],
        ["--new", "--title"], ["--new", "--title", "--star"], ["--new", "--title=T"], ["--new", "-x"], ["--new", "-"],
        ["--new", "--title", "a", "--title", "b"], ["--new", "--tag", "-x"], ["--database"], ["--database=x", "new"],
        ["--new", "--unknown"], ["new", "---"], ["--New", "x"], ["--database", "--new"], ["text", "--new"],
    ])
    func `what is not plain is left to the parser`(words: [String]) {
        #expect(Capture(plainly: words) == nil)
    }

    @Test func `both ways read random command lines alike`() throws {
        let vocabulary = [
            "--new", "new", "--title", "--folder", "--tag", "--star", "--open", "--database", "--", "-", "-x", "--help",
            "list", "help", "text", "", " ", "a b", "#tag", "=", "--title=T", "A/B", "é", "-\u{301}", "--tag=", "\n",
            "@x",
        ]
        var generator = SeededGenerator(seed: 7)
        var plainCount = 0
        for _ in 0..<400 {
            var words = ["--new"]
            if Int.random(in: 0..<4, using: &generator) == 0 { words = ["--database", "file", "new"] }
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                words.append(vocabulary[Int.random(in: 0..<vocabulary.count, using: &generator)])
            }
            guard let plain = Capture(plainly: words) else { continue }
            plainCount += 1
            #expect(try parsed(words) == plain, "\(words)")
        }
        #expect(plainCount > 50)
    }

    @Test(arguments: [
        (["append", "List", "- his hat"], ["append", "List", "--", "- his hat"]),
        (["--new", "- wash car", "--tag", "x"], ["new", "--tag", "x", "--", "- wash car"]),
        (
            ["append", "List", "- his hat", "--database", "f"],
            ["append", "List", "--database", "f", "--", "- his hat"]
        ),
        (["--new", "Buy", "-5", "euro"], ["new", "Buy", "--", "-5", "euro"]),
        (["--new", "--title", "- x", "y"], ["new", "--title=- x", "y"]),
        (["search", "-tag:old", "heron"], ["search", "--", "-tag:old", "heron"]),
        (["search", "-h"], ["search", "-h"]), (["new", "--", "- x"], ["new", "--", "- x"]),
        (["list", "-h"], ["list", "-h"]),
    ])
    func `a text that begins with a dash is not an option`(words: [String], arranged: [String]) {
        #expect(CommandWords.arranged(words) == arranged)
    }

    private func parsed(_ words: [String]) throws -> Capture? {
        try (TakeNote.parseAsRoot(CommandWords.arranged(words)) as? New)?.capture
    }
}
