import Foundation
import TerminalDriver
import Testing

/// Tests malicious input from every source.
///
/// The sources are file names, the clipboard, the configuration, the environment and the state files. `HostileTests`
/// covers notes' texts and the terminal's answers, `HostileNotebookTests` the database.
@Suite(.serialized)
struct HostileChannelTests {
    let workplace: Workplace

    init() throws {
        workplace = try Workplace()
    }

    /// File names with hostile content of every kind.
    private static let names = [
        "a\u{1B}[31mred\u{1B}]0;owned\u{7}", "bell\u{7}\u{8}\u{7F}\nline\ttab", "c1 \u{9B}2J\u{9D}",
        "\u{202E}evil\u{2066}",
        "'); DROP TABLE note; --", "\" NEAR( AND *", "-rf", "--help", "..", "...", " . ", "~", "$(reboot)`id`",
        "a\\b|c",
        "[[x]](y)", "%s%n%d", "zalgo e" + String(repeating: "\u{301}", count: 60), String(repeating: "x", count: 240),
        "👨‍👩‍👧 世界", "CON",
    ]

    @Test func `files whose names are made to harm are imported, listed and seen harmlessly`() throws {
        let folder = workplace.folder.appending(path: "in")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (number, name) in Self.names.enumerated() {
            try Data("text \(number)".utf8).write(to: folder.appending(path: name + ".md"))
        }
        // A name that is not UTF-8, and one with an overlong UTF-8 encoding of a slash.
        for bytes in [[0xFF, 0xFE, 0x2E, 0x6D, 0x64], [0x2E, 0x2E, 0xC0, 0xAF, 0x78, 0x2E, 0x6D, 0x64]] as [[UInt8]] {
            let path = Array(folder.path.utf8) + [0x2F] + bytes + [0]
            let file = path.withUnsafeBytes {
                open($0.baseAddress!.assumingMemoryBound(to: CChar.self), O_CREAT | O_WRONLY, 0o600)
            }
            try #require(file >= 0)
            _ = write(file, "bytes", 5)
            close(file)
        }
        let result = try workplace.tn("import", folder.path)
        #expect([0, 65].contains(result.status), "\(result)")
        #expect(!(result.output + result.error).unicodeScalars.contains { Self.isHarmful($0) }, "\(result)")
        let count = Int(try workplace.query("SELECT count(*) FROM note")) ?? 0
        // Hidden files are left out.
        #expect(count >= Self.names.count { !$0.hasPrefix(".") }, "\(count) notes: \(result)")
        try expectHarmless()
    }

    @Test func `titles made to harm are exported inside the folder, and come back`() throws {
        let titles =
            Self.names + ["../../outside", "/tmp/outside", "..\\..\\outside", "a/../../b", "\u{0}nul", "nul\u{0}"]
        for title in titles { _ = try workplace.tn("--new", input: "---\ntitle: \(title)\n---\n\(title)") }
        _ = try workplace.tn("folder", "add", "..")
        _ = try workplace.tn("folder", "add", "a\\/..\\/..\\/b")
        for folder in ["..", "a\\/..\\/..\\/b"] { _ = try workplace.tn("--new", "--folder", folder, "in a folder") }
        let before = try everything(below: workplace.folder, but: "out")
        let out = workplace.folder.appending(path: "out/deep/er")
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
        let result = try workplace.tn("export", out.path, "--front-matter")
        #expect([0, 65].contains(result.status), "\(result)")
        #expect(
            try everything(below: workplace.folder, but: "out").subtracting(before).filter { !$0.contains("data/") }
                == [])
        let written = try everything(below: workplace.folder.appending(path: "out"), but: "")
        #expect(written.allSatisfy { $0 == "deep" || $0 == "deep/er" || $0.hasPrefix("deep/er/") }, "\(written)")
        let files = written.filter { $0.hasSuffix(".md") }
        #expect(files.count >= titles.count, "\(files)")
        for file in files { #expect(!file.unicodeScalars.contains { Self.isHarmful($0) }, "\(file.debugDescription)") }
    }

    private func everything(below folder: URL, but left: String) throws -> Set<String> {
        Set(
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                left.isEmpty || !$0.hasPrefix(left)
            })
    }

    @Test(arguments: HostileTests.texts.indices)
    func `a clipboard made to harm is pasted as text everywhere`(index: Int) throws {
        let (name, text) = HostileTests.texts[index]
        // The terminal itself is responsible for a paste's end sequence inside pasted text.
        let pasted = String(text.prefix(20_000))
        _ = try workplace.tn("--new", "Before")
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Before")
        // The text is pasted into a name, the search, the palette and the find bar, and finally into a note, which must
        // store it.
        for (opening, closing) in [
            ("r", HostileTests.escape), ("/", HostileTests.escape), ("\u{10}", HostileTests.escape),
            ("\r\u{6}", HostileTests.escape + HostileTests.escape), ("n", ""),
        ] {
            try terminal.send(opening)
            try terminal.waitUntilIdle(milliseconds: 60)
            if opening == "n" { try terminal.wait(for: "New Note") }
            let seen = terminal.byteCount
            try terminal.paste(pasted)
            // A key that is read together with the paste's end, because the machine is busy, belongs to the paste: so
            // wait until the paste has been shown.
            while terminal.byteCount == seen, !terminal.isClosed { try terminal.pump(milliseconds: 20) }
            try terminal.waitUntilIdle(milliseconds: 120)
            try terminal.send(closing)
            try terminal.waitUntilIdle(milliseconds: 60)
            try #require(!terminal.isClosed, "\(name), after \(opening.debugDescription)")
        }
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0, "\(name)")
        #expect(terminal.screen.strays.isEmpty, "\(name): \(terminal.screen.strays)")
        let kept = try workplace.query("SELECT hex(text) FROM note_text ORDER BY note DESC LIMIT 1")
        let expected = pasted.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        #expect(kept == expected.utf8.map { String(format: "%02X", $0) }.joined(), "\(name)")
    }

    @Test func `a clipboard of bytes that are not text is pasted as what can be read of it`() throws {
        // Overlong forms of a slash and of NUL, a surrogate, a value beyond Unicode, a lone C1 byte, a truncated
        // character.
        let pieces: [[UInt8]] = [
            [0xC0, 0xAF], [0xC0, 0x80], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x9B, 0x32],
            [0xFF, 0xFE], [0x00], [0xE4, 0xB8],
        ]
        let pasted = Array("start ".utf8) + pieces.flatMap { $0 + [0x2E] } + Array(" end".utf8)
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        try terminal.send("n")
        try terminal.wait(for: "New Note")
        try terminal.send(Array("\u{1B}[200~".utf8) + pasted + Array("\u{1B}[201~".utf8))
        try terminal.wait(for: " end")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0)
        #expect(terminal.screen.strays.isEmpty, "\(terminal.screen.strays)")
        let kept = try workplace.query("SELECT hex(text) FROM note_text")
        #expect(kept == String(decoding: pasted, as: UTF8.self).utf8.map { String(format: "%02X", $0) }.joined())
    }

    private static let configurations: [(name: String, bytes: [UInt8])] = [
        ("escape sequences", Array("theme = \"\u{1B}]0;owned\u{7}\u{1B}[2J\"\n[\"\u{9B}31m\"]\nx = 1\n".utf8)),
        ("NULs", Array("theme = \"a\u{0}b\"\n\u{0}\u{0}\n".utf8)),
        ("invalid UTF-8", [0xFF, 0xFE, 0xC0, 0x80, 0x0A]),
        ("bidirectional controls", Array("theme = \"\u{202E}krad\"\n".utf8)),
        ("nesting", Array(("x = " + String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)).utf8)),
        ("unclosed nesting", Array(("x = " + String(repeating: "[{a=", count: 20_000)).utf8)),
        ("a long line", Array(("theme = \"" + String(repeating: "x", count: 10_000_000) + "\"").utf8)),
        ("many tables", Array((0..<20_000).map { "[t\($0)]\nkey = \($0)" }.joined(separator: "\n").utf8)),
        ("numbers", Array("[editor]\ntabWidth = 99999999999999999999\nwidth = -1\nwrap = 1e400\n".utf8)),
        ("keys", Array("[keys.list]\n\"\u{1B}\" = \"note.new\"\n\"Ctrl-Alt-Shift-Super-🇺🇸\" = \"x; rm -rf /\"\n".utf8)),
        ("paths", Array("[today]\nfolder = \"../../../etc\"\n".utf8)),
    ]

    @Test(arguments: configurations.indices)
    func `a configuration made to harm is reported and harms nobody`(index: Int) throws {
        let (name, bytes) = Self.configurations[index]
        _ = try workplace.tn("--new", "Still here")
        try workplace.configure("")
        try Data(bytes).write(to: workplace.folder.appending(path: "config/takenote/config.toml"))
        try expectHarmless(name)
        let told = try workplace.tn("config")
        #expect(told.status < 128, "\(name): \(told)")
    }

    @Test(arguments: [
        ["TERM": "\u{1B}[31m"], ["TERM": ""], ["TERM": String(repeating: "x", count: 100_000)],
        ["COLORTERM": "\u{1B}]0;x\u{7}", "TERM_PROGRAM": "\u{9B}2J"], ["LANG": "\u{202E}", "LC_ALL": "../../etc"],
        ["TZ": "../../../etc/passwd"], ["TZ": ":\u{1B}[2J"], ["HOME": ""], ["XDG_STATE_HOME": "relative/\u{1B}[31m"],
        ["XDG_STATE_HOME": "/proc/self/nowhere"], ["XDG_CONFIG_HOME": "/dev/null"],
        ["COLUMNS": "-5", "LINES": "99999999"],
        ["VISUAL": "$(reboot); \u{1B}[2J", "EDITOR": "'"], ["TMUX": "\u{1B},,", "TMUX_PANE": "%x;y"],
        ["COLORFGBG": "999999999999;-1"], ["NO_COLOR": "\u{1B}[31m"], ["TAKENOTE_THEME": "../\u{1B}[31m"],
    ])
    func `an environment made to harm harms nobody`(extra: [String: String]) throws {
        _ = try workplace.tn("--new", "Still here")
        for command in [["list"], ["doctor"], ["show", "Still here"]] {
            let result = try workplace.run(Workplace.program, command, environment: extra)
            #expect(result.status < 128, "\(extra), \(command): \(result)")
            #expect(
                !(result.output + result.error).unicodeScalars.contains { Self.isHarmful($0) }, "\(extra): \(result)")
        }
        let terminal = try PseudoTerminal(
            Workplace.program, environment: workplace.environment.merging(extra) { $1 })
        _ = try? terminal.wait(for: "Inbox")  // The program may refuse with a message and end.
        if !terminal.isClosed { try terminal.send("\u{11}") }
        let status = try #require(terminal.waitForExit(), "\(extra)")
        #expect(status < 128, "\(extra)")
        #expect(terminal.screen.strays.isEmpty, "\(extra): \(terminal.screen.strays)")
    }

    @Test(arguments: [
        "", "\u{0}", "{", "null", "[]", "{\"pins\":\"\u{1B}[31m\"}",
        "{\"location\":{\"note\":\"../../x\"},\"sidebarWidth\":1e99}",
        "{\"notebook\":\"\u{202E}\",\"listColumns\":-99999,\"sidebarColumns\":99999999}", "\u{FEFF}{}",
        "{\"a\":" + String(repeating: "[", count: 100_000),
    ])
    func `files of state made to harm are made anew`(text: String) throws {
        _ = try workplace.tn("--new", "Still here")
        let folder = workplace.folder.appending(path: "state/takenote")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in ["state.json", "snapshot.json"] { try Data(text.utf8).write(to: folder.appending(path: name)) }
        let status = try workplace.tn("status")
        #expect(status.status < 70, "\(status)")
        #expect(!status.output.unicodeScalars.contains { Self.isHarmful($0) })
        try expectHarmless()
    }

    @Test func `a snapshot of texts made to harm is JSON, and the status line says them harmlessly`() throws {
        for (_, text) in HostileTests.texts.prefix(7) { _ = try workplace.tn("--new", input: text) }
        let path = try workplace.tn("snapshot").output.trimmingCharacters(in: .newlines)
        let data = try Data(contentsOf: URL(filePath: path))
        let feed = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect((feed["containers"] as? [Any])?.isEmpty == false)
        #expect(!String(decoding: data, as: UTF8.self).unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
        for arguments in [["status"], ["status", "--json"], ["status", "inbox"]] {
            let result = try workplace.run(Workplace.program, arguments)
            #expect(!result.output.unicodeScalars.contains { Self.isHarmful($0) }, "\(result)")
        }
    }

    /// Whether a scalar is harmful: C0 except line end and tab, DEL, C1, and direction controls.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Starts the program, walks through its views and quits; checks that only harmless output reached the terminal.
    private func expectHarmless(_ context: String = "") throws {
        try HostileWalk.expectHarmless(workplace, context)
    }
}

/// Walks through most of the program's views of a notebook.
enum HostileWalk {
    static func expectHarmless(_ workplace: Workplace, _ context: String) throws {
        let terminal = try PseudoTerminal(Workplace.program, environment: workplace.environment)
        try terminal.wait(for: "Inbox")
        let keys = [
            "j", "j", "G", "\r", "x", "\u{1A}", "\u{5}", HostileTests.escape, "H", HostileTests.escape, "\u{1B}1", "G",
            "k",
        ]
        for key in keys + [
            "\u{1B}2", "/", "a", HostileTests.escape, "\u{1B}[20~", "m", HostileTests.escape, "?", HostileTests.escape,
        ] {
            try terminal.send(key)
            try terminal.waitUntilIdle(milliseconds: 20)
            try #require(!terminal.isClosed, "\(context): ended by \(key.debugDescription)")
        }
        #expect(terminal.screen.strays.isEmpty, "\(context): \(terminal.screen.strays)")
        try terminal.send("\u{11}")
        #expect(terminal.waitForExit() == 0, "\(context)")
        for command in [["list"], ["list", "--trash"], ["folder", "list"], ["search", "a"], ["doctor"]] {
            let printed = try PseudoTerminal(Workplace.program, command, environment: workplace.environment)
            #expect((printed.waitForExit() ?? 999) < 128, "\(context): \(command)")
            #expect(printed.screen.strays.isEmpty, "\(context), \(command): \(printed.screen.strays)")
        }
    }
}
