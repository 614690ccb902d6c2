import Foundation
import ScriptedServer
import TerminalDriver
import Testing

/// Tests the first rule of models by the system's own record.
///
/// Nothing is started and no address is contacted unless a provider is configured and the user asked for the action.
///
/// It needs `strace`, which Linux has, and permission to trace; without them, only the configured server and program
/// show whether they were used.
struct SilenceTests {
    private let workplace: Workplace
    private let server: ScriptedServer
    private static let tracer = ["/usr/bin/strace", "/usr/local/bin/strace"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    init() throws {
        workplace = try Workplace()
        server = try #require(ScriptedServer([.answer(["Yes."])]))
        for text in ["Budget meeting\n\nAna signs every invoice.", "Budget plan\n\nEvery invoice, and the rent."] {
            _ = try workplace.tn("--new", input: text)
        }
    }

    /// Configures a provider of each kind; the program leaves a file where it was started.
    private func configure(chat: String) throws {
        try workplace.configure(
            """
            [ai]
            chat = "\(chat)"
            [ai.provider.server]
            url = "\(server.url)"
            key-command = "touch '\(mark)'"
            [ai.provider.program]
            command = ["touch", "\(mark)"]
            """)
    }

    private var mark: String { workplace.folder.path + "/started" }
    private var record: String { workplace.folder.path + "/trace" }
    private var wasStarted: Bool { FileManager.default.fileExists(atPath: mark) }

    /// Returns the recorded actions: programs started besides `tn` itself, and sockets to other machines.
    private func acts() throws -> [String] {
        let text = try String(contentsOfFile: record, encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        let starts = lines.filter { $0.contains("execve(") && !$0.contains("ENOENT") }
        // A record that does not contain the program itself is invalid.
        try #require(starts.first?.contains("/tn") == true, "\(text.prefix(300))")
        return starts.dropFirst() + lines.filter { $0.contains("AF_INET") || $0.contains("AF_NETLINK") }
    }

    /// Runs `tn` under the tracer, if there is one that works here.
    private func traced(_ words: [String], _ input: String = "") throws -> (status: Int32, acts: [String]?) {
        guard let tracer = Self.tracer,
            try workplace.run(tracer, ["-o", "/dev/null", "/bin/true"]).status == 0
        else { return (try workplace.run(Workplace.program, words, input: input).status, nil) }
        let options = ["-f", "-qq", "-e", "trace=execve,execveat,socket,connect,sendto", "-o", record]
        let result = try workplace.run(tracer, options + [Workplace.program] + words, input: input)
        return (result.status, try acts())
    }

    @Test(arguments: ["", "server", "program"])
    func `a command that asks no model starts nothing and reaches nobody`(chat: String) throws {
        defer { server.stop() }
        try configure(chat: chat)
        var commands = [
            ["related", "Budget plan"], ["summarize", "--save", "Budget plan"], ["ai", "status"],
            ["search", "invoice"], ["append", "Budget plan", "More."],
        ]
        // Without a provider the answer comes from the notes; with one the prompt is only shown.
        commands += chat.isEmpty ? [["ask", "who signs every invoice?"]] : [["ask", "--show-prompt", "invoice"]]
        for words in commands {
            let (status, acts) = try traced(words)
            #expect(status == 0 && acts ?? [] == [], "\(words): \(acts ?? [])")
        }
        #expect(server.requests.isEmpty && !wasStarted)
    }

    @Test func `the record sees what a question to a model starts`() throws {
        defer { server.stop() }
        try configure(chat: "program")
        _ = try workplace.tn("assist", "--yes", "shorten", input: "text")
        #expect(wasStarted)
        let (_, acts) = try traced(["assist", "--yes", "shorten"], "text")
        #expect(acts != [])
    }
}
