import NoteStore
import Terminal
import TestSupport
import Testing

@testable import Interface
@testable import ViewModel

/// Tests the user's own commands, from their lines in the configuration to the use of their output.
@MainActor
@Suite struct CustomCommandTests {
    private func window(_ configuration: String, text: String = "one\ntwo\n") throws -> Window {
        let window = try Window(notes: [text])
        let reading = Configuration.read(configuration)
        #expect(reading.problems.isEmpty)
        window.interface.apply(reading)
        window.interface.model.show(try #require(window.interface.model.noteUnderCursor))
        window.interface.focusEditor()
        window.draw()
        return window
    }

    private static let sort = """
        [command.sort]
        run = "sort -r"
        title = "Sort backwards"
        answer = "replace"
        key = "Alt-S"
        """

    @Test(arguments: [
        ("wc -w", "wc -w"),
        ("echo {title}", "echo \"${TN_TITLE}\""),
        ("echo \"a {url} b\"", "echo \"a ${TN_URL} b\""),
        ("echo 'a {file} b'", "echo 'a '\"${TN_FILE}\"' b'"),
        ("echo \\'{title}", "echo \\'\"${TN_TITLE}\""),
        ("echo \"\\\"{title}\"", "echo \"\\\"${TN_TITLE}\""),
        ("awk '{print $1}' {x} {", "awk '{print $1}' {x} {"),
        ("echo it\\", "echo it\\"),
    ])
    func `names in braces become variables, quoted as their place needs it`(line: String, script: String) {
        #expect(ShellTemplate.script(line) == script)
    }

    @Test(arguments: [
        ("[command.x]\ntitle = \"X\"", "config.toml: command.x needs run"),
        ("[command.x]\nrun = 3", "line 2: command.x.run is a text in quotes, not 3"),
        ("[command.x]\nrun = \"a\"\nanswer = \"eat\"", "line 3: command.x.answer is \"show\", \"replace\""),
        ("[command.x]\nrun = \"a\"\nkey = \"Hyper-N\"", "line 3: no key is called \"Hyper-N\""),
        ("[command.x]\nrun = \"a\"\ntimeout = 0", "line 3: command.x.timeout is a number from 1 to 3600, not 0"),
        ("[command]\nx = \"a\"", "line 2: command.x: a command is a table [command.NAME] with run in it"),
        ("[command.\"a b\"]\nrun = \"a\"", "a command's name has letters of a to z, digits and hyphens, not a b"),
    ])
    func `a mistake is named with its line`(text: String, problem: String) {
        let problems = Configuration.read(text).problems
        #expect(problems.count == 1)
        #expect(problems.first.map { "\($0)".contains(problem) } == true, "\(problems)")
    }

    @Test func `the commands in force are printed so that they read the same`() {
        let reading = Configuration.read(Self.sort + "\ntimeout = 5\ninput = \"note\"")
        #expect(reading.problems.isEmpty)
        #expect(Configuration.read(reading.configuration.text).configuration.commands == reading.configuration.commands)
    }

    @Test func `a command is asked about once, has its key and its place in the palette, and replaces what it read`()
        throws
    {
        let window = try window(Self.sort)
        defer { window.close() }
        window.press("Alt-S")
        #expect(window.lines.contains { $0.contains("sort -r") })
        #expect(window.host.scripts.isEmpty)
        window.press("n")
        #expect(window.host.scripts.isEmpty && window.host.allowedLines.isEmpty)
        window.press("Alt-S", "y")
        #expect(window.host.scripts.map(\.script) == ["sort -r"])
        #expect(window.host.scripts.first?.input == Array("one\ntwo\n".utf8))
        #expect(window.host.scripts.first?.environment["TN_TITLE"] == "one")
        window.host.endScript(.answer("two\none\n"))
        let session = try #require(window.interface.model.session)
        #expect(session.text == "two\none\n")
        session.undo()
        #expect(session.text == "one\ntwo\n")
        // The user is not asked a second time.
        window.press("Ctrl-P", "\"sort back\"", "Enter")
        #expect(window.host.scripts.count == 2)
    }

    @Test func `a selection alone is replaced, without the line end that programs add`() throws {
        let window = try window(Self.sort)
        defer { window.close() }
        window.host.allowedLines = ["sort -r"]
        let session = try #require(window.interface.model.session)
        session.move(.right, extending: true)
        session.move(.right, extending: true)
        window.press("Alt-S")
        #expect(window.host.scripts.first?.input == Array("on".utf8))
        window.host.endScript(.answer("ON\n"))
        #expect(session.text == "ONe\ntwo\n")
    }

    @Test func `an answer for a text that changed meanwhile is kept for pasting, and overwrites nothing`() throws {
        let window = try window(Self.sort)
        defer { window.close() }
        window.host.allowedLines = ["sort -r"]
        window.press("Alt-S", "\"typed \"")
        window.host.endScript(.answer("two\none\n"))
        let session = try #require(window.interface.model.session)
        #expect(session.text == "typed one\ntwo\n")
        #expect(window.interface.clipboard?.text == "two\none\n")
        #expect(window.interface.model.notice?.text.contains("waits to be pasted with ^V") == true)
    }

    @Test func `what fails or is stopped changes nothing and says why`() throws {
        let window = try window(Self.sort)
        defer { window.close() }
        window.host.allowedLines = ["sort -r"]
        window.press("Alt-S")
        window.interface.perform("command.stop")
        #expect(window.host.stops == 1)
        window.host.endScript(.stopped)
        #expect(window.interface.model.notice?.text == "“Sort backwards” was stopped; nothing was changed")
        window.press("Alt-S")
        window.host.endScript(.failed("ended with status 2", details: "sort: bad \u{1B}[2J option\nsecond line"))
        window.draw()
        #expect(window.interface.model.session?.text == "one\ntwo\n")
        #expect(window.lines.contains { $0.contains("second line") })
        #expect(!window.lines.joined().contains("\u{1B}"))
        window.press("Esc")
        #expect(window.interface.overlays.isEmpty)
    }

    @Test func `an answer that comes while a dialog is open waits to be pasted, and takes no key from it`() throws {
        let window = try window("[command.look]\nrun = \"date\"\ntitle = \"Look\"\nanswer = \"show\"\nkey = \"Alt-S\"")
        defer { window.close() }
        window.host.allowedLines = ["date"]
        window.press("Alt-S", "Ctrl-P")
        #expect(window.interface.overlays.count == 1)
        window.host.endScript(.answer("noon\n"))
        #expect(window.interface.overlays.count == 1)
        #expect(window.interface.clipboard?.text == "noon\n")
        window.press("Esc", "Alt-S")
        window.host.endScript(.failed("ended with status 2", details: "more"))
        #expect(window.interface.overlays.isEmpty)
        #expect(window.interface.model.notice?.text.contains("ended with status 2: more") == true)
    }

    @Test func `a command that prints nothing replaces nothing`() throws {
        let window = try window(Self.sort)
        defer { window.close() }
        window.host.allowedLines = ["sort -r"]
        window.press("Alt-S")
        window.host.endScript(.answer(""))
        #expect(window.interface.model.session?.text == "one\ntwo\n")
        #expect(window.interface.model.notice?.text == "“Sort backwards” printed nothing")
    }

    @Test func `the status line says which command runs, also while the user types, until it ends`() throws {
        let window = try window(Self.sort)
        defer { window.close() }
        window.host.allowedLines = ["sort -r"]
        let line = { window.lines.last ?? "" }
        window.press("Alt-S")
        window.press("\"a\"")
        window.press("Left")
        #expect(line().contains("· “Sort backwards” runs ·"), "\(line())")
        window.host.endScript(.answer("two\none\n"))
        window.press("Left")
        #expect(!line().contains("runs"), "\(line())")
    }

    @Test func `a running command takes no room from the save state on a short line`() throws {
        let window = try Window(columns: 24, rows: 5, notes: ["one two"])
        defer { window.close() }
        window.interface.state.runningScript = RunningScript(title: "Sort backwards") {}
        window.press("Enter")
        #expect(window.lines.last == "       saved   Esc list")
    }

    @Test func `one command runs at a time`() throws {
        let window = try window(Self.sort)
        defer { window.close() }
        window.host.allowedLines = ["sort -r"]
        window.press("Alt-S", "Alt-S")
        #expect(window.host.scripts.count == 1)
    }

    @Test func `an answer is shown, inserted, or becomes a note`() throws {
        let window = try window(
            "[command.a]\nrun = \"a\"\n[command.b]\nrun = \"b\"\nanswer = \"insert\"\n[command.c]\nrun = \"c {file}\"\nanswer = \"note\""
        )
        defer { window.close() }
        window.host.allowedLines = ["a", "b", "c {file}"]
        window.interface.perform("command.a")
        window.host.endScript(.answer("3 words\n\tin 世界\n"))
        window.draw()
        #expect(window.lines.contains { $0.contains("    in 世界") })
        window.press("Esc")
        window.interface.perform("command.b")
        window.host.endScript(.answer("X"))
        #expect(window.interface.model.session?.text == "Xone\ntwo\n")
        window.interface.perform("command.c")
        #expect(window.host.scripts.last?.fileText == "Xone\ntwo\n")
        window.host.endScript(.answer("# From outside\n"))
        #expect(window.interface.model.session?.text == "# From outside\n")
        #expect(window.interface.model.notice?.text == Texts.Custom.done("c"))
    }

    @Test func `one line is inserted without its line end, several with theirs`() throws {
        let window = try window("[command.b]\nrun = \"b\"\nanswer = \"insert\"", text: "one\ntwo\n")
        defer { window.close() }
        window.host.allowedLines = ["b"]
        let session = try #require(window.interface.model.session)
        session.move(.right)
        window.interface.perform("command.b")
        window.host.endScript(.answer("2026\n"))
        #expect(session.text == "o2026ne\ntwo\n")
        window.interface.perform("command.b")
        window.host.endScript(.answer("a\nb\n"))
        #expect(session.text == "o2026a\nb\nne\ntwo\n")
    }

    @Test func `the question before the first run shows the line as it is, in rows of its own`() throws {
        let window = try window("[command.b]\nrun = \"tr -d '  ' | wc -w\"")
        defer { window.close() }
        window.interface.perform("command.b")
        window.draw()
        #expect(window.lines.contains { $0.contains("│ tr -d '  ' | wc -w ") }, "\(window.lines)")
    }

    @Test func `a selection is piped through a line that is typed`() throws {
        let window = try window("")
        defer { window.close() }
        window.press("Ctrl-A", "Alt-|")
        #expect(window.lines.contains { $0.contains("Pipe the selection through") })
        window.press("\"tac\"", "Enter")
        #expect(window.host.scripts.map(\.script) == ["tac"])
        window.host.endScript(.answer("two\none\n"))
        #expect(window.interface.model.session?.text == "two\none\n")
        // In the list the output is shown.
        window.press("Esc", "|")
        #expect(window.lines.contains { $0.contains("show the answer") })
        window.press("Enter")
        window.host.endScript(.answer("shown only\n"))
        window.draw()
        #expect(window.lines.contains { $0.contains("shown only") })
        #expect(window.interface.model.session?.text == "two\none\n")
    }

    @Test func `the last line of what a failed command said is in the message, and all of it can be shown later`()
        throws
    {
        let window = try window(Self.sort)
        defer { window.close() }
        window.host.allowedLines = ["sort -r"]
        window.press("Alt-S", "Ctrl-P")
        window.host.endScript(.failed("ended with status 2", details: "first\nsort: no such option\n\n"))
        #expect(
            window.interface.model.notice?.text
                == "“Sort backwards” ended with status 2: sort: no such option; nothing was changed")
        window.press("Esc")
        window.interface.perform("command.errors")
        window.draw()
        #expect(window.lines.contains { $0.contains("Errors of “Sort backwards”") })
        #expect(window.lines.contains { $0.contains("first") })
    }
}
