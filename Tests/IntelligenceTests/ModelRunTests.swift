import Foundation
import Load
import Processes
import ScriptedServer
import Synchronization
import Testing

@testable import Intelligence

/// Tests runs of a real curl against a server that follows a script.
struct ModelRunTests {
    private static let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]

    private func provider(_ server: ScriptedServer) throws -> Provider {
        var provider = Provider(name: "test", way: .server(try #require(ServerAddress(server.url))))
        provider.model = "m"
        return provider
    }

    private func run(_ provider: Provider, _ environment: [String: String] = environment) -> ModelRun {
        var run = ModelRun(provider, environment: environment)
        // The test does not wait for pauses.
        run.pause = { _ in }
        return run
    }

    /// Returns the error of a run against a script.
    private func failure(_ script: ScriptedServer.Reply..., patience: Int = 120) throws -> ModelFailure? {
        let server = try #require(ScriptedServer(script))
        defer { server.stop() }
        var provider = try provider(server)
        provider.patience = patience
        do throws(ModelFailure) {
            _ = try run(provider).answer(to: Prompts.test)
            return nil
        } catch {
            // The error must not repeat text from the server's answer.
            #expect(!error.sentence.contains("sk-") && !error.sentence.contains("\n"))
            return error
        }
    }

    @Test func `an answer streams, and the key goes to the server but not among the arguments`() throws {
        let server = try #require(ScriptedServer([.answer(["Hel", "lo"])]))
        defer { server.stop() }
        var provider = try provider(server)
        provider.key = .command("printf 'sk-\"secret\\\\\\n'")
        let events = Mutex<[AnswerEvent]>([])
        let answer = try run(provider).answer(to: Prompts.test) { event in events.withLock { $0.append(event) } }
        #expect(answer.text == "Hello" && answer.finish == .stop)
        #expect(events.withLock { $0 } == [.text("Hel"), .text("lo")])
        let request = try #require(server.requests.first)
        #expect(request.hasPrefix("POST /v1/chat/completions HTTP/1.1\r\n"))
        #expect(request.contains("Authorization: Bearer sk-\"secret\\\r\n") && !request.contains("Expect:"))
        #expect(request.contains(#""model":"m""#) && request.contains(#""stream":true"#))
    }

    @Test func `each failure is reported by its own name`() throws {
        let place = { (failure: ModelFailure?) -> Bool in failure != nil }
        #expect(place(try failure(.status(401, #"{"error":{"message":"bad key sk-123"}}"#))))
        if case .keyRefused(_, 401)? = try failure(.status(401, "sk-123 is wrong")) {} else { Issue.record("401") }
        if case .redirected(_, 302)? = try failure(.status(302, fields: "Location: http://127.0.0.1:1/\r\n")) {
        } else {
            Issue.record("302")
        }
        if case .notAChat? = try failure(.status(200, "<html>hello</html>")) {} else { Issue.record("html") }
        if case .notAChat? = try failure(.raw("\u{1B}[31mgarbage\r\n\r\n")) {} else { Issue.record("garbage") }
        if case .emptyAnswer? = try failure(.answer(["  "])) {} else { Issue.record("empty") }
        if case .emptyAnswer? = try failure(.stream([])) {} else { Issue.record("nothing but an end") }
        let thought = #"{"choices":[{"delta":{"reasoning_content":"hm"}}]}"#
        let limit = #"{"choices":[{"delta":{},"finish_reason":"length"}]}"#
        if case .onlyReasoned? = try failure(.stream([thought, limit])) {} else { Issue.record("only reasoned") }
        if case .emptyAnswer? = try failure(.stream([limit])) {} else { Issue.record("empty at the limit") }
        let filter = #"{"choices":[{"delta":{"content":"It is"},"finish_reason":"content_filter"}]}"#
        if case .filtered? = try failure(.stream([filter])) {} else { Issue.record("filtered") }
        let refusal = #"{"choices":[{"delta":{"refusal":"I cannot help."},"finish_reason":"stop"}]}"#
        if case .declined? = try failure(.stream([refusal])) {} else { Issue.record("declined") }
        let nothingRefused = #"{"choices":[{"delta":{"content":"yes","refusal":null},"finish_reason":"stop"}]}"#
        #expect(try failure(.stream([nothingRefused])) == nil)
        if case .hungUp(_, false)? = try failure(.raw("")) {} else { Issue.record("hung up") }
        let cut = ScriptedServer.Reply.raw(
            "HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n")
        if case .hungUp(_, true)? = try failure(cut) {} else { Issue.record("cut") }
        // The connection is closed in order, but nothing says that the answer is whole.
        let piece = #"{"choices":[{"delta":{"content":"so far"}}]}"#
        if case .hungUp(_, true)? = try failure(.stream([piece], ending: "")) {} else { Issue.record("no end") }
        // The usage alone is the last that a server sends.
        #expect(try failure(.stream([piece, #"{"choices":[],"usage":{"prompt_tokens":4}}"#], ending: "")) == nil)
        // A piece in the middle is no JSON.
        let last = #"{"choices":[{"delta":{"content":"far"},"finish_reason":"stop"}]}"#
        let broken = String(last.dropLast())
        if case .broken? = try failure(.stream([piece, broken, last])) {} else { Issue.record("broken") }
        #expect(try failure(.stream([piece, last, broken])) == nil)
        if case .serverProblem? = try failure(.stream([piece], ending: "error: {\"message\":\"sk-1\"}\n\n")) {
        } else {
            Issue.record("an error alone")
        }
        if case .refused(_, 404, _)? = try failure(.status(404)) {} else { Issue.record("404") }
        if case .serverProblem? = try failure(.stream([#"{"error":{"message":"boom sk-1"}}"#])) {
        } else {
            Issue.record("error in a stream")
        }
        if case .tooManyRequests(_, 3600)? = try failure(.status(429, fields: "Retry-After: 3600\r\n")) {
        } else {
            Issue.record("429")
        }
        if case .silent(_, 1)? = try failure(.init([.hang]), patience: 1) {} else { Issue.record("silent") }
    }

    @Test func `what came before an error stays, and is not asked for again`() throws {
        let pieces = [#"{"choices":[{"delta":{"content":"so far"}}]}"#, #"{"error":{"message":"Loading model"}}"#]
        let server = try #require(ScriptedServer([.stream(pieces), .answer(["again"])]))
        defer { server.stop() }
        let events = Mutex<[AnswerEvent]>([])
        #expect(throws: ModelFailure.self) {
            try run(provider(server)).answer(to: Prompts.test) { event in events.withLock { $0.append(event) } }
        }
        #expect(events.withLock { $0 } == [.text("so far")] && server.requests.count == 1)
    }

    @Test func `a server that loads or has too much to do is asked again before its first word`() throws {
        let server = try #require(
            ScriptedServer([
                .status(503, #"{"error":{"message":"Loading model"}}"#), .status(429, fields: "Retry-After: 2\r\n"),
                .status(500), .answer(["yes"]),
            ]))
        defer { server.stop() }
        #expect(try run(provider(server)).answer(to: Prompts.test).text == "yes" && server.requests.count == 4)
    }

    @Test func `each reason for a pause is said once, and a stop ends the pause`() throws {
        let loading = ScriptedServer.Reply.status(503, #"{"error":{"message":"Loading model"}}"#)
        let server = try #require(
            ScriptedServer([
                loading, loading, .status(429), .status(429), .status(429, fields: "Retry-After: 1\r\n"), .status(500),
                .answer(["yes"]),
            ]))
        defer { server.stop() }
        var asking = run(try provider(server))
        let reasons = Mutex<[String]>([])
        asking.willPause = { reason in reasons.withLock { $0.append(reason) } }
        #expect(try asking.answer(to: Prompts.test).text == "yes")
        let label = "127.0.0.1:\(server.port)"
        #expect(
            reasons.withLock { $0 } == [
                "\(label) is loading its model; waiting for it",
                "\(label) has had too many requests; asking again for half a minute",
                "\(label) has had too many requests; asking again in 1 second",
            ])
        let busy = try #require(ScriptedServer([.status(429)]))
        defer { busy.stop() }
        let stop = CommandStop()
        var stopped = ModelRun(try provider(busy), environment: Self.environment, stop: stop)
        stopped.willPause = { _ in stop.stop() }
        #expect(throws: ModelFailure.stopped) { try stopped.answer(to: Prompts.test) }
        #expect(busy.requests.count == 1)
    }

    @Test func `what is shown beforehand is what is sent, also to a provider without tools`() throws {
        let server = try #require(ScriptedServer([.answer(["yes"])]))
        defer { server.stop() }
        let request = ChatRequest([ChatMessage(.user, "x")], tools: [.searchNotes])
        for hasTools in [true, false] {
            var provider = try provider(server)
            (provider.hasTools, provider.reasoning) = (hasTools, 1000)
            _ = try run(provider).answer(to: request)
            let shown = provider.shown(request)
            #expect(shown.contains("search_notes") == hasTools && shown.contains("\"max_tokens\":1768"))
            #expect(server.requests.last?.hasSuffix(shown) == true)
        }
    }

    @Test func `a model that wants the limit by its newer name gets it, and keeps its tools`() throws {
        let wanted = """
            {"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use \
            'max_completion_tokens' instead.","param":"max_tokens","code":"unsupported_parameter"}}
            """
        let server = try #require(ScriptedServer([.status(400, wanted), .answer(["yes"])]))
        defer { server.stop() }
        let request = ChatRequest([ChatMessage(.user, "x")], tools: [.searchNotes])
        #expect(try run(provider(server)).answer(to: request).text == "yes")
        #expect(server.requests.map { $0.contains("\"max_tokens\":768") } == [true, false])
        #expect(server.requests.map { $0.contains("\"max_completion_tokens\":768") } == [false, true])
        #expect(server.requests.allSatisfy { $0.contains("search_notes") })
        // One that refuses both names is not asked without end.
        let stubborn = try #require(ScriptedServer([.status(400, wanted)]))
        defer { stubborn.stop() }
        #expect(throws: ModelFailure.self) { try run(provider(stubborn)).answer(to: request) }
        #expect(stubborn.requests.count == 3)
    }

    @Test func `a server that counts no tokens is asked once more, without that and with its tools`() throws {
        let refusals = [
            #"{"error":{"message":"Unrecognized request argument supplied: stream_options"}}"#,
            #"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs"}]}"#,
        ]
        for refusal in refusals {
            let server = try #require(ScriptedServer([.status(422, refusal), .answer(["yes"])]))
            defer { server.stop() }
            let request = ChatRequest([ChatMessage(.user, "x")], tools: [.searchNotes])
            #expect(try run(provider(server)).answer(to: request).text == "yes")
            #expect(server.requests.map { $0.contains("stream_options") } == [true, false])
            #expect(server.requests.allSatisfy { $0.contains("search_notes") })
        }
        // One that does not say what it refuses loses its tools first, and is not asked without end.
        let server = try #require(ScriptedServer([.status(400, #"{"detail":"Bad request"}"#)]))
        defer { server.stop() }
        let request = ChatRequest([ChatMessage(.user, "x")], tools: [.searchNotes])
        #expect(throws: ModelFailure.self) { try run(provider(server)).answer(to: request) }
        #expect(server.requests.map { $0.contains("stream_options") } == [true, true, false])
        #expect(server.requests.map { $0.contains("search_notes") } == [true, false, false])
    }

    @Test func `a compressed answer that nobody asked for is read`() throws {
        let packed = """
            H4sIAAAAAAACA0tJLEm0UqhWSs7Iz0xOLVayiq5WSknNKUlUsgIK5ueVpOaVKFkpeaTm5OQr1eoopWXmZRZnxBelJhbn5wElikvyC5Rq\
            Y2u5uFLAJkW7+Pu5xnJxAQAJT4MbWAAAAA==
            """
        let body = try #require(Data(base64Encoded: packed))
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"
        let server = try #require(ScriptedServer([.init([.send(Array(head.utf8)), .send(Array(body))])]))
        defer { server.stop() }
        #expect(try run(provider(server)).answer(to: Prompts.test).text == "Hello")
        #expect(server.requests.first?.contains("Accept-Encoding: identity\r\n") == true)
    }

    @Test func `what a server says is reported in one line without keys`() throws {
        let server = try #require(
            ScriptedServer([
                .status(409, #"{"detail":"No\u001b[31m room\n for key secret-7, see sk-proj-12"}"#),
                .status(409, #"{"detail":[{"loc":["body","n"],"msg":"Too many","input":"my note"}]}"#),
                .status(409, "<html>Conflict</html>"), .status(401, #"{"detail":"secret-7 is wrong"}"#),
            ]))
        defer { server.stop() }
        var provider = try provider(server)
        provider.key = .command("echo secret-7")
        let place = "\(provider.label) refuses with status 409"
        for said in [": “No[31m room for key …, see …”", ": “n: Too many”", "; look at its log"] {
            do throws(ModelFailure) {
                _ = try run(provider).answer(to: Prompts.test)
                Issue.record("no error")
            } catch {
                #expect(error.sentence == place + said)
            }
        }
        #expect(throws: ModelFailure.keyRefused(provider.label, status: 401)) {
            try run(provider).answer(to: Prompts.test)
        }
    }

    @Test func `a finish or DONE alone is an end`() throws {
        let piece = #"{"choices":[{"delta":{"content":"yes"}}]}"#
        let end = #"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#
        for reply in [ScriptedServer.Reply.stream([piece]), .stream([piece, end], ending: "")] {
            #expect(try failure(reply) == nil)
        }
    }

    @Test func `a server that is not loading is asked twice, and not without tools`() throws {
        for status in [500, 503] {
            let server = try #require(ScriptedServer([.status(status, "busy")]))
            defer { server.stop() }
            let request = ChatRequest([ChatMessage(.user, "x")], tools: [.searchNotes])
            #expect(throws: ModelFailure.self) { try run(provider(server)).answer(to: request) }
            #expect(server.requests.count == 2 && server.requests.allSatisfy { $0.contains("search_notes") })
        }
    }

    @Test func `an answer without an end is cut, told, and its request ended`() throws {
        let endless =
            ScriptedServer.Reply.streamHead + "data: {\"choices\":[{\"delta\":{\"content\":\"0123456789\"}}]}\n\n"
        let server = try #require(ScriptedServer([.init([.send(Array(endless.utf8)), .hang])]))
        defer { server.stop() }
        var short = run(try provider(server))
        short.answerLimit = 8
        let answer = try short.answer(to: Prompts.test)
        #expect(answer.text == "0123456789" && answer.isCut)
        let thinking =
            ScriptedServer.Reply.streamHead + "data: {\"choices\":[{\"delta\":{\"reasoning\":\"0123456789\"}}]}\n\n"
        let thinker = try #require(ScriptedServer([.init([.send(Array(thinking.utf8)), .hang])]))
        defer { thinker.stop() }
        var other = run(try provider(thinker))
        other.answerLimit = 8
        #expect(throws: ModelFailure.onlyReasoned(other.provider.label)) { try other.answer(to: Prompts.test) }
        // Blanks alone, and lines that are not events.
        let blanks = #"{"choices":[{"delta":{"content":"\#(String(repeating: " ", count: 600))"}}]}"#
        var endings: [ModelFailure] = []
        for lines in [String(repeating: "data: \(blanks)\n\n", count: 4), String(repeating: "line\n", count: 10_001)] {
            let server = try #require(
                ScriptedServer([.init([.send(Array((ScriptedServer.Reply.streamHead + lines).utf8)), .hang])]))
            defer { server.stop() }
            let run = run(try provider(server))
            do throws(ModelFailure) {
                _ = try run.answer(to: Prompts.test)
            } catch {
                endings.append(error)
            }
        }
        if case (.emptyAnswer?, .notAChat?) = (endings.first, endings.last) {} else { Issue.record("\(endings)") }
        var program = run(Provider(name: "p", way: .command(["yes"])))
        program.answerLimit = 1000
        #expect(try program.answer(to: Prompts.test).isCut)
    }

    @Test func `a curl that knows too little is reported`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "old-curl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // the system empties this folder
        // A shell does not know curl's options either, and ends with the same status.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/curl", withDestinationPath: "/bin/sh")
        let provider = Provider(name: "p", way: .server(try #require(ServerAddress("http://127.0.0.1:9/v1"))))
        #expect(throws: ModelFailure.oldCurl) {
            try run(provider, ["PATH": folder.path + ":/usr/bin:/bin"]).answer(to: Prompts.test)
        }
    }

    @Test func `nobody answers, and no proxy is asked for an address of this machine`() throws {
        let server = try #require(ScriptedServer([.answer(["proxied"])]))
        defer { server.stop() }
        var environment = Self.environment
        environment["http_proxy"] = "http://127.0.0.1:\(server.port)"
        let provider = Provider(name: "none", way: .server(try #require(ServerAddress("http://127.0.0.1:9/v1"))))
        #expect(throws: ModelFailure.noServer("127.0.0.1:9")) {
            try run(provider, environment).answer(to: Prompts.test)
        }
        #expect(server.requests.isEmpty)
        #expect(throws: ModelFailure.noCurl) { try run(provider, ["PATH": "/nowhere"]).answer(to: Prompts.test) }
    }

    @Test func `a run is stopped from another thread`() throws {
        let server = try #require(
            ScriptedServer([.init([.send(Array(ScriptedServer.Reply.streamHead.utf8)), .hang])]))
        defer { server.stop() }
        let stop = CommandStop()
        let stopping = ModelRun(try provider(server), environment: Self.environment, stop: stop)
        Thread.detachNewThread {
            do { try waitUntil { !server.requests.isEmpty } } catch { Issue.record(error) }
            stop.stop()
        }
        #expect(throws: ModelFailure.stopped) { try stopping.answer(to: Prompts.test) }
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/stat")))
    func `a command that prints a key has no terminal on which to ask`() throws {
        let server = try #require(ScriptedServer([.answer(["yes"])]))
        defer { server.stop() }
        var provider = try provider(server)
        // The sixth field is the session, which the command leads.
        provider.key = .command(#"set -- $(cat /proc/$$/stat); test "$6" = $$ && echo sk-own"#)
        #expect(try run(provider).answer(to: Prompts.test).text == "yes")
        #expect(server.requests.first?.contains("Authorization: Bearer sk-own\r\n") == true)
    }

    @Test func `a key that would be another line is refused`() throws {
        let server = try #require(ScriptedServer([.answer(["yes"])]))
        defer { server.stop() }
        var provider = try provider(server)
        provider.key = .variable("KEY")
        #expect(throws: ModelFailure.noKey(variable: "KEY")) { try run(provider).answer(to: Prompts.test) }
        let hostile = Self.environment.merging(["KEY": "a\nurl = \"http://127.0.0.1:9\""]) { $1 }
        #expect(throws: ModelFailure.keyUnusable) { try run(provider, hostile).answer(to: Prompts.test) }
        #expect(server.requests.isEmpty)
    }
}
