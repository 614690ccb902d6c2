import Foundation
import TerminalDriver
import Testing

/// Tests environments in which variables are missing, wrong or hostile, and standard streams that are closed.
struct HostileEnvironmentTests {
    private let workplace: Workplace

    init() throws {
        workplace = try Workplace()
        _ = try workplace.tn("--new", "Reading list\n\n**bold** [a](https://example.org)")
        let imported = workplace.folder.appending(path: "in")
        try FileManager.default.createDirectory(at: imported, withIntermediateDirectories: true)
        try Data("# Imported\n".utf8).write(to: imported.appending(path: "Imported.md"))
    }

    /// Changes of the environment; nil removes a variable.
    static let environments: [[String: String?]] = [
        ["LANG": "C"], ["LANG": nil, "LC_ALL": "POSIX"], ["LC_ALL": "xx_YY.nothing"],
        ["COLUMNS": "0", "LINES": "-1"], ["COLUMNS": "99999999999999999999", "LINES": "x"],
        ["HOME": nil], ["HOME": ""], ["HOME": "/dev/null"], ["HOME": "relative"], ["HOME": "/nowhere"],
        ["TMPDIR": "/nowhere"], ["TMPDIR": "/proc"], ["TMPDIR": ""], ["TERM": "no-such-terminal"],
        ["TERM": String(repeating: "x", count: 10_000)], ["PATH": ""], ["PATH": nil], ["TZ": "Nowhere/Nothing"],
        ["EDITOR": "", "VISUAL": ""], ["XDG_STATE_HOME": "/dev/null/x"], ["XDG_CONFIG_HOME": "relative"],
    ]

    private func environment(_ index: Int) -> [String: String] {
        var environment = workplace.environment
        environment["TERM"] = "xterm-256color"
        for (name, value) in Self.environments[index] { environment[name] = value }
        return environment
    }

    /// The words of commands that need nothing but the notebook, with their status.
    private var commands: [[String]] {
        [
            ["list"], ["show", "Reading list"], ["search", "bold"], ["--new", "Second"], ["append", "Second", "more"],
            ["backup"], ["export", workplace.folder.path + "/out"], ["import", workplace.folder.path + "/in"],
            ["doctor"], ["--help"],
        ]
    }

    @Test(arguments: environments.indices)
    func `commands work in every environment, and the window too`(index: Int) throws {
        let environment = environment(index)
        for words in commands {
            let result = try ProgramRun.run(Workplace.program, words, environment: environment)
            #expect(result.status == 0, "\(Self.environments[index]), \(words): \(result)")
        }
        // A terminal's own variables would hide the missing ones.
        let bare = TerminalPersonality(name: "bare", environment: [:], attributes: nil)
        let terminal = try PseudoTerminal(Workplace.program, environment: environment, as: bare)
        try terminal.wait(for: "Reading list")
        try terminal.send("nTyped here")
        try terminal.wait(for: "Typed here")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        #expect(terminal.settings == terminal.settingsBefore && terminal.screen.leftovers.isEmpty)
        #expect(try workplace.tn("show", "Typed here").output == "Typed here")
        #expect(try workplace.tn("show", "Second").output.hasSuffix("more"))
        let relative = FileManager.default.fileExists(atPath: "relative")
        #expect(!relative, "a folder was made where the program was started")
    }

    @Test(arguments: [nil, "", "dumb"])
    func `a terminal without a cursor is refused by the window, and commands work in it`(name: String?) throws {
        var environment = workplace.environment
        environment["TERM"] = name
        for words in commands {
            #expect(try ProgramRun.run(Workplace.program, words, environment: environment).status == 0, "\(words)")
        }
        let bare = TerminalPersonality(name: "bare", environment: [:], attributes: nil)
        let terminal = try PseudoTerminal(Workplace.program, environment: environment, as: bare)
        #expect(terminal.waitForExit() == 64)
        #expect(terminal.screen.contains("a terminal without a cursor"))
        #expect(terminal.settings == terminal.settingsBefore)
    }

    // MARK: - Colour

    /// Returns the numbers of all style sequences (SGR) in an output that name a colour.
    private func colours(_ output: String) -> [String] {
        // The program asks whether the terminal has all colours (DECRQSS) and resets the style; this draws nothing.
        let drawn = output.replacing(/\u{1B}\[48;2;[0-9;]*m\u{1B}P\$qm/, with: "")
        return drawn.matches(of: /\u{1B}\[([0-9;:]*)m/).flatMap { match in
            match.1.split(separator: ";").map(String.init).filter { part in
                let number = part.split(separator: ":").first.flatMap { Int($0) } ?? 0
                return (30...49).contains(number) && number != 39 && number != 49 || (90...107).contains(number)
            }
        }
    }

    /// Runs the program in a terminal, and returns all that it has sent.
    private func sent(_ words: String, _ variables: [String: String], keys: String = "") throws -> String {
        let file = workplace.folder.appending(path: "sent")
        let terminal = try PseudoTerminal(
            "script", ["-qec", "'\(Workplace.program)' \(words)", file.path],
            environment: workplace.environment.merging(variables) { $1 })
        if !keys.isEmpty {
            try terminal.wait(for: "Reading list")
            try terminal.send("\r")
            try terminal.wait(for: "Esc list")
            try terminal.send(keys)
        }
        #expect(terminal.waitForExit() == 0)
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    @Test func `NO_COLOR takes the colours from window and commands, and leaves the text`() throws {
        let terminal = ["TERM": "xterm-256color", "COLORTERM": "truecolor", "CLICOLOR_FORCE": ""]
        for (words, keys) in [("", "\u{11}"), ("list", ""), ("show 'Reading list'", ""), ("search bold", "")] {
            let coloured = try sent(words, terminal, keys: keys)
            let plain = try sent(words, terminal.merging(["NO_COLOR": "1"]) { $1 }, keys: keys)
            #expect(plain.contains("Reading list"), "\(words)")
            #expect(colours(plain) == [], "\(words)")
            // A test that finds no colour anywhere would prove nothing.
            #expect(!colours(coloured).isEmpty || !words.isEmpty, "\(words)")
        }
    }

    // MARK: - Limits

    @Test(arguments: [5, 8, 11]) func `too few open files are told in one line`(count: Int) throws {
        for words in ["list", "new More", "doctor"] {
            let result = try workplace.run(
                "/bin/sh", ["-c", "ulimit -n \(count); exec '\(Workplace.program)' \(words)"])
            #expect(result.status == 74, "\(words): \(result)")
            let line = "tn: the system lets tn have \(count) files open, and it needs 12; "
            #expect(result.error.hasPrefix(line) && result.error.count { $0 == "\n" } == 1, "\(words): \(result)")
        }
        #expect(try workplace.tn("list").output.contains("More") == false)
    }

    @Test func `a low limit of open files is raised where it may be`() throws {
        let result = try workplace.run("/bin/sh", ["-c", "ulimit -Sn 8; exec '\(Workplace.program)' doctor"])
        #expect(result.status == 0, "\(result)")
    }

    /// The words before a command of the shell that starts no further process or thread, run by a user whom the system
    /// limits.
    private static let withoutThreads =
        (geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "") + "prlimit --nproc=1 "

    private static func canForbidThreads() -> Bool {
        guard let workplace = try? Workplace() else { return false }  // Only decides whether a test runs.
        func status(_ script: String) -> Int32? {
            try? workplace.run("/bin/sh", ["-c", withoutThreads + "sh -c '\(script)'"]).status
        }
        return status("exit 3") == 3 && status("true | true; exit 3") != 3
    }

    @Test(.enabled(if: canForbidThreads(), "needs prlimit, and setpriv for root"))
    func `commands that need threads say so where there are none, and the others work`() throws {
        let folder = workplace.folder.path
        for (words, status) in [
            ("list", 0), ("show 'Reading list'", 0), ("append 'Reading list' more", 0), ("doctor", 74), ("backup", 74),
            ("import '\(folder)/in'", 74), ("status", 74), ("empty-trash", 74),
        ] as [(String, Int32)] {
            let command = "chmod -R a+rwX '\(folder)'; \(Self.withoutThreads) '\(Workplace.program)' \(words)"
            let result = try workplace.run("/bin/sh", ["-c", command])
            #expect(result.status == status, "\(words): \(result)")
            let line = "tn: the system starts no more programs and threads for you, and tn needs 3; "
            #expect(result.error.hasPrefix(line) == (status == 74), "\(words): \(result)")
        }
        #expect(try workplace.tn("show", "Reading list").output.hasSuffix("more"))
    }

    // MARK: - Without /proc

    @Test(.enabled(if: DurabilityOfFilesTests.hasNamespaces, "needs unshare and mount"))
    func `commands and the window work where /proc is missing`() throws {
        let hidden = "mount -t tmpfs none /proc && exec '\(Workplace.program)' \"$@\""
        // An import that lasts longer than a second, since Dispatch looks each second at the threads that it shares.
        let many = workplace.folder.appending(path: "many")
        try FileManager.default.createDirectory(at: many, withIntermediateDirectories: true)
        for number in 0..<2000 {
            let words = (0..<200).map { "w\(number * $0 % 9973)" }.joined(separator: " ")
            try Data("# Note \(number)\n\n\(words)\n".utf8).write(to: many.appending(path: "\(number).md"))
        }
        for words in commands + [["import", many.path]] {
            let result = try workplace.run("/usr/bin/env", ["unshare", "-rm", "sh", "-c", hidden, "sh"] + words)
            #expect(result.status == 0, "\(words): \(result)")
        }
        let terminal = try PseudoTerminal(
            "unshare", ["-rm", "sh", "-c", hidden], environment: workplace.environment)
        try terminal.wait(for: "Reading list")
        try terminal.send("nTyped here")
        try terminal.wait(for: "Typed here")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        #expect(try workplace.tn("show", "Typed here").output == "Typed here")
        #expect(try workplace.tn("show", "Second").output.hasSuffix("more"))
    }

    // MARK: - Standard streams

    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    func `commands with closed streams end by the contract, and write into no file instead`(closed: String) throws {
        let isOutputClosed = closed.contains(">&-") && closed != "2>&-"
        for (words, prints) in [
            ("list", true), ("show 'Reading list'", true), ("append 'Reading list' more", false), ("backup", true),
            ("star 'Reading list'", false), ("export '\(workplace.folder.path)/out'", true), ("doctor", true),
            ("folder add New", false), ("search nothing-like-it", false), ("status", true), ("", false),
        ] {
            let result = try workplace.run("/bin/sh", ["-c", "'\(Workplace.program)' \(words) \(closed)"])
            let expected: Int32 =
                switch words {
                case "": 64
                case "search nothing-like-it": 1
                default: prints && isOutputClosed ? 74 : 0
                }
            #expect(result.status == expected, "\(words) \(closed): \(result)")
        }
        #expect(try workplace.query("PRAGMA integrity_check") == "ok")
        #expect(try workplace.tn("doctor").status == 0)
    }
}
