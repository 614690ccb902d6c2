import Foundation
import Load
import ScriptedServer
import TerminalDriver
import Testing

/// Tests the commands that need no model, and the content of requests to a model.
struct CommandLineModelTests {
    private let workplace: Workplace

    init() throws {
        workplace = try Workplace()
        for text in [
            "Budget meeting\n\nAna said the budget must not grow this year. She signs every invoice.",
            "Sourdough\n\nFlour and water; proof overnight in the fridge.",
            "Pizza dough\n\nThe same flour as sourdough; proof two days in the fridge.",
        ] {
            _ = try workplace.tn("--new", input: text)
        }
    }

    private func configure(_ server: ScriptedServer, host: String = "127.0.0.1", more: String = "") throws {
        try workplace.configure(
            "[ai]\nchat = \"test\"\n\(more)\n[ai.provider.test]\nurl = \"http://\(host):\(server.port)/v1\"\nmodel = \"m\"\n"
        )
    }

    private func server(_ replies: ScriptedServer.Reply...) throws -> ScriptedServer {
        try #require(ScriptedServer(replies))
    }

    @Test func `without a model the notes themselves answer`() throws {
        let asked = try workplace.tn("ask", "what did Ana say about the budget?")
        #expect(asked.status == 0 && asked.output.hasPrefix("Budget meeting\n  Ana said the budget must not grow"))
        #expect(asked.output.contains("  takenote://note/") && asked.error.isEmpty)
        let json = try workplace.tn("ask", "--json", "budget")
        #expect(json.output.contains("\"answer\" : null") && json.output.contains("\"url\" : \"takenote://note/"))
        #expect(try workplace.tn("ask", "xylophones").status == 1)
        let related = try workplace.tn("related", "Sourdough")
        #expect(related.status == 0 && related.output.contains("\tPizza dough\t"))
        #expect(!related.output.contains("\tSourdough\t"))
        #expect(
            try workplace.tn("summarize", "Budget meeting").output
                == "Ana said the budget must not grow this year. She signs every invoice.\n")
        for words in [["summarize", "--model", "Sourdough"], ["format", "Sourdough"], ["assist", "shorten"]] {
            let result = try workplace.run(Workplace.program, words, input: "text")
            #expect(result.status == 69 && result.error.hasPrefix("tn: no model is configured"), "\(words)")
        }
        // The words of this command are not its text.
        let empty = try workplace.tn("assist", "shorten", input: "\n")
        #expect(empty.status == 64 && empty.error == "tn: there is no text; give it on standard input\n")
    }

    @Test func `related notes are compared by words, and a wrong configuration is reported`() throws {
        try workplace.configure("[ai]\nembed = \"nosuch\"\n")
        let related = try workplace.tn("related", "Sourdough")
        #expect(related.status == 0 && related.output.contains("\tPizza dough\t"))
        #expect(related.error.contains("nosuch") && related.error.contains("; found by words only"), "\(related.error)")
    }

    @Test func `an answer has links to its notes, and what it cites wrongly is reported`() throws {
        let server = try server(
            .answer([
                "Ana said the budget", " must not grow [1]. ", "Elephants live in distant savannas [1]",
                " [9].\u{1B}[2J",
            ]))
        defer { server.stop() }
        try configure(server)
        let result = try workplace.tn("ask", "what did Ana say about the budget?")
        #expect(result.status == 0, "\(result.error)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.first?.contains("must not grow [1](takenote://note/") == true)
        #expect(lines.first?.contains(")?") == true && !result.output.contains("\u{1B}"))
        #expect(lines.contains("Sources:") && lines.last?.hasPrefix("- [Budget meeting](takenote://note/") == true)
        #expect(result.error.contains("1 citation left out"))
        let json = try workplace.tn("ask", "--json", "what did Ana say about the budget?")
        #expect(
            json.output.contains("\"answer\" : \"Ana said") && json.output.contains("\"title\" : \"Budget meeting\""))
        #expect(!json.output.contains("Sourdough"))
        let count = server.requests.count
        let shown = try workplace.tn("ask", "--show-prompt", "what did Ana say about the budget?").output
        #expect(shown.contains("must not grow") && server.requests.count == count)
        #expect(server.requests[0].hasSuffix(shown.trimmingCharacters(in: .newlines)))
        // Where nothing fits, nothing would be sent.
        let none = try workplace.tn("ask", "--show-prompt", "xylophones")
        #expect(none.status == 1 && none.output.isEmpty && none.error.contains("no note fits"))
        // JSON is JSON with a model and without one.
        let empty = try workplace.tn("ask", "--json", "xylophones")
        #expect(empty.status == 1 && empty.output.contains("\"answer\" : null") && empty.error.isEmpty)
        #expect(empty.output.contains("\"sources\"") && server.requests.count == count)
    }

    @Test func `what the provider of vectors would be sent is shown as it is sent`() throws {
        let (script, seen) = (workplace.folder.path + "/vectors", workplace.folder.path + "/seen")
        let program = """
            IFS= read -r line; printf '%s\\n' "$line" >> \(seen)
            case $line in *query:*) echo '[[1, 0]]';; *) echo '[[1, 0], [0, 1], [1, 1]]';; esac
            """
        try Data(program.utf8).write(to: URL(filePath: script))
        try workplace.configure("[ai]\nembed = \"v\"\n[ai.provider.v]\ncommand = [\"sh\", \"\(script)\"]\n")
        let passages = try workplace.tn("ai", "index", "--show-prompt").output
        #expect(passages.hasPrefix("[\"passage: Budget meeting") && !FileManager.default.fileExists(atPath: seen))
        // Without vectors the question is not sent.
        #expect(try workplace.run(Workplace.program, ["ask", "--show-prompt", "invoices"], input: "").status == 69)
        #expect(try workplace.tn("ai", "index", "--yes").status == 0)
        let question = try workplace.tn("ask", "--show-prompt", "who signs the invoices?").output
        #expect(question == "[\"query: who signs the invoices?\"]\n")
        #expect(try String(contentsOfFile: seen, encoding: .utf8) == passages)
        #expect(try workplace.tn("ask", "--yes", "who signs the invoices?").status == 0)
        #expect(try String(contentsOfFile: seen, encoding: .utf8) == passages + question)
    }

    @Test func `a model looks for more, and has no other tool`() throws {
        let call =
            #"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"search_notes","#
            + #""arguments":"{\"query\":\"flour fridge\"}"}},{"index":1,"id":"b","function":{"name":"create_note","#
            + #""arguments":"{\"text\":\"x\"}"}}]},"finish_reason":"tool_calls"}]}"#
        let server = try server(.stream([call]), .answer(["Proof overnight in the fridge [2]."]))
        defer { server.stop() }
        try configure(server)
        let result = try workplace.tn("ask", "budget")
        #expect(result.status == 0 && result.output.contains("[2](takenote://note/"), "\(result.error)")
        #expect(server.requests.count == 2 && !server.requests[0].contains("create_note"))
        #expect(server.requests[1].contains("overnight") && server.requests[1].contains("There is no such tool"))
        #expect(try workplace.query("SELECT count(*) FROM note") == "3")
    }

    @Test func `nothing leaves this machine without consent, and nothing private at all`() throws {
        let server = try server(.answer(["Yes."]))
        defer { server.stop() }
        try configure(server, host: "127.0.0.1@localhost")
        let refused = try workplace.tn("ask", "budget")
        #expect(refused.status == 77 && refused.error.split(separator: "\n").count == 1 && server.requests.isEmpty)
        #expect(try workplace.tn("assist", "shorten", input: "text").status == 77 && server.requests.isEmpty)
        #expect(try workplace.tn("ask", "--yes", "budget").status == 0 && server.requests.count == 1)
        try configure(server, more: "never-send = [\"Inbox\"]")
        #expect(try workplace.tn("summarize", "--model", "Sourdough").status == 77)
        #expect(try workplace.tn("format", "Sourdough").status == 77)
        #expect(try workplace.tn("ask", "budget").status == 1 && server.requests.count == 1)
        // A rule that cannot be read must not be treated as permission.
        try configure(server, more: "never-send = \"Inbox\"")
        let unread = try workplace.tn("ask", "budget")
        #expect(unread.status == 65 && unread.error.hasPrefix("tn: config.toml, line 3: ai.never-send is a list"))
        try workplace.configure(
            "[ai]\nchat = \"test\"\n[ai.provider.test]\nurl = \"\(server.url)\"\nkey = \"sk-secret\"\n")
        let inline = try workplace.tn("ask", "budget")
        #expect(inline.status == 65 && inline.error.contains("line 5") && !inline.error.contains("sk-secret"))
        #expect(server.requests.count == 1)
        try configure(server)
        _ = try workplace.tn("archive", "Sourdough")
        #expect(try workplace.tn("summarize", "--model", "Sourdough").status == 77)
        _ = try workplace.tn("ai", "privacy", "Pizza dough", "never")
        #expect(try workplace.tn("format", "Pizza dough").status == 77 && server.requests.count == 1)
        #expect(try workplace.tn("ai", "status").output.contains("may see 1 note"))
    }

    @Test func `a copy of a note that is never sent is never sent`() throws {
        let server = try server(.answer(["Yes."]))
        defer { server.stop() }
        try configure(server)
        _ = try workplace.tn("ai", "privacy", "Pizza dough", "never")
        _ = try workplace.tn("export", workplace.folder.path + "/out")
        _ = try workplace.tn("import", workplace.folder.path + "/out")
        #expect(try !workplace.tn("ask", "--show-prompt", "pizza dough").output.contains("two days"))
    }

    @Test func `a truncated answer changes nothing and is not kept`() throws {
        let piece = ##"{"choices":[{"delta":{"content":"# Sourdough\n\nFlour and water; proof"}}]}"##
        let cut = ScriptedServer.Reply.stream([piece], ending: "")
        let server = try server(cut, cut, .answer(["Flour, water"], finish: "length"))
        defer { server.stop() }
        try configure(server)
        #expect(try workplace.tn("format", "--write", "Sourdough").status == 69)
        #expect(try workplace.tn("show", "Sourdough").output.contains("overnight in the fridge"))
        #expect(try workplace.tn("summarize", "--model", "--save", "Sourdough").status == 69)
        let short = try workplace.tn("summarize", "--model", "--save", "Sourdough")
        #expect(short.status == 69 && short.output == "Flour, water\n" && short.error.contains("not kept"))
        #expect(try workplace.query("SELECT count(*) FROM setting WHERE key LIKE 'summary/%'") == "0")
    }

    @Test func `a question about consent is answered on the terminal while the text comes from a pipe`() throws {
        let server = try server(.answer(["Shorter."]))
        defer { server.stop() }
        try configure(server, host: "127.0.0.1@localhost")
        let terminal = try PseudoTerminal(
            "/bin/sh", ["-c", "echo a long text | \"$0\" assist 'make it shorter'", Workplace.program],
            environment: workplace.environment, columns: 200)
        try terminal.wait(for: "[N]o")
        try terminal.send("s\r")
        try terminal.wait(for: "a long text")
        try terminal.send("y\r")
        try terminal.wait(for: "Shorter.")
        #expect(terminal.waitForExit() == 0 && server.requests.count == 1)
    }

    @Test func `on a terminal the sources have the numbers of the answer, and reasoning comes before it`() throws {
        let server = try server(
            .stream([
                #"{"choices":[{"delta":{"reasoning":"let me look"}}]}"#,
                #"{"choices":[{"delta":{"content":"Ana said the budget must not grow [1] [9]."},"finish_reason":"stop"}]}"#,
            ]))
        defer { server.stop() }
        try configure(server)
        let terminal = try PseudoTerminal(
            Workplace.program, ["ask", "what did Ana say about the budget?"], environment: workplace.environment,
            columns: 200)
        try terminal.wait(for: "[1] [Budget meeting](takenote://note/")
        #expect(terminal.waitForExit() == 0 && terminal.screen.lines.contains { $0.contains("let me look") })
        // What is said about the answer comes after all of it.
        let lines = terminal.screen.lines.filter { !$0.allSatisfy(\.isWhitespace) }
        #expect(lines.last?.contains("1 citation left out") == true, "\(lines)")
        #expect(!(try workplace.tn("ask", "budget").error.contains("look")))
    }

    @Test func `a signal ends a question with its own status, and its program is gone`() throws {
        let program = workplace.folder.path + "/stubborn"
        try Data("trap '' TERM\necho $$ >\(program).id\nwhile :; do echo x; sleep 1; done\n".utf8)
            .write(to: URL(filePath: program))
        try workplace.configure("[ai]\nchat = \"p\"\n[ai.provider.p]\ncommand = [\"sh\", \"\(program)\"]\n")
        for (signal, status) in [(SIGTERM, 143), (SIGINT, 130)] as [(Int32, Int32)] {
            try? FileManager.default.removeItem(atPath: program + ".id")  // there is none at first
            let terminal = try PseudoTerminal(
                Workplace.program, ["ask", "--yes", "budget"], environment: workplace.environment, columns: 100)
            try terminal.wait(for: "x")
            let id = try #require(
                Int32(try String(contentsOfFile: program + ".id", encoding: .utf8).trimmingCharacters(in: .newlines)))
            kill(terminal.process, signal)
            #expect(terminal.waitForExit() == status && kill(id, 0) == -1)
        }
    }

    #if os(Linux)
    @Test func `a request and a program end with tn, even if it is killed`() throws {
        let server = try server(.init([.hang]))
        defer { server.stop() }
        try configure(server)
        func ask() throws -> PseudoTerminal {
            try PseudoTerminal(
                Workplace.program, ["ask", "--yes", "budget"], environment: workplace.environment, columns: 100)
        }
        let asking = try ask()
        try waitUntil { server.requests.count == 1 }
        kill(asking.process, SIGKILL)
        _ = asking.waitForExit()
        try waitUntil { server.openConnections == 0 }

        let program = workplace.folder.path + "/silent"
        try Data("echo $$ >\(program).id\necho x\nexec sleep 1000\n".utf8).write(to: URL(filePath: program))
        try workplace.configure("[ai]\nchat = \"p\"\n[ai.provider.p]\ncommand = [\"sh\", \"\(program)\"]\n")
        let waiting = try ask()
        try waiting.wait(for: "x")
        let id = try String(contentsOfFile: program + ".id", encoding: .utf8).trimmingCharacters(in: .newlines)
        kill(waiting.process, SIGKILL)
        _ = waiting.waitForExit()
        // It may be a zombie that its new parent has not waited for yet.
        try waitUntil { (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8))?.contains(") Z") ?? true }
    }
    #endif

    @Test func `the status and the default configuration promise no more than is true`() throws {
        try workplace.configure("[ai]\nembed = \"v\"\n[ai.provider.v]\ncommand = [\"vectors\"]\n")
        let status = try workplace.tn("ai", "status").output
        #expect(!status.contains("nothing is ever sent") && status.contains("v, gets questions"))
        #expect(try !workplace.tn("config", "--default").output.contains("nothing is ever sent"))
    }

    @Test func `an unreadable configuration is told once, and a provider that is not there in the status too`() throws {
        try workplace.configure("[ai\nchat = \n")
        let asked = try workplace.tn("ask", "budget")
        #expect(asked.status == 0 && asked.output.hasPrefix("Budget"))
        #expect(asked.error.split(separator: "\n").count == 1 && asked.error.hasPrefix("tn: config.toml, line 1"))
        try workplace.configure("[ai]\nchat = \"local\"\n[ai.provider.local]\n")
        let status = try workplace.tn("ai", "status")
        #expect(status.status == 0 && status.output.hasPrefix("chat\tlocal"))
        #expect(
            status.error
                == "tn: there is no provider “local”; add [ai.provider.local] with url or command to config.toml, "
                + "or change ai.chat\n")
    }

    @Test func `a question is asked of one folder or one tag`() throws {
        let server = try server(.answer(["So."]))
        defer { server.stop() }
        try configure(server)
        for words in [
            ["folder", "add", "Kitchen"], ["move", "Sourdough", "--to", "Kitchen"],
            ["tag", "Pizza dough", "--add", "dinner"],
        ] {
            let result = try workplace.run(Workplace.program, words)
            #expect(result.status == 0, "\(result)")
        }
        for (words, title) in [(["--in", "Kitchen"], "Sourdough"), (["--tag", "dinner"], "Pizza dough")] {
            let shown = try workplace.run(Workplace.program, ["ask", "--show-prompt"] + words + ["flour fridge"]).output
            for other in ["Sourdough", "Pizza dough"] {
                let isShown = shown.contains(#""note":"\#(other)"#) || shown.contains(#"note\":\"\#(other)"#)
                #expect(isShown == (other == title), "\(words) \(shown)")
            }
        }
    }

    @Test func `an answer that nobody reads any more ends without a word`() throws {
        try workplace.configure("[ai]\nchat = \"p\"\n[ai.provider.p]\ncommand = [\"yes\", \"word\"]\n")
        let result = try workplace.run("/bin/sh", ["-c", "\"$0\" ask --yes budget | head -1", Workplace.program])
        #expect(result.output == "word\n" && result.error.isEmpty)
    }

    @Test func `a failure prints no JSON`() throws {
        let server = try server(.status(500, "x"))
        defer { server.stop() }
        try configure(server)
        let result = try workplace.tn("ask", "--json", "budget")
        #expect(result.status == 69 && result.output.isEmpty && result.error.hasPrefix("tn: "))
    }

    @Test func `a failure is one line without what the server wrote`() throws {
        let server = try server(.status(401, #"{"error":{"message":"bad key sk-123"}}"#))
        defer { server.stop() }
        try configure(server)
        for words in [["ask", "budget"], ["summarize", "--model", "Sourdough"], ["format", "Sourdough"]] {
            let result = try workplace.run(Workplace.program, words)
            #expect(result.status == 69 && result.output.isEmpty, "\(words)")
            #expect(result.error.hasPrefix("tn: ") && result.error.split(separator: "\n").count == 1)
            #expect(!result.error.contains("sk-"))
        }
    }

    @Test func `a summary is kept, and asked for again only when the text has changed`() throws {
        let server = try server(.answer(["**Summary:** Flour, water", " and a night."]))
        defer { server.stop() }
        try configure(server)
        for _ in 0..<2 {
            let result = try workplace.tn("summarize", "--model", "--save", "Sourdough")
            #expect(result.output == "Flour, water and a night.\n", "\(result.error)")
        }
        #expect(server.requests.count == 1)
        _ = try workplace.tn("append", "Sourdough", "Salt too.")
        _ = try workplace.tn("summarize", "--model", "--save", "Sourdough")
        #expect(server.requests.count == 2)
    }

    @Test func `a formatted text keeps its words or is refused`() throws {
        let good = "```markdown\n# Sourdough\n\nFlour and water; **proof** overnight in a fridge.\n```"
        let server = try server(
            .answer([good]), .answer(["# Sour"]), .answer(["# Sourdough"], finish: "length"), .answer([good]))
        defer { server.stop() }
        try configure(server)
        let shown = try workplace.tn("format", "Sourdough")
        #expect(shown.output == "# Sourdough\n\nFlour and water; **proof** overnight in a fridge.")
        #expect(shown.error == "tn: 1 word changed\n")
        for _ in 0..<2 { #expect(try workplace.tn("format", "--write", "Sourdough").status == 69) }
        #expect(
            try workplace.tn("show", "Sourdough").output
                == "Sourdough\n\nFlour and water; proof overnight in the fridge.")
        #expect(try workplace.tn("format", "--write", "Sourdough").status == 0)
        #expect(try workplace.tn("show", "Sourdough").output.contains("**proof**"))
        #expect(try workplace.tn("history", "Sourdough").output.contains("outside"))
    }

    @Test func `a note changed in the same words meanwhile is left, and it is said where the answer is`() throws {
        let script = workplace.folder.path + "/model"
        let program = """
            cat >/dev/null
            export TAKENOTE_DATABASE='\(workplace.database.path)'
            EDITOR='sed -i s/overnight/quickly/' '\(Workplace.program)' edit Sourdough
            printf '# Sourdough\\n\\nFlour and water; proof **overnight** in the fridge.'
            """
        try Data(program.utf8).write(to: URL(filePath: script))
        try workplace.configure("[ai]\nchat = \"p\"\n[ai.provider.p]\ncommand = [\"sh\", \"\(script)\"]\n")
        let result = try workplace.tn("format", "--yes", "--write", "Sourdough")
        #expect(result.status == 0 && result.error.contains("in the same words; your text is in “"), "\(result)")
        #expect(try workplace.tn("list").output.split(separator: "\n").count == 4)
        #expect(try workplace.query("SELECT count(*) FROM note_text WHERE text LIKE '%proof quickly%'") == "1")
        #expect(try workplace.query("SELECT count(*) FROM note_text WHERE text LIKE '%**overnight**%'") == "1")
    }

    @Test func `a note that is thrown away while the model works is not changed in the Trash`() throws {
        let script = workplace.folder.path + "/model"
        let names = ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"]
        try Data(
            "cat >/dev/null\n'\(Workplace.program)' trash Sourdough >/dev/null 2>&1\n"
                .appending("printf '# Sourdough\\n\\nFlour and water; proof overnight in the fridge.'\n").utf8
        ).write(to: URL(filePath: script))
        try workplace.configure(
            "[ai]\nchat = \"p\"\n[ai.provider.p]\ncommand = [\"sh\", \"\(script)\"]\nenvironment = \(names)\n")
        let result = try workplace.tn("format", "--write", "--yes", "Sourdough")
        #expect(result.status == 65 && result.error.contains("is in the Trash"), "\(result.error)")
        #expect(
            try workplace.tn("show", "Sourdough").output
                == "Sourdough\n\nFlour and water; proof overnight in the fridge.")
    }

    @Test func `a text is changed by a program, whose output comes as it is`() throws {
        try workplace.configure("[ai]\nchat = \"cat\"\n[ai.provider.cat]\ncommand = [\"cat\"]\n")
        let result = try workplace.tn("assist", "--yes", "make it shorter", input: "A long text.")
        #expect(
            result.status == 0 && result.output.contains("Request: make it shorter")
                && result.output.contains("A long text."))
    }
}
