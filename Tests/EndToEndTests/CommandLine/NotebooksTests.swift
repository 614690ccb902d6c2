import Foundation
import TerminalDriver
import Testing

@testable import tn

/// Tests named notebooks.
struct NotebooksTests {
    @Test(arguments: ["work", "Book club", "2026", "übung", "日記", "a.b_c-d"])
    func `a name of letters, digits and a few marks is allowed`(name: String) {
        #expect(NamedNotebooks.problem(of: name) == nil)
    }

    @Test(arguments: [
        "", " ", ".", "..", "../x", "a/b", "-n", ".hidden", "a.", "a ", "a\u{0}b", "a\nb", "\u{1B}[2J", "a\u{202E}b",
        String(repeating: "x", count: 41),
    ])
    func `any other name is not`(name: String) {
        #expect(NamedNotebooks.problem(of: name) != nil)
    }

    @Test func `a wrong name leads to no file outside of the folder of notebooks`() {
        for name in ["../x", "/etc/passwd", "..", "", "a/../../b"] {
            let path = NamedNotebooks.path(of: name)
            #expect(path.hasPrefix(NamedNotebooks.folder.string + "/-"), "\(path)")
            #expect(!path.contains("/../"))
        }
    }

    @Test func `each notebook has its own notes, by option and by configuration`() throws {
        let workplace = try Workplace()
        #expect(try workplace.tn("--new", "Milk").status == 0)
        #expect(try workplace.tn("notebooks", "add", "work").status == 0)
        #expect(try workplace.tn("-n", "work", "--new", "Stand-up").status == 0)
        #expect(try workplace.tn("--new", "-n", "WORK", "Retro").status == 0)
        #expect(try workplace.tn("-n", "work", "list").output.contains("Stand-up"))
        #expect(try workplace.tn("list", "-n", "work").output.contains("Retro"))
        #expect(try !workplace.tn("list").output.contains("Stand-up"))
        try workplace.configure("# mine\nnotebook = \"work\"\n")
        #expect(try workplace.tn("list").output.contains("Stand-up"))
        #expect(try workplace.tn("-n", "default", "list").output.contains("Milk"))
        let listed = try workplace.tn("notebooks").output.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(listed.map { $0.prefix(2).joined(separator: "|") } == [" |default", "*|work"])
        #expect(try workplace.tn("status").output.contains("Inbox 2"))
    }

    @Test func `a configuration that is too large to be read names no notebook`() throws {
        let workplace = try Workplace()
        #expect(try workplace.tn("--new", "Milk").status == 0)
        #expect(try workplace.tn("notebooks", "add", "work").status == 0)
        try workplace.configure("notebook = \"work\"\n# " + String(repeating: "x", count: 1_000_000))
        #expect(try workplace.tn("list").output.contains("Milk"))
    }

    @Test func `a mistyped name makes no notebook`() throws {
        let workplace = try Workplace()
        let missing = try workplace.tn("-n", "wrok", "--new", "Lost?")
        #expect(missing.status == 66)
        #expect(
            missing.error == "tn: there is no notebook “wrok”; tn notebooks lists them, tn notebooks add creates one\n")
        for command in ["list", "status", "doctor", "backup"] {
            let result = try workplace.tn("-n", "wrok", command)
            #expect(result.status == 66 && result.error == missing.error, "\(command): \(result)")
        }
        try workplace.configure("notebook = \"../wrok\"\n")
        let wrong = try workplace.tn("--new", "Lost?")
        #expect(wrong.status == 66 && wrong.error.hasPrefix("tn: config.toml: notebook cannot be the name"), "\(wrong)")
        try workplace.configure("notebook = \"wrok\"\n")
        let configured = try workplace.tn("list")
        #expect(configured.status == 66 && configured.error.contains("“wrok”, which config.toml names; "))
        #expect(try workplace.tn("config").output.contains("\n# ! there is no notebook “wrok”, which config"))
        try workplace.configure("notebook = \"default\"\n")
        #expect(try !workplace.tn("config").output.contains("# !"))
        #expect(try workplace.tn("-n", "a/b", "list").status == 64)
        #expect(try workplace.tn("--database", "x", "-n", "work", "list").status == 64)
        #expect(try workplace.tn("notebooks", "add", "a/b").status == 65)
        #expect(try workplace.tn("notebooks", "add", "Default").status == 73)
        let data = workplace.folder.appending(path: "data/takenote-dev/notebooks")
        #expect(!FileManager.default.fileExists(atPath: data.path))
    }

    @Test func `a notebook gets another name, and is taken away to where it can be had back`() throws {
        let workplace = try Workplace()
        #expect(try workplace.tn("notebooks", "add", " sp ").status == 65)
        #expect(try workplace.tn("notebooks", "add", "work").status == 0)
        _ = try workplace.tn("-n", "work", "--new", "Stand-up")
        try workplace.configure("notebook = \"work\"\n")
        let renamed = try workplace.tn("notebooks", "rename", "Work", "Office")
        #expect(renamed.status == 0 && renamed.output.hasSuffix("/notebooks/Office/notes.sqlite\n"))
        #expect(renamed.error.contains("still names “work”"))
        try workplace.configure("")
        #expect(try workplace.tn("-n", "office", "list").output.contains("Stand-up"))
        #expect(try workplace.tn("-n", "work", "list").status == 66)
        #expect(try workplace.tn("notebooks", "add", "garden").status == 0)
        for (name, new, status) in [
            ("office", "garden", 73), ("office", "a/b", 65), ("work", "x", 66), ("default", "x", 64),
            ("office", "default", 73), ("../x", "y", 66),
        ] {
            #expect(try workplace.tn("notebooks", "rename", name, new).status == Int32(status), "\(name) \(new)")
        }
        // Without a terminal nobody can be asked.
        #expect(try workplace.tn("notebooks", "delete", "office").status != 0)
        #expect(try workplace.tn("-n", "office", "list").status == 0)
        let deleted = try workplace.tn("notebooks", "delete", "office", "--yes").output
        #expect(try workplace.tn("-n", "office", "list").status == 66)
        let place = try #require(deleted.firstMatch(of: /Kept in (.+); remove/)).1
        #expect(try workplace.tn("--database", place + "/notes.sqlite", "list").output.contains("Stand-up"))
        #expect(try workplace.tn("notebooks", "delete", "default", "--yes").status == 64)
    }

    @Test func `the window changes to another notebook and back`() throws {
        let workplace = try Workplace()
        _ = try workplace.tn("--new", "Milk")
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Milk")
        func change(to name: String) throws {
            try terminal.send("\u{10}")
            try terminal.wait(for: "Commands")
            try terminal.send("change the notebook\r")
            try terminal.wait(for: "Notebooks")
            try terminal.send(name + "\r")
        }
        try change(to: "garden")
        try terminal.wait(for: "TakeNote · garden")
        try terminal.send("n")
        try terminal.send("Beans")
        try terminal.wait(for: "Beans")
        try terminal.send("\u{1B}")
        try terminal.waitUntilIdle(milliseconds: 100)
        try change(to: "default")
        try terminal.wait(for: "Milk")
        #expect(!terminal.screen.contains("garden"))
        #expect(try workplace.tn("-n", "garden", "list").output.contains("Beans"))
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
    }
}
